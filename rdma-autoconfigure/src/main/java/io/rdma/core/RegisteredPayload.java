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

import io.rdma.core.memory.RdmaBuffer;
import lombok.Getter;
import lombok.experimental.Accessors;

/**
 * A payload in a pool buffer, which needs no copy.
 */
@Getter
@Accessors(fluent = true)
final class RegisteredPayload extends RdmaPayload {

	private final RdmaBuffer buffer;

	private final int start;

	private final int size;

	RegisteredPayload(RdmaBuffer buffer) {
		this.buffer = buffer;
		this.start = buffer.byteBuffer().position();
		this.size = buffer.byteBuffer().remaining();
	}

	@Override
	long length() {
		return this.size;
	}

	@Override
	PayloadReader open(long length) {
		throw new IllegalStateException("A pool buffer is sent as it is");
	}

}
