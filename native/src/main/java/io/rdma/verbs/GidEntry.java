package io.rdma.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A filled entry of the GID table of a port.
 *
 * @param index the index in the table
 * @param gid the GID
 * @param type the type
 * @param netdev the name of the network interface it belongs to, if known
 */
public record GidEntry(int index, Gid gid, GidType type, @Nullable String netdev) {
}
