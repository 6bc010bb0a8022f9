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

import io.rdma.verbs.contract.ContractDevice;
import io.rdma.verbs.contract.MessageSizeContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Messages of all sizes between the software device and the kernel's Soft-RoCE, over each
 * link and asked for by each side.
 */
@Tag("device")
@EnabledIfSystemProperty(named = KernelLink.PROPERTY, matches = ".+")
class KernelMessageSizeTests {

	@Nested
	class SoftwareAsksByIpv4 extends OverLink {

		SoftwareAsksByIpv4() {
			super(KernelLink.IPV4.software(), KernelLink.IPV4.kernel());
		}

	}

	@Nested
	class KernelAsksByIpv4 extends OverLink {

		KernelAsksByIpv4() {
			super(KernelLink.IPV4.kernel(), KernelLink.IPV4.software());
		}

	}

	@Nested
	class SoftwareAsksByIpv6 extends OverLink {

		SoftwareAsksByIpv6() {
			super(KernelLink.IPV6.software(), KernelLink.IPV6.kernel());
		}

	}

	@Nested
	class KernelAsksByIpv6 extends OverLink {

		KernelAsksByIpv6() {
			super(KernelLink.IPV6.kernel(), KernelLink.IPV6.software());
		}

	}

	@Nested
	class SoftwareAsksByWideIpv4 extends OverLink {

		SoftwareAsksByWideIpv4() {
			super(KernelLink.IPV4_WIDE.software(), KernelLink.IPV4_WIDE.kernel());
		}

	}

	@Nested
	class KernelAsksByWideIpv4 extends OverLink {

		KernelAsksByWideIpv4() {
			super(KernelLink.IPV4_WIDE.kernel(), KernelLink.IPV4_WIDE.software());
		}

	}

	@Nested
	class SoftwareAsksByWideIpv6 extends OverLink {

		SoftwareAsksByWideIpv6() {
			super(KernelLink.IPV6_WIDE.software(), KernelLink.IPV6_WIDE.kernel());
		}

	}

	@Nested
	class KernelAsksByWideIpv6 extends OverLink {

		KernelAsksByWideIpv6() {
			super(KernelLink.IPV6_WIDE.kernel(), KernelLink.IPV6_WIDE.software());
		}

	}

	abstract static class OverLink extends MessageSizeContract {

		private final ContractDevice device;

		private final ContractDevice peerDevice;

		OverLink(ContractDevice device, ContractDevice peerDevice) {
			this.device = device;
			this.peerDevice = peerDevice;
		}

		@Override
		public ContractDevice device() {
			return this.device;
		}

		@Override
		public ContractDevice peerDevice() {
			return this.peerDevice;
		}

	}

}
