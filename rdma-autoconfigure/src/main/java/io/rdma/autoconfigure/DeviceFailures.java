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

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaDeviceException;
import io.rdma.core.exception.RdmaDeviceNotFoundException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaProviderUnavailableException;
import io.rdma.verbs.DeviceCandidate;
import io.rdma.verbs.DeviceCriteria;
import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.DeviceObstacle;
import io.rdma.verbs.DeviceSelection;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.VerbsProvider;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Says why devices cannot be used and what to do about it.
 */
@RequiredArgsConstructor
final class DeviceFailures {

	private static final String NAME = "rdma.device.name";

	private static final String NETDEV = "rdma.device.netdev";

	private static final String GUID = "rdma.device.guid";

	private static final String ADDRESS = "rdma.device.ip";

	private static final String PORT = "rdma.device.port";

	private static final String GID_INDEX = "rdma.device.gid-index";

	private static final List<String> IDENTITY = List.of(NAME, NETDEV, GUID);

	private final RdmaProperties.Provider provider;

	private final DeviceCriteria criteria;

	/**
	 * Return devices with what is in the way of using them.
	 * @param candidates the devices
	 * @return part of a sentence
	 */
	static String list(List<DeviceCandidate> candidates) {
		return candidates.stream().map(DeviceCandidate::toString).collect(Collectors.joining("; "));
	}

	/**
	 * Return why devices cannot be used, and what to do about it.
	 * @param candidates the devices
	 * @return two or more sentences
	 */
	String describe(List<DeviceCandidate> candidates) {
		return list(candidates) + ". " + remedies(candidates);
	}

	/**
	 * Return what is thrown if a provider that was asked for cannot be used.
	 * @param cause why it cannot
	 * @return the exception
	 */
	RdmaException unavailable(Throwable cause) {
		String others = otherSettings();
		return new RdmaProviderUnavailableException(RdmaErrorContext.none(),
				"'rdma.provider' is 'verbs', but that cannot be used here: " + cause.getMessage(),
				"Do what is said there, or set it to 'auto' or 'soft' to use the software device"
						+ (others.isEmpty() ? "." : ", and with 'soft' remove " + others + "."),
				cause);
	}

	/**
	 * Return what is thrown if a device that was chosen cannot be opened.
	 * @param chosen the device
	 * @param cause why it cannot
	 * @return the exception
	 */
	RdmaException notOpened(DeviceCandidate chosen, VerbsException cause) {
		return new RdmaDeviceException(RdmaErrorContext.none(),
				"The device %s could be opened before, and now cannot: %s".formatted(chosen.name(), cause.getMessage()),
				"Look for what became of it in the kernel's log (dmesg)." + orSoft(), cause);
	}

	/**
	 * Return what is thrown if a device of the application's own choice cannot be used.
	 * @param chosen the device
	 * @return the exception
	 */
	RdmaException unusable(DeviceCandidate chosen) {
		return failure("The device that the application opened or chose itself cannot be used", List.of(chosen),
				" Or define a bean LocalEndpoint with the port and the GID to use.");
	}

	/**
	 * Return what is thrown if a provider has no device that can be used.
	 * @param source the provider
	 * @param selection what was looked at
	 * @return the exception
	 */
	RdmaException noneUsable(VerbsProvider source, DeviceSelection selection) {
		List<DeviceCandidate> wanted = selection.candidates()
			.stream()
			.filter((candidate) -> candidate.obstacle() != DeviceObstacle.NOT_ASKED_FOR)
			.toList();
		if (selection.candidates().isEmpty()) {
			return new RdmaDeviceNotFoundException(RdmaErrorContext.none(),
					"%s, but the provider '%s' has no device".formatted(providerSetting(), source.name()),
					"Check that the device's driver is loaded: 'ls /sys/class/infiniband' lists those that the kernel "
							+ "has." + orSoft());
		}
		if (wanted.isEmpty()) {
			return notFound(source);
		}
		return failure("%s, but no device of the provider '%s' can be used".formatted(providerSetting(), source.name()),
				wanted, orSoft());
	}

	private RdmaDeviceNotFoundException notFound(VerbsProvider source) {
		String wanted = identity().entrySet()
			.stream()
			.map((setting) -> "'%s' is '%s'".formatted(setting.getKey(), setting.getValue()))
			.collect(Collectors.joining(" and "));
		String names = Stream
			.concat(source.devices().stream().map(DeviceFailures::describe),
					source.unusableDevices().keySet().stream().map("%s (cannot be opened yet)"::formatted))
			.collect(Collectors.joining(", "));
		return new RdmaDeviceNotFoundException(RdmaErrorContext.none(),
				"%s, but the provider '%s' has no such device".formatted(wanted, source.name()),
				"Use one of those present: %s. Or remove the setting for the first with an ACTIVE port."
					.formatted(names) + orSoft());
	}

