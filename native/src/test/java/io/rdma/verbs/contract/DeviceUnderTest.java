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

/**
 * How a device is plugged into the contract: an interface that extends this one returns
 * the device from a default method, and a test class extends a contract and implements
 * that interface.
 */
public interface DeviceUnderTest {

	/**
	 * Return the device to test.
	 * @return the device
	 */
	ContractDevice device();

	/**
	 * Return the device of the other side of a connection, which answers what the device
	 * under test asks for.
	 * @return the device, by default the one under test
	 */
	default ContractDevice peerDevice() {
		return device();
	}

}
