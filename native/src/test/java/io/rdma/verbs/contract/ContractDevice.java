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

package io.rdma.verbs.contract;

import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.VerbsProvider;

/**
 * A device that the contract tests run on.
 */
public interface ContractDevice {

	/**
	 * Return what the device is held to where the specification and the kernel differ.
	 * @return the kind
	 */
	Kind kind();

	/**
	 * Return where the device comes from.
	 * @return the provider
	 */
	VerbsProvider provider();

	/**
	 * Return the name of the device.
	 * @return the name
	 */
	String name();

	/**
	 * Return the port to use.
	 * @return the number, from 1
	 */
	default int port() {
		return 1;
	}

	/**
	 * Return the index of the GID to use.
	 * @return the index in the GID table of the port
	 */
	default int gidIndex() {
		return 1;
	}

	/**
	 * Return the largest memory region that a test may ask this machine for.
	 * @return how many bytes
	 */
	default long memoryLimit() {
		return Runtime.getRuntime().maxMemory() / 2;
	}

	/**
	 * Open the device. Every call opens another, independent context.
	 * @return the context, to be closed by the caller
	 */
	default DeviceContext open() {
		return provider().open(name());
	}

	/**
	 * What a device is held to where sources differ.
	 */
	enum Kind {

		/** Held to the specification. */
		SPECIFICATION,

		/** Soft-RoCE of the Linux kernel, which may do what any of its versions does. */
		SOFT_ROCE

	}

}
