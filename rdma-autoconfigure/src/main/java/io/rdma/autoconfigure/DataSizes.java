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

import org.springframework.util.unit.DataSize;
import org.springframework.util.unit.DataUnit;

/**
 * Writes sizes as people do.
 */
final class DataSizes {

	private static final DataUnit[] UNITS = { DataUnit.TERABYTES, DataUnit.GIGABYTES, DataUnit.MEGABYTES,
			DataUnit.KILOBYTES };

	private static final String[] SUFFIXES = { "TB", "GB", "MB", "KB" };

	private DataSizes() {
	}

	/**
	 * Return a size as a setting would have it, exactly.
	 * @param size the size
	 * @return for example {@code 64MB}
	 */
	static String format(DataSize size) {
		for (int i = 0; i < UNITS.length; i++) {
			long unit = DataSize.of(1, UNITS[i]).toBytes();
			if (size.toBytes() != 0 && size.toBytes() % unit == 0) {
				return size.toBytes() / unit + SUFFIXES[i];
			}
		}
		return size.toBytes() + "B";
	}

	/**
	 * Return a number of bytes for people, rounded down.
	 * @param bytes the number
	 * @return for example {@code 1024 MB}
	 */
	static String describe(long bytes) {
		for (int i = 0; i < UNITS.length; i++) {
			long unit = DataSize.of(1, UNITS[i]).toBytes();
			if (bytes >= 10 * unit) {
				return bytes / unit + " " + SUFFIXES[i];
			}
		}
		return bytes + " B";
	}

}
