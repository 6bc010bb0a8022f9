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
import java.util.stream.IntStream;

import io.rdma.demo.AbstractDemoTests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.http.MediaType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the counters over HTTP.
 */
class CounterTests extends AbstractDemoTests {

	/** Since JDK 25 the common pool has one thread on two processors. */
	private static final Executor CLIENTS = new SimpleAsyncTaskExecutor("client-");

	@Test
	void whenAddedThenBothValuesAreTold() {
		add(0, 5);
		this.client.post()
			.uri("/counters/0?delta=-2")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.json("{'counter': 0, 'before': 5, 'after': 3}");
		assertThat(value(0)).isEqualTo(3);
	}

	@Test
	void whenNoDeltaIsGivenThenOneIsAdded() {
		this.client.post().uri("/counters/1").exchange().expectStatus().isOk();
		assertThat(value(1)).isEqualTo(1);
	}

	@Test
	void whenManyAddAtOnceThenNothingIsLost() {
		List<CompletableFuture<Void>> clients = IntStream.range(0, 8)
			.mapToObj((client) -> CompletableFuture.runAsync(() -> {
				for (int i = 0; i < 50; i++) {
					add(2, 1);
				}
			}, CLIENTS))
			.toList();
		clients.forEach(CompletableFuture::join);
		assertThat(value(2)).isEqualTo(400);
	}

	@Test
	void whenLastCounterThenFoundAndNextIsNot() {
		add(511, 1);
		assertThat(value(511)).isEqualTo(1);
		this.client.post().uri("/counters/512").exchange().expectStatus().isBadRequest();
	}

	@ParameterizedTest
	@ValueSource(strings = { "512", "-1", "1152921504606846976", "99999999999999999999", "first" })
	void whenThereIsNoSuchCounterThenProblem(String number) {
		this.client.get()
			.uri("/counters/" + number)
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.detail")
			.isNotEmpty();
	}

	private void add(int number, long delta) {
		this.client.post().uri("/counters/{number}?delta={delta}", number, delta).exchange().expectStatus().isOk();
	}

	private long value(int number) {
		CounterController.Value value = this.client.get()
			.uri("/counters/{number}", number)
			.exchange()
			.expectStatus()
			.isOk()
			.returnResult(CounterController.Value.class)
			.getResponseBody();
		assertThat(value).isNotNull();
		return value.value();
	}

}
