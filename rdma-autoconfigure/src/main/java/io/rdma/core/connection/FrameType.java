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

package io.rdma.core.connection;

import org.jspecify.annotations.Nullable;

/**
 * Kinds of frames on the control channel. The order is part of the protocol: append only.
 */
enum FrameType {

	/** Who a side is and what it can do; the first frame each way. */
	HELLO,

	/** Why the handshake ends here. */
	REJECT,

	/** What proves that a side is who it says. */
	PROOF,

	/** What a side lets the other use: credits and regions. */
	PARAMETERS,

	/** Nothing more will be sent over the queue pair; it ends in order. */
	BYE;

	private static final FrameType[] VALUES = values();

	static @Nullable FrameType of(int code) {
		return (code >= 0 && code < VALUES.length) ? VALUES[code] : null;
	}

}
