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

package io.rdma.verbs.ibv;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rdma.verbs.Gid;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GidType;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel tells of devices in {@code /sys/class/infiniband}.
 */
final class Sysfs {

	private final Path devices;

	Sysfs() {
		this(Path.of("/sys/class/infiniband"));
	}

	Sysfs(Path devices) {
		this.devices = devices;
	}

	/**
	 * Return the devices the kernel has, with or without a provider.
	 * @return their names, sorted
	 */
	List<String> devices() {
		return names(this.devices);
	}

	/**
	 * Return the name of the device node of a device.
	 * @param device the device
	 * @return its name, {@code null} if the kernel has made none
	 */
	@Nullable String node(String device) {
		Path nodes = this.devices.resolveSibling("infiniband_verbs");
		for (String node : names(nodes)) {
			if (device.equals(read(nodes.resolve(node).resolve("ibdev")))) {
				return node;
			}
		}
		return null;
	}

	/**
	 * Return the network interface of a device.
	 * @param device the device
	 * @return its name, {@code null} if it has none
	 */
	@Nullable String netdev(String device) {
		for (String port : names(this.devices.resolve(device).resolve("ports"))) {
			Path netdevs = this.devices.resolve(device).resolve("ports").resolve(port).resolve("gid_attrs/ndevs");
			for (String index : names(netdevs)) {
				String netdev = read(netdevs.resolve(index));
				if (!netdev.isEmpty()) {
					return netdev;
				}
				if (!"0".equals(index)) {
					// the first entries are the interface's own addresses
					break;
				}
			}
		}
		List<String> ofBus = names(this.devices.resolve(device).resolve("device/net"));
		if (!ofBus.isEmpty()) {
			return ofBus.get(0);
		}
		String parent = read(this.devices.resolve(device).resolve("parent"));
		return parent.isEmpty() ? null : parent;
	}

	/**
	 * Return the NUMA node of a device.
	 * @param device the device
	 * @return the node, -1 if unknown
	 */
	int numaNode(String device) {
		String node = read(this.devices.resolve(device).resolve("device/numa_node"));
		return node.isEmpty() ? -1 : Integer.parseInt(node);
	}

	/**
	 * Return the GID table of a port, for a libibverbs that cannot read it in one call.
	 * @param device the device
	 * @param port the port
	 * @return the filled entries
	 */
	List<GidEntry> gidTable(String device, int port) {
		Path directory = this.devices.resolve(device).resolve("ports").resolve(Integer.toString(port));
		List<GidEntry> entries = new ArrayList<>();
		List<String> indexes = new ArrayList<>(names(directory.resolve("gids")));
		indexes.sort((first, second) -> Integer.compare(Integer.parseInt(first), Integer.parseInt(second)));
		for (String index : indexes) {
			String text = read(directory.resolve("gids").resolve(index)).replace(":", "");
			if (text.length() != 32) {
				continue;
			}
			Gid gid = new Gid(Long.parseUnsignedLong(text, 0, 16, 16), Long.parseUnsignedLong(text, 16, 32, 16));
			if (!gid.isZero()) {
				String netdev = read(directory.resolve("gid_attrs/ndevs").resolve(index));
				entries.add(new GidEntry(Integer.parseInt(index), gid,
						type(read(directory.resolve("gid_attrs/types").resolve(index))),
						netdev.isEmpty() ? null : netdev));
			}
		}
		return entries;
	}

	private static GidType type(String label) {
		for (GidType type : GidType.values()) {
			if (type.label().equals(label)) {
				return type;
			}
		}
		// what sysfs prints for RoCE version 1 and InfiniBand alike
		return "IB/RoCE v1".equals(label) ? GidType.ROCE_V1 : GidType.IB;
	}

	/**
	 * Return the counters of a port and of its device.
	 * @param device the device
	 * @param port the port
	 * @return the counters by name
	 */
	Map<String, Long> counters(String device, int port) {
		Map<String, Long> counters = new TreeMap<>();
		Path directory = this.devices.resolve(device);
		Path portDirectory = directory.resolve("ports").resolve(Integer.toString(port));
		for (Path source : List.of(directory.resolve("hw_counters"), portDirectory.resolve("hw_counters"),
				portDirectory.resolve("counters"))) {
			for (String name : names(source)) {
				String value = read(source.resolve(name));
				// lifespan is a setting among them
				if (!"lifespan".equals(name) && value.matches("\\d{1,20}")) {
					counters.put(name, Long.parseUnsignedLong(value));
				}
			}
		}
		return counters;
	}

	private static List<String> names(Path directory) {
		List<String> names = new ArrayList<>();
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
			entries.forEach((entry) -> names.add(entry.getFileName().toString()));
		}
		catch (IOException ex) {
			// no such directory: the kernel has nothing of that kind
		}
		names.sort(null);
		return names;
	}

	private static String read(Path file) {
		try {
			return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
		}
		catch (IOException ex) {
			return "";
		}
	}

}
