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

	/**
	 * Check that queue pairs of both sides can be connected.
	 * @param local what we said
	 * @param remote what the peer said
	 * @param sameMachine whether the peer is on this machine, with the same network
	 * @throws HandshakeException if they cannot
	 */
	static void check(Hello local, Hello remote, boolean sameMachine) throws HandshakeException {
		if (local.identity().equals(remote.identity())) {
			throw new HandshakeException(RejectCode.IDENTITY, "both sides claim to be the " + local.identity(),
					"Two devices have the same GUID and GID: give each its own, and look for a program that sends "
							+ "back what it receives.");
		}
		if (local.linkLayer() != remote.linkLayer()) {
			throw different("link layer", local.linkLayer(), remote.linkLayer(),
					"Choose devices or ports of the same link layer on both sides (rdma.device.name, "
							+ "rdma.device.port). The software device speaks RoCE v2, so it is Ethernet.");
		}
		if (local.linkLayer() == LinkLayer.ETHERNET) {
			if (local.gidType() != remote.gidType()) {
				throw different("GID type", local.gidType().label(), remote.gidType().label(),
						"Choose GIDs of the same type on both sides (rdma.device.gid-index). The software device "
								+ "speaks RoCE v2 only.");
			}
			if (local.gid().isIpv4() != remote.gid().isIpv4()) {
				throw different("address family of the GID", family(local), family(remote),
						"Choose GIDs of the same address family on both sides (rdma.device.gid-index, and "
								+ "rdma.soft.address for the software device).");
			}
			checkLoopback(local, remote, sameMachine);
		}
	}

	/**
	 * Check that an address which is the machine's own is not to be reached from outside.
	 * A card sends nothing to loopback, and takes nothing from there.
	 */
	private static void checkLoopback(Hello local, Hello remote, boolean sameMachine) throws HandshakeException {
		boolean localLoopback = isLoopback(local);
		boolean remoteLoopback = isLoopback(remote);
		boolean soft = isSoft(local) && isSoft(remote);
		boolean reachable = sameMachine && (soft || localLoopback == remoteLoopback);
		if ((isSoft(local) || isSoft(remote)) && (localLoopback || remoteLoopback) && !reachable) {
			throw new HandshakeException(RejectCode.INCOMPATIBLE,
					"a loopback address cannot be reached from another machine, container or card: this side has the "
							+ describe(local) + ", the peer has the " + describe(remote),
					"Set rdma.soft.address to the address of a network interface that the other side can reach, on "
							+ (localLoopback ? "this side" : "the side of the peer")
							+ ((localLoopback && remoteLoopback) ? " and on that of the peer." : "."));
		}
	}

	private static boolean isLoopback(Hello hello) {
		return hello.gid().toAddress().isLoopbackAddress();
	}

	private static boolean isSoft(Hello hello) {
		return SOFT.equals(hello.deviceKind());
	}

	private static String describe(Hello hello) {
		return hello.deviceKind() + " device " + hello.deviceName() + " with the address "
				+ hello.gid().toAddress().getHostAddress();
	}

	private static String family(Hello hello) {
		return hello.gid().isIpv4() ? "IPv4" : "IPv6";
	}

	private static HandshakeException different(String what, Object local, Object remote, String remedy) {
		return new HandshakeException(RejectCode.INCOMPATIBLE,
				"the " + what + " differs: " + local + " on this side, " + remote + " at the peer", remedy);
	}

}
