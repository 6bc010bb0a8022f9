package io.rdma.verbs;

/**
 * Scope in which atomic operations are atomic ({@code ibv_atomic_cap}).
 */
public enum AtomicCapability {

	/** The device has no atomic operations. */
	NONE,

	/** Atomic among the operations of this device only. */
	HCA,

	/** Atomic against other devices and the processor too. */
	GLOB;

}
