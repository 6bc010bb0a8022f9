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

package io.rdma.autoconfigure;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;

/**
 * How much memory there is outside the Java heap.
 *
 * @param machineMemory how many bytes the machine, or the container, has
 * @param directMemory how many bytes direct buffers can have in all: the limit of
 * {@code -XX:MaxDirectMemorySize}, or what takes its place
 */
record MemoryLimits(long machineMemory, long directMemory) {

	static MemoryLimits current() {
		return new MemoryLimits(readMachineMemory(), readDirectMemory());
	}

	private static long readMachineMemory() {
		OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
		long memory = (system != null) ? system.getTotalMemorySize() : 0;
		return (memory > 0) ? memory : Long.MAX_VALUE;
	}

	private static long readDirectMemory() {
		HotSpotDiagnosticMXBean diagnostic = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
		long limit = (diagnostic != null) ? Long.parseLong(diagnostic.getVMOption("MaxDirectMemorySize").getValue())
				: 0;
		return (limit != 0) ? limit : Runtime.getRuntime().maxMemory();
	}

	/**
	 * Return how much memory direct buffers have now.
	 * @return the bytes in use, those of buffers that nobody refers to among them
	 */
	static long directMemoryInUse() {
		return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)
			.stream()
			.filter((pool) -> "direct".equals(pool.getName()))
			.mapToLong(BufferPoolMXBean::getMemoryUsed)
			.sum();
	}

}
