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

package io.rdma.demo.message;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import io.rdma.core.RdmaOperations;
import io.rdma.demo.support.RemoteProperties;
import io.rdma.listener.RdmaListener;
import lombok.RequiredArgsConstructor;

import org.springframework.stereotype.Component;

/**
 * Sends messages to the peer, and keeps the newest of those that come from anybody. Safe
 * for use by several threads.
 */
@Component
@RequiredArgsConstructor
public class Messenger {

	private static final int KEPT = 100;

	private final RdmaOperations rdma;

	private final RemoteProperties remote;

	private final ReentrantLock lock = new ReentrantLock();

	private final Deque<ReceivedMessage> newest = new ArrayDeque<>();

	private long count;

	/**
	 * Send a message. Returning means that the peer has it, not that its listener ran.
	 * @param text its text
	 */
	public void send(String text) {
		this.rdma.convertAndSend(this.remote.peer(), text);
	}

	/**
	 * Send a message and wait until the listener of the peer has it, and with it all that
	 * were sent before.
	 * @param text its text
	 * @return how many messages the listener had since it was started
	 */
	public long ask(String text) {
		return Long.parseLong(this.rdma.convertSendAndReceive(this.remote.peer(), text, String.class));
	}

	@RdmaListener
	String receive(String text) {
		this.lock.lock();
		try {
			this.count++;
			this.newest.addFirst(new ReceivedMessage(this.count, Instant.now(), text));
			if (this.newest.size() > KEPT) {
				this.newest.removeLast();
			}
			return Long.toString(this.count);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return how many messages came since the start.
	 * @return the number
	 */
	public long receivedCount() {
		this.lock.lock();
		try {
			return this.count;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return the newest messages.
	 * @return up to 100, the newest first
	 */
	public List<ReceivedMessage> newest() {
		this.lock.lock();
		try {
			return List.copyOf(this.newest);
		}
		finally {
			this.lock.unlock();
		}
	}

}
