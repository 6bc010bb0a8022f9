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

package io.rdma.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SendWorkRequest} and {@link SendWorkRequests}: what stands in the
 * memory, at the offsets of {@code struct ibv_send_wr} (128 bytes) and
 * {@code struct ibv_sge} (16 bytes) as a C compiler lays them out on x86-64 and AArch64.
 */
class SendWorkRequestTests {

	private static final int WR = 128;

	private static final int SGE = 16;

	private final FakeDeviceContext context = new FakeDeviceContext();

	private final FakeMemoryRegion region = new FakeMemoryRegion(this.context, 4096);

	private final SendWorkRequests chain = this.context.allocateSendWorkRequests(3, 2);

	@SuppressWarnings("NullAway.Init")
	private ByteBuffer memory;

	@BeforeEach
	void setUp() {
		this.memory = this.chain.memory().duplicate().order(ByteOrder.nativeOrder());
	}

	@Test
	void whenSendIsDescribedThenEveryFieldStandsAtItsOffset() {
		this.chain.add()
			.wrId(0x1122_3344_5566_7788L)
			.send()
			.addSge(this.region, 16, 100)
			.addSge(this.region, 4000, 96)
			.signaled()
			.solicited();
		this.chain.end();
		assertThat(this.memory.getLong(0)).isEqualTo(0x1122_3344_5566_7788L);
		assertThat(this.memory.getLong(8)).isZero();
		assertThat(this.memory.getLong(16)).isEqualTo(FakeDeviceContext.BASE + 3 * WR);
		assertThat(this.memory.getInt(24)).isEqualTo(2);
		assertThat(this.memory.getInt(28)).isEqualTo(2);
		assertThat(this.memory.getInt(32)).isEqualTo(2 | 4);
		assertThat(this.memory.getLong(3 * WR)).isEqualTo(FakeMemoryRegion.ADDRESS + 16);
		assertThat(this.memory.getInt(3 * WR + 8)).isEqualTo(100);
		assertThat(this.memory.getInt(3 * WR + 12)).isEqualTo(FakeMemoryRegion.LKEY);
		assertThat(this.memory.getLong(3 * WR + SGE)).isEqualTo(FakeMemoryRegion.ADDRESS + 4000);
		assertThat(this.memory.getInt(3 * WR + SGE + 8)).isEqualTo(96);
	}

	@Test
	void whenImmediateDataIsGivenThenItStandsInNetworkOrder() {
		this.chain.add().sendWithImmediate(0x0102_0304);
		assertThat(this.memory.getInt(28)).isEqualTo(3);
		assertThat(bytes(36)).containsExactly(1, 2, 3, 4);
	}

	@Test
	void whenKeyToInvalidateIsGivenThenItStandsInHostOrder() {
		this.chain.add().sendWithInvalidate(0x0102_0304);
		assertThat(this.memory.getInt(28)).isEqualTo(9);
		assertThat(this.memory.getInt(36)).isEqualTo(0x0102_0304);
		this.chain.add().localInvalidate(0x0506_0708);
		assertThat(this.memory.getInt(WR + 28)).isEqualTo(7);
		assertThat(this.memory.getInt(WR + 36)).isEqualTo(0x0506_0708);
	}

	@Test
	void whenWriteAndReadAreDescribedThenRemoteFieldsStandAtTheirOffsets() {
		this.chain.add().rdmaWrite(0x1111_2222_3333_4444L, 0x5555_6666);
		this.chain.add().rdmaRead(-1, 7);
		this.chain.add().rdmaWriteWithImmediate(8, 9, 0x0a0b_0c0d);
		assertThat(this.memory.getInt(28)).isZero();
		assertThat(this.memory.getLong(40)).isEqualTo(0x1111_2222_3333_4444L);
		assertThat(this.memory.getInt(48)).isEqualTo(0x5555_6666);
		assertThat(this.memory.getInt(WR + 28)).isEqualTo(4);
		assertThat(this.memory.getLong(WR + 40)).isEqualTo(-1);
		assertThat(this.memory.getInt(WR + 48)).isEqualTo(7);
		assertThat(this.memory.getInt(2 * WR + 28)).isEqualTo(1);
		assertThat(bytes(2 * WR + 36)).containsExactly(10, 11, 12, 13);
		assertThat(this.memory.getInt(2 * WR + 48)).isEqualTo(9);
	}

