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

import java.util.EnumSet;
import java.util.concurrent.TimeUnit;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.WorkCompletions;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the way through the native library costs by itself: the device below it is a
 * stand-in that completes at once.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class StandinPostPollBenchmark {

	@SuppressWarnings("NullAway.Init")
	private DeviceContext context;

	@SuppressWarnings("NullAway.Init")
	private ProtectionDomain domain;

	@SuppressWarnings("NullAway.Init")
	private MemoryRegion region;

	@SuppressWarnings("NullAway.Init")
	private CompletionQueue queue;

	@SuppressWarnings("NullAway.Init")
	private QueuePair pair;

	@SuppressWarnings("NullAway.Init")
	private SendWorkRequests requests;

	@SuppressWarnings("NullAway.Init")
	private WorkCompletions completions;

	private long sequence;

	/**
	 * Open the stand-in.
	 */
	@Setup
	public void open() {
		this.context = Standin.open();
		this.domain = this.context.allocateProtectionDomain();
		this.region = this.domain.allocateMemory(4096, EnumSet.of(AccessFlag.LOCAL_WRITE));
		this.queue = this.context.createCompletionQueue(16, null);
		this.pair = Standin.ready(this.domain, this.queue);
		this.requests = this.context.allocateSendWorkRequests(1, 1);
		this.completions = this.context.allocateWorkCompletions(16);
	}

	/**
	 * Close it.
	 */
	@TearDown
	public void close() {
		this.pair.close();
		this.queue.close();
		this.region.close();
		this.domain.close();
		this.context.close();
	}

	/**
	 * Write a work request, post it, poll its completion.
	 * @return the context that came back
	 */
	@Benchmark
	public long setPostPoll() {
		long id = ++this.sequence;
		this.requests.clear()
			.add()
			.wrId(id)
			.rdmaWrite(0x1000, 0x112)
			.addSge(this.region, 0, 64)
			.signaled();
		this.pair.postSend(this.requests);
		if (this.queue.poll(this.completions) != 1 || this.completions.get(0).wrId() != id) {
			throw new IllegalStateException("The completion is missing");
		}
		return id;
	}

	/**
	 * Post what was written before, poll its completion.
	 * @return how many completions came
	 */
	@Benchmark
	public int postPoll() {
		if (this.requests.size() == 0) {
			this.requests.add().addSge(this.region, 0, 64).signaled();
		}
		this.pair.postSend(this.requests);
		return this.queue.poll(this.completions);
	}

	/**
	 * Poll and find nothing.
	 * @return 0
	 */
	@Benchmark
	public int pollEmpty() {
		return this.queue.poll(this.completions);
	}

}
