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

package io.rdma.demo.blob;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RegionAllocator}.
 */
class RegionAllocatorTests {

	private final RegionAllocator allocator = new RegionAllocator(1000, 100);

	@Test
	void whenNothingIsWantedThenNothingIsTaken() {
		assertThat(this.allocator.allocate(0)).isEmpty();
		assertThat(this.allocator.free()).isEqualTo(1000);
	}

	@Test
	void whenRoomIsOneHoleThenOneExtentIsTaken() {
		assertThat(this.allocator.allocate(1)).containsExactly(new Extent(0, 100));
		assertThat(this.allocator.allocate(900)).containsExactly(new Extent(100, 900));
		assertThat(this.allocator.free()).isZero();
	}

	@Test
	void whenRoomIsInSeveralHolesThenAllAreUsed() {
		List<List<Extent>> blocks = List.of(this.allocator.allocate(300), this.allocator.allocate(100),
				this.allocator.allocate(300), this.allocator.allocate(300));
		this.allocator.release(blocks.get(0));
		this.allocator.release(blocks.get(2));
		assertThat(this.allocator.allocate(450)).containsExactly(new Extent(0, 300), new Extent(400, 200));
		assertThat(this.allocator.free()).isEqualTo(100);
	}

	@Test
	void whenTooLittleIsFreeThenNothingIsTaken() {
		this.allocator.allocate(500);
		assertThatExceptionOfType(RegionFullException.class).isThrownBy(() -> this.allocator.allocate(501))
			.withMessageContaining("501")
			.withMessageContaining("500 bytes of the region are free");
		assertThat(this.allocator.free()).isEqualTo(500);
	}

	@Test
	void whenRegionEndsWithinABlockThenThatIsNotUsed() {
		assertThat(new RegionAllocator(199, 100).capacity()).isEqualTo(100);
	}

	@Test
	void whenRegionIsSmallerThanABlockThenRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new RegionAllocator(99, 100))
			.withMessageContaining("99 bytes");
	}

}
