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
 * The outcome of a work request ({@code ibv_wc_status}). The names are those of
 * libibverbs without the prefix.
 */
public enum CompletionStatus {

	/** The operation succeeded. */
	SUCCESS("the operation succeeded"),

	/** Local length error. */
	LOC_LEN_ERR("the message did not fit the local buffer or exceeds the port's maximum message size"),

	/** Local queue pair operation error. */
	LOC_QP_OP_ERR("the local queue pair could not process the work request"),

	/** Local EE context operation error. */
	LOC_EEC_OP_ERR("the local end-to-end context could not process the work request"),

	/** Local protection error. */
	LOC_PROT_ERR("a local buffer is not registered for this access"),

	/** Work request flushed. */
	WR_FLUSH_ERR("the work request was flushed because its queue pair is in the ERR state"),

	/** Memory window bind error. */
	MW_BIND_ERR("the memory window could not be bound"),

	/** Bad response. */
	BAD_RESP_ERR("the peer answered with an unexpected packet"),

	/** Local access error. */
	LOC_ACCESS_ERR("a write with immediate data had no right to its local target"),

	/** Remote invalid request. */
	REM_INV_REQ_ERR("the peer's queue pair refused the request as invalid"),

	/** Remote access error. */
	REM_ACCESS_ERR("the peer refused the access: rkey, range or access rights do not fit"),

	/** Remote operation error. */
	REM_OP_ERR("the peer could not complete the operation"),

	/** Transport retry counter exceeded. */
	RETRY_EXC_ERR("the peer did not answer within the timeout and the retries"),

	/** RNR retry counter exceeded. */
	RNR_RETRY_EXC_ERR("the peer had no receive posted within the retries"),

	/** Local RDD violation. */
	LOC_RDD_VIOL_ERR("the reliable datagram domains do not match"),

	/** Remote invalid RD request. */
	REM_INV_RD_REQ_ERR("the peer refused a reliable datagram request as invalid"),

	/** Remote abort. */
	REM_ABORT_ERR("the peer aborted the operation"),

	/** Invalid EE context number. */
	INV_EECN_ERR("the end-to-end context number is invalid"),

	/** Invalid EE context state. */
	INV_EEC_STATE_ERR("the end-to-end context is in a state that does not allow the operation"),

	/** Fatal error. */
	FATAL_ERR("the device reported a fatal transport error"),

	/** Response timeout. */
	RESP_TIMEOUT_ERR("the response timed out"),

	/** General error. */
	GENERAL_ERR("the device reported a general error"),

	/** Tag matching error. */
	TM_ERR("a tag matching error"),

	/** Tag matching rendezvous incomplete. */
	TM_RNDV_INCOMPLETE("a tag matching rendezvous is incomplete");

	private static final CompletionStatus[] VALUES = values();

	private final String meaning;

	CompletionStatus(String meaning) {
		this.meaning = meaning;
	}

	/**
	 * Return the number of this status in {@code ibv_wc_status}.
	 * @return the number
	 */
	public int code() {
		return ordinal();
	}

	/**
	 * Return what the status means, as half a sentence for messages.
	 * @return the meaning
	 */
	public String meaning() {
		return this.meaning;
	}

	/**
	 * Return the status of a number. A number that this library does not know is a
	 * {@link #GENERAL_ERR}: a newer provider must not break the completion loop.
	 * @param code the number in {@code ibv_wc_status}
	 * @return the status
	 */
	public static CompletionStatus of(int code) {
		return (code >= 0 && code < VALUES.length) ? VALUES[code] : GENERAL_ERR;
	}

}
