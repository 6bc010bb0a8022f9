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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Looks for the device, port and GID to use: the first device that fits the criteria, can
 * be opened, has an ACTIVE port with a usable address, and may pin enough memory. Of the
 * GIDs it takes the one with the address that was asked for, else RoCE version 2 before
 * version 1, IPv4 before IPv6, and the lowest index. Link-local GIDs, which reach no
 * other subnet, are used only if their index is given. A network interface that is asked
 * for may be one of several of a device, such as a VLAN: then only its GIDs count.
 * Thread-safe.
 */
public final class DeviceSelector {

	private static final Comparator<GidEntry> PREFERENCE = Comparator
		.comparing((GidEntry entry) -> entry.type() != GidType.ROCE_V2)
		.thenComparing((entry) -> !entry.gid().isIpv4())
		.thenComparing(GidEntry::index);

	private final VerbsProvider provider;

	private final LongSupplier lockableMemory;

	/**
	 * Create a selector.
	 * @param provider where the devices are
	 * @param lockableMemory tells how many bytes the process may still pin
	 */
	public DeviceSelector(VerbsProvider provider, LongSupplier lockableMemory) {
		this.provider = provider;
		this.lockableMemory = lockableMemory;
	}

	/**
	 * Look for the device. Each is opened for a moment.
	 * @param criteria what it must be
	 * @return the outcome; having found none is one, not an exception
	 */
	public DeviceSelection select(DeviceCriteria criteria) {
		List<DeviceCandidate> candidates = new ArrayList<>();
		DeviceCandidate chosen = null;
		for (DeviceInfo device : this.provider.devices()) {
			DeviceCandidate candidate = lookAt(device, criteria);
			candidates.add(candidate);
			if (chosen == null && candidate.isUsable()) {
				chosen = candidate;
			}
		}
		for (Map.Entry<String, String> unusable : this.provider.unusableDevices().entrySet()) {
			String mismatch = mismatch(unusable.getKey(), criteria);
			candidates.add((mismatch != null)
					? DeviceCandidate.unusable(unusable.getKey(), 0, DeviceObstacle.NOT_ASKED_FOR, mismatch)
					: DeviceCandidate.unusable(unusable.getKey(), 0, DeviceObstacle.NOT_OPENED, unusable.getValue()));
		}
		return new DeviceSelection(chosen, (chosen != null) ? reason(criteria) : failure(criteria, candidates),
				List.copyOf(candidates));
	}

	private static @Nullable String mismatch(String name, DeviceCriteria criteria) {
		return (criteria.name() != null && !criteria.name().equals(name)) ? "its name is not " + criteria.name() : null;
	}

	private static @Nullable String mismatch(DeviceInfo device, DeviceCriteria criteria) {
		String mismatch = mismatch(device.name(), criteria);
		if (mismatch != null) {
			return mismatch;
		}
		if (criteria.guid() != null && criteria.guid() != device.guid()) {
			return "its GUID is %016x, not %016x".formatted(device.guid(), criteria.guid());
		}
		return null;
	}

	private static @Nullable String transport(DeviceInfo device) {
		return switch (device.transport()) {
			case INFINIBAND -> null;
			case IWARP ->
				"it is an iWARP device, which can be connected through rdma_cm only, and that is not supported";
			case OTHER -> "it is neither an InfiniBand nor a RoCE device, and no queue pairs for reliable connections "
					+ "(RC) are possible on it";
		};
	}

