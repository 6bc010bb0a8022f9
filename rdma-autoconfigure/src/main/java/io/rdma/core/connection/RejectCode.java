package io.rdma.core.connection;

/**
 * Why a side refuses a handshake. The order is part of the protocol: append only.
 */
enum RejectCode {

	/** A frame is malformed or comes out of order. */
	PROTOCOL,

	/** No version of the handshake is spoken by both sides. */
	VERSION,

	/** The peer could not prove who it is. */
	NOT_TRUSTED,

	/** The two devices cannot reach each other. */
	INCOMPATIBLE,

	/** Both ends claim to be the same queue pair. */
	IDENTITY,

	/** Too many handshakes or connections. */
	BUSY,

	/** The service stops. */
	STOPPING,

	/** A queue pair or memory could not be had. */
	RESOURCES,

	/** No message came through the queue pair. */
	NO_TRAFFIC,

	/** The peer took too long. */
	TIMEOUT,

	/** Anything else. */
	OTHER

}
