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

package io.rdma.verbs.soft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.HostMemory;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.WorkCompletion;
import io.rdma.verbs.WorkRequestOpcode;
import io.rdma.verbs.soft.shm.ConnectionUser;
import io.rdma.verbs.soft.shm.IncomingRequests;
import io.rdma.verbs.soft.shm.OutgoingRequests;
import io.rdma.verbs.soft.shm.RingLayout;
import io.rdma.verbs.soft.shm.SharedConnection;
import io.rdma.verbs.soft.shm.SharedMemory;
import io.rdma.verbs.soft.shm.SharedMemoryOffer;
import io.rdma.verbs.soft.shm.SharedMemoryOptions;
import io.rdma.verbs.soft.shm.SharedPiece;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Peers that write anything into shared memory: nothing of it escapes, and memory that
 * they have no key for is let alone.
 */
@Timeout(120)
class SharedMemoryHostilityTests {

	private static final int NUMBER = 0x1234;

	private static final int ROUNDS = 60;

	private static final int REQUESTS = 40;

	private static final long SEED = 20_261;

	private final SoftProvider provider = ProcessEnd.provider(SharedMemoryOptions.defaults());

	private final SharedMemory memory = new SharedMemory(SharedMemoryOptions.defaults());

	private final Random random = new Random(SEED);

	@AfterEach
	void close() {
		this.memory.close();
	}

	private static void modify(ProcessEnd end, QueuePairState state) {
		end.queuePair.modify(QueuePairAttributes.to(state).build());
	}

	@Test
	void whenRequestsAreRandomThenTheyDoNoHarm() throws Exception {
		try (ProcessEnd end = new ProcessEnd(this.provider)) {
			MemoryRegion canary = end.domain.allocateMemory(4096, ProcessEnd.ACCESS);
			ProcessEnd.fill(canary, 0, 4096, 1);
			long sum = ProcessEnd.checksum(canary, 0, 4096);
			int served = 0;
			for (int round = 0; round < ROUNDS; round++) {
				try (Peer peer = new Peer(end)) {
					served += peer.sendRandomRequests();
				}
				modify(end, QueuePairState.RESET);
			}
			assertThat(served).isGreaterThan(ROUNDS);
			assertThat(ProcessEnd.checksum(canary, 0, 4096)).isEqualTo(sum);
			canary.close();
			assertStillWorks(end);
		}
	}

	private void assertStillWorks(ProcessEnd end) {
		try (ProcessEnd other = new ProcessEnd(this.provider)) {
			ProcessEnd.connect(end, other);
			end.post((wr) -> wr.rdmaRead(other.memory.address(), other.memory.rkey()).addSge(end.memory, 0, 5000));
			assertThat(end.awaitSend().isSuccess()).isTrue();
		}
	}

	@Test
	void whenAnswersAreRandomThenEachRequestCompletesOnce() throws Exception {
		for (int round = 0; round < ROUNDS; round++) {
			try (ProcessEnd end = new ProcessEnd(this.provider); Peer peer = new Peer(end)) {
				int posted = 20;
				for (int i = 0; i < posted; i++) {
					int wrId = i;
					end.post((wr) -> wr.wrId(wrId).rdmaRead(64, 1).addSge(end.memory, 0, 100));
				}
				peer.answerRandomly(posted);
				modify(end, QueuePairState.ERR);
				for (int i = 0; i < posted; i++) {
					assertThat(end.awaitSend().wrId()).isEqualTo(i);
				}
				assertThat(end.hasCompletion(end.sendQueue)).isFalse();
			}
		}
	}

