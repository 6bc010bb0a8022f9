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
import java.nio.ByteBuffer;
import java.util.Objects;

import io.rdma.verbs.jni.LinuxError;
import io.rdma.verbs.jni.NativeSocket;
import io.rdma.verbs.jni.SystemCallException;

/**
 * A port on a socket of the native library. Nothing is allocated for a packet.
 */
final class NativeDatagramPort implements DatagramPort {

	private final NativeSocket socket;

	private final Sender sender;

	private final LostPackets lost = new LostPackets();

	private NativeDatagramPort(NativeSocket socket) {
		this(socket, socket::send);
	}

	NativeDatagramPort(NativeSocket socket, Sender sender) {
		this.socket = socket;
		this.sender = sender;
	}

	static NativeDatagramPort open(InetSocketAddress address) throws IOException {
		try {
			return new NativeDatagramPort(NativeSocket.open(address, DatagramPorts.BUFFER_SIZE));
		}
		catch (SystemCallException ex) {
			throw BindFailure.of(address, ex);
		}
	}

	@Override
	public InetSocketAddress localAddress() {
		return this.socket.localAddress();
	}

	@Override
	public boolean isExact() {
		return this.socket.isExact();
	}

	@Override
	public int receive(PacketBatch batch, long timeoutNanos) throws IOException {
		int received = this.socket.receive(batch.block(), batch.slots(), batch.slotSize(), timeoutNanos);
		int kept = batch.removeOversized(received);
		if (kept < received) {
			this.lost.oversized(received - kept);
		}
		return kept;
	}

	@Override
	public int send(PacketBatch batch, int from, int to) throws IOException {
		Objects.checkFromToIndex(from, to, batch.slots());
		boolean retried = false;
		int next = from;
		while (next < to) {
			int sent = this.sender.send(batch.block(), batch.slots(), batch.slotSize(), next, to);
			if (sent > 0) {
				next += sent;
				retried = false;
			}
			else if (sent == 0 || sent == -LinuxError.EAGAIN) {
				break;
			}
			else if (!retried) {
				// it may be of a packet before, in which case it is told only once
				retried = true;
			}
			else {
				this.lost.unsendable(batch, next, localAddress(), LinuxError.describe(-sent));
				next++;
				retried = false;
			}
		}
		return next - from;
	}

	@Override
	public boolean awaitWritable(long timeoutNanos) throws IOException {
		return this.socket.awaitWritable(timeoutNanos);
	}

	@Override
	public void wakeUp() {
		this.socket.wakeUp();
	}

	@Override
	public long oversized() {
		return this.lost.oversized();
	}

	@Override
	public long unsendable() {
		return this.lost.unsendable();
	}

	@Override
	public void close() {
		this.socket.close();
	}

	@Override
	public String toString() {
		return "native " + this.socket;
	}

	/**
	 * {@link NativeSocket#send}.
	 */
	@FunctionalInterface
	interface Sender {

		int send(ByteBuffer block, int slots, int slotSize, int from, int to) throws IOException;

	}

}