	@Test
	void whenAtomicIsDescribedThenOperandsStandAtTheirOffsets() {
		this.chain.add().compareAndSwap(0x1000, 0x77, 10, 20);
		this.chain.add().fetchAndAdd(0x2000, 0x88, 5);
		assertThat(this.memory.getInt(28)).isEqualTo(5);
		assertThat(this.memory.getLong(40)).isEqualTo(0x1000);
		assertThat(this.memory.getLong(48)).isEqualTo(10);
		assertThat(this.memory.getLong(56)).isEqualTo(20);
		assertThat(this.memory.getInt(64)).isEqualTo(0x77);
		assertThat(this.memory.getInt(WR + 28)).isEqualTo(6);
		assertThat(this.memory.getLong(WR + 48)).isEqualTo(5);
		assertThat(this.memory.getInt(WR + 64)).isEqualTo(0x88);
	}

	@Test
	void whenAllFlagsAreSetThenTheirBitsStandTogether() {
		this.chain.add().fenced().signaled().solicited().inlined();
		assertThat(this.memory.getInt(32)).isEqualTo(1 | 2 | 4 | 8);
	}

	@Test
	void whenChainHasSeveralThenEachPointsToTheNext() {
		this.chain.add();
		this.chain.add();
		this.chain.add();
		this.chain.end();
		assertThat(this.memory.getLong(8)).isEqualTo(FakeDeviceContext.BASE + WR);
		assertThat(this.memory.getLong(WR + 8)).isEqualTo(FakeDeviceContext.BASE + 2 * WR);
		assertThat(this.memory.getLong(2 * WR + 8)).isZero();
		assertThat(this.memory.getLong(WR + 16)).isEqualTo(FakeDeviceContext.BASE + 3 * WR + 2 * SGE);
		assertThat(this.chain.sgeStride()).isEqualTo(2 * SGE);
	}

	@Test
	void whenShorterChainFollowsThenItIsCutAfterItsLast() {
		this.chain.add();
		this.chain.add();
		this.chain.end();
		this.chain.clear().add();
		this.chain.end();
		assertThat(this.chain.size()).isOne();
		assertThat(this.memory.getLong(8)).isZero();
	}

	@Test
	void whenSlotIsUsedAgainThenNothingOfTheOldIsLeft() {
		this.chain.add().wrId(-1).compareAndSwap(-1, -1, -1, -1).addSge(this.region, 0, 8).fenced().inlined();
		this.chain.clear().add();
		this.chain.end();
		byte[] bytes = new byte[WR];
		this.memory.get(0, bytes);
		ByteBuffer expected = ByteBuffer.allocate(WR).order(ByteOrder.nativeOrder());
		expected.putLong(16, FakeDeviceContext.BASE + 3 * WR).putInt(28, 2);
		assertThat(bytes).isEqualTo(expected.array());
	}

	@Test
	void whenEntryHasNoLengthThenItIsLeftOut() {
		this.chain.add().addSge(this.region, 4096, 0);
		assertThat(this.memory.getInt(24)).isZero();
	}

	@Test
	void whenThereIsNoRoomThenEntryOrWorkRequestIsRefused() {
		SendWorkRequest request = this.chain.add().addSge(this.region, 0, 1).addSge(this.region, 1, 1);
		assertThatIllegalStateException().isThrownBy(() -> request.addSge(this.region, 2, 1))
			.withMessageContaining("2");
		assertThat(this.memory.getInt(24)).isEqualTo(2);
		this.chain.add();
		this.chain.add();
		assertThatIllegalStateException().isThrownBy(this.chain::add).withMessageContaining("3");
		assertThat(this.chain.capacity()).isEqualTo(3);
	}

	@Test
	void whenEntryIsOutsideThenNothingIsWritten() {
		SendWorkRequest request = this.chain.add();
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> request.addSge(this.region, 4090, 7))
			.withMessageContaining("4090")
			.withMessageContaining("7")
			.withMessageContaining("4096");
		assertThat(this.memory.getInt(24)).isZero();
		assertThat(this.memory.getLong(3 * WR)).isZero();
	}

	@Test
	void whenRegionIsClosedThenEntryIsRefused() {
		SendWorkRequest request = this.chain.add();
		this.region.close();
		assertThatExceptionOfType(ResourceClosedException.class).isThrownBy(() -> request.addSge(this.region, 0, 1));
	}

	@Test
	void whenShownThenItTellsOpcodeAndContext() {
		assertThat(this.chain.add().wrId(42).rdmaRead(1, 0x1234_5678).toString()).contains("RDMA_READ", "42")
			.doesNotContain("12345678", "305419896");
	}

	private byte[] bytes(int at) {
		byte[] bytes = new byte[4];
		this.memory.get(at, bytes);
		return bytes;
	}

}
