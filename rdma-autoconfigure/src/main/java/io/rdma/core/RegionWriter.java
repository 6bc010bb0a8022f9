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

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Writes to regions of peers.
 */
@RequiredArgsConstructor
final class RegionWriter implements RdmaWriteOperations, RdmaImmediateOperations {

	private static final int MAX_DIRECT = 1024 * 1024;

	private final TemplateContext context;

	@Override
	public void write(String peer, String region, long offset, RdmaPayload payload, TransferOptions options) {
		Arguments.checkCall(peer, region, payload, options);
		write(RegionSpec.write(peer, region, offset, payload, null), options);
	}

	@Override
	public void writeWithImmediate(String peer, String region, long offset, RdmaPayload payload, int immediate,
			TransferOptions options) {
		Arguments.checkCall(peer, region, payload, options);
		write(RegionSpec.write(peer, region, offset, payload, immediate), options);
	}

	private void write(RegionSpec spec, TransferOptions options) {
		this.context.checkBlocking(spec.kind().name(), spec.peer());
		write(spec, this.context.limit(options.timeout()), options.progress(), null);
	}

	private void write(RegionSpec spec, TimeLimit limit, @Nullable TransferProgress progress,
			@Nullable FutureDispatcher progressDispatcher) {
		RdmaPayload payload = spec.payload();
		if (payload instanceof RegisteredPayload registered) {
			this.context.transfer(spec, new LocalEnd.Registered(registered), limit, progress, progressDispatcher);
		}
		else if (payload != null) {
			try (PayloadReader reader = payload.open(spec.length())) {
				this.context.transfer(spec, new LocalEnd.Source(reader), limit, progress, progressDispatcher);
			}
			catch (IOException ex) {
				throw OperationSpec.unreadable(TemplateContext.describe(spec.kind(), spec.peer()), ex);
			}
			spec.succeeded();
		}
	}

	@Override
	public CompletableFuture<@Nullable Void> writeAsync(String peer, String region, long offset, RdmaPayload payload,
			TransferOptions options) {
		Arguments.checkCall(peer, region, payload, options);
		return writeAsync(RegionSpec.write(peer, region, offset, payload, null), payload, options);
	}

	@Override
	public CompletableFuture<@Nullable Void> writeWithImmediateAsync(String peer, String region, long offset,
			RdmaPayload payload, int immediate, TransferOptions options) {
		Arguments.checkCall(peer, region, payload, options);
		return writeAsync(RegionSpec.write(peer, region, offset, payload, immediate), payload, options);
	}

	private CompletableFuture<@Nullable Void> writeAsync(RegionSpec spec, RdmaPayload payload,
			TransferOptions options) {
		TimeLimit limit = this.context.limit(options.timeout());
		if (!payload.isExternal() && options.progress() == null
				&& spec.length() <= Math.min(MAX_DIRECT, this.context.pieceSize())) {
			return this.context.start(spec, limit, TemplateContext.NOTHING);
		}
		return this.context.inBackground(spec, () -> {
			write(spec, limit, options.progress(), this.context.dispatcher());
			return null;
		});
	}

}
