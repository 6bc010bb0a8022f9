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

package io.rdma.actuate;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the number of values of a tag bounded: names that are known beforehand and the
 * first others stand for themselves, all further ones are {@value #OTHER}. Thread-safe.
 */
final class BoundedNames {

	/**
	 * What further names become.
	 */
	static final String OTHER = "other";

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	private final int limit;

	/**
	 * Create bounded names.
	 * @param known the names that are known beforehand
	 * @param others how many others can stand for themselves
	 */
	BoundedNames(Collection<String> known, int others) {
		this.names.addAll(known);
		this.limit = this.names.size() + others;
	}

	String tag(String name) {
		if (this.names.contains(name)) {
			return name;
		}
		synchronized (this.names) {
			if (this.names.size() < this.limit) {
				this.names.add(name);
			}
			return this.names.contains(name) ? name : OTHER;
		}
	}

}
