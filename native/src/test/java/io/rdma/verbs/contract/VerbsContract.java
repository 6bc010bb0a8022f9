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

import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.Errno;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.WorkRequestException;
import io.rdma.verbs.contract.ContractDevice.Kind;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Base of the contracts: opens the device for each test and closes everything after it.
 */
public abstract class VerbsContract implements DeviceUnderTest {

	private static final Set<AsyncEventType> OF_A_PORT = EnumSet.of(AsyncEventType.PORT_ACTIVE, AsyncEventType.PORT_ERR,
			AsyncEventType.LID_CHANGE, AsyncEventType.PKEY_CHANGE, AsyncEventType.SM_CHANGE,
			AsyncEventType.CLIENT_REREGISTER, AsyncEventType.GID_CHANGE);

	private final Resources resources = new Resources();

	@SuppressWarnings("NullAway.Init")
	private DeviceContext context;

	@SuppressWarnings("NullAway.Init")
	private DeviceContext peerContext;

	@BeforeEach
	void openDevice() {
		this.context = openContext();
		this.peerContext = (peerDevice() != device()) ? closeAfterTest(peerDevice().open()) : this.context;
	}

	@AfterEach
	void closeAll() throws Exception {
		this.resources.close();
	}

	/**
	 * Return the context that was opened for the test.
	 * @return the context
	 */
	protected final DeviceContext context() {
		return this.context;
	}

	/**
	 * Open another context.
	 * @return the context, closed after the test
	 */
	protected final DeviceContext openContext() {
		return closeAfterTest(device().open());
	}

	/**
	 * Close something after the test.
	 * @param resource what to close
	 * @param <T> its type
	 * @return the resource
	 */
	protected final <T extends AutoCloseable> T closeAfterTest(T resource) {
		return this.resources.add(resource);
	}

	/**
	 * Make an endpoint with the usual options.
	 * @return the endpoint, in RESET
	 */
	protected final Endpoint endpoint() {
		return endpoint(EndpointOptions.defaults());
	}

	/**
	 * Make an endpoint.
	 * @param options the options
	 * @return the endpoint, in RESET
	 */
	protected final Endpoint endpoint(EndpointOptions options) {
		return endpoint(this.context, options);
	}

	/**
	 * Make an endpoint.
	 * @param owner the context to make it from
	 * @param options the options
	 * @return the endpoint, in RESET
	 */
	protected final Endpoint endpoint(DeviceContext owner, EndpointOptions options) {
		return closeAfterTest(new Endpoint(device(), owner, options));
	}

	/**
	 * Make an endpoint of the other side with the usual options.
	 * @return the endpoint, in RESET
	 */
	protected final Endpoint peerEndpoint() {
		return peerEndpoint(EndpointOptions.defaults());
	}

	/**
	 * Make an endpoint of the other side.
	 * @param options the options
	 * @return the endpoint, in RESET
	 */
	protected final Endpoint peerEndpoint(EndpointOptions options) {
		return closeAfterTest(new Endpoint(peerDevice(), this.peerContext, options));
	}

	/**
	 * Make and connect two endpoints with the usual options.
	 * @return the pair, both in RTS
	 */
	protected final ConnectedPair connect() {
		return connect(EndpointOptions.defaults());
	}

	/**
	 * Make and connect two endpoints.
	 * @param options the options of both
	 * @return the pair, both in RTS
	 */
	protected final ConnectedPair connect(EndpointOptions options) {
		return connect(options, options);
	}

	/**
	 * Make and connect two endpoints.
	 * @param requester the options of the one that sends
	 * @param responder the options of the one that answers
	 * @return the pair, both in RTS
	 */
	protected final ConnectedPair connect(EndpointOptions requester, EndpointOptions responder) {
		return ConnectedPair.of(endpoint(requester), peerEndpoint(responder));
	}

	/**
	 * Return what is right here for a row of the ground truth where the kernel differs
	 * from the specification.
	 * @param decider the side whose device it depends on
	 * @param specification what the specification says
	 * @param kernel what versions of the kernel's Soft-RoCE do
	 * @return what may be found
	 */
	protected static Set<CompletionStatus> allowed(Endpoint decider, CompletionStatus specification,
			CompletionStatus... kernel) {
		Set<CompletionStatus> allowed = EnumSet.of(specification);
		if (decider.isSoftRoce()) {
			allowed.addAll(Set.of(kernel));
		}
		return allowed;
	}

