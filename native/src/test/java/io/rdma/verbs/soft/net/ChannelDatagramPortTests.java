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
package io.rdma.verbs.soft.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChannelDatagramPort}.
 */
class ChannelDatagramPortTests extends DatagramPortContract {

	@Override
	DatagramPort openPort(InetSocketAddress address) throws IOException {
		return DatagramPorts.open(address, false);
	}

	@Test
	void shouldBeExactWhereJavaCanForbidFragmentsAndTheChecksumOfIpv6IsNotNeeded() throws IOException {
		try (DatagramChannel channel = DatagramChannel.open();
				DatagramPort v4 = openPort(address("127.0.0.1", 0));
				DatagramPort v6 = openPort(address("::1", 0))) {
			boolean canForbid = channel.supportedOptions()
				.stream()
				.anyMatch((option) -> "IP_DONTFRAGMENT".equals(option.name()));
			assertThat(v4.isExact()).isEqualTo(canForbid);
			assertThat(v6.isExact()).isFalse();
		}
	}

}
