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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link Impairment}.
 */
class ImpairmentTests {

	private static final int PACKETS = 4_000;

	private final PacketBatch batch = new PacketBatch(25, 64);

	@SuppressWarnings("NullAway.Init")
	private DatagramPort receiver;

	@SuppressWarnings("NullAway.Init")
	private DatagramPort sender;

	@BeforeEach
	void open() throws IOException {
		this.receiver = DatagramPorts.open(DatagramPortContract.address("127.0.0.1", 0), false);
		this.sender = DatagramPorts.open(DatagramPortContract.address("127.0.0.1", 0), false);
	}

	@AfterEach
	void close() {
		this.sender.close();
		this.receiver.close();
	}

	@Test
	void noneShouldChangeNothing() {
		assertThat(Impairment.none().apply(this.sender)).isSameAs(this.sender);
	}

	@Test
	void whenNothingIsProbableThenAllArriveInOrder() throws IOException {
		assertThat(carry(Impairment.random(1, 0, 0, 0, 0))).isEqualTo(IntStream.range(0, PACKETS).boxed().toList());
	}

	@Test
	void shouldLose() throws IOException {
		List<Integer> arrived = carry(Impairment.random(1, 0.1, 0, 0, 0));
		assertThat(arrived).isSorted().doesNotHaveDuplicates();
		assertThat(arrived.size()).isCloseTo(PACKETS * 9 / 10, within(PACKETS / 30));
	}

	@Test
	void shouldDouble() throws IOException {
		List<Integer> arrived = carry(Impairment.random(1, 0, 0.1, 0, 0));
		assertThat(arrived).isSorted();
		assertThat(new HashSet<>(arrived)).hasSize(PACKETS);
		assertThat(arrived.size()).isCloseTo(PACKETS * 11 / 10, within(PACKETS / 30));
	}

	@Test
	void shouldReorderAndLoseNone() throws IOException {
		List<Integer> arrived = carry(Impairment.random(1, 0, 0, 0.05, 0));
		assertThat(arrived).hasSize(PACKETS).doesNotHaveDuplicates();
		int late = 0;
		int farthest = 0;
		for (int i = 1; i < arrived.size(); i++) {
			int distance = arrived.get(i - 1) - arrived.get(i);
			late += (distance > 0) ? 1 : 0;
			farthest = Math.max(farthest, distance);
		}
		assertThat(late).isBetween(PACKETS / 50, PACKETS / 10);
		assertThat(farthest).isBetween(1, 8);
	}

	@Test
	void whenNothingFollowsThenTheOneThatIsHeldBackLeavesAllTheSame() throws IOException {
		DatagramPort impaired = Impairment.random(1, 0, 0, 1, 0).apply(this.sender);
		put(0, 7);
		assertThat(impaired.send(this.batch, 0, 1)).isOne();
		assertThat(DatagramPortContract.receive(this.receiver, this.batch)).isOne();
		assertThat(this.batch.memory().getInt(0)).isEqualTo(7);
	}

	@Test
	void whenTheSocketIsClosedThenTheOneThatIsHeldBackGoesWithIt() throws IOException {
		DatagramPort impaired = Impairment.random(1, 0, 0, 1, 0).apply(this.sender);
		put(0, 7);
		impaired.send(this.batch, 0, 1);
		impaired.close();
		assertThat(this.receiver.receive(this.batch, 20_000_000)).isZero();
	}

	@Test
	void shouldCorruptACopy() throws IOException {
		DatagramPort impaired = Impairment.random(1, 0, 0, 0, 1).apply(this.sender);
		for (int i = 0; i < 50; i++) {
			put(0, 7);
			assertThat(impaired.send(this.batch, 0, 1)).isOne();
			assertThat(this.batch.memory().getInt(0)).isEqualTo(7);
			PacketBatch received = new PacketBatch(1, 64);
			DatagramPortContract.receive(this.receiver, received);
			int bits = 0;
			for (int at = 0; at < 64; at++) {
				bits += Integer.bitCount((received.memory().get(at) ^ this.batch.memory().get(at)) & 0xff);
			}
			assertThat(bits).isOne();
		}
	}

