package io.rdma.verbs;

/**
 * The part of an address that is needed on Ethernet and between subnets
 * ({@code struct ibv_global_route}).
 *
 * @param destinationGid the GID of the peer
 * @param sourceGidIndex the index of our GID in the table of the port
 * @param hopLimit how many routers the packets may pass, 0 to 255
 * @param trafficClass the traffic class, 0 to 255
 * @param flowLabel the flow label, 20 bits
 */
public record GlobalRoute(Gid destinationGid, int sourceGidIndex, int hopLimit, int trafficClass, int flowLabel) {

	/**
	 * Create a route with hop limit 64, traffic class 0 and flow label 0.
	 * @param destinationGid the GID of the peer
	 * @param sourceGidIndex the index of our GID
	 */
	public GlobalRoute(Gid destinationGid, int sourceGidIndex) {
		this(destinationGid, sourceGidIndex, 64, 0, 0);
	}

}
