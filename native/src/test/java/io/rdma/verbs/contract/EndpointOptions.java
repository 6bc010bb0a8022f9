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

import java.util.EnumSet;
import java.util.Set;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.PathMtu;
import lombok.With;

/**
 * What an {@link Endpoint} is made with.
 *
 * @param sendDepth how many sends are asked for
 * @param receiveDepth how many receives are asked for
 * @param scatterGather how many entries a work request can have
 * @param inlineData how many inline bytes are asked for
 * @param completionDepth the depth asked for both completion queues
 * @param signalAll whether every send is signaled
 * @param sharedReceives the depth of a shared receive queue, 0 for none
 * @param memory the length of the memory region
 * @param memoryAccess the rights of the memory region
 * @param queuePairAccess what peers may do
 * @param pathMtu the path MTU, cut to the active one
 * @param timeout the code of the acknowledgement timeout
 * @param retryCount the transport retries
 * @param rnrRetry the receiver-not-ready retries
 * @param minRnrTimer the code of the receiver-not-ready delay
 * @param maxRdAtomic READ and atomic operations at once
 * @param firstPsn the first PSN to send
 */
@With
public record EndpointOptions(int sendDepth, int receiveDepth, int scatterGather, int inlineData, int completionDepth,
		boolean signalAll, int sharedReceives, long memory, Set<AccessFlag> memoryAccess,
		Set<AccessFlag> queuePairAccess, PathMtu pathMtu, int timeout, int retryCount, int rnrRetry, int minRnrTimer,
		int maxRdAtomic, int firstPsn) {

	/** All rights that a peer can have. */
	static final Set<AccessFlag> REMOTE = Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ,
			AccessFlag.REMOTE_ATOMIC);

	/** All rights but binding of memory windows. */
	static final Set<AccessFlag> ALL = Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ,
			AccessFlag.REMOTE_ATOMIC);

	/**
	 * Return the usual options: depths of 16, everything allowed, a timeout of 67 ms with
	 * 3 retries and no patience with a receiver that is not ready.
	 * @return the options
	 */
	public static EndpointOptions defaults() {
		return new EndpointOptions(16, 16, 4, 64, 64, false, 0, 65536, ALL, REMOTE, PathMtu.MTU_1024, 14, 3, 0, 1, 4,
				100);
	}

	EndpointOptions withoutMemoryAccess(AccessFlag flag) {
		return withMemoryAccess(without(this.memoryAccess, flag));
	}

	EndpointOptions withoutQueuePairAccess(AccessFlag flag) {
		return withQueuePairAccess(without(this.queuePairAccess, flag));
	}

	private static Set<AccessFlag> without(Set<AccessFlag> flags, AccessFlag flag) {
		Set<AccessFlag> copy = EnumSet.copyOf(flags);
		copy.remove(flag);
		return copy;
	}

}
