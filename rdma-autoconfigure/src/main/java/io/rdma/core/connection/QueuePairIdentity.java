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
