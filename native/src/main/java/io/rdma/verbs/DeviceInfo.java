package io.rdma.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A device as the device list shows it, before it is opened.
 *
 * @param name the name, for example {@code mlx5_0}
 * @param guid the node GUID as a big-endian number
 * @param transport the transport
 * @param netdev the name of its network interface, if it has one
 * @param numaNode the NUMA node it is attached to, -1 if unknown
 */
public record DeviceInfo(String name, long guid, TransportType transport, @Nullable String netdev, int numaNode) {
}
