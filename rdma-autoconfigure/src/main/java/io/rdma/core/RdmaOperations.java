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

import io.rdma.core.exception.RdmaException;
import org.jspecify.annotations.Nullable;

/**
 * RDMA operations with peers and their memory regions, which are named as in the
 * configuration. Implemented by {@code RdmaTemplate}; an interface of its own so that
 * tests can replace it. Thread-safe.
 * <p>
 * <b>Time limits.</b> A {@code Duration} limits the whole call, from connecting to the
 * last completion. Without one, the setting {@code rdma.template.timeout} limits each
 * step: getting a connection, a buffer, and the completion of each piece of a large
 * transfer. So a transfer of any size can take as long as it makes progress. Every
 * operation ends: with a result, with a subclass of {@link RdmaException}, or with the
 * {@code RdmaTimeoutException} among them. An operation that timed out may still take
 * effect.
 * <p>
 * <b>Futures.</b> What depends on a future ({@code thenApply} and the like) runs on the
 * application's executor, never on a thread of this library. A thread that blocks in
 * {@code get()} or {@code join()} is woken directly, also when that executor is busy.
 * Cancelling a future does not stop the operation: it goes on, and its buffer is held
 * until the device is done with it. Wrong arguments are thrown at once; everything else
 * ends the future.
 * <p>
 * <b>Threads.</b> Blocking methods must not be called on a thread of this library, which
 * only callbacks of the non-blocking connection interface run on: that is an
 * {@code IllegalStateException}. A thread that is interrupted while it waits gets a
 * {@code RdmaInterruptedException}, with its interrupt flag set.
 */
public interface RdmaOperations extends RdmaMessageOperations, RdmaMemoryOperations {

	/**
	 * Hand out the connection to a peer, for everything that has no method here. It
	 * connects if there is no connection, within the default time limit.
	 * @param peer the name of the peer
	 * @param callback is called on this thread with a connection that is ready
	 * @param <T> the type of the result
	 * @return what the callback returns
	 * @throws RdmaException if there is no connection, or from the callback
	 */
	<T extends @Nullable Object> T execute(String peer, RdmaCallback<T> callback);

}
