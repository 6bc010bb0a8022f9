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

package io.rdma.core.completion;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaDeviceException;
import io.rdma.testing.OnSoftDeviceOnly;
import io.rdma.testing.TestDevice;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.soft.SoftDeviceContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link CompletionQueueGroups}, on the software device.
 */
@ExtendWith(OutputCaptureExtension.class)
class CompletionQueueGroupsTests {

	private static final int BATCH = 16;

	private final QueuePairs queuePairs = new QueuePairs();

	private CompletionQueuePoller poller;

	@BeforeEach
	void open() {
		this.poller = new CompletionQueuePoller(this.queuePairs.context(), PollerMode.ADAPTIVE, 1, BATCH);
	}

	@AfterEach
	void close() {
		this.poller.close();
		this.queuePairs.close();
	}

	private CompletionQueueGroups groups(CompletionQueueLayout layout, int connectionsPerGroup, int maxGroups) {
		return new CompletionQueueGroups(this.poller, layout, connectionsPerGroup, maxGroups);
	}

	private int maxDepth() {
		return this.queuePairs.context().queryDevice().maxCompletionQueueEntries();
	}

	private static QueueStatistics only(CompletionQueueGroups groups, CompletionQueueKind kind) {
		return groups.statistics().stream().filter((queue) -> queue.kind() == kind).findFirst().orElseThrow();
	}

	@Test
	void whenLayoutIsSplitThenConnectionsOfAGroupShareOneQueueForSendsAndOneForReceives() {
		try (CompletionQueueGroups groups = groups(CompletionQueueLayout.SPLIT, 2, 8)) {
			CompletionQueueLease first = groups.assign(new CompletionQueueDemand(100, 50));
			CompletionQueueLease second = groups.assign(new CompletionQueueDemand(100, 50));
			CompletionQueueLease third = groups.assign(new CompletionQueueDemand(100, 50));
			assertThat(first.group()).isEqualTo("group-1");
			assertThat(third.group()).isEqualTo("group-2");
			assertThat(second.sendQueue()).isSameAs(first.sendQueue()).isNotSameAs(first.receiveQueue());
			assertThat(second.receiveQueue()).isSameAs(first.receiveQueue());
			assertThat(third.sendQueue()).isNotSameAs(first.sendQueue());
			assertThat(groups.statistics()).extracting(QueueStatistics::name)
				.containsExactly("group-1-send", "group-1-receive", "group-2-send", "group-2-receive");
			QueueStatistics sends = only(groups, CompletionQueueKind.SEND);
			assertThat(sends.reserved()).isEqualTo(200);
			assertThat(sends.connections()).isEqualTo(2);
			assertThat(sends.capacity()).isGreaterThanOrEqualTo(240);
			QueueStatistics receives = only(groups, CompletionQueueKind.RECEIVE);
			assertThat(receives.reserved()).isEqualTo(100);
			assertThat(receives.capacity()).isGreaterThanOrEqualTo(120);
			closeAll(List.of(first, second, third));
		}
	}

	@Test
	void whenLayoutIsSharedThenConnectionsOfAGroupShareOneQueue() {
		try (CompletionQueueGroups groups = groups(CompletionQueueLayout.SHARED, 2, 8)) {
			CompletionQueueLease first = groups.assign(new CompletionQueueDemand(100, 50));
			CompletionQueueLease second = groups.assign(new CompletionQueueDemand(100, 50));
			assertThat(first.sendQueue()).isSameAs(first.receiveQueue()).isSameAs(second.sendQueue());
			QueueStatistics queue = only(groups, CompletionQueueKind.SHARED);
			assertThat(groups.statistics()).hasSize(1);
			assertThat(queue.name()).isEqualTo("group-1");
			assertThat(queue.reserved()).isEqualTo(300);
			assertThat(queue.capacity()).isGreaterThanOrEqualTo(360);
			closeAll(List.of(first, second));
		}
	}

