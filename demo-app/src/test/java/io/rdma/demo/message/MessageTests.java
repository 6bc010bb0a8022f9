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

package io.rdma.demo.message;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.rdma.demo.AbstractDemoTests;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for messages over HTTP.
 */
class MessageTests extends AbstractDemoTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	@Autowired
	private Messenger messenger;

	@ParameterizedTest
	@ValueSource(strings = { "x", "Good morning", "\u00e4\u20ac\ud83d\ude80" })
	void whenSentThenTheListenerGetsIt(String text) {
		long before = this.messenger.receivedCount();
		send(text);
		await(before + 1);
		this.client.get()
			.uri("/messages")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.received")
			.isEqualTo((int) before + 1)
			.jsonPath("$.newest[0].text")
			.isEqualTo(text);
	}

	@Test
	void whenAskedThenTheListenerAnswersHowManyCame() {
		long before = this.messenger.receivedCount();
		assertThat(this.messenger.ask("How many?")).isEqualTo(before + 1);
		assertThat(this.messenger.newest().get(0).text()).isEqualTo("How many?");
	}

	private void await(long count) {
		Awaitility.await().atMost(TIMEOUT).until(() -> this.messenger.receivedCount() == count);
	}

	@Test
	void whenManyAreSentThenAllComeInOrder() {
		long before = this.messenger.receivedCount();
		List<String> texts = IntStream.range(0, 100).mapToObj((i) -> "message " + (99 - i)).toList();
		for (int i = 99; i >= 0; i--) {
			send(texts.get(i));
		}
		await(before + 100);
		assertThat(this.messenger.newest()).extracting(ReceivedMessage::text).isEqualTo(texts);
	}

	@Test
	void whenLargerThanOneReceiveBufferThenItComesWhole() {
		long before = this.messenger.receivedCount();
		String text = "0123456789".repeat(10_000);
		send(text);
		await(before + 1);
		assertThat(this.messenger.newest().get(0).text()).isEqualTo(text);
	}

	@Test
	void whenTooLargeThenProblem() {
		this.client.post()
			.uri("/messages")
			.contentType(MediaType.TEXT_PLAIN)
			.body("x".repeat(1024 * 1024 + 1))
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.CONTENT_TOO_LARGE)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.remedy")
			.isNotEmpty();
	}

	@Test
	void whenEmptyThenProblem() {
		this.client.post()
			.uri("/messages")
			.contentType(MediaType.TEXT_PLAIN)
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON);
	}

	@Test
	void whenNotTextThenProblem() {
		this.client.post()
			.uri("/messages")
			.contentType(MediaType.APPLICATION_FORM_URLENCODED)
			.body("Good morning")
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.UNSUPPORTED_MEDIA_TYPE)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON);
	}

	private void send(String text) {
		this.client.post()
			.uri("/messages")
			.contentType(MediaType.parseMediaType("text/plain;charset=UTF-8"))
			.body(text)
			.exchange()
			.expectStatus()
			.isAccepted();
	}

}