	private DeviceCandidate lookAt(DeviceInfo device, DeviceCriteria criteria) {
		String mismatch = mismatch(device, criteria);
		if (mismatch != null) {
			return DeviceCandidate.unusable(device.name(), 0, DeviceObstacle.NOT_ASKED_FOR, mismatch);
		}
		String transport = transport(device);
		if (transport != null) {
			return DeviceCandidate.unusable(device.name(), 0, DeviceObstacle.TRANSPORT, transport);
		}
		try (DeviceContext context = this.provider.open(device.name())) {
			return lookAt(context, criteria);
		}
		catch (VerbsException ex) {
			boolean other = criteria.netdev() != null && !criteria.netdev().equals(device.netdev());
			return DeviceCandidate.unusable(device.name(), 0,
					other ? DeviceObstacle.NOT_ASKED_FOR : DeviceObstacle.NOT_OPENED, String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Look for port and GID on a device that is open.
	 * @param context the device
	 * @param criteria what port and GID must be, and how much memory will be registered
	 * @return the outcome
	 * @throws VerbsException if the device does not answer
	 */
	public DeviceCandidate lookAt(DeviceContext context, DeviceCriteria criteria) {
		DeviceCandidate candidate = lookAtPorts(context, criteria);
		long lockable = this.lockableMemory.getAsLong();
		if (candidate.isUsable() && criteria.lockedMemory() > lockable) {
			return new DeviceCandidate(candidate.name(), candidate.port(), candidate.gid(),
					DeviceObstacle.LOCKED_MEMORY,
					"registering " + criteria.lockedMemory() + " bytes exceeds the " + lockable
							+ " bytes of locked memory that are left; raise RLIMIT_MEMLOCK (ulimit -l, "
							+ "LimitMEMLOCK= of systemd, --ulimit memlock=-1 of Docker)");
		}
		if (candidate.isUsable()) {
			// pins queues for a moment: a device that refuses them is of no use
			context.queryDevice();
		}
		return candidate;
	}

	private static DeviceCandidate lookAtPorts(DeviceContext context, DeviceCriteria criteria) {
		String transport = transport(context.device());
		if (transport != null) {
			return DeviceCandidate.unusable(context.device().name(), 0, DeviceObstacle.TRANSPORT, transport);
		}
		int ports = context.physicalPorts();
		int first = Math.max(1, criteria.port());
		int last = (criteria.port() != 0) ? criteria.port() : ports;
		DeviceCandidate best = null;
		for (int port = first; port <= Math.min(last, ports); port++) {
			DeviceCandidate candidate = lookAtPort(context, port, criteria);
			if (candidate.isUsable()) {
				return candidate;
			}
			best = (best != null) ? best : candidate;
		}
		return (best != null) ? best : DeviceCandidate.unusable(context.device().name(), 0, DeviceObstacle.NO_SUCH_PORT,
				"it has " + ports + ((ports == 1) ? " port" : " ports") + " and no port " + first);
	}

	private static DeviceCandidate lookAtPort(DeviceContext context, int port, DeviceCriteria criteria) {
		String name = context.device().name();
		PortAttributes attributes = context.queryPort(port);
		String netdev = context.device().netdev();
		List<GidEntry> gids = context.queryGidTable(port)
			.stream()
			.filter((entry) -> criteria.netdev() == null
					|| criteria.netdev().equals((entry.netdev() != null) ? entry.netdev() : netdev))
			.toList();
		if (criteria.netdev() != null && gids.isEmpty() && !criteria.netdev().equals(netdev)) {
			return DeviceCandidate.unusable(name, port, DeviceObstacle.NOT_ASKED_FOR,
					"its network interface is " + netdev + ", and no GID belongs to " + criteria.netdev());
		}
		if (attributes.linkLayer() == LinkLayer.UNSPECIFIED) {
			return DeviceCandidate.unusable(name, port, DeviceObstacle.TRANSPORT,
					"the link of its port " + port + " is neither InfiniBand nor Ethernet, so no queue pairs for "
							+ "reliable connections (RC) are possible on it");
		}
		boolean ethernet = (attributes.linkLayer() == LinkLayer.ETHERNET);
		if (!ethernet && attributes.state() == PortState.INIT) {
			return DeviceCandidate.unusable(name, port, DeviceObstacle.NO_LID,
					"its port " + port + " is INIT: no subnet manager has configured it yet; start one");
		}
		if (attributes.state() != PortState.ACTIVE) {
			return DeviceCandidate.unusable(name, port, DeviceObstacle.PORT_NOT_ACTIVE,
					"its port " + port + " is " + attributes.state()
							+ ", not ACTIVE; check the cable and, on Ethernet, that its network interface is up");
		}
		boolean routable = ethernet || attributes.lid() == 0;
		GidEntry gid = choose(gids, criteria, routable);
		if (gid == null && criteria.gidIndex() >= 0) {
			return DeviceCandidate.unusable(name, port, DeviceObstacle.NO_SUCH_GID,
					"its port " + port + " has no GID with index " + criteria.gidIndex() + ", but " + describe(gids));
		}
		if (gid == null && criteria.address() != null) {
			return DeviceCandidate.unusable(name, port, DeviceObstacle.NO_SUCH_ADDRESS, "its port " + port
					+ " has no GID of address " + criteria.address().getHostAddress() + ", but " + describe(gids));
		}
		if (ethernet && gid == null) {
			return DeviceCandidate.unusable(name, port, DeviceObstacle.NO_ROUTABLE_GID,
					"its port " + port + " has no GID that can be routed, but " + describe(gids)
							+ "; give its network interface an IP address, or give the index of a GID to use");
		}
		if (!ethernet && attributes.lid() == 0 && (gid == null || gid.gid().isLinkLocal())) {
			return DeviceCandidate.unusable(name, port, DeviceObstacle.NO_LID, "its port " + port
					+ " has neither a LID nor a GID that can be routed; check that a subnet manager runs");
		}
		return DeviceCandidate.usable(name, port, gid);
	}

	private static @Nullable GidEntry choose(List<GidEntry> gids, DeviceCriteria criteria, boolean routable) {
		if (criteria.gidIndex() >= 0) {
			return gids.stream().filter((entry) -> entry.index() == criteria.gidIndex()).findFirst().orElse(null);
		}
		if (criteria.address() != null) {
			Gid wanted = Gid.of(criteria.address());
			return gids.stream().filter((entry) -> entry.gid().equals(wanted)).min(PREFERENCE).orElse(null);
		}
		return gids.stream().filter((entry) -> !routable || !entry.gid().isLinkLocal()).min(PREFERENCE).orElse(null);
	}

	private static String describe(List<GidEntry> gids) {
		if (gids.isEmpty()) {
			return "none at all";
		}
		return String.join(", ", gids.stream()
			.limit(8)
			.map((entry) -> entry.index() + " " + entry.gid().toAddress().getHostAddress() + " " + entry.type().label())
			.toList());
	}

	private static String reason(DeviceCriteria criteria) {
		List<String> given = given(criteria);
		return given.isEmpty() ? "the first with an ACTIVE port"
				: "the first with an ACTIVE port and " + String.join(" and ", given);
	}

	private static List<String> given(DeviceCriteria criteria) {
		List<String> given = new ArrayList<>();
		if (criteria.name() != null) {
			given.add("name " + criteria.name());
		}
		if (criteria.netdev() != null) {
			given.add("network interface " + criteria.netdev());
		}
		if (criteria.guid() != null) {
			given.add("GUID %016x".formatted(criteria.guid()));
		}
		if (criteria.address() != null) {
			given.add("address " + criteria.address().getHostAddress());
		}
		return given;
	}

	private static String failure(DeviceCriteria criteria, List<DeviceCandidate> candidates) {
		if (candidates.isEmpty()) {
			return "there is none";
		}
		List<String> given = given(criteria);
		return given.isEmpty() ? "none of those there is usable"
				: "none is usable that has " + String.join(" and ", given);
	}

}
