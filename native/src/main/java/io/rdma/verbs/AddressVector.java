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
