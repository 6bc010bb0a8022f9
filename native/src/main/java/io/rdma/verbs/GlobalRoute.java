/*
 * Copyright 2026 the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
