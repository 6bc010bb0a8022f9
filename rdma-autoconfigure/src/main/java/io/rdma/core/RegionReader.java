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
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.CompletableFuture;

import io.rdma.core.connection.OperationKind;
import io.rdma.core.memory.RdmaBuffer;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Reads from regions of peers.
 */
@RequiredArgsConstructor
final class RegionReader implements RdmaReadOperations {

	/**
	 * How many bytes a completion may copy on the thread that polls.
	 */
	private static final int MAX_DIRECT = 64 * 1024;

	private final TemplateContext context;

	@Override
	public byte[] read(String peer, String region, long offset, int length, TransferOptions options) {
		Arguments.checkCall(peer, region, length, options);
		this.context.checkBlocking(OperationKind.READ.name(), peer);
		RegionSpec spec = RegionSpec.read(peer, region, offset, length);
		return read(spec, length, this.context.limit(options.timeout()), options.progress(), null);
	}

	private byte[] read(RegionSpec spec, int length, TimeLimit limit, @Nullable TransferProgress progress,
			@Nullable FutureDispatcher progressDispatcher) {
		ByteArrayEnd bytes = new ByteArrayEnd(length);
		this.context.transfer(spec, bytes, limit, progress, progressDispatcher);
		return bytes.content();
	}

	@Override
	public void read(String peer, String region, long offset, ByteBuffer destination, TransferOptions options) {
		Arguments.checkCall(peer, region, destination, options);
		this.context.checkBlocking(OperationKind.READ.name(), peer);
		ByteBuffer target = destination.slice();
		RegionSpec spec = RegionSpec.read(peer, region, offset, target.capacity());
		this.context.transfer(spec, sink(target), this.context.limit(options.timeout()), options.progress(), null);
		destination.position(destination.limit());
	}

	@Override
	public void read(String peer, String region, long offset, RdmaBuffer destination, TransferOptions options) {
		Arguments.checkCall(peer, region, options);
		Assert.notNull(destination, "'destination' must not be null");
		this.context.checkBlocking(OperationKind.READ.name(), peer);
		RegisteredPayload memory = new RegisteredPayload(destination);
		this.context.transfer(RegionSpec.read(peer, region, offset, memory), new LocalEnd.Registered(memory),
				this.context.limit(options.timeout()), options.progress(), null);
	}

	@Override
	public void read(String peer, String region, long offset, long length, WritableByteChannel destination,
			TransferOptions options) {
		Arguments.checkCall(peer, region, length, options);
		Assert.notNull(destination, "'destination' must not be null");
		this.context.checkBlocking(OperationKind.READ.name(), peer);
		this.context.transfer(RegionSpec.read(peer, region, offset, length), sink(destination),
				this.context.limit(options.timeout()), options.progress(), null);
	}

	@Override
	public CompletableFuture<byte[]> readAsync(String peer, String region, long offset, int length,
			TransferOptions options) {
		Arguments.checkCall(peer, region, length, options);
		RegionSpec spec = RegionSpec.read(peer, region, offset, length);
		TimeLimit limit = this.context.limit(options.timeout());
		if (isDirect(length, options)) {
			return this.context.start(spec, limit, (buffer) -> {
				byte[] bytes = new byte[length];
				if (buffer != null) {
					buffer.byteBuffer().get(0, bytes);
				}
				return bytes;
			});
		}
		return this.context.inBackground(spec,
				() -> read(spec, length, limit, options.progress(), this.context.dispatcher()));
	}

	@Override
	public CompletableFuture<@Nullable Void> readAsync(String peer, String region, long offset, ByteBuffer destination,
			TransferOptions options) {
		Arguments.checkCall(peer, region, destination, options);
		ByteBuffer target = destination.slice();
		int length = target.capacity();
		RegionSpec spec = RegionSpec.read(peer, region, offset, length);
		TimeLimit limit = this.context.limit(options.timeout());
		if (isDirect(length, options)) {
			return this.context.start(spec, limit, (buffer) -> {
				if (buffer != null) {
					target.put(0, buffer.byteBuffer(), 0, length);
				}
				destination.position(destination.limit());
				return null;
			});
		}
		return this.context.inBackground(spec, () -> {
			this.context.transfer(spec, sink(target), limit, options.progress(), this.context.dispatcher());
			destination.position(destination.limit());
			return null;
		});
	}

	private boolean isDirect(int length, TransferOptions options) {
		return options.progress() == null && length <= Math.min(MAX_DIRECT, this.context.pieceSize());
	}

	@Override
	public CompletableFuture<@Nullable Void> readAsync(String peer, String region, long offset, RdmaBuffer destination,
			TransferOptions options) {
		Arguments.checkCall(peer, region, options);
		Assert.notNull(destination, "'destination' must not be null");
		RegisteredPayload memory = new RegisteredPayload(destination);
		RegionSpec spec = RegionSpec.read(peer, region, offset, memory);
		TimeLimit limit = this.context.limit(options.timeout());
		if (options.progress() == null && memory.length() <= this.context.pieceSize()) {
			return this.context.start(spec, limit, TemplateContext.NOTHING);
		}
		return this.context.inBackground(spec, () -> {
			this.context.transfer(spec, new LocalEnd.Registered(memory), limit, options.progress(),
					this.context.dispatcher());
			return null;
		});
	}

	@Override
	public CompletableFuture<@Nullable Void> readAsync(String peer, String region, long offset, long length,
			WritableByteChannel destination, TransferOptions options) {
		Arguments.checkCall(peer, region, length, options);
		Assert.notNull(destination, "'destination' must not be null");
		RegionSpec spec = RegionSpec.read(peer, region, offset, length);
		TimeLimit limit = this.context.limit(options.timeout());
		return this.context.inBackground(spec, () -> {
			this.context.transfer(spec, sink(destination), limit, options.progress(), this.context.dispatcher());
			return null;
		});
	}

	private static LocalEnd.Sink sink(ByteBuffer destination) {
		return destination::put;
	}

	private static LocalEnd.Sink sink(WritableByteChannel destination) {
		return (piece) -> {
			while (piece.hasRemaining()) {
				if (destination.write(piece) == 0) {
					throw new IOException("It took no byte; a channel must be in blocking mode");
				}
			}
		};
	}

}
