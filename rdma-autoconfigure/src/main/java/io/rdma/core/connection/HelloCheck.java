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

import io.rdma.verbs.LinkLayer;

/**
 * Decides whether two sides fit together.
 */
final class HelloCheck {

	private static final String SOFT = "soft";

	private HelloCheck() {
	}

	static void check(Hello local, Hello remote) throws HandshakeException {
		if (local.identity().equals(remote.identity())) {
			throw new HandshakeException(RejectCode.IDENTITY, "both sides claim to be the " + local.identity(),
					"Two devices have the same GUID and GID: give each its own, and look for a program that sends "
							+ "back what it receives.");
		}
		checkReach(local, remote);
		if (local.linkLayer() != remote.linkLayer()) {
			throw different("link layer", local.linkLayer(), remote.linkLayer(),
					"Choose devices or ports of the same link layer on both sides (rdma.device.name, "
							+ "rdma.device.port).");
		}
		if (local.linkLayer() == LinkLayer.ETHERNET) {
			if (local.gidType() != remote.gidType()) {
				throw different("GID type", local.gidType().label(), remote.gidType().label(),
						"Choose GIDs of the same type on both sides (rdma.device.gid-index).");
			}
			if (local.gid().isIpv4() != remote.gid().isIpv4()) {
				throw different("address family of the GID", family(local), family(remote),
						"Choose GIDs of the same address family on both sides (rdma.device.gid-index).");
			}
		}
	}

	private static void checkReach(Hello local, Hello remote) throws HandshakeException {
		boolean soft = SOFT.equals(local.deviceKind()) || SOFT.equals(remote.deviceKind());
		if (soft && (!local.deviceKind().equals(remote.deviceKind())
				|| !local.host().processId().equals(remote.host().processId()))) {
			throw new HandshakeException(RejectCode.INCOMPATIBLE,
					"the software device of this version connects services of one process only; this side has the "
							+ describe(local) + ", the peer has the " + describe(remote),
					"Set rdma.provider=verbs on both sides to connect processes and machines, or run both services in "
							+ "one process.");
		}
	}

	private static String describe(Hello hello) {
		return hello.deviceKind() + " device " + hello.deviceName() + " in process " + hello.host().pid();
	}

	private static String family(Hello hello) {
		return hello.gid().isIpv4() ? "IPv4" : "IPv6";
	}

	private static HandshakeException different(String what, Object local, Object remote, String remedy) {
		return new HandshakeException(RejectCode.INCOMPATIBLE,
				"the " + what + " differs: " + local + " on this side, " + remote + " at the peer", remedy);
	}

}
