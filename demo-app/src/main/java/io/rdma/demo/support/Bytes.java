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

package io.rdma.demo.support;

import java.util.Locale;

/**
 * Writes numbers of bytes for people to read.
 */
public final class Bytes {

	private static final String[] UNITS = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };

	private Bytes() {
	}

	/**
	 * Write a number of bytes with a unit.
	 * @param bytes the number
	 * @return for example {@code 128.7 MB}
	 */
	public static String format(long bytes) {
		return format((double) bytes);
	}

	/**
	 * Write a number of bytes with a unit.
	 * @param bytes the number
	 * @return for example {@code 128.7 MB}
	 */
	public static String format(double bytes) {
		double value = bytes;
		int unit = 0;
		while (value >= 999.95 && unit < UNITS.length - 1) {
			value /= 1000;
			unit++;
		}
		return String.format(Locale.ROOT, (unit == 0) ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
	}

}
