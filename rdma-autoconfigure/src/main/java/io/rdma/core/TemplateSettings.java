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

import io.rdma.core.exception.RdmaConfigurationException;
import lombok.With;

/**
 * Settings of {@link RdmaTemplate}.
 *
 * @param timeout the default time limit of an operation, 1 ms to 24 h
 * @param chunkSize the size of a piece of a large transfer in bytes, 4 KiB to 1 GiB; a
 * piece is never larger than a pool buffer or a message of the port
 * @param window how many pieces of a transfer are under way at once, 1 to 1024; never so
 * many that they fill more than half of the pool
 * @param transferThreads how many asynchronous transfers run at once, and how many peers
 * asynchronous operations can wait for at once, 1 to 256
 * @param maxPending how many asynchronous operations can wait to be started, 1 to 1 000
 * 000
 */
@With
public record TemplateSettings(Duration timeout, int chunkSize, int window, int transferThreads, int maxPending) {

	private static final TemplateSettings DEFAULTS = new TemplateSettings(Duration.ofSeconds(5), 1024 * 1024, 8, 8,
			10_000);

	/**
	 * Check the settings.
	 * @throws RdmaConfigurationException if a value is out of its range
	 */
	public TemplateSettings {
		if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofHours(24)) > 0) {
			throw new RdmaConfigurationException("rdma.template.timeout", timeout, "it must be from 1ms to 24h",
					"Set it to a value in this range or remove it.");
		}
		check("rdma.template.chunk-size", chunkSize, 4096, 1024 * 1024 * 1024);
		check("rdma.template.window", window, 1, 1024);
		check("rdma.template.transfer-threads", transferThreads, 1, 256);
		check("rdma.template.max-pending", maxPending, 1, 1_000_000);
	}

	/**
	 * Return the settings that nothing was changed in.
	 * @return the defaults
	 */
	public static TemplateSettings defaults() {
		return DEFAULTS;
	}

	private static void check(String property, int value, int min, int max) {
		if (value < min || value > max) {
			throw new RdmaConfigurationException(property, value, "it must be from " + min + " to " + max,
					"Set it to a value in this range or remove it.");
		}
	}

}
