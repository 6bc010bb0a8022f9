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

package io.rdma.core.connection;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

import io.rdma.core.completion.RdmaThreads;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Gets credits for what is sent, from the word that the peer writes and from the headers
 * of its messages. Some are left to replies, so that these get through when other
 * messages wait at the peer. Thread-safe.
 */
@RequiredArgsConstructor
final class SendCredits {

	/** One part of the credits that only replies can take. */
	private static final int REPLY_SHARE = 8;

	private final ConnectionLife life;

	private final ControlBlock block;

	private final SendWaits waits;

	private final int depth;

	private final CreditAccount account;

	private final LongAdder stalls = new LongAdder();

	private volatile @Nullable Thread waiter;

	SendCredits(ConnectionLife life, ControlBlock block, SendWaits waits, int depth) {
		this(life, block, waits, depth, new CreditAccount(depth));
	}

	/**
	 * Return how many messages that are no replies can be sent.
	 * @return the number
	 */
	int available() {
		readWord();
		return Math.max(0, this.account.available() - this.depth / REPLY_SHARE);
	}

	long stalls() {
		return this.stalls.sum();
	}

	/**
	 * Return how many credits an operation can ever have at once.
	 * @param operation the operation
	 * @return the number
	 */
	int most(Operation operation) {
		return this.depth - reserve(operation);
	}

	private int reserve(Operation operation) {
		return operation.isReply() ? 0 : this.depth / REPLY_SHARE;
	}

	/**
	 * Take the credit of the first message, which is always there.
	 */
	void takeFirst() {
		if (!this.account.tryTake(1, 0)) {
			throw new IllegalStateException("The first message has no credit");
		}
	}

	boolean tryTake(Operation operation, int count) {
		int reserve = reserve(operation);
		if (this.account.tryTake(count, reserve)) {
			return true;
		}
		return readWord() && this.account.tryTake(count, reserve);
	}

	void giveBack(int count) {
		this.account.giveBack(count);
	}

	private boolean readWord() {
		if (this.life.state().isFinal()) {
			return false;
		}
		long word = this.block.word();
		return CreditWord.isValid(word) && this.account.grant(CreditWord.count(word));
	}

	/**
	 * Take a credit, waiting for it. A write of the peer into our memory wakes nobody:
	 * the word is looked at again and again.
	 * @param operation what it is for
	 * @param connection whose completion queues are polled meanwhile
	 */
	void await(Operation operation, RdmaConnection connection) {
		RdmaThreads.checkMayBlock();
		this.stalls.increment();
		this.waiter = Thread.currentThread();
		try {
			long park = SendWaits.MIN_PARK_NANOS;
			while (true) {
				connection.assist();
				if (tryTake(operation, 1)) {
					return;
				}
				long remaining = SendWaits.remaining(operation);
				if (remaining <= 0) {
					throw this.waits.doesNotConsume(operation, "the peer does not consume its messages: all "
							+ this.depth + " it can take are waiting there, so this one was not sent");
				}
				this.waits.pause(operation, Math.min(remaining, park));
				park = Math.min(2 * park, SendWaits.MAX_PARK_NANOS);
			}
		}
		finally {
			this.waiter = null;
		}
	}

	/**
	 * Take note of what the header of a message tells.
	 * @param posted how many receives the peer posted since the start
	 */
	void granted(int posted) {
		if (this.account.grant(posted)) {
			wake();
		}
	}

	void wake() {
		Thread waiting = this.waiter;
		if (waiting != null) {
			LockSupport.unpark(waiting);
		}
	}

}
