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

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProcNetTcp}.
 */
@EnabledIf("isLittleEndian")
class ProcNetTcpTests {

	private static final String TCP = """
			  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
			   0: 0100007F:4853 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41 1 0 100 0 0 10 0
			   1: 0100007F:4853 0100007F:A2C4 01 00000000:00000000 00:00000000 00000000  1000        0 42 1 0 20 4 30 10 -1
			   2: 0100007F:A2C4 0100007F:4853 01 00000000:00000000 00:00000000 00000000  1001        0 43 1 0 20 4 30 10 -1
			   3: 0100007F:A2C5 0100007F:4853 06 00000000:00000000 00:00000000 00000000     0        0 0 3 0
			""";

	private static final String TCP6 = """
			  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
			   0: 0000000000000000FFFF00000100007F:A2C6 0000000000000000FFFF00000100007F:4853 01 00000000:00000000 00:00000000 00000000  1002        0 51 1 0 20 4 0 10 -1
			   1: 00000000000000000000000001000000:A2C7 00000000000000000000000001000000:4853 01 00000000:00000000 00:00000000 00000000  1003        0 52 1 0 20 4 0 10 -1
			""";

	static boolean isLittleEndian() {
		return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
	}

	private static InetSocketAddress address(String host, int port) throws IOException {
		return new InetSocketAddress(InetAddress.getByName(host), port);
	}

	private static ProcNetTcp sample(Path proc) throws IOException {
		Files.createDirectories(proc.resolve("net"));
		Files.createDirectories(proc.resolve("self"));
		Files.writeString(proc.resolve("net/tcp"), TCP);
		Files.writeString(proc.resolve("net/tcp6"), TCP6);
		Files.writeString(proc.resolve("self/status"), "Name:\tjava\nUid:\t1000\t1004\t1000\t1000\nGid:\t1\t1\t1\t1\n");
		return new ProcNetTcp(proc);
	}

	@Test
	void shouldFindTheOwnerOfEachEnd(@TempDir Path proc) throws IOException {
		ProcNetTcp sockets = sample(proc);
		InetSocketAddress server = address("127.0.0.1", 0x4853);
		InetSocketAddress client = address("127.0.0.1", 0xA2C4);
		assertThat(sockets.userOf(client, server)).isEqualTo(OptionalLong.of(1001));
		assertThat(sockets.userOf(server, client)).isEqualTo(OptionalLong.of(1000));
	}

	@Test
	void shouldFindIpv4InTheTableOfIpv6(@TempDir Path proc) throws IOException {
		assertThat(sample(proc).userOf(address("127.0.0.1", 0xA2C6), address("127.0.0.1", 0x4853)))
			.isEqualTo(OptionalLong.of(1002));
	}

	@Test
	void shouldFindIpv6(@TempDir Path proc) throws IOException {
		assertThat(sample(proc).userOf(address("::1", 0xA2C7), address("::1", 0x4853)))
			.isEqualTo(OptionalLong.of(1003));
	}

	@Test
	void whenConnectionIsNotEstablishedThenItHasNoOwner(@TempDir Path proc) throws IOException {
		ProcNetTcp sockets = sample(proc);
		assertThat(sockets.userOf(address("127.0.0.1", 0xA2C5), address("127.0.0.1", 0x4853))).isEmpty();
		assertThat(sockets.userOf(address("127.0.0.1", 1), address("127.0.0.1", 0x4853))).isEmpty();
	}

	@Test
	void shouldTellTheEffectiveUser(@TempDir Path proc) throws IOException {
		assertThat(sample(proc).ownUser()).isEqualTo(OptionalLong.of(1004));
	}

	@Test
	void whenThereAreNoTablesThenNothingIsKnown(@TempDir Path proc) throws IOException {
		ProcNetTcp sockets = new ProcNetTcp(proc);
		assertThat(sockets.ownUser()).isEmpty();
		assertThat(sockets.userOf(address("127.0.0.1", 0xA2C4), address("127.0.0.1", 0x4853))).isEmpty();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void shouldFindARealConnection() throws IOException {
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
				Socket accepted = server.accept()) {
			ProcNetTcp sockets = new ProcNetTcp();
			assertThat(sockets.userOf((InetSocketAddress) client.getLocalSocketAddress(),
					(InetSocketAddress) client.getRemoteSocketAddress()))
				.isEqualTo(sockets.ownUser())
				.isNotEmpty();
			assertThat(accepted.isConnected()).isTrue();
		}
	}

}
