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
package io.rdma.verbs.soft.net;

import java.nio.ByteOrder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PacketBatch}.
 */
class PacketBatchTests {

	@ParameterizedTest
	@CsvSource({ "1, 1", "3, 7", "64, 4200", "5, 65535" })
	void shouldKeepWhatIsPut(int slots, int slotSize) {
		PacketBatch batch = new PacketBatch(slots, slotSize);
		assertThat(batch.slots()).isEqualTo(slots);
		assertThat(batch.slotSize()).isEqualTo(slotSize);
		assertThat(batch.memory().isDirect()).isTrue();
		assertThat(batch.memory().order()).isEqualTo(ByteOrder.BIG_ENDIAN);
		assertThat(batch.memory().capacity()).isEqualTo(slots * slotSize);
		for (int slot = 0; slot < slots; slot++) {
			batch.length(slot, slot % (slotSize + 1));
			batch.address(slot, slot, -slot, 65_535 - slot);
			batch.route(slot, 255 - slot, 255 - slot);
			for (int i = 0; i < slotSize; i++) {
				batch.memory().put(batch.offset(slot) + i, (byte) 0xff);
			}
		}
		for (int slot = 0; slot < slots; slot++) {
			assertThat(batch.length(slot)).isEqualTo(slot % (slotSize + 1));
			assertThat(batch.addressHigh(slot)).isEqualTo(slot);
			assertThat(batch.addressLow(slot)).isEqualTo(-slot);
			assertThat(batch.port(slot)).isEqualTo(65_535 - slot);
		}
	}

	@Test
	void shouldCopyAllOfAPacket() {
		PacketBatch source = new PacketBatch(3, 64);
		source.length(2, 64);
		source.address(2, 1, 2, 4791);
		source.route(2, 0x68, 63);
		source.memory().putLong(source.offset(2), 0x1234_5678_9abc_def0L);
		PacketBatch copy = new PacketBatch(1, 64);
		copy.copy(0, source, 2);
		assertThat(copy.block().slice(64, 24)).isEqualTo(source.block().slice(3 * 64 + 2 * 24, 24));
		assertThat(copy.memory()).isEqualTo(source.memory().slice(source.offset(2), 64));
	}

	@ParameterizedTest
	@CsvSource({ "0, 1", "-1, 1", "1, 0", "1, 65536", "1000000, 65535" })
	void whenThereCanBeNoSuchBatchThenItIsRefused(int slots, int slotSize) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> new PacketBatch(slots, slotSize))
			.withMessageContaining(slots + " slots of " + slotSize);
	}

	@Test
	void whenALengthDoesNotFitThenItIsRefused() {
		PacketBatch batch = new PacketBatch(2, 64);
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> batch.length(0, 65));
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> batch.length(0, -1));
	}

	@Test
	void whenThereIsNoSuchSlotThenItIsRefused() {
		PacketBatch batch = new PacketBatch(2, 64);
		for (int slot : new int[] { -1, 2 }) {
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> batch.length(slot));
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> batch.offset(slot));
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> batch.address(slot, 0, 0, 1));
		}
	}

}
