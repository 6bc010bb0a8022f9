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

package io.rdma.core.memory;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.exception.RdmaMemoryPoolExhaustedException;
import io.rdma.core.exception.RdmaMemoryRegistrationException;
import io.rdma.testing.TestDevice;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.Errno;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RdmaMemoryPool} and {@link RdmaBuffer}, on the software device.
 */
@ExtendWith(OutputCaptureExtension.class)
class RdmaMemoryPoolTests {

	private static final int KB = 1024;

	private static final Duration SOON = TestDevice.PATIENCE;

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private DeviceContext context;

	private ProtectionDomain protectionDomain;

	@BeforeEach
	void open() {
		this.context = TestDevice.open();
		this.protectionDomain = this.context.allocateProtectionDomain();
	}

	@AfterEach
	void close() {
		this.executor.shutdownNow();
		this.protectionDomain.close();
		this.context.close();
	}

	private RdmaMemoryPool.Builder builder() {
		return RdmaMemoryPool.builder(this.protectionDomain).name("test").slabSize(64 * KB).initialSize(64 * KB);
	}

	@Test
	void whenBufferIsAcquiredThenItIsPartOfRegisteredMemory() {
		try (RdmaMemoryPool pool = builder().build(); RdmaBuffer buffer = pool.acquire(5000, Duration.ZERO)) {
			assertThat(buffer.capacity()).isEqualTo(8 * KB);
			assertThat(buffer.region().isOpen()).isTrue();
			assertThat(buffer.region().access()).containsExactly(AccessFlag.LOCAL_WRITE);
			assertThat(buffer.offset() % (4 * KB)).isZero();
			ByteBuffer view = buffer.byteBuffer();
			assertThat(view.isDirect()).isTrue();
			assertThat(view.remaining()).isEqualTo(8 * KB);
			assertThat(buffer.byteBuffer()).isSameAs(view);
			view.putInt(0, 0x01020304);
			assertThat(buffer.region().buffer(buffer.offset(), 4).getInt()).isEqualTo(0x01020304);
		}
	}

	@Test
	void whenNothingIsAskedForThenTheSmallestBufferIsGiven() {
		try (RdmaMemoryPool pool = builder().build(); RdmaBuffer buffer = pool.acquire(0, Duration.ZERO)) {
			assertThat(buffer.capacity()).isEqualTo(4 * KB);
		}
	}

	@Test
	void whenBuffersAreHeldThenStatisticsTellOfThem() {
		try (RdmaMemoryPool pool = builder().build()) {
			RdmaBuffer first = pool.acquire(4 * KB, Duration.ZERO);
			RdmaBuffer second = pool.acquire(16 * KB, Duration.ZERO);
			second.release();
			assertThat(pool.statistics()).isEqualTo(
					new MemoryPoolStatistics(64 * KB, 64 * KB, 4 * KB, 60 * KB, 20 * KB, 0, 64 * KB, 1, 2, 1, 0, 0));
			first.release();
			pool.heldBack(8 * KB);
			assertThat(pool.statistics().heldBackBytes()).isEqualTo(8 * KB);
			pool.heldBack(-8 * KB);
			assertThat(pool.statistics().heldBackBytes()).isZero();
			assertThat(pool.statistics().usedBytes()).isZero();
		}
	}

	@Test
	void whenSmallBuffersAreReleasedThenTheirMemoryServesALargeOne() {
		try (RdmaMemoryPool pool = builder().build()) {
			List<RdmaBuffer> buffers = new ArrayList<>();
			for (int i = 0; i < 16; i++) {
				buffers.add(pool.acquire(4 * KB, Duration.ZERO));
			}
			assertThat(pool.tryAcquire(1)).isNull();
			buffers.forEach(RdmaBuffer::release);
			RdmaBuffer large = pool.acquire(64 * KB, Duration.ZERO);
			assertThat(large.capacity()).isEqualTo(64 * KB);
			large.release();
		}
	}

	@Test
	void whenLastReferenceIsReleasedThenTheMemoryGoesBack() {
		try (RdmaMemoryPool pool = builder().build()) {
			RdmaBuffer buffer = pool.acquire(1, Duration.ZERO);
			buffer.retain().release();
			assertThat(buffer.isReleased()).isFalse();
			assertThat(pool.statistics().usedBytes()).isEqualTo(4 * KB);
			buffer.release();
			assertThat(buffer.isReleased()).isTrue();
			assertThat(pool.statistics().usedBytes()).isZero();
		}
	}

