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

import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Something that a device counts. The value only grows while the device is open.
 *
 * @param name what is counted, such as {@code packets.dropped}
 * @param reason why, where one name has several counters, {@code null} otherwise
 * @param description what it tells an operator, one sentence
 * @param value supplies the value; cheap, and may be called from any thread
 */
public record DeviceCounter(String name, @Nullable String reason, String description, LongSupplier value) {

}
