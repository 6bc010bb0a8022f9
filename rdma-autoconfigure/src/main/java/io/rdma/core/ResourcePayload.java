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

import org.springframework.core.io.Resource;

/**
 * A payload that comes out of a resource.
 */
final class ResourcePayload extends RdmaPayload {

	private final Resource resource;

	ResourcePayload(Resource resource) {
		this.resource = resource;
	}

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
		ReadableByteChannel channel = this.resource.readableChannel();
		PayloadReader reader = ChannelPayload.reader(channel, length);
		return new PayloadReader() {

			@Override
			public void read(ByteBuffer target) throws IOException {
				reader.read(target);
			}

			@Override
			public void close() throws IOException {
				channel.close();
			}

		};
	}

}
