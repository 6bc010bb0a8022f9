package io.rdma.verbs;

import org.jspecify.annotations.Nullable;

/**
 * The way to a peer ({@code struct ibv_ah_attr}).
 *
 * @param destinationLid the LID of the peer, 0 on Ethernet
 * @param serviceLevel the service level, 0 to 15
 * @param port the local port, from 1
 * @param globalRoute the global route, always needed on Ethernet
 */
public record AddressVector(int destinationLid, int serviceLevel, int port, @Nullable GlobalRoute globalRoute) {

	/**
	 * Return a way over Ethernet.
	 * @param port the local port, from 1
	 * @param globalRoute the route
	 * @return the address vector
	 */
	public static AddressVector ethernet(int port, GlobalRoute globalRoute) {
		return new AddressVector(0, 0, port, globalRoute);
	}

}
