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
import java.nio.channels.ReadableByteChannel;

import lombok.RequiredArgsConstructor;

import org.springframework.core.io.Resource;

/**
 * A payload that comes out of a resource.
 */
@RequiredArgsConstructor
final class ResourcePayload extends RdmaPayload {

	private final Resource resource;

	@Override
	long length() throws IOException {
		return this.resource.contentLength();
	}

	@Override
	boolean isExternal() {
		return true;
	}

	@Override
	PayloadReader open(long length) throws IOException {
		return new Reader(this.resource.readableChannel(), length);
	}

	/**
	 * Reads and closes the channel of a resource.
	 */
	private static final class Reader implements PayloadReader {

		private final ReadableByteChannel channel;

		private final PayloadReader reader;

		private Reader(ReadableByteChannel channel, long length) {
			this.channel = channel;
			this.reader = new ChannelPayload.Reader(channel, length);
		}

		@Override
		public void read(ByteBuffer target) throws IOException {
			this.reader.read(target);
		}

		@Override
		public void close() throws IOException {
			this.channel.close();
		}

	}

}
