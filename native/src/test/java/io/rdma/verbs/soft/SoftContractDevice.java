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

package io.rdma.verbs.soft;

import io.rdma.verbs.VerbsProvider;
import io.rdma.verbs.contract.ContractDevice;

/**
 * A software device for the contract, which is held to the specification.
 *
 * @param provider the provider it comes from
 */
record SoftContractDevice(VerbsProvider provider) implements ContractDevice {

	@Override
	public Kind kind() {
		return Kind.SPECIFICATION;
	}

	@Override
	public String name() {
		return SoftProvider.DEVICE_NAME;
	}

}
