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

import java.util.List;

import io.rdma.verbs.DeviceCandidate;
import org.jspecify.annotations.Nullable;

/**
 * Which device was chosen, and why.
 *
 * @param provider the name of the provider that it comes from
 * @param chosen the device, with port and GID
 * @param reason why it was chosen, as part of a sentence
 * @param candidates everything that was looked at, in order, the chosen one among them
 * @param fallback why it is the software device although the machine has RDMA devices,
 * and what to do, {@code null} if that is not so
 */
public record DeviceChoice(String provider, DeviceCandidate chosen, String reason, List<DeviceCandidate> candidates,
		@Nullable String fallback) {
}
