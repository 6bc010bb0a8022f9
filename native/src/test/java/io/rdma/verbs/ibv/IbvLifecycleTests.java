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

package io.rdma.verbs.ibv;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.CompletionChannel;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.Errno;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.MemoryWindow;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.SharedReceiveQueue;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.WorkCompletions;
import io.rdma.verbs.WorkRequestException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for how the resources of libibverbs are used and closed, on the stand-in, which
 * counts what is used after it was destroyed.
 */
@EnabledIf("io.rdma.verbs.ibv.Standin#isBuilt")
class IbvLifecycleTests {

	private final DeviceContext context = Standin.open();

	private final int objects = Standin.objects(this.context);

	private final ProtectionDomain domain = this.context.allocateProtectionDomain();

	@AfterEach
	void nothingIsLeft() {
		this.domain.close();
		assertThat(Standin.violations(this.context)).as("uses after destruction").isZero();
		assertThat(Standin.objects(this.context)).as("objects left").isEqualTo(this.objects);
		this.context.close();
	}

	@Test
	void shouldPostAndPoll() {
		try (CompletionQueue queue = this.context.createCompletionQueue(16, null);
				QueuePair pair = ready(queue);
				MemoryRegion region = this.domain.allocateMemory(4096, EnumSet.of(AccessFlag.LOCAL_WRITE))) {
			SendWorkRequests requests = this.context.allocateSendWorkRequests(4, 2);
			WorkCompletions completions = this.context.allocateWorkCompletions(8);
			requests.clear();
			requests.add().wrId(1).addSge(region, 0, 8).signaled();
			requests.add().wrId(2).addSge(region, 8, 8).signaled();
			pair.postSend(requests);
			assertThat(queue.poll(completions)).isEqualTo(2);
			assertThat(completions.get(1).wrId()).isEqualTo(2);
			assertThat(completions.get(1).qpNumber()).isEqualTo(pair.number());
			assertThat(queue.poll(completions)).isZero();
		}
	}

	@Test
	void whenARequestIsRefusedThenItsPlaceIsTold() {
		try (CompletionQueue queue = this.context.createCompletionQueue(16, null);
				QueuePair pair = ready(queue);
				MemoryRegion region = this.domain.allocateMemory(4096, EnumSet.of(AccessFlag.LOCAL_WRITE))) {
			SendWorkRequests requests = this.context.allocateSendWorkRequests(3, 8);
			requests.add();
			requests.add();
			var tooMany = requests.add().wrId(77);
			for (int i = 0; i < 5; i++) {
				tooMany.addSge(region, i, 1);
			}
			assertThatExceptionOfType(WorkRequestException.class).isThrownBy(() -> pair.postSend(requests))
				.satisfies((ex) -> {
					assertThat(ex.index()).isEqualTo(2);
					assertThat(ex.errno()).isEqualTo(Errno.EINVAL);
				})
				.withMessageContaining("77");
		}
	}

	@Test
	void whenInlineDataExceedsWhatWasGrantedThenItIsNotTakenForAFullQueue() {
		try (CompletionQueue queue = this.context.createCompletionQueue(16, null);
				QueuePair pair = ready(queue);
				MemoryRegion region = this.domain.allocateMemory(4096, EnumSet.of(AccessFlag.LOCAL_WRITE))) {
			int max = pair.capabilities().maxInlineData();
			SendWorkRequests requests = this.context.allocateSendWorkRequests(3, 2);
			WorkCompletions completions = this.context.allocateWorkCompletions(4);
			requests.add().inlined().signaled().addSge(region, 0, max);
			requests.add().inlined().signaled().addSge(region, 0, max - 1).addSge(region, 0, 1);
			requests.add().wrId(77).inlined().signaled().addSge(region, 0, max).addSge(region, 0, 1);
			assertThatExceptionOfType(WorkRequestException.class).isThrownBy(() -> pair.postSend(requests))
				.satisfies((ex) -> {
					assertThat(ex.index()).isEqualTo(2);
					assertThat(ex.errno()).isEqualTo(Errno.EINVAL);
				})
				.withMessageContaining("77")
				.withMessageContaining("inline length");
			assertThat(queue.poll(completions)).isEqualTo(2);
		}
	}

	@Test
	void whenARequestIsRefusedThenTheReasonFitsTheErrorNumber() {
		try (CompletionQueue queue = this.context.createCompletionQueue(16, null); QueuePair pair = ready(queue)) {
			assertRefused(pair, Errno.ENOMEM, "the queue is full");
			assertRefused(pair, Errno.EINVAL, "not valid for this queue pair");
			assertRefused(pair, Errno.EIO, "the device failed", "open it again");
			assertRefused(pair, Errno.ENODEV, "the device is gone", "open it again");
		}
	}

	private void assertRefused(QueuePair pair, Errno errno, String... reason) {
		SendWorkRequests requests = this.context.allocateSendWorkRequests(2, 1);
		requests.add();
		requests.add().wrId(Standin.FAILS_TO_SEND + errno.number());
		assertThatExceptionOfType(WorkRequestException.class).isThrownBy(() -> pair.postSend(requests))
			.satisfies((ex) -> {
				assertThat(ex.index()).isEqualTo(1);
				assertThat(ex.errno()).isEqualTo(errno);
				assertThat(ex.getMessage()).contains(reason);
			});
	}

