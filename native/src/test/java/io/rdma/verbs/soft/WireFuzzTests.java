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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.contract.Completion;
import io.rdma.verbs.contract.Endpoint;
import io.rdma.verbs.contract.EndpointOptions;
import io.rdma.verbs.soft.packet.PacketMutator;
import io.rdma.verbs.soft.packet.PacketTarget;
import io.rdma.verbs.soft.packet.PacketCheck;
import io.rdma.verbs.soft.packet.Psn;
import io.rdma.verbs.soft.packet.RandomPackets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Packets that were changed at random, sent to a queue pair that is in use in both roles.
 */
class WireFuzzTests {

	/** How many packets; the usual number is for every build. */
	private static final int PACKETS = Integer.getInteger("rdma.test.fuzz", 1_000_000);

	/** So many packets are sent before the state is looked at. */
	private static final int ROUND = 50;

	private static final int REGION = 4096;

	private static final int GUARD = 4096;

	private static final long SEED = 20_261_129;

	private static final byte PATTERN = 0x5a;

	/** What a queue pair may fail with, for reasons that the packets give. */
	private static final List<CompletionStatus> STATED = List.of(CompletionStatus.SUCCESS,
			CompletionStatus.WR_FLUSH_ERR, CompletionStatus.LOC_LEN_ERR, CompletionStatus.LOC_ACCESS_ERR,
			CompletionStatus.REM_INV_REQ_ERR, CompletionStatus.REM_ACCESS_ERR, CompletionStatus.REM_OP_ERR,
			CompletionStatus.BAD_RESP_ERR, CompletionStatus.RETRY_EXC_ERR, CompletionStatus.RNR_RETRY_EXC_ERR);

	private final SoftDeviceContext context = SoftProvider.builder()
		.paths(EnumSet.of(PathKind.WIRE))
		.build()
		.open(SoftProvider.DEVICE_NAME);

	private final Endpoint endpoint = new Endpoint(OnSoftDevice.SOFT_DEVICE, this.context,
			EndpointOptions.defaults()
				.withPathMtu(PathMtu.MTU_256)
				.withMaxRdAtomic(4)
				.withTimeout(10)
				.withRetryCount(7)
				.withMemory(REGION)
				.withMemoryAccess(EnumSet.of(AccessFlag.LOCAL_WRITE)));

	/** Registered memory in the middle of memory that is not. */
	private final ByteBuffer surroundings = ByteBuffer.allocateDirect(GUARD + REGION + GUARD)
		.order(ByteOrder.nativeOrder());

	private final RawPeer peer = new RawPeer(this.endpoint);

	private final SplittableRandom random = new SplittableRandom(SEED);

	private long failures;

	private int sendsPosted;

	private int receivesPosted;

	@AfterEach
	void close() throws Exception {
		this.peer.close();
		this.endpoint.close();
		this.context.close();
	}

	@Test
	void whenPacketsAreChangedAtRandomThenNothingBreaks() throws Exception {
		for (int i = 0; i < this.surroundings.capacity(); i++) {
			this.surroundings.put(i, PATTERN);
		}
		try (MemoryRegion open = this.endpoint.protectionDomain()
			.registerMemory(this.surroundings.slice(GUARD, REGION), EnumSet.of(AccessFlag.LOCAL_WRITE,
					AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC))) {
			this.peer.connect(this.random.nextInt(1 << 24));
			PacketTarget target = new PacketTarget(this.peer.flow(), this.endpoint.queuePair().number(), 256,
					open.address(), open.rkey(), REGION);
			RandomPackets packets = new RandomPackets(SEED);
			PacketMutator mutator = new PacketMutator(SEED);
			for (int sent = 0; sent < PACKETS; sent += ROUND) {
				keepBusy();
				for (int i = 0; i < ROUND; i++) {
					int length = packets.write(this.peer.memory(), 0, target, psn());
					if (this.random.nextInt(4) > 0) {
						length = mutator.mutate(this.peer.memory(), 0, length, PacketCheck.MAX_LENGTH + 64,
								target.flow());
					}
					this.peer.sendAsItIs(length);
				}
				this.peer.discard();
				look();
			}
		}
		assertThat(this.failures).as("failures of the queue pair").isPositive();
		assertGuardsAreUntouched();
		assertThatItStillWorks();
		AsyncEvent event = this.context.awaitAsyncEvent(Duration.ZERO);
		while (event != null) {
			assertThat(event.type()).isNotEqualTo(AsyncEventType.DEVICE_FATAL);
			event = this.context.awaitAsyncEvent(Duration.ZERO);
		}
	}

