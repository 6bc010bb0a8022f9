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
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ReceiveWorkRequest} and {@link ReceiveWorkRequests}: what stands in
 * the memory, at the offsets of {@code struct ibv_recv_wr} (32 bytes).
 */
class ReceiveWorkRequestTests {

	private static final int WR = 32;

	private final FakeDeviceContext context = new FakeDeviceContext();

	private final FakeMemoryRegion region = new FakeMemoryRegion(this.context, 4096);

	private final ReceiveWorkRequests chain = this.context.allocateReceiveWorkRequests(2, 1);

	@SuppressWarnings("NullAway.Init")
	private ByteBuffer memory;

	@BeforeEach
	void setUp() {
		this.memory = this.chain.memory().duplicate().order(ByteOrder.nativeOrder());
	}

	@Test
	void whenReceivesAreDescribedThenEveryFieldStandsAtItsOffset() {
		this.chain.add().wrId(-2).addSge(this.region, 8, 64);
		this.chain.add().wrId(5);
		this.chain.end();
		assertThat(this.memory.getLong(0)).isEqualTo(-2);
		assertThat(this.memory.getLong(8)).isEqualTo(FakeDeviceContext.BASE + WR);
		assertThat(this.memory.getLong(16)).isEqualTo(FakeDeviceContext.BASE + 2 * WR);
		assertThat(this.memory.getInt(24)).isOne();
		assertThat(this.memory.getLong(WR)).isEqualTo(5);
		assertThat(this.memory.getLong(WR + 8)).isZero();
		assertThat(this.memory.getInt(WR + 24)).isZero();
		assertThat(this.memory.getLong(2 * WR)).isEqualTo(FakeMemoryRegion.ADDRESS + 8);
		assertThat(this.memory.getInt(2 * WR + 8)).isEqualTo(64);
		assertThat(this.memory.getInt(2 * WR + 12)).isEqualTo(FakeMemoryRegion.LKEY);
	}

	@Test
	void whenSlotIsUsedAgainThenNothingOfTheOldIsLeft() {
		this.chain.add().wrId(-1).addSge(this.region, 0, 8);
		this.chain.clear().add();
		this.chain.end();
		assertThat(this.memory.getLong(0)).isZero();
		assertThat(this.memory.getInt(24)).isZero();
	}

	@Test
	void whenThereIsNoRoomThenItIsRefused() {
		ReceiveWorkRequest request = this.chain.add().addSge(this.region, 0, 8);
		assertThatIllegalStateException().isThrownBy(() -> request.addSge(this.region, 8, 8));
		this.chain.add();
		assertThatIllegalStateException().isThrownBy(this.chain::add);
		assertThat(request).hasToString("receive work request 0 (wr_id 0)");
	}

}