	@Test
	void shouldRepeatWithTheSameSeedOnly() throws IOException {
		List<Integer> first = carry(Impairment.random(5, 0.1, 0.1, 0, 0));
		assertThat(carry(Impairment.random(5, 0.1, 0.1, 0, 0))).isEqualTo(first);
		assertThat(carry(Impairment.random(6, 0.1, 0.1, 0, 0))).isNotEqualTo(first);
	}

	@Test
	void whenTheSocketTakesPartThenTheRestIsNotTakenAndNothingIsLost() throws IOException {
		DatagramPort narrow = new NarrowPort(this.sender);
		List<Integer> arrived = carry(Impairment.random(1, 0, 0, 0.05, 0).apply(narrow));
		assertThat(arrived).hasSize(PACKETS).doesNotHaveDuplicates();
	}

	@Test
	void whenAProbabilityIsNoneThenItIsRefused() {
		for (double value : new double[] { -0.1, 1.1, Double.NaN }) {
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> Impairment.random(1, 0, value, 0, 0))
				.withMessageContaining(String.valueOf(value));
		}
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> Impairment.random(1, 0.5, 0.3, 0.2, 0.1));
	}

	private List<Integer> carry(Impairment impairment) throws IOException {
		return carry(impairment.apply(this.sender));
	}

	/** Send numbered packets, and return the numbers as they arrive. */
	private List<Integer> carry(DatagramPort impaired) throws IOException {
		List<Integer> arrived = new ArrayList<>();
		PacketBatch received = new PacketBatch(64, 64);
		for (int number = 0; number < PACKETS; number += this.batch.slots()) {
			for (int slot = 0; slot < this.batch.slots(); slot++) {
				put(slot, number + slot);
			}
			for (int next = 0; next < this.batch.slots();) {
				next += impaired.send(this.batch, next, this.batch.slots());
			}
			drain(received, arrived, 0);
		}
		// the last may be held back for a short time
		drain(received, arrived, 200_000_000);
		return arrived;
	}

	private void drain(PacketBatch received, List<Integer> arrived, long timeoutNanos) throws IOException {
		for (int count = this.receiver.receive(received, timeoutNanos); count > 0; count = this.receiver
			.receive(received, timeoutNanos)) {
			for (int slot = 0; slot < count; slot++) {
				arrived.add(received.memory().getInt(received.offset(slot)));
			}
		}
	}

	private void put(int slot, int number) {
		DatagramPortContract.put(this.batch, slot, 64, 0, this.receiver);
		this.batch.memory().putInt(this.batch.offset(slot), number);
	}

	/**
	 * A port that takes at most three packets at once, and each fourth time none.
	 */
	private static final class NarrowPort implements DatagramPort {

		private final DatagramPort port;

		private int calls;

		NarrowPort(DatagramPort port) {
			this.port = port;
		}

		@Override
		public InetSocketAddress localAddress() {
			return this.port.localAddress();
		}

		@Override
		public boolean isExact() {
			return this.port.isExact();
		}

		@Override
		public int receive(PacketBatch packets, long timeoutNanos) throws IOException {
			return this.port.receive(packets, timeoutNanos);
		}

		@Override
		public int send(PacketBatch packets, int from, int to) throws IOException {
			return (++this.calls % 4 == 0) ? 0 : this.port.send(packets, from, Math.min(to, from + 3));
		}

		@Override
		public boolean awaitWritable(long timeoutNanos) throws IOException {
			return this.port.awaitWritable(timeoutNanos);
		}

		@Override
		public void wakeUp() {
			this.port.wakeUp();
		}

		@Override
		public void close() {
			this.port.close();
		}

	}

}
