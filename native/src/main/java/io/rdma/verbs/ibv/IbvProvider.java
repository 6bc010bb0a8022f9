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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.Errno;
import io.rdma.verbs.TransportType;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.VerbsProvider;
import io.rdma.verbs.jni.NativeLibraryException;
import org.jspecify.annotations.Nullable;

/**
 * The provider of the devices that libibverbs opens: InfiniBand, RoCE and the kernel's
 * Soft-RoCE. It needs Linux on x86-64 or AArch64 with glibc, and libibverbs with the
 * provider library of the device; {@link #unavailabilityCause()} says what is missing.
 * Nothing is loaded before the first method is called. Thread-safe.
 */
public final class IbvProvider implements VerbsProvider {

	private final NativeSettings settings;

	private final Sysfs sysfs;

	private final Path nodes;

	/**
	 * Create a provider with what the system properties say.
	 */
	public IbvProvider() {
		this(NativeSettings.fromSystemProperties());
	}

	/**
	 * Create a provider.
	 * @param settings where the native libraries are
	 */
	public IbvProvider(NativeSettings settings) {
		this(settings, new Sysfs(), Path.of("/dev/infiniband"));
	}

	IbvProvider(NativeSettings settings, Sysfs sysfs, Path nodes) {
		this.settings = settings;
		this.sysfs = sysfs;
		this.nodes = nodes;
	}

	@Override
	public String name() {
		return "verbs";
	}

	@Override
	public @Nullable NativeLibraryException unavailabilityCause() {
		return NativeLibrary.load(this.settings);
	}

	/**
	 * Return whether the kernel has an RDMA device, usable or not. Nothing is loaded for
	 * that.
	 * @return whether it has one
	 */
	public boolean isDevicePresent() {
		return !this.sysfs.devices().isEmpty();
	}

	@Override
	public List<DeviceInfo> devices() {
		if (!isAvailable()) {
			return List.of();
		}
		return List.copyOf(list().values().stream().map(Listed::info).toList());
	}

	@Override
	public Map<String, String> unusableDevices() {
		Map<String, String> reasons = new TreeMap<>();
		Throwable cause = unavailabilityCause();
		Map<String, Listed> listed = (cause == null) ? list() : Map.of();
		for (String device : this.sysfs.devices()) {
			if (!listed.containsKey(device)) {
				reasons.put(device, (cause != null) ? String.valueOf(cause.getMessage()) : unlisted(device));
			}
		}
		return reasons;
	}

	private String unlisted(String device) {
		String start = "The kernel has device " + device + ", but ";
		String name = this.sysfs.node(device);
		if (name == null) {
			return start + "no device node for it; load the kernel module ib_uverbs";
		}
		Path node = this.nodes.resolve(name);
		if (Files.notExists(node)) {
			// libibverbs passes over such a device without a word
			return start + missing(node);
		}
		return start + "libibverbs found no provider library for it; install ibverbs-providers (Debian, Ubuntu) or "
				+ "libibverbs (Fedora, Red Hat) in this system or image";
	}

	private static String missing(Path node) {
		return "its device node " + node + " does not exist; load the kernel module ib_uverbs, and in a container "
				+ "pass the node in (Docker: --device " + node + ")";
	}

	private Map<String, Listed> list() {
		Map<String, Listed> devices = new TreeMap<>();
		String[] lines = Native.devices();
		if (lines == null) {
			throw new OutOfMemoryError("The JVM has no memory for the list of devices");
		}
		for (String line : lines) {
			String[] fields = line.split(" ", -1);
			String name = fields[0];
			DeviceInfo info = new DeviceInfo(name, Long.parseUnsignedLong(fields[1], 16),
					transport(Integer.parseInt(fields[2])), this.sysfs.netdev(name), this.sysfs.numaNode(name));
			devices.put(name, new Listed(info, fields[3]));
		}
		return devices;
	}

	private static TransportType transport(int code) {
		return switch (code) {
			case 0 -> TransportType.INFINIBAND;
			case 1 -> TransportType.IWARP;
			default -> TransportType.OTHER;
		};
	}

	@Override
	public DeviceContext open(String deviceName) {
		NativeLibraryException cause = unavailabilityCause();
		if (cause != null) {
			throw cause;
		}
		Map<String, Listed> devices = list();
		Listed device = devices.get(deviceName);
		if (device == null) {
			throw new VerbsException("ibv_open_device", Errno.ENODEV, absence(deviceName, devices));
		}
		long context = Native.openDevice(deviceName);
		if (context < 0) {
			throw Results.failure(context, "ibv_open_device",
					"Device " + deviceName + " cannot be opened: " + obstacle(device));
		}
		try {
			return new IbvDeviceContext(device.info(), context, this.sysfs);
		}
		catch (Throwable ex) {
			Native.closeDevice(context);
			throw ex;
		}
	}

	private String absence(String deviceName, Map<String, Listed> devices) {
		String reason = unusableDevices().get(deviceName);
		if (reason != null) {
			return reason;
		}
		List<String> there = new ArrayList<>(devices.keySet());
		return "There is no device " + deviceName + "; "
				+ (there.isEmpty() ? "there is none at all" : "there are " + String.join(", ", there));
	}

	private String obstacle(Listed device) {
		Path node = this.nodes.resolve(device.node());
		if (Files.notExists(node)) {
			return missing(node);
		}
		if (!Files.isReadable(node) || !Files.isWritable(node)) {
			return "user " + System.getProperty("user.name") + " may not read and write its device node " + node
					+ permissions(node) + "; add the user to the group of the node or make it accessible with a udev "
					+ "rule";
		}
		return "the driver refused; the kernel's log (dmesg) may say why";
	}

	private static String permissions(Path node) {
		try {
			return Files.readAttributes(node, "posix:owner,group,permissions")
				.entrySet()
				.stream()
				.sorted(Map.Entry.comparingByKey())
				.map((entry) -> entry.getKey() + " " + entry.getValue())
				.collect(Collectors.joining(", ", " (", ")"));
		}
		catch (IOException ex) {
			return "";
		}
	}

	@Override
	public String toString() {
		return "provider " + name();
	}

	private record Listed(DeviceInfo info, String node) {
	}

}
