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
import java.io.UncheckedIOException;

import io.rdma.verbs.testing.AllocationMeter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The native port allocates nothing for a packet, so that the thread that serves the wire
 * never waits for the garbage collector.
 */
@EnabledIf("io.rdma.verbs.jni.NativeBuild#isThere")
class DatagramPortAllocationTests {

	private static final int PACKETS = 1_000_000;

	private static final int BATCH = 64;

	@Test
	void sendAndReceiveShouldAllocateNothing() throws IOException {
		try (DatagramPort left = DatagramPorts.open(DatagramPortContract.address("127.0.0.1", 0), true);
				DatagramPort right = DatagramPorts.open(DatagramPortContract.address("127.0.0.1", 0), true)) {
			assertThat(bytesAllocatedBetween(left, right)).isZero();
		}
	}

	@Test
	void sendAndReceiveOverIpv6ShouldAllocateNothing() throws IOException {
		try (DatagramPort left = DatagramPorts.open(DatagramPortContract.address("::1", 0), true);
				DatagramPort right = DatagramPorts.open(DatagramPortContract.address("::1", 0), true)) {
			assertThat(bytesAllocatedBetween(left, right)).isZero();
		}
	}

	private long bytesAllocatedBetween(DatagramPort left, DatagramPort right) throws IOException {
		PacketBatch sent = new PacketBatch(BATCH, 64);
		for (int slot = 0; slot < BATCH; slot++) {
			DatagramPortContract.put(sent, slot, 64, slot, right);
		}
		PacketBatch received = new PacketBatch(BATCH, 64);
		return new AllocationMeter().bytesAllocatedBy(() -> exchange(left, right, sent, received), PACKETS / BATCH);
	}

	private static void exchange(DatagramPort left, DatagramPort right, PacketBatch sent, PacketBatch received) {
		try {
			left.awaitWritable(0);
			int count = left.send(sent, 0, BATCH);
			for (int arrived = 0; arrived < count;) {
				arrived += right.receive(received, 1_000_000_000);
			}
			right.wakeUp();
			right.receive(received, 1_000);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