	@Test
	void whenLayoutIsPerConnectionThenEachHasQueuesOfItsOwn() {
		try (CompletionQueueGroups groups = groups(CompletionQueueLayout.PER_CONNECTION, 16, 8)) {
			CompletionQueueLease first = groups.assign(new CompletionQueueDemand(10, 10));
			CompletionQueueLease second = groups.assign(new CompletionQueueDemand(10, 10));
			assertThat(groups.statistics()).extracting(QueueStatistics::name)
				.containsExactly("connection-1-send", "connection-1-receive", "connection-2-send",
						"connection-2-receive");
			assertThat(second.sendQueue()).isNotSameAs(first.sendQueue());
			closeAll(List.of(first, second));
		}
	}

	@Test
	void whenReceiveQueueIsSharedThenItCountsOnceForEachGroup() {
		try (CompletionQueueGroups groups = groups(CompletionQueueLayout.SPLIT, 4, 8)) {
			List<CompletionQueueLease> leases = IntStream.range(0, 4)
				.mapToObj((i) -> groups.assign(new CompletionQueueDemand(10, 10, 1000)))
				.toList();
			assertThat(only(groups, CompletionQueueKind.RECEIVE).reserved()).isEqualTo(1000);
			assertThat(only(groups, CompletionQueueKind.SEND).reserved()).isEqualTo(40);
			assertThat(groups.statistics()).hasSize(2);
			closeAll(leases);
		}
	}

	@Test
	void depthIsAFifthMoreThanCanWaitRoundedUp() {
		CompletionQueueLoad load = CompletionQueueLoad.NONE.plus(new CompletionQueueDemand(7, 3), 3);
		assertThat(load.depth(CompletionQueueKind.SEND)).isEqualTo(26);
		assertThat(load.depth(CompletionQueueKind.RECEIVE)).isEqualTo(11);
		assertThat(load.depth(CompletionQueueKind.SHARED)).isEqualTo(36);
		CompletionQueueLoad shared = CompletionQueueLoad.NONE.plus(new CompletionQueueDemand(7, 3, 100), 3);
		assertThat(shared.depth(CompletionQueueKind.RECEIVE)).isEqualTo(120);
		assertThat(shared.depth(CompletionQueueKind.SHARED)).isEqualTo(146);
	}

	@Test
	void whenDeviceQueuesAreShorterThenAGroupHasFewerConnections() {
		int sendDepth = maxDepth() / 3;
		try (CompletionQueueGroups groups = groups(CompletionQueueLayout.SPLIT, 16, 8)) {
			List<CompletionQueueLease> leases = IntStream.range(0, 5)
				.mapToObj((i) -> groups.assign(new CompletionQueueDemand(sendDepth, 10)))
				.toList();
			assertThat(leases).extracting(CompletionQueueLease::group)
				.containsExactly("group-1", "group-1", "group-2", "group-2", "group-3");
			assertThat(groups.statistics()).allMatch((queue) -> queue.capacity() <= maxDepth());
			closeAll(leases);
		}
	}

	@Test
	void whenOneConnectionExceedsTheDeviceThenTheSettingIsNamed() {
		int tooDeep = maxDepth() * 5 / 6 + 2;
		try (CompletionQueueGroups groups = groups(CompletionQueueLayout.SPLIT, 16, 8)) {
			assertRefused(groups, "rdma.queue-pair.send-depth", new CompletionQueueDemand(tooDeep, 1));
			assertRefused(groups, "rdma.queue-pair.receive-depth", new CompletionQueueDemand(1, tooDeep));
			assertRefused(groups, "rdma.queue-pair.receive-depth", new CompletionQueueDemand(1, 1, tooDeep));
			groups.assign(new CompletionQueueDemand(maxDepth() * 5 / 6, maxDepth() * 5 / 6)).close();
		}
		try (CompletionQueueGroups groups = groups(CompletionQueueLayout.SHARED, 16, 8)) {
			assertRefused(groups, "rdma.queue-pair.send-depth",
					new CompletionQueueDemand(maxDepth() / 2, maxDepth() / 2 - 10));
			assertRefused(groups, "rdma.queue-pair.receive-depth",
					new CompletionQueueDemand(maxDepth() / 2, maxDepth() / 2 + 1));
			assertRefused(groups, "rdma.queue-pair.receive-depth", new CompletionQueueDemand(1, 1, tooDeep));
		}
	}

