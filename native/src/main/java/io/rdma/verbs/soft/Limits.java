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

import io.rdma.verbs.Errno;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.VerbsException;

/**
 * Limits of the software device, and what it grants of what is asked for. Both are those
 * of the kernel's Soft-RoCE.
 */
final class Limits {

	static final int MAX_WORK_REQUESTS = 1 << 20;

	static final int MAX_SCATTER_GATHER = 32;

	static final int MAX_SRQ_SCATTER_GATHER = 27;

	static final int MAX_COMPLETIONS = 32767;

	static final int MAX_INLINE = 512;

	static final int MAX_READ_ATOMIC = 128;

	static final int MAX_RESOURCES = 1 << 20;

	static final long MAX_REGION = 1L << 40;

	/** With the smallest MTU this takes half of the PSNs there are. */
	static final long MAX_MESSAGE = 1L << 31;

	/** A scatter/gather entry in a send queue takes as much room as this inline data. */
	private static final int INLINE_PER_ENTRY = 16;

	private Limits() {
	}

	/**
	 * Return the depth granted: a ring of a power of two with one slot left free.
	 * @param asked the depth asked for
	 * @return the depth, at least what was asked for
	 */
	static int depth(int asked) {
		return (asked == 0) ? 0 : (Integer.highestOneBit(asked) << 1) - 1;
	}

	static QueuePairCapabilities grant(QueuePairCapabilities asked, boolean sharedReceive) {
		int receives = sharedReceive ? 0 : asked.maxReceiveWorkRequests();
		int receiveEntries = sharedReceive ? 0 : asked.maxReceiveScatterGather();
		check("send work requests", asked.maxSendWorkRequests(), MAX_WORK_REQUESTS);
		check("receive work requests", receives, MAX_WORK_REQUESTS);
		check("scatter/gather entries of a send", asked.maxSendScatterGather(), MAX_SCATTER_GATHER);
		check("scatter/gather entries of a receive", receiveEntries, MAX_SCATTER_GATHER);
		check("bytes of inline data", asked.maxInlineData(), MAX_INLINE);
		int inline = Math.max(asked.maxInlineData(), asked.maxSendScatterGather() * INLINE_PER_ENTRY);
		return new QueuePairCapabilities(depth(asked.maxSendWorkRequests()), depth(receives), inline / INLINE_PER_ENTRY,
				receiveEntries, inline);
	}

	private static void check(String what, int asked, int max) {
		if (asked < 0 || asked > max) {
			throw new VerbsException("ibv_create_qp", Errno.EINVAL,
					"A queue pair can have 0 to " + max + " " + what + ", but " + asked + " were asked for");
		}
	}

	/**
	 * Return what to throw when the memory outside the heap is used up.
	 * @param verb the name of the C function
	 * @param what what was to be made
	 * @param cause what was thrown
	 * @return the exception
	 */
	static VerbsException outOfMemory(String verb, String what, OutOfMemoryError cause) {
		VerbsException exception = new VerbsException(verb, Errno.ENOMEM,
				what + " finds no memory; raise -XX:MaxDirectMemorySize or ask for less");
		exception.initCause(cause);
		return exception;
	}

}
