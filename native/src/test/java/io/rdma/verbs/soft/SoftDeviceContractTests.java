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
import io.rdma.verbs.contract.AtomicContract;
import io.rdma.verbs.contract.ChainContract;
import io.rdma.verbs.contract.CompletionChannelContract;
import io.rdma.verbs.contract.CompletionQueueContract;
import io.rdma.verbs.contract.ContractDevice;
import io.rdma.verbs.contract.DeviceContract;
import io.rdma.verbs.contract.DeviceUnderTest;
import io.rdma.verbs.contract.FlushContract;
import io.rdma.verbs.contract.InlineScatterGatherContract;
import io.rdma.verbs.contract.LocalErrorContract;
import io.rdma.verbs.contract.MemoryRegionContract;
import io.rdma.verbs.contract.MemoryWindowContract;
import io.rdma.verbs.contract.ReceiverNotReadyContract;
import io.rdma.verbs.contract.RemoteAccessErrorContract;
import io.rdma.verbs.contract.RetryContract;
import io.rdma.verbs.contract.SendQueueDrainContract;
import io.rdma.verbs.contract.SendReceiveContract;
import io.rdma.verbs.contract.SharedReceiveQueueContract;
import io.rdma.verbs.contract.SignalingContract;
import io.rdma.verbs.contract.StateMachineContract;
import io.rdma.verbs.contract.ThreadSafetyContract;
import io.rdma.verbs.contract.TwoContextContract;
import io.rdma.verbs.contract.WriteReadContract;
import org.junit.jupiter.api.Nested;

/**
 * The device contract on the software device.
 */
class SoftDeviceContractTests {

	private static final ContractDevice SOFT_DEVICE = new SoftDevice();

	@Nested
	class Device extends DeviceContract implements OnSoftDevice {

	}

	@Nested
	class StateMachine extends StateMachineContract implements OnSoftDevice {

	}

	@Nested
	class SendReceive extends SendReceiveContract implements OnSoftDevice {

	}

	@Nested
	class WriteRead extends WriteReadContract implements OnSoftDevice {

	}

	@Nested
	class Atomic extends AtomicContract implements OnSoftDevice {

	}

	@Nested
	class InlineScatterGather extends InlineScatterGatherContract implements OnSoftDevice {

	}

	@Nested
	class Chain extends ChainContract implements OnSoftDevice {

	}

	@Nested
	class Signaling extends SignalingContract implements OnSoftDevice {

	}

	@Nested
	class CompletionQueue extends CompletionQueueContract implements OnSoftDevice {

	}

	@Nested
	class CompletionChannel extends CompletionChannelContract implements OnSoftDevice {

	}

	@Nested
	class MemoryRegion extends MemoryRegionContract implements OnSoftDevice {

	}

	@Nested
	class RemoteAccessError extends RemoteAccessErrorContract implements OnSoftDevice {

	}

	@Nested
	class LocalError extends LocalErrorContract implements OnSoftDevice {

	}

	@Nested
	class ReceiverNotReady extends ReceiverNotReadyContract implements OnSoftDevice {

	}

	@Nested
	class Retry extends RetryContract implements OnSoftDevice {

	}

	@Nested
	class Flush extends FlushContract implements OnSoftDevice {

	}

	@Nested
	class SendQueueDrain extends SendQueueDrainContract implements OnSoftDevice {

	}

	@Nested
	class SharedReceiveQueue extends SharedReceiveQueueContract implements OnSoftDevice {

	}

	@Nested
	class MemoryWindow extends MemoryWindowContract implements OnSoftDevice {

	}

	@Nested
	class TwoContext extends TwoContextContract implements OnSoftDevice {

	}

	@Nested
	class ThreadSafety extends ThreadSafetyContract implements OnSoftDevice {

	}

	/**
	 * Runs a contract on the software device.
	 */
	interface OnSoftDevice extends DeviceUnderTest {

		@Override
		default ContractDevice device() {
			return SOFT_DEVICE;
		}

	}

	private static final class SoftDevice implements ContractDevice {

		private final VerbsProvider provider = new SoftProvider();

		@Override
		public Kind kind() {
			return Kind.SPECIFICATION;
		}

		@Override
		public VerbsProvider provider() {
			return this.provider;
		}

		@Override
		public String name() {
			return SoftProvider.DEVICE_NAME;
		}

	}

}
