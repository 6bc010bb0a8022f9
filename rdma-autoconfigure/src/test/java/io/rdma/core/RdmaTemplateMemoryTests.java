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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.rdma.core.memory.RdmaBuffer;
import io.rdma.testing.RdmaTestNode;
import io.rdma.verbs.AccessFlag;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the one-sided operations of {@link RdmaTemplate}.
 */
class RdmaTemplateMemoryTests {

	private static final int PIECE = 64 * 1024;

	private static final int REGION = 4 * 1024 * 1024;

	private static RdmaTestNode storage;

	private static RdmaTestNode client;

	private static RdmaTemplate rdma;

	@BeforeAll
	static void start() {
		storage = RdmaTestNode.named("storage")
			.region("blobs", REGION, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ)
			.region("counters", 4096, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC)
			.start();
		client = RdmaTestNode.named("client")
			.peer("storage", storage.port())
			.templateSettings((settings) -> settings.withChunkSize(PIECE).withWindow(4))
			.start();
		rdma = client.template();
		rdma.write("storage", "blobs", 0, new byte[1]);
	}

	@AfterAll
	static void stop() {
		client.close();
		storage.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 7, 64, 4096, PIECE, PIECE + 1, 10 * PIECE + 13 })
	void whenBytesAreWrittenThenTheyAreReadBack(int length) {
		byte[] bytes = bytes(length);
		rdma.write("storage", "blobs", 100, bytes);
		assertThat(stored(100, length)).isEqualTo(bytes);
		assertThat(rdma.read("storage", "blobs", 100, length)).isEqualTo(bytes);
		assertThat(rdma.readAsync("storage", "blobs", 100, length).join()).isEqualTo(bytes);
	}

	private static byte[] bytes(int length) {
		byte[] bytes = new byte[length];
		new Random(length).nextBytes(bytes);
		return bytes;
	}

	private static byte[] stored(long offset, int length) {
		ByteBuffer content = ByteBuffer.allocate(length);
		storage.region("blobs").get(offset, content);
		return content.array();
	}

}
