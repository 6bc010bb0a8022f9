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

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link HostMemory}.
 */
class HostMemoryTests {

	@Test
	void whenAllocatedThenItIsZeroAndStartsAtAPage() {
		HostMemory memory = HostMemory.allocate(5000);
		assertThat(memory.length()).isEqualTo(5000);
		assertThat(memory.alignmentOffset(0, 4096)).isZero();
		assertThat(memory.alignmentOffset(4097, 4096)).isOne();
		assertThat(memory.isReadOnly()).isFalse();
		ByteBuffer bytes = ByteBuffer.allocate(5000);
		memory.get(0, bytes, 0, 5000);
		assertThat(bytes.array()).containsOnly(0);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1 })
	void whenLengthIsNotPositiveThenItIsRefused(long length) {
		assertThatIllegalArgumentException().isThrownBy(() -> HostMemory.allocate(length));
	}

	@Test
	void whenBufferIsWrappedThenOnlyItsRestIsSeen() {
		ByteBuffer buffer = ByteBuffer.allocateDirect(16).position(4).limit(12);
		HostMemory memory = HostMemory.of(buffer);
		memory.put(0, ByteBuffer.wrap(new byte[] { 9 }), 0, 1);
		assertThat(memory.length()).isEqualTo(8);
		assertThat(buffer.get(4)).isEqualTo((byte) 9);
		assertThat(HostMemory.of(buffer.asReadOnlyBuffer()).isReadOnly()).isTrue();
		assertThatIllegalArgumentException().isThrownBy(() -> HostMemory.of(ByteBuffer.allocate(8)));
	}

	@Test
	void whenCopiedThenBytesArriveAndNeighboursStay() {
		HostMemory from = HostMemory.allocate(16);
		HostMemory to = HostMemory.allocate(16);
		from.put(4, ByteBuffer.wrap(new byte[] { 1, 2, 3, 4 }), 1, 3);
		from.copyTo(4, to, 10, 3);
		ByteBuffer bytes = ByteBuffer.allocate(16);
		to.get(0, bytes, 0, 16);
		assertThat(bytes.array()).containsExactly(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4, 0, 0, 0);
	}

	@Test
	void whenOutsideThenItIsRefused() {
		HostMemory memory = HostMemory.allocate(16);
		ByteBuffer eight = ByteBuffer.allocate(8);
		assertOutOfBounds(() -> memory.get(9, eight, 0, 8));
		assertOutOfBounds(() -> memory.put(-1, eight, 0, 8));
		assertOutOfBounds(() -> memory.get(0, eight, 4, 8));
		assertOutOfBounds(() -> memory.slice(16, 1));
		assertOutOfBounds(() -> memory.getLongAcquire(9));
		assertOutOfBounds(() -> memory.copyTo(0, HostMemory.allocate(4), 0, 5));
		assertOutOfBounds(() -> memory.getAndAddLong(16, 1));
	}

	@Test
	void whenWordIsChangedAtomicallyThenOldValueIsReturned() {
		HostMemory memory = HostMemory.allocate(16);
		memory.putLongRelease(8, 10);
		assertThat(memory.compareAndExchangeLong(8, 11, 20)).isEqualTo(10);
		assertThat(memory.getLongAcquire(8)).isEqualTo(10);
		assertThat(memory.compareAndExchangeLong(8, 10, 20)).isEqualTo(10);
		assertThat(memory.getAndAddLong(8, 5)).isEqualTo(20);
		assertThat(memory.getLongAcquire(8)).isEqualTo(25);
		assertThat(memory.slice(8, 8).order(ByteOrder.nativeOrder()).getLong(0)).isEqualTo(25);
	}

	private static void assertOutOfBounds(ThrowingCallable action) {
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(action);
	}

}
