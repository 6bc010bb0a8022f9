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

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.test.web.servlet.client.RestTestClient;

/**
 * Runs the whole service on free ports, with small regions, and reaches it over HTTP.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "demo.job.enabled=false", "rdma.regions.blobs.size=" + AbstractDemoTests.REGION_SIZE + "B",
				"demo.blobs.chunk-size=" + AbstractDemoTests.CHUNK_SIZE + "B", "rdma.template.max-message-size=1MB" })
@AutoConfigureRestTestClient
public abstract class AbstractDemoTests {

	/**
	 * The size of the region of the blobs.
	 */
	protected static final int REGION_SIZE = 4 * 1024 * 1024;

	/**
	 * How much of a blob is moved at a time.
	 */
	protected static final int CHUNK_SIZE = 256 * 1024;

	@Autowired
	protected RestTestClient client;

	@DynamicPropertySource
	static void freePort(DynamicPropertyRegistry registry) {
		int port = TestSocketUtils.findAvailableTcpPort();
		registry.add("rdma.server.port", () -> port);
	}

}
