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
 * State and properties of a port ({@code struct ibv_port_attr}).
 *
 * @param state the state
 * @param maxMtu the largest MTU it supports
 * @param activeMtu the MTU in use; a path MTU may not be larger
 * @param gidTableLength the length of the GID table
 * @param maxMessageSize the largest message in bytes
 * @param pkeyTableLength the length of the P_Key table
 * @param lid the LID, 0 on Ethernet
 * @param linkLayer the link layer
 */
public record PortAttributes(PortState state, PathMtu maxMtu, PathMtu activeMtu, int gidTableLength,
		long maxMessageSize, int pkeyTableLength, int lid, LinkLayer linkLayer) {
}
