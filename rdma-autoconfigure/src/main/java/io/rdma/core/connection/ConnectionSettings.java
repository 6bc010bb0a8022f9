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

import java.time.Duration;

import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.verbs.DeviceAttributes;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.PortAttributes;
import lombok.AccessLevel;
import lombok.AllArgsConstructor;
import lombok.Builder;
import lombok.Getter;
import lombok.experimental.Accessors;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * How connections are made and kept. Immutable. Each value is checked by
 * {@link ConnectionSettingsBuilder#build()}.
 */
@Getter
@Accessors(fluent = true)
@Builder(toBuilder = true, buildMethodName = "buildUnchecked")
@AllArgsConstructor(access = AccessLevel.PRIVATE)
public final class ConnectionSettings {

	/** How many operations can be outstanding, 1 to 16384. */
	@Builder.Default
	private final int sendDepth = 128;

	/**
	 * How many receives are posted, and so how many messages a peer can be ahead, 2 to
	 * 16384.
	 */
	@Builder.Default
	private final int receiveDepth = 64;

	/**
	 * Size of a receive buffer in bytes, 256 to 16 MiB. Larger messages are sent in
	 * pieces.
	 */
	@Builder.Default
	private final int receiveBufferSize = 8192;

	/** Largest payload in bytes to ask the device to send inline, 0 to 4096. */
	@Builder.Default
	private final int maxInline = 128;

	/** Largest message in bytes that is accepted, 1 byte to 1 GiB. */
	@Builder.Default
	private final int maxMessageSize = 16 * 1024 * 1024;

	/** Acknowledgement timeout t, meaning 4.096 µs · 2^t, 0 to 31; 0 means for ever. */
	@Builder.Default
	private final int timeout = 14;

	/** How often a request is repeated when no answer comes, 0 to 7. */
	@Builder.Default
	private final int retryCount = 6;

	/**
	 * How often a request is repeated when no receive is posted, 0 to 7; 7 means for
	 * ever.
	 */
	@Builder.Default
	private final int rnrRetryCount = 6;

	/** Code of the delay asked of the peer when no receive is posted, 0 to 31. */
	@Builder.Default
	private final int minRnrTimer = 12;

	/** How many READ and atomic requests can be under way, 1 to 255. */
	@Builder.Default
	private final int maxRdAtomic = 16;

	/** Path MTU, {@code null} for that of the port. */
	private final @Nullable PathMtu mtu;

	/** Traffic class, 0 to 255. */
	@Builder.Default
	private final int trafficClass = 0;

	/** Service level, 0 to 15. */
	@Builder.Default
	private final int serviceLevel = 0;

	/** Index into the P_Key table, 0 to 65535. */
	@Builder.Default
	private final int pkeyIndex = 0;

	/** How many routers packets may pass, 1 to 255. */
	@Builder.Default
	private final int hopLimit = 64;

	/** How long a handshake may take, 10 ms to 5 min. */
	@Builder.Default
	private final Duration setupTimeout = Duration.ofSeconds(5);

	/**
	 * How long outstanding work is waited for before the queue pair goes to ERR, 10 ms to
	 * 5 min.
	 */
	@Builder.Default
	private final Duration drainTimeout = Duration.ofSeconds(5);

	/** Delay before the first attempt to recover a lost connection, 1 ms to 1 h. */
	@Builder.Default
	private final Duration recoveryDelay = Duration.ofSeconds(1);

	/** Longest delay between attempts to recover, at least the first one. */
	@Builder.Default
	private final Duration maxRecoveryDelay = Duration.ofSeconds(30);

	/** How many handshakes of peers can be under way at once, 1 to 1024. */
	@Builder.Default
	private final int maxHandshakes = 64;

	/** How many peers can be connected to us at once, 1 to 65536. */
	@Builder.Default
	private final int maxInboundConnections = 256;

	/**
	 * Return the settings that nothing was changed in.
	 * @return the defaults
	 */
	public static ConnectionSettings defaults() {
		return builder().build();
	}

	private void check() {
		range("rdma.queue-pair.send-depth", this.sendDepth, 1, 16384);
		range("rdma.queue-pair.receive-depth", this.receiveDepth, 2, 16384);
		range("rdma.queue-pair.receive-buffer-size", this.receiveBufferSize, 256, 16 * 1024 * 1024);
		range("rdma.queue-pair.max-inline-data", this.maxInline, 0, 4096);
		range("rdma.template.max-message-size", this.maxMessageSize, 1, 1024 * 1024 * 1024);
		range("rdma.queue-pair.timeout", this.timeout, 0, 31);
		range("rdma.queue-pair.retry-count", this.retryCount, 0, 7);
		range("rdma.queue-pair.rnr-retry-count", this.rnrRetryCount, 0, 7);
		range("rdma.queue-pair.min-rnr-timer", this.minRnrTimer, 0, 31);
		range("rdma.queue-pair.max-rd-atomic", this.maxRdAtomic, 1, 255);
		range("rdma.queue-pair.traffic-class", this.trafficClass, 0, 255);
		range("rdma.queue-pair.service-level", this.serviceLevel, 0, 15);
		range("rdma.queue-pair.pkey-index", this.pkeyIndex, 0, 65535);
		range("rdma.queue-pair.hop-limit", this.hopLimit, 1, 255);
		range("rdma.connection.setup-timeout", this.setupTimeout, Duration.ofMillis(10), Duration.ofMinutes(5));
		range("rdma.template.drain-timeout", this.drainTimeout, Duration.ofMillis(10), Duration.ofMinutes(5));
		range("rdma.connection.recovery.initial-interval", this.recoveryDelay, Duration.ofMillis(1),
				Duration.ofHours(1));
		range("rdma.connection.recovery.max-interval", this.maxRecoveryDelay, this.recoveryDelay, Duration.ofHours(1));
		range("rdma.server.max-handshakes", this.maxHandshakes, 1, 1024);
		range("rdma.server.max-connections", this.maxInboundConnections, 1, 65536);
	}

	/**
	 * Check what only the device can tell: that it can do what is asked for.
	 * @param device the limits of the device
	 * @param port the properties of the port
	 * @param maxBufferSize the largest buffer of the pool
	 * @throws RdmaConfigurationException if it cannot
	 */
	void check(DeviceAttributes device, PortAttributes port, int maxBufferSize) {
		int most = device.maxQueuePairWorkRequests() - ConnectionResources.CONTROL_REQUESTS;
		limit("rdma.queue-pair.send-depth", this.sendDepth, most, "the device");
		limit("rdma.queue-pair.receive-depth", this.receiveDepth, device.maxQueuePairWorkRequests(), "the device");
		limit("rdma.queue-pair.receive-buffer-size", this.receiveBufferSize, maxBufferSize,
				"the largest buffer of the pool (rdma.memory.slab-size)");
		limit("rdma.queue-pair.pkey-index", this.pkeyIndex, port.pkeyTableLength() - 1, "the P_Key table of the port");
	}

	private static void limit(String property, int value, int max, String what) {
		if (value > max) {
			throw new RdmaConfigurationException(property, value, what + " allows " + max + " at most",
					"Set it to a value of at most " + max + " or remove it.");
		}
	}

	private static void range(String property, int value, int min, int max) {
		if (value < min || value > max) {
			throw new RdmaConfigurationException(property, value, "it must be from " + min + " to " + max,
					"Set it to a value in this range or remove it.");
		}
	}

	private static void range(String property, Duration value, Duration min, Duration max) {
		if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
			throw new RdmaConfigurationException(property, value,
					"it must be from " + min.toMillis() + "ms to " + max.toMillis() + "ms",
					"Set it to a value in this range or remove it.");
		}
	}

	/**
	 * Builder of {@link ConnectionSettings}.
	 */
	@NullUnmarked
	public static class ConnectionSettingsBuilder {

		/**
		 * Check the values and build the settings.
		 * @return the settings
		 * @throws RdmaConfigurationException if a value is out of its range
		 */
		public ConnectionSettings build() {
			ConnectionSettings settings = buildUnchecked();
			settings.check();
			return settings;
		}

	}

}
