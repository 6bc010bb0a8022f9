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

package io.rdma.core;

import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.rdma.core.memory.RdmaBuffer;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Does atomic operations on regions of peers.
 */
@RequiredArgsConstructor
final class RegionAtomics implements RdmaAtomicOperations {

	private final TemplateContext context;

	@Override
	public long compareAndSwap(String peer, String region, long offset, long expected, long newValue) {
		return atomic(RegionSpec.compareAndSwap(peer, region, offset, expected, newValue), region,
				this.context.limit(null));
	}

	@Override
	public long compareAndSwap(String peer, String region, long offset, long expected, long newValue,
			Duration timeout) {
		TimeLimit.check(timeout);
		return atomic(RegionSpec.compareAndSwap(peer, region, offset, expected, newValue), region,
				this.context.limit(timeout));
	}

	@Override
	public CompletableFuture<Long> compareAndSwapAsync(String peer, String region, long offset, long expected,
			long newValue) {
		Arguments.checkCall(peer, region);
		return this.context.start(RegionSpec.compareAndSwap(peer, region, offset, expected, newValue),
				this.context.limit(null), RegionAtomics::word);
	}

	@Override
	public CompletableFuture<Long> compareAndSwapAsync(String peer, String region, long offset, long expected,
			long newValue, Duration timeout) {
		Arguments.checkCall(peer, region);
		TimeLimit.check(timeout);
		return this.context.start(RegionSpec.compareAndSwap(peer, region, offset, expected, newValue),
				this.context.limit(timeout), RegionAtomics::word);
	}

	@Override
	public long fetchAndAdd(String peer, String region, long offset, long delta) {
		return atomic(RegionSpec.fetchAndAdd(peer, region, offset, delta), region, this.context.limit(null));
	}

	@Override
	public long fetchAndAdd(String peer, String region, long offset, long delta, Duration timeout) {
		TimeLimit.check(timeout);
		return atomic(RegionSpec.fetchAndAdd(peer, region, offset, delta), region, this.context.limit(timeout));
	}

	@Override
	public CompletableFuture<Long> fetchAndAddAsync(String peer, String region, long offset, long delta) {
		Arguments.checkCall(peer, region);
		return this.context.start(RegionSpec.fetchAndAdd(peer, region, offset, delta), this.context.limit(null),
				RegionAtomics::word);
	}

	@Override
	public CompletableFuture<Long> fetchAndAddAsync(String peer, String region, long offset, long delta,
			Duration timeout) {
		Arguments.checkCall(peer, region);
		TimeLimit.check(timeout);
		return this.context.start(RegionSpec.fetchAndAdd(peer, region, offset, delta), this.context.limit(timeout),
				RegionAtomics::word);
	}

	private long atomic(RegionSpec spec, String region, TimeLimit limit) {
		Arguments.checkCall(spec.peer(), region);
		this.context.checkBlocking(spec.kind().name(), spec.peer());
		return this.context.runner().perform(spec, limit, RegionAtomics::word);
	}

	private static long word(@Nullable RdmaBuffer buffer) {
		Assert.state(buffer != null, "An atomic operation needs a buffer");
		return buffer.byteBuffer().duplicate().order(ByteOrder.nativeOrder()).getLong(0);
	}

}