	/**
	 * Return whether the device under test is the kernel's Soft-RoCE.
	 * @return whether what the kernel does is right
	 */
	protected final boolean isSoftRoce() {
		return device().kind() == Kind.SOFT_ROCE;
	}

	/**
	 * Return the states that a query may tell. Ground truth: "RTS->SQD: 0, query_qp still
	 * says RTS". Other builds of the kernel tell the truth.
	 * @param state the state
	 * @return what is told
	 */
	protected final Set<QueuePairState> asTold(QueuePairState state) {
		if (state != QueuePairState.SQD) {
			return Set.of(state);
		}
		return isSoftRoce() ? Set.of(QueuePairState.RTS, QueuePairState.SQD) : Set.of(QueuePairState.RTS);
	}

	/**
	 * Wait for an event that must come, before any other but those of a port.
	 * @param type the type
	 * @return the event
	 * @throws InterruptedException if the thread was interrupted
	 */
	protected final AsyncEvent awaitEvent(AsyncEventType type) throws InterruptedException {
		return awaitEvent(this.context, type);
	}

	/**
	 * Wait for an event of one side that must come, before any other but those of a port.
	 * @param side the side
	 * @param type the type
	 * @return the event
	 * @throws InterruptedException if the thread was interrupted
	 */
	protected static AsyncEvent awaitEvent(Endpoint side, AsyncEventType type) throws InterruptedException {
		return awaitEvent(side.context(), type);
	}

	private static AsyncEvent awaitEvent(DeviceContext context, AsyncEventType type) throws InterruptedException {
		AsyncEvent event;
		do {
			event = context.awaitAsyncEvent(CompletionReader.PATIENCE);
			assertThat(event).as("event %s", type).isNotNull();
		}
		while (OF_A_PORT.contains(event.type()));
		assertThat(event.type()).isEqualTo(type);
		return event;
	}

	/**
	 * Check that no event comes for some time, but those of a port.
	 * @param time how long to look
	 * @throws InterruptedException if the thread was interrupted
	 */
	protected final void assertNoEventWithin(Duration time) throws InterruptedException {
		assertNoEventWithin(this.context, time);
	}

	/**
	 * Check that no event of one side comes for some time, but those of a port.
	 * @param side the side
	 * @param time how long to look
	 * @throws InterruptedException if the thread was interrupted
	 */
	protected static void assertNoEventWithin(Endpoint side, Duration time) throws InterruptedException {
		assertNoEventWithin(side.context(), time);
	}

	private static void assertNoEventWithin(DeviceContext context, Duration time) throws InterruptedException {
		long deadline = System.nanoTime() + time.toNanos();
		long left = time.toNanos();
		while (left > 0) {
			AsyncEvent event = context.awaitAsyncEvent(Duration.ofNanos(left));
			if (event != null && !OF_A_PORT.contains(event.type())) {
				assertThat(event).isNull();
			}
			left = deadline - System.nanoTime();
		}
	}

	/**
	 * Check that a verb is refused.
	 * @param errno the error number it must give
	 * @param action what calls the verb
	 * @return the exception, for more checks
	 */
	protected static ThrowableAssertAlternative<VerbsException> assertRefused(Errno errno, ThrowingCallable action) {
		return assertThatExceptionOfType(VerbsException.class).isThrownBy(action)
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(errno));
	}

	/**
	 * Check that a work request is refused when it is posted.
	 * @param errno the error number it must give
	 * @param index the index in the chain that it must tell
	 * @param action what posts
	 */
	protected static void assertRefused(Errno errno, int index, ThrowingCallable action) {
		assertThatExceptionOfType(WorkRequestException.class).isThrownBy(action).satisfies((ex) -> {
			assertThat(ex.errno()).isEqualTo(errno);
			assertThat(ex.index()).isEqualTo(index);
		});
	}

	/**
	 * Check that something cannot be used any more.
	 * @param action what uses it
	 */
	protected static void assertClosed(ThrowingCallable action) {
		assertThatExceptionOfType(ResourceClosedException.class).isThrownBy(action);
	}

	/**
	 * Return what identifies an outcome.
	 * @param completions the completions
	 * @return wr_id and status of each
	 */
	protected static List<Tuple> outcomes(List<Completion> completions) {
		return completions.stream().map((completion) -> Tuple.tuple(completion.wrId(), completion.status())).toList();
	}

	/**
	 * Return what identifies an outcome.
	 * @param wrId the context of the work request
	 * @param status the status
	 * @return both
	 */
	protected static Tuple outcome(long wrId, CompletionStatus status) {
		return Tuple.tuple(wrId, status);
	}

}