	@Test
	void whenAnswerComesBeforeItsRequestThenPeerIsGivenUp() throws Exception {
		try (ProcessEnd end = new ProcessEnd(this.provider); Peer peer = new Peer(end)) {
			require(peer.connection.incoming()).answer(0, 0, 0);
			peer.connection.ringForAnswers();
			await().atMost(Duration.ofSeconds(10)).until(() -> peer.gone);
			end.post((wr) -> wr.rdmaWrite(64, 1).addSge(end.memory, 0, 8));
			assertThat(end.awaitSend().status()).isEqualTo(CompletionStatus.RETRY_EXC_ERR);
		}
	}

	@Test
	void whenMessageIsTruncatedThenItFailsAndThisProcessLives(@TempDir Path directory) throws Exception {
		int length = 1 << 20;
		try (SharedMemory named = new SharedMemory(new SharedMemoryOptions(false, directory, 0));
				ProcessEnd end = new ProcessEnd(this.provider);
				Peer peer = new Peer(end, named)) {
			HostMemory message = require(named.allocate(length, false));
			end.postReceive(2, end.memory, 0, length);
			peer.send(message);
			assertThat(end.awaitReceive().isSuccess()).isTrue();
			end.postReceive(3, end.memory, 0, length);
			truncate(directory, require(SharedPiece.of(message)).fileId());
			peer.send(message);
			WorkCompletion received = end.awaitReceive();
			assertThat(received.wrId()).isEqualTo(3);
			assertThat(received.status()).isEqualTo(CompletionStatus.LOC_QP_OP_ERR);
			assertThat(end.queuePair.state()).isEqualTo(QueuePairState.ERR);
			modify(end, QueuePairState.RESET);
			assertStillWorks(end);
		}
	}

	private static void truncate(Path directory, long file) throws IOException {
		try (Stream<Path> files = Files.find(directory, 2, (path, attributes) -> path.endsWith("memory-" + file))) {
			try (FileChannel channel = FileChannel.open(files.findFirst().orElseThrow(), StandardOpenOption.WRITE)) {
				channel.truncate(0);
			}
		}
	}

	@Test
	void whenPeerDoesNotKnowWhatStandsInTheMemoryThenItIsNotUsed() throws Exception {
		try (ProcessEnd end = new ProcessEnd(this.provider)) {
			SharedConnection connection = this.memory.newConnection(NUMBER, 16, new Quiet());
			byte[] offer = new PathOffer(UUID.randomUUID(), 0, connection.offer()).encode();
			assertThat(end.queuePair.pathOffer()).isNotEmpty();
			assertThat(end.queuePair.answerPathOffer(offer)).isNotEmpty();
			end.queuePair.usePath(offer, new byte[16]);
			end.connect(NUMBER, end.gid());
			assertThat(end.queuePair.pathKind()).isNotEqualTo(PathKind.SHARED_MEMORY);
			connection.close();
		}
	}

	@Test
	void whenOfferLeadsNowhereThenItIsNotAnswered() throws Exception {
		try (ProcessEnd end = new ProcessEnd(this.provider)) {
			SharedConnection connection = this.memory.newConnection(NUMBER, 16, new Quiet());
			SharedMemoryOffer right = connection.offer();
			long process = right.processNumber();
			List<SharedMemoryOffer> wrong = List.of(
					new SharedMemoryOffer(true, NUMBER, process, right.fileId() + 1, right.descriptor(), right.slots(),
							right.directory(), right.socket()),
					new SharedMemoryOffer(true, NUMBER, process, right.fileId(), 0, right.slots(), right.directory(),
							right.socket()),
					new SharedMemoryOffer(true, NUMBER, Integer.MAX_VALUE, right.fileId(), right.descriptor(),
							right.slots(), right.directory(), right.socket()),
					new SharedMemoryOffer(true, NUMBER, process, right.fileId(), right.descriptor(), right.slots() * 2,
							right.directory(), right.socket()),
					new SharedMemoryOffer(false, NUMBER, process, right.fileId(), -1, right.slots(), right.directory(),
							right.socket()),
					new SharedMemoryOffer(true, NUMBER, process, right.fileId(), right.descriptor(), right.slots(),
							"/nowhere", right.socket()));
			for (SharedMemoryOffer bad : wrong) {
				byte[] offer = new PathOffer(UUID.randomUUID(), 0, bad).encode();
				assertThat(end.queuePair.answerPathOffer(offer)).as(bad.toString()).isEmpty();
				modify(end, QueuePairState.RESET);
			}
			assertThat(end.queuePair.answerPathOffer(new PathOffer(UUID.randomUUID(), 0, right).encode())).isNotEmpty();
			connection.close();
		}
	}

