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

import org.springframework.util.Assert;

/**
 * Checks the arguments of calls.
 */
final class Arguments {

	private Arguments() {
	}

	static void checkPeer(String peer) {
		Assert.hasText(peer, "'peer' must not be empty");
	}

	static void checkCall(String peer, RdmaPayload payload) {
		checkPeer(peer);
		Assert.notNull(payload, "'payload' must not be null");
	}

	static void checkCall(String peer, String region) {
		checkPeer(peer);
		Assert.hasText(region, "'region' must not be empty");
	}

	static void checkCall(String peer, String region, TransferOptions options) {
		checkCall(peer, region);
		Assert.notNull(options, "'options' must not be null");
	}

	static void checkCall(String peer, String region, RdmaPayload payload, TransferOptions options) {
		checkCall(peer, region, options);
		Assert.notNull(payload, "'payload' must not be null");
	}

	static void checkCall(String peer, String region, long length, TransferOptions options) {
		checkCall(peer, region, options);
		Assert.isTrue(length >= 0, () -> "'length' must not be negative, but is " + length);
	}

	static void checkCall(String peer, String region, ByteBuffer destination, TransferOptions options) {
		checkCall(peer, region, options);
		Assert.notNull(destination, "'destination' must not be null");
		Assert.isTrue(!destination.isReadOnly(), "'destination' must not be read-only");
	}

}
