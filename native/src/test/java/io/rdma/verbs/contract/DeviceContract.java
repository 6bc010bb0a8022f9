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

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.CompletionChannel;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceAttributes;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.Errno;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GidType;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.PortAttributes;
import io.rdma.verbs.PortState;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.SharedReceiveQueue;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.WorkCompletions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Opening and describing a device, and the order in which things close.
 */
@DisplayName("Device")
public abstract class DeviceContract extends VerbsContract {

	@Test
	void whenProviderIsAvailableThenItListsTheDevice() {
		assertThat(device().provider().isAvailable()).isTrue();
		assertThat(device().provider().unavailabilityCause()).isNull();
		assertThat(device().provider().devices()).extracting(DeviceInfo::name).contains(device().name());
	}

	@Test
	void whenNoSuchDeviceThenOpenFailsAndNamesThoseThereAre() {
		assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> device().provider().open("no-such-device"))
			.withMessageContaining("no-such-device")
			.withMessageContaining(device().name())
			.extracting(VerbsException::errno)
			.isEqualTo(Errno.ENODEV);
	}

	@Test
	void whenOpenedThenContextTellsItsDevice() {
		assertThat(context().device().name()).isEqualTo(device().name());
		assertThat(context().isOpen()).isTrue();
		assertThat(device().provider().devices()).contains(context().device());
	}

	@Test
	void whenDeviceIsQueriedThenLimitsAreUsable() {
		DeviceAttributes attributes = context().queryDevice();
		assertThat(attributes.physicalPorts()).isGreaterThanOrEqualTo(device().port())
			.isEqualTo(context().physicalPorts());
		assertThat(attributes.maxQueuePairs()).isPositive();
		assertThat(attributes.maxQueuePairWorkRequests()).isGreaterThanOrEqualTo(1024);
		assertThat(attributes.maxScatterGather()).isGreaterThanOrEqualTo(4);
		assertThat(attributes.maxCompletionQueueEntries()).isEqualTo(32767);
		assertThat(attributes.maxMemoryRegionSize()).isGreaterThan(1L << 32);
		assertThat(attributes.maxReadAtomicAsRequester()).isPositive();
		assertThat(attributes.maxReadAtomicAsResponder()).isPositive();
		assertThat(attributes.atomicCapability()).isNotNull();
	}

	@Test
	void whenPortIsQueriedThenItIsActive() {
		PortAttributes port = context().queryPort(device().port());
		assertThat(port.state()).isEqualTo(PortState.ACTIVE);
		assertThat(port.activeMtu()).isLessThanOrEqualTo(port.maxMtu());
		assertThat(port.gidTableLength()).isGreaterThan(device().gidIndex());
		assertThat(port.maxMessageSize()).isGreaterThanOrEqualTo(8 << 20);
	}

	@Test
	void whenThereIsNoSuchPortThenQueriesFail() {
		for (int port : new int[] { 0, context().queryDevice().physicalPorts() + 1 }) {
			assertRefused(Errno.EINVAL, () -> context().queryPort(port));
			assertRefused(Errno.EINVAL, () -> context().queryGidTable(port));
		}
	}

	@Test
	void whenGidTableIsQueriedThenItHasTheFilledEntriesInOrder() {
		List<GidEntry> table = context().queryGidTable(device().port());
		assertThat(table).extracting(GidEntry::index).doesNotHaveDuplicates().isSorted().contains(device().gidIndex());
		assertThat(table).noneMatch((entry) -> entry.gid().isZero());
		assertThat(table).filteredOn((entry) -> entry.index() == device().gidIndex())
			.extracting(GidEntry::type)
			.containsExactly(GidType.ROCE_V2);
	}

	@Test
	@DisplayName("destroy_cq/dealloc_pd in use: EBUSY; after destroy_qp / dereg_mr 0")
	void whenSomethingIsInUseThenItRefusesToClose() {
		CompletionChannel channel = context().createCompletionChannel();
		CompletionQueue queue = context().createCompletionQueue(4, channel);
		ProtectionDomain domain = context().allocateProtectionDomain();
		SharedReceiveQueue shared = domain.createSharedReceiveQueue(4, 1);
		QueuePair queuePair = domain
			.createQueuePair(new QueuePairInitAttributes(queue, queue, shared, new QueuePairCapabilities(4, 4), false));
		for (AutoCloseable used : List.of(queue, channel, shared, domain)) {
			assertRefused(Errno.EBUSY, used::close);
		}
		queuePair.close();
		assertRefused(Errno.EBUSY, domain::close);
		shared.close();
		domain.close();
		assertRefused(Errno.EBUSY, channel::close);
		queue.close();
		channel.close();
	}

	@Test
	void whenRegionIsOpenThenProtectionDomainRefusesToClose() {
		ProtectionDomain domain = context().allocateProtectionDomain();
		MemoryRegion region = domain.allocateMemory(4096, EndpointOptions.ALL);
		assertRefused(Errno.EBUSY, domain::close);
		assertThat(domain.isOpen()).isTrue();
		region.close();
		domain.close();
		assertThat(domain.isOpen()).isFalse();
	}

	@Test
	@DisplayName("ibv_close_device with live objects: 0 in C, EBUSY here")
	void whenAnythingIsOpenThenContextRefusesToClose() {
		DeviceContext other = openContext();
		ProtectionDomain domain = other.allocateProtectionDomain();
		assertRefused(Errno.EBUSY, other::close);
		domain.close();
		CompletionQueue queue = other.createCompletionQueue(1, null);
		assertRefused(Errno.EBUSY, other::close);
		queue.close();
		other.close();
		assertThat(other.isOpen()).isFalse();
	}

	@Test
	void whenClosedTwiceThenNothingHappens() throws Exception {
		Endpoint endpoint = endpoint(EndpointOptions.defaults().withSharedReceives(4));
		DeviceContext other = openContext();
		List<AutoCloseable> all = List.of(endpoint.queuePair(), endpoint.sharedReceiveQueue(), endpoint.sendQueue(),
				endpoint.receiveQueue(), endpoint.channel(), endpoint.memory(), endpoint.protectionDomain(), other);
		for (AutoCloseable resource : all) {
			resource.close();
		}
		for (AutoCloseable resource : all) {
			resource.close();
		}
		assertThat(endpoint.queuePair().isOpen()).isFalse();
		assertThat(context().isOpen()).isTrue();
	}

	@Test
	void whenContextIsClosedThenEveryUseIsRefused() {
		DeviceContext closed = openContext();
		closed.close();
		assertClosed(closed::queryDevice);
		assertClosed(() -> closed.queryPort(device().port()));
		assertClosed(() -> closed.queryGidTable(device().port()));
		assertClosed(closed::allocateProtectionDomain);
		assertClosed(closed::createCompletionChannel);
		assertClosed(() -> closed.createCompletionQueue(1, null));
		assertClosed(() -> closed.allocateSendWorkRequests(1, 1));
		assertClosed(() -> closed.allocateReceiveWorkRequests(1, 1));
		assertClosed(() -> closed.allocateWorkCompletions(1));
	}

	@Test
	void whenProtectionDomainIsClosedThenEveryUseIsRefused() {
		CompletionQueue queue = closeAfterTest(context().createCompletionQueue(1, null));
		ProtectionDomain closed = context().allocateProtectionDomain();
		closed.close();
		assertClosed(() -> closed.allocateMemory(1, Set.of()));
		assertClosed(closed::allocateMemoryWindow);
		assertClosed(() -> closed.createSharedReceiveQueue(1, 1));
		assertClosed(() -> closed
			.createQueuePair(new QueuePairInitAttributes(queue, queue, new QueuePairCapabilities(1, 1))));
	}

	@Test
	void whenQueuePairIsClosedThenEveryUseIsRefused() {
		ConnectedPair pair = connect();
		QueuePair closed = pair.requester().queuePair();
		SendWorkRequests sends = pair.requester().sendChain(1);
		sends.add();
		ReceiveWorkRequests receives = pair.requester().receiveChain(1);
		receives.add();
		closed.close();
		assertClosed(() -> closed.postSend(sends));
		assertClosed(() -> closed.postReceive(receives));
		assertClosed(() -> closed.modify(QueuePairAttributes.to(QueuePairState.ERR).build()));
		assertClosed(closed::state);
		assertClosed(closed::query);
	}

	@Test
	void whenQueueOrChannelIsClosedThenEveryUseIsRefused() {
		Endpoint endpoint = endpoint(EndpointOptions.defaults().withSharedReceives(4));
		WorkCompletions batch = context().allocateWorkCompletions(1);
		ReceiveWorkRequests receives = context().allocateReceiveWorkRequests(1, 1);
		receives.add();
		endpoint.queuePair().close();
		endpoint.sharedReceiveQueue().close();
		endpoint.sendQueue().close();
		endpoint.receiveQueue().close();
		endpoint.channel().close();
		assertClosed(() -> endpoint.sharedReceiveQueue().postReceive(receives));
		assertClosed(() -> endpoint.sharedReceiveQueue().armLimit(1));
		assertClosed(() -> endpoint.sendQueue().poll(batch));
		assertClosed(endpoint.sendQueue()::arm);
		assertClosed(endpoint.sendQueue()::armSolicited);
		assertClosed(() -> endpoint.channel().await(Duration.ZERO));
	}

	@Test
	void whenParentIsClosedThenNothingCanBeMadeWithIt() {
		ProtectionDomain domain = closeAfterTest(context().allocateProtectionDomain());
		CompletionQueue queue = context().createCompletionQueue(1, null);
		CompletionChannel channel = context().createCompletionChannel();
		queue.close();
		channel.close();
		assertClosed(() -> domain
			.createQueuePair(new QueuePairInitAttributes(queue, queue, new QueuePairCapabilities(1, 1))));
		assertClosed(() -> context().createCompletionQueue(1, channel));
	}

	@Test
	void whenContextClosesThenWaitForAsyncEventEnds() throws InterruptedException {
		DeviceContext other = openContext();
		Thread closer = new Thread(other::close);
		closer.start();
		assertThat(other.awaitAsyncEvent(CompletionReader.PATIENCE.multipliedBy(2))).isNull();
		closer.join(CompletionReader.PATIENCE.toMillis());
		assertThat(other.isOpen()).isFalse();
	}

	@Test
	void whenInterruptedThenWaitForAsyncEventEnds() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> context().awaitAsyncEvent(CompletionReader.PATIENCE));
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void whenQueuePairSizeExceedsTheDeviceThenItIsRefused() {
		DeviceAttributes limits = context().queryDevice();
		ProtectionDomain domain = closeAfterTest(context().allocateProtectionDomain());
		CompletionQueue queue = closeAfterTest(context().createCompletionQueue(1, null));
		for (QueuePairCapabilities excess : List.of(new QueuePairCapabilities(limits.maxQueuePairWorkRequests() + 1, 1),
				new QueuePairCapabilities(1, limits.maxQueuePairWorkRequests() + 1),
				new QueuePairCapabilities(1, 1, limits.maxScatterGather() + 1, 1, 0),
				new QueuePairCapabilities(1, 1, 1, limits.maxScatterGather() + 1, 0),
				new QueuePairCapabilities(1, 1, 1, 1, limits.maxInlineData() + 1))) {
			assertRefused(Errno.EINVAL,
					() -> domain.createQueuePair(new QueuePairInitAttributes(queue, queue, excess)));
		}
	}

	@Test
	void whenQueuePairSizeIsAtTheLimitsThenItIsGranted() {
		DeviceAttributes limits = context().queryDevice();
		ProtectionDomain domain = closeAfterTest(context().allocateProtectionDomain());
		CompletionQueue queue = closeAfterTest(context().createCompletionQueue(1, null));
		QueuePair smallest = closeAfterTest(domain
			.createQueuePair(new QueuePairInitAttributes(queue, queue, new QueuePairCapabilities(0, 0, 0, 0, 0))));
		QueuePair widest = closeAfterTest(
				domain.createQueuePair(new QueuePairInitAttributes(queue, queue, new QueuePairCapabilities(1, 1,
						limits.maxScatterGather(), limits.maxScatterGather(), limits.maxInlineData()))));
		assertThat(smallest.state()).isEqualTo(QueuePairState.RESET);
		assertThat(widest.capabilities().maxSendScatterGather()).isEqualTo(limits.maxScatterGather());
		assertThat(widest.capabilities().maxReceiveScatterGather()).isEqualTo(limits.maxScatterGather());
		assertThat(widest.capabilities().maxInlineData()).isEqualTo(limits.maxInlineData());
	}

	@Test
	void whenQueuePairSizeIsNegativeThenItIsRefused() {
		ProtectionDomain domain = closeAfterTest(context().allocateProtectionDomain());
		CompletionQueue queue = closeAfterTest(context().createCompletionQueue(1, null));
		for (QueuePairCapabilities negative : List.of(new QueuePairCapabilities(-1, 1),
				new QueuePairCapabilities(1, -1), new QueuePairCapabilities(1, 1, -1, 1, 0),
				new QueuePairCapabilities(1, 1, 1, -1, 0), new QueuePairCapabilities(1, 1, 1, 1, -1))) {
			assertRefused(Errno.EINVAL,
					() -> domain.createQueuePair(new QueuePairInitAttributes(queue, queue, negative)));
		}
	}

	@Test
	@DisplayName("SQ/RQ of 16 asked: 31 usable (query_qp says 31)")
	void whenQueuePairIsCreatedThenGrantedSizesAreTold() {
		QueuePairCapabilities granted = endpoint().queuePair().capabilities();
		assertThat(granted.maxSendWorkRequests()).isEqualTo(31);
		assertThat(granted.maxReceiveWorkRequests()).isEqualTo(31);
		assertThat(granted.maxSendScatterGather()).isEqualTo(4);
		assertThat(granted.maxReceiveScatterGather()).isEqualTo(4);
		assertThat(granted.maxInlineData()).isEqualTo(64);
	}

	@Test
	void whenQueuePairsAreCreatedThenTheirNumbersDiffer() {
		Endpoint first = endpoint();
		Endpoint second = endpoint();
		Endpoint elsewhere = endpoint(openContext(), EndpointOptions.defaults());
		assertThat(List.of(first, second, elsewhere)).extracting((endpoint) -> endpoint.queuePair().number())
			.doesNotHaveDuplicates()
			.allMatch((number) -> number > 1 && number < (1 << 24));
	}

	@Test
	void whenChainOrBatchHasNoRoomThenItIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> context().allocateSendWorkRequests(0, 1));
		assertThatIllegalArgumentException().isThrownBy(() -> context().allocateReceiveWorkRequests(1, -1));
		assertThatIllegalArgumentException().isThrownBy(() -> context().allocateWorkCompletions(0));
	}

	@Test
	void whenRegionIsClosedThenItsMemoryCannotBeReachedThroughIt() {
		ProtectionDomain domain = closeAfterTest(context().allocateProtectionDomain());
		MemoryRegion closed = domain.allocateMemory(4096, EnumSet.of(AccessFlag.LOCAL_WRITE));
		closed.close();
		assertClosed(() -> closed.buffer(0, 1));
		assertClosed(() -> closed.getLongAcquire(0));
		assertClosed(() -> closed.putLongRelease(0, 1));
		SendWorkRequests chain = context().allocateSendWorkRequests(1, 1);
		assertClosed(() -> chain.add().addSge(closed, 0, 1));
	}

}
