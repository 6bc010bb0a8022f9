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

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.rdma.core.RdmaOperations;
import io.rdma.demo.AbstractDemoTests;
import io.rdma.demo.support.Sha256;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for storing and fetching files over HTTP.
 */
class BlobTests extends AbstractDemoTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final HttpClient http = HttpClient.newHttpClient();

	@LocalServerPort
	private int port;

	@Autowired
	private BlobStore store;

	@Autowired
	private RdmaOperations rdma;

	private long freeBefore;

	@BeforeEach
	void rememberFreeRoom() {
		this.freeBefore = this.store.free();
	}

	@AfterEach
	void allRoomShouldComeBack() {
		this.store.list().forEach((blob) -> this.store.delete(blob.name()));
		Awaitility.await()
			.atMost(TIMEOUT)
			.untilAsserted(() -> assertThat(this.store.free()).isEqualTo(this.freeBefore));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 4095, CHUNK_SIZE - 1, CHUNK_SIZE, CHUNK_SIZE + 1, 5 * CHUNK_SIZE + 17, REGION_SIZE })
	void whenStoredThenTheSameBytesAreFetched(int size) throws Exception {
		byte[] content = content(size, size);
		String sha256 = Sha256.finish(digest(content));
		HttpResponse<String> stored = put("file", content);
		assertThat(stored.statusCode()).isEqualTo(201);
		assertThat(stored.headers().firstValue("Location")).contains("/blobs/file");
		assertThat(stored.body()).contains("\"length\":" + size, "\"sha256\":\"" + sha256 + "\"")
			.doesNotContain("space");
		HttpResponse<byte[]> fetched = get("file");
		assertThat(fetched.statusCode()).isEqualTo(200);
		assertThat(fetched.body()).isEqualTo(content);
		assertThat(fetched.headers().firstValueAsLong("Content-Length")).hasValue(size);
		assertThat(fetched.headers().firstValue("ETag")).contains("\"" + sha256 + "\"");
		assertThat(fetched.headers().firstValue("Repr-Digest")).contains(reprDigest(content));
	}

	@Test
	void whenLengthIsNotToldThenStored() throws Exception {
		byte[] content = content(3 * CHUNK_SIZE + 5, 1);
		assertThat(putChunked("file", content).statusCode()).isEqualTo(201);
		assertThat(get("file").body()).isEqualTo(content);
	}

	@Test
	void whenLargerThanTheRegionThenProblem() throws Exception {
		HttpResponse<String> response = put("file", new byte[REGION_SIZE + 1]);
		assertThat(response.statusCode()).isEqualTo(413);
		assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
		assertThat(response.body()).contains("4,194,305 bytes do not fit into the region 'blobs'",
				"raise rdma.regions.blobs.size");
		assertThat(get("file").statusCode()).isEqualTo(404);
	}

	@Test
	void whenLargerThanTheRegionAndLengthIsNotToldThenProblem() throws Exception {
		assertThat(putChunked("file", new byte[REGION_SIZE + CHUNK_SIZE]).statusCode()).isEqualTo(413);
		assertThat(get("file").statusCode()).isEqualTo(404);
	}

	@Test
	void whenRegionIsFullThenProblem() throws Exception {
		assertThat(put("first", new byte[REGION_SIZE - CHUNK_SIZE]).statusCode()).isEqualTo(201);
		HttpResponse<String> response = put("second", new byte[CHUNK_SIZE + 1]);
		assertThat(response.statusCode()).isEqualTo(507);
		assertThat(response.body()).contains("only 262,144 bytes of the region are free");
	}

	@Test
	void whenOverwrittenThenTheNewBytesAreFetchedAndTheOldRoomIsFree() throws Exception {
		for (int i = 0; i < 10; i++) {
			byte[] content = content(REGION_SIZE / 2 - i, i);
			assertThat(put("file", content).statusCode()).isEqualTo(201);
			assertThat(get("file").body()).isEqualTo(content);
		}
		assertThat(this.store.list()).hasSize(1);
	}

	@Test
	void whenStoredByManyAtOnceThenEachIsComplete() throws Exception {
		List<CompletableFuture<HttpResponse<String>>> stored = IntStream.range(0, 8)
			.mapToObj((i) -> this.http.sendAsync(
					request("file-" + i).PUT(BodyPublishers.ofByteArray(content(CHUNK_SIZE + i, i))).build(),
					BodyHandlers.ofString()))
			.toList();
		for (int i = 0; i < stored.size(); i++) {
			assertThat(stored.get(i).get().statusCode()).isEqualTo(201);
			assertThat(get("file-" + i).body()).isEqualTo(content(CHUNK_SIZE + i, i));
		}
	}

	@Test
	void whenOverwrittenWhileItIsFetchedThenEachFetchIsOneVersion() throws Exception {
		int size = 2 * CHUNK_SIZE + 3;
		List<byte[]> versions = IntStream.range(0, 3).mapToObj((i) -> content(size, i)).toList();
		put("file", versions.get(0));
		List<CompletableFuture<HttpResponse<byte[]>>> fetched = new ArrayList<>();
		for (int i = 0; i < 24; i++) {
			CompletableFuture<HttpResponse<String>> stored = this.http.sendAsync(
					request("file").PUT(BodyPublishers.ofByteArray(versions.get(i % 3))).build(),
					BodyHandlers.ofString());
			fetched.add(this.http.sendAsync(request("file").build(), BodyHandlers.ofByteArray()));
			assertThat(stored.get().statusCode()).isEqualTo(201);
		}
		for (CompletableFuture<HttpResponse<byte[]>> future : fetched) {
			assertThat(future.get().statusCode()).isEqualTo(200);
			assertThat(versions).anySatisfy((version) -> assertThat(future.get().body()).isEqualTo(version));
		}
	}

	@Test
	void whenRangeIsAskedForThenThatIsFetched() throws Exception {
		byte[] content = content(3 * CHUNK_SIZE, 7);
		put("file", content);
		HttpResponse<byte[]> response = this.http.send(request("file").header("Range", "bytes=300000-300009").build(),
				BodyHandlers.ofByteArray());
		assertThat(response.statusCode()).isEqualTo(206);
		assertThat(response.body()).isEqualTo(Arrays.copyOfRange(content, 300000, 300010));
		assertThat(response.headers().firstValue("Content-Range")).contains("bytes 300000-300009/" + content.length);
	}

	@Test
	void whenRangeIsOutsideOfTheFileThenRefused() {
		this.client.put().uri("/blobs/file").body(new byte[10]).exchange().expectStatus().isCreated();
		this.client.get()
			.uri("/blobs/file")
			.header("Range", "bytes=10-20")
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE);
	}

	@Test
	void whenClientHasItThenNotModified() {
		byte[] content = content(100, 1);
		this.client.put().uri("/blobs/file").body(content).exchange().expectStatus().isCreated();
		this.client.get()
			.uri("/blobs/file")
			.header(HttpHeaders.IF_NONE_MATCH, "\"" + Sha256.finish(digest(content)) + "\"")
			.exchange()
			.expectStatus()
			.isNotModified();
	}

	@Test
	void whenOnlyTheHeadIsAskedForThenNoBody() {
		this.client.put().uri("/blobs/file").body(new byte[1234]).exchange().expectStatus().isCreated();
		this.client.head()
			.uri("/blobs/file")
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.contentLength(1234)
			.expectBody()
			.isEmpty();
	}

	@Test
	void whenDigestFitsThenStored() {
		byte[] content = content(100, 2);
		this.client.put()
			.uri("/blobs/file")
			.header("Repr-Digest", reprDigest(content))
			.body(content)
			.exchange()
			.expectStatus()
			.isCreated();
	}

	@Test
	void whenDigestDoesNotFitThenProblemAndTheOldFileStays() throws Exception {
		put("file", "old".getBytes(StandardCharsets.UTF_8));
		this.client.put()
			.uri("/blobs/file")
			.header("Repr-Digest", reprDigest(new byte[0]))
			.body("new".getBytes(StandardCharsets.UTF_8))
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.detail")
			.value((detail) -> assertThat((String) detail).contains("'Repr-Digest'", "Send it again"));
		assertThat(get("file").body()).isEqualTo("old".getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void whenClientGoesAwayWhileItSendsThenItsRoomIsFree() throws Exception {
		try (Socket socket = new Socket("localhost", this.port)) {
			socket.getOutputStream()
				.write(("PUT /blobs/file HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + REGION_SIZE + "\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			socket.getOutputStream().write(new byte[2 * CHUNK_SIZE]);
			Awaitility.await().atMost(TIMEOUT).until(() -> this.store.free() < this.freeBefore);
		}
		Awaitility.await().atMost(TIMEOUT).until(() -> this.store.free() == this.freeBefore);
		assertThat(get("file").statusCode()).isEqualTo(404);
	}

	@Test
	void whenMemoryIsCorruptedThenProblem() throws Exception {
		put("file", content(100, 3));
		overwriteRegion();
		HttpResponse<byte[]> response = get("file");
		assertThat(response.statusCode()).isEqualTo(500);
		assertThat(new String(response.body(), StandardCharsets.UTF_8)).contains("The SHA-256 of blob 'file' was");
	}

	@Test
	void whenMemoryOfALargeFileIsCorruptedThenTheAnswerBreaksOff() throws Exception {
		put("file", content(8 * CHUNK_SIZE, 3));
		overwriteRegion();
		assertThatIOException().isThrownBy(() -> get("file"));
	}

	@Test
	void shouldListFilesByName() throws Exception {
		put("b", new byte[2]);
		put("a", new byte[1]);
		this.client.get()
			.uri("/blobs")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$[*].name")
			.isEqualTo(List.of("a", "b"))
			.jsonPath("$[*].length")
			.isEqualTo(List.of(1, 2));
	}

	@Test
	void whenDeletedThenNotFound() throws Exception {
		put("file", new byte[1]);
		this.client.delete().uri("/blobs/file").exchange().expectStatus().isNoContent();
		this.client.get()
			.uri("/blobs/file")
			.exchange()
			.expectStatus()
			.isNotFound()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("There is no blob 'file'. GET /blobs lists those there are.");
		this.client.delete().uri("/blobs/file").exchange().expectStatus().isNotFound();
	}

	/**
	 * What a peer with access to the region can do at any time.
	 */
	private void overwriteRegion() {
		this.rdma.write("self", "blobs", 0, new byte[REGION_SIZE]);
	}

	private HttpResponse<String> put(String name, byte[] content) throws IOException, InterruptedException {
		return this.http.send(request(name).PUT(BodyPublishers.ofByteArray(content)).build(), BodyHandlers.ofString());
	}

	private HttpResponse<String> putChunked(String name, byte[] content) throws IOException, InterruptedException {
		return this.http.send(
				request(name).PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(content))).build(),
				BodyHandlers.ofString());
	}

	private HttpResponse<byte[]> get(String name) throws IOException, InterruptedException {
		return this.http.send(request(name).build(), BodyHandlers.ofByteArray());
	}

	private HttpRequest.Builder request(String name) {
		return HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + "/blobs/" + name)).timeout(TIMEOUT);
	}

	private static byte[] content(int size, long seed) {
		byte[] content = new byte[size];
		new Random(seed).nextBytes(content);
		return content;
	}

	private static MessageDigest digest(byte[] content) {
		MessageDigest digest = Sha256.newDigest();
		digest.update(content);
		return digest;
	}

	private static String reprDigest(byte[] content) {
		byte[] sha256 = HexFormat.of().parseHex(Sha256.finish(digest(content)));
		return "sha-256=:" + Base64.getEncoder().encodeToString(sha256) + ":";
	}

}
