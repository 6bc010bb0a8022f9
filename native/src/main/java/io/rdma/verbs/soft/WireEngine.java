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
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.Gid;
import io.rdma.verbs.soft.net.DatagramPort;
import io.rdma.verbs.soft.net.PacketBatch;
import io.rdma.verbs.soft.packet.Bth;
import io.rdma.verbs.soft.packet.DropReason;
import io.rdma.verbs.soft.packet.Flow;
import io.rdma.verbs.soft.packet.Icrc;
import io.rdma.verbs.soft.packet.Opcode;
import io.rdma.verbs.soft.packet.PacketCheck;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * The socket of a device, and the one thread that takes packets from it, gives them to
 * the queue pairs, sends the answers and watches over the timeouts.
 */
@Slf4j
final class WireEngine {

	private static final long FOREVER = Long.MAX_VALUE;

	private static final int MAX_TRANSMITTERS = 4;

	/** So many full batches are taken before the timeouts are looked at. */
	private static final int MAX_BATCHES = 8;

	private final SoftDeviceContext context;

	private final DatagramPort port;

	private final WireCounters counters;

	/** What the thread of this engine sends with. */
	private final Transmitter own;

	/** What the threads that post send with, so that they seldom wait for each other. */
	private final Transmitter[] shared = new Transmitter[Math.min(Runtime.getRuntime().availableProcessors(),
			MAX_TRANSMITTERS)];

	private final NumberTable<SoftQueuePair> queuePairs = new NumberTable<>(SoftQueuePair::number,
			SoftQueuePair[]::new);

	private final Thread thread;

	private final PacketBatch received = new PacketBatch(Transmitter.SLOTS, Transmitter.SLOT_SIZE);

	private final ByteBuffer memory = this.received.memory();

	private final Icrc icrc = new Icrc();

	private final Flow flow = new Flow();

	/** Those that have answers to send, known to the thread only. */
	private final ArrayDeque<WireResponder> answering = new ArrayDeque<>();

	/** Those whose requests were answered, known to the thread only. */
	private final ArrayDeque<WireSender> answered = new ArrayDeque<>();

	/**
	 * When the thread looks at the timeouts next, in the time of {@link System#nanoTime}
	 * since {@link #epoch}. While it looks, it is told of every new timeout.
	 */
	private volatile long wakeAt = FOREVER;

	private final long epoch = System.nanoTime();

	/** Whether there is a timeout that is over before the thread looks. */
	private volatile boolean deadlineAdded;

	private volatile boolean closed;

	WireEngine(SoftDeviceContext context, DatagramPort port, Gid gid, WireCounters counters) {
		this.context = context;
		this.port = port;
		this.counters = counters;
		counters.port(port);
		this.own = new Transmitter(context, port, gid, counters);
		for (int i = 0; i < this.shared.length; i++) {
			this.shared[i] = new Transmitter(context, port, gid, counters);
		}
		this.flow.destination(gid.high(), gid.low(), port.localAddress().getPort());
		this.thread = new Thread(this::run, "rdma-soft-io");
		this.thread.setDaemon(true);
		this.thread.start();
		if (!port.isExact()) {
			logger.info(
					"The software device at {} cannot make exact RoCEv2 packets on this system, so it reaches other "
							+ "software devices only; on Linux it can with JDK 19 or later, or with the native library",
					port.localAddress());
		}
	}

	/** The UDP port that peers send to. */
	int udpPort() {
		return this.port.localAddress().getPort();
	}

	/** Whether other devices than this one take what it sends. */
	boolean isExact() {
		return this.port.isExact();
	}

	/** The thread that takes packets. */
	Thread thread() {
		return this.thread;
	}

	/**
	 * Return what the current thread sends with.
	 * @param path where to
	 * @return the transmitter
	 */
	Transmitter transmitterOf(WirePath path) {
		return (Thread.currentThread() == this.thread) ? this.own : this.shared[path.peerNumber() % this.shared.length];
	}

	WireCounters counters() {
		return this.counters;
	}

	void add(SoftQueuePair queuePair) {
		this.queuePairs.add(queuePair);
	}

	void remove(SoftQueuePair queuePair) {
		this.queuePairs.remove(queuePair);
	}

	/**
	 * Have the timeouts looked at in time.
	 * @param deadline when the earliest of them is over
	 */
	void wakeBefore(long deadline) {
		if (deadline - this.epoch < this.wakeAt) {
			this.deadlineAdded = true;
			if (Thread.currentThread() != this.thread) {
				this.port.wakeUp();
			}
		}
	}

	/**
	 * Have the answers of a responder sent once all packets that have arrived are taken,
	 * so that one answer stands for many.
	 * @param responder the responder, whose lock is held
	 */
	void answerSoon(WireResponder responder) {
		if (responder.schedule()) {
			this.answering.add(responder);
		}
	}

	/**
	 * Have a sender send on once all packets that have arrived are taken.
	 * @param sender the sender, whose lock is held
	 */
	void progressSoon(WireSender sender) {
		if (sender.schedule()) {
			this.answered.add(sender);
		}
	}

	private void run() {
		try {
			while (!this.closed) {
				int batches = 0;
				boolean more;
				do {
					more = takePackets();
					sendAnswers();
				}
				while (more && ++batches < MAX_BATCHES);
				checkTimeouts();
			}
		}
		catch (IOException | RuntimeException | Error ex) {
			if (!this.closed) {
				logger.error("The software device cannot go on, since its socket at {} or the thread that serves it "
						+ "failed; restart the application", this.port.localAddress(), ex);
				this.context.fail();
			}
		}
	}

