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

package io.rdma.autoconfigure;

import java.util.Comparator;
import java.util.List;

import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaDeviceException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GidType;
import io.rdma.verbs.PortState;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Chooses port and GID of a device: those that are set, else the first ACTIVE port and
 * the GID that reaches furthest.
 */
@RequiredArgsConstructor
final class PortChooser {

	private static final Comparator<GidEntry> BEST_FIRST = Comparator
		.<GidEntry, Boolean>comparing((entry) -> entry.type() != GidType.ROCE_V2)
		.thenComparing((entry) -> entry.gid().isLinkLocal())
		.thenComparing((entry) -> !entry.gid().isIpv4())
		.thenComparing(GidEntry::index);

	private final DeviceContext context;

	private final RdmaProperties.Device properties;

	/**
	 * Return whether a device has an ACTIVE port.
	 * @param context the device
	 * @return whether there is one
	 */
	static boolean hasActivePort(DeviceContext context) {
		return firstActivePort(context) != null;
	}

	private static @Nullable Integer firstActivePort(DeviceContext context) {
		int ports = context.queryDevice().physicalPorts();
		for (int port = 1; port <= ports; port++) {
			if (context.queryPort(port).state() == PortState.ACTIVE) {
				return port;
			}
		}
		return null;
	}

	int port() {
		Integer port = this.properties.getPort();
		if (port == null) {
			Integer active = firstActivePort(this.context);
			return (active != null) ? active : 1;
		}
		int ports = this.context.queryDevice().physicalPorts();
		if (port > ports) {
			throw new RdmaConfigurationException("rdma.device.port", port,
					"the device %s has %d port(s)".formatted(this.context.device().name(), ports),
					"Use 1 to %d, or remove it for the first that is ACTIVE.".formatted(ports));
		}
		return port;
	}

	/**
	 * Choose the GID.
	 * @param port the number of the port
	 * @return the entry of its GID table
	 */
	GidEntry gid(int port) {
		List<GidEntry> table = this.context.queryGidTable(port);
		Integer index = this.properties.getGidIndex();
		if (index == null) {
			return table.stream().min(BEST_FIRST).orElseThrow(() -> noGid(port));
		}
		return table.stream()
			.filter((entry) -> entry.index() == index)
			.findFirst()
			.orElseThrow(() -> new RdmaConfigurationException("rdma.device.gid-index", index,
					"port %d of the device %s has no GID there".formatted(port, this.context.device().name()),
					"Use one of %s, or remove it for the best.".formatted(describe(table))));
	}

	private RdmaDeviceException noGid(int port) {
		return new RdmaDeviceException(RdmaErrorContext.none(),
				"Port %d of the device %s has no GID".formatted(port, this.context.device().name()),
				"Give its network interface an IP address, or choose another device with 'rdma.device.name'.");
	}

	/**
	 * Return the entries of a GID table as text.
	 * @param table the table
	 * @return index, GID and type of each
	 */
	static String describe(List<GidEntry> table) {
		return String.join(", ",
				table.stream()
					.map((entry) -> "%d (%s, %s)".formatted(entry.index(), entry.gid(), entry.type().label()))
					.toList());
	}

}
