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
 * An asynchronous event of a device. The event is acknowledged to the device before it is
 * handed out, so that it never holds up the closing of the resource it names.
 *
 * @param type what happened
 * @param resource the {@link QueuePair}, {@link CompletionQueue} or
 * {@link SharedReceiveQueue} it happened to, {@code null} for events of a port or of the
 * whole device
 * @param port the number of the port for events of a port, else 0
 */
public record AsyncEvent(AsyncEventType type, @Nullable Object resource, int port) {
}
