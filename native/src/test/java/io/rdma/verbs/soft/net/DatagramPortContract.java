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
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rdma.verbs.Gid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What every port does.
 */
abstract class DatagramPortContract {

	private static final long LONG = TimeUnit.SECONDS.toNanos(20);

	private final List<DatagramPort> ports = new ArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	abstract DatagramPort openPort(InetSocketAddress address) throws IOException;

	private DatagramPort open(String host) throws IOException {
		return open(host, 0);
	}

	private DatagramPort open(String host, int port) throws IOException {
		DatagramPort opened = openPort(address(host, port));
		this.ports.add(opened);
		return opened;
	}

	@AfterEach
	void closePorts() {
		this.ports.forEach(DatagramPort::close);
		this.threads.shutdown();
	}

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "::1" })
	void shouldTellItsAddress(String host) throws IOException {
		InetSocketAddress address = open(host).localAddress();
		assertThat(address.getAddress()).isEqualTo(address(host, 0).getAddress());
		assertThat(address.getPort()).isPositive();
	}

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "::1" })
	void shouldReceiveWhatWasSentWithTheAddressOfTheSender(String host) throws IOException {
		DatagramPort left = open(host);
		DatagramPort right = open(host);
		PacketBatch batch = new PacketBatch(4, 64);
		put(batch, 2, 11, 0x55, right);
		assertThat(left.send(batch, 2, 3)).isOne();
		PacketBatch received = new PacketBatch(4, 64);
		assertThat(receive(right, received)).isOne();
		assertThat(received.length(0)).isEqualTo(11);
		for (int i = 0; i < 11; i++) {
			assertThat(received.memory().get(i)).isEqualTo((byte) (0x55 + i));
		}
		assertThat(new Gid(received.addressHigh(0), received.addressLow(0))).isEqualTo(gid(left));
		assertThat(received.port(0)).isEqualTo(left.localAddress().getPort());
	}

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "::1" })
	void shouldAnswerToTheAddressThatWasReceived(String host) throws IOException {
		DatagramPort left = open(host);
		DatagramPort right = open(host);
		PacketBatch batch = new PacketBatch(1, 64);
		put(batch, 0, 5, 1, right);
		left.send(batch, 0, 1);
		PacketBatch received = new PacketBatch(1, 64);
		receive(right, received);
		assertThat(right.send(received, 0, 1)).isOne();
		assertThat(receive(left, batch)).isOne();
		assertThat(batch.port(0)).isEqualTo(right.localAddress().getPort());
	}

	@Test
	void shouldKeepIpv4AndIpv6OnOnePortApart() throws IOException {
		DatagramPort v6 = open("::1");
		DatagramPort v4 = open("127.0.0.1", v6.localAddress().getPort());
		DatagramPort sender = open("127.0.0.1");
		PacketBatch batch = new PacketBatch(1, 64);
		put(batch, 0, 5, 1, v4);
		sender.send(batch, 0, 1);
		assertThat(receive(v4, batch)).isOne();
		assertThat(v6.receive(batch, 0)).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 63, 64, 65, 200 })
	void shouldCarryBatches(int count) throws IOException {
		DatagramPort left = open("127.0.0.1");
		DatagramPort right = open("127.0.0.1");
		PacketBatch batch = new PacketBatch(count, 128);
		for (int slot = 0; slot < count; slot++) {
			put(batch, slot, 1 + slot % 128, slot, right);
		}
		assertThat(left.send(batch, 0, count)).isEqualTo(count);
		PacketBatch received = new PacketBatch(16, 128);
		for (int next = 0; next < count;) {
			int packets = receive(right, received);
			assertThat(packets).isBetween(1, 16);
			for (int slot = 0; slot < packets; slot++, next++) {
				assertThat(received.length(slot)).isEqualTo(1 + next % 128);
				assertThat(received.memory().get(received.offset(slot))).isEqualTo((byte) next);
			}
		}
		assertThat(right.receive(received, 0)).isZero();
	}

	@Test
	void shouldCarryAnEmptyDatagram() throws IOException {
		DatagramPort left = open("127.0.0.1");
		DatagramPort right = open("127.0.0.1");
		PacketBatch batch = new PacketBatch(1, 64);
		put(batch, 0, 0, 0, right);
		assertThat(left.send(batch, 0, 1)).isOne();
		batch.length(0, 7);
		assertThat(receive(right, batch)).isOne();
		assertThat(batch.length(0)).isZero();
	}

	@Test
	void shouldDropWhatIsLongerThanASlotAndKeepTheRestInOrder() throws IOException {
		DatagramPort left = open("127.0.0.1");
		DatagramPort right = open("127.0.0.1");
		PacketBatch batch = new PacketBatch(6, 100);
		int[] lengths = { 65, 64, 100, 3, 99, 2 };
		for (int slot = 0; slot < lengths.length; slot++) {
			put(batch, slot, lengths[slot], slot, right);
		}
		assertThat(left.send(batch, 0, 6)).isEqualTo(6);
		PacketBatch received = new PacketBatch(8, 64);
		List<Integer> found = new ArrayList<>();
		while (found.size() < 3) {
			int packets = right.receive(received, LONG);
			for (int slot = 0; slot < packets; slot++) {
				found.add(received.length(slot));
				assertThat(received.memory().get(received.offset(slot)))
					.isEqualTo((byte) List.of(65, 64, 100, 3, 99, 2).indexOf(received.length(slot)));
			}
		}
		assertThat(found).containsExactly(64, 3, 2);
		assertThat(right.oversized()).isEqualTo(3);
	}

	@Test
	void whenNothingArrivesThenItReturnsAfterTheTimeout() throws IOException {
		DatagramPort port = open("127.0.0.1");
		PacketBatch batch = new PacketBatch(1, 64);
		long start = System.nanoTime();
		assertThat(port.receive(batch, 0)).isZero();
		assertThat(port.receive(batch, TimeUnit.MILLISECONDS.toNanos(20))).isZero();
		assertThat(System.nanoTime() - start).isBetween(TimeUnit.MILLISECONDS.toNanos(19), LONG);
	}

	@Test
	void whenAPacketArrivesThenTheWaitEnds() throws Exception {
		DatagramPort left = open("127.0.0.1");
		DatagramPort right = open("127.0.0.1");
		CompletableFuture<Integer> received = CompletableFuture
			.supplyAsync(() -> unchecked(() -> receive(right, new PacketBatch(4, 64))), this.threads);
		PacketBatch batch = new PacketBatch(1, 64);
		put(batch, 0, 5, 1, right);
		left.send(batch, 0, 1);
		assertThat(received.get(20, TimeUnit.SECONDS)).isOne();
	}

	@Test
	void whenWokenUpBeforeThenTheNextWaitReturns() throws IOException {
		DatagramPort port = open("127.0.0.1");
		for (int i = 0; i < 10; i++) {
			port.wakeUp();
			port.wakeUp();
			assertThat(port.receive(new PacketBatch(1, 64), -1)).isZero();
		}
	}

	@Test
	void shouldSeeEachWakeUp() throws Exception {
		DatagramPort port = open("127.0.0.1");
		AtomicInteger wanted = new AtomicInteger();
		AtomicInteger seen = new AtomicInteger();
		int rounds = 20_000;
		CompletableFuture<Void> receiver = CompletableFuture.runAsync(() -> unchecked(() -> {
			PacketBatch batch = new PacketBatch(1, 64);
			while (seen.get() < rounds) {
				port.receive(batch, -1);
				seen.set(wanted.get());
			}
			return rounds;
		}), this.threads);
		for (int round = 1; round <= rounds; round++) {
			wanted.set(round);
			port.wakeUp();
			if (round % 16 == 0) {
				// a wake-up that is missed leaves the other waiting, and this with it
				long start = System.nanoTime();
				while (seen.get() < round && !receiver.isDone()) {
					assertThat(System.nanoTime() - start).as("round %d", round).isLessThan(LONG);
					Thread.onSpinWait();
				}
			}
		}
		receiver.get(20, TimeUnit.SECONDS);
	}

	@Test
	void whenClosedThenTheThreadThatReceivesIsTold() throws Exception {
		for (int i = 0; i < 20; i++) {
			DatagramPort port = open("127.0.0.1");
			CountDownLatch started = new CountDownLatch(1);
			CompletableFuture<Integer> receiver = CompletableFuture.supplyAsync(() -> unchecked(() -> {
				started.countDown();
				while (true) {
					port.receive(new PacketBatch(1, 64), -1);
				}
			}), this.threads);
			assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
			port.close();
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> receiver.get(20, TimeUnit.SECONDS))
				.withRootCauseInstanceOf(ClosedChannelException.class);
		}
	}

	@Test
	void whenClosedThenEverythingIsRefusedAndTheAddressIsFree() throws IOException {
		DatagramPort port = open("127.0.0.1");
		int number = port.localAddress().getPort();
		port.close();
		port.close();
		port.wakeUp();
		PacketBatch batch = new PacketBatch(1, 64);
		assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> port.receive(batch, 0));
		assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> port.receive(batch, -1));
		assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> port.send(batch, 0, 1));
		assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> port.awaitWritable(-1));
		assertThat(open("127.0.0.1", number).localAddress().getPort()).isEqualTo(number);
	}

	@Test
	void whenClosedInTheMidstOfTrafficThenNoOtherDescriptorIsUsed() throws Exception {
		for (int round = 0; round < 30; round++) {
			DatagramPort port = open("127.0.0.1");
			int number = port.localAddress().getPort();
			DatagramPort other = open("127.0.0.1");
			CountDownLatch traffic = new CountDownLatch(20);
			List<CompletableFuture<Void>> running = new ArrayList<>();
			running.add(run(() -> untilClosed(traffic, () -> port.receive(new PacketBatch(8, 64), -1))));
			running.add(run(() -> {
				PacketBatch batch = new PacketBatch(8, 64);
				for (int slot = 0; slot < 8; slot++) {
					put(batch, slot, 8, slot, port);
				}
				untilClosed(traffic, () -> port.send(batch, 0, 8));
			}));
			running.add(run(() -> untilClosed(traffic, () -> {
				port.wakeUp();
				return port.awaitWritable(0) ? 1 : 0;
			})));
			assertThat(traffic.await(20, TimeUnit.SECONDS)).isTrue();
			port.close();
			// these get the numbers of the descriptors that are free now
			DatagramPort successor = open("127.0.0.1", number);
			for (CompletableFuture<Void> thread : running) {
				thread.get(20, TimeUnit.SECONDS);
			}
			assertThat(successor.receive(new PacketBatch(1, 64), 0)).isZero();
			assertThat(other.receive(new PacketBatch(1, 64), 0)).isZero();
			successor.close();
			other.close();
		}
	}

	@Test
	void whenTheSocketIsEmptyThenItIsWritable() throws IOException {
		assertThat(open("127.0.0.1").awaitWritable(0)).isTrue();
		assertThat(open("127.0.0.1").awaitWritable(LONG)).isTrue();
		assertThat(open("127.0.0.1").awaitWritable(-1)).isTrue();
	}

	@Test
	void whenMoreIsSentThanBuffersHoldThenNothingWaits() throws IOException {
		DatagramPort left = open("127.0.0.1");
		DatagramPort right = open("127.0.0.1");
		PacketBatch batch = new PacketBatch(64, 4096);
		for (int slot = 0; slot < 64; slot++) {
			put(batch, slot, 4096, slot, right);
		}
		int taken = 0;
		for (int round = 0; round < 200; round++) {
			int sent = left.send(batch, 0, 64);
			assertThat(sent).isBetween(0, 64);
			taken += sent;
			if (sent < 64) {
				assertThat(left.awaitWritable(LONG)).isTrue();
			}
		}
		PacketBatch received = new PacketBatch(64, 4096);
		int arrived = 0;
		for (int packets = receive(right, received); packets > 0; packets = right.receive(received, 0)) {
			arrived += packets;
		}
		assertThat(arrived).isBetween(64, taken);
	}

	@Test
	void whenNobodyHasThePortOfThePeerThenSendAndReceiveGoOn() throws IOException {
		DatagramPort left = open("127.0.0.1");
		DatagramPort right = open("127.0.0.1");
		DatagramPort gone = open("127.0.0.1");
		gone.close();
		PacketBatch batch = new PacketBatch(2, 64);
		put(batch, 0, 5, 1, gone);
		put(batch, 1, 6, 1, right);
		for (int i = 0; i < 10; i++) {
			assertThat(left.send(batch, 0, 2)).isEqualTo(2);
			assertThat(left.receive(new PacketBatch(1, 64), 0)).isZero();
		}
		for (int arrived = 0; arrived < 10;) {
			PacketBatch received = new PacketBatch(4, 64);
			int packets = receive(right, received);
			assertThat(received.length(0)).isEqualTo(6);
			arrived += packets;
		}
	}

	@Test
	void whenOnePacketCannotBeSentThenItIsCountedAndTheOthersLeave() throws IOException {
		DatagramPort left = open("127.0.0.1");
		DatagramPort right = open("127.0.0.1");
		PacketBatch batch = new PacketBatch(4, 65_535);
		for (int slot = 0; slot < 4; slot++) {
			put(batch, slot, 5 + slot, 1, right);
		}
		// longer than a datagram can be, so there is no way to send it on any machine
		batch.length(1, 65_535);
		assertThat(left.send(batch, 0, 4)).isEqualTo(4);
		assertThat(left.unsendable()).isOne();
		PacketBatch received = new PacketBatch(4, 64);
		List<Integer> lengths = new ArrayList<>();
		while (lengths.size() < 3) {
			int packets = receive(right, received);
			for (int slot = 0; slot < packets; slot++) {
				lengths.add(received.length(slot));
			}
		}
		assertThat(lengths).containsExactly(5, 7, 8);
	}

	@Test
	void whenThePeerIsOfTheOtherFamilyThenThePacketIsLost() throws IOException {
		DatagramPort v4 = open("127.0.0.1");
		DatagramPort v6 = open("::1");
		PacketBatch batch = new PacketBatch(1, 64);
		put(batch, 0, 5, 1, v6);
		assertThat(v4.send(batch, 0, 1)).isOne();
		put(batch, 0, 5, 1, v4);
		assertThat(v6.send(batch, 0, 1)).isOne();
		assertThat(v4.unsendable()).isOne();
		assertThat(v6.unsendable()).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "::1" })
	void whenThePortIsTakenThenTheAddressIsNamed(String host) throws IOException {
		int number = open(host).localAddress().getPort();
		assertThatExceptionOfType(BindException.class).isThrownBy(() -> open(host, number))
			.withMessageContaining((host.contains(":") ? "[0:0:0:0:0:0:0:1]:" : host + ":") + number)
			.withMessageContaining("another socket has port " + number);
	}

	@Test
	void whenTheAddressIsNoneOfThisMachineThenItIsNamed() {
		assertThatExceptionOfType(BindException.class).isThrownBy(() -> open("203.0.113.77", 4791))
			.withMessageContaining("203.0.113.77:4791")
			.withMessageContaining("no address of this machine");
	}

	@Test
	void shouldExchangePacketsWithAnOrdinarySocket() throws IOException {
		DatagramPort port = open("127.0.0.1");
		try (DatagramSocket socket = new DatagramSocket(address("127.0.0.1", 0))) {
			socket.setSoTimeout(20_000);
			socket.send(new DatagramPacket(new byte[] { 1, 2, 3 }, 3, port.localAddress()));
			PacketBatch batch = new PacketBatch(1, 64);
			assertThat(receive(port, batch)).isOne();
			assertThat(batch.length(0)).isEqualTo(3);
			port.send(batch, 0, 1);
			DatagramPacket packet = new DatagramPacket(new byte[64], 64);
			socket.receive(packet);
			assertThat(packet.getLength()).isEqualTo(3);
			assertThat(packet.getSocketAddress()).isEqualTo(port.localAddress());
		}
	}

	static InetSocketAddress address(String host, int port) throws IOException {
		return new InetSocketAddress(InetAddress.getAllByName(host)[0], port);
	}

	private CompletableFuture<Void> run(Runnable task) {
		return CompletableFuture.runAsync(task, this.threads);
	}

	static void put(PacketBatch batch, int slot, int length, int start, DatagramPort to) {
		Gid gid = gid(to);
		batch.address(slot, gid.high(), gid.low(), to.localAddress().getPort());
		batch.length(slot, length);
		for (int i = 0; i < length; i++) {
			batch.memory().put(batch.offset(slot) + i, (byte) (start + i));
		}
	}

	static Gid gid(DatagramPort port) {
		return Gid.of(port.localAddress().getAddress());
	}

	/** Wait, past returns for no reason. */
	static int receive(DatagramPort port, PacketBatch batch) throws IOException {
		long start = System.nanoTime();
		while (true) {
			int packets = port.receive(batch, LONG);
			if (packets > 0) {
				return packets;
			}
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofNanos(LONG));
		}
	}

	private static void untilClosed(CountDownLatch running, Call<Integer> call) {
		try {
			while (true) {
				call.run();
				running.countDown();
			}
		}
		catch (ClosedChannelException ex) {
			// what ends it
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static <T> T unchecked(Call<T> call) {
		try {
			return call.run();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	interface Call<T> {

		T run() throws Exception;

	}

}
