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
package io.rdma.verbs.jni;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link NativeSocket}: what keeps it from harm. What it carries is tested with
 * the ports that use it.
 */
@EnabledIf("io.rdma.verbs.jni.NativeBuild#isThere")
class NativeSocketTests {

	private static final int UDP_NO_CHECK6_TX = 101;

	private static final InetSocketAddress LOOPBACK = address(127, 0, 0, 1);

	private static InetSocketAddress address(int... bytes) {
		byte[] address = new byte[bytes.length];
		for (int i = 0; i < bytes.length; i++) {
			address[i] = (byte) bytes[i];
		}
		try {
			return new InetSocketAddress(InetAddress.getByAddress(address), 0);
		}
		catch (UnknownHostException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	@Test
	void shouldReceiveOverIpv6WhatHasNoChecksum() throws IOException {
		ByteBuffer block = ByteBuffer.allocateDirect(1 << 12);
		int sender = SystemCallException.check(SystemCalls.openSocket(true), "socket");
		try (NativeSocket socket = NativeSocket.open(address(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
				1 << 16)) {
			assertThat(SystemCalls.setOption(sender, 17, UDP_NO_CHECK6_TX, 1)).isZero();
			int entry = 4 * 64;
			block.putLong(entry + 8, 1);
			block.putInt(entry + 16, 33);
			block.putInt(entry + 20, socket.localAddress().getPort());
			assertThat(SystemCalls.send(sender, block, 4, 64, 0, 1)).isOne();
			assertThat(socket.receive(block, 4, 64, 20_000_000_000L)).isOne();
			assertThat(block.getInt(entry + 16)).isEqualTo(33);
		}
		finally {
			SystemCalls.close(sender);
		}
	}

	@Test
	void whenTheBufferIsTooSmallThenItIsRefused() throws IOException {
		try (NativeSocket socket = NativeSocket.open(LOOPBACK, 1 << 16)) {
			for (ByteBuffer block : List.of(ByteBuffer.allocateDirect(4 * 64 + 4 * NativeSocket.ENTRY_SIZE - 1),
					ByteBuffer.allocate(1 << 16), ByteBuffer.allocateDirect(1 << 16).asReadOnlyBuffer())) {
				assertThatExceptionOfType(IllegalArgumentException.class)
					.isThrownBy(() -> socket.receive(block, 4, 64, 0));
				assertThatExceptionOfType(IllegalArgumentException.class)
					.isThrownBy(() -> socket.send(block, 4, 64, 0, 1));
			}
		}
	}

	@Test
	void whenTheNumbersAreNoneThenTheyAreRefused() throws IOException {
		ByteBuffer block = ByteBuffer.allocateDirect(1 << 16);
		try (NativeSocket socket = NativeSocket.open(LOOPBACK, 1 << 16)) {
			assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> socket.receive(block, 0, 64, 0));
			assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> socket.receive(block, 4, 0, 0));
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> socket.receive(block, -4, -64, 0));
			assertThatExceptionOfType(ArithmeticException.class)
				.isThrownBy(() -> socket.receive(block, 1 << 20, 1 << 20, 0));
			assertThatExceptionOfType(IndexOutOfBoundsException.class)
				.isThrownBy(() -> socket.send(block, 4, 64, 0, 5));
			assertThatExceptionOfType(IndexOutOfBoundsException.class)
				.isThrownBy(() -> socket.send(block, 4, 64, -1, 1));
			assertThat(socket.send(block, 4, 64, 2, 2)).isZero();
		}
	}

	@Test
	void whenAnEntryTellsALengthAboveItsSlotThenItIsCut() throws IOException {
		ByteBuffer block = ByteBuffer.allocateDirect(1 << 12);
		try (NativeSocket socket = NativeSocket.open(LOOPBACK, 1 << 16)) {
			int entry = 4 * 64;
			block.putLong(entry + 8, 0xffff_7f00_0001L);
			block.putInt(entry + 16, -1);
			block.putInt(entry + 20, socket.localAddress().getPort());
			assertThat(socket.send(block, 4, 64, 0, 1)).isOne();
			assertThat(socket.receive(block, 4, 64, 20_000_000_000L)).isOne();
			assertThat(block.getInt(entry + 16)).isEqualTo(64);
		}
	}

	@Test
	void whenItIsClosedOrCannotBeOpenedThenNoDescriptorStaysOpen() throws IOException {
		try (NativeSocket first = NativeSocket.open(LOOPBACK, 1 << 16)) {
			long before = descriptors();
			for (int i = 0; i < 50; i++) {
				assertThatExceptionOfType(SystemCallException.class)
					.isThrownBy(() -> NativeSocket.open(first.localAddress(), 1 << 16))
					.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(LinuxError.EADDRINUSE));
				NativeSocket.open(LOOPBACK, 1 << 16).close();
			}
			assertThat(descriptors()).isLessThan(before + 25);
		}
	}

	private static long descriptors() throws IOException {
		try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
			return open.count();
		}
	}

}
