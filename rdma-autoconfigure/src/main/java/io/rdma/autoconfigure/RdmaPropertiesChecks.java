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
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.verbs.PathMtu;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * Checks what the constraints on {@link RdmaProperties} cannot say: sizes, durations, and
 * settings that depend on each other. The first that is wrong ends it.
 */
@Slf4j
@RequiredArgsConstructor
final class RdmaPropertiesChecks {

	private static final int FOR_EVER = 7;

	private static final int ATOMIC_SIZE = Long.BYTES;

	private final RdmaProperties properties;

	private final MemoryLimits limits;

	void check() {
		checkDevice();
		checkMemory();
		checkQueuePair();
		checkConnection();
		checkServer();
		checkTemplateAndListener();
		this.properties.getRegions().forEach(this::checkRegion);
		this.properties.getPeers().forEach(this::checkPeer);
		checkThatMemorySuffices();
	}

	private void checkDevice() {
		String guid = this.properties.getDevice().getGuid();
		if (guid != null && DeviceGuid.parse(guid) == null) {
			throw new RdmaConfigurationException("rdma.device.guid", guid, "that is not a GUID",
					"Use 16 hexadecimal digits, with or without colons between them, as ibv_devices prints them.");
		}
	}

	private void checkMemory() {
		RdmaProperties.Memory memory = this.properties.getMemory();
		DataSize poolSize = memory.getPoolSize();
		DataSize minBufferSize = memory.getMinBufferSize();
		SettingRanges.positive("rdma.memory.pool-size", poolSize);
		SettingRanges.powerOfTwo("rdma.memory.min-buffer-size", minBufferSize);
		if (poolSize.compareTo(minBufferSize) < 0) {
			throw new RdmaConfigurationException("rdma.memory.pool-size", SettingRanges.format(poolSize),
					"the pool is smaller than one buffer, which has " + SettingRanges.format(minBufferSize)
							+ " ('rdma.memory.min-buffer-size')",
					"Make the pool larger, at best many times the size of a buffer.");
		}
		DataSize slabSize = memory.getSlabSize();
		if (slabSize != null) {
			checkSlab(slabSize, poolSize, minBufferSize);
		}
		DataSize maxPoolSize = memory.getMaxPoolSize();
		if (maxPoolSize != null && maxPoolSize.compareTo(poolSize) < 0) {
			throw new RdmaConfigurationException("rdma.memory.max-pool-size", SettingRanges.format(maxPoolSize),
					"the pool has " + SettingRanges.format(poolSize) + " at start already ('rdma.memory.pool-size')",
					"Make it at least that, or remove it for a pool that does not grow.");
		}
	}

	private void checkSlab(DataSize slabSize, DataSize poolSize, DataSize minBufferSize) {
		SettingRanges.powerOfTwo("rdma.memory.slab-size", slabSize);
		if (slabSize.compareTo(minBufferSize) < 0) {
			throw new RdmaConfigurationException("rdma.memory.slab-size", SettingRanges.format(slabSize),
					"a slab is smaller than one buffer, which has " + SettingRanges.format(minBufferSize)
							+ " ('rdma.memory.min-buffer-size')",
					"Make the slab larger or the buffer smaller.");
		}
		if (poolSize.compareTo(slabSize) < 0) {
			throw new RdmaConfigurationException("rdma.memory.pool-size", SettingRanges.format(poolSize),
					"the pool is smaller than one slab, which has " + SettingRanges.format(slabSize)
							+ " ('rdma.memory.slab-size')",
					"Make the pool larger, or remove 'rdma.memory.slab-size' to have it follow.");
		}
	}

