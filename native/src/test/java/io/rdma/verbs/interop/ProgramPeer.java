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

package io.rdma.verbs.interop;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AddressVector;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GlobalRoute;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequest;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.WorkCompletions;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One end of a test of rdma-core or of perftest, with the handshake that these programs
 * do over TCP before they use the device.
 */
final class ProgramPeer implements Closeable {

	/** Where both kinds of programs listen. */
	static final int PORT = 18515;

	private static final int PSN = 0x123456;

	private static final int RECEIVES = 64;

	private static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("rdma.test.patience", 60));

	private static final String VERSION = "6.06";

	private final int gidIndex;

	private final DeviceContext context;

	private final ProtectionDomain domain;

	private final CompletionQueue sends;

	private final CompletionQueue receives;

	private final QueuePair pair;

	private final Gid gid;

	private final WorkCompletions completions;

	private final SendWorkRequests request;

	private final ReceiveWorkRequests receive;

	/** What is sent, and where what comes goes to. */
	final MemoryRegion memory;

	private @Nullable Socket socket;

	private boolean client;

	/** What the other side has told of itself. */
	long remoteAddress;

	/** What the other side has told of itself. */
	int remoteKey;

	private int remoteNumber;

	private int remotePsn;

	private Gid remoteGid = new Gid(0, 0);

	ProgramPeer(DeviceContext context, int gidIndex, int size) {
		this.context = context;
		this.gidIndex = gidIndex;
		this.domain = this.context.allocateProtectionDomain();
		this.sends = this.context.createCompletionQueue(256, null);
		this.receives = this.context.createCompletionQueue(256, null);
		this.pair = this.domain.createQueuePair(
				new QueuePairInitAttributes(this.sends, this.receives, new QueuePairCapabilities(64, RECEIVES)));
		this.memory = this.domain.allocateMemory(size, EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE,
				AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC));
		this.gid = this.context.queryGidTable(1)
			.stream()
			.filter((entry) -> entry.index() == gidIndex)
			.map(GidEntry::gid)
			.findFirst()
			.orElseThrow();
		this.completions = this.context.allocateWorkCompletions(1);
		this.request = this.context.allocateSendWorkRequests(1, 1);
		this.receive = this.context.allocateReceiveWorkRequests(1, 1);
		this.pair.modify(QueuePairAttributes.to(QueuePairState.INIT)
			.pkeyIndex(0)
			.port(1)
			.accessFlags(EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC))
			.build());
	}

	/** Connect to a program that listens on a host, or is about to. */
	void connect(InetAddress host) throws IOException {
		this.client = true;
		use(Awaitility.await()
			.atMost(PATIENCE)
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(50))
			.ignoreExceptionsInstanceOf(IOException.class)
			.until(() -> attempt(host), Socket::isConnected));
	}

	private static Socket attempt(InetAddress host) throws IOException {
		Socket socket = new Socket();
		try {
			socket.connect(new InetSocketAddress(host, PORT), 5000);
			return socket;
		}
		catch (IOException ex) {
			socket.close();
			throw ex;
		}
	}

	static ServerSocket listen() throws IOException {
		ServerSocket server = new ServerSocket();
		server.setReuseAddress(true);
		server.bind(new InetSocketAddress(PORT));
		server.setSoTimeout((int) PATIENCE.toMillis());
		return server;
	}

	/** Take the connection of a program that was started. */
	void accept(ServerSocket server) throws IOException {
		use(server.accept());
	}

	private void use(Socket connected) throws IOException {
		this.socket = connected;
		connected.setTcpNoDelay(true);
		connected.setSoTimeout((int) PATIENCE.toMillis());
	}

	// ibv_rc_pingpong

	void pingpongHandshake() throws IOException {
		String own = "%04x:%06x:%06x:%s\0".formatted(0, this.pair.number(), PSN,
				HexFormat.of().formatHex(this.gid.toBytes()));
		if (this.client) {
			write(own);
			pingpongAddress(read(own.length()));
			toReady(1);
			write("done\0");
		}
		else {
			pingpongAddress(read(own.length()));
			toReady(1);
			write(own);
			assertThat(read(5)).startsWith("done");
		}
	}

	private void pingpongAddress(String message) {
		String[] fields = message.split("[:\0]", -1);
		this.remoteNumber = Integer.parseInt(fields[1], 16);
		this.remotePsn = Integer.parseInt(fields[2], 16);
		this.remoteGid = Gid.of(HexFormat.of().parseHex(fields[3]));
	}

	// perftest

	/**
	 * Do what perftest does before the first request.
	 * @param exchanges how often the program exchanges keys until then; it connects after
	 * the first or the second time
	 */
	void perftestHandshake(int exchanges) throws IOException {
		assertThat(exchange(VERSION + "\0".repeat(16 - VERSION.length()))).startsWith(VERSION);
		exchange("\0\0\20\0");
		exchange("\0\0\0\100");
		exchange("3\0");
		exchangeKeys();
		toReady(1);
		for (int i = 1; i < exchanges; i++) {
			exchangeKeys();
		}
	}

	/** Exchange keys, which is how both sides wait for each other too. */
	void exchangeKeys() throws IOException {
		if (this.client) {
			writeKeys();
			readKeys();
		}
		else {
			readKeys();
			writeKeys();
		}
	}

	/** Read keys: a client of ours has come that far then, and waits for our answer. */
	void readKeys() throws IOException {
		String[] fields = read(keys().length()).split("[:\0]", -1);
		this.remoteNumber = Integer.parseInt(fields[2], 16);
		this.remotePsn = Integer.parseInt(fields[3], 16);
		this.remoteKey = Integer.parseUnsignedInt(fields[4], 16);
		this.remoteAddress = Long.parseUnsignedLong(fields[5], 16);
		byte[] raw = new byte[16];
		for (int i = 0; i < raw.length; i++) {
			raw[i] = (byte) Integer.parseInt(fields[6 + i], 16);
		}
		this.remoteGid = Gid.of(raw);
	}

	void writeKeys() throws IOException {
		write(keys());
	}

	private String keys() {
		StringBuilder keys = new StringBuilder("%04x:%04x:%06x:%06x:%08x:%016x:".formatted(0, 1, this.pair.number(),
				PSN, this.memory.rkey(), this.memory.address()));
		for (byte value : this.gid.toBytes()) {
			keys.append("%02x:".formatted(value & 0xff));
		}
		return keys.append("%08x:\0".formatted(0)).toString();
	}

	/** Five numbers of eight bytes each, of which we tell none. */
	void exchangeBandwidthReports() throws IOException {
		for (int i = 0; i < 5; i++) {
			exchange("\0".repeat(8));
		}
	}

	private String exchange(String own) throws IOException {
		if (this.client) {
			write(own);
			return read(own.length());
		}
		String other = read(own.length());
		write(own);
		return other;
	}

	private Socket socket() {
		Socket connected = this.socket;
		assertThat(connected).isNotNull();
		return connected;
	}

	private void write(String text) throws IOException {
		socket().getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
	}

	private String read(int length) throws IOException {
		byte[] bytes = new byte[length];
		try {
			new DataInputStream(socket().getInputStream()).readFully(bytes);
		}
		catch (EOFException ex) {
			throw new IOException("The other side has closed the connection", ex);
		}
		return new String(bytes, StandardCharsets.ISO_8859_1);
	}

	// verbs

	private void toReady(int outstandingReads) {
		this.pair.modify(QueuePairAttributes.to(QueuePairState.RTR)
			.addressVector(AddressVector.ethernet(1, new GlobalRoute(this.remoteGid, this.gidIndex)))
			.pathMtu(PathMtu.MTU_1024)
			.destQpNumber(this.remoteNumber)
			.rqPsn(this.remotePsn)
			.maxDestRdAtomic(outstandingReads)
			.minRnrTimer(12)
			.build());
		this.pair.modify(QueuePairAttributes.to(QueuePairState.RTS)
			.timeout(18)
			.retryCount(7)
			.rnrRetry(7)
			.sqPsn(PSN)
			.maxRdAtomic(outstandingReads)
			.build());
	}

	/** Write a work request and wait until it is done. */
	void perform(Consumer<SendWorkRequest> request) {
		request.accept(this.request.clear().add().signaled());
		this.pair.postSend(this.request);
		await(this.sends);
	}

	void postReceive(int offset, int length) {
		this.receive.clear().add().addSge(this.memory, offset, length);
		this.pair.postReceive(this.receive);
	}

	int awaitReceive() {
		return await(this.receives);
	}

	private int await(CompletionQueue queue) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (queue.poll(this.completions) == 0) {
			assertThat(System.nanoTime()).as("time").isLessThan(deadline);
			LockSupport.parkNanos(20_000);
		}
		assertThat(this.completions.get(0).status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(this.completions.get(0).qpNumber()).isEqualTo(this.pair.number());
		return (int) this.completions.get(0).byteLength();
	}

	/** Wait until the other side has written a byte. */
	void awaitByte(int offset, byte value) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (this.memory.buffer(offset, 1).get() != value) {
			assertThat(System.nanoTime()).as("time for byte %d", value).isLessThan(deadline);
			LockSupport.parkNanos(20_000);
		}
	}

	byte[] bytes(int offset, int length) {
		byte[] bytes = new byte[length];
		this.memory.get(offset, ByteBuffer.wrap(bytes));
		return bytes;
	}

	void fill(int offset, int length, int seed) {
		var buffer = this.memory.buffer(offset, length);
		for (int i = 0; i < length; i++) {
			buffer.put((byte) (seed + i));
		}
	}

	void assertFilled(int offset, int length, int seed) {
		var buffer = this.memory.buffer(offset, length);
		for (int i = 0; i < length; i++) {
			if (buffer.get(i) != (byte) (seed + i)) {
				throw new AssertionError(
						String.format(Locale.ROOT, "Byte %d of pattern %d is %d", i, seed, buffer.get(i)));
			}
		}
	}

	@Override
	public void close() throws IOException {
		if (this.socket != null) {
			this.socket.close();
		}
		this.pair.close();
		this.memory.close();
		this.sends.close();
		this.receives.close();
		this.domain.close();
		this.context.close();
	}

}
