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

package io.rdma.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;

import io.rdma.core.exception.RdmaConfigurationException;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.unit.DataSize;

/**
 * Checks single sizes and durations, and writes them as a setting would have them.
 */
final class SettingRanges {

	private static final ChronoUnit[] UNITS = { ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS };

	private static final int NANOS_PER_MILLI = 1_000_000;

	private SettingRanges() {
	}

	static void positive(String property, DataSize size) {
		if (size.toBytes() <= 0) {
			throw new RdmaConfigurationException(property, format(size), "it must be more than 0",
					"Use for example 64MB.");
		}
	}

	static void powerOfTwo(String property, DataSize size) {
		positive(property, size);
		long lower = Long.highestOneBit(size.toBytes());
		if (lower != size.toBytes()) {
			throw new RdmaConfigurationException(property, format(size), "it must be a power of two",
					"Use %s or %s.".formatted(format(DataSize.ofBytes(lower)), format(DataSize.ofBytes(lower << 1))));
		}
	}

	static void range(String property, DataSize size, DataSize min, DataSize max) {
		if (size.compareTo(min) < 0 || size.compareTo(max) > 0) {
			throw new RdmaConfigurationException(property, format(size),
					"it must be from %s to %s".formatted(format(min), format(max)), "Use a size in this range.");
		}
	}

	static void range(String property, Duration duration, Duration min, Duration max) {
		if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
			throw new RdmaConfigurationException(property, format(duration),
					"it must be from %s to %s".formatted(format(min), format(max)), "Use a duration in this range.");
		}
	}

	static void notNegative(String property, Duration duration) {
		if (duration.isNegative()) {
			throw new RdmaConfigurationException(property, format(duration), "it must not be negative",
					"Use 0s or more.");
		}
	}

	static String format(DataSize size) {
		return DataSizes.format(size);
	}

	static String format(Duration duration) {
		if (duration.toNanosPart() % NANOS_PER_MILLI != 0) {
			return duration.toString();
		}
		if (duration.toNanosPart() != 0) {
			return DurationStyle.SIMPLE.print(duration, ChronoUnit.MILLIS);
		}
		ChronoUnit largest = Arrays.stream(UNITS)
			.filter((unit) -> duration.toSeconds() % unit.getDuration().toSeconds() == 0)
			.findFirst()
			.orElse(ChronoUnit.SECONDS);
		return DurationStyle.SIMPLE.print(duration, largest);
	}

}
