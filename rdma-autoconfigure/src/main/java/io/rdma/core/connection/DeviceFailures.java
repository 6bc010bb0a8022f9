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

package io.rdma.core.connection;

import java.util.function.Predicate;

import io.rdma.core.exception.RdmaConnectionLostException;
import io.rdma.core.exception.RdmaDeviceException;
import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.QueuePair;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;

/**
 * Lets connections fail that an event of the device is about.
 */
@Slf4j
@RequiredArgsConstructor
final class DeviceFailures {

	private final LiveConnections live;

	private final int port;

	/** Tries lost peers again at once. */
	private final Runnable hurry;

	void event(AsyncEvent event) {
		switch (event.type()) {
			case DEVICE_FATAL -> fail((connection) -> true, "the device reported a fatal error",
					"Look into the kernel log; connections are made again once the device works.");
			case PORT_ERR -> {
				if (event.port() == this.port) {
					fail((connection) -> true, "port " + this.port + " went down",
							"Bring the port up; connections are made again by themselves.");
				}
			}
			case PORT_ACTIVE -> this.hurry.run();
			case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR -> {
				if (event.resource() instanceof QueuePair queuePair) {
					failed(queuePair, event);
				}
			}
			case CQ_ERR -> {
				if (event.resource() instanceof CompletionQueue queue) {
					fail((connection) -> uses(connection, queue), "a completion queue overran or failed",
							"This is a fault of the device or of another user of its queues. " + ConnectionLife.RETRY);
				}
			}
			default -> logger.debug("Nothing is done about {}", event);
		}
	}

	private static boolean uses(RdmaConnection connection, CompletionQueue queue) {
		return connection.resources().lease().sendQueue() == queue
				|| connection.resources().lease().receiveQueue() == queue;
	}

	private void failed(QueuePair queuePair, AsyncEvent event) {
		for (RdmaConnection connection : this.live.all()) {
			if (connection.resources().queuePair() == queuePair) {
				connection.fail(new RdmaConnectionLostException(connection.context("event"),
						"the device reported " + event.type() + " on the queue pair",
						"If the peer made an access that was refused, look into its log. " + ConnectionLife.RETRY));
			}
		}
	}

	private void fail(Predicate<RdmaConnection> which, String problem, String remedy) {
		for (RdmaConnection connection : this.live.all()) {
			if (which.test(connection)) {
				connection.fail(new RdmaDeviceException(connection.context("event"), problem, remedy));
			}
		}
	}

}
