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

package io.rdma.verbs.soft;

import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

/**
 * Things by numbers that are drawn at random. Looking up takes no lock and allocates
 * nothing; a change copies the table, so it is for what seldom changes. Thread-safe.
 *
 * @param <T> the type of the things
 */
final class NumberTable<T> {

	private static final int MIN_SLOTS = 16;

	private final ToIntFunction<T> number;

	private final IntFunction<@Nullable T[]> arrays;

	/** Open addressing by the low bits of the number. Never changed. */
	private volatile @Nullable T[] slots;

	private int size;

	/**
	 * Create an empty table.
	 * @param number tells the number of a thing
	 * @param arrays makes arrays of things
	 */
	NumberTable(ToIntFunction<T> number, IntFunction<@Nullable T[]> arrays) {
		this.number = number;
		this.arrays = arrays;
		this.slots = arrays.apply(MIN_SLOTS);
	}

	@Nullable T find(int wanted) {
		@Nullable T[] current = this.slots;
		int mask = current.length - 1;
		int index = wanted & mask;
		while (true) {
			T thing = current[index];
			if (thing == null || this.number.applyAsInt(thing) == wanted) {
				return thing;
			}
			index = (index + 1) & mask;
		}
	}

	/**
	 * Return all things as they are now.
	 * @return an array with gaps, not to be changed; another one after each change
	 */
	@Nullable T[] all() {
		return this.slots;
	}

	/**
	 * Add a thing.
	 * @param thing the thing
	 * @return whether its number was still free
	 */
	synchronized boolean add(T thing) {
		if (find(this.number.applyAsInt(thing)) != null) {
			return false;
		}
		rebuild(this.size + 1, null, thing);
		return true;
	}

	/**
	 * Remove a thing, if it is there.
	 * @param thing the thing
	 */
	synchronized void remove(T thing) {
		if (find(this.number.applyAsInt(thing)) == thing) {
			rebuild(this.size - 1, thing, null);
		}
	}

	private void rebuild(int newSize, @Nullable T removed, @Nullable T added) {
		int length = MIN_SLOTS;
		while (length < newSize * 2) {
			length *= 2;
		}
		@Nullable T[] rebuilt = this.arrays.apply(length);
		for (T thing : this.slots) {
			if (thing != null && thing != removed) {
				put(rebuilt, thing);
			}
		}
		if (added != null) {
			put(rebuilt, added);
		}
		this.size = newSize;
		this.slots = rebuilt;
	}

	private void put(@Nullable T[] target, T thing) {
		int mask = target.length - 1;
		int index = this.number.applyAsInt(thing) & mask;
		while (target[index] != null) {
			index = (index + 1) & mask;
		}
		target[index] = thing;
	}

}
