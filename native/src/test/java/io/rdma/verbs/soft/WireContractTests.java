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

import java.util.EnumSet;

import io.rdma.verbs.PathKind;
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
import io.rdma.verbs.contract.MessageSizeContract;
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
 * The device contract on the software device where every message is sent as packets over
 * loopback, also those to a queue pair of the same context.
 */
class WireContractTests {

	private static final ContractDevice DEVICE = new SoftContractDevice(
			SoftProvider.builder().paths(EnumSet.of(PathKind.WIRE)).build());

	@Nested
	class Device extends DeviceContract implements OnWire {

	}

	@Nested
	class StateMachine extends StateMachineContract implements OnWire {

	}

	@Nested
	class SendReceive extends SendReceiveContract implements OnWire {

	}

	@Nested
	class WriteRead extends WriteReadContract implements OnWire {

	}

	@Nested
	class Atomic extends AtomicContract implements OnWire {

	}

	@Nested
	class InlineScatterGather extends InlineScatterGatherContract implements OnWire {

	}

	@Nested
	class Chain extends ChainContract implements OnWire {

	}

	@Nested
	class Signaling extends SignalingContract implements OnWire {

	}

	@Nested
	class CompletionQueue extends CompletionQueueContract implements OnWire {

	}

	@Nested
	class CompletionChannel extends CompletionChannelContract implements OnWire {

	}

	@Nested
	class MemoryRegion extends MemoryRegionContract implements OnWire {

	}

	@Nested
	class RemoteAccessError extends RemoteAccessErrorContract implements OnWire {

	}

	@Nested
	class LocalError extends LocalErrorContract implements OnWire {

	}

	@Nested
	class ReceiverNotReady extends ReceiverNotReadyContract implements OnWire {

	}

	@Nested
	class Retry extends RetryContract implements OnWire {

	}

	@Nested
	class Flush extends FlushContract implements OnWire {

	}

	@Nested
	class SendQueueDrain extends SendQueueDrainContract implements OnWire {

	}

	@Nested
	class SharedReceiveQueue extends SharedReceiveQueueContract implements OnWire {

	}

	@Nested
	class MemoryWindow extends MemoryWindowContract implements OnWire {

	}

	@Nested
	class TwoContext extends TwoContextContract implements OnWire {

	}

	@Nested
	class MessageSize extends MessageSizeContract implements OnWire {

	}

	@Nested
	class ThreadSafety extends ThreadSafetyContract implements OnWire {

	}

	/**
	 * Runs a contract on the wire.
	 */
	interface OnWire extends DeviceUnderTest {

		@Override
		default ContractDevice device() {
			return DEVICE;
		}

	}

}
