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
package io.rdma.verbs.soft.net;

import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.rdma.verbs.Gid;
import lombok.extern.slf4j.Slf4j;

/**
 * What a socket dropped and why: counted, and said once for each reason. Thread-safe.
 */
@Slf4j
final class LostPackets {

	/** A bound on what is kept and said, should reasons be many. */
	private static final int MAX_REASONS = 32;

	private final AtomicLong oversized = new AtomicLong();

	private final AtomicLong unsendable = new AtomicLong();

	private final Set<String> reasons = ConcurrentHashMap.newKeySet();

	long oversized() {
		return this.oversized.get();
	}

	void oversized(int packets) {
		this.oversized.addAndGet(packets);
	}

	long unsendable() {
		return this.unsendable.get();
	}

	/**
	 * Count a packet that could not be sent.
	 * @param batch the batch that it is in
	 * @param slot its slot
	 * @param from the address that it was to be sent from
	 * @param reason why
	 */
	void unsendable(PacketBatch batch, int slot, InetSocketAddress from, String reason) {
		this.unsendable.incrementAndGet();
		if (this.reasons.size() < MAX_REASONS && this.reasons.add(reason)) {
			logger.warn(
					"A packet of {} bytes from {} to {} port {} could not be sent: {}. It is lost, and so are others "
							+ "for this reason, which are only counted; check the address of the peer, the route to "
							+ "it, the firewall, and that the MTU of the network interface is at least the path MTU "
							+ "and 80",
					batch.length(slot), from,
					new Gid(batch.addressHigh(slot), batch.addressLow(slot)).toAddress().getHostAddress(),
					batch.port(slot), reason);
		}
	}

}
