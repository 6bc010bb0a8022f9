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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rdma.core.connection.DeviceChoice;
import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaDeviceException;
import io.rdma.core.exception.RdmaDeviceNotFoundException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaProviderUnavailableException;
import io.rdma.verbs.DeviceCandidate;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.DeviceCriteria;
import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.DeviceObstacle;
import io.rdma.verbs.DeviceSelection;
import io.rdma.verbs.DeviceSelector;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.VerbsProvider;
import io.rdma.verbs.soft.SoftProvider;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Chooses provider, device, port and GID for one application context, and says once what
 * it chose and why. Not thread-safe.
 */
@Slf4j
@RequiredArgsConstructor
final class DeviceChooser {

	private final RdmaProperties.Provider provider;

	private final DeviceCriteria criteria;

	private final VerbsProvider verbs;

	/** Asked first, since newer JDKs warn when a native library is loaded. */
	private final BooleanSupplier devicePresent;

	private final LongSupplier lockableMemory;

	/** What was found when the provider was chosen by what it has. */
	private @Nullable DeviceSelection found;

	/** What was looked at on the way to the software device. */
	private @Nullable DeviceSelection passedOver;

	private @Nullable DeviceChoice choice;

	/**
	 * Choose the provider.
	 * @return the one that is set, or the one of a device that can be used
	 */
	VerbsProvider provider() {
		return switch (this.provider) {
			case AUTO -> auto();
			case VERBS -> verbs();
			case SOFT -> new SoftProvider();
		};
	}

	private VerbsProvider verbs() {
		Throwable cause = this.verbs.unavailabilityCause();
		if (cause != null) {
			throw new RdmaProviderUnavailableException(RdmaErrorContext.none(),
					"'rdma.provider' is 'verbs', but that cannot be used here: " + cause.getMessage(),
					"Do what is said there, or set it to 'auto' or 'soft' to use the software device.", cause);
		}
		return this.verbs;
	}

	private VerbsProvider auto() {
		if (SoftProvider.DEVICE_NAME.equals(this.criteria.name())) {
			return new SoftProvider();
		}
		DeviceSelection selection = this.devicePresent.getAsBoolean() ? select(this.verbs, this.criteria)
				: new DeviceSelection(null, "there is none", List.of());
		if (selection.chosen() != null) {
			this.found = selection;
			return this.verbs;
		}
		this.passedOver = selection;
		return new SoftProvider();
	}

	/**
	 * Choose and open the device.
	 * @param source the provider
	 * @return its context, to be closed by the caller
	 */
	DeviceContext open(VerbsProvider source) {
		// settings that no RDMA device of the machine fits are not meant for the software
		// device
		DeviceCriteria criteria = (this.passedOver != null) ? DeviceCriteria.ANY : this.criteria;
		DeviceSelection selection = (this.found != null) ? this.found : select(source, criteria);
		DeviceCandidate chosen = selection.chosen();
		if (chosen == null) {
			throw failure(source, selection);
		}
		DeviceContext context = open(source, chosen);
		this.choice = choice(source, chosen, selection);
		return context;
	}

	private DeviceContext open(VerbsProvider source, DeviceCandidate chosen) {
		try {
			return source.open(chosen.name());
		}
		catch (VerbsException ex) {
			throw new RdmaDeviceException(
					RdmaErrorContext.none(), "The device %s could be opened before, and now cannot: %s"
						.formatted(chosen.name(), ex.getMessage()),
					"Look for what became of it in the kernel's log (dmesg)." + orSoft(), ex);
		}
	}

	private DeviceChoice choice(VerbsProvider source, DeviceCandidate chosen, DeviceSelection selection) {
		DeviceSelection before = this.passedOver;
		if (before == null) {
			logger.info("Using device {} of provider '{}', {}{}", chosen, source.name(), selection.reason(),
					others(selection.candidates(), chosen));
			return new DeviceChoice(source.name(), chosen, selection.reason(), selection.candidates(), null);
		}
		if (!before.hasDevices()) {
			String reason = "since this machine has no RDMA device ('rdma.provider' is 'auto')";
			logger.info("Using device {} of provider '{}', {}", chosen, source.name(), reason);
			return new DeviceChoice(source.name(), chosen, reason, selection.candidates(), null);
		}
		String reason = "since no RDMA device of this machine can be used ('rdma.provider' is 'auto')";
		String fallback = describe(before.candidates());
		logger.warn("Using device {} of provider '{}', {}: {}. With 'rdma.provider' set to 'verbs' the start would "
				+ "fail instead", chosen, source.name(), reason, fallback);
		return new DeviceChoice(source.name(), chosen, reason,
				Stream.concat(before.candidates().stream(), selection.candidates().stream()).toList(), fallback);
	}

	private static String others(List<DeviceCandidate> candidates, DeviceCandidate chosen) {
		List<DeviceCandidate> others = candidates.stream().filter((candidate) -> !candidate.equals(chosen)).toList();
		return others.isEmpty() ? "" : ". Passed over: " + describe(others);
	}

	private static String describe(List<DeviceCandidate> candidates) {
		return candidates.stream().map(DeviceCandidate::toString).collect(Collectors.joining("; "));
	}

