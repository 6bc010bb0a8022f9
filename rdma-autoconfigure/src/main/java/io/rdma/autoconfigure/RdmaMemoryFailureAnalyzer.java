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

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Adds to a failed registration which limits of the JVM it may have met.
 */
final class RdmaMemoryFailureAnalyzer extends AbstractFailureAnalyzer<RdmaMemoryRegistrationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, RdmaMemoryRegistrationException cause) {
		String description = RdmaFailureAnalyzer.problem(cause) + "%n%nLimits of this JVM:%n%n".formatted()
				+ "    Direct memory: %s%n".formatted(DataSizes.describe(MemoryLimits.directMemory()))
				+ "    In use: %s%n".formatted(DataSizes.describe(MemoryLimits.directMemoryInUse()))
				+ "    Memory of the machine: %s".formatted(DataSizes.describe(MemoryLimits.machineMemory()));
		String action = cause.remedy()
				+ " Make 'rdma.memory.pool-size', 'rdma.memory.max-pool-size' or the sizes below 'rdma.regions' smaller,"
				+ " or give the JVM more direct memory with -XX:MaxDirectMemorySize; without it, that is as much as the"
				+ " Java heap may grow to.";
		return new FailureAnalysis(description, action, cause);
	}

}
