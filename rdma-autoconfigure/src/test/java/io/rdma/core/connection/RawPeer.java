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

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import io.rdma.testing.TestDevice;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AddressVector;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GlobalRoute;
import io.rdma.verbs.LinkLayer;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.WorkCompletions;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A peer written with nothing but verbs and a socket, that can misbehave.
 */
final class RawPeer implements AutoCloseable {

	private static final Set<AccessFlag> ALL = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ,
			AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC);

	static final int RECEIVES = 8;

	static final int BUFFER = 1024;

	private static final long SEND_ID = 99;

	final DeviceContext context = TestDevice.open();

	final ProtectionDomain protectionDomain = this.context.allocateProtectionDomain();

	final CompletionQueue queue = this.context.createCompletionQueue(256, null);

	final MemoryRegion memory = this.protectionDomain.allocateMemory(1 << 20, ALL);

	final QueuePair queuePair = this.protectionDomain
		.createQueuePair(new QueuePairInitAttributes(this.queue, this.queue, new QueuePairCapabilities(16, RECEIVES)));

	private final SendWorkRequests sends = this.context.allocateSendWorkRequests(1, 1);

	private final ReceiveWorkRequests receives = this.context.allocateReceiveWorkRequests(1, 1);

	private final WorkCompletions completions = this.context.allocateWorkCompletions(16);

	private final ServerSocket server;

	private @Nullable Socket socket;

	private @Nullable Hello remote;

	/** Changes what the peer says of itself. */
	UnaryOperator<Hello> disguise = UnaryOperator.identity();

	/** Whether the proof is sent. */
	boolean ready = true;

	RawPeer() {
		try {
			this.server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	int port() {
		return this.server.getLocalPort();
	}

	Hello remote() {
		return Objects.requireNonNull(this.remote);
	}

	Socket socket() {
		return Objects.requireNonNull(this.socket);
	}

	Hello hello() {
		GidEntry gid = this.context.queryGidTable(1).get(1);
		Hello hello = Hello.builder()
			.minVersion(Hello.VERSION)
			.version(Hello.VERSION)
			.nonce(new byte[Hello.NONCE_BYTES])
			.name("raw")
			.host(HostIdentity.current())
			.deviceKind(TestDevice.kind())
			.deviceName(TestDevice.name())
			.deviceGuid(this.context.queryDevice().nodeGuid())
			.linkLayer(LinkLayer.ETHERNET)
			.gid(gid.gid())
			.gidType(gid.type())
			.mtu(PathMtu.MTU_1024)
			.queuePairNumber(this.queuePair.number())
			.psn(17)
			.sendDepth(16)
			.receiveDepth(RECEIVES)
			.receiveBufferSize(BUFFER)
			.maxMessageSize(1 << 20)
			.maxTransferSize(1 << 20)
			.maxReadAtomicAsRequester(1)
			.maxReadAtomicAsResponder(1)
			.pathOffer(this.queuePair.pathOffer())
			.build();
		return this.disguise.apply(hello);
	}

	/**
	 * Accept a service in the background.
	 * @return ends when the connection is made
	 */
	CompletableFuture<Void> accept() {
		return CompletableFuture.runAsync(() -> {
			try {
				this.socket = this.server.accept();
				this.remote = Hello.from(read());
				write(hello().toFrame());
				read();
				write(new Frame(FrameType.PROOF, new byte[3]));
				connectQueuePair();
				Parameters.from(read(), RECEIVES * 1000);
				write(parameters().toFrame());
				prove();
			}
			catch (IOException | HandshakeException ex) {
				throw new IllegalStateException(ex);
			}
		}, (task) -> {
			Thread thread = new Thread(task, "raw-peer");
			thread.setDaemon(true);
			thread.start();
		});
	}

	/**
	 * Connect to a service.
	 * @param port its port
	 * @return this
	 */
	RawPeer connect(int port) {
		try {
			this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
			write(hello().toFrame());
			Frame answer = read();
			if (answer.type() == FrameType.REJECT) {
				throw answer.toRejection();
			}
			this.remote = Hello.from(answer);
			write(new Frame(FrameType.PROOF, new byte[3]));
			Frame proof = read();
			if (proof.type() == FrameType.REJECT) {
				throw proof.toRejection();
			}
			connectQueuePair();
			write(parameters().toFrame());
			Parameters.from(read(), RECEIVES * 1000);
			prove();
			return this;
		}
		catch (IOException | HandshakeException ex) {
			throw new IllegalStateException(ex.getMessage(), ex);
		}
	}

	private Parameters parameters() {
		Map<String, RemoteRegion> regions = new LinkedHashMap<>();
		regions.put("memory", new RemoteRegion("memory", this.memory.address(), this.memory.rkey(),
				this.memory.length(), EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)));
		return new Parameters(this.memory.address(), this.memory.rkey(), RECEIVES, regions);
	}

	private void connectQueuePair() {
		this.queuePair.modify(QueuePairAttributes.to(QueuePairState.INIT)
			.pkeyIndex(0)
			.port(1)
			.accessFlags(EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE))
			.build());
		for (int i = 0; i < RECEIVES; i++) {
			receive(i);
		}
		this.queuePair.modify(QueuePairAttributes.to(QueuePairState.RTR)
			.addressVector(AddressVector.ethernet(1, new GlobalRoute(remote().gid(), 1)))
			.pathMtu(PathMtu.MTU_1024)
			.destQpNumber(remote().queuePairNumber())
			.rqPsn(remote().psn())
			.maxDestRdAtomic(1)
			.minRnrTimer(12)
			.build());
		this.queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS)
			.timeout(14)
			.retryCount(6)
			.rnrRetry(6)
			.sqPsn(17)
			.maxRdAtomic(1)
			.build());
	}

	void receive(int id) {
		this.receives.clear().add().wrId(id).addSge(this.memory, 64 * 1024 + (long) id * BUFFER, BUFFER);
		this.queuePair.postReceive(this.receives);
	}

	/**
	 * Send bytes as they are.
	 * @param content the bytes
	 */
	void send(byte[] content) {
		this.memory.put(1024, ByteBuffer.wrap(content));
		this.sends.clear().add().wrId(SEND_ID).send().signaled().addSge(this.memory, 1024, content.length);
		this.queuePair.postSend(this.sends);
	}

	private void prove() {
		if (this.ready) {
			sendReady();
		}
	}

	/**
	 * Send the proof that the queue pair works.
	 */
	void sendReady() {
		ByteBuffer header = ByteBuffer.allocate(MessageHeader.SIZE);
		MessageHeader.write(header, 0, MessageHeader.READY, 3, RECEIVES, 0, 0, 0, 0, 0, 0);
		send(header.array());
	}

	/**
	 * Poll for the end of what was sent last.
	 * @return whether it arrived
	 */
	boolean isSent() {
		int count = poll();
		for (int i = 0; i < count; i++) {
			if (this.completions.get(i).wrId() == SEND_ID) {
				assertThat(this.completions.get(i).status()).isEqualTo(CompletionStatus.SUCCESS);
				return true;
			}
		}
		return false;
	}

	int poll() {
		return this.queue.poll(this.completions);
	}

	WorkCompletions completions() {
		return this.completions;
	}

	/**
	 * Answer nothing any more, while the socket stays open.
	 */
	void goSilent() {
		this.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
	}

	Frame read() throws IOException {
		DataInputStream in = new DataInputStream(socket().getInputStream());
		byte[] bytes = new byte[in.readInt()];
		in.readFully(bytes);
		FrameType type = FrameType.of(bytes[0]);
		if (type == null) {
			throw new IOException("Unknown frame " + bytes[0]);
		}
		byte[] body = new byte[bytes.length - 1];
		System.arraycopy(bytes, 1, body, 0, body.length);
		return new Frame(type, body);
	}

	void write(Frame frame) throws IOException {
		socket().getOutputStream().write(frame.encode().array());
	}

	@Override
	public void close() {
		try {
			this.server.close();
			if (this.socket != null) {
				this.socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.queuePair.close();
		this.queue.close();
		this.memory.close();
		this.protectionDomain.close();
		this.context.close();
	}

}
