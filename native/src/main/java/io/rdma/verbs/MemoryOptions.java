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
 * How memory is allocated and registered, where a device can do more than the usual.
 *
 * @param hugePages whether to use huge pages of 2 MiB, which the administrator must have
 * reserved: fewer entries in the tables of device and processor
 * @param onDemand whether pages are brought in when the device touches them, so that none
 * is pinned and no limit on locked memory counts
 */
public record MemoryOptions(boolean hugePages, boolean onDemand) {

	/** Base pages, pinned when they are registered. */
	public static final MemoryOptions DEFAULT = new MemoryOptions(false, false);

}
