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

package io.rdma.core;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

import io.rdma.core.connection.InboundMessage;
import io.rdma.core.connection.Inbox;
import io.rdma.core.exception.RdmaException;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for messages of one peer, first come first served.
 */
@RequiredArgsConstructor
final class ReceiverQueue {

	private final ReentrantLock lock = new ReentrantLock();

	private final Queue<MessageReceiver<?>> waiting = new ArrayDeque<>();

	/**
	 * Messages whose receiver ended in the moment that it got them.
	 */
	private final Queue<InboundMessage> returned = new ArrayDeque<>();

	private final Inbox inbox;

	void add(MessageReceiver<?> receiver) {
		this.lock.lock();
		try {
			this.waiting.add(receiver);
		}
		finally {
			this.lock.unlock();
		}
		serve();
	}

	void serve() {
		this.lock.lock();
		try {
			this.waiting.removeIf(MessageReceiver::isDone);
			while (!this.waiting.isEmpty()) {
				InboundMessage message = poll();
				if (message == null) {
					return;
				}
				if (!deliver(message)) {
					this.returned.add(message);
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean deliver(InboundMessage message) {
		MessageReceiver<?> receiver = this.waiting.poll();
		while (receiver != null) {
			if (receiver.accept(RdmaMessage.of(message))) {
				return true;
			}
			receiver = this.waiting.poll();
		}
		return false;
	}

	/**
	 * Take the next message. Never waits.
	 * @return the message, {@code null} if there is none
	 */
	@Nullable InboundMessage poll() {
		this.lock.lock();
		try {
			InboundMessage message = this.returned.poll();
			return (message != null) ? message : this.inbox.poll();
		}
		finally {
			this.lock.unlock();
		}
	}

	void failAll(RdmaException exception) {
		this.lock.lock();
		try {
			this.waiting.forEach((receiver) -> receiver.fail(exception));
			this.waiting.clear();
		}
		finally {
			this.lock.unlock();
		}
	}

}