	@Test
	void whenBufferIsUsedAfterReleaseThenItIsRefused() {
		try (RdmaMemoryPool pool = builder().build()) {
			RdmaBuffer buffer = pool.acquire(1, Duration.ZERO);
			buffer.release();
			assertThatIllegalStateException().isThrownBy(buffer::byteBuffer)
				.withMessageContaining("memory pool 'test' cannot be used: its last reference was released");
			assertThatIllegalStateException().isThrownBy(buffer::region);
			assertThatIllegalStateException().isThrownBy(buffer::retain).withMessageContaining("retained");
			assertThatIllegalStateException().isThrownBy(buffer::release).withMessageContaining("released again");
			assertThat(pool.statistics().released()).isEqualTo(1);
		}
	}

	@Test
	void whenReferencesAreCountedByManyThreadsThenTheMemoryGoesBackOnce() throws Exception {
		try (RdmaMemoryPool pool = builder().build()) {
			RdmaBuffer buffer = pool.acquire(1, Duration.ZERO);
			List<Future<?>> futures = new ArrayList<>();
			for (int thread = 0; thread < 8; thread++) {
				buffer.retain();
				futures.add(this.executor.submit(() -> {
					for (int i = 0; i < 10_000; i++) {
						buffer.retain();
						buffer.release();
					}
					buffer.release();
				}));
			}
			for (Future<?> future : futures) {
				future.get(20, TimeUnit.SECONDS);
			}
			assertThat(buffer.isReleased()).isFalse();
			buffer.release();
			assertThat(pool.statistics().usedBytes()).isZero();
			assertThat(pool.statistics().released()).isEqualTo(1);
		}
	}

	@Test
	void whenManyThreadsAcquireAndReleaseThenNoMemoryIsSharedOrLost() throws Exception {
		try (RdmaMemoryPool pool = builder().slabSize(256 * KB).initialSize(256 * KB).maxSize(1024 * KB).build()) {
			List<Future<?>> futures = new ArrayList<>();
			for (int thread = 0; thread < 6; thread++) {
				long id = thread + 1L;
				futures.add(this.executor.submit(() -> useAtRandom(pool, id)));
			}
			for (Future<?> future : futures) {
				future.get(60, TimeUnit.SECONDS);
			}
			MemoryPoolStatistics statistics = pool.statistics();
			assertThat(statistics.usedBytes()).isZero();
			assertThat(statistics.acquired()).isEqualTo(statistics.released());
			assertThat(statistics.timeouts()).isZero();
			assertThat(statistics.leaks()).isZero();
			pool.acquire(256 * KB, Duration.ZERO).release();
		}
	}

	private void useAtRandom(RdmaMemoryPool pool, long id) {
		Random random = new Random(id);
		for (int i = 0; i < 2_000; i++) {
			int size = 1 + random.nextInt(1 << (8 + random.nextInt(11)));
			try (RdmaBuffer buffer = pool.acquire(size, SOON)) {
				ByteBuffer view = buffer.byteBuffer();
				int last = buffer.capacity() - Long.BYTES;
				view.putLong(0, id).putLong(last, id);
				view.putLong(buffer.capacity() / 2, id);
				assertThat(view.getLong(0)).isEqualTo(id);
				assertThat(view.getLong(last)).isEqualTo(id);
			}
		}
	}

	@Test
	void whenBufferIsReleasedThenAWaiterGetsIt() throws Exception {
		try (RdmaMemoryPool pool = builder().build()) {
			RdmaBuffer all = pool.acquire(64 * KB, Duration.ZERO);
			Future<RdmaBuffer> waiting = this.executor.submit(() -> pool.acquire(64 * KB, SOON));
			assertThatExceptionOfType(java.util.concurrent.TimeoutException.class)
				.isThrownBy(() -> waiting.get(50, TimeUnit.MILLISECONDS));
			all.release();
			waiting.get(20, TimeUnit.SECONDS).release();
		}
	}

	@Test
	void whenNoBufferComesFreeInTimeThenTheExceptionTellsOfThePool() {
		try (RdmaMemoryPool pool = builder().build(); RdmaBuffer all = pool.acquire(64 * KB, Duration.ZERO)) {
			pool.heldBack(4 * KB);
			assertThatExceptionOfType(RdmaMemoryPoolExhaustedException.class)
				.isThrownBy(() -> pool.acquire(5000, Duration.ofMillis(20)))
				.withMessageContainingAll("5000 bytes", "'test'", "within 20 ms", "64KB of 64KB are used in 1 buffers",
						"4KB of them held back", "rdma.memory.max-pool-size (now 64KB)", "rdma.template.timeout");
			assertThat(pool.statistics().timeouts()).isEqualTo(1);
			assertThat(pool.tryAcquire(1)).isNull();
			assertThat(pool.statistics().timeouts()).isEqualTo(1);
			assertThat(all.isReleased()).isFalse();
		}
	}

