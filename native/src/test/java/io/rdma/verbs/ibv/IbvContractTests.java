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

package io.rdma.verbs.ibv;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The device contract on a device of libibverbs. It runs where there is one, such as in
 * the virtual machine that {@code mvn -Pvm verify} starts.
 */
@Tag("device")
@EnabledIfSystemProperty(named = IbvContractTests.DEVICE_PROPERTY, matches = ".+")
class IbvContractTests {

	/** System property with the name of the device. */
	static final String DEVICE_PROPERTY = "rdma.test.device";

	private static final ContractDevice DEVICE = new VerbsDevice();

	@Nested
	class Device extends DeviceContract implements OnVerbsDevice {

	}

	@Nested
	class StateMachine extends StateMachineContract implements OnVerbsDevice {

	}

	@Nested
	class SendReceive extends SendReceiveContract implements OnVerbsDevice {

	}

	@Nested
	class WriteRead extends WriteReadContract implements OnVerbsDevice {

	}

	@Nested
	class Atomic extends AtomicContract implements OnVerbsDevice {

	}

	@Nested
	class InlineScatterGather extends InlineScatterGatherContract implements OnVerbsDevice {

	}

	@Nested
	class Chain extends ChainContract implements OnVerbsDevice {

	}

	@Nested
	class Signaling extends SignalingContract implements OnVerbsDevice {

	}

	@Nested
	class CompletionQueue extends CompletionQueueContract implements OnVerbsDevice {

	}

	@Nested
	class CompletionChannel extends CompletionChannelContract implements OnVerbsDevice {

	}

	@Nested
	class MemoryRegion extends MemoryRegionContract implements OnVerbsDevice {

	}

	@Nested
	class RemoteAccessError extends RemoteAccessErrorContract implements OnVerbsDevice {

	}

	@Nested
	class LocalError extends LocalErrorContract implements OnVerbsDevice {

	}

	@Nested
	class ReceiverNotReady extends ReceiverNotReadyContract implements OnVerbsDevice {

	}

	@Nested
	class Retry extends RetryContract implements OnVerbsDevice {

	}

	@Nested
	class Flush extends FlushContract implements OnVerbsDevice {

	}

	@Nested
	class SendQueueDrain extends SendQueueDrainContract implements OnVerbsDevice {

	}

	@Nested
	class SharedReceiveQueue extends SharedReceiveQueueContract implements OnVerbsDevice {

	}

	@Nested
	class MemoryWindow extends MemoryWindowContract implements OnVerbsDevice {

	}

	@Nested
	class TwoContext extends TwoContextContract implements OnVerbsDevice {

	}

	@Nested
	class MessageSize extends MessageSizeContract implements OnVerbsDevice {

	}

	@Nested
	class ThreadSafety extends ThreadSafetyContract implements OnVerbsDevice {

	}

	/**
	 * Runs a contract on the device.
	 */
	interface OnVerbsDevice extends DeviceUnderTest {

		@Override
		default ContractDevice device() {
			return DEVICE;
		}

	}

	private static final class VerbsDevice implements ContractDevice {

		private final VerbsProvider provider = new IbvProvider();

		@Override
		public Kind kind() {
			return name().startsWith("rxe") ? Kind.SOFT_ROCE : Kind.SPECIFICATION;
		}

		@Override
		public VerbsProvider provider() {
			return this.provider;
		}

		@Override
		public String name() {
			return System.getProperty(DEVICE_PROPERTY, "");
		}

		/** Its regions are not in the heap, but every page of them is in memory. */
		@Override
		public long memoryLimit() {
			try {
				for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
					if (line.startsWith("MemAvailable:")) {
						return Long.parseLong(line.replaceAll("\\D", "")) * 1024 / 4 * 3;
					}
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			return 0;
		}

	}

}
