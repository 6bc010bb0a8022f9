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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rdma.verbs.HostMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyTable}.
 */
class KeyTableTests {

	private final KeyTable table = new KeyTable();

	private final HostMemory memory = HostMemory.allocate(4096);

	private final SoftDeviceContext context = new SoftProvider().open(SoftProvider.DEVICE_NAME);

	private final SoftProtectionDomain domain = new SoftProtectionDomain(this.context);

	@AfterEach
	void close() {
		this.domain.close();
		this.context.close();
	}

	@Test
	void whenManyAreAddedAndSomeRemovedThenTheRestIsFound() {
		List<MemoryGrant> grants = new ArrayList<>();
		for (int i = 0; i < 1000; i++) {
			grants.add(add(i * 8192L));
		}
		assertThat(grants).extracting(MemoryGrant::key).doesNotHaveDuplicates().doesNotContain(0);
		for (int i = 0; i < 1000; i += 2) {
			this.table.remove(grants.get(i));
		}
		for (int i = 0; i < 1000; i++) {
			assertThat(this.table.find(grants.get(i).key())).isSameAs((i % 2 == 0) ? null : grants.get(i));
		}
	}

	@Test
	void whenKeyIsTakenThenItIsNotAddedTwice() {
		MemoryGrant grant = add(0);
		assertThat(this.table.add(grant)).isFalse();
		this.table.remove(grant);
		this.table.remove(grant);
		assertThat(this.table.find(grant.key())).isNull();
		assertThat(this.table.add(grant)).isTrue();
	}

	@Test
	void whenLookedUpByAddressThenTheRegionAroundItIsFound() {
		MemoryGrant grant = add(8192);
		assertThat(this.table.findRegion(8192, 4096)).isSameAs(grant);
		assertThat(this.table.findRegion(8200, 8)).isSameAs(grant);
		assertThat(this.table.findRegion(8191, 8)).isNull();
		assertThat(this.table.findRegion(8192, 4097)).isNull();
	}

	@Test
	void whenChangedMeanwhileThenWhatStaysIsAlwaysFound() throws InterruptedException {
		MemoryGrant stays = add(0);
		AtomicBoolean missed = new AtomicBoolean();
		AtomicBoolean stop = new AtomicBoolean();
		Thread reader = new Thread(() -> {
			while (!stop.get()) {
				missed.compareAndSet(false, this.table.find(stays.key()) != stays);
			}
		});
		reader.start();
		for (int i = 0; i < 2000; i++) {
			this.table.remove(add(8192));
		}
		stop.set(true);
		reader.join();
		assertThat(missed).isFalse();
	}

	private MemoryGrant add(long address) {
		return this.table.add((key) -> new MemoryGrant(key, this.domain, address, 4096, 0, this.memory, 0, null, null));
	}

}