	@Test
	void whenOffersAreRandomThenNothingEscapes() {
		try (ProcessEnd end = new ProcessEnd(this.provider)) {
			byte[] good = end.queuePair.pathOffer();
			for (int i = 0; i < 20_000; i++) {
				byte[] bad = good.clone();
				for (int k = this.random.nextInt(4); k >= 0; k--) {
					bad[this.random.nextInt(bad.length)] = (byte) this.random.nextInt();
				}
				PathOffer decoded = PathOffer.decode(Arrays.copyOf(bad, this.random.nextInt(bad.length + 8)));
				assertThat(decoded == null || decoded.udpPort() >= 0).isTrue();
			}
		}
	}

	private static <T> T require(@Nullable T value) {
		assertThat(value).isNotNull();
		return Objects.requireNonNull(value);
	}

	/** Does nothing. */
	private static class Quiet implements ConnectionUser {

		@Override
		public boolean work() {
			return false;
		}

		@Override
		public void lost(boolean orderly) {
		}

	}

	/**
	 * A peer that is no queue pair.
	 */
	private final class Peer extends Quiet implements AutoCloseable {

		private final SharedConnection connection;

		private final ProcessEnd end;

		private volatile boolean gone;

		Peer(ProcessEnd end) throws Exception {
			this(end, SharedMemoryHostilityTests.this.memory);
		}

		Peer(ProcessEnd end, SharedMemory memory) throws Exception {
			this.end = end;
			this.connection = memory.newConnection(NUMBER, 31, this);
			PathOffer own = new PathOffer(UUID.randomUUID(), 0, this.connection.offer());
			PathOffer other = PathOffer.decode(end.queuePair.pathOffer());
			assertThat(other).isNotNull();
			SharedMemoryOffer otherShared = other.sharedMemory();
			assertThat(otherShared).isNotNull();
			byte[] answer = end.queuePair.answerPathOffer(own.encode());
			assertThat(answer).as("what the end answers").isNotEmpty();
			byte[] ownAnswer = this.connection.answer(otherShared);
			assertThat(ownAnswer).as("what the peer answers").isNotEmpty();
			end.queuePair.usePath(own.encode(), ownAnswer);
			end.connect(NUMBER, end.gid());
			assertThat(end.queuePair.pathKind()).isEqualTo(PathKind.SHARED_MEMORY);
			assertThat(this.connection.isProvenBy(otherShared, answer)).isTrue();
		}

		/**
		 * Send requests of which some make no sense.
		 * @return how many were answered
		 */
		@SuppressWarnings("ThreadPriorityCheck")
		int sendRandomRequests() {
			Random dice = SharedMemoryHostilityTests.this.random;
			OutgoingRequests ring = this.connection.outgoing();
			int answered = 0;
			for (int i = 0; i < REQUESTS && !this.gone; i++) {
				writeRequest(dice, ring.buffer(), ring.offset(ring.slot(ring.nextRequest())));
				ring.publish();
				this.connection.ringForRequests();
				while (!this.gone && !ring.mayTakeAnswer()) {
					Thread.yield();
				}
				if (!this.gone) {
					ring.releaseAnswer();
					answered++;
				}
			}
			return answered;
		}

