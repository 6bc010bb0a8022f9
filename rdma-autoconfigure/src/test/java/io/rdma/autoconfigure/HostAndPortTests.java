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

package io.rdma.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HostAndPort}.
 */
class HostAndPortTests {

	@Test
	void parsesNamesAndAddresses() {
		assertThat(HostAndPort.parse("storage-1:18515")).isEqualTo(new HostAndPort("storage-1", 18515));
		assertThat(HostAndPort.parse("10.0.0.1:1")).isEqualTo(new HostAndPort("10.0.0.1", 1));
		assertThat(HostAndPort.parse("[fe80::1%eth0]:65535")).isEqualTo(new HostAndPort("fe80::1%eth0", 65535));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "storage-1", "storage-1:", ":18515", "storage-1:0", "storage-1:65536", "storage-1:-1",
			"storage-1:+1", "storage-1:1x", "storage-1:999999999999", "::1:18515", "[]:1", "[host]:1", " :1",
			"storage-1:١" })
	void refusesWhatIsNotHostAndPort(String text) {
		assertThat(HostAndPort.parse(text)).isNull();
	}

}
