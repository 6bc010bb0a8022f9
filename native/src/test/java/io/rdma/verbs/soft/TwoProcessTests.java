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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.CompletionOpcode;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.SendWorkRequest;
import io.rdma.verbs.WorkCompletion;
import io.rdma.verbs.soft.shm.SharedMemoryOffer;
import io.rdma.verbs.soft.shm.SharedMemoryOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two processes on one host that reach each other by shared memory.
 */
@Timeout(60)
class TwoProcessTests {

	private static final int MIB = 1 << 20;

	private ProcessEnd end = new ProcessEnd(ProcessEnd.provider(new SharedMemoryOptions(true, null, 0)));

	@AfterEach
	void closeEnd() {
		this.end.close();
	}

	/** Make our end anew, with files that have names. */
	private void useNamedFiles(Path directory) {
		this.end.close();
		this.end = new ProcessEnd(ProcessEnd.provider(new SharedMemoryOptions(false, directory, 0)));
	}

	private PeerProcess startPeer(boolean memoryFiles, Path directory) throws IOException {
		if (memoryFiles) {
			return PeerProcess.start("true");
		}
		useNamedFiles(directory);
		return PeerProcess.start("false", directory.toString());
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whenMessagesAreOfAnyLengthThenAllOperationsMoveThem(boolean memoryFiles, @TempDir Path directory)
			throws Exception {
		try (PeerProcess peer = startPeer(memoryFiles, directory)) {
			peer.connect(this.end);
			for (int length : new int[] { 0, 1, 872, 873, 4096, MIB }) {
				exchange(peer, length);
			}
		}
	}

	private void exchange(PeerProcess peer, int length) {
		MemoryRegion memory = this.end.memory;
		ProcessEnd.fill(memory, 0, length, length);
		long sum = ProcessEnd.checksum(memory, 0, length);
		// to the peer
		peer.tell("receive", 7, 2 * MIB, length);
		this.end.post((wr) -> wr.wrId(1).send().addSge(memory, 0, length));
		assertSuccess(this.end.awaitSend(), 1, CompletionOpcode.SEND);
		assertThat(peer.tell("received")).isEqualTo("7 SUCCESS " + length);
		assertThat(peer.tell("checksum", 2 * MIB, length)).isEqualTo(Long.toString(sum));
		this.end.post((wr) -> wr.wrId(2).rdmaWrite(peer.address + 3 * MIB, peer.rkey).addSge(memory, 0, length));
		assertSuccess(this.end.awaitSend(), 2, CompletionOpcode.RDMA_WRITE);
		assertThat(peer.tell("checksum", 3 * MIB, length)).isEqualTo(Long.toString(sum));
		peer.tell("receive", 8, 0, 0);
		this.end.post((wr) -> wr.wrId(3)
			.rdmaWriteWithImmediate(peer.address + 5 * MIB, peer.rkey, 99)
			.addSge(memory, 0, length));
		assertSuccess(this.end.awaitSend(), 3, CompletionOpcode.RDMA_WRITE);
		assertThat(peer.tell("received")).isEqualTo("8 SUCCESS " + length);
		assertThat(peer.tell("checksum", 5 * MIB, length)).isEqualTo(Long.toString(sum));
		this.end.post((wr) -> wr.wrId(4).rdmaRead(peer.address + 3 * MIB, peer.rkey).addSge(memory, 4 * MIB, length));
		assertSuccess(this.end.awaitSend(), 4, CompletionOpcode.RDMA_READ);
		assertThat(ProcessEnd.checksum(memory, 4 * MIB, length)).isEqualTo(sum);
		// from the peer
		this.end.postReceive(9, memory, 6 * MIB, length);
		assertThat(peer.tell("send", 2 * MIB, length)).startsWith("1 SUCCESS");
		WorkCompletion received = this.end.awaitReceive();
		assertThat(received.isSuccess()).isTrue();
		assertThat(received.byteLength()).isEqualTo(length);
		assertThat(ProcessEnd.checksum(memory, 6 * MIB, length)).isEqualTo(sum);
		assertThat(peer.tell("write", 2 * MIB, length, memory.address() + 5 * MIB, memory.rkey()))
			.startsWith("1 SUCCESS");
		assertThat(ProcessEnd.checksum(memory, 5 * MIB, length)).isEqualTo(sum);
		assertThat(peer.tell("read", 6 * MIB, length, memory.address(), memory.rkey())).startsWith("1 SUCCESS");
		assertThat(peer.tell("checksum", 6 * MIB, length)).isEqualTo(Long.toString(sum));
	}

	private static void assertSuccess(WorkCompletion completion, long wrId, CompletionOpcode opcode) {
		assertThat(completion.wrId()).isEqualTo(wrId);
		assertThat(completion.status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(completion.opcode()).isEqualTo(opcode);
	}

	@Test
	void whenBuffersAreOfTheUserThenTheyAreCopiedThroughSharedMemory() throws Exception {
		try (PeerProcess peer = PeerProcess.start("true")) {
			peer.connect(this.end);
			MemoryRegion own = this.end.domain.registerMemory(ByteBuffer.allocateDirect(4 * MIB), ProcessEnd.ACCESS);
			ProcessEnd.fill(own, 0, MIB, 1);
			for (int length : new int[] { 1, 1000, 100_000, 300_000, MIB }) {
				for (int round = 0; round < 5; round++) {
					this.end.post((wr) -> wr.wrId(1)
						.rdmaWrite(peer.address, peer.rkey)
						.addSge(own, 0, length / 2)
						.addSge(own, length / 2, length - length / 2));
					this.end.post((wr) -> wr.wrId(2).rdmaRead(peer.address, peer.rkey).addSge(own, 2 * MIB, length));
					assertSuccess(this.end.awaitSend(), 1, CompletionOpcode.RDMA_WRITE);
					assertSuccess(this.end.awaitSend(), 2, CompletionOpcode.RDMA_READ);
					long sum = ProcessEnd.checksum(own, 0, length);
					assertThat(ProcessEnd.checksum(own, 2 * MIB, length)).isEqualTo(sum);
					assertThat(peer.tell("checksum", 0, length)).isEqualTo(Long.toString(sum));
				}
			}
			own.close();
		}
	}

	@Test
	void whenBothChangeOneWordThenEachChangeCounts() throws Exception {
		try (PeerProcess peer = PeerProcess.start("true")) {
			peer.connect(this.end);
			for (int i = 0; i < 100; i++) {
				this.end.post(
						(wr) -> wr.fetchAndAdd(peer.counterAddress, peer.counterRkey, 3).addSge(this.end.memory, 8, 8));
				assertThat(this.end.awaitSend().isSuccess()).isTrue();
				assertThat(this.end.memory.getLongAcquire(8)).isEqualTo(i * 3L);
			}
			this.end.post((wr) -> wr.compareAndSwap(peer.counterAddress, peer.counterRkey, 300, -1)
				.addSge(this.end.memory, 8, 8));
			assertSuccess(this.end.awaitSend(), 0, CompletionOpcode.COMP_SWAP);
			assertThat(this.end.memory.getLongAcquire(8)).isEqualTo(300);
			assertThat(peer.tell("counter")).isEqualTo("-1");
		}
	}

	@Test
	void whenPeerRefusesThenStatusAndStatesAreThoseOfVerbs() throws Exception {
		try (PeerProcess peer = PeerProcess.start("true")) {
			peer.connect(this.end);
			this.end.postReceive(5, this.end.memory, 0, 8);
			peer.tell("receive", 6, 0, 8);
			this.end.post((wr) -> wr.wrId(1)
				.rdmaWrite(peer.address + ProcessEnd.MEMORY - 4, peer.rkey)
				.addSge(this.end.memory, 0, 8));
			assertThat(this.end.awaitSend().status()).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
			assertThat(this.end.awaitReceive().status()).isEqualTo(CompletionStatus.WR_FLUSH_ERR);
			assertThat(this.end.queuePair.state()).isEqualTo(QueuePairState.ERR);
			assertThat(peer.tell("received")).isEqualTo("6 WR_FLUSH_ERR");
			assertThat(peer.tell("state")).isEqualTo("ERR");
		}
	}

	@Test
	void whenPeerHasNoReceiveThenRetriesRunOut() throws Exception {
		try (PeerProcess peer = PeerProcess.start("true")) {
			peer.connect(this.end, 14, 3);
			this.end.post((wr) -> wr.wrId(1).send().addSge(this.end.memory, 0, 8));
			this.end.post((wr) -> wr.wrId(2).rdmaWrite(peer.address, peer.rkey).addSge(this.end.memory, 0, 8));
			assertThat(this.end.awaitSend().status()).isEqualTo(CompletionStatus.RNR_RETRY_EXC_ERR);
			assertThat(this.end.awaitSend().status()).isEqualTo(CompletionStatus.WR_FLUSH_ERR);
			assertThat(peer.tell("state")).isEqualTo("RTS");
		}
	}

	@Test
	void whenMessageIsTooLongThenBothSidesFail() throws Exception {
		try (PeerProcess peer = PeerProcess.start("true")) {
			peer.connect(this.end);
			peer.tell("receive", 6, 0, 100);
			this.end.post((wr) -> wr.wrId(1).send().addSge(this.end.memory, 0, 5000));
			assertThat(this.end.awaitSend().status()).isEqualTo(CompletionStatus.REM_INV_REQ_ERR);
			assertThat(peer.tell("received")).isEqualTo("6 LOC_LEN_ERR");
		}
	}

	@Test
	@EnabledIf("io.rdma.verbs.jni.NativeBuild#isThere") // which gives memory back at once
	void whenPeerIsKilledWhileCopyingThenItIsNoticedAndItsMemoryReleased() throws Exception {
		try (PeerProcess peer = PeerProcess.start("true")) {
			peer.connect(this.end);
			MemoryRegion memory = this.end.memory;
			String memoryOfPeer = peer.tell("mapped");
			assertThat(MappedFiles.inodes()).doesNotContain(memoryOfPeer);
			// so that its memory is mapped here
			assertThat(peer.tell("write", 0, MIB, memory.address(), memory.rkey())).startsWith("1 SUCCESS");
			assertThat(MappedFiles.inodes()).contains(memoryOfPeer);
			Consumer<SendWorkRequest> read = (wr) -> wr.rdmaRead(peer.address, peer.rkey)
				.addSge(memory, 0, ProcessEnd.MEMORY);
			for (int i = 0; i < 31; i++) {
				this.end.post(read);
			}
			peer.signal("KILL");
			long killed = System.nanoTime();
			CompletionStatus status = this.end.awaitSend().status();
			while (status == CompletionStatus.SUCCESS) {
				this.end.post(read);
				status = this.end.awaitSend().status();
			}
			// it takes a second at most, and ten on a busy machine
			assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(10));
			assertThat(status).isEqualTo(CompletionStatus.RETRY_EXC_ERR);
			for (int i = 0; i < 30; i++) {
				assertThat(this.end.awaitSend().status()).isEqualTo(CompletionStatus.WR_FLUSH_ERR);
			}
			await().atMost(Duration.ofSeconds(10)).until(() -> !MappedFiles.inodes(1).contains(memoryOfPeer));
		}
	}

	@Test
	void whenPeerDiesThenReceivesStayPostedUntilSomethingIsSent() throws Exception {
		try (PeerProcess peer = PeerProcess.start("true")) {
			peer.connect(this.end, 0, 7);
			this.end.postReceive(5, this.end.memory, 0, 8);
			Path directory = directoryOf(peer);
			assertThat(directory).exists();
			peer.signal("KILL");
			await().atMost(Duration.ofSeconds(10)).until(() -> !Files.exists(directory));
			assertThat(this.end.queuePair.state()).isEqualTo(QueuePairState.RTS);
			assertThat(this.end.hasCompletion(this.end.receiveQueue)).isFalse();
			this.end.post((wr) -> wr.wrId(1).send().addSge(this.end.memory, 0, 8));
			assertThat(this.end.await(this.end.sendQueue, Duration.ofSeconds(10)).status())
				.isEqualTo(CompletionStatus.RETRY_EXC_ERR);
			assertThat(this.end.awaitReceive().status()).isEqualTo(CompletionStatus.WR_FLUSH_ERR);
		}
	}

	private static Path directoryOf(PeerProcess peer) {
		return directoryIn(peer.offer);
	}

	private static Path directoryIn(byte[] bytes) {
		PathOffer offer = PathOffer.decode(bytes);
		assertThat(offer).isNotNull();
		SharedMemoryOffer shared = offer.sharedMemory();
		assertThat(shared).isNotNull();
		return Path.of(shared.directory());
	}

	@Test
	void whenPeerIsStoppedThenRequestsWaitAndGoOn() throws Exception {
		try (PeerProcess peer = PeerProcess.start("true")) {
			// a timeout of 4 ms and 2 retries
			peer.connect(this.end, 10, 7);
			peer.signal("STOP");
			for (int i = 0; i < 31; i++) {
				int wrId = i;
				this.end.post((wr) -> wr.wrId(wrId)
					.rdmaWrite(peer.address + wrId * 8L, peer.rkey)
					.addSge(this.end.memory, 0, 8));
			}
			await().during(Duration.ofMillis(1200))
				.atMost(Duration.ofSeconds(5))
				.until(() -> !this.end.hasCompletion(this.end.sendQueue));
			peer.signal("CONT");
			for (int i = 0; i < 31; i++) {
				assertSuccess(this.end.awaitSend(), i, CompletionOpcode.RDMA_WRITE);
			}
			assertThat(this.end.queuePair.state()).isEqualTo(QueuePairState.RTS);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whenRequestIsFlushedThenAStoppedPeerNeverFindsWhatComesLater(boolean memoryFiles, @TempDir Path directory)
			throws Exception {
		try (PeerProcess peer = startPeer(memoryFiles, directory)) {
			peer.connect(this.end);
			MemoryRegion memory = this.end.memory;
			ProcessEnd.fill(memory, 0, MIB, 1);
			Set<String> right = Set.of(peer.tell("checksum", 0, MIB),
					Long.toString(ProcessEnd.checksum(memory, 0, MIB)));
			peer.signal("STOP");
			this.end.post((wr) -> wr.rdmaWrite(peer.address, peer.rkey).addSge(memory, 0, MIB));
			this.end.queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
			assertThat(this.end.awaitSend().status()).isEqualTo(CompletionStatus.WR_FLUSH_ERR);
			ProcessEnd.fill(memory, 0, MIB, 2);
			peer.signal("CONT");
			await().during(Duration.ofMillis(300))
				.atMost(Duration.ofSeconds(10))
				.until(() -> right.contains(peer.tell("checksum", 0, MIB)));
		}
	}

	@Test
	void whenMemoryIsShortThenMessagesStillHaveRoom() throws Exception {
		// less than its region would leave
		try (PeerProcess peer = PeerProcess.start(List.of(), List.of("-XX:MaxDirectMemorySize=10m"), "true")) {
			peer.connect(this.end);
			MemoryRegion memory = this.end.memory;
			assertThat(peer.tell("read", 0, 4 * MIB, memory.address(), memory.rkey())).startsWith("1 SUCCESS");
			assertThat(peer.tell("write", 0, 4 * MIB, memory.address(), memory.rkey())).startsWith("1 SUCCESS");
		}
	}

	@Test
	void whenPeerTruncatesItsFilesThenItsRequestsFailAndThisProcessLives(@TempDir Path directory) throws Exception {
		useNamedFiles(directory);
		try (PeerProcess peer = PeerProcess.start("false", directory.toString())) {
			peer.connect(this.end);
			MemoryRegion memory = this.end.memory;
			// so that there is memory to read into, and that it is mapped here
			assertThat(peer.tell("read", 0, MIB, memory.address(), memory.rkey())).startsWith("1 SUCCESS");
			this.end.postReceive(3, memory, 0, MIB);
			assertThat(peer.tell("truncate", directoryOf(peer))).isEqualTo("truncated");
			peer.begin("read", 0, MIB, memory.address(), memory.rkey());
			await().atMost(Duration.ofSeconds(10)).until(() -> this.end.queuePair.state() == QueuePairState.ERR);
			assertThat(this.end.awaitReceive().wrId()).isEqualTo(3);
		}
		assertThatAnotherConnectionWorks(directory);
	}

	@Test
	void whenPeerTruncatesOurFilesThenThisProcessLives(@TempDir Path directory) throws Exception {
		useNamedFiles(directory);
		try (PeerProcess peer = PeerProcess.start("false", directory.toString())) {
			peer.connect(this.end);
			MemoryRegion memory = this.end.memory;
			this.end.postReceive(3, memory, 0, 4 * MIB);
			assertThat(peer.tell("truncate", directoryIn(this.end.queuePair.pathOffer()))).isEqualTo("truncated");
			peer.begin("send", 0, 4 * MIB);
			assertThat(this.end.awaitReceive().status()).isEqualTo(CompletionStatus.LOC_QP_OP_ERR);
			assertThat(this.end.queuePair.state()).isEqualTo(QueuePairState.ERR);
		}
		assertThatAnotherConnectionWorks(directory);
	}

	private void assertThatAnotherConnectionWorks(Path directory) throws Exception {
		try (ProcessEnd other = new ProcessEnd(ProcessEnd.provider(new SharedMemoryOptions(false, directory, 0)));
				PeerProcess peer = PeerProcess.start("false", directory.toString())) {
			peer.connect(other);
			other.post((wr) -> wr.rdmaRead(peer.address, peer.rkey).addSge(other.memory, 0, MIB));
			assertThat(other.awaitSend().isSuccess()).isTrue();
		}
	}

	@Test
	void whenPeerFillsTheFileSystemThenWhatIsThereGoesOnAndTheRestFails(@TempDir Path directory) throws Exception {
		try (TemporaryFileSystem small = TemporaryFileSystem.mount(directory, 48)) {
			useNamedFiles(directory);
			try (PeerProcess peer = PeerProcess.start("false", directory.toString())) {
				peer.connect(this.end);
				MemoryRegion memory = this.end.memory;
				Consumer<SendWorkRequest> write = (wr) -> wr.rdmaWrite(peer.address, peer.rkey).addSge(memory, 0, MIB);
				this.end.post(write);
				assertThat(this.end.awaitSend().isSuccess()).isTrue();
				assertThat(peer.tell("read", 0, MIB, memory.address(), memory.rkey())).startsWith("1 SUCCESS");

				assertThat(peer.tell("fill-up", directory)).contains("No space left");
				ProcessEnd.fill(memory, 0, MIB, 3);
				this.end.post(write);
				assertThat(this.end.awaitSend().isSuccess()).isTrue();
				assertThat(peer.tell("checksum", 0, MIB)).isEqualTo(Long.toString(ProcessEnd.checksum(memory, 0, MIB)));
				assertThat(peer.tell("read", 0, MIB, memory.address(), memory.rkey())).startsWith("1 SUCCESS");
				// memory that cannot be shared is ordinary
				MemoryRegion ordinary = this.end.domain.allocateMemory(MIB, ProcessEnd.ACCESS);
				assertThat(peer.tell("write", 0, MIB, ordinary.address(), ordinary.rkey())).startsWith("1 SUCCESS");
				assertThat(ProcessEnd.checksum(ordinary, 0, MIB)).isEqualTo(ProcessEnd.checksum(memory, 0, MIB));
				ordinary.close();
				// what cannot be copied to shared memory goes from where it is, or fails
				this.end.post((wr) -> wr.rdmaWrite(peer.address, peer.rkey).addSge(memory, 0, 4 * MIB));
				assertThat(this.end.awaitSend().isSuccess()).isTrue();
				this.end.post((wr) -> wr.rdmaRead(peer.address, peer.rkey).addSge(memory, 0, 4 * MIB));
				assertThat(this.end.awaitSend().status()).isEqualTo(CompletionStatus.LOC_QP_OP_ERR);
			}
			this.end.close();
		}
	}

	@Test
	void whenNoFileMayBeLargeThenMemoryIsOrdinaryAndAllWorks() throws Exception {
		// in blocks of 512 bytes: rings fit, regions and slabs do not
		List<String> limited = List.of("sh", "-c", "ulimit -f 1000; exec \"$@\"", "sh");
		try (PeerProcess peer = PeerProcess.start(limited, List.of(), "true")) {
			peer.connect(this.end);
			MemoryRegion memory = this.end.memory;
			ProcessEnd.fill(memory, 0, MIB, 5);
			peer.tell("receive", 1, 0, MIB);
			this.end.post((wr) -> wr.send().addSge(memory, 0, MIB));
			assertThat(this.end.awaitSend().isSuccess()).isTrue();
			assertThat(peer.tell("received")).isEqualTo("1 SUCCESS " + MIB);
			assertThat(peer.tell("write", 0, 200_000, memory.address() + 4 * MIB, memory.rkey()))
				.startsWith("1 SUCCESS");
			assertThat(ProcessEnd.checksum(memory, 4 * MIB, 200_000))
				.isEqualTo(ProcessEnd.checksum(memory, 0, 200_000));
			// more than it may copy to shared memory
			assertThat(peer.tell("write", 0, MIB, memory.address(), memory.rkey())).isEqualTo("1 LOC_QP_OP_ERR");
		}
	}

	@Test
	@EnabledIf("io.rdma.verbs.jni.NativeBuild#isThere") // which gives memory back at once
	void whenRegionIsClosedWhileMappedThenItsMemoryIsNeverUsedAgainAndLetGo() throws Exception {
		try (PeerProcess peer = PeerProcess.start("true")) {
			peer.connect(this.end);
			Set<String> earlier = MappedFiles.inodes();
			MemoryRegion closed = this.end.domain.allocateMemory(ProcessEnd.MEMORY, ProcessEnd.ACCESS);
			Set<String> created = MappedFiles.inodes();
			created.removeAll(earlier);
			assertThat(created).hasSize(1);
			String file = created.iterator().next();
			ProcessEnd.fill(closed, 0, MIB, 9);
			ByteBuffer view = closed.buffer(0, MIB);
			this.end.post((wr) -> wr.rdmaWrite(peer.address, peer.rkey).addSge(closed, 0, MIB));
			assertThat(this.end.awaitSend().isSuccess()).isTrue();
			assertThat(peer.tell("mapped").split(" ")).contains(file);
			int before = view.getInt(0);
			closed.close();
			await().atMost(Duration.ofSeconds(10)).until(() -> "false".equals(peer.tell("holds", file)));
			MemoryRegion next = this.end.domain.allocateMemory(ProcessEnd.MEMORY, ProcessEnd.ACCESS);
			ProcessEnd.fill(next, 0, MIB, 10);
			assertThat(view.getInt(0)).isEqualTo(before);
			this.end.post((wr) -> wr.wrId(2).rdmaRead(peer.address, peer.rkey).addSge(next, 0, MIB));
			assertSuccess(this.end.awaitSend(), 2, CompletionOpcode.RDMA_READ);
			assertThat(next.buffer(0, 4).getInt(0)).isEqualTo(before);
			next.close();
		}
	}

	@Test
	void whenPeerClosesInOrderThenRequestsEndAfterTheirRetries() throws Exception {
		try (PeerProcess peer = PeerProcess.start("true")) {
			peer.connect(this.end, 13, 7);
			peer.closeInput();
			this.end.post((wr) -> wr.wrId(1).rdmaWrite(peer.address, peer.rkey).addSge(this.end.memory, 0, 8));
			WorkCompletion first = this.end.awaitSend();
			while (first.isSuccess()) {
				this.end.post((wr) -> wr.wrId(1).rdmaWrite(peer.address, peer.rkey).addSge(this.end.memory, 0, 8));
				first = this.end.awaitSend();
			}
			assertThat(first.status()).isIn(CompletionStatus.RETRY_EXC_ERR, CompletionStatus.REM_ACCESS_ERR);
			AsyncEvent event = this.end.context.awaitAsyncEvent(Duration.ZERO);
			assertThat(event).isNull();
		}
	}

	@Test
	void whenClosedThenNoFileAndNoThreadIsLeft(@TempDir Path directory) throws Exception {
		useNamedFiles(directory);
		try (PeerProcess peer = PeerProcess.start("false", directory.toString())) {
			peer.connect(this.end);
			MemoryRegion small = this.end.domain.allocateMemory(100, EnumSet.of(AccessFlag.LOCAL_WRITE));
			small.close();
			peer.closeInput();
			this.end.close();
			assertThat(peer.waitFor()).isZero();
		}
		try (Stream<Path> left = Files.walk(directory)) {
			assertThat(left).containsExactly(directory);
		}
	}

}
