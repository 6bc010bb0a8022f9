package io.rdma.verbs;

/**
 * State and properties of a port ({@code struct ibv_port_attr}).
 *
 * @param state the state
 * @param maxMtu the largest MTU it supports
 * @param activeMtu the MTU in use; a path MTU may not be larger
 * @param gidTableLength the length of the GID table
 * @param maxMessageSize the largest message in bytes
 * @param pkeyTableLength the length of the P_Key table
 * @param lid the LID, 0 on Ethernet
 * @param linkLayer the link layer
 */
public record PortAttributes(PortState state, PathMtu maxMtu, PathMtu activeMtu, int gidTableLength,
		long maxMessageSize, int pkeyTableLength, int lid, LinkLayer linkLayer) {
}
