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

package io.rdma.demo.atomic;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.rdma.demo.AbstractDemoTests;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the locks over HTTP.
 */
class LockTests extends AbstractDemoTests {

	/** Since JDK 25 the common pool has one thread on two processors. */
	private static final Executor CLIENTS = new SimpleAsyncTaskExecutor("client-");

	@Test
	void whenReleasedThenAcquiredAgain() {
		for (int i = 0; i < 3; i++) {
			release("door", acquire("door"));
		}
	}

	@Test
	void whenHeldThenProblem() {
		String token = acquire("gate");
		this.client.post()
			.uri("/locks/gate")
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.CONFLICT)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("The lock 'gate' is held. Wait until its owner releases it.");
		release("gate", token);
	}

	@Test
	void whenHeldThenOtherLocksAreNot() {
		String left = acquire("left");
		release("right", acquire("right"));
		release("left", left);
	}

	@Test
	void whenReleasedBySomebodyElseThenProblemAndStillHeld() {
		String token = acquire("safe");
		this.client.delete()
			.uri("/locks/safe?token=0000000000000001")
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.CONFLICT);
		this.client.post().uri("/locks/safe").exchange().expectStatus().isEqualTo(HttpStatus.CONFLICT);
		release("safe", token);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "?token=", "?token=nonsense", "?token=00000000000000001" })
	void whenTokenIsNoneThenProblem(String query) {
		this.client.delete()
			.uri("/locks/box" + query)
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON);
	}

	@Test
	void whenManyWantItThenOneHasItAtATime() {
		AtomicInteger inside = new AtomicInteger();
		List<CompletableFuture<Void>> clients = IntStream.range(0, 4)
			.mapToObj((client) -> CompletableFuture.runAsync(() -> {
				for (int i = 0; i < 10; i++) {
					String token = Awaitility.await().until(() -> tryAcquire("bridge"), (answer) -> answer != null);
					assertThat(inside.incrementAndGet()).isOne();
					inside.decrementAndGet();
					release("bridge", token);
				}
			}, CLIENTS))
			.toList();
		clients.forEach(CompletableFuture::join);
	}

	private String acquire(String name) {
		String token = tryAcquire(name);
		assertThat(token).isNotNull().matches("[0-9a-f]{16}");
		return token;
	}

	private @Nullable String tryAcquire(String name) {
		LockController.Lock lock = this.client.post()
			.uri("/locks/{name}", name)
			.exchange()
			.returnResult(LockController.Lock.class)
			.getResponseBody();
		return (lock != null) ? lock.token() : null;
	}

	private void release(String name, String token) {
		this.client.delete().uri("/locks/{name}?token={token}", name, token).exchange().expectStatus().isNoContent();
	}

}
