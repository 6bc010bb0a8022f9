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

package io.rdma.verbs.contract;

import java.util.function.Consumer;

import io.rdma.verbs.SendWorkRequest;

/**
 * Two endpoints that are connected to each other. The requester sends, the responder
 * receives and offers its memory.
 *
 * @param requester the endpoint that sends
 * @param responder the endpoint that answers
 */
public record ConnectedPair(Endpoint requester, Endpoint responder) {

	/**
	 * Connect two endpoints.
	 * @param requester the endpoint that sends
	 * @param responder the endpoint that answers
	 * @return the pair
	 */
	public static ConnectedPair of(Endpoint requester, Endpoint responder) {
		requester.connectTo(responder);
		responder.connectTo(requester);
		return new ConnectedPair(requester, responder);
	}

	/**
	 * Return the pair in the other direction.
	 * @return a pair of the same endpoints
	 */
	public ConnectedPair reversed() {
		Endpoint from = this.responder;
		Endpoint to = this.requester;
		return new ConnectedPair(from, to);
	}

	/**
	 * Return an address in the memory of the responder.
	 * @param offset the offset in its region; may be outside
	 * @return the address
	 */
	public long remote(long offset) {
		return this.responder.memory().address() + offset;
	}

	/**
	 * Return the key of the memory of the responder.
	 * @return the rkey
	 */
	public int rkey() {
		return this.responder.memory().rkey();
	}

	/**
	 * Describe a signaled SEND of the first bytes of the requester's memory.
	 * @param wrId the context of the work request
	 * @param length how many bytes
	 * @return what fills the work request
	 */
	public Consumer<SendWorkRequest> send(long wrId, int length) {
		return (wr) -> wr.wrId(wrId).send().addSge(this.requester.memory(), 0, length).signaled();
	}

	/**
	 * Describe a signaled WRITE of the first bytes of the requester's memory.
	 * @param wrId the context of the work request
	 * @param offset where to in the memory of the responder
	 * @param length how many bytes
	 * @return what fills the work request
	 */
	public Consumer<SendWorkRequest> write(long wrId, long offset, int length) {
		return write(wrId, offset, length, rkey());
	}

	/**
	 * Describe a signaled WRITE of the first bytes of the requester's memory.
	 * @param wrId the context of the work request
	 * @param offset where to in the memory of the responder
	 * @param length how many bytes
	 * @param rkey the key to use
	 * @return what fills the work request
	 */
	public Consumer<SendWorkRequest> write(long wrId, long offset, int length, int rkey) {
		return (wr) -> wr.wrId(wrId)
			.rdmaWrite(remote(offset), rkey)
			.addSge(this.requester.memory(), 0, length)
			.signaled();
	}

	/**
	 * Describe a signaled READ to the start of the requester's memory.
	 * @param wrId the context of the work request
	 * @param offset where from in the memory of the responder
	 * @param length how many bytes
	 * @return what fills the work request
	 */
	public Consumer<SendWorkRequest> read(long wrId, long offset, int length) {
		return read(wrId, offset, length, rkey());
	}

	/**
	 * Describe a signaled READ to the start of the requester's memory.
	 * @param wrId the context of the work request
	 * @param offset where from in the memory of the responder
	 * @param length how many bytes
	 * @param rkey the key to use
	 * @return what fills the work request
	 */
	public Consumer<SendWorkRequest> read(long wrId, long offset, int length, int rkey) {
		return (wr) -> wr.wrId(wrId)
			.rdmaRead(remote(offset), rkey)
			.addSge(this.requester.memory(), 0, length)
			.signaled();
	}

	/**
	 * Describe a signaled fetch and add whose old value goes to the start of the
	 * requester's memory.
	 * @param wrId the context of the work request
	 * @param offset where in the memory of the responder
	 * @param delta what is added
	 * @return what fills the work request
	 */
	public Consumer<SendWorkRequest> fetchAndAdd(long wrId, long offset, long delta) {
		return fetchAndAdd(wrId, offset, delta, rkey());
	}

	/**
	 * Describe a signaled fetch and add whose old value goes to the start of the
	 * requester's memory.
	 * @param wrId the context of the work request
	 * @param offset where in the memory of the responder
	 * @param delta what is added
	 * @param rkey the key to use
	 * @return what fills the work request
	 */
	public Consumer<SendWorkRequest> fetchAndAdd(long wrId, long offset, long delta, int rkey) {
		return (wr) -> wr.wrId(wrId)
			.fetchAndAdd(remote(offset), rkey, delta)
			.addSge(this.requester.memory(), 0, Long.BYTES)
			.signaled();
	}

	/**
	 * Describe a signaled compare and swap whose old value goes to the start of the
	 * requester's memory.
	 * @param wrId the context of the work request
	 * @param offset where in the memory of the responder
	 * @param expected what must be found
	 * @param newValue what takes its place
	 * @return what fills the work request
	 */
	public Consumer<SendWorkRequest> compareAndSwap(long wrId, long offset, long expected, long newValue) {
		return (wr) -> wr.wrId(wrId)
			.compareAndSwap(remote(offset), rkey(), expected, newValue)
			.addSge(this.requester.memory(), 0, Long.BYTES)
			.signaled();
	}

}
