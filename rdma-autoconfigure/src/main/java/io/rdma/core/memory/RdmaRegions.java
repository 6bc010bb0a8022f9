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

package io.rdma.core.memory;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.UnknownRdmaRegionException;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AtomicCapability;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;
import lombok.extern.slf4j.Slf4j;

import org.springframework.util.Assert;

/**
 * The memory that this service offers to peers, by name. Thread-safe.
 */
@Slf4j
public final class RdmaRegions implements AutoCloseable {

	private static final Set<AccessFlag> REMOTE_RIGHTS = Set.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE,
			AccessFlag.REMOTE_ATOMIC);

	private final Map<String, LocalRegion> regions = new LinkedHashMap<>();

	private RdmaRegions() {
	}

	/**
	 * Allocate and register memory. If one region cannot be registered, none is.
	 * @param protectionDomain where to register it
	 * @param definitions the regions by name
	 * @return the regions
	 * @throws RdmaConfigurationException if a definition cannot work; it names the
	 * setting
	 * @throws io.rdma.core.exception.RdmaMemoryRegistrationException if the memory cannot
	 * be allocated or registered
	 */
	public static RdmaRegions register(ProtectionDomain protectionDomain, Map<String, RegionDefinition> definitions) {
		Assert.notNull(protectionDomain, "'protectionDomain' must not be null");
		Assert.notNull(definitions, "'definitions' must not be null");
		MemoryRegistration registration = new MemoryRegistration(protectionDomain);
		definitions.forEach((name, definition) -> check(name, definition, protectionDomain.context(), registration));
		RdmaRegions regions = new RdmaRegions();
		try {
			definitions.forEach((name, definition) -> regions.add(name, definition, registration));
		}
		catch (RuntimeException ex) {
			try {
				regions.close();
			}
			catch (RuntimeException closeEx) {
				ex.addSuppressed(closeEx);
			}
			throw ex;
		}
		return regions;
	}

	private static void check(String name, RegionDefinition definition, DeviceContext context,
			MemoryRegistration registration) {
		String sizeProperty = property(name, "size");
		if (definition.size() < 1) {
			throw new RdmaConfigurationException(sizeProperty, MemorySize.describe(definition.size()),
					"a region has at least 1 byte", "Set how much memory peers may reach, for example 64MB.");
		}
		MemoryRegistration.checkFitsMachine(sizeProperty, definition.size());
		registration.checkFitsDevice(sizeProperty, definition.size());
		Set<AccessFlag> access = definition.access();
		String accessProperty = property(name, "access");
		if (Collections.disjoint(access, REMOTE_RIGHTS)) {
			throw new RdmaConfigurationException(accessProperty, access, "peers could do nothing with the region",
					"Add at least one of remote-read, remote-write and remote-atomic.");
		}
		if (access.contains(AccessFlag.REMOTE_ATOMIC)
				&& context.queryDevice().atomicCapability() == AtomicCapability.NONE) {
			throw new RdmaConfigurationException(accessProperty, access,
					"device " + context.device().name() + " has no atomic operations",
					"Remove remote-atomic, or use another device (rdma.device.name).");
		}
		if (access.contains(AccessFlag.MEMORY_WINDOW_BIND) && context.queryDevice().maxMemoryWindows() == 0) {
			throw new RdmaConfigurationException(accessProperty, access,
					"device " + context.device().name() + " has no memory windows",
					"Remove memory-window-bind, or use another device (rdma.device.name).");
		}
	}

	private static String property(String name, String setting) {
		return "rdma.regions." + name + "." + setting;
	}

	private void add(String name, RegionDefinition definition, MemoryRegistration registration) {
		MemoryRegion memory = registration.register(property(name, "size"), definition.size(), definition.size(),
				MemoryRegistration.withLocalRights(definition.access()));
		LocalRegion region = new LocalRegion(name, memory);
		this.regions.put(name, region);
		logger.debug("Registered {}", region);
	}

	/**
	 * Return a region.
	 * @param name its name
	 * @return the region
	 * @throws UnknownRdmaRegionException if there is none
	 */
	public LocalRegion get(String name) {
		Assert.notNull(name, "'name' must not be null");
		LocalRegion region = this.regions.get(name);
		if (region == null) {
			throw new UnknownRdmaRegionException(null, name, this.regions.keySet());
		}
		return region;
	}

	/**
	 * Return all regions.
	 * @return the regions in the order of their definition, unmodifiable
	 */
	public Collection<LocalRegion> all() {
		return Collections.unmodifiableCollection(this.regions.values());
	}

	/**
	 * Deregister the memory: when this returns no peer reaches it any more. Closing twice
	 * is harmless.
	 * @throws io.rdma.verbs.VerbsException if a region is still in use; the others are
	 * closed
	 */
	@Override
	public void close() {
		CloseFailures failures = new CloseFailures();
		this.regions.values().forEach((region) -> failures.run(region.memoryRegion()::close));
		failures.throwIfAny();
	}

}
