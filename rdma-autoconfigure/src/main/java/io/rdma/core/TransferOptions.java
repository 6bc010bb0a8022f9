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

import java.time.Duration;

import lombok.With;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * How to do one transfer.
 *
 * @param timeout the time limit for the whole transfer, above zero; {@code null} for the
 * setting {@code rdma.template.timeout} on each step, which lets a large transfer take as
 * long as it makes progress
 * @param progress is told how far the transfer has come
 */
@With
public record TransferOptions(@Nullable Duration timeout, @Nullable TransferProgress progress) {

	private static final TransferOptions DEFAULTS = new TransferOptions(null, null);

	/**
	 * Check the options.
	 * @throws IllegalArgumentException if the timeout is not above zero
	 */
	public TransferOptions {
		Assert.isTrue(timeout == null || (!timeout.isNegative() && !timeout.isZero()),
				() -> "'timeout' must be above zero, not " + timeout);
	}

	/**
	 * Return options with the default time limit and no progress.
	 * @return the options
	 */
	public static TransferOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Return options with a time limit.
	 * @param timeout the time limit for the whole transfer, above zero
	 * @return the options
	 */
	public static TransferOptions within(Duration timeout) {
		Assert.notNull(timeout, "'timeout' must not be null");
		return new TransferOptions(timeout, null);
	}

	/**
	 * Return options with the default time limit that tell the progress.
	 * @param progress is told how far the transfer has come
	 * @return the options
	 */
	public static TransferOptions progress(TransferProgress progress) {
		Assert.notNull(progress, "'progress' must not be null");
		return new TransferOptions(null, progress);
	}

}