	/**
	 * Take what has arrived, or wait for it.
	 * @return whether there may be more
	 */
	private boolean takePackets() throws IOException {
		int count = this.port.receive(this.received, patience());
		if (count > 0) {
			this.counters.received(count);
		}
		for (int i = 0; i < count; i++) {
			DropReason reason = take(i);
			if (reason != null) {
				this.counters.dropped(reason);
			}
		}
		return count == this.received.slots();
	}

	private long patience() {
		if (!this.answering.isEmpty() || this.deadlineAdded) {
			return 0;
		}
		long next = this.wakeAt;
		return (next != FOREVER) ? Math.max(0, next - now()) : -1;
	}

	private @Nullable DropReason take(int slot) {
		int at = this.received.offset(slot);
		int length = this.received.length(slot);
		if (!this.context.isPortActive()) {
			return DropReason.PORT_DOWN;
		}
		DropReason malformed = PacketCheck.check(this.memory, at, length);
		if (malformed != null) {
			return malformed;
		}
		SoftQueuePair queuePair = this.queuePairs.find(Bth.destinationQp(this.memory, at));
		if (queuePair == null) {
			return DropReason.UNKNOWN_QP;
		}
		this.flow.source(this.received.addressHigh(slot), this.received.addressLow(slot), this.received.port(slot));
		try {
			return Opcode.isRequest(Bth.opcode(this.memory, at)) ? takeRequest(queuePair.responder(), slot)
					: takeAnswer(queuePair.requester(), slot);
		}
		catch (RuntimeException ex) {
			fail(queuePair, ex);
			return DropReason.QP_STATE;
		}
	}

	/**
	 * A fault with one queue pair is the end of that one only.
	 */
	private static void fail(SoftQueuePair queuePair, RuntimeException cause) {
		logger.error("Queue pair 0x{} failed inside the software device", Integer.toHexString(queuePair.number()),
				cause);
		queuePair.raise(AsyncEventType.QP_FATAL);
		queuePair.fail();
	}

	private @Nullable DropReason takeRequest(Responder responder, int slot) {
		int at = this.received.offset(slot);
		int length = this.received.length(slot);
		responder.lock();
		try {
			WireResponder wire = responder.wire();
			if (wire == null) {
				return DropReason.NOT_CONNECTED;
			}
			if (!responder.isResponding()) {
				return DropReason.QP_STATE;
			}
			if (!isFrom(wire.path(), slot)) {
				return DropReason.SOURCE;
			}
			if (!wire.isExpected(Bth.psn(this.memory, at), Bth.opcode(this.memory, at))) {
				return DropReason.PSN;
			}
			if (!wire.path().isIntact(this.icrc.check(this.memory, at, length, this.flow))) {
				return DropReason.ICRC;
			}
			return wire.take(this.memory, at, length - PacketCheck.ICRC_LENGTH);
		}
		finally {
			responder.unlock();
		}
	}

	private @Nullable DropReason takeAnswer(Requester requester, int slot) {
		int at = this.received.offset(slot);
		int length = this.received.length(slot);
		requester.lock();
		try {
			WireSender sender = requester.wire();
			if (sender == null) {
				return DropReason.NOT_CONNECTED;
			}
			if (!isFrom(sender.path(), slot)) {
				return DropReason.SOURCE;
			}
			int psn = Bth.psn(this.memory, at);
			if (!sender.isExpected(psn)) {
				return sender.isAnswered(psn) ? DropReason.DUPLICATE : DropReason.PSN;
			}
			if (!sender.path().isIntact(this.icrc.check(this.memory, at, length, this.flow))) {
				return DropReason.ICRC;
			}
			return sender.take(this.memory, at, length - PacketCheck.ICRC_LENGTH);
		}
		finally {
			requester.unlock();
		}
	}

	private boolean isFrom(WirePath path, int slot) {
		return path.isFrom(this.received.addressHigh(slot), this.received.addressLow(slot), this.received.port(slot));
	}

	private void sendAnswers() {
		for (int i = this.answering.size(); i > 0; i--) {
			WireResponder responder = this.answering.remove();
			try {
				responder.sendAnswers();
			}
			catch (RuntimeException ex) {
				fail(responder.queuePair(), ex);
			}
		}
		for (int i = this.answered.size(); i > 0; i--) {
			WireSender sender = this.answered.remove();
			try {
				sender.progressNow();
			}
			catch (RuntimeException ex) {
				fail(sender.queuePair(), ex);
			}
		}
	}

	private long now() {
		return System.nanoTime() - this.epoch;
	}

	private void checkTimeouts() {
		if (!this.deadlineAdded && now() < this.wakeAt) {
			return;
		}
		this.wakeAt = FOREVER;
		this.deadlineAdded = false;
		long now = System.nanoTime();
		long earliest = FOREVER;
		for (SoftQueuePair queuePair : this.queuePairs.all()) {
			if (queuePair != null) {
				earliest = Math.min(earliest, checkTimeout(queuePair, now));
			}
		}
		this.wakeAt = earliest;
	}

	private long checkTimeout(SoftQueuePair queuePair, long now) {
		try {
			long deadline = queuePair.requester().checkTimeout(now);
			return (deadline != FOREVER) ? deadline - this.epoch : FOREVER;
		}
		catch (RuntimeException ex) {
			fail(queuePair, ex);
			return FOREVER;
		}
	}

	/**
	 * Close the socket and end the thread. When this returns, no packet is taken any
	 * more.
	 */
	void close() {
		this.closed = true;
		this.port.close();
		if (Thread.currentThread() == this.thread) {
			return;
		}
		boolean interrupted = false;
		while (true) {
			try {
				this.thread.join(TimeUnit.SECONDS.toMillis(10));
				if (this.thread.isAlive()) {
					logger.warn("Thread '{}' has not ended within 10 s", this.thread.getName());
				}
				break;
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
