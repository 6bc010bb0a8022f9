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

package io.rdma.verbs.soft.shm;

import java.lang.management.ManagementFactory;

/**
 * The limit of direct buffers. The JVM does not count mapped files, but who set a limit
 * means memory outside the heap, whatever it is made of.
 */
final class DirectMemoryLimit {

	private static final String OPTION = "-XX:MaxDirectMemorySize=";

	private static final String UNITS = "kmgt";

	private static final int BITS_PER_UNIT = 10;

	private DirectMemoryLimit() {
	}

	static long bytes() {
		long limit = 0;
		for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
			if (argument.startsWith(OPTION)) {
				limit = parse(argument.substring(OPTION.length()));
			}
		}
		// without the option, or with 0, the limit is that of the heap
		return (limit > 0) ? limit : Runtime.getRuntime().maxMemory();
	}

	/**
	 * Read a size as the JVM does, which has checked it.
	 * @param text for example {@code 512m}
	 * @return the number of bytes
	 */
	static long parse(String text) {
		if (text.isEmpty()) {
			return 0;
		}
		int unit = UNITS.indexOf(Character.toLowerCase(text.charAt(text.length() - 1)));
		String digits = (unit < 0) ? text : text.substring(0, text.length() - 1);
		return Long.parseLong(digits) << ((unit + 1) * BITS_PER_UNIT);
	}

}
