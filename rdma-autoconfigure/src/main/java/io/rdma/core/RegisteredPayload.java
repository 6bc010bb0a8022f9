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

import io.rdma.core.memory.RdmaBuffer;

/**
 * A payload in a pool buffer, which needs no copy.
 */
final class RegisteredPayload extends RdmaPayload {

	private final RdmaBuffer buffer;

	RegisteredPayload(RdmaBuffer buffer) {
		this.buffer = buffer;
	}

	@Override
	long length() {
		return this.buffer.byteBuffer().remaining();
	}

	@Override
	boolean isExternal() {
		return false;
	}

	@Override
	PayloadReader open(long length) {
		ByteBuffer source = this.buffer.byteBuffer().duplicate();
		return (target) -> {
			ByteBuffer piece = source.slice(source.position(), target.remaining());
			source.position(source.position() + piece.remaining());
			target.put(piece);
		};
	}

	@Override
	RdmaBuffer buffer() {
		return this.buffer;
	}

}
