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

import io.rdma.verbs.Gid;

/**
 * What names a queue pair in the world: its number alone does not.
 *
 * @param deviceKind the kind of device
 * @param guid the GUID of the device
 * @param lid the LID of the port, 0 on Ethernet
 * @param gid the GID
 * @param number the number of the queue pair
 */
record QueuePairIdentity(String deviceKind, long guid, int lid, Gid gid, int number) {

	@Override
	public String toString() {
		return "queue pair 0x%06x of device %s %016x at GID %s%s".formatted(this.number, this.deviceKind, this.guid,
				this.gid, (this.lid != 0) ? ", LID " + this.lid : "");
	}

}
