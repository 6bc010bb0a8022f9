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

import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

import io.rdma.verbs.AsyncEvent;
import io.rdma.verbs.AsyncEventType;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import io.rdma.verbs.PortState;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.WorkCompletion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Failures of the device that can be brought about.
 */
class SoftPortTests {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final SoftPair pair = new SoftPair();

	@AfterEach
	void closePair() throws Exception {
		this.pair.close();
	}

	@Test
	void whenPortGoesDownAndComesBackThenBothAreTold() throws InterruptedException {
		this.pair.context.setPortState(PortState.DOWN);
		assertThat(this.pair.context.queryPort(1).state()).isEqualTo(PortState.DOWN);
		this.pair.context.setPortState(PortState.DOWN);
		this.pair.context.setPortState(PortState.ACTIVE);
		assertThat(event()).isEqualTo(new AsyncEvent(AsyncEventType.PORT_ERR, null, 1));
		assertThat(event()).isEqualTo(new AsyncEvent(AsyncEventType.PORT_ACTIVE, null, 1));
		assertThat(this.pair.context.awaitAsyncEvent(Duration.ZERO)).isNull();
	}

	@Test
	void whenPortStaysDownThenNobodyAnswers() {
		this.pair.context.setPortState(PortState.DOWN);
		postWrite();
		assertThat(this.pair.left.await(this.pair.left.sendQueue).status()).isEqualTo(CompletionStatus.RETRY_EXC_ERR);
		assertThat(this.pair.left.queuePair.state()).isEqualTo(QueuePairState.ERR);
		assertThat(this.pair.right.queuePair.state()).isEqualTo(QueuePairState.RTS);
	}

	@Test
	void whenPortComesBackInTimeThenNothingIsLost() {
		this.pair.context.setPortState(PortState.DOWN);
		postWrite();
		this.pair.context.setPortState(PortState.ACTIVE);
		assertThat(this.pair.left.awaitSuccess(this.pair.left.sendQueue)).isEqualTo(1);
	}

	@Test
	void whenDeviceFailsThenEverythingIsFlushedAndNothingCanBeMade() throws InterruptedException {
		this.pair.right.receives.clear().add().wrId(7);
		this.pair.right.queuePair.postReceive(this.pair.right.receives);
		this.pair.context.fail();
		this.pair.context.fail();
		assertThat(event()).isEqualTo(new AsyncEvent(AsyncEventType.DEVICE_FATAL, null, 0));
		assertThat(this.pair.context.awaitAsyncEvent(Duration.ZERO)).isNull();
		WorkCompletion flushed = this.pair.right.await(this.pair.right.receiveQueue);
		assertThat(flushed.wrId()).isEqualTo(7);
		assertThat(flushed.status()).isEqualTo(CompletionStatus.WR_FLUSH_ERR);
		assertThat(this.pair.left.queuePair.state()).isEqualTo(QueuePairState.ERR);
		assertThatExceptionOfType(VerbsException.class)
			.isThrownBy(() -> this.pair.context.createCompletionQueue(1, null))
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.EIO));
		assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> this.pair.context.queryPort(1))
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.EIO));
	}

	@Test
	void whenContextIsClosedThenItsTimerEnds() throws Exception {
		SoftPair other = new SoftPair();
		other.context.setPortState(PortState.DOWN);
		other.left.sends.clear().add().rdmaWrite(0, 0);
		other.left.queuePair.postSend(other.left.sends);
		Thread timer = timers().findFirst().orElseThrow();
		other.close();
		timer.join(PATIENCE.toMillis());
		assertThat(timer.isAlive()).isFalse();
	}

	private static Stream<Thread> timers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("rdma-soft-timer"));
	}

	private void postWrite() {
		this.pair.left.sends.clear()
			.add()
			.wrId(1)
			.rdmaWrite(this.pair.right.memory.address(), this.pair.right.memory.rkey())
			.addSge(this.pair.left.memory, 0, 8)
			.signaled();
		this.pair.left.queuePair.postSend(this.pair.left.sends);
	}

	private AsyncEvent event() throws InterruptedException {
		AsyncEvent event = this.pair.context.awaitAsyncEvent(PATIENCE);
		assertThat(event).isNotNull();
		return Objects.requireNonNull(event);
	}

}
