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

package io.rdma.verbs;

/**
 * Names of the attributes of a queue pair that a call to modify it can carry
 * ({@code ibv_qp_attr_mask}).
 */
public enum QueuePairAttribute implements BitFlag {

	/** State to go to. */
	STATE(0),

	/** State that the caller believes the queue pair to be in. */
	CURRENT_STATE(1),

	/** Whether to raise SQ_DRAINED. */
	EN_SQD_ASYNC_NOTIFY(2),

	/** What the peer may do. */
	ACCESS_FLAGS(3),

	/** Index into the P_Key table. */
	PKEY_INDEX(4),

	/** Number of the local port. */
	PORT(5),

	/** Way to the peer. */
	ADDRESS_VECTOR(7),

	/** Largest packet payload. */
	PATH_MTU(8),

	/** Acknowledgement timeout. */
	TIMEOUT(9),

	/** Transport retries. */
	RETRY_COUNT(10),

	/** Receiver-not-ready retries. */
	RNR_RETRY(11),

	/** First PSN to expect. */
	RQ_PSN(12),

	/** READ and atomic requests outstanding as requester. */
	MAX_RD_ATOMIC(13),

	/** Alternative path. */
	ALTERNATE_PATH(14),

	/** Delay asked of the peer when no receive is posted. */
	MIN_RNR_TIMER(15),

	/** First PSN to send. */
	SQ_PSN(16),

	/** READ and atomic requests accepted as responder. */
	MAX_DEST_RD_ATOMIC(17),

	/** State of path migration. */
	PATH_MIGRATION_STATE(18),

	/** Queue sizes. */
	CAPABILITIES(19),

	/** QP number of the peer. */
	DEST_QP_NUMBER(20);

	private final int bit;

	QueuePairAttribute(int position) {
		this.bit = 1 << position;
	}

	@Override
	public int bit() {
		return this.bit;
	}

}
