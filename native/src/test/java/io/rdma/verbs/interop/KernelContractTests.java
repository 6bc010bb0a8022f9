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
import io.rdma.verbs.contract.DeviceUnderTest;
import io.rdma.verbs.contract.AtomicContract;
import io.rdma.verbs.contract.ChainContract;
import io.rdma.verbs.contract.CompletionChannelContract;
import io.rdma.verbs.contract.FlushContract;
import io.rdma.verbs.contract.InlineScatterGatherContract;
import io.rdma.verbs.contract.LocalErrorContract;
import io.rdma.verbs.contract.MemoryWindowContract;
import io.rdma.verbs.contract.ReceiverNotReadyContract;
import io.rdma.verbs.contract.RemoteAccessErrorContract;
import io.rdma.verbs.contract.RetryContract;
import io.rdma.verbs.contract.SendQueueDrainContract;
import io.rdma.verbs.contract.SendReceiveContract;
import io.rdma.verbs.contract.SharedReceiveQueueContract;
import io.rdma.verbs.contract.SignalingContract;
import io.rdma.verbs.contract.WriteReadContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The part of the device contract that two sides take part in, between the software
 * device and the kernel's Soft-RoCE: each must send what the other one understands, and
 * find what the ground truth says if it fails.
 */
@Tag("device")
@EnabledIfSystemProperty(named = KernelLink.PROPERTY, matches = ".+")
class KernelContractTests {

	private static final ContractDevice SOFTWARE = KernelLink.IPV4.software();

	private static final ContractDevice KERNEL = KernelLink.IPV4.kernel();

	@BeforeAll
	static void warmUp() {
		KernelLink.IPV4.warmUp();
	}

	@Nested
	class SoftwareAsks {

		@Nested
		class SendReceive extends SendReceiveContract implements OfTheKernel {

		}

		@Nested
		class WriteRead extends WriteReadContract implements OfTheKernel {

		}

		@Nested
		class Atomic extends AtomicContract implements OfTheKernel {

		}

		@Nested
		class InlineScatterGather extends InlineScatterGatherContract implements OfTheKernel {

		}

		@Nested
		class Chain extends ChainContract implements OfTheKernel {

		}

		@Nested
		class Signaling extends SignalingContract implements OfTheKernel {

		}

		@Nested
		class CompletionChannel extends CompletionChannelContract implements OfTheKernel {

		}

		@Nested
		class RemoteAccessError extends RemoteAccessErrorContract implements OfTheKernel {

		}

		@Nested
		class LocalError extends LocalErrorContract implements OfTheKernel {

		}

		@Nested
		class ReceiverNotReady extends ReceiverNotReadyContract implements OfTheKernel {

		}

		@Nested
		class Retry extends RetryContract implements OfTheKernel {

		}

		@Nested
		class Flush extends FlushContract implements OfTheKernel {

		}

		@Nested
		class SendQueueDrain extends SendQueueDrainContract implements OfTheKernel {

		}

		@Nested
		class SharedReceiveQueue extends SharedReceiveQueueContract implements OfTheKernel {

		}

		@Nested
		class MemoryWindow extends MemoryWindowContract implements OfTheKernel {

		}

	}

	@Nested
	class KernelAsks {

		@Nested
		class SendReceive extends SendReceiveContract implements OfTheSoftware {

		}

		@Nested
		class WriteRead extends WriteReadContract implements OfTheSoftware {

		}

		@Nested
		class Atomic extends AtomicContract implements OfTheSoftware {

		}

		@Nested
		class InlineScatterGather extends InlineScatterGatherContract implements OfTheSoftware {

		}

		@Nested
		class Chain extends ChainContract implements OfTheSoftware {

		}

		@Nested
		class Signaling extends SignalingContract implements OfTheSoftware {

		}

		@Nested
		class CompletionChannel extends CompletionChannelContract implements OfTheSoftware {

		}

		@Nested
		class RemoteAccessError extends RemoteAccessErrorContract implements OfTheSoftware {

		}

		@Nested
		class LocalError extends LocalErrorContract implements OfTheSoftware {

		}

		@Nested
		class ReceiverNotReady extends ReceiverNotReadyContract implements OfTheSoftware {

		}

		@Nested
		class Retry extends RetryContract implements OfTheSoftware {

		}

		@Nested
		class Flush extends FlushContract implements OfTheSoftware {

		}

		@Nested
		class SendQueueDrain extends SendQueueDrainContract implements OfTheSoftware {

		}

		@Nested
		class SharedReceiveQueue extends SharedReceiveQueueContract implements OfTheSoftware {

		}

		@Nested
		class MemoryWindow extends MemoryWindowContract implements OfTheSoftware {

		}

	}

	/**
	 * The software device is under test, the kernel answers.
	 */
	interface OfTheKernel extends DeviceUnderTest {

		@Override
		default ContractDevice device() {
			return SOFTWARE;
		}

		@Override
		default ContractDevice peerDevice() {
			return KERNEL;
		}

	}

	/**
	 * The kernel asks, and the software device answers.
	 */
	interface OfTheSoftware extends DeviceUnderTest {

		@Override
		default ContractDevice device() {
			return KERNEL;
		}

		@Override
		default ContractDevice peerDevice() {
			return SOFTWARE;
		}

	}

}
