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
import java.util.Map;

import io.rdma.verbs.ProtectionDomain;

/**
 * The memory that this service offers to peers, by name. Thread-safe.
 */
public final class RdmaRegions implements AutoCloseable {

	private RdmaRegions() {
	}

	/**
	 * Allocate and register memory.
	 * @param protectionDomain where to register it
	 * @param definitions the regions by name
	 * @return the regions
	 * @throws io.rdma.core.exception.RdmaConfigurationException if a definition cannot work;
	 * it names the setting
	 * @throws io.rdma.core.exception.RdmaMemoryRegistrationException if the memory cannot be
	 * allocated or registered
	 */
	public static RdmaRegions register(ProtectionDomain protectionDomain, Map<String, RegionDefinition> definitions) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return a region.
	 * @param name its name
	 * @return the region
	 * @throws io.rdma.core.exception.UnknownRdmaRegionException if there is none
	 */
	public LocalRegion get(String name) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return all regions.
	 * @return the regions in the order of their definition
	 */
	public Collection<LocalRegion> all() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Deregister the memory. Closing twice is harmless.
	 */
	@Override
	public void close() {
	}

}
