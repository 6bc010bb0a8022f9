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

package io.rdma.core.memory;

import java.lang.management.ManagementFactory;

import com.sun.management.OperatingSystemMXBean;

/**
 * Sizes of memory, for checks and messages.
 */
final class MemorySize {

	private static final String[] UNITS = { "TB", "GB", "MB", "KB" };

	private MemorySize() {
	}

	/**
	 * Return a size as settings spell it.
	 * @param bytes the number of bytes
	 * @return for example {@code 64MB}, or {@code 4097B} if no larger unit divides it
	 */
	static String describe(long bytes) {
		if (bytes != 0) {
			long unit = 1L << 40;
			for (String name : UNITS) {
				if (bytes % unit == 0) {
					return bytes / unit + name;
				}
				unit >>= 10;
			}
		}
		return bytes + "B";
	}

	/**
	 * Return how much memory this machine or container has.
	 * @return the number of bytes, {@link Long#MAX_VALUE} if it is not known
	 */
	static long ofMachine() {
		return (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
				&& system.getTotalMemorySize() > 0) ? system.getTotalMemorySize() : Long.MAX_VALUE;
	}

}
