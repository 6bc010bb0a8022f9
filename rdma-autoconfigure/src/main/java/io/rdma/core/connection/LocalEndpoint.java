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

package io.rdma.core.connection;

import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.ProtectionDomain;

/**
 * The end of all connections on this side: the open device, and where on it.
 *
 * @param deviceKind the name of the provider, {@code verbs} or {@code soft}
 * @param context the open device
 * @param protectionDomain the protection domain of all queue pairs and memory
 * @param port the number of the port, from 1
 * @param gid the entry of the port's GID table that peers reach us by
 */
public record LocalEndpoint(String deviceKind, DeviceContext context, ProtectionDomain protectionDomain, int port,
		GidEntry gid) {
}
