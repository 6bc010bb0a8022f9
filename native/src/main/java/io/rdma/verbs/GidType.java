package io.rdma.verbs;

/**
 * Type of an entry of the GID table ({@code ibv_gid_type}).
 */
public enum GidType {

	/** InfiniBand. */
	IB("IB"),

	/** RoCE version 1, not routable. */
	ROCE_V1("RoCE v1"),

	/** RoCE version 2, over UDP. */
	ROCE_V2("RoCE v2");

	private final String label;

	GidType(String label) {
		this.label = label;
	}

	/**
	 * Return the name as sysfs and the tools of rdma-core print it.
	 * @return the name
	 */
	public String label() {
		return this.label;
	}

}
