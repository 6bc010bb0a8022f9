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

package io.rdma.verbs.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Set;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.SendWorkRequest;
import io.rdma.verbs.VerbsException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Registered memory: rights, bounds and life.
 */
@DisplayName("Memory region")
public abstract class MemoryRegionContract extends VerbsContract {

	private static final long TWO_GIB = 1L << 31;

	private static final long LARGE = TWO_GIB + (1 << 20);

	@SuppressWarnings("NullAway.Init")
	private ProtectionDomain domain;

	@BeforeEach
	void allocateProtectionDomain() {
		this.domain = closeAfterTest(context().allocateProtectionDomain());
	}

	@Test
	void whenAllocatedThenMemoryIsZeroAndStartsAtAPage() {
		MemoryRegion region = allocate(10000, AccessFlag.LOCAL_WRITE);
		ByteBuffer bytes = ByteBuffer.allocate(10000);
		region.get(0, bytes);
		assertThat(bytes.array()).containsOnly(0);
		assertThat(region.length()).isEqualTo(10000);
		assertThat(region.address()).isNotZero();
		assertThat(region.address() % 4096).isZero();
		assertThat(region.access()).containsExactly(AccessFlag.LOCAL_WRITE);
		assertThat(region.protectionDomain()).isSameAs(this.domain);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, Long.MIN_VALUE })
	@DisplayName("reg_mr: length 0: EINVAL")
	void whenLengthIsNotPositiveThenItIsRefused(long length) {
		assertRefused(Errno.EINVAL, () -> this.domain.allocateMemory(length, EndpointOptions.ALL));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1L << 46, Long.MAX_VALUE })
	void whenThereIsNotThatMuchMemoryThenItIsRefused(long length) {
		assertThatExceptionOfType(VerbsException.class)
			.isThrownBy(() -> this.domain.allocateMemory(length, EndpointOptions.ALL))
			.satisfies((ex) -> assertThat(ex.errno()).isIn(Errno.EINVAL, Errno.ENOMEM));
		allocate(4096, AccessFlag.LOCAL_WRITE);
	}

	@Test
	@DisplayName("reg_mr: REMOTE_WRITE or REMOTE_ATOMIC without LOCAL_WRITE: EINVAL")
	void whenPeersMayWriteButWeMayNotThenItIsRefused() {
		for (AccessFlag flag : Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC)) {
			assertRefused(Errno.EINVAL, () -> this.domain.allocateMemory(4096, EnumSet.of(flag)))
				.withMessageContaining("LOCAL_WRITE");
		}
	}

	@Test
	void whenRightsAreNoneOrReadOnlyThenTheyAreGranted() {
		assertThat(allocate(4096).access()).isEmpty();
		assertThat(allocate(4096, AccessFlag.REMOTE_READ).access()).containsExactly(AccessFlag.REMOTE_READ);
		assertThat(allocate(4096, AccessFlag.values()).access()).containsExactly(AccessFlag.values());
	}

	@Test
	@DisplayName("reg_mr: unaligned 3 bytes: ok")
	void whenBufferIsAPieceThenOnlyThatPieceIsRegistered() {
		ByteBuffer buffer = ByteBuffer.allocateDirect(16).put(new byte[] { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 });
		buffer.position(5).limit(8);
		MemoryRegion region = register(buffer, AccessFlag.LOCAL_WRITE);
		assertThat(region.length()).isEqualTo(3);
		assertThat(region.buffer(0, 3).get(0)).isEqualTo((byte) 5);
		region.put(2, ByteBuffer.wrap(new byte[] { 77 }));
		assertThat(buffer.get(7)).isEqualTo((byte) 77);
		assertThat(buffer.position()).isEqualTo(5);
		assertThat(buffer.limit()).isEqualTo(8);
	}

	@Test
	void whenBufferIsRegisteredThenPeerWritesIntoIt() {
		ConnectedPair pair = connect();
		ByteBuffer buffer = ByteBuffer.allocateDirect(64);
		MemoryRegion region = closeAfterTest(
				pair.responder().protectionDomain().registerMemory(buffer, EndpointOptions.ALL));
		pair.requester().put(0, "direct");
		pair.requester()
			.post((wr) -> wr.wrId(1)
				.rdmaWrite(region.address() + 3, region.rkey())
				.addSge(pair.requester().memory(), 0, 6)
				.signaled());
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		byte[] written = new byte[6];
		buffer.get(3, written);
		assertThat(written).containsExactly('d', 'i', 'r', 'e', 'c', 't');
	}

	@Test
	void whenBufferIsOnTheHeapThenItIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.domain.registerMemory(ByteBuffer.allocate(64), EndpointOptions.ALL));
	}

	@Test
	void whenBufferIsEmptyThenItIsRefused() {
		assertRefused(Errno.EINVAL,
				() -> this.domain.registerMemory(ByteBuffer.allocateDirect(0), EndpointOptions.ALL));
	}

	@Test
	@DisplayName("reg_mr: read-only pages with LOCAL_WRITE: EFAULT")
	void whenReadOnlyBufferIsToBeWrittenThenItIsRefused() {
		ByteBuffer readOnly = ByteBuffer.allocateDirect(64).asReadOnlyBuffer();
		assertRefused(Errno.EFAULT, () -> this.domain.registerMemory(readOnly, EnumSet.of(AccessFlag.LOCAL_WRITE)));
	}

	@Test
	@DisplayName("reg_mr of read-only pages with access 0: ok")
	void whenReadOnlyBufferIsOnlyReadThenItCanBeSent() {
		ConnectedPair pair = connect();
		ByteBuffer buffer = ByteBuffer.allocateDirect(8).putLong(0, 42);
		MemoryRegion region = closeAfterTest(
				pair.requester().protectionDomain().registerMemory(buffer.asReadOnlyBuffer(), Set.of()));
		pair.responder().postReceive(1, 0, 8);
		pair.requester().post((wr) -> wr.wrId(2).send().addSge(region, 0, 8).signaled());
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.SUCCESS));
		pair.responder().awaitReceive();
		assertThat(pair.responder().memory().buffer(0, 8).getLong()).isEqualTo(42);
	}

	@Test
	@DisplayName("reg_mr: file MAP_SHARED: ok")
	void whenMappedFileIsRegisteredThenPeerWritesIntoTheFile(@TempDir Path directory) throws IOException {
		ConnectedPair pair = connect();
		try (FileChannel file = FileChannel.open(directory.resolve("mapped"), StandardOpenOption.CREATE,
				StandardOpenOption.READ, StandardOpenOption.WRITE)) {
			ByteBuffer mapped = file.map(MapMode.READ_WRITE, 0, 8192);
			MemoryRegion region = closeAfterTest(
					pair.responder().protectionDomain().registerMemory(mapped, EndpointOptions.ALL));
			pair.requester().put(0, "file");
			pair.requester()
				.post((wr) -> wr.wrId(1)
					.rdmaWrite(region.address() + 4096, region.rkey())
					.addSge(pair.requester().memory(), 0, 4)
					.signaled());
			assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
			ByteBuffer bytes = ByteBuffer.allocate(4);
			file.read(bytes, 4096);
			assertThat(bytes.array()).containsExactly('f', 'i', 'l', 'e');
		}
	}

	@Test
	@DisplayName("reg_mr: same range twice: ok (keys differ)")
	void whenRegisteredTwiceThenBothWorkWithTheirOwnKeys() {
		ConnectedPair pair = connect();
		ByteBuffer buffer = ByteBuffer.allocateDirect(64);
		ProtectionDomain owner = pair.responder().protectionDomain();
		MemoryRegion first = closeAfterTest(owner.registerMemory(buffer, EndpointOptions.ALL));
		MemoryRegion second = owner.registerMemory(buffer, EndpointOptions.ALL);
		assertThat(first.rkey()).isNotEqualTo(second.rkey());
		assertThat(first.lkey()).isNotEqualTo(second.lkey());
		second.close();
		pair.requester()
			.post((wr) -> wr.wrId(1)
				.rdmaWrite(first.address(), first.rkey())
				.addSge(pair.requester().memory(), 0, 8)
				.signaled());
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
	}

	@Test
	@DisplayName("lkey/rkey: rkey == lkey with remote access, rkey 0 without it on 6.1 (differs)")
	void whenKeysAreTakenThenTheyNameTheRegion() {
		MemoryRegion remote = allocate(4096, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
		MemoryRegion local = allocate(4096, AccessFlag.LOCAL_WRITE);
		assertThat(remote.rkey()).isNotZero();
		assertThat(remote.lkey()).isNotZero().isNotEqualTo(local.lkey());
		if (isSoftRoce()) {
			assertThat(remote.rkey()).isEqualTo(remote.lkey());
			assertThat(local.rkey()).isIn(0, local.lkey());
		}
	}

	@Test
	void whenOutsideTheRegionThenOwnAccessIsRefused() {
		MemoryRegion region = allocate(4096, AccessFlag.LOCAL_WRITE);
		ByteBuffer eight = ByteBuffer.allocate(8);
		assertOutOfBounds(() -> region.get(4089, eight));
		assertOutOfBounds(() -> region.put(-1, eight));
		assertOutOfBounds(() -> region.put(Long.MAX_VALUE, eight));
		assertOutOfBounds(() -> region.buffer(4096, 1));
		assertOutOfBounds(() -> region.buffer(0, -1));
		assertOutOfBounds(() -> region.getLongAcquire(4096));
		assertOutOfBounds(() -> region.putLongRelease(-8, 1));
		assertThat(eight.position()).isZero();
		assertThat(region.buffer(4096, 0).capacity()).isZero();
	}

	@Test
	void whenOutsideTheRegionThenScatterGatherEntryIsRefused() {
		MemoryRegion region = allocate(4096, AccessFlag.LOCAL_WRITE);
		SendWorkRequest send = context().allocateSendWorkRequests(1, 1).add();
		assertOutOfBounds(() -> send.addSge(region, -1, 1));
		assertOutOfBounds(() -> send.addSge(region, 0, -1));
		assertOutOfBounds(() -> send.addSge(region, 0, 4097));
		assertOutOfBounds(() -> send.addSge(region, 4096, 1));
		assertOutOfBounds(() -> send.addSge(region, 4095, 2));
		assertOutOfBounds(() -> send.addSge(region, Long.MAX_VALUE, 1));
		assertOutOfBounds(() -> send.addSge(region, Long.MAX_VALUE - 1, Integer.MAX_VALUE));
		assertOutOfBounds(() -> context().allocateReceiveWorkRequests(1, 1).add().addSge(region, 4095, 2));
		send.addSge(region, 4095, 1);
	}

	@Test
	void whenWordIsNotAlignedThenItIsRefused() {
		MemoryRegion region = allocate(4096, AccessFlag.LOCAL_WRITE);
		assertThatIllegalArgumentException().isThrownBy(() -> region.getLongAcquire(4));
		assertThatIllegalArgumentException().isThrownBy(() -> region.putLongRelease(1, 1));
		region.putLongRelease(4088, 7);
		assertThat(region.getLongAcquire(4088)).isEqualTo(7);
	}

	@Test
	void whenRightsAreTakenThenTheyCannotBeChanged() {
		Set<AccessFlag> asked = EnumSet.of(AccessFlag.LOCAL_WRITE);
		MemoryRegion region = closeAfterTest(this.domain.allocateMemory(4096, asked));
		asked.add(AccessFlag.REMOTE_WRITE);
		assertThat(region.access()).containsExactly(AccessFlag.LOCAL_WRITE);
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> region.access().add(AccessFlag.REMOTE_WRITE));
	}

	@Test
	void whenClosedWhileASendWaitsThenTheSendFails() {
		// it is sent again after half a second, so for most of the time it is not on its
		// way
		ConnectedPair pair = connect(EndpointOptions.defaults().withRnrRetry(7).withMinRnrTimer(31).withTimeout(18));
		MemoryRegion region = pair.requester().protectionDomain().allocateMemory(4096, Set.of());
		pair.requester().post((wr) -> wr.wrId(1).send().addSge(region, 0, 8).signaled());
		pair.requester().sends().assertNoneWithin(Duration.ofMillis(100));
		region.close();
		pair.responder().postReceive(2, 0, 8);
		assertThat(pair.requester().awaitSend().status()).isIn(allowed(pair.requester(), CompletionStatus.LOC_PROT_ERR,
				CompletionStatus.LOC_QP_OP_ERR, CompletionStatus.WR_FLUSH_ERR));
		pair.requester().awaitState(QueuePairState.ERR);
		assertThat(pair.responder().receives().poll()).isNull();
	}

	@Test
	void whenClosedWhileAReceiveWaitsThenTheMessageIsRefused() {
		ConnectedPair pair = connect();
		MemoryRegion region = pair.responder().protectionDomain().allocateMemory(4096, EndpointOptions.ALL);
		pair.responder().postReceive((wr) -> wr.wrId(1).addSge(region, 0, 8));
		ByteBuffer view = region.buffer(0, 8);
		region.close();
		pair.requester().fill(0, 8);
		pair.requester().post(pair.send(2, 8));
		assertThat(outcomes(pair.requester().awaitSends(1))).containsExactly(outcome(2, CompletionStatus.REM_OP_ERR));
		assertThat(outcomes(pair.responder().awaitReceives(1)))
			.containsExactly(outcome(1, CompletionStatus.LOC_QP_OP_ERR));
		assertThat(view.getLong()).isZero();
	}

	@Test
	void whenClosedThenViewsStayUsable() {
		MemoryRegion region = this.domain.allocateMemory(4096, EndpointOptions.ALL);
		ByteBuffer view = region.buffer(0, 8);
		region.close();
		view.putLong(0, 5);
		assertThat(view.limit()).isEqualTo(8);
	}

	@Test
	void whenRegionIsOfAnotherProtectionDomainThenItCannotBeSent() {
		ConnectedPair pair = connect();
		MemoryRegion foreign = allocate(4096, AccessFlag.LOCAL_WRITE);
		pair.responder().postReceive(1, 0, 8);
		pair.requester().post((wr) -> wr.wrId(2).send().addSge(foreign, 0, 8).signaled());
		assertThat(pair.requester().awaitSend().status()).isIn(allowed(pair.requester(), CompletionStatus.LOC_PROT_ERR,
				CompletionStatus.LOC_QP_OP_ERR, CompletionStatus.WR_FLUSH_ERR));
	}

	@Test
	@EnabledIf("hasRoomForALargeRegion")
	void whenRegionIsLargerThanTwoGibThenItsEndIsReached() {
		Endpoint endpoint = endpoint(EndpointOptions.defaults().withMemory(LARGE));
		// another queue pair, since one that is its own peer fails in both roles at once
		ConnectedPair.of(endpoint, closeAfterTest(endpoint.sibling()));
		assertThat(endpoint.memory().length()).isEqualTo(LARGE);
		endpoint.put(LARGE - 5, "large");
		endpoint.post((wr) -> wr.wrId(1)
			.rdmaWrite(endpoint.memory().address() + TWO_GIB - 2, endpoint.memory().rkey())
			.addSge(endpoint.memory(), LARGE - 5, 5)
			.signaled());
		assertThat(outcomes(endpoint.awaitSends(1))).containsExactly(outcome(1, CompletionStatus.SUCCESS));
		assertThat(endpoint.text(TWO_GIB - 2, 5)).isEqualTo("large");
		assertOutOfBounds(() -> endpoint.memory().buffer(LARGE - 1, 2));
		endpoint.post((wr) -> wr.wrId(2)
			.rdmaWrite(endpoint.memory().address() + LARGE - 4, endpoint.memory().rkey())
			.addSge(endpoint.memory(), 0, 5)
			.signaled());
		assertThat(outcomes(endpoint.awaitSends(1))).containsExactly(outcome(2, CompletionStatus.REM_ACCESS_ERR));
	}

	/**
	 * Return whether the device under test has memory for a region of more than 2 GiB.
	 * @return whether it has
	 */
	boolean hasRoomForALargeRegion() {
		return device().memoryLimit() > LARGE;
	}

	private MemoryRegion allocate(long length, AccessFlag... access) {
		return closeAfterTest(this.domain.allocateMemory(length, Set.of(access)));
	}

	private MemoryRegion register(ByteBuffer buffer, AccessFlag... access) {
		return closeAfterTest(this.domain.registerMemory(buffer, Set.of(access)));
	}

	private static void assertOutOfBounds(ThrowingCallable action) {
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(action);
	}

}