		private void writeRequest(Random dice, ByteBuffer ring, int at) {
			// mostly one that makes sense, with some of it wrong
			int opcode = dice.nextInt(7);
			boolean atomic = opcode >= 5;
			int length = atomic ? 8 : dice.nextInt(800);
			ring.putInt(at + RingLayout.OPCODE, opcode);
			ring.putInt(at + RingLayout.FLAGS, dice.nextInt(2));
			ring.putInt(at + RingLayout.PSN, this.end.queuePair.query().rqPsn());
			ring.putInt(at + RingLayout.MTU_SHIFT, 10);
			ring.putLong(at + RingLayout.LENGTH, length);
			ring.putLong(at + RingLayout.REMOTE_ADDRESS, this.end.memory.address() + (dice.nextInt(1000) & -8));
			ring.putInt(at + RingLayout.KEY, this.end.memory.rkey());
			ring.putInt(at + RingLayout.SEGMENT_COUNT, atomic ? 0 : 1);
			ring.putLong(at + RingLayout.SEGMENTS + RingLayout.SEGMENT_FILE, 0);
			ring.putLong(at + RingLayout.SEGMENTS + RingLayout.SEGMENT_OFFSET, at + RingLayout.PAYLOAD);
			ring.putInt(at + RingLayout.SEGMENTS + RingLayout.SEGMENT_LENGTH, length);
			if (dice.nextInt(20) == 0) {
				for (int k = dice.nextInt(3); k >= 0; k--) {
					int field = RingLayout.OPCODE + dice.nextInt(RingLayout.PAYLOAD - RingLayout.OPCODE - 8);
					ring.putLong(at + field, dice.nextBoolean() ? dice.nextLong() : dice.nextInt(64));
				}
			}
		}

		/**
		 * Send a message that stands in shared memory.
		 * @param message the message
		 */
		void send(HostMemory message) {
			SharedPiece piece = require(SharedPiece.of(message));
			OutgoingRequests ring = this.connection.outgoing();
			ByteBuffer buffer = ring.buffer();
			int at = ring.offset(ring.slot(ring.nextRequest()));
			buffer.putInt(at + RingLayout.OPCODE, WorkRequestOpcode.SEND.code());
			buffer.putInt(at + RingLayout.FLAGS, 0);
			buffer.putInt(at + RingLayout.PSN, this.end.queuePair.query().rqPsn());
			buffer.putInt(at + RingLayout.MTU_SHIFT, 10);
			buffer.putLong(at + RingLayout.LENGTH, message.length());
			buffer.putInt(at + RingLayout.SEGMENT_COUNT, 1);
			buffer.putLong(at + RingLayout.SEGMENTS + RingLayout.SEGMENT_FILE, piece.fileId());
			buffer.putLong(at + RingLayout.SEGMENTS + RingLayout.SEGMENT_OFFSET, piece.offset());
			buffer.putInt(at + RingLayout.SEGMENTS + RingLayout.SEGMENT_LENGTH, (int) message.length());
			ring.publish();
			this.connection.ringForRequests();
			await().atMost(Duration.ofSeconds(10)).until(() -> this.gone || ring.hasAnswer());
			ring.releaseAnswer();
		}

		@SuppressWarnings("ThreadPriorityCheck")
		void answerRandomly(int count) {
			Random dice = SharedMemoryHostilityTests.this.random;
			IncomingRequests incoming = require(this.connection.incoming());
			ByteBuffer taken = ByteBuffer.allocateDirect(RingLayout.REQUEST_SIZE).order(ByteOrder.nativeOrder());
			for (int i = 0; i < count && !this.gone; i++) {
				if (incoming.take(taken)) {
					incoming.answer((dice.nextInt(4) == 0) ? dice.nextInt(16) - 4 : 0, dice.nextInt(), dice.nextLong());
					this.connection.ringForAnswers();
				}
				else {
					Thread.yield();
				}
			}
		}

		@Override
		public void lost(boolean orderly) {
			this.gone = true;
		}

		@Override
		public void close() {
			this.connection.close();
		}

	}

}
