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

package io.rdma.verbs.ibv;

import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.VerbsException;

/**
 * Finds the largest inline payload of a device by creating queue pairs, since no verb
 * tells it. The usual sizes of hardware are tried from large to small.
 */
final class InlineProbe {

	private static final int[] SIZES = { 1024, 956, 828, 512, 460, 400, 256, 220, 188, 128, 96, 64, 32 };

	private InlineProbe() {
	}

	static int probe(IbvDeviceContext context) {
		try (ProtectionDomain domain = context.allocateProtectionDomain();
				CompletionQueue queue = context.createCompletionQueue(1, null)) {
			for (int size : SIZES) {
				if (grants(domain, queue, size)) {
					return size;
				}
			}
		}
		return 0;
	}

	private static boolean grants(ProtectionDomain domain, CompletionQueue queue, int size) {
		try {
			domain
				.createQueuePair(new QueuePairInitAttributes(queue, queue, new QueuePairCapabilities(1, 1, 1, 1, size)))
				.close();
			return true;
		}
		catch (VerbsException ex) {
			return false;
		}
	}

}
