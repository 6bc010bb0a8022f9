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

import io.rdma.core.exception.RdmaMemoryRegistrationException;
import io.rdma.verbs.ibv.MemoryLock;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Adds to a failed registration which limits of the JVM and the machine it may have met.
 */
final class RdmaMemoryFailureAnalyzer extends AbstractFailureAnalyzer<RdmaMemoryRegistrationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, RdmaMemoryRegistrationException cause) {
		MemoryLimits limits = MemoryLimits.current();
		String description = "%s%n%nLimits:%n%n    %s%n    %s%n    %s%n    %s".formatted(
				RdmaFailureAnalyzer.problem(cause),
				"Direct memory of this JVM (-XX:MaxDirectMemorySize): " + DataSizes.describe(limits.directMemory()),
				"In use: " + DataSizes.describe(MemoryLimits.directMemoryInUse()),
				"Memory of the machine: " + DataSizes.describe(limits.machineMemory()),
				"Locked memory that is left, for other than the software device (ulimit -l): " + lockable());
		return new FailureAnalysis(description, cause.remedy(), cause);
	}

	private static String lockable() {
		long available = MemoryLock.ofThisProcess().available();
		return (available == Long.MAX_VALUE) ? "unlimited" : DataSizes.describe(available);
	}

}
