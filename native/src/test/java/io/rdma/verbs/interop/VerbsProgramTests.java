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

package io.rdma.verbs.interop;

import java.net.InetAddress;
import java.util.List;

import io.rdma.verbs.ibv.IbvProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Programs on a device of libibverbs, and we on the same.
 */
@Tag("device")
@EnabledIfSystemProperty(named = VerbsProgramTests.DEVICE_PROPERTY, matches = ".+")
class VerbsProgramTests extends ProgramContract {

	/** System property with the name of the device. */
	static final String DEVICE_PROPERTY = "rdma.test.device";

	private static final String DEVICE = System.getProperty(DEVICE_PROPERTY, "");

	@Override
	Setup setup() {
		InetAddress host = InetAddress.getLoopbackAddress();
		return new Setup(new IbvProvider(), DEVICE, 1, host, List.of(), DEVICE, 1, host);
	}

}
