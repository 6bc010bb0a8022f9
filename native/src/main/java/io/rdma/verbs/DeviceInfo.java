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
 * A device as the device list shows it, before it is opened.
 *
 * @param name the name, for example {@code mlx5_0}
 * @param guid the node GUID as a big-endian number
 * @param transport the transport
 * @param netdev the name of its network interface, if it has one
 * @param numaNode the NUMA node it is attached to, -1 if unknown
 */
public record DeviceInfo(String name, long guid, TransportType transport, @Nullable String netdev, int numaNode) {
}
