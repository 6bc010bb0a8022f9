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

import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * What came out of looking for a device.
 *
 * @param chosen the device to use, {@code null} if none can be used
 * @param reason why that one, or why none, as part of a sentence
 * @param candidates everything that was looked at, in order
 */
public record DeviceSelection(@Nullable DeviceCandidate chosen, String reason, List<DeviceCandidate> candidates) {

	/**
	 * Return whether the machine has a device at all, usable or not.
	 * @return whether there is one
	 */
	public boolean hasDevices() {
		return !this.candidates.isEmpty();
	}

	/**
	 * Return the selection in one line, for the log.
	 * @return the line
	 */
	public String describe() {
		DeviceCandidate device = this.chosen;
		String others = this.candidates.stream()
			.filter((candidate) -> !candidate.equals(device))
			.map(DeviceCandidate::toString)
			.collect(Collectors.joining("; "));
		String start = (device != null) ? "Using device " + device + ", " + this.reason
				: "No device can be used: " + this.reason;
		return others.isEmpty() ? start : start + ". Looked at besides: " + others;
	}

}
