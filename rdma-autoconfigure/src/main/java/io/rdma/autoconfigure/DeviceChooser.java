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

import java.util.ArrayList;
import java.util.List;

import io.rdma.core.exception.RdmaDeviceException;
import io.rdma.core.exception.RdmaDeviceNotFoundException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.PortState;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.VerbsProvider;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the device: the one that is named, else the first with an ACTIVE port.
 */
@Slf4j
@RequiredArgsConstructor
final class DeviceChooser {

	private final VerbsProvider provider;

	private final RdmaProperties.Device properties;

	/**
	 * Open the chosen device.
	 * @return its context, to be closed by the caller
	 */
	DeviceContext open() {
		List<DeviceInfo> present = this.provider.devices();
		if (present.isEmpty()) {
			throw new RdmaDeviceNotFoundException(RdmaErrorContext.none(),
					"The provider '%s' has no device".formatted(this.provider.name()),
					"Check that the device's driver is loaded, or set 'rdma.provider' to 'soft'.");
		}
		List<DeviceInfo> candidates = present.stream().filter(this::isAskedFor).toList();
		if (candidates.isEmpty()) {
			throw notFound(present);
		}
		return open(candidates);
	}

	private boolean isAskedFor(DeviceInfo device) {
		return matches(this.properties.getName(), device.name())
				&& matches(this.properties.getNetdev(), device.netdev());
	}

	private static boolean matches(@Nullable String wanted, @Nullable String found) {
		return wanted == null || wanted.equals(found);
	}

	private RdmaDeviceNotFoundException notFound(List<DeviceInfo> present) {
		List<String> wanted = new ArrayList<>();
		if (this.properties.getName() != null) {
			wanted.add("'rdma.device.name' is '%s'".formatted(this.properties.getName()));
		}
		if (this.properties.getNetdev() != null) {
			wanted.add("'rdma.device.netdev' is '%s'".formatted(this.properties.getNetdev()));
		}
		String names = String.join(", ", present.stream().map(DeviceChooser::describe).toList());
		return new RdmaDeviceNotFoundException(RdmaErrorContext.none(),
				"%s, but the provider '%s' has no such device".formatted(String.join(" and ", wanted),
						this.provider.name()),
				"Use one of those present: %s. Or remove the setting for the first with an ACTIVE port."
					.formatted(names));
	}

	private static String describe(DeviceInfo device) {
		return (device.netdev() != null) ? "%s (network interface %s)".formatted(device.name(), device.netdev())
				: device.name();
	}

	private DeviceContext open(List<DeviceInfo> candidates) {
		List<String> refused = new ArrayList<>();
		DeviceContext inactive = null;
		VerbsException failure = null;
		for (DeviceInfo candidate : candidates) {
			try {
				DeviceContext context = this.provider.open(candidate.name());
				if (PortChooser.hasActivePort(context)) {
					close(inactive);
					report(candidate, refused);
					return context;
				}
				refused.add(candidate.name() + " has no ACTIVE port");
				if (inactive == null) {
					inactive = context;
				}
				else {
					context.close();
				}
			}
			catch (VerbsException ex) {
				refused.add(candidate.name() + ": " + ex.getMessage());
				failure = ex;
			}
		}
		if (inactive != null) {
			logger.warn("No RDMA device has an ACTIVE port ({}). Using {}; operations fail until its port is {}",
					String.join(", ", refused), inactive.device().name(), PortState.ACTIVE);
			return inactive;
		}
		throw new RdmaDeviceException(RdmaErrorContext.none(), "No device can be opened: " + String.join(", ", refused),
				"Check the permissions of /dev/infiniband, or set 'rdma.provider' to 'soft'.", failure);
	}

	private static void close(@Nullable DeviceContext context) {
		if (context != null) {
			context.close();
		}
	}

	private void report(DeviceInfo chosen, List<String> refused) {
		String reason = "the first with an ACTIVE port";
		if (this.properties.getName() != null) {
			reason = "named by 'rdma.device.name'";
		}
		else if (this.properties.getNetdev() != null) {
			reason = "named by 'rdma.device.netdev'";
		}
		logger.info("Using RDMA device {} of the provider '{}', {}{}", describe(chosen), this.provider.name(), reason,
				refused.isEmpty() ? "" : ". Passed over: " + String.join(", ", refused));
	}

}
