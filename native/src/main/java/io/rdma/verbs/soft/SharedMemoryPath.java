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
import java.nio.ByteOrder;

import io.rdma.verbs.PathKind;
import io.rdma.verbs.soft.shm.ConnectionUser;
import io.rdma.verbs.soft.shm.IncomingRequests;
import io.rdma.verbs.soft.shm.MemoryFaults;
import io.rdma.verbs.soft.shm.RingLayout;
import io.rdma.verbs.soft.shm.SharedConnection;
import io.rdma.verbs.soft.shm.SharedMemory;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * The way to a queue pair of another process by memory that both see. Each side carries
 * out the requests of the other on the thread that watches over shared memory, as if they
 * came from this process.
 */
@Slf4j
final class SharedMemoryPath implements RemotePath, ConnectionUser {

	/** How many requests are served before others have their turn. */
	private static final int BATCH = 64;

	private static final Answer[] ANSWERS = Answer.values();

	/** An answer beside the others: memory that the request names cannot be mapped. */
	static final int UNREACHABLE = ANSWERS.length;

	private final SoftQueuePair queuePair;

	private final SharedConnection connection;

	private final ByteBuffer taken = ByteBuffer.allocateDirect(RingLayout.REQUEST_SIZE).order(ByteOrder.nativeOrder());

	private final SharedRequest request;

	/** Set when the path is chosen. */
	private volatile @Nullable SharedMemorySender sender;

	/**
	 * Begin a connection.
	 * @param queuePair the queue pair at this end
	 * @param memory the memory to share
	 * @throws IOException if no memory can be shared
	 */
	@SuppressWarnings("this-escape") // to a thread that does nothing before the peer
										// answers
	SharedMemoryPath(SoftQueuePair queuePair, SharedMemory memory) throws IOException {
		this.queuePair = queuePair;
		this.connection = memory.newConnection(queuePair.number(), queuePair.capabilities().maxSendWorkRequests(),
				this);
		this.request = new SharedRequest(this.taken);
	}

	SharedConnection connection() {
		return this.connection;
	}

	@Override
	public PathKind kind() {
		return PathKind.SHARED_MEMORY;
	}

	@Override
	public boolean isReverseOf(Path other) {
		// what comes by a connection comes from its other end
		return other == this;
	}

	@Override
	public RemoteSender newSender(Requester requester) {
		SharedMemorySender created = new SharedMemorySender(requester, this.connection);
		this.sender = created;
		return created;
	}

	@Override
	public void close() {
		this.connection.close();
	}

	@Override
	public boolean work() {
		IncomingRequests incoming = this.connection.incoming();
		boolean served = incoming != null && serve(incoming);
		SharedMemorySender known = this.sender;
		boolean answered = known != null && this.connection.outgoing().hasAnswer() && known.takeAnswers();
		return served || answered;
	}

	private boolean serve(IncomingRequests incoming) {
		int count = 0;
		while (count < BATCH && incoming.take(this.taken)) {
			if (!this.connection.isSealed()) {
				MemoryFaults.settle();
			}
			count++;
			if (!this.request.read()) {
				logger.warn("Process {} sent a request over shared memory that makes no sense: it is given up",
						this.connection.peerProcess());
				this.connection.lose(false);
				return true;
			}
			if (this.request.findMemory(incoming, !this.connection.isSealed())) {
				Responder responder = this.queuePair.responder();
				Answer answer = responder.serve(this.request, this);
				this.request.release();
				incoming.answer(answer.ordinal(), responder.rnrTimer(), this.request.landed());
			}
			else {
				incoming.answer(UNREACHABLE, 0, 0);
			}
		}
		if (count > 0) {
			this.connection.ringForAnswers();
		}
		return count > 0;
	}

	/**
	 * Return what an answer says.
	 * @param code its number
	 * @return the answer, {@code null} if there is no such
	 */
	static @Nullable Answer answer(int code) {
		return (code >= 0 && code < ANSWERS.length) ? ANSWERS[code] : null;
	}

	@Override
	public void lost(boolean orderly) {
		SharedMemorySender known = this.sender;
		if (known != null) {
			known.peerLost();
		}
	}

}
