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

package io.rdma.core;

import java.util.function.Function;

import lombok.Getter;
import lombok.RequiredArgsConstructor;
import lombok.experimental.Accessors;

/**
 * Waits for one message.
 *
 * @param <T> what is made of it
 */
@RequiredArgsConstructor
final class MessageReceiver<T> {

	@Getter
	@Accessors(fluent = true)
	private final RdmaFuture<T> future;

	private final Function<RdmaMessage, T> conversion;

	/**
	 * Take the message.
	 * @param message the message
	 * @return {@code false} if it waits no more
	 */
	boolean accept(RdmaMessage message) {
		return this.future.deliverFrom(() -> this.conversion.apply(message));
	}

	void fail(Throwable failure) {
		this.future.fail(failure);
	}

	boolean isDone() {
		return this.future.isDone();
	}

}
