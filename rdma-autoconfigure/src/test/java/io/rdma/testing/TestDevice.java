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

package io.rdma.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.PortState;
import io.rdma.verbs.VerbsProvider;
import io.rdma.verbs.ibv.IbvProvider;
import io.rdma.verbs.soft.SoftDeviceContext;
import io.rdma.verbs.soft.SoftProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/**
 * The device that the tests run on: the software device, or the verbs device that system
 * property {@value #PROPERTY} names. System property {@value #PATIENCE_PROPERTY} is how
 * many seconds tests wait for what must happen on it, for machines that are slow.
 */
public final class TestDevice {

	/** System property with the name of the device. */
	public static final String PROPERTY = "rdma.test.device";

	/** System property with the number of seconds that tests wait. */
	public static final String PATIENCE_PROPERTY = "rdma.test.patience";

	/** How long tests wait for what must happen. */
	public static final Duration PATIENCE = Duration.ofSeconds(Long.getLong(PATIENCE_PROPERTY, 20));

	private static final String NAME = System.getProperty(PROPERTY, SoftProvider.DEVICE_NAME);

	private static final VerbsProvider PROVIDER = isSoft() ? new SoftProvider() : new IbvProvider();

	static {
		Awaitility.setDefaultTimeout(PATIENCE);
	}

	private TestDevice() {
	}

	/**
	 * Return the name of the device.
	 * @return the name
	 */
	public static String name() {
		return NAME;
	}

	/**
	 * Return whether it is the software device.
	 * @return whether it is
	 */
	public static boolean isSoft() {
		return NAME.equals(SoftProvider.DEVICE_NAME);
	}

	/**
	 * Open the device. Every call opens another context.
	 * @return the context, to be closed by the caller
	 */
	public static DeviceContext open() {
		return PROVIDER.open(NAME);
	}

	/**
	 * Return the kind of the device.
	 * @return the name of its provider
	 */
	public static String kind() {
		return PROVIDER.name();
	}

	/**
	 * Return the GID to use: the IPv4 address of the device.
	 * @param context the device
	 * @return the entry of the GID table of its port 1
	 */
	public static GidEntry gid(DeviceContext context) {
		return context.queryGidTable(1)
			.stream()
			.filter((entry) -> entry.gid().isIpv4())
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("The device " + NAME + " has no IPv4 address"));
	}

	/**
	 * Leave a test out whose device is not ours to take down: the network interface of a
	 * real one may be what this machine is reached by.
	 */
	public static void assumePortCanGoDown() {
		Assumptions.assumeTrue(isSoft() || NAME.startsWith("rxe"), "the device is not a software one");
	}

	/**
	 * Take port 1 of the device down, or bring it up again.
	 * @param context the device
	 * @param up whether to bring it up
	 */
	public static void setPortUp(DeviceContext context, boolean up) {
		if (context instanceof SoftDeviceContext soft) {
			soft.setPortState(up ? PortState.ACTIVE : PortState.DOWN);
			return;
		}
		try {
			Process process = new ProcessBuilder("ip", "link", "set", String.valueOf(context.device().netdev()),
					up ? "up" : "down")
				.inheritIO()
				.start();
			if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
				throw new IllegalStateException("The network interface of " + NAME + " cannot be changed");
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the settings that make a service use it.
	 * @return each with its value
	 */
	public static String[] settings() {
		return List.of("rdma.provider=" + kind(), "rdma.device.name=" + NAME).toArray(String[]::new);
	}

}