	private void checkQueuePair() {
		RdmaProperties.QueuePair queuePair = this.properties.getQueuePair();
		SettingRanges.range("rdma.queue-pair.receive-buffer-size", queuePair.getReceiveBufferSize(),
				DataSize.ofBytes(256), DataSize.ofMegabytes(16));
		SettingRanges.range("rdma.queue-pair.max-inline-data", queuePair.getMaxInlineData(), DataSize.ofBytes(0),
				DataSize.ofKilobytes(4));
		DataSize pathMtu = queuePair.getPathMtu();
		if (pathMtu != null && pathMtu(pathMtu) == null) {
			throw new RdmaConfigurationException("rdma.queue-pair.path-mtu", SettingRanges.format(pathMtu),
					"there is no such MTU", "Use one of " + Arrays.stream(PathMtu.values()).map(PathMtu::bytes).toList()
							+ ", or remove it for the one that the port uses.");
		}
		if (queuePair.getRnrRetryCount() == FOR_EVER) {
			logger.warn("'rdma.queue-pair.rnr-retry-count' is 7, which means for ever: a peer that takes no "
					+ "messages is never noticed. Use 0 to 6");
		}
		if (queuePair.getRetryCount() == FOR_EVER) {
			logger.warn("'rdma.queue-pair.retry-count' is 7, which means for ever on some devices, Soft-RoCE among "
					+ "them: a dead peer is never noticed. Use 0 to 6");
		}
	}

	private void checkConnection() {
		RdmaProperties.Connection connection = this.properties.getConnection();
		SettingRanges.range("rdma.connection.setup-timeout", connection.getSetupTimeout(), Duration.ofMillis(10),
				Duration.ofMinutes(5));
		SettingRanges.notNegative("rdma.connection.startup-grace", connection.getStartupGrace());
		RdmaProperties.Connection.Recovery recovery = connection.getRecovery();
		SettingRanges.range("rdma.connection.recovery.initial-interval", recovery.getInitialInterval(),
				Duration.ofMillis(1), Duration.ofHours(1));
		SettingRanges.range("rdma.connection.recovery.max-interval", recovery.getMaxInterval(), Duration.ofMillis(1),
				Duration.ofHours(1));
		if (recovery.getMaxInterval().compareTo(recovery.getInitialInterval()) < 0) {
			throw new RdmaConfigurationException("rdma.connection.recovery.max-interval",
					SettingRanges.format(recovery.getMaxInterval()),
					"it is shorter than 'rdma.connection.recovery.initial-interval', which is "
							+ SettingRanges.format(recovery.getInitialInterval()),
					"Make it at least as long.");
		}
	}

	private void checkServer() {
		RdmaProperties.Server server = this.properties.getServer();
		InetAddress address = server.getAddress();
		if (address == null) {
			return;
		}
		if (server.getPort() == null) {
			throw new RdmaConfigurationException("rdma.server.port", null,
					"nothing listens without it, but 'rdma.server.address' is " + address.getHostAddress(),
					"Set the port, 0 for any that is free, or remove the address.");
		}
	}

	private void checkTemplateAndListener() {
		RdmaProperties.Template template = this.properties.getTemplate();
		SettingRanges.range("rdma.template.timeout", template.getTimeout(), Duration.ofMillis(1), Duration.ofHours(24));
		SettingRanges.range("rdma.template.chunk-size", template.getChunkSize(), DataSize.ofKilobytes(4),
				DataSize.ofGigabytes(1));
		SettingRanges.range("rdma.template.drain-timeout", template.getDrainTimeout(), Duration.ofMillis(10),
				Duration.ofMinutes(5));
		SettingRanges.range("rdma.template.max-message-size", template.getMaxMessageSize(), DataSize.ofBytes(1),
				DataSize.ofGigabytes(1));
		SettingRanges.notNegative("rdma.listener.shutdown-timeout", this.properties.getListener().getShutdownTimeout());
	}

	private void checkRegion(String name, RdmaProperties.Region region) {
		String property = "rdma.regions." + name;
		DataSize size = region.getSize();
		if (size == null) {
			throw new RdmaConfigurationException(property + ".size", null, "a region needs a size",
					"Set it, for example to 64MB.");
		}
		SettingRanges.positive(property + ".size", size);
		if (region.getAccess().isEmpty()) {
			throw new RdmaConfigurationException(property + ".access", null, "no peer could reach the region",
					"List one or more of 'remote-read', 'remote-write' and 'remote-atomic'.");
		}
		if (region.getAccess().contains(RdmaProperties.Region.Access.REMOTE_ATOMIC) && size.toBytes() < ATOMIC_SIZE) {
			throw new RdmaConfigurationException(property + ".size", SettingRanges.format(size),
					"an atomic operation needs " + ATOMIC_SIZE + " bytes",
					"Make the region larger or remove 'remote-atomic' from its access.");
		}
	}

