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

package io.rdma.verbs.contract;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Closes what a test opened, the last first. That nothing refuses to close is part of
 * every test.
 */
final class Resources implements AutoCloseable {

	private final Deque<AutoCloseable> opened = new ArrayDeque<>();

	<T extends AutoCloseable> T add(T resource) {
		this.opened.push(resource);
		return resource;
	}

	@Override
	public void close() throws Exception {
		Exception failure = null;
		while (!this.opened.isEmpty()) {
			try {
				this.opened.pop().close();
			}
			catch (Exception ex) {
				if (failure == null) {
					failure = ex;
				}
				else {
					failure.addSuppressed(ex);
				}
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

}
