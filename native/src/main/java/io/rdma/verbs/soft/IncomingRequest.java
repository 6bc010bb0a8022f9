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

import io.rdma.verbs.WorkRequestOpcode;
import org.jspecify.annotations.Nullable;

/**
 * A whole request as a responder sees it. Not thread-safe.
 */
interface IncomingRequest {

	/** The opcode, {@code null} if its number means nothing. */
	@Nullable WorkRequestOpcode opcode();

	/** How many bytes the message has. */
	long length();

	/** The PSN of its first packet. */
	int psn();

	/** The PSN of the request after this one. */
	int nextPsn();

	/** The largest payload of a packet, as a power of two. */
	int mtuShift();

	long remoteAddress();

	int rdmaKey();

	int atomicKey();

	long compareAdd();

	long swap();

	/** The immediate data as it stands, in network order, or the rkey to invalidate. */
	int immediate();

	boolean isSolicited();

	/** The memory of the requester: where the message is, or where the answer goes. */
	SegmentList segments();

	/**
	 * Find the memory that the answer goes to.
	 * @return whether all of it may be written
	 */
	boolean findLanding();

	/**
	 * Put the value that an atomic operation found where the request says.
	 * @param found the value
	 * @return whether that memory may be written
	 */
	boolean land(long found);

}
