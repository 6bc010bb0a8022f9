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

package io.rdma.demo;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the service whose peer does not run.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "demo.job.enabled=false", "rdma.server.port=0", "rdma.regions.blobs.size=1MB" })
@AutoConfigureRestTestClient
class UnreachablePeerTests {

	@Autowired
	private RestTestClient client;

	@DynamicPropertySource
	static void nobodyListens(DynamicPropertyRegistry registry) {
		int port = TestSocketUtils.findAvailableTcpPort();
		registry.add("rdma.peers.self.address", () -> "localhost:" + port);
	}

	@Test
	void whenPeerCannotBeReachedThenProblemTellsWhatToDo() {
		this.client.post()
			.uri("/counters/0")
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.SERVICE_UNAVAILABLE)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectHeader()
			.valueEquals(HttpHeaders.RETRY_AFTER, "1")
			.expectBody()
			.jsonPath("$.peer")
			.isEqualTo("self")
			.jsonPath("$.remedy")
			.value((remedy) -> assertThat((String) remedy).startsWith("Check that the peer runs"));
	}

	@Test
	void whenPeerCannotBeReachedThenServiceIsStillUp() {
		this.client.put().uri("/blobs/file").body(new byte[1]).exchange().expectStatus().is5xxServerError();
		this.client.get()
			.uri("/actuator/health")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.components.rdma.status")
			.isEqualTo("UP")
			.jsonPath("$.components.rdma.details.peers.self.status")
			.isEqualTo("UNKNOWN");
	}

}
