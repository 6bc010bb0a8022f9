package io.rdma.verbs;

/**
 * How memory is allocated and registered, where a device can do more than the usual.
 *
 * @param hugePages whether to use huge pages of 2 MiB, which the administrator must have
 * reserved: fewer entries in the tables of device and processor
 * @param onDemand whether pages are brought in when the device touches them, so that none
 * is pinned and no limit on locked memory counts
 */
public record MemoryOptions(boolean hugePages, boolean onDemand) {

	/** Base pages, pinned when they are registered. */
	public static final MemoryOptions DEFAULT = new MemoryOptions(false, false);

}
