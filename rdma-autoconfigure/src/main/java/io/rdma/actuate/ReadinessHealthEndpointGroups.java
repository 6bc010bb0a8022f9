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

package io.rdma.actuate;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.AdditionalPathsMapper;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.health.actuate.endpoint.AdditionalHealthEndpointPath;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;

/**
 * Puts a health contributor in the readiness group, if there is one, and keeps it out of
 * the primary and the liveness group. Other groups decide for themselves.
 * <p>
 * Boot's own switch for readiness, the application's availability state, would not do:
 * its indicator is in the primary group too, and the application sets it for reasons of
 * its own.
 */
@RequiredArgsConstructor
public final class ReadinessHealthEndpointGroups implements HealthEndpointGroups, AdditionalPathsMapper {

	private static final String READINESS = "readiness";

	private static final String LIVENESS = "liveness";

	private final HealthEndpointGroups groups;

	private final String contributor;

	private final boolean included;

	@Override
	public HealthEndpointGroup getPrimary() {
		return new Group(this.groups.getPrimary(), this::isContributor, false);
	}

	@Override
	public Set<String> getNames() {
		return this.groups.getNames();
	}

	@Override
	public @Nullable HealthEndpointGroup get(String name) {
		HealthEndpointGroup group = this.groups.get(name);
		if (group == null) {
			return null;
		}
		return switch (name) {
			case READINESS -> new Group(group, this::isContributor, this.included);
			case LIVENESS -> new Group(group, this::isContributor, false);
			default -> group;
		};
	}

	private boolean isContributor(String name) {
		return name.equals(this.contributor);
	}

	@Override
	public @Nullable List<String> getAdditionalPaths(EndpointId endpointId, WebServerNamespace webServerNamespace) {
		return (this.groups instanceof AdditionalPathsMapper mapper)
				? mapper.getAdditionalPaths(endpointId, webServerNamespace) : null;
	}

	/**
	 * A group with its own word on one contributor.
	 */
	@RequiredArgsConstructor
	private static final class Group implements HealthEndpointGroup {

		private final HealthEndpointGroup delegate;

		private final Predicate<String> decided;

		private final boolean member;

		@Override
		public boolean isMember(String name) {
			return this.decided.test(name) ? this.member : this.delegate.isMember(name);
		}

		@Override
		public boolean showComponents(SecurityContext securityContext) {
			return this.delegate.showComponents(securityContext);
		}

		@Override
		public boolean showDetails(SecurityContext securityContext) {
			return this.delegate.showDetails(securityContext);
		}

		@Override
		public StatusAggregator getStatusAggregator() {
			return this.delegate.getStatusAggregator();
		}

		@Override
		public HttpCodeStatusMapper getHttpCodeStatusMapper() {
			return this.delegate.getHttpCodeStatusMapper();
		}

		@Override
		public @Nullable AdditionalHealthEndpointPath getAdditionalPath() {
			return this.delegate.getAdditionalPath();
		}

	}

}