	@Test
	void whenSmallRequestsKeepComingThenALargeOneIsServedNevertheless() throws Exception {
		try (RdmaMemoryPool pool = builder().build()) {
			CountDownLatch served = new CountDownLatch(1);
			List<Future<?>> futures = new ArrayList<>();
			for (int thread = 0; thread < 4; thread++) {
				futures.add(this.executor.submit(() -> {
					RdmaBuffer held = pool.acquire(4 * KB, SOON);
					while (served.getCount() > 0) {
						// Never all released at a time
						RdmaBuffer next = pool.tryAcquire(4 * KB);
						if (next != null) {
							held.release();
							held = next;
						}
						else {
							held.release();
							held = pool.acquire(4 * KB, SOON);
						}
					}
					held.release();
				}));
			}
			await().atMost(SOON).until(() -> pool.statistics().acquired() > 100);
			pool.acquire(64 * KB, SOON).release();
			served.countDown();
			for (Future<?> future : futures) {
				future.get(20, TimeUnit.SECONDS);
			}
			assertThat(pool.statistics().usedBytes()).isZero();
		}
	}

	@Test
	void whenALargeRequestWaitsThenSmallOnesAreServedFromWhatIsFree() {
		try (RdmaMemoryPool pool = builder().build()) {
			RdmaBuffer half = pool.acquire(32 * KB, Duration.ZERO);
			Future<RdmaBuffer> waiting = this.executor.submit(() -> pool.acquire(64 * KB, SOON));
			for (int i = 0; i < 8; i++) {
				pool.acquire(4 * KB, SOON).release();
			}
			half.release();
			await().atMost(SOON).until(waiting::isDone);
			assertThat(waiting).succeedsWithin(SOON).satisfies(RdmaBuffer::release);
		}
	}

	@Test
	void whenThreadIsInterruptedThenItStopsWaitingAndStaysInterrupted() throws Exception {
		try (RdmaMemoryPool pool = builder().build(); RdmaBuffer all = pool.acquire(64 * KB, Duration.ZERO)) {
			AtomicReference<Throwable> thrown = new AtomicReference<>();
			CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
			Thread thread = new Thread(() -> {
				try {
					pool.acquire(1, SOON);
				}
				catch (RuntimeException ex) {
					thrown.set(ex);
				}
				interrupted.complete(Thread.currentThread().isInterrupted());
			});
			thread.start();
			thread.interrupt();
			assertThat(interrupted.get(20, TimeUnit.SECONDS)).isTrue();
			assertThat(thrown.get()).isInstanceOf(RdmaInterruptedException.class);
			assertThat(all.isReleased()).isFalse();
		}
	}

	@Test
	void whenPoolRunsOutThenItGrowsSlabBySlabToItsMaximum() {
		try (RdmaMemoryPool pool = builder().maxSize(160 * KB).build()) {
			List<RdmaBuffer> buffers = new ArrayList<>();
			buffers.add(pool.acquire(64 * KB, Duration.ZERO));
			buffers.add(pool.acquire(64 * KB, SOON));
			buffers.add(pool.acquire(32 * KB, SOON));
			MemoryPoolStatistics statistics = pool.statistics();
			assertThat(statistics.slabs()).isEqualTo(3);
			assertThat(statistics.capacityBytes()).isEqualTo(160 * KB);
			assertThat(statistics.pinnedBytes()).isEqualTo(160 * KB);
			assertThatExceptionOfType(RdmaMemoryPoolExhaustedException.class)
				.isThrownBy(() -> pool.acquire(1, Duration.ofMillis(1)));
			buffers.forEach(RdmaBuffer::release);
		}
	}

	@Test
	void whenNobodyCanWaitThenThePoolGrowsInTheBackground() {
		try (RdmaMemoryPool pool = builder().maxSize(128 * KB).build()) {
			RdmaBuffer first = pool.acquire(64 * KB, Duration.ZERO);
			assertThat(pool.tryAcquire(64 * KB)).isNull();
			await().atMost(SOON).until(() -> pool.statistics().slabs() == 2);
			first.release();
		}
	}