	/**
	 * Near what is expected, in either role, since what is far away is dropped anyway.
	 */
	private int psn() {
		SoftQueuePair queuePair = (SoftQueuePair) this.endpoint.queuePair();
		int expected = this.random.nextBoolean() ? queuePair.responder().psn()
				: Psn.add(queuePair.requester().psn(), -1);
		return (this.random.nextInt(4) > 0) ? expected : Psn.add(expected, this.random.nextInt(-8, 9));
	}

	/**
	 * Have something under way that answers can be given to, and somewhere to receive.
	 */
	private void keepBusy() {
		if (this.endpoint.state() != QueuePairState.RTS) {
			return;
		}
		if (this.sendsPosted == 0) {
			this.sendsPosted = 3;
			this.endpoint.post((wr) -> wr.wrId(1).rdmaWrite(1, 1).addSge(this.endpoint.memory(), 0, 700).signaled(),
					(wr) -> wr.wrId(2).rdmaRead(1, 1).addSge(this.endpoint.memory(), 1024, 700).signaled(),
					(wr) -> wr.wrId(3).fetchAndAdd(8, 1, 1).addSge(this.endpoint.memory(), 2048, 8).signaled());
		}
		if (this.receivesPosted == 0) {
			this.receivesPosted = 2;
			this.endpoint.postReceive(4, 3072, 512);
			this.endpoint.postReceive(5, 3072 + 512, 512);
		}
	}

	private void look() {
		if (this.endpoint.state() == QueuePairState.ERR) {
			this.failures++;
			drain();
			this.endpoint.modifyTo(QueuePairState.RESET);
			drain();
			this.sendsPosted = 0;
			this.receivesPosted = 0;
			this.peer.connect(this.random.nextInt(1 << 24));
			assertGuardsAreUntouched();
		}
		else if (this.random.nextInt(4) == 0) {
			// the queues are full sooner or later
			this.endpoint.modifyTo(QueuePairState.ERR);
			look();
		}
		drain();
	}

	private void drain() {
		Completion completion = this.endpoint.sends().poll();
		while (completion != null) {
			assertThat(completion.status()).isIn(STATED);
			this.sendsPosted--;
			completion = this.endpoint.sends().poll();
		}
		completion = this.endpoint.receives().poll();
		while (completion != null) {
			assertThat(completion.status()).isIn(STATED);
			this.receivesPosted--;
			completion = this.endpoint.receives().poll();
		}
	}

	private void assertGuardsAreUntouched() {
		for (int i = 0; i < GUARD; i += Long.BYTES) {
			assertThat(this.surroundings.getLong(i)).isEqualTo(0x5a5a5a5a5a5a5a5aL);
			assertThat(this.surroundings.getLong(GUARD + REGION + i)).isEqualTo(0x5a5a5a5a5a5a5a5aL);
		}
	}

	private void assertThatItStillWorks() {
		if (this.endpoint.state() != QueuePairState.ERR) {
			this.endpoint.modifyTo(QueuePairState.ERR);
		}
		this.endpoint.modifyTo(QueuePairState.RESET);
		drain();
		this.endpoint.connectTo(this.endpoint);
		this.endpoint.postReceive(8, 16, 5);
		this.endpoint.put(0, "works");
		this.endpoint.post((wr) -> wr.wrId(9).send().addSge(this.endpoint.memory(), 0, 5).signaled());
		assertThat(this.endpoint.awaitSend().status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(this.endpoint.awaitReceive().status()).isEqualTo(CompletionStatus.SUCCESS);
		assertThat(this.endpoint.text(16, 5)).isEqualTo("works");
	}

}
