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

import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ReadinessHealthEndpointGroups}.
 */
class ReadinessHealthEndpointGroupsTests {

	private final HealthEndpointGroups groups = HealthEndpointGroups.of(group(true),
			Map.of("readiness", group(false), "liveness", group(true), "all", group(true), "none", group(false)));

	@Test
	void theContributorIsInTheReadinessGroup() {
		HealthEndpointGroups decorated = new ReadinessHealthEndpointGroups(this.groups, "rdmaPeers", true);
		assertThat(decorated.getNames()).containsExactlyInAnyOrder("readiness", "liveness", "all", "none");
		assertThat(isMember(decorated, "readiness", "rdmaPeers")).isTrue();
		assertThat(isMember(decorated, "liveness", "rdmaPeers")).isFalse();
		assertThat(decorated.getPrimary().isMember("rdmaPeers")).isFalse();
	}

	@Test
	void otherGroupsDecideForThemselves() {
		HealthEndpointGroups decorated = new ReadinessHealthEndpointGroups(this.groups, "rdmaPeers", true);
		assertThat(isMember(decorated, "all", "rdmaPeers")).isTrue();
		assertThat(isMember(decorated, "none", "rdmaPeers")).isFalse();
	}

	@Test
	void otherContributorsAreNotTouched() {
		HealthEndpointGroups decorated = new ReadinessHealthEndpointGroups(this.groups, "rdmaPeers", true);
		assertThat(decorated.getPrimary().isMember("db")).isTrue();
		assertThat(isMember(decorated, "readiness", "db")).isFalse();
		assertThat(isMember(decorated, "liveness", "db")).isTrue();
	}

	@Test
	void whenNotIncludedThenTheContributorIsInNoneOfTheThree() {
		HealthEndpointGroups decorated = new ReadinessHealthEndpointGroups(this.groups, "rdmaPeers", false);
		assertThat(isMember(decorated, "readiness", "rdmaPeers")).isFalse();
		assertThat(decorated.getPrimary().isMember("rdmaPeers")).isFalse();
	}

	@Test
	void whenThereIsNoReadinessGroupThenNoneIsMade() {
		HealthEndpointGroups decorated = new ReadinessHealthEndpointGroups(
				HealthEndpointGroups.of(group(true), Map.of()), "rdmaPeers", true);
		assertThat(decorated.get("readiness")).isNull();
		assertThat(decorated.getPrimary().isMember("rdmaPeers")).isFalse();
	}

	@Test
	void whenGroupsHaveNoAdditionalPathsThenThereAreNone() {
		ReadinessHealthEndpointGroups decorated = new ReadinessHealthEndpointGroups(this.groups, "rdmaPeers", true);
		assertThat(decorated.getAdditionalPaths(EndpointId.of("health"), WebServerNamespace.SERVER)).isNull();
	}

	private static boolean isMember(HealthEndpointGroups groups, String group, String contributor) {
		HealthEndpointGroup found = groups.get(group);
		assertThat(found).isNotNull();
		return found.isMember(contributor);
	}

	private static HealthEndpointGroup group(boolean all) {
		HealthEndpointGroup group = mock(HealthEndpointGroup.class);
		given(group.isMember(any())).willReturn(all);
		return group;
	}

}
