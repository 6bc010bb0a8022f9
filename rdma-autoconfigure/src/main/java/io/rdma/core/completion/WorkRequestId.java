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

package io.rdma.core.completion;

import org.jspecify.annotations.Nullable;

/**
 * The one scheme of {@code wr_id} values: the number of a slot, what kind of slot it is,
 * and how often it was used before. A completion that comes late, twice or for something
 * else has a generation that its slot no longer has, so it can never be taken for
 * another's.
 * <p>
 * Bits 63 to 32 are the generation, 31 to 24 the kind, 23 to 0 the slot.
 */
public final class WorkRequestId {

	/**
	 * Largest number of a slot.
	 */
	public static final int MAX_SLOT = 0xff_ffff;

	private static final int KIND_SHIFT = 24;

	private static final WorkRequestKind[] KINDS = WorkRequestKind.values();

	private WorkRequestId() {
	}

	/**
	 * Make an id. Allocates nothing.
	 * @param kind the kind of slot
	 * @param slot the number of the slot, 0 to {@link #MAX_SLOT}
	 * @param generation how often the slot was used; it may wrap
	 * @return the value for {@code wr_id}, never 0
	 */
	public static long encode(WorkRequestKind kind, int slot, int generation) {
		if (slot < 0 || slot > MAX_SLOT) {
			throw new IllegalArgumentException("Slot " + slot + " is not from 0 to " + MAX_SLOT);
		}
		return ((long) generation << Integer.SIZE) | ((long) (kind.ordinal() + 1) << KIND_SHIFT) | slot;
	}

	/**
	 * Return the kind of slot.
	 * @param id the value of {@code wr_id}
	 * @return the kind, {@code null} if the value was not made here
	 */
	public static @Nullable WorkRequestKind kind(long id) {
		int kind = (int) (id >>> KIND_SHIFT) & 0xff;
		return (kind >= 1 && kind <= KINDS.length) ? KINDS[kind - 1] : null;
	}

	/**
	 * Return the number of the slot.
	 * @param id the value of {@code wr_id}
	 * @return 0 to {@link #MAX_SLOT}
	 */
	public static int slot(long id) {
		return (int) id & MAX_SLOT;
	}

	/**
	 * Return the generation.
	 * @param id the value of {@code wr_id}
	 * @return the generation
	 */
	public static int generation(long id) {
		return (int) (id >>> Integer.SIZE);
	}

	/**
	 * Return an id in words, for messages.
	 * @param id the value of {@code wr_id}
	 * @return for example {@code SEND slot 3 generation 17}
	 */
	public static String describe(long id) {
		WorkRequestKind kind = kind(id);
		return (kind != null) ? kind + " slot " + slot(id) + " generation " + generation(id)
				: "foreign id 0x" + Long.toHexString(id);
	}

}
