package io.rdma.core.connection;

import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.ProtectionDomain;

/**
 * The end of all connections on this side: the open device, and where on it.
 *
 * @param deviceKind the name of the provider, {@code verbs} or {@code soft}
 * @param context the open device
 * @param protectionDomain the protection domain of all queue pairs and memory
 * @param port the number of the port, from 1
 * @param gid the entry of the port's GID table that peers reach us by
 */
public record LocalEndpoint(String deviceKind, DeviceContext context, ProtectionDomain protectionDomain, int port,
		GidEntry gid) {
}
