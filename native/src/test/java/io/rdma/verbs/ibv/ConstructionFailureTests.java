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

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.rdma.verbs.CompletionChannel;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.jni.ChildJvm;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what is left of a resource whose construction ended half way.
 */
@EnabledIf("io.rdma.verbs.ibv.Standin#isBuilt")
class ConstructionFailureTests {

	@Test
	void whenTheThreadForEventsDoesNotStartThenItsDescriptorIsClosed() throws IOException {
		assertThat(Standin.provider().isAvailable()).isTrue();
		Handle handle = new Handle();
		long before = eventDescriptors();
		assertThatExceptionOfType(OutOfMemoryError.class)
			.isThrownBy(() -> new AsyncEvents("standin0", handle, (number) -> null, (task) -> new Thread(task) {
				@Override
				public synchronized void start() {
					throw new OutOfMemoryError("unable to create native thread");
				}
			}));
		assertThat(eventDescriptors()).isEqualTo(before);
	}

	private static long eventDescriptors() throws IOException {
		try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
			return descriptors.filter(ConstructionFailureTests::isEventDescriptor).count();
		}
	}

	private static boolean isEventDescriptor(Path descriptor) {
		try {
			return Files.readSymbolicLink(descriptor).toString().contains("eventfd");
		}
		catch (IOException ex) {
			// that of the listing itself is gone
			return false;
		}
	}

	@Test
	void whenThereIsNoDirectMemoryForAResourceThenItsParentsStillClose() throws Exception {
		assertThat(ChildJvm.run(OutOfDirectMemory.class, List.of("-XX:MaxDirectMemorySize=" + OutOfDirectMemory.LIMIT)))
			.contains("closed");
	}

	/**
	 * Uses up the direct memory, asks for one resource of each kind and closes the rest.
	 */
	static final class OutOfDirectMemory {

		static final int LIMIT = 1 << 16;

		private OutOfDirectMemory() {
		}

		/**
		 * Run.
		 * @param args not used
		 */
		public static void main(String[] args) {
			try (DeviceContext context = Standin.open();
					ProtectionDomain domain = context.allocateProtectionDomain();
					CompletionChannel channel = context.createCompletionChannel();
					CompletionQueue queue = context.createCompletionQueue(1, channel)) {
				ByteBuffer rest = ByteBuffer.allocateDirect(LIMIT - (int) used());
				assertNoMemory(context::allocateProtectionDomain);
				assertNoMemory(context::createCompletionChannel);
				assertNoMemory(() -> context.createCompletionQueue(1, channel));
				assertNoMemory(() -> domain.createSharedReceiveQueue(1, 1));
				assertNoMemory(() -> domain
					.createQueuePair(new QueuePairInitAttributes(queue, queue, new QueuePairCapabilities(1, 1))));
				assertThat(rest.capacity()).isPositive();
			}
			System.out.println("closed");
		}

		private static void assertNoMemory(ThrowingCallable construction) {
			assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(construction);
		}

		private static long used() {
			return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)
				.stream()
				.filter((pool) -> "direct".equals(pool.getName()))
				.mapToLong(BufferPoolMXBean::getTotalCapacity)
				.sum();
		}

	}

}
