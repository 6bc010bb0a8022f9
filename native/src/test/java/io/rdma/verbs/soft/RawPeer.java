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

package io.rdma.verbs.soft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;
import java.util.function.IntConsumer;

import io.rdma.verbs.Gid;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.contract.Endpoint;
import io.rdma.verbs.soft.net.DatagramPort;
import io.rdma.verbs.soft.net.DatagramPorts;
import io.rdma.verbs.soft.net.PacketBatch;
import io.rdma.verbs.soft.packet.Aeth;
import io.rdma.verbs.soft.packet.Bth;
import io.rdma.verbs.soft.packet.Flow;
import io.rdma.verbs.soft.packet.Icrc;
import io.rdma.verbs.soft.packet.Opcode;
import io.rdma.verbs.soft.packet.PacketCheck;
import io.rdma.verbs.soft.packet.Padding;
import io.rdma.verbs.soft.packet.PacketText;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A peer that is a test: it sends what packets it likes, and looks at those that come.
 */
final class RawPeer implements AutoCloseable {

	/** The number of the queue pair that it plays. */
	static final int NUMBER = 0x1234;

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final int SLOT_SIZE = 8192;

	private final DatagramPort port;

	private final PacketBatch sent = new PacketBatch(1, SLOT_SIZE);

	private final PacketBatch received = new PacketBatch(1, SLOT_SIZE);

	private final Icrc icrc = new Icrc();

	private final Gid gid;

	private final Endpoint endpoint;

	private final int devicePort;

	RawPeer(Endpoint endpoint) {
		this(endpoint, endpoint.gid().toAddress());
	}

	RawPeer(Endpoint endpoint, InetAddress address) {
		this.endpoint = endpoint;
		this.gid = endpoint.gid();
		this.devicePort = ((SoftDeviceContext) endpoint.context()).wire().udpPort();
		try {
			this.port = DatagramPorts.open(new InetSocketAddress(address, 0), true);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Connect the endpoint to this peer.
	 * @param firstPsn the first PSN of each direction
	 */
	void connect(int firstPsn) {
		connect(firstPsn, this.endpoint.readyToSend());
	}

	void connect(int firstPsn, QueuePairAttributes.Builder readyToSend) {
		this.endpoint.queuePair().modify(this.endpoint.init().build());
		this.endpoint.queuePair()
			.usePath(new PathOffer(UUID.randomUUID(), this.port.localAddress().getPort(), null).encode(), new byte[0]);
		this.endpoint.queuePair()
			.modify(this.endpoint.readyToReceive(this.endpoint).destQpNumber(NUMBER).rqPsn(firstPsn).build());
		this.endpoint.queuePair().modify(readyToSend.sqPsn(firstPsn).build());
		assertThat(this.endpoint.state()).isEqualTo(QueuePairState.RTS);
	}

	/**
	 * Send a packet with no payload.
	 * @param opcode the opcode
	 * @param psn the PSN
	 * @param headers writes the extension headers of the packet that starts where it is
	 * told
	 */
	void send(int opcode, int psn, IntConsumer headers) {
		send(opcode, psn, new byte[0], headers);
	}

	void send(int opcode, int psn, byte[] payload, IntConsumer headers) {
		int pad = Padding.of(payload.length);
		ByteBuffer memory = this.sent.memory();
		Bth.write(memory, 0, opcode, false, pad, this.endpoint.queuePair().number(), true, psn);
		headers.accept(0);
		int end = Opcode.headerLength(opcode);
		memory.put(end, payload);
		end += payload.length;
		Padding.write(memory, end, pad);
		seal(end + pad);
		sendAsItIs(end + pad + PacketCheck.ICRC_LENGTH);
	}

	/** Where the packet is written that is sent next. */
	ByteBuffer memory() {
		return this.sent.memory();
	}

	/**
	 * Return where packets come from and go to.
	 * @return the addresses and ports
	 */
	Flow flow() {
		return new Flow().source(this.gid.high(), this.gid.low(), this.port.localAddress().getPort())
			.destination(this.gid.high(), this.gid.low(), this.devicePort);
	}

	void seal(int length) {
		this.icrc.seal(this.sent.memory(), 0, length, flow(), 0);
	}

	void sendAsItIs(int length) {
		this.sent.length(0, length);
		this.sent.address(0, this.gid.high(), this.gid.low(), this.devicePort);
		try {
			while (this.port.send(this.sent, 0, 1) == 0) {
				assertThat(this.port.awaitWritable(PATIENCE.toNanos())).isTrue();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Wait for the next packet.
	 * @return the packet
	 */
	Packet await() {
		Packet packet = await(PATIENCE);
		assertThat(packet).as("a packet").isNotNull();
		return packet;
	}

	/**
	 * Check that no packet comes.
	 * @param time how long to look
	 */
	void assertNothingWithin(Duration time) {
		assertThat(await(time)).isNull();
	}

	@SuppressWarnings("NullAway") // tested by the callers
	private Packet await(Duration time) {
		long deadline = System.nanoTime() + time.toNanos();
		try {
			long left = time.toNanos();
			while (left > 0) {
				if (this.port.receive(this.received, left) > 0) {
					return packet();
				}
				left = deadline - System.nanoTime();
			}
			return null;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Throw away what has come.
	 */
	void discard() {
		try {
			int count;
			do {
				count = this.port.receive(this.received, 0);
			}
			while (count > 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Packet packet() {
		ByteBuffer memory = this.received.memory();
		int length = this.received.length(0);
		assertThat(PacketCheck.check(memory, 0, length)).isNull();
		assertThat(Bth.destinationQp(memory, 0)).isEqualTo(NUMBER);
		Flow flow = new Flow().source(this.gid.high(), this.gid.low(), this.devicePort)
			.destination(this.gid.high(), this.gid.low(), this.port.localAddress().getPort());
		assertThat(this.icrc.check(memory, 0, length, flow)).as("identification").isZero();
		byte[] bytes = new byte[length];
		memory.get(0, bytes);
		return new Packet(ByteBuffer.wrap(bytes));
	}

	@Override
	public void close() {
		this.port.close();
	}

	/**
	 * A packet that came.
	 *
	 * @param bytes its bytes
	 */
	record Packet(ByteBuffer bytes) {

		int opcode() {
			return Bth.opcode(this.bytes, 0);
		}

		int psn() {
			return Bth.psn(this.bytes, 0);
		}

		int syndrome() {
			return Aeth.syndrome(this.bytes, 0);
		}

		int msn() {
			return Aeth.msn(this.bytes, 0);
		}

		byte[] payload() {
			byte[] payload = new byte[PacketCheck.payloadLength(this.bytes, 0, this.bytes.capacity())];
			this.bytes.get(Opcode.headerLength(opcode()), payload);
			return payload;
		}

		@Override
		public String toString() {
			return PacketText.describe(this.bytes, 0, this.bytes.capacity());
		}

	}

}
