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

import java.util.concurrent.TimeUnit;

import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.WorkCompletions;
import io.rdma.verbs.soft.shm.SharedMemoryOptions;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time from a work request to its completion, and of a message there and back, between
 * two processes over shared memory.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class TwoProcessBenchmark {

	private static final int CHAIN = 16;

	/**
	 * Length of the payload in bytes.
	 */
	@Param({ "64", "4096" })
	@SuppressWarnings("NullAway.Init")
	public String size;

	private int length;

	@SuppressWarnings("NullAway.Init")
	private PeerProcess peer;

	@SuppressWarnings("NullAway.Init")
	private ProcessEnd end;

	@SuppressWarnings("NullAway.Init")
	private SendWorkRequests sends;

	@SuppressWarnings("NullAway.Init")
	private ReceiveWorkRequests receives;

	@SuppressWarnings("NullAway.Init")
	private WorkCompletions completions;

	private boolean echoing;

	/**
	 * Start the other process and connect to it.
	 * @throws Exception if that fails
	 */
	@Setup(Level.Trial)
	public void connect() throws Exception {
		this.length = Integer.parseInt(this.size);
		this.peer = PeerProcess.start("true");
		this.end = new ProcessEnd(ProcessEnd.provider(SharedMemoryOptions.defaults()));
		this.sends = this.end.context.allocateSendWorkRequests(CHAIN, 1);
		this.receives = this.end.context.allocateReceiveWorkRequests(1, 1);
		this.completions = this.end.context.allocateWorkCompletions(CHAIN);
		this.peer.connect(this.end);
	}

	/**
	 * End the other process.
	 * @throws Exception if that fails
	 */
	@TearDown(Level.Trial)
	public void close() throws Exception {
		this.peer.close();
		this.end.close();
	}

	/**
	 * RDMA WRITE.
	 * @return how many completions came
	 */
	@Benchmark
	public int write() {
		this.sends.clear()
			.add()
			.rdmaWrite(this.peer.address, this.peer.rkey)
			.addSge(this.end.memory, 0, this.length)
			.signaled();
		this.end.queuePair.postSend(this.sends);
		return await(this.end.sendQueue);
	}

	/**
	 * RDMA READ.
	 * @return how many completions came
	 */
	@Benchmark
	public int read() {
		this.sends.clear()
			.add()
			.rdmaRead(this.peer.address, this.peer.rkey)
			.addSge(this.end.memory, 0, this.length)
			.signaled();
		this.end.queuePair.postSend(this.sends);
		return await(this.end.sendQueue);
	}

	/**
	 * One RDMA WRITE of a chain of 16, of which the last is signaled.
	 * @return how many completions came
	 */
	@Benchmark
	@OperationsPerInvocation(CHAIN)
	public int writeChainOf16() {
		this.sends.clear();
		for (int i = 0; i < CHAIN - 1; i++) {
			this.sends.add().rdmaWrite(this.peer.address, this.peer.rkey).addSge(this.end.memory, 0, this.length);
		}
		this.sends.add()
			.rdmaWrite(this.peer.address, this.peer.rkey)
			.addSge(this.end.memory, 0, this.length)
			.signaled();
		this.end.queuePair.postSend(this.sends);
		return await(this.end.sendQueue);
	}

	/**
	 * SEND there and back.
	 * @return how many completions came
	 * @throws Exception if the other process does not answer
	 */
	@Benchmark
	public int sendRoundTrip() throws Exception {
		if (!this.echoing) {
			for (int i = 0; i < CHAIN; i++) {
				this.peer.tell("receive", i, 0, 4096);
			}
			this.peer.begin("echo");
			this.echoing = true;
		}
		this.receives.clear().add().addSge(this.end.memory, 4096, 4096);
		this.end.queuePair.postReceive(this.receives);
		this.sends.clear().add().send().addSge(this.end.memory, 0, this.length).signaled();
		this.end.queuePair.postSend(this.sends);
		return await(this.end.receiveQueue) + await(this.end.sendQueue);
	}

	@SuppressWarnings("ThreadPriorityCheck") // so that few processors are enough
	private int await(CompletionQueue queue) {
		int count = queue.poll(this.completions);
		while (count == 0) {
			Thread.yield();
			count = queue.poll(this.completions);
		}
		if (!this.completions.get(0).isSuccess()) {
			throw new IllegalStateException(this.completions.get(0).toString());
		}
		return count;
	}

}