	private void checkPeer(String name, RdmaProperties.Peer peer) {
		String property = "rdma.peers." + name + ".address";
		String remedy = "Set it to host and port, for example 'storage-1:18515' or '[::1]:18515'.";
		String address = peer.getAddress();
		if (!StringUtils.hasText(address)) {
			throw new RdmaConfigurationException(property, null, "a peer needs an address", remedy);
		}
		if (HostAndPort.parse(address) == null) {
			throw new RdmaConfigurationException(property, address, "that is not a host and a port from 1 to 65535",
					remedy);
		}
	}

	private void checkThatMemorySuffices() {
		long total = total();
		if (total > this.limits.machineMemory()) {
			throw tooMuchMemory(total,
					"this machine has %s of memory".formatted(DataSizes.describe(this.limits.machineMemory())),
					"Make it smaller. Registered memory cannot be swapped out.");
		}
	}

	/**
	 * Check that pool and regions fit into the direct memory of the JVM, of which the
	 * software device makes them. Memory of other devices is not part of that.
	 * @param fallback why it is the software device although the machine has RDMA
	 * devices, {@code null} if that is not so
	 */
	void checkDirectMemory(@Nullable String fallback) {
		long total = total();
		if (total > this.limits.directMemory()) {
			throw tooMuchMemory(total,
					"this JVM may have %s of direct memory".formatted(DataSizes.describe(this.limits.directMemory())),
					"Make it smaller, or raise the limit with -XX:MaxDirectMemorySize. "
							+ "Without that option it is as much as the Java heap may grow to." + ((fallback != null)
									? " Or make an RDMA device usable, of which none is at present: " + fallback : ""));
		}
	}

	private long total() {
		long total = poolLimit(this.properties.getMemory()).toBytes();
		for (RdmaProperties.Region region : this.properties.getRegions().values()) {
			DataSize size = region.getSize();
			total = (size != null) ? saturatedAdd(total, size.toBytes()) : total;
		}
		return total;
	}

	private RdmaConfigurationException tooMuchMemory(long total, String limit, String remedy) {
		DataSize largest = poolLimit(this.properties.getMemory());
		String property = (this.properties.getMemory().getMaxPoolSize() != null) ? "rdma.memory.max-pool-size"
				: "rdma.memory.pool-size";
		for (Map.Entry<String, RdmaProperties.Region> entry : this.properties.getRegions().entrySet()) {
			DataSize size = entry.getValue().getSize();
			if (size != null && size.compareTo(largest) > 0) {
				largest = size;
				property = "rdma.regions." + entry.getKey() + ".size";
			}
		}
		return new RdmaConfigurationException(property, SettingRanges.format(largest),
				"pool and regions together need %s and %s".formatted(DataSizes.describe(total), limit), remedy);
	}

	/**
	 * Return the size up to which the pool can grow.
	 * @param memory the settings
	 * @return the size
	 */
	static DataSize poolLimit(RdmaProperties.Memory memory) {
		DataSize limit = memory.getMaxPoolSize();
		return (limit != null) ? limit : memory.getPoolSize();
	}

	/**
	 * Return the MTU of a size.
	 * @param size the size
	 * @return the MTU, {@code null} if there is none of that size
	 */
	static @Nullable PathMtu pathMtu(DataSize size) {
		for (PathMtu mtu : PathMtu.values()) {
			if (mtu.bytes() == size.toBytes()) {
				return mtu;
			}
		}
		return null;
	}

	private static long saturatedAdd(long a, long b) {
		long sum = a + b;
		return (sum < 0) ? Long.MAX_VALUE : sum;
	}

}
