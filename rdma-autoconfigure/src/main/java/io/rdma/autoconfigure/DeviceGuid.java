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

import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * The GUID of a device as people write it.
 */
final class DeviceGuid {

	private static final int DIGITS = 16;

	private DeviceGuid() {
	}

	/**
	 * Parse a GUID.
	 * @param text 16 hexadecimal digits, with colons between them or not
	 * @return the GUID as a big-endian number, {@code null} if the text is none
	 */
	static @Nullable Long parse(String text) {
		String digits = text.strip().replace(":", "");
		if (digits.startsWith("0x")) {
			digits = digits.substring(2);
		}
		if (digits.length() != DIGITS || !digits.chars().allMatch(HexFormat::isHexDigit)) {
			return null;
		}
		return HexFormat.fromHexDigitsToLong(digits);
	}

	/**
	 * Format a GUID as the kernel does.
	 * @param guid the GUID
	 * @return its digits, with a colon after every fourth
	 */
	static String format(long guid) {
		return HexFormat.of().toHexDigits(guid).replaceAll("(.{4})(?!$)", "$1:");
	}

}
