package io.rdma.verbs;

/**
 * Link layer of a port.
 */
public enum LinkLayer {

	/** Not told by the device. */
	UNSPECIFIED,

	/** InfiniBand, addressed by LID. */
	INFINIBAND,

	/** Ethernet, addressed by GID. */
	ETHERNET;

}
