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

package io.rdma.verbs.soft.shm;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the peer of a connection, by a byte through a socket, which also tells by its end
 * that the peer is gone. Thread-safe but for {@link #ring}.
 */
@Slf4j
final class Doorbell {

	/** A byte that says: look at the rings. */
	static final byte WORK = 1;

	/** A byte that says: look which files are done with. */
	static final byte FILES_DONE = 2;

	private volatile @Nullable SocketChannel socket;

	/**
	 * Make what is written to ring, for one thread at a time.
	 * @return the buffer
	 */
	static ByteBuffer newBell() {
		return ByteBuffer.allocateDirect(1).put(0, WORK);
	}

	void attach(SocketChannel channel) {
		this.socket = channel;
	}

	@Nullable SocketChannel socket() {
		return this.socket;
	}

	/**
	 * Wake the peer if it sleeps, after something was published.
	 * @param peer the ring of the peer
	 * @param bell what to write
	 */
	void ring(Ring peer, ByteBuffer bell) {
		// the peer says that it sleeps and then looks once more, so one of both sees it
		VarHandle.fullFence();
		if (peer.isArmed()) {
			peer.arm(false);
			send(bell.position(0));
		}
	}

	/**
	 * Tell the peer something, whether it sleeps or not.
	 * @param what the byte to send
	 */
	void send(byte what) {
		send(ByteBuffer.wrap(new byte[] { what }));
	}

	private void send(ByteBuffer what) {
		SocketChannel channel = this.socket;
		if (channel == null) {
			return;
		}
		try {
			// if there is no room the peer has bytes enough to be woken by
			channel.write(what);
		}
		catch (IOException ex) {
			// the thread that reads the socket is told too, and says what becomes of it
			logger.trace("The doorbell of a peer cannot be rung", ex);
		}
	}

}
