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

package io.rdma.verbs;

import java.net.InetAddress;

import org.jspecify.annotations.Nullable;

/**
 * What a device must be. What is not given matches everything.
 *
 * @param name the name of the device, for example {@code mlx5_0}
 * @param netdev the name of its network interface, for example {@code eth1}
 * @param guid the node GUID as a big-endian number
 * @param address an IP address that a GID of the device has
 * @param port the number of the port, 0 for the first that is ACTIVE
 * @param gidIndex the index in the GID table, -1 to choose
 * @param lockedMemory how many bytes will be registered
 */
public record DeviceCriteria(@Nullable String name, @Nullable String netdev, @Nullable Long guid,
		@Nullable InetAddress address, int port, int gidIndex, long lockedMemory) {

	/** Any device. */
	public static final DeviceCriteria ANY = new DeviceCriteria(null, null, null, null, 0, -1, 0);

	/**
	 * Return these criteria for another name.
	 * @param name the name
	 * @return new criteria
	 */
	public DeviceCriteria withName(String name) {
		return new DeviceCriteria(name, this.netdev, this.guid, this.address, this.port, this.gidIndex,
				this.lockedMemory);
	}

	/**
	 * Return these criteria for another network interface.
	 * @param netdev its name
	 * @return new criteria
	 */
	public DeviceCriteria withNetdev(String netdev) {
		return new DeviceCriteria(this.name, netdev, this.guid, this.address, this.port, this.gidIndex,
				this.lockedMemory);
	}

	/**
	 * Return these criteria for another GUID.
	 * @param guid the node GUID
	 * @return new criteria
	 */
	public DeviceCriteria withGuid(long guid) {
		return new DeviceCriteria(this.name, this.netdev, guid, this.address, this.port, this.gidIndex,
				this.lockedMemory);
	}

	/**
	 * Return these criteria for another address.
	 * @param address the IP address
	 * @return new criteria
	 */
	public DeviceCriteria withAddress(InetAddress address) {
		return new DeviceCriteria(this.name, this.netdev, this.guid, address, this.port, this.gidIndex,
				this.lockedMemory);
	}

	/**
	 * Return these criteria for another port.
	 * @param port the number, 0 for the first that is ACTIVE
	 * @return new criteria
	 */
	public DeviceCriteria withPort(int port) {
		return new DeviceCriteria(this.name, this.netdev, this.guid, this.address, port, this.gidIndex,
				this.lockedMemory);
	}

	/**
	 * Return these criteria for another GID index.
	 * @param index the index, -1 to choose
	 * @return new criteria
	 */
	public DeviceCriteria withGidIndex(int index) {
		return new DeviceCriteria(this.name, this.netdev, this.guid, this.address, this.port, index, this.lockedMemory);
	}

	/**
	 * Return these criteria for another amount of memory.
	 * @param bytes how many bytes will be registered
	 * @return new criteria
	 */
	public DeviceCriteria withLockedMemory(long bytes) {
		return new DeviceCriteria(this.name, this.netdev, this.guid, this.address, this.port, this.gidIndex, bytes);
	}

}