	@Test
	void shouldKeepAttributes() {
		QueuePairAttributes rts;
		try (CompletionQueue queue = this.context.createCompletionQueue(16, null); QueuePair pair = ready(queue)) {
			rts = pair.query();
			assertThat(pair.state()).isEqualTo(QueuePairState.RTS);
		}
		assertThat(rts.timeout()).isEqualTo(14);
		assertThat(rts.capabilities().maxSendWorkRequests()).isEqualTo(16);
	}

	@Test
	void whenClosedInTheWrongOrderThenItIsRefusedAndStaysUsable() {
		try (CompletionQueue queue = this.context.createCompletionQueue(16, null); QueuePair pair = ready(queue)) {
			assertBusy(this.context);
			assertBusy(this.domain);
			assertBusy(queue);
			assertThat(queue.poll(this.context.allocateWorkCompletions(1))).isZero();
			assertThat(pair.isOpen()).isTrue();
		}
	}

	private static void assertBusy(AutoCloseable resource) {
		assertThatExceptionOfType(VerbsException.class).isThrownBy(resource::close)
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.EBUSY));
	}

	@Test
	void whenUsedAfterCloseThenItIsRefused() {
		CompletionChannel channel = this.context.createCompletionChannel();
		CompletionQueue queue = this.context.createCompletionQueue(16, channel);
		QueuePair pair = ready(queue);
		SharedReceiveQueue shared = this.domain.createSharedReceiveQueue(16, 1);
		MemoryWindow window = this.domain.allocateMemoryWindow();
		SendWorkRequests sends = this.context.allocateSendWorkRequests(1, 1);
		sends.add();
		ReceiveWorkRequests receives = this.context.allocateReceiveWorkRequests(1, 1);
		receives.add();
		for (int i = 0; i < 2; i++) {
			window.close();
			shared.close();
			pair.close();
			queue.close();
			channel.close();
		}
		assertClosed(() -> pair.postSend(sends));
		assertClosed(() -> pair.postReceive(receives));
		assertClosed(pair::state);
		assertClosed(pair::query);
		assertClosed(() -> pair.modify(QueuePairAttributes.to(QueuePairState.ERR).build()));
		assertClosed(() -> queue.poll(this.context.allocateWorkCompletions(1)));
		assertClosed(queue::arm);
		assertClosed(() -> shared.postReceive(receives));
		assertClosed(() -> shared.armLimit(1));
		assertClosed(() -> channel.await(Duration.ZERO));
		channel.wakeup();
	}

	private static void assertClosed(ThrowingCallable use) {
		assertThatExceptionOfType(ResourceClosedException.class).isThrownBy(use);
	}

	@Test
	void whenCreationFailsThenNothingIsLeft() {
		try (CompletionQueue queue = this.context.createCompletionQueue(16, null)) {
			assertThatExceptionOfType(VerbsException.class)
				.isThrownBy(() -> this.domain
					.createQueuePair(new QueuePairInitAttributes(queue, queue, new QueuePairCapabilities(1 << 20, 1))))
				.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.EINVAL));
		}
		for (int capacity : new int[] { 0, -1, 1 << 20 }) {
			assertThatExceptionOfType(VerbsException.class)
				.isThrownBy(() -> this.context.createCompletionQueue(capacity, null))
				.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.EINVAL));
		}
	}

	@Test
	void whenClosedWhileOthersPostAndPollThenTheyAreToldAndNothingIsUsedAfterwards() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			for (int round = 0; round < 300; round++) {
				CompletionQueue queue = this.context.createCompletionQueue(16, null);
				QueuePair pair = ready(queue);
				AtomicBoolean closed = new AtomicBoolean();
				List<Future<Boolean>> users = new ArrayList<>();
				users.add(threads.submit(poster(pair, closed)));
				users.add(threads.submit(poster(pair, closed)));
				users.add(threads.submit(poller(queue, closed)));
				users.add(threads.submit(poller(queue, closed)));
				TimeUnit.MICROSECONDS.sleep(round % 50);
				pair.close();
				queue.close();
				closed.set(true);
				for (Future<Boolean> user : users) {
					assertThat(user.get(20, TimeUnit.SECONDS)).isTrue();
				}
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private Callable<Boolean> poster(QueuePair pair, AtomicBoolean closed) {
		SendWorkRequests requests = this.context.allocateSendWorkRequests(1, 1);
		requests.add();
		return () -> untilClosed(() -> pair.postSend(requests), closed);
	}

	private Callable<Boolean> poller(CompletionQueue queue, AtomicBoolean closed) {
		WorkCompletions completions = this.context.allocateWorkCompletions(4);
		return () -> untilClosed(() -> queue.poll(completions), closed);
	}

	/** The exception must come, and not only after the close has returned long ago. */
	private static boolean untilClosed(Runnable use, AtomicBoolean closed) {
		while (true) {
			boolean before = closed.get();
			try {
				use.run();
			}
			catch (ResourceClosedException ex) {
				return true;
			}
			if (before) {
				return false;
			}
		}
	}

	@Test
	void shouldBringEventsAndWakeUps() throws Exception {
		try (CompletionChannel channel = this.context.createCompletionChannel();
				CompletionQueue queue = this.context.createCompletionQueue(16, channel);
				QueuePair pair = ready(queue)) {
			assertThat(channel.await(Duration.ofMillis(1))).isNull();
			queue.arm();
			SendWorkRequests requests = this.context.allocateSendWorkRequests(1, 1);
			requests.add().signaled();
			pair.postSend(requests);
			assertThat(channel.await(Duration.ofSeconds(10))).isSameAs(queue);
			assertBusy(queue);
			queue.acknowledge(1);
			channel.wakeup();
			assertThat(channel.await(Duration.ofDays(1))).isNull();
			assertThat(channel.await(Duration.ZERO)).isNull();
		}
	}

	@Test
	void whenClosedOrInterruptedWhileWaitingThenTheWaitEnds() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			CompletionChannel channel = this.context.createCompletionChannel();
			Future<Throwable> waiter = threads.submit(() -> failureOf(channel));
			Future<Throwable> other = threads.submit(() -> failureOf(channel));
			TimeUnit.MILLISECONDS.sleep(20);
			channel.close();
			assertThat(waiter.get(10, TimeUnit.SECONDS)).isInstanceOf(ResourceClosedException.class);
			assertThat(other.get(10, TimeUnit.SECONDS)).isInstanceOf(ResourceClosedException.class);
			try (CompletionChannel second = this.context.createCompletionChannel()) {
				FutureTask<Throwable> interrupted = new FutureTask<>(() -> failureOf(second));
				Thread thread = new Thread(interrupted);
				thread.start();
				thread.interrupt();
				assertThat(interrupted.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static Throwable failureOf(CompletionChannel channel) {
		try {
			channel.await(Duration.ofMinutes(1));
			return new AssertionError("The wait ended with nothing");
		}
		catch (Exception ex) {
			return ex;
		}
	}

	@Test
	void shouldBindWindowsWithANewKeyEachTime() {
		try (CompletionQueue queue = this.context.createCompletionQueue(16, null);
				QueuePair pair = ready(queue);
				MemoryRegion region = this.domain.allocateMemory(4096,
						EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND));
				MemoryWindow window = this.domain.allocateMemoryWindow()) {
			int before = window.rkey();
			pair.postBind(1, window, region, 0, 4096, EnumSet.of(AccessFlag.REMOTE_READ), true);
			assertThat(window.rkey()).isNotEqualTo(before);
			assertThat(window.rkey() >>> 8).isEqualTo(before >>> 8);
			assertThatExceptionOfType(IndexOutOfBoundsException.class)
				.isThrownBy(() -> pair.postBind(1, window, region, 1, 4096, EnumSet.of(AccessFlag.REMOTE_READ), true));
		}
	}

	@Test
	void whenTheDeviceIsGoneThenARegionStillClosesAndItsMemoryIsReleased() {
		for (Errno errno : new Errno[] { Errno.EIO, Errno.ENODEV, Errno.EINVAL }) {
			MemoryRegion region = this.domain.allocateMemory(Standin.FAILS_TO_DEREGISTER + errno.number(),
					EnumSet.of(AccessFlag.LOCAL_WRITE));
			ByteBuffer view = region.buffer(0, Long.BYTES).putLong(0, -1);
			region.close();
			assertThat(region.isOpen()).isFalse();
			assertThat(view.getLong(0)).isZero();
		}
	}

	@Test
	void whenTheDeviceSaysBusyThenTheRegionStaysOpen() {
		MemoryRegion region = this.domain.allocateMemory(Standin.FAILS_TO_DEREGISTER + Errno.EBUSY.number(),
				EnumSet.of(AccessFlag.LOCAL_WRITE));
		ByteBuffer view = region.buffer(0, Long.BYTES).putLong(0, -1);
		assertBusy(region);
		assertThat(region.isOpen()).isTrue();
		assertThat(view.getLong(0)).isEqualTo(-1);
		region.close();
		assertThat(view.getLong(0)).isZero();
	}

	@Test
	void whenWindowsAreBoundAndTheDeviceRefusesThenTheRegionStaysOpen() {
		try (CompletionQueue queue = this.context.createCompletionQueue(16, null);
				QueuePair pair = ready(queue);
				MemoryRegion region = this.domain.allocateMemory(Standin.FAILS_TO_DEREGISTER + Errno.EBUSY.number(),
						EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND));
				MemoryWindow window = this.domain.allocateMemoryWindow()) {
			pair.postBind(1, window, region, 0, 4096, EnumSet.of(AccessFlag.REMOTE_READ), true);
			assertBusy(region);
			assertThat(region.isOpen()).isTrue();
		}
	}

	private QueuePair ready(CompletionQueue queue) {
		return Standin.ready(this.domain, queue);
	}

}
