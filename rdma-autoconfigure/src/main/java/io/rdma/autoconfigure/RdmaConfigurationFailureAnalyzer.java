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

import io.rdma.core.exception.RdmaConfigurationException;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;

/**
 * Tells which setting is wrong, where it is set, and what to do.
 */
@RequiredArgsConstructor
final class RdmaConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<RdmaConfigurationException> {

	private final Environment environment;

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, RdmaConfigurationException cause) {
		StringBuilder description = new StringBuilder("RDMA cannot start with these settings:%n%n".formatted());
		description.append("    Property: %s%n".formatted(cause.property()));
		description.append("    Value: %s%n".formatted((cause.value() != null) ? cause.value() : "(not set)"));
		Origin origin = origin(cause.property());
		if (origin != null) {
			description.append("    Origin: %s%n".formatted(origin));
		}
		description.append("    Reason: %s".formatted(cause.reason()));
		return new FailureAnalysis(description.toString(), cause.remedy(), cause);
	}

	private @Nullable Origin origin(String property) {
		if (!ConfigurationPropertyName.isValid(property)) {
			return null;
		}
		ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			Origin origin = Origin.from(source.getConfigurationProperty(name));
			if (origin != null) {
				return origin;
			}
		}
		return null;
	}

}
