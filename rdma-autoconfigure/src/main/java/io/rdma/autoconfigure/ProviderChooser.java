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

import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaProviderUnavailableException;
import io.rdma.verbs.VerbsProvider;
import io.rdma.verbs.soft.SoftProvider;
import lombok.extern.slf4j.Slf4j;

/**
 * Chooses the provider of the device.
 */
@Slf4j
final class ProviderChooser {

	private ProviderChooser() {
	}

	static VerbsProvider choose(RdmaProperties.Provider provider) {
		return switch (provider) {
			case AUTO -> auto();
			case VERBS -> throw new RdmaProviderUnavailableException(RdmaErrorContext.none(),
					"'rdma.provider' is 'verbs', but this version cannot open devices through libibverbs",
					"Set it to 'soft' or 'auto', or define a bean of type VerbsProvider.");
			case SOFT -> new SoftProvider();
		};
	}

	private static VerbsProvider auto() {
		logger.info("Using the software device, since this version cannot open devices through libibverbs "
				+ "('rdma.provider' is 'auto')");
		return new SoftProvider();
	}

}
