/*
 * Copyright 2026 the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.rdma.demo.job;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProgressBar}.
 */
class ProgressBarTests {

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	private final PrintStream out = new PrintStream(this.bytes, true, StandardCharsets.US_ASCII);

	@Test
	void whenOnATerminalThenOneLineChanges() {
		ProgressBar bar = new ProgressBar(this.out, true, "WRITE", 200_000_000);
		bar.update(0);
		bar.update(1);
		bar.update(100_000_000);
		assertThat(output()).doesNotContain("\n");
		bar.update(200_000_000);
		assertThat(output()).isEqualTo("\r  WRITE [>                             ]   0 %  0 B of 200.0 MB "
				+ "\r  WRITE [===============>              ]  50 %  100.0 MB of 200.0 MB "
				+ "\r  WRITE [==============================] 100 %  200.0 MB of 200.0 MB \n");
	}

	@Test
	void whenNotOnATerminalThenALineForEachQuarter() {
		ProgressBar bar = new ProgressBar(this.out, false, "READ", 1_000_000);
		for (int done = 0; done <= 1_000_000; done += 10_000) {
			bar.update(done);
		}
		assertThat(output()).isEqualTo("""
				  READ  25 %  250.0 kB of 1.0 MB
				  READ  50 %  500.0 kB of 1.0 MB
				  READ  75 %  750.0 kB of 1.0 MB
				  READ 100 %  1.0 MB of 1.0 MB
				""");
	}

	private String output() {
		return this.bytes.toString(StandardCharsets.US_ASCII).replace(System.lineSeparator(), "\n");
	}

}
