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
import io.rdma.verbs.soft.shm.SharedMemoryOptions;
import org.junit.jupiter.api.Nested;

/**
 * The device contract on the software device where every message goes through shared
 * memory, also those to a queue pair of the same context.
 */
class SharedMemoryContractTests {

	private static final ContractDevice DEVICE = new SoftContractDevice(
			ProcessEnd.provider(SharedMemoryOptions.defaults()));

	private static final ContractDevice NAMED_FILE_DEVICE = new SoftContractDevice(
			ProcessEnd.provider(new SharedMemoryOptions(false, null, 0)));

	@Nested
	class Device extends DeviceContract implements OnSharedMemory {

	}

	@Nested
	class StateMachine extends StateMachineContract implements OnSharedMemory {

	}

	@Nested
	class SendReceive extends SendReceiveContract implements OnSharedMemory {

	}

	@Nested
	class WriteRead extends WriteReadContract implements OnSharedMemory {

	}

	@Nested
	class Atomic extends AtomicContract implements OnSharedMemory {

	}

	@Nested
	class InlineScatterGather extends InlineScatterGatherContract implements OnSharedMemory {

	}

	@Nested
	class Chain extends ChainContract implements OnSharedMemory {

	}

	@Nested
	class Signaling extends SignalingContract implements OnSharedMemory {

	}

	@Nested
	class CompletionQueue extends CompletionQueueContract implements OnSharedMemory {

	}

	@Nested
	class CompletionChannel extends CompletionChannelContract implements OnSharedMemory {

	}

	@Nested
	class MemoryRegion extends MemoryRegionContract implements OnSharedMemory {

	}

	@Nested
	class RemoteAccessError extends RemoteAccessErrorContract implements OnSharedMemory {

	}

	@Nested
	class LocalError extends LocalErrorContract implements OnSharedMemory {

	}

	@Nested
	class ReceiverNotReady extends ReceiverNotReadyContract implements OnSharedMemory {

	}

	@Nested
	class Retry extends RetryContract implements OnSharedMemory {

	}

	@Nested
	class Flush extends FlushContract implements OnSharedMemory {

	}

	@Nested
	class SendQueueDrain extends SendQueueDrainContract implements OnSharedMemory {

	}

	@Nested
	class SharedReceiveQueue extends SharedReceiveQueueContract implements OnSharedMemory {

	}

	@Nested
	class MemoryWindow extends MemoryWindowContract implements OnSharedMemory {

	}

	@Nested
	class TwoContext extends TwoContextContract implements OnSharedMemory {

	}

	@Nested
	class ThreadSafety extends ThreadSafetyContract implements OnSharedMemory {

	}

	@Nested
	class NamedFileSendReceive extends SendReceiveContract implements OnNamedFiles {

	}

	@Nested
	class NamedFileWriteRead extends WriteReadContract implements OnNamedFiles {

	}

	@Nested
	class NamedFileAtomic extends AtomicContract implements OnNamedFiles {

	}

	@Nested
	class NamedFileRetry extends RetryContract implements OnNamedFiles {

	}

	@Nested
	class NamedFileThreadSafety extends ThreadSafetyContract implements OnNamedFiles {

	}

	/**
	 * Runs a contract over shared memory.
	 */
	interface OnSharedMemory extends DeviceUnderTest {

		@Override
		default ContractDevice device() {
			return DEVICE;
		}

	}

	/**
	 * Runs a contract over shared memory as it is where the native library is missing.
	 */
	interface OnNamedFiles extends DeviceUnderTest {

		@Override
		default ContractDevice device() {
			return NAMED_FILE_DEVICE;
		}

	}

}
