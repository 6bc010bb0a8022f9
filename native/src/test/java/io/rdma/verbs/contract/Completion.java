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

package io.rdma.verbs.contract;

import io.rdma.verbs.CompletionOpcode;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a work completion that outlives the next poll. What an error leaves undefined
 * is {@code null} or -1 here.
 *
 * @param wrId the context that the work request was posted with
 * @param status the outcome
 * @param qpNumber the local queue pair
 * @param opcode what was done
 * @param byteLength how many bytes were moved
 * @param immediate the immediate data
 * @param invalidatedRkey the key of the memory window that was invalidated
 */
public record Completion(long wrId, CompletionStatus status, int qpNumber, @Nullable CompletionOpcode opcode,
		long byteLength, @Nullable Integer immediate, @Nullable Integer invalidatedRkey) {

	static Completion of(WorkCompletion completion) {
		if (!completion.isSuccess()) {
			return new Completion(completion.wrId(), completion.status(), completion.qpNumber(), null, -1, null, null);
		}
		return new Completion(completion.wrId(), completion.status(), completion.qpNumber(), completion.opcode(),
				completion.byteLength(), completion.hasImmediate() ? completion.immediate() : null,
				completion.hasInvalidatedRkey() ? completion.invalidatedRkey() : null);
	}

}
