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

import io.rdma.verbs.soft.SoftPair.Side;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time from a work request that is not yet written to its completion polled and
 * checked, on one thread in one process.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class WritePostPollBenchmark {

	/**
	 * Length of the payload in bytes.
	 */
	@Param({ "64", "4096" })
	@SuppressWarnings("NullAway.Init")
	public String size;

	private int length;

	@SuppressWarnings("NullAway.Init")
	private SoftPair pair;

	@SuppressWarnings("NullAway.Init")
	private Side requester;

	@SuppressWarnings("NullAway.Init")
	private Side responder;

	private long address;

	private int rkey;

	private long sequence;

	/**
	 * Connect the pair.
	 */
	@Setup
	public void connect() {
		this.length = Integer.parseInt(this.size);
		this.pair = new SoftPair();
		this.requester = this.pair.left;
		this.responder = this.pair.right;
		this.address = this.responder.memory.address();
		this.rkey = this.responder.memory.rkey();
	}

	/**
	 * Close the pair.
	 * @throws Exception if something cannot be closed
	 */
	@TearDown
	public void close() throws Exception {
		this.pair.close();
	}

	/**
	 * RDMA WRITE.
	 * @return the context that came back
	 */
	@Benchmark
	public long write() {
		this.requester.sends.clear()
			.add()
			.wrId(++this.sequence)
			.rdmaWrite(this.address, this.rkey)
			.addSge(this.requester.memory, 0, this.length)
			.signaled();
		this.requester.queuePair.postSend(this.requester.sends);
		return this.requester.awaitSuccess(this.requester.sendQueue);
	}

	/**
	 * RDMA READ.
	 * @return the context that came back
	 */
	@Benchmark
	public long read() {
		this.requester.sends.clear()
			.add()
			.wrId(++this.sequence)
			.rdmaRead(this.address, this.rkey)
			.addSge(this.requester.memory, 0, this.length)
			.signaled();
		this.requester.queuePair.postSend(this.requester.sends);
		return this.requester.awaitSuccess(this.requester.sendQueue);
	}

	/**
	 * Atomic fetch and add.
	 * @return the context that came back
	 */
	@Benchmark
	public long fetchAndAdd() {
		this.requester.sends.clear()
			.add()
			.wrId(++this.sequence)
			.fetchAndAdd(this.address, this.rkey, 1)
			.addSge(this.requester.memory, 0, Long.BYTES)
			.signaled();
		this.requester.queuePair.postSend(this.requester.sends);
		return this.requester.awaitSuccess(this.requester.sendQueue);
	}

	/**
	 * Receive posted, SEND posted, both completions polled.
	 * @return the contexts that came back
	 */
	@Benchmark
	public long sendReceive() {
		this.responder.receives.clear()
			.add()
			.wrId(++this.sequence)
			.addSge(this.responder.memory, 0, this.length);
		this.responder.queuePair.postReceive(this.responder.receives);
		this.requester.sends.clear()
			.add()
			.wrId(this.sequence)
			.send()
			.addSge(this.requester.memory, 0, this.length)
			.signaled();
		this.requester.queuePair.postSend(this.requester.sends);
		return this.responder.awaitSuccess(this.responder.receiveQueue)
				+ this.requester.awaitSuccess(this.requester.sendQueue);
	}

	/**
	 * A chain of 16 RDMA WRITEs of which the last is signaled: the time is for all 16.
	 * @return the context that came back
	 */
	@Benchmark
	public long writeChainOf16() {
		this.requester.sends.clear();
		for (int i = 0; i < 15; i++) {
			this.requester.sends.add()
				.rdmaWrite(this.address, this.rkey)
				.addSge(this.requester.memory, 0, this.length);
		}
		this.requester.sends.add()
			.wrId(++this.sequence)
			.rdmaWrite(this.address, this.rkey)
			.addSge(this.requester.memory, 0, this.length)
			.signaled();
		this.requester.queuePair.postSend(this.requester.sends);
		return this.requester.awaitSuccess(this.requester.sendQueue);
	}

}
