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

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Stores and fetches files. No more than one chunk of a file is in memory at a time.
 */
@RestController
@RequestMapping("/blobs")
@RequiredArgsConstructor
class BlobController {

	private static final String REPR_DIGEST = "Repr-Digest";

	private static final Pattern SHA_256 = Pattern.compile("sha-256=:([A-Za-z0-9+/]{43}=):");

	private final BlobStore blobs;

	private final BlobProperties properties;

	@GetMapping
	List<Blob> list() {
		return this.blobs.list();
	}

	/**
	 * Store the body. A {@code Repr-Digest} header (RFC 9530) is compared with what
	 * arrived.
	 */
	@PutMapping("/{name}")
	ResponseEntity<Blob> store(@PathVariable String name, InputStream body,
			@RequestHeader(name = HttpHeaders.CONTENT_LENGTH, defaultValue = "-1") long length,
			@RequestHeader(name = REPR_DIGEST, required = false) @Nullable String digest) throws IOException {
		Blob blob = this.blobs.store(name, body, length, sha256(digest));
		URI location = UriComponentsBuilder.fromPath("/blobs/{name}").build(name);
		return ResponseEntity.created(location)
			.eTag(blob.sha256())
			.header(REPR_DIGEST, reprDigest(blob.sha256()))
			.body(blob);
	}

	/**
	 * Fetch a file: all of it, a range, or nothing if the client has it already.
	 */
	@GetMapping("/{name}")
	ResponseEntity<Resource> fetch(@PathVariable String name) {
		Blob blob = this.blobs.acquire(name);
		RequestContextHolder.currentRequestAttributes()
			.registerDestructionCallback("blob", blob.space()::close, RequestAttributes.SCOPE_REQUEST);
		return ResponseEntity.ok()
			.contentType(MediaType.APPLICATION_OCTET_STREAM)
			.eTag(blob.sha256())
			.header(REPR_DIGEST, reprDigest(blob.sha256()))
			.body(new BlobResource(blob, Math.toIntExact(this.properties.chunkSize().toBytes())));
	}

	@DeleteMapping("/{name}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void delete(@PathVariable String name) {
		this.blobs.delete(name);
	}

	private static @Nullable String sha256(@Nullable String header) {
		Matcher matcher = SHA_256.matcher((header != null) ? header : "");
		return matcher.find() ? HexFormat.of().formatHex(Base64.getDecoder().decode(matcher.group(1))) : null;
	}

	private static String reprDigest(String sha256) {
		return "sha-256=:" + Base64.getEncoder().encodeToString(HexFormat.of().parseHex(sha256)) + ":";
	}

}
