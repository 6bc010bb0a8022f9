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

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A reliable connected queue pair ({@code struct ibv_qp}). Thread-safe: several threads
 * may post, modify and close.
 */
public interface QueuePair extends AutoCloseable {

	/**
	 * Return the number that names it on its device. It names nothing on its own: a
	 * remote queue pair is device, GID or LID, and number.
	 * @return the number, 24 bits
	 */
	int number();

	/**
	 * Return the protection domain it belongs to.
	 * @return the protection domain
	 */
	ProtectionDomain protectionDomain();

	/**
	 * Return what was granted.
	 * @return the sizes
	 */
	QueuePairCapabilities capabilities();

	/**
	 * Return the queue it shares receives with.
	 * @return the shared receive queue or {@code null}
	 */
	@Nullable SharedReceiveQueue sharedReceiveQueue();

	/**
	 * Ask the device for the state, which it can change by itself.
	 * @return the state
	 */
	QueuePairState state();

	/**
	 * Ask the device for all attributes ({@code ibv_query_qp}).
	 * @return the attributes that are set so far, with the state and the sizes
	 */
	QueuePairAttributes query();

	/**
	 * Change attributes, the state among them ({@code ibv_modify_qp}). Checked against
	 * {@link QueuePairTransition} before the device is asked. When this returns from a
	 * change to ERR or RESET, nothing of this queue pair touches memory any more.
	 * @param attributes what to change
	 * @throws VerbsException with {@link Errno#EINVAL} if the transition is illegal, an
	 * attribute is missing, surplus or out of range; nothing is changed then
	 */
	void modify(QueuePairAttributes attributes);

	/**
	 * Post sends ({@code ibv_post_send}).
	 * @param requests the chain
	 * @throws WorkRequestException if one is refused; those before it are posted. Refused
	 * are all in the states RESET, INIT and RTR
	 */
	void postSend(SendWorkRequests requests);

	/**
	 * Post receives ({@code ibv_post_recv}).
	 * @param requests the chain
	 * @throws WorkRequestException if one is refused; those before it are posted. Refused
	 * are all in the state RESET, and all on a queue pair with a shared receive queue
	 */
	void postReceive(ReceiveWorkRequests requests);

	/**
	 * Bind a memory window to a part of a region (a send work request of opcode
	 * {@code IBV_WR_BIND_MW}). The window has a new rkey when this returns; peers can use
	 * it once the request completes.
	 * @param wrId the caller's context
	 * @param window the window
	 * @param region the region, with {@link AccessFlag#MEMORY_WINDOW_BIND}
	 * @param offset where in the region
	 * @param length how many bytes
	 * @param access what peers may do, remote rights only
	 * @param signaled whether to report success
	 * @throws IndexOutOfBoundsException if that is not within the region
	 * @throws VerbsException if the request is refused
	 */
	void postBind(long wrId, MemoryWindow window, MemoryRegion region, long offset, long length, Set<AccessFlag> access,
			boolean signaled);

	/**
	 * Return what a peer needs to know, beyond GID and number, to reach this queue pair
	 * in the best way. Hand it to {@link #answerPathOffer} of the peer.
	 * @return an opaque text of at most 1024 bytes, empty where nothing is needed
	 */
	default byte[] pathOffer() {
		return new byte[0];
	}

	/**
	 * Return why a peer that made an offer cannot be reached from here. Changes nothing.
	 * @param peerOffer what {@link #pathOffer} of the peer returned
	 * @return the reason, without a full stop, {@code null} if nothing speaks against it
	 */
	default @Nullable String pathObstacle(byte[] peerOffer) {
		return null;
	}

	/**
	 * Look at the offer of a peer. May map memory of the peer.
	 * @param peerOffer what {@link #pathOffer} of the peer returned
	 * @return at most 1024 bytes that prove to the peer that this side can take up its
	 * offer, empty if it cannot or need not
	 */
	default byte[] answerPathOffer(byte[] peerOffer) {
		return new byte[0];
	}

	/**
	 * Choose the path to the peer, before the change to RTR. Both sides have to do so
	 * with what the other one gave, or neither. Without it a queue pair reaches what its
	 * address vector says in the standard way.
	 * @param peerOffer what {@link #pathOffer} of the peer returned
	 * @param peerAnswer what {@link #answerPathOffer} of the peer returned for the offer
	 * of this queue pair
	 */
	default void usePath(byte[] peerOffer, byte[] peerAnswer) {
	}

	/**
	 * Return how messages get to the peer.
	 * @return the kind, {@code null} if that is not known before a peer is
	 */
	default @Nullable PathKind pathKind() {
		return PathKind.DEVICE;
	}

	/**
	 * Return whether the queue pair is open.
	 * @return whether it can be used
	 */
	boolean isOpen();

	/**
	 * Destroy the queue pair ({@code ibv_destroy_qp}). What is posted vanishes with no
	 * completion: go to ERR and poll until all is flushed first.
	 */
	@Override
	void close();

}
