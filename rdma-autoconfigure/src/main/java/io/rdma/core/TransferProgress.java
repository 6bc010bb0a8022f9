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

/**
 * Is told how far a transfer has come. Blocking transfers call it on the thread of the
 * caller, asynchronous ones on the application's executor, one call at a time and in
 * order. What it throws is logged once for a transfer and does not stop it.
 */
@FunctionalInterface
public interface TransferProgress {

	/**
	 * Some bytes have arrived.
	 * @param transferred how many bytes so far: never less than before, and {@code total}
	 * in the last call of a transfer that succeeds
	 * @param total how many bytes the whole transfer has
	 */
	void transferred(long transferred, long total);

}
