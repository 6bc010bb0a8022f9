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

package io.rdma.core;

import java.nio.ByteBuffer;

import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Collects what is read in an array, which is made when the first bytes come: a read that
 * is refused allocates nothing.
 */
@RequiredArgsConstructor
final class ByteArrayEnd implements LocalEnd {

	private final int length;

	private @Nullable ByteBuffer content;

	@Override
	public void take(ByteBuffer piece) {
		allocated().put(piece);
	}

	byte[] content() {
		return allocated().array();
	}

	private ByteBuffer allocated() {
		ByteBuffer current = this.content;
		if (current == null) {
			current = ByteBuffer.allocate(this.length);
			this.content = current;
		}
		return current;
	}

}
