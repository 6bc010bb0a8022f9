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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.WorkCompletions;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Takes completions from a queue, one at a time and in order, and never waits for ever.
 */
public final class CompletionReader {

	/** How long a completion that must come may take. */
	public static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final long PAUSE_NANOS = 50_000;

	private final CompletionQueue queue;

	private final WorkCompletions batch;

	/**
	 * Create a reader.
	 * @param context the context of the queue
	 * @param queue the queue
	 */
	public CompletionReader(DeviceContext context, CompletionQueue queue) {
		this.queue = queue;
		this.batch = context.allocateWorkCompletions(1);
	}

	/**
	 * Take a completion that is there already.
	 * @return the completion or {@code null}
	 */
	public @Nullable Completion poll() {
		return (this.queue.poll(this.batch) == 0) ? null : Completion.of(this.batch.get(0));
	}

	/**
	 * Wait for completions that must come.
	 * @param count how many
	 * @return the completions in their order
	 */
	public List<Completion> await(int count) {
		List<Completion> completions = new ArrayList<>();
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (completions.size() < count) {
			Completion completion = poll();
			if (completion != null) {
				completions.add(completion);
			}
			else if (System.nanoTime() - deadline > 0) {
				fail("Of %d completions only these came within %s: %s", count, PATIENCE, completions);
			}
			else {
				LockSupport.parkNanos(PAUSE_NANOS);
			}
		}
		return completions;
	}

	/**
	 * Check that no completion comes for some time.
	 * @param time how long to look
	 */
	public void assertNoneWithin(Duration time) {
		long deadline = System.nanoTime() + time.toNanos();
		do {
			assertThat(poll()).isNull();
			LockSupport.parkNanos(PAUSE_NANOS);
		}
		while (System.nanoTime() - deadline < 0);
	}

}
