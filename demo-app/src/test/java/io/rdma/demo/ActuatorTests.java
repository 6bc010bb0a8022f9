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

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

import io.rdma.core.RdmaOperations;
import io.rdma.core.connection.RemoteRegion;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.client.EntityExchangeResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what Actuator shows of the running service.
 */
class ActuatorTests extends AbstractDemoTests {

	@Autowired
	private RdmaOperations rdma;

	@BeforeEach
	void doSomething() {
		this.rdma.write("self", "blobs", 0, new byte[100]);
		this.rdma.fetchAndAdd("self", "counters", 800, 1);
	}

	@Test
	void shouldBeHealthyAndTellWhatItIsMadeOf() {
		this.client.get()
			.uri("/actuator/health")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo("UP")
			.jsonPath("$.components.rdma")
			.exists();
		assertThat(get("/actuator/health")).contains("\"self\"", "RTS");
	}

	@Test
	void shouldCountOperations() {
		this.client.get()
			.uri("/actuator/metrics/rdma.operations")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.measurements[?(@.statistic == 'COUNT')].value")
			.value((values) -> assertThat((List<?>) values).singleElement()
				.satisfies((value) -> assertThat(((Number) value).doubleValue()).isGreaterThanOrEqualTo(2)));
	}

	@Test
	void shouldShowDeviceRegionsAndQueues() {
		assertThat(get("/actuator/rdma")).contains("\"blobs\"", "\"counters\"", "\"locks\"", "\"self\"", "RTS");
	}

	@ParameterizedTest
	@ValueSource(strings = { "health", "rdma", "metrics" })
	void shouldNeverShowAKey(String endpoint) {
		String content = get("/actuator/" + endpoint).toLowerCase(Locale.ROOT);
		assertThat(content).doesNotContain("rkey", "lkey");
		List<RemoteRegion> regions = this.rdma.execute("self", (connection) -> List.copyOf(connection.regions()));
		assertThat(regions).hasSize(3).allSatisfy((region) -> {
			for (String form : List.of(Integer.toString(region.rkey()), Integer.toUnsignedString(region.rkey()),
					Integer.toHexString(region.rkey()), "%08x".formatted(region.rkey()),
					Long.toString(region.address()), Long.toHexString(region.address()))) {
				assertThat(content).doesNotContain(form);
			}
		});
	}

	private String get(String path) {
		EntityExchangeResult<byte[]> result = this.client.get()
			.uri(path)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.returnResult();
		return new String(result.getResponseBodyContent(), StandardCharsets.UTF_8);
	}

}
