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
 * Maximum payload of one packet ({@code ibv_mtu}).
 */
public enum PathMtu {

	/** 256 bytes. */
	MTU_256(256),

	/** 512 bytes. */
	MTU_512(512),

	/** 1024 bytes. */
	MTU_1024(1024),

	/** 2048 bytes. */
	MTU_2048(2048),

	/** 4096 bytes. */
	MTU_4096(4096);

	private static final PathMtu[] VALUES = values();

	private final int bytes;

	PathMtu(int bytes) {
		this.bytes = bytes;
	}

	/**
	 * Return the size in bytes.
	 * @return 256 to 4096
	 */
	public int bytes() {
		return this.bytes;
	}

	/**
	 * Return the number in {@code ibv_mtu}.
	 * @return 1 to 5
	 */
	public int code() {
		return ordinal() + 1;
	}

	/**
	 * Return the smaller of this and another MTU.
	 * @param other the other
	 * @return the smaller
	 */
	public PathMtu min(PathMtu other) {
		return (other.bytes < this.bytes) ? other : this;
	}

	/**
	 * Return the MTU of a number.
	 * @param code the number in {@code ibv_mtu}
	 * @return the MTU
	 * @throws IllegalArgumentException if there is none
	 */
	public static PathMtu of(int code) {
		if (code < 1 || code > VALUES.length) {
			throw new IllegalArgumentException("No path MTU has the number " + code);
		}
		return VALUES[code - 1];
	}

	/**
	 * Return the MTU of a size.
	 * @param bytes 256, 512, 1024, 2048 or 4096
	 * @return the MTU
	 * @throws IllegalArgumentException if the size is none of these
	 */
	public static PathMtu ofBytes(int bytes) {
		for (PathMtu mtu : VALUES) {
			if (mtu.bytes == bytes) {
				return mtu;
			}
		}
		throw new IllegalArgumentException(
				"A path MTU is 256, 512, 1024, 2048 or 4096 bytes, but " + bytes + " was given");
	}

}
