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

package io.rdma.verbs.soft;

import java.util.EnumSet;

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.contract.ConnectedPair;
import io.rdma.verbs.contract.Endpoint;
import io.rdma.verbs.contract.EndpointOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a queue pair on the wire was asked for beyond what the device says it can do, as
 * the kernel's Soft-RoCE accepts it.
 */
class WireLimitsTests {

	private static final int REQUESTS = 200;

	private final SoftDeviceContext context = SoftProvider.builder()
		.paths(EnumSet.of(PathKind.WIRE))
		.build()
		.open(SoftProvider.DEVICE_NAME);

	@AfterEach
	void closeContext() {
		this.context.close();
	}

	@Test
	void whenMoreReadsAreAllowedThanTheDeviceHasThenAllAreAnswered() throws Exception {
		EndpointOptions options = EndpointOptions.defaults()
			.withMaxRdAtomic(REQUESTS)
			.withSendDepth(REQUESTS)
			.withCompletionDepth(2 * REQUESTS);
		try (Endpoint requester = new Endpoint(OnSoftDevice.SOFT_DEVICE, this.context, options);
				Endpoint responder = new Endpoint(OnSoftDevice.SOFT_DEVICE, this.context, options)) {
			ConnectedPair pair = ConnectedPair.of(requester, responder);
			for (int i = 0; i < REQUESTS; i++) {
				requester.post(pair.fetchAndAdd(i, 0, 1));
			}
			assertThat(requester.awaitSends(REQUESTS)).extracting("status").containsOnly(CompletionStatus.SUCCESS);
			assertThat(responder.getLong(0)).isEqualTo(REQUESTS);
		}
	}

}
