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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The sender's side of flow control: how many messages were sent, and how many the peer
 * has posted receives for. Both are counted from the start modulo 2^32, so that it does
 * not matter if one word from the peer is missed or comes twice. Thread-safe.
 */
final class CreditAccount {

	private static final VarHandle TAKEN;

	private static final VarHandle GRANTED;

	static {
		try {
			TAKEN = MethodHandles.lookup().findVarHandle(CreditAccount.class, "taken", int.class);
			GRANTED = MethodHandles.lookup().findVarHandle(CreditAccount.class, "granted", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final int depth;

	private volatile int taken;

	private volatile int granted;

	/**
	 * Create an account with no credit.
	 * @param depth how many receives the peer has
	 */
	CreditAccount(int depth) {
		this.depth = depth;
	}

	/**
	 * Take credits if there are enough.
	 * @param count how many
	 * @param reserve how many must be left
	 * @return whether they were taken
	 */
	boolean tryTake(int count, int reserve) {
		while (true) {
			int current = this.taken;
			if (this.granted - current < count + reserve) {
				return false;
			}
			if (TAKEN.compareAndSet(this, current, current + count)) {
				return true;
			}
		}
	}

	/**
	 * Give back credits that were taken for messages that were not posted.
	 * @param count how many
	 */
	void giveBack(int count) {
		TAKEN.getAndAdd(this, -count);
	}

	/**
	 * Take note of how many receives the peer has posted since the start.
	 * @param count the number; one that is older than what is known, or cannot be, is
	 * ignored
	 * @return whether there are more credits now
	 */
	boolean grant(int count) {
		while (true) {
			int known = this.granted;
			int more = count - known;
			if (more <= 0 || more > this.depth) {
				return false;
			}
			if (GRANTED.compareAndSet(this, known, count)) {
				return true;
			}
		}
	}

	/**
	 * Return how many messages can be sent.
	 * @return the number, not negative
	 */
	int available() {
		return Math.max(0, this.granted - this.taken);
	}

	/**
	 * Return how many messages were sent since the start.
	 * @return the number, modulo 2^32
	 */
	int taken() {
		return this.taken;
	}

}