	private static String describe(DeviceInfo device) {
		List<String> facts = new ArrayList<>();
		if (device.netdev() != null) {
			facts.add("network interface " + device.netdev());
		}
		facts.add("GUID " + DeviceGuid.format(device.guid()));
		return "%s (%s)".formatted(device.name(), String.join(", ", facts));
	}

	private RdmaException failure(String problem, List<DeviceCandidate> candidates, String otherwise) {
		List<DeviceObstacle> obstacles = obstacles(candidates);
		String property = (obstacles.size() == 1) ? property(obstacles.get(0)) : null;
		if (property != null) {
			return new RdmaConfigurationException(property, settings().get(property),
					"no device can be used with it: " + list(candidates), remedies(candidates));
		}
		return new RdmaDeviceException(RdmaErrorContext.none(), problem + ": " + list(candidates),
				remedies(candidates) + otherwise);
	}

	private static @Nullable String property(DeviceObstacle obstacle) {
		return switch (obstacle) {
			case NO_SUCH_PORT -> PORT;
			case NO_SUCH_GID -> GID_INDEX;
			case NO_SUCH_ADDRESS -> ADDRESS;
			default -> null;
		};
	}

	private static List<DeviceObstacle> obstacles(List<DeviceCandidate> candidates) {
		return candidates.stream()
			.map((candidate) -> Objects.requireNonNullElse(candidate.obstacle(), DeviceObstacle.NOT_OPENED))
			.distinct()
			.toList();
	}

	private String remedies(List<DeviceCandidate> candidates) {
		return obstacles(candidates).stream().map(this::remedy).collect(Collectors.joining(" "));
	}

	private String remedy(DeviceObstacle obstacle) {
		return switch (obstacle) {
			case NOT_ASKED_FOR -> "Set " + join(identity().keySet())
					+ " to what one of those has, or remove it for the " + "first with an ACTIVE port.";
			case NO_SUCH_PORT -> "Set 'rdma.device.port' to the number of a port that it has, or remove it for the "
					+ "first that is ACTIVE.";
			case NO_SUCH_GID -> "Set 'rdma.device.gid-index' to one of those, or remove it for the best.";
			case NO_SUCH_ADDRESS -> "Set 'rdma.device.ip' to the address of one of those, or remove it for the best.";
			case PORT_NOT_ACTIVE ->
				"Bring the port up, or choose another with 'rdma.device.name' or 'rdma.device.port'.";
			case NO_ROUTABLE_GID -> "Give its network interface an IP address, or set 'rdma.device.gid-index' to the "
					+ "index of a GID that peers can reach.";
			case NO_LID -> "Start a subnet manager, or choose another with 'rdma.device.name'.";
			case LOCKED_MEMORY -> "Raise the limit (ulimit -l unlimited in a shell, LimitMEMLOCK=infinity in a systemd "
					+ "unit, --ulimit memlock=-1 with Docker, the container runtime's unit on Kubernetes), or make "
					+ "'rdma.memory.pool-size' and 'rdma.regions' smaller.";
			case TRANSPORT -> "Name another device with 'rdma.device.name'.";
			case NOT_OPENED -> "Do what is said of the one that you want, and name it with 'rdma.device.name'.";
		};
	}

	/** What is set that tells devices apart. */
	private Map<String, String> identity() {
		Map<String, String> settings = settings();
		settings.keySet().retainAll(IDENTITY);
		return settings;
	}

	private Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		if (this.criteria.name() != null) {
			settings.put(NAME, this.criteria.name());
		}
		if (this.criteria.netdev() != null) {
			settings.put(NETDEV, this.criteria.netdev());
		}
		if (this.criteria.guid() != null) {
			settings.put(GUID, DeviceGuid.format(this.criteria.guid()));
		}
		InetAddress address = this.criteria.address();
		if (address != null) {
			settings.put(ADDRESS, address.getHostAddress());
		}
		if (this.criteria.port() != 0) {
			settings.put(PORT, Integer.toString(this.criteria.port()));
		}
		if (this.criteria.gidIndex() >= 0) {
			settings.put(GID_INDEX, Integer.toString(this.criteria.gidIndex()));
		}
		return settings;
	}

	private String orSoft() {
		if (this.provider == RdmaProperties.Provider.SOFT) {
			return "";
		}
		String others = otherSettings();
		return " Or set 'rdma.provider' to 'soft'" + (others.isEmpty() ? "" : " and remove " + others)
				+ " to use the software device.";
	}

	/** What is set that the software device would not fit. */
	private String otherSettings() {
		return join(settings().keySet());
	}

	private static String join(Collection<String> settings) {
		return settings.stream().map("'%s'"::formatted).collect(Collectors.joining(" and "));
	}

	private String providerSetting() {
		return "'rdma.provider' is '%s'".formatted(this.provider.name().toLowerCase(Locale.ROOT));
	}

}