	private void assertRefused(CompletionQueueGroups groups, String property, CompletionQueueDemand demand) {
		assertThatExceptionOfType(RdmaConfigurationException.class).isThrownBy(() -> groups.assign(demand))
			.withMessageContaining(TestDevice.name() + " has at most " + maxDepth())
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(property));
		assertThat(groups.statistics()).isEmpty();
	}

	@Test
	void whenAllGroupsAreFullThenTheSettingIsNamedUntilAConnectionIsClosed() {
		try (CompletionQueueGroups groups = groups(CompletionQueueLayout.SPLIT, 2, 2)) {
			List<CompletionQueueLease> leases = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				leases.add(groups.assign(new CompletionQueueDemand(10, 10)));
			}
			assertThatExceptionOfType(RdmaConfigurationException.class)
				.isThrownBy(() -> groups.assign(new CompletionQueueDemand(10, 10)))
				.withMessageContainingAll("'rdma.completion-queue.max-groups' is '2'", "2 groups", "4 connections",
						"rdma.completion-queue.connections-per-group (now 2)");
			leases.remove(0).close();
			leases.add(groups.assign(new CompletionQueueDemand(10, 10)));
			assertThat(leases.get(3).group()).isEqualTo("group-1");
			closeAll(leases);
		}
	}

	@Test
	void whenLastConnectionIsClosedThenTheQueuesAreToo() {
		try (CompletionQueueGroups groups = groups(CompletionQueueLayout.SPLIT, 2, 8)) {
			CompletionQueueLease first = groups.assign(new CompletionQueueDemand(10, 10));
			CompletionQueueLease second = groups.assign(new CompletionQueueDemand(10, 10));
			first.close();
			first.close();
			assertThat(second.sendQueue().isOpen()).isTrue();
			assertThat(only(groups, CompletionQueueKind.SEND).connections()).isEqualTo(1);
			second.close();
			assertThat(second.sendQueue().isOpen()).isFalse();
			assertThat(second.receiveQueue().isOpen()).isFalse();
			assertThat(groups.statistics()).isEmpty();
			CompletionQueueLease third = groups.assign(new CompletionQueueDemand(10, 10));
			assertThat(third.group()).isEqualTo("group-1");
			third.close();
		}
	}

	@Test
	void whenManyConnectionsHaveQueuesOfTheirOwnThenThereIsOneWarning(CapturedOutput output) {
		try (CompletionQueueGroups groups = groups(CompletionQueueLayout.PER_CONNECTION, 1, 100)) {
			List<CompletionQueueLease> leases = new ArrayList<>();
			for (int i = 0; i < 64; i++) {
				leases.add(groups.assign(new CompletionQueueDemand(1, 1)));
			}
			assertThat(output).doesNotContain("More than 64 connections");
			leases.add(groups.assign(new CompletionQueueDemand(1, 1)));
			leases.add(groups.assign(new CompletionQueueDemand(1, 1)));
			assertThat(output).containsOnlyOnce("More than 64 connections");
			closeAll(leases);
		}
	}

	@ParameterizedTest
	@EnumSource
	void whenEveryQueueIsFilledToItsLastSlotThenNothingOverruns(CompletionQueueLayout layout) throws Exception {
		int sendDepth = 31;
		int receiveDepth = 15;
		try (CompletionQueueGroups groups = groups(layout, 5, 12)) {
			List<Filled> connections = new ArrayList<>();
			for (int i = 0; i < 12; i++) {
				connections.add(new Filled(groups, sendDepth, receiveDepth));
			}
			// With the poller stopped everything that can complete stays in the queues
			connections.forEach(Filled::fill);
			assertThat(this.queuePairs.context().awaitAsyncEvent(Duration.ofMillis(100))).isNull();
			for (QueueStatistics queue : groups.statistics()) {
				assertThat(queue.outstanding()).isEqualTo(queue.reserved());
				assertThat(queue.reserved()).isLessThanOrEqualTo(queue.capacity());
			}
			this.poller.start();
			await().atMost(TestDevice.PATIENCE).until(() -> connections.stream().allMatch(Filled::isComplete));
			this.poller.stop();
			assertThat(this.poller.statistics().completions()).containsEntry(CompletionStatus.SUCCESS, 12L * sendDepth)
				.containsEntry(CompletionStatus.WR_FLUSH_ERR, 12L * receiveDepth);
			assertThat(this.poller.statistics().strays()).isZero();
			assertThat(this.queuePairs.context().awaitAsyncEvent(Duration.ofMillis(100))).isNull();
			for (QueueStatistics queue : groups.statistics()) {
				assertThat(queue.outstanding()).isZero();
				assertThat(queue.highWater()).isEqualTo(queue.reserved());
				assertThat(queue.depth()).isZero();
			}
			connections.forEach(Filled::close);
		}
	}

	@Test
	void whenConnectionLeavesCompletionsBehindThenTheyAreTakenOutFirst() {
		try (CompletionQueueGroups groups = groups(CompletionQueueLayout.SPLIT, 2, 8)) {
			CompletionQueueLease stays = groups.assign(new CompletionQueueDemand(31, 15));
			Filled leaves = new Filled(groups, 31, 15);
			leaves.fill();
			leaves.close();
			assertThat(leaves.isComplete()).isTrue();
			assertThat(only(groups, CompletionQueueKind.SEND).highWater()).isEqualTo(31);
			stays.close();
		}
	}

	@Test
	void whenConnectionAssistsThenItsOwnQueuesArePolled() {
		try (CompletionQueueGroups groups = groups(CompletionQueueLayout.PER_CONNECTION, 1, 8)) {
			Filled first = new Filled(groups, 7, 7);
			Filled second = new Filled(groups, 7, 7);
			first.fill();
			second.fill();
			assertThat(first.lease.assist()).isTrue();
			assertThat(first.isComplete()).isTrue();
			assertThat(second.seen).isEmpty();
			assertThat(first.lease.assist()).isFalse();
			first.close();
			second.close();
		}
	}

	@Test
	void whenQueuePairIsStillOpenThenClosingIsRefused() {
		CompletionQueueGroups groups = groups(CompletionQueueLayout.SPLIT, 1, 8);
		Filled connection = new Filled(groups, 7, 7);
		assertThatExceptionOfType(VerbsException.class).isThrownBy(groups::close).withMessageContaining("queue pair");
		assertThat(connection.lease.sendQueue().isOpen()).isTrue();
		connection.queuePair.close();
		groups.close();
		groups.close();
		assertThat(connection.lease.sendQueue().isOpen()).isFalse();
	}

	@Test
	void whenPlaceIsGivenBackInsideACallbackThenItIsRefused() {
		try (CompletionQueueGroups groups = groups(CompletionQueueLayout.SPLIT, 1, 8)) {
			Filled connection = new Filled(groups, 7, 7);
			connection.onCompletion = () -> assertThatIllegalStateException().isThrownBy(connection.lease::close)
				.withMessageContaining("inside a completion callback");
			connection.fill();
			while (!connection.isComplete()) {
				connection.lease.assist();
			}
			assertThat(this.poller.statistics().sinkFailures()).isZero();
			connection.close();
		}
	}

	@Test
	@OnSoftDeviceOnly("no verb makes a device fail")
	void whenDeviceRefusesAQueueThenTheExceptionIsTyped() {
		SoftDeviceContext device = (SoftDeviceContext) this.queuePairs.context();
		try (CompletionQueueGroups groups = groups(CompletionQueueLayout.SPLIT, 1, 8)) {
			device.fail();
			assertThatExceptionOfType(RdmaDeviceException.class)
				.isThrownBy(() -> groups.assign(new CompletionQueueDemand(7, 7)));
			assertThat(groups.statistics()).isEmpty();
		}
	}

	@Test
	void whenSettingsAreWrongThenTheyAreRefusedByName() {
		assertThatExceptionOfType(RdmaConfigurationException.class)
			.isThrownBy(() -> groups(CompletionQueueLayout.SPLIT, 0, 1))
			.withMessageContaining("rdma.completion-queue.connections-per-group");
		assertThatExceptionOfType(RdmaConfigurationException.class)
			.isThrownBy(() -> groups(CompletionQueueLayout.SPLIT, 1, 0))
			.withMessageContaining("rdma.completion-queue.max-groups");
		assertThatIllegalArgumentException().isThrownBy(() -> new CompletionQueueDemand(0, 1));
		assertThatIllegalArgumentException().isThrownBy(() -> new CompletionQueueDemand(1, 0));
		assertThatIllegalArgumentException().isThrownBy(() -> new CompletionQueueDemand(1, 1, -1));
	}

	private static void closeAll(List<CompletionQueueLease> leases) {
		leases.forEach(CompletionQueueLease::close);
	}

	/**
	 * A queue pair that has as much outstanding as it may: sends that succeed, receives
	 * that are flushed.
	 */
	private final class Filled {

		private final Set<Long> seen = new HashSet<>();

		private final CompletionQueueLease lease;

		private final QueuePair queuePair;

		private final int sendDepth;

		private final int receiveDepth;

		private volatile int posted;

		private volatile Runnable onCompletion = () -> {
		};

		private final CompletionSink sink = (completion) -> {
			this.onCompletion.run();
			synchronized (this.seen) {
				return this.seen.add(completion.wrId());
			}
		};

		Filled(CompletionQueueGroups groups, int sendDepth, int receiveDepth) {
			this.sendDepth = sendDepth;
			this.receiveDepth = receiveDepth;
			this.lease = groups.assign(new CompletionQueueDemand(sendDepth, receiveDepth));
			this.queuePair = CompletionQueueGroupsTests.this.queuePairs.loopback(this.lease.sendQueue(),
					this.lease.receiveQueue(), sendDepth, receiveDepth);
			CompletionQueueGroupsTests.this.poller.dispatcher().register(this.queuePair.number(), this.sink);
			this.lease.outstanding(() -> outstanding(WorkRequestKind.SEND, sendDepth),
					() -> outstanding(WorkRequestKind.RECEIVE, receiveDepth));
		}

		private int outstanding(WorkRequestKind kind, int depth) {
			synchronized (this.seen) {
				int done = (int) this.seen.stream().filter((id) -> WorkRequestId.kind(id) == kind).count();
				return (this.posted > 0) ? depth - done : 0;
			}
		}

		void fill() {
			for (int slot = 0; slot < this.receiveDepth; slot++) {
				CompletionQueueGroupsTests.this.queuePairs.postReceive(this.queuePair,
						WorkRequestId.encode(WorkRequestKind.RECEIVE, slot, 1));
			}
			for (int slot = 0; slot < this.sendDepth; slot++) {
				CompletionQueueGroupsTests.this.queuePairs.postWrite(this.queuePair,
						WorkRequestId.encode(WorkRequestKind.SEND, slot, 1));
			}
			QueuePairs.fail(this.queuePair);
			this.posted = this.sendDepth + this.receiveDepth;
		}

		boolean isComplete() {
			synchronized (this.seen) {
				return this.seen.size() == this.posted;
			}
		}

		void close() {
			this.queuePair.close();
			this.lease.close();
			CompletionQueueGroupsTests.this.poller.dispatcher().unregister(this.queuePair.number(), this.sink);
		}

	}

}
