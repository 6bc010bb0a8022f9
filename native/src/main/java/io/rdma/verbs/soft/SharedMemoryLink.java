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

import io.rdma.verbs.PathKind;
import io.rdma.verbs.soft.shm.SharedMemory;
import io.rdma.verbs.soft.shm.SharedMemoryOffer;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * What a queue pair has of shared memory: nothing, or one end of a connection that was
 * offered to a peer and may become its path. Thread-safe.
 */
@Slf4j
@RequiredArgsConstructor
final class SharedMemoryLink {

	private static final byte[] NOTHING = new byte[0];

	private final SoftQueuePair queuePair;

	private @Nullable SharedMemoryPath path;

	/** Whether the peer proved that it sees our memory. */
	private boolean proven;

	private boolean hopeless;

	/**
	 * Return what a peer needs to reach the queue pair by shared memory.
	 * @return the offer, {@code null} if it cannot be reached so
	 */
	synchronized @Nullable SharedMemoryOffer offer() {
		SharedMemoryPath known = path();
		return (known != null) ? known.connection().offer() : null;
	}

	private @Nullable SharedMemoryPath path() {
		SharedMemory memory = this.queuePair.context().sharedMemory();
		if (this.path == null && !this.hopeless && memory != null
				&& this.queuePair.context().options().allows(PathKind.SHARED_MEMORY)) {
			try {
				this.path = new SharedMemoryPath(this.queuePair, memory);
			}
			catch (IOException ex) {
				this.hopeless = true;
				logger.debug("Queue pair {} cannot be reached by shared memory", this.queuePair.number(), ex);
			}
		}
		return this.path;
	}

	/**
	 * Look at the offer of a peer.
	 * @param peer the offer
	 * @return what proves to it that its memory is seen here, empty if it is not
	 */
	synchronized byte[] answer(SharedMemoryOffer peer) {
		SharedMemoryPath known = path();
		return (known != null) ? known.connection().answer(peer) : NOTHING;
	}

	/**
	 * Take over what a peer answered. What was offered is let go if it is of no use.
	 * @param peer its offer
	 * @param peerAnswer its answer
	 */
	void use(@Nullable SharedMemoryOffer peer, byte[] peerAnswer) {
		SharedMemoryPath useless = null;
		synchronized (this) {
			SharedMemoryPath known = this.path;
			this.proven = known != null && peer != null && known.connection().isProvenBy(peer, peerAnswer);
			if (!this.proven) {
				useless = known;
				this.path = null;
				this.hopeless = true;
			}
		}
		if (useless != null) {
			useless.close();
		}
	}

	/**
	 * Return the path to a peer.
	 * @param peer its number
	 * @return the path, {@code null} if it is not reached by shared memory
	 */
	synchronized @Nullable SharedMemoryPath pathTo(int peer) {
		SharedMemoryPath known = this.path;
		return (known != null && this.proven && known.connection().peerEndpoint() == peer) ? known : null;
	}

	/**
	 * Forget the peer.
	 */
	void reset() {
		SharedMemoryPath last;
		synchronized (this) {
			last = this.path;
			this.path = null;
			this.proven = false;
			this.hopeless = false;
		}
		if (last != null) {
			last.close();
		}
	}

}
