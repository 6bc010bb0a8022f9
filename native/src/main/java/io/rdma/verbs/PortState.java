package io.rdma.verbs;

/**
 * State of a port ({@code ibv_port_state}).
 */
public enum PortState {

	/** No state change. */
	NOP,

	/** The link is down. */
	DOWN,

	/** The link is up, the port is not configured. */
	INIT,

	/** The port is configured, not yet active. */
	ARMED,

	/** The port carries traffic. */
	ACTIVE,

	/** Active with the link temporarily down. */
	ACTIVE_DEFER;

}
