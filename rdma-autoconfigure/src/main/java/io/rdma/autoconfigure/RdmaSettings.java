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

import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.rdma.core.TemplateSettings;
import io.rdma.core.connection.ConnectionSettings;
import io.rdma.core.connection.PeerDefinition;
import io.rdma.core.memory.RegionDefinition;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.DeviceCriteria;
import io.rdma.verbs.ibv.NativeSettings;
import lombok.RequiredArgsConstructor;

import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * Turns {@link RdmaProperties} that were checked into what the parts take.
 */
@RequiredArgsConstructor
final class RdmaSettings {

	private static final DataSize DEFAULT_SLAB_SIZE = DataSize.ofMegabytes(16);

	/** What devices pin for an entry of a queue, with its completion, as a rule. */
	private static final long QUEUE_ENTRY_SIZE = 256;

	private final RdmaProperties properties;

	/**
	 * Return the size of a slab: the largest power of two that does not exceed the pool,
	 * up to a default, unless it is set.
	 * @return the size
	 */
	DataSize slabSize() {
		RdmaProperties.Memory memory = this.properties.getMemory();
		if (memory.getSlabSize() != null) {
			return memory.getSlabSize();
		}
		return DataSize
			.ofBytes(Math.min(DEFAULT_SLAB_SIZE.toBytes(), Long.highestOneBit(memory.getPoolSize().toBytes())));
	}

	/**
	 * Return what the device must be.
	 * @return the criteria
	 */
	DeviceCriteria device() {
		RdmaProperties.Device device = this.properties.getDevice();
		return new DeviceCriteria(device.getName(), device.getNetdev(),
				(device.getGuid() != null) ? DeviceGuid.parse(device.getGuid()) : null, device.getIp(),
				(device.getPort() != null) ? device.getPort() : 0,
				(device.getGidIndex() != null) ? device.getGidIndex() : -1, lockedMemory());
	}

	/**
	 * Return how much memory devices pin for the pool, the regions and the queues of the
	 * connections that a group has room for.
	 * @return the bytes
	 */
	private long lockedMemory() {
		long memory = RdmaPropertiesChecks.poolLimit(this.properties.getMemory()).toBytes();
		for (RdmaProperties.Region region : this.properties.getRegions().values()) {
			memory += (region.getSize() != null) ? region.getSize().toBytes() : 0;
		}
		RdmaProperties.QueuePair queuePair = this.properties.getQueuePair();
		return memory + QUEUE_ENTRY_SIZE * this.properties.getCompletionQueue().getConnectionsPerGroup()
				* (queuePair.getSendDepth() + queuePair.getReceiveDepth());
	}

	/**
	 * Return where the native libraries are.
	 * @return the settings
	 */
	NativeSettings nativeLibraries() {
		RdmaProperties.NativeLibraries libraries = this.properties.getNative();
		return new NativeSettings(libraries.getLibraryPath(), libraries.getWorkDirectory(), libraries.getLibibverbs());
	}

	Map<String, RegionDefinition> regions() {
		Map<String, RegionDefinition> regions = new LinkedHashMap<>();
		this.properties.getRegions().forEach((name, region) -> regions.put(name, region(region)));
		return regions;
	}

	private RegionDefinition region(RdmaProperties.Region region) {
		Set<AccessFlag> access = EnumSet.noneOf(AccessFlag.class);
		region.getAccess().forEach((right) -> access.add(right.flag()));
		DataSize size = region.getSize();
		Assert.state(size != null, "The size of a region was not checked");
		return new RegionDefinition(size.toBytes(), access);
	}

	Collection<PeerDefinition> peers() {
		return this.properties.getPeers()
			.entrySet()
			.stream()
			.map((entry) -> peer(entry.getKey(), entry.getValue()))
			.toList();
	}

	private PeerDefinition peer(String name, RdmaProperties.Peer peer) {
		HostAndPort address = HostAndPort.parse(String.valueOf(peer.getAddress()));
		Assert.state(address != null, "The address of a peer was not checked");
		// A required peer that nobody connects to would keep the service unready for ever
		boolean eager = peer.isRequired() || peer.getConnect() == RdmaProperties.Peer.Connect.EAGER;
		return new PeerDefinition(name, address.host(), address.port(), peer.isRequired(), eager);
	}

	ConnectionSettings connections() {
		RdmaProperties.QueuePair queuePair = this.properties.getQueuePair();
		RdmaProperties.Connection connection = this.properties.getConnection();
		RdmaProperties.Template template = this.properties.getTemplate();
		DataSize pathMtu = queuePair.getPathMtu();
		return ConnectionSettings.builder()
			.sendDepth(queuePair.getSendDepth())
			.receiveDepth(queuePair.getReceiveDepth())
			.receiveBufferSize(Math.toIntExact(queuePair.getReceiveBufferSize().toBytes()))
			.maxInline(Math.toIntExact(queuePair.getMaxInlineData().toBytes()))
			.maxMessageSize(Math.toIntExact(template.getMaxMessageSize().toBytes()))
			.timeout(queuePair.getTimeout())
			.retryCount(queuePair.getRetryCount())
			.rnrRetryCount(queuePair.getRnrRetryCount())
			.minRnrTimer(queuePair.getMinRnrTimer())
			.maxRdAtomic(queuePair.getMaxRdAtomic())
			.mtu((pathMtu != null) ? RdmaPropertiesChecks.pathMtu(pathMtu) : null)
			.trafficClass(queuePair.getTrafficClass())
			.serviceLevel(queuePair.getServiceLevel())
			.pkeyIndex(queuePair.getPkeyIndex())
			.hopLimit(queuePair.getHopLimit())
			.setupTimeout(connection.getSetupTimeout())
			.drainTimeout(template.getDrainTimeout())
			.recoveryDelay(connection.getRecovery().getInitialInterval())
			.maxRecoveryDelay(connection.getRecovery().getMaxInterval())
			.maxHandshakes(this.properties.getServer().getMaxHandshakes())
			.maxInboundConnections(this.properties.getServer().getMaxConnections())
			.build();
	}

	TemplateSettings template() {
		RdmaProperties.Template template = this.properties.getTemplate();
		return new TemplateSettings(template.getTimeout(), Math.toIntExact(template.getChunkSize().toBytes()),
				template.getWindow(), template.getTransferThreads(), template.getMaxPending());
	}

}