	@Test
	void whenGrowthFailsThenThePoolGoesOnAndTheCauseIsTold(CapturedOutput output) {
		ProtectionDomain failing = mock(ProtectionDomain.class, delegatesTo(this.protectionDomain));
		try (RdmaMemoryPool pool = RdmaMemoryPool.builder(failing)
			.slabSize(64 * KB)
			.initialSize(64 * KB)
			.maxSize(1024 * KB)
			.build()) {
			willThrow(new VerbsException("ibv_reg_mr", Errno.ENOMEM, "No memory")).given(failing)
				.allocateMemory(anyLong(), any());
			RdmaBuffer all = pool.acquire(64 * KB, Duration.ZERO);
			assertThatExceptionOfType(RdmaMemoryPoolExhaustedException.class)
				.isThrownBy(() -> pool.acquire(1, Duration.ofSeconds(1)))
				.withMessageContaining("could not grow to the 1MB allowed")
				.withCauseInstanceOf(RdmaMemoryRegistrationException.class);
			all.release();
			pool.acquire(1, Duration.ZERO).release();
			assertThat(output).containsOnlyOnce("cannot grow and goes on with what it has");
		}
	}

	@Test
	void whenMemoryCannotBeRegisteredThenTheExceptionSaysWhatToDo() {
		ProtectionDomain failing = mock(ProtectionDomain.class, delegatesTo(this.protectionDomain));
		MemoryRegion first = this.protectionDomain.allocateMemory(64 * KB, Set.of(AccessFlag.LOCAL_WRITE));
		willReturn(first).willThrow(new VerbsException("ibv_reg_mr", Errno.ENOMEM, "No memory"))
			.given(failing)
			.allocateMemory(anyLong(), any());
		assertThatExceptionOfType(RdmaMemoryRegistrationException.class)
			.isThrownBy(() -> RdmaMemoryPool.builder(failing).slabSize(64 * KB).initialSize(128 * KB).build())
			.withMessageContainingAll("64KB of the 128KB", "rdma.memory.pool-size", TestDevice.name(), "No memory",
					"-XX:MaxDirectMemorySize", "ulimit -l", "LimitMEMLOCK", "Kubernetes")
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.ENOMEM));
		assertThat(first.isOpen()).isFalse();
	}

	@Test
	void whenDirectMemoryRunsOutThenTheExceptionSaysWhatToDo() {
		ProtectionDomain failing = mock(ProtectionDomain.class, delegatesTo(this.protectionDomain));
		willThrow(new OutOfMemoryError("Cannot reserve 65536 bytes of direct buffer memory")).given(failing)
			.allocateMemory(anyLong(), any());
		assertThatExceptionOfType(RdmaMemoryRegistrationException.class)
			.isThrownBy(() -> RdmaMemoryPool.builder(failing).initialSize(64 * KB).build())
			.withMessageContainingAll("rdma.memory.pool-size", "Cannot reserve", "-XX:MaxDirectMemorySize");
	}

	@Test
	void whenSizesDoNotFitThenTheSettingIsNamed() {
		assertRefused("rdma.memory.pool-size", builder().initialSize(4095));
		assertRefused("rdma.memory.pool-size", builder().initialSize(-1));
		assertRefused("rdma.memory.pool-size", builder().initialSize(1L << 60).maxSize(1L << 60));
		assertRefused("rdma.memory.max-pool-size", builder().maxSize(32 * KB));
		assertRefused("rdma.memory.slab-size", builder().slabSize(128 * KB));
		assertRefused("rdma.memory.slab-size", builder().slabSize(KB));
		assertRefused("rdma.memory.min-buffer-size", builder().minBufferSize(5000));
		assertRefused("rdma.memory.min-buffer-size", builder().minBufferSize(0));
	}

	private void assertRefused(String property, RdmaMemoryPool.Builder builder) {
		assertThatExceptionOfType(RdmaConfigurationException.class).isThrownBy(builder::build)
			.satisfies((ex) -> assertThat(ex.property()).isEqualTo(property));
	}

	@Test
	void whenRequestIsLargerThanASlabThenTheSettingIsNamed() {
		try (RdmaMemoryPool pool = builder().initialSize(1024 * KB).build()) {
			assertThat(pool.maxBufferSize()).isEqualTo(64 * KB);
			assertThatExceptionOfType(RdmaMemoryPoolExhaustedException.class)
				.isThrownBy(() -> pool.acquire(64 * KB + 1, SOON))
				.withMessageContainingAll("65537", "64KB", "rdma.memory.slab-size");
			assertThatExceptionOfType(RdmaMemoryPoolExhaustedException.class)
				.isThrownBy(() -> pool.tryAcquire(Integer.MAX_VALUE));
		}
	}

	@Test
	void whenSizeIsNegativeThenItIsRefused() {
		try (RdmaMemoryPool pool = builder().build()) {
			assertThatIllegalArgumentException().isThrownBy(() -> pool.acquire(-1, SOON)).withMessageContaining("-1");
			assertThatIllegalArgumentException().isThrownBy(() -> pool.tryAcquire(-1));
		}
	}

	@Test
	void whenSlabIsNoPowerOfTwoThenAllOfItCanBeUsed() {
		try (RdmaMemoryPool pool = builder().slabSize(100 * KB).initialSize(100 * KB).build()) {
			assertThat(pool.maxBufferSize()).isEqualTo(64 * KB);
			List<RdmaBuffer> buffers = List.of(pool.acquire(64 * KB, Duration.ZERO),
					pool.acquire(32 * KB, Duration.ZERO), pool.acquire(4 * KB, Duration.ZERO));
			assertThat(pool.statistics().availableBytes()).isZero();
			buffers.forEach(RdmaBuffer::release);
		}
	}

	@Test
	void whenSlabIsLargerThanTwoGigabytesThenAllOfItCanBeUsed() {
		long size = 3L << 30;
		MemoryRegion region = mock();
		given(region.length()).willReturn(size);
		given(region.isOpen()).willReturn(true);
		given(region.buffer(anyLong(), anyInt())).willAnswer((invocation) -> ByteBuffer.allocateDirect(8));
		ProtectionDomain domain = mock(ProtectionDomain.class, delegatesTo(this.protectionDomain));
		willReturn(region).given(domain).allocateMemory(anyLong(), any());
		PoolLayout layout = new PoolLayout(4 * KB, size, size, size);
		assertThat(layout.maxBufferSize()).isEqualTo(1 << 30);
		if (MemorySize.ofMachine() > size) {
			try (RdmaMemoryPool pool = RdmaMemoryPool.builder(domain).slabSize(size).initialSize(size).build()) {
				List<RdmaBuffer> buffers = new ArrayList<>();
				for (int i = 0; i < 3; i++) {
					buffers.add(pool.acquire(1 << 30, Duration.ZERO));
				}
				assertThat(buffers).extracting(RdmaBuffer::offset).containsExactlyInAnyOrder(0L, 1L << 30, 2L << 30);
				buffers.forEach(RdmaBuffer::release);
			}
		}
	}

	@Test
	void whenBufferIsDroppedThenItIsReportedOnceAndItsMemoryComesBack(CapturedOutput output) {
		try (RdmaMemoryPool pool = builder().leakSampling(1).build()) {
			drop(pool);
			awaitLeaks(pool, 1);
			assertThat(pool.statistics().usedBytes()).isZero();
			await().atMost(SOON).untilAsserted(() -> assertThat(output).containsOnlyOnce("was dropped without"));
			assertThat(output).contains("memory pool 'test'", "RdmaMemoryPoolTests.drop(",
					"A buffer of 65536 bytes was taken here by thread");
			pool.acquire(64 * KB, Duration.ZERO).release();
			drop(pool);
			awaitLeaks(pool, 2);
			assertThat(output).containsOnlyOnce("was dropped without");
		}
	}

	@Test
	void whenTheDroppedBufferWasNotSampledThenTheReportSaysHowToFindIt(CapturedOutput output) {
		try (RdmaMemoryPool pool = builder().leakSampling(0).build()) {
			drop(pool);
			awaitLeaks(pool, 1);
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(output).contains("rdma.memory.leak-sampling is 0, set it to 1"));
		}
	}

	@Test
	void whenAWaiterNeedsTheMemoryOfADroppedBufferThenItGetsIt() {
		try (RdmaMemoryPool pool = builder().build()) {
			drop(pool);
			Future<RdmaBuffer> waiting = this.executor.submit(() -> pool.acquire(64 * KB, SOON));
			awaitLeaks(pool, 1);
			assertThat(waiting).succeedsWithin(SOON).satisfies(RdmaBuffer::release);
		}
	}

	@Test
	void whenOnlyTheViewIsHeldThenTheMemoryIsNotTakenBack() {
		try (RdmaMemoryPool pool = builder().build()) {
			ByteBuffer view = pool.acquire(64 * KB, Duration.ZERO).byteBuffer();
			// Once another pool's buffer was found, this one's would have been too
			try (RdmaMemoryPool other = builder().build()) {
				drop(other);
				awaitLeaks(other, 1);
			}
			assertThat(pool.statistics().leaks()).isZero();
			assertThat(view.get(0)).isZero();
			view = ByteBuffer.allocate(0);
			awaitLeaks(pool, 1);
			assertThat(view.capacity()).isZero();
		}
	}

	private void drop(RdmaMemoryPool pool) {
		assertThat(pool.acquire(64 * KB, Duration.ZERO).isReleased()).isFalse();
	}

	private void awaitLeaks(RdmaMemoryPool pool, int count) {
		await().atMost(SOON).pollInterval(Duration.ofMillis(20)).until(() -> {
			System.gc();
			return pool.statistics().leaks() == count;
		});
	}

	@Test
	void whenClosedThenNothingIsPinned() {
		RdmaMemoryPool pool = builder().initialSize(128 * KB).build();
		RdmaBuffer buffer = pool.acquire(1, Duration.ZERO);
		MemoryRegion region = buffer.region();
		buffer.release();
		pool.close();
		assertThat(region.isOpen()).isFalse();
		assertThat(pool.statistics().pinnedBytes()).isZero();
		assertThat(pool.statistics().slabs()).isZero();
		assertThatExceptionOfType(RdmaClosedException.class).isThrownBy(() -> pool.acquire(1, SOON))
			.withMessageContaining("'test' is closed");
		assertThatExceptionOfType(RdmaClosedException.class).isThrownBy(() -> pool.tryAcquire(1));
		pool.close();
	}

	@Test
	void whenClosedWithBuffersOutstandingThenTheirPlacesAreNamed(CapturedOutput output) {
		RdmaMemoryPool pool = builder().leakSampling(1).build();
		RdmaBuffer first = pool.acquire(1, Duration.ZERO);
		RdmaBuffer second = pool.acquire(1, Duration.ZERO);
		pool.close();
		assertThat(output).containsOnlyOnce("'test' is closed while 2 buffers of 8KB in all are not released")
			.contains("1 at io.rdma.core.memory.RdmaMemoryPoolTests");
		assertThat(pool.statistics().pinnedBytes()).isZero();
		assertThatIllegalStateException().isThrownBy(first::byteBuffer).withMessageContaining("'test' is closed");
		assertThatIllegalStateException().isThrownBy(first::region);
		first.release();
		second.release();
		assertThat(pool.statistics().usedBytes()).isZero();
		assertThatIllegalStateException().isThrownBy(first::release);
	}

	@Test
	void whenClosedThenWaitersAreWoken() throws Exception {
		RdmaMemoryPool pool = builder().build();
		RdmaBuffer all = pool.acquire(64 * KB, Duration.ZERO);
		CountDownLatch started = new CountDownLatch(1);
		Future<RdmaBuffer> waiting = this.executor.submit(() -> {
			started.countDown();
			return pool.acquire(1, SOON);
		});
		assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
		all.release();
		RdmaBuffer other = waiting.get(20, TimeUnit.SECONDS);
		assertThat(other.isReleased()).isFalse();
		List<RdmaBuffer> rest = new ArrayList<>();
		for (RdmaBuffer buffer = pool.tryAcquire(1); buffer != null; buffer = pool.tryAcquire(1)) {
			rest.add(buffer);
		}
		Future<RdmaBuffer> rejected = this.executor.submit(() -> pool.acquire(1, Duration.ofHours(1)));
		assertThatExceptionOfType(java.util.concurrent.TimeoutException.class)
			.isThrownBy(() -> rejected.get(50, TimeUnit.MILLISECONDS));
		pool.close();
		assertThat(rejected).failsWithin(SOON)
			.withThrowableOfType(java.util.concurrent.ExecutionException.class)
			.withCauseInstanceOf(RdmaClosedException.class);
		rest.forEach(RdmaBuffer::release);
		other.release();
	}

	@Test
	void whenTimeoutIsVeryLongThenItIsNoProblem() {
		try (RdmaMemoryPool pool = builder().build()) {
			pool.acquire(1, Duration.ofSeconds(Long.MAX_VALUE)).release();
			RdmaBuffer all = pool.acquire(64 * KB, Duration.ZERO);
			Future<RdmaBuffer> waiting = this.executor
				.submit(() -> pool.acquire(1, Duration.ofSeconds(Long.MAX_VALUE)));
			all.release();
			assertThat(waiting).succeedsWithin(SOON).satisfies(RdmaBuffer::release);
		}
	}

}