	/**
	 * Return what was chosen, or look at a device that the application opened itself.
	 * @param source the provider
	 * @param context the device in use
	 * @return the choice
	 */
	DeviceChoice choice(VerbsProvider source, DeviceContext context) {
		if (this.choice != null) {
			return this.choice;
		}
		DeviceCandidate candidate = selector(source).lookAt(context, this.criteria);
		DeviceSelection selection = new DeviceSelection(candidate, "a bean of the application", List.of(candidate));
		if (!candidate.isUsable()) {
			throw failure(source, selection);
		}
		return new DeviceChoice(source.name(), candidate, selection.reason(), selection.candidates(), null);
	}

	private DeviceSelection select(VerbsProvider source, DeviceCriteria criteria) {
		return selector(source).select(criteria);
	}

	private DeviceSelector selector(VerbsProvider source) {
		// nothing is pinned for the software device
		return new DeviceSelector(source,
				(source instanceof SoftProvider) ? () -> Long.MAX_VALUE : this.lockableMemory);
	}

	private RdmaException failure(VerbsProvider source, DeviceSelection selection) {
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
		Set<DeviceObstacle> obstacles = wanted.stream()
			.map((candidate) -> Objects.requireNonNullElse(candidate.obstacle(), DeviceObstacle.NOT_OPENED))
			.collect(Collectors.toSet());
		return failure(source, describe(wanted),
				(obstacles.size() == 1) ? obstacles.iterator().next() : DeviceObstacle.NOT_OPENED);
	}

	private RdmaDeviceNotFoundException notFound(VerbsProvider source) {
		String names = Stream
			.concat(source.devices().stream().map(DeviceChooser::describe),
					source.unusableDevices().keySet().stream().map("%s (cannot be opened yet)"::formatted))
			.collect(Collectors.joining(", "));
		return new RdmaDeviceNotFoundException(RdmaErrorContext.none(),
				"%s, but the provider '%s' has no such device".formatted(describe(this.criteria), source.name()),
				"Use one of those present: %s. Or remove the setting for the first with an ACTIVE port."
					.formatted(names) + orSoft());
	}

	private @Nullable String address() {
		InetAddress address = this.criteria.address();
		return (address != null) ? address.getHostAddress() : null;
	}

	private static String describe(DeviceCriteria criteria) {
		Map<String, @Nullable String> settings = new LinkedHashMap<>();
		settings.put("rdma.device.name", criteria.name());
		settings.put("rdma.device.netdev", criteria.netdev());
		settings.put("rdma.device.guid", (criteria.guid() != null) ? DeviceGuid.format(criteria.guid()) : null);
		return settings.entrySet()
			.stream()
			.filter((setting) -> setting.getValue() != null)
			.map((setting) -> "'%s' is '%s'".formatted(setting.getKey(), setting.getValue()))
			.collect(Collectors.joining(" and "));
	}

	private static String describe(DeviceInfo device) {
		List<String> facts = new ArrayList<>();
		if (device.netdev() != null) {
			facts.add("network interface " + device.netdev());
		}
		facts.add("GUID " + DeviceGuid.format(device.guid()));
		return "%s (%s)".formatted(device.name(), String.join(", ", facts));
	}

	private RdmaException failure(VerbsProvider source, String reasons, DeviceObstacle obstacle) {
		return switch (obstacle) {
			case NO_SUCH_PORT -> wrong("rdma.device.port", this.criteria.port(), reasons,
					"Use the number of a port that it has, or remove it for the first that is ACTIVE.");
			case NO_SUCH_GID -> wrong("rdma.device.gid-index", this.criteria.gidIndex(), reasons,
					"Use one of those, or remove it for the best.");
			case NO_SUCH_ADDRESS -> wrong("rdma.device.ip", address(), reasons,
					"Use the address of one of those, or remove it for the best.");
			case PORT_NOT_ACTIVE -> unusable(source, reasons,
					"Bring the port up, or choose another with 'rdma.device.name' or 'rdma.device.port'.");
			case NO_ROUTABLE_GID -> unusable(source, reasons,
					"Give its network interface an IP address, or set 'rdma.device.gid-index' to the index of a GID "
							+ "that peers can reach.");
			case NO_LID ->
				unusable(source, reasons, "Start a subnet manager, or choose another with 'rdma.device.name'.");
			case LOCKED_MEMORY -> unusable(source, reasons,
					"Raise the limit (ulimit -l unlimited in a shell, LimitMEMLOCK=infinity in a systemd unit, "
							+ "--ulimit memlock=-1 with Docker, the container runtime's unit on Kubernetes), or make "
							+ "'rdma.memory.pool-size' and 'rdma.regions' smaller.");
			case TRANSPORT -> unusable(source, reasons, "Name another device with 'rdma.device.name'.");
			case NOT_OPENED, NOT_ASKED_FOR -> unusable(source, reasons,
					"Do what is said of the one that you want, and name it with 'rdma.device.name'.");
		};
	}

	private static RdmaConfigurationException wrong(String property, @Nullable Object value, String reasons,
			String remedy) {
		return new RdmaConfigurationException(property, value, "no device can be used with it: " + reasons, remedy);
	}

	private RdmaDeviceException unusable(VerbsProvider source, String reasons, String remedy) {
		return new RdmaDeviceException(RdmaErrorContext.none(), "%s, but no device of the provider '%s' can be used: %s"
			.formatted(providerSetting(), source.name(), reasons), remedy + orSoft());
	}

	private String orSoft() {
		return (this.provider != RdmaProperties.Provider.SOFT)
				? " Or set 'rdma.provider' to 'soft' to use the software device." : "";
	}

	private String providerSetting() {
		return "'rdma.provider' is '%s'".formatted(this.provider.name().toLowerCase(Locale.ROOT));
	}

}
