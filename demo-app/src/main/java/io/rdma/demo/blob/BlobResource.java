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

import java.io.InputStream;

import lombok.RequiredArgsConstructor;

import org.springframework.core.io.AbstractResource;

/**
 * A blob as Spring MVC sends it, whole or in part.
 */
@RequiredArgsConstructor
final class BlobResource extends AbstractResource {

	private final Blob blob;

	private final int chunkSize;

	@Override
	public InputStream getInputStream() {
		return new BlobInputStream(this.blob, this.chunkSize);
	}

	@Override
	public boolean exists() {
		return true;
	}

	@Override
	public long contentLength() {
		return this.blob.length();
	}

	@Override
	public long lastModified() {
		return this.blob.stored().toEpochMilli();
	}

	@Override
	public String getFilename() {
		return this.blob.name();
	}

	@Override
	public String getDescription() {
		return "blob '" + this.blob.name() + "'";
	}

}
