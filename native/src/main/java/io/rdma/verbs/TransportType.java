package io.rdma.verbs;

/**
 * Transport of a device ({@code ibv_transport_type}).
 */
public enum TransportType {

	/** InfiniBand and RoCE. */
	INFINIBAND,

	/** iWARP. */
	IWARP;

}
