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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

import io.rdma.verbs.jni.LinuxError;
import io.rdma.verbs.jni.NativeSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NativeDatagramPort}.
 */
@EnabledIf("io.rdma.verbs.jni.NativeBuild#isThere")
class NativeDatagramPortTests extends DatagramPortContract {

	@Override
	DatagramPort openPort(InetSocketAddress address) throws IOException {
		DatagramPort port = DatagramPorts.open(address, true);
		assertThat(port).isInstanceOf(NativeDatagramPort.class);
		return port;
	}

	@Test
	void shouldBeExact() throws IOException {
		try (DatagramPort v4 = openPort(address("127.0.0.1", 0)); DatagramPort v6 = openPort(address("::1", 0))) {
			assertThat(v4.isExact()).isTrue();
			assertThat(v6.isExact()).isTrue();
		}
	}

	@Test
	void shouldExchangePacketsWithAChannel() throws IOException {
		for (String host : List.of("127.0.0.1", "::1")) {
			try (DatagramPort port = openPort(address(host, 0));
					DatagramPort channel = DatagramPorts.open(address(host, 0), false)) {
				PacketBatch batch = new PacketBatch(1, 64);
				put(batch, 0, 33, 1, channel);
				assertThat(port.send(batch, 0, 1)).isOne();
				PacketBatch received = new PacketBatch(1, 64);
				assertThat(receive(channel, received)).isOne();
				assertThat(channel.send(received, 0, 1)).isOne();
				assertThat(receive(port, received)).isOne();
				assertThat(received.length(0)).isEqualTo(33);
			}
		}
	}

	@Test
	void whenTheSocketIsFullThenTheRestIsNotTaken() throws IOException {
		Script script = new Script(3, -LinuxError.EAGAIN);
		try (DatagramPort port = port(script)) {
			assertThat(port.send(new PacketBatch(8, 64), 1, 8)).isEqualTo(3);
			assertThat(port.unsendable()).isZero();
		}
		assertThat(script.asked).containsExactly(1, 4);
	}

	@Test
	void whenTheErrorIsOfAnEarlierPacketThenNothingIsLost() throws IOException {
		Script script = new Script(2, -111, 1, -113, 5);
		try (DatagramPort port = port(script)) {
			assertThat(port.send(new PacketBatch(8, 64), 0, 8)).isEqualTo(8);
			assertThat(port.unsendable()).isZero();
		}
		assertThat(script.asked).containsExactly(0, 2, 2, 3, 3);
	}

	@Test
	void whenTheErrorIsOfAPacketThenItIsPassedOver() throws IOException {
		Script script = new Script(-101, -101, -LinuxError.EMSGSIZE, -LinuxError.EMSGSIZE, 6);
		try (DatagramPort port = port(script)) {
			assertThat(port.send(new PacketBatch(8, 64), 0, 8)).isEqualTo(8);
			assertThat(port.unsendable()).isEqualTo(2);
		}
		assertThat(script.asked).containsExactly(0, 0, 1, 1, 2);
	}

	private static NativeDatagramPort port(Script script) throws IOException {
		NativeSocket socket = NativeSocket.open(address("127.0.0.1", 0), 1 << 16);
		return new NativeDatagramPort(socket, (block, slots, slotSize, from, to) -> script.next(from));
	}

	/**
	 * What the system is to say, one after the other.
	 */
	private static final class Script {

		private final Deque<Integer> results;

		private final List<Integer> asked = new ArrayList<>();

		Script(Integer... results) {
			this.results = new ArrayDeque<>(Arrays.asList(results));
		}

		int next(int from) {
			this.asked.add(from);
			return this.results.removeFirst();
		}

	}

}
