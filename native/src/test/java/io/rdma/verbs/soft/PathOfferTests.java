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

import java.util.Arrays;
import java.util.UUID;

import io.rdma.verbs.soft.shm.SharedMemoryOffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What queue pairs tell each other before they are connected.
 */
class PathOfferTests {

	private static final SharedMemoryOffer SHARED = new SharedMemoryOffer(true, 0xab_cdef, 4711, 12, 33, 16,
			"/run/user/1000/rdma-shm-1", "socket");

	@Test
	void whenReadThenItIsWhatWasWritten() {
		PathOffer offer = new PathOffer(UUID.randomUUID(), 0xfffe, SHARED);
		assertThat(PathOffer.decode(offer.encode())).isEqualTo(offer);
		PathOffer without = new PathOffer(PathOffer.thisProcess(), 0, null);
		assertThat(PathOffer.decode(without.encode())).isEqualTo(without);
		assertThat(without.isOfThisProcess()).isTrue();
		assertThat(offer.isOfThisProcess()).isFalse();
	}

	@Test
	void whenNamesAreAsLongAsTheyCanBeThenOfferFitsTheHandshake() {
		SharedMemoryOffer longest = new SharedMemoryOffer(false, 1, 1, 1, -1, 128, "/" + "d".repeat(399),
				"s".repeat(400));
		PathOffer offer = new PathOffer(UUID.randomUUID(), 1, longest);
		assertThat(offer.encode()).hasSizeLessThanOrEqualTo(1024);
		assertThat(PathOffer.decode(offer.encode())).isEqualTo(offer);
	}

	@Test
	void whenLaterVersionAddsSomethingThenTheRestIsRead() {
		PathOffer offer = new PathOffer(UUID.randomUUID(), 1, SHARED);
		byte[] bytes = offer.encode();
		assertThat(PathOffer.decode(Arrays.copyOf(bytes, bytes.length + 7))).isEqualTo(offer);
	}

	@Test
	void whenVersionIsUnknownOrBytesAreMissingThenThereIsNoOffer() {
		byte[] bytes = new PathOffer(UUID.randomUUID(), 1, SHARED).encode();
		for (int length = 0; length < bytes.length; length++) {
			assertThat(PathOffer.decode(Arrays.copyOf(bytes, length))).isNull();
		}
		bytes[0] = 2;
		assertThat(PathOffer.decode(bytes)).isNull();
	}

	@Test
	void whenSharedMemoryMakesNoSenseThenTheRestOfTheOfferIsUsed() {
		for (SharedMemoryOffer bad : new SharedMemoryOffer[] {
				new SharedMemoryOffer(true, 1, 0, 1, 1, 16, "/tmp", "socket"),
				new SharedMemoryOffer(true, 1, 1, 0, 1, 16, "/tmp", "socket"),
				new SharedMemoryOffer(true, 1, 1, 1, -1, 16, "/tmp", "socket"),
				new SharedMemoryOffer(true, 1, 1, 1, 1, 15, "/tmp", "socket"),
				new SharedMemoryOffer(true, 1, 1, 1, 1, 1 << 20, "/tmp", "socket"),
				new SharedMemoryOffer(true, 1, 1, 1, 1, 16, "tmp", "socket"),
				new SharedMemoryOffer(true, 1, 1, 1, 1, 16, "/tmp", "../socket"),
				new SharedMemoryOffer(true, 1, 1, 1, 1, 16, "/tmp", ".."),
				new SharedMemoryOffer(true, 1, 1, 1, 1, 16, "/t\0mp", "socket"),
				new SharedMemoryOffer(true, 1, 1, 1, 1, 16, "/tmp", "") }) {
			PathOffer offer = new PathOffer(UUID.randomUUID(), 7, bad);
			assertThat(PathOffer.decode(offer.encode())).isEqualTo(new PathOffer(offer.processId(), 7, null));
		}
	}

}
