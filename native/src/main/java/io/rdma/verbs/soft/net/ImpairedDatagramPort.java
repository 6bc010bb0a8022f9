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
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.rdma.verbs.soft.net.RandomImpairment.Fate;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * A port that impairs what it sends. Packets that nothing happens to go straight from the
 * batch to the socket, in runs.
 */
@Slf4j
@RequiredArgsConstructor
final class ImpairedDatagramPort implements DatagramPort {

	private static final int MAX_OVERTAKING = 8;

	private static final long LONGEST_HOLD_MILLIS = 3;

	private static final Executor later = CompletableFuture.delayedExecutor(LONGEST_HOLD_MILLIS, TimeUnit.MILLISECONDS,
			Runnable::run);

	private final DatagramPort port;

	private final RandomImpairment impairment;

	private final SplittableRandom random;

	/** A packet that is sent in another form. */
	private @Nullable PacketBatch copy;

	/** The packet that is held back, {@code null} if there is none. */
	private @Nullable PacketBatch held;

	private int stillToOvertake;

	@Override
	public InetSocketAddress localAddress() {
		return this.port.localAddress();
	}

	@Override
	public boolean isExact() {
		return this.port.isExact();
	}

	@Override
	public int receive(PacketBatch batch, long timeoutNanos) throws IOException {
		return this.port.receive(batch, timeoutNanos);
	}

	@Override
	public synchronized int send(PacketBatch batch, int from, int to) throws IOException {
		Objects.checkFromToIndex(from, to, batch.slots());
		int next = from;
		while (next < to) {
			int end = next;
			Fate fate = Fate.SENT;
			while (end < to && fate == Fate.SENT) {
				fate = this.impairment.next(this.random);
				end += (fate == Fate.SENT) ? 1 : 0;
			}
			next += sendRun(batch, next, end);
			if (next < end || (end < to && !sendImpaired(batch, end, fate))) {
				break;
			}
			next += (end < to) ? 1 : 0;
		}
		return next - from;
	}

	private int sendRun(PacketBatch batch, int from, int to) throws IOException {
		int next = from;
		while (next < to && this.held != null) {
			int end = Math.min(to, next + this.stillToOvertake);
			int sent = this.port.send(batch, next, end);
			next += sent;
			this.stillToOvertake -= sent;
			if (next < end || (this.stillToOvertake == 0 && !release(this.held))) {
				return next - from;
			}
		}
		return (next < to) ? next - from + this.port.send(batch, next, to) : next - from;
	}

	/**
	 * Do to a packet what is its fate.
	 * @return whether it was taken
	 */
	private boolean sendImpaired(PacketBatch batch, int slot, Fate fate) throws IOException {
		return switch (fate) {
			case LOST -> true;
			case DOUBLED -> sendTwice(batch, slot);
			case OVERTAKEN -> (this.held != null) ? sendOne(batch, slot) : holdBack(batch, slot);
			case CORRUPTED -> sendCorrupted(batch, slot);
			case SENT -> sendOne(batch, slot);
		};
	}

	private boolean sendOne(PacketBatch batch, int slot) throws IOException {
		return sendRun(batch, slot, slot + 1) == 1;
	}

	private boolean sendTwice(PacketBatch batch, int slot) throws IOException {
		boolean taken = sendOne(batch, slot);
		if (taken) {
			this.port.send(batch, slot, slot + 1);
		}
		return taken;
	}

	private boolean sendCorrupted(PacketBatch batch, int slot) throws IOException {
		PacketBatch changed = this.copy;
		if (changed == null || changed.slotSize() < batch.length(slot)) {
			changed = new PacketBatch(1, batch.slotSize());
			this.copy = changed;
		}
		changed.copy(0, batch, slot);
		if (changed.length(0) > 0) {
			int at = this.random.nextInt(changed.length(0));
			changed.memory().put(at, (byte) (changed.memory().get(at) ^ 1 << this.random.nextInt(Byte.SIZE)));
		}
		return sendOne(changed, 0);
	}

	private boolean holdBack(PacketBatch batch, int slot) {
		PacketBatch packet = new PacketBatch(1, Math.max(1, batch.length(slot)));
		packet.copy(0, batch, slot);
		this.held = packet;
		this.stillToOvertake = 1 + this.random.nextInt(MAX_OVERTAKING);
		releaseLater(packet);
		return true;
	}

	private boolean release(PacketBatch packet) throws IOException {
		if (this.port.send(packet, 0, 1) == 0) {
			// no room now: the next one tries again, or the time
			this.stillToOvertake = 1;
			return false;
		}
		this.held = null;
		return true;
	}

	private void releaseLater(PacketBatch packet) {
		later.execute(() -> releaseAfterTime(packet));
	}

	private synchronized void releaseAfterTime(PacketBatch packet) {
		if (this.held != packet) {
			return;
		}
		try {
			if (!release(packet)) {
				releaseLater(packet);
			}
		}
		catch (IOException ex) {
			this.held = null;
			logger.debug("A packet that was held back is lost with its socket {}", this.port, ex);
		}
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
	public long oversized() {
		return this.port.oversized();
	}

	@Override
	public long unsendable() {
		return this.port.unsendable();
	}

	@Override
	public void close() {
		this.port.close();
	}

	@Override
	public String toString() {
		return "impaired " + this.port;
	}

}
