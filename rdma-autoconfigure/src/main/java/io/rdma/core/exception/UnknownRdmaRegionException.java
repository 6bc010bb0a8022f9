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

package io.rdma.core.exception;

import java.util.Collection;

import lombok.Getter;
import lombok.experimental.Accessors;
import org.jspecify.annotations.Nullable;

/**
 * A memory region was named that the peer, or this service, does not offer.
 */
@Getter
@Accessors(fluent = true)
public class UnknownRdmaRegionException extends RdmaException {

	private static final long serialVersionUID = 1L;

	/**
	 * Name that was used.
	 */
	private final String region;

	/**
	 * Create an exception.
	 * @param peer the name of the peer, {@code null} for a region of this service
	 * @param region the name that was used
	 * @param known the names that would work
	 */
	public UnknownRdmaRegionException(@Nullable String peer, String region, Collection<String> known) {
		super(RdmaErrorContext.none().withPeer(peer),
				"no region is named '%s'; known are %s".formatted(region,
						known.isEmpty() ? "none" : known.stream().sorted().toList()),
				"Use one of these names, or add rdma.regions.%s to the settings of the %s.".formatted(region,
						(peer != null) ? "peer" : "service"));
		this.region = region;
	}

}
