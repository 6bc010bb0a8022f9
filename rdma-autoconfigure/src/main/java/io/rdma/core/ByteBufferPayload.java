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

/**
 * A payload in memory.
 */
final class ByteBufferPayload extends RdmaPayload {

	private final ByteBuffer original;

	private final ByteBuffer content;

	ByteBufferPayload(ByteBuffer original) {
		this.original = original;
		this.content = original.slice();
	}

	@Override
	long length() {
		return this.content.capacity();
	}

	@Override
	PayloadReader open(long length) {
		ByteBuffer source = this.content.duplicate();
		return (target) -> {
			int count = target.remaining();
			target.put(target.position(), source, source.position(), count);
			target.position(target.limit());
			source.position(source.position() + count);
		};
	}

	@Override
	void consumed() {
		this.original.position(this.original.limit());
	}

}
