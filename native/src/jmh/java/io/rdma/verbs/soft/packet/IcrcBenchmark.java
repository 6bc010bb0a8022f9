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

package io.rdma.verbs.soft.packet;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

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
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time that the checksum of a packet takes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class IcrcBenchmark {

	/**
	 * Length of the payload in bytes.
	 */
	@Param({ "0", "1024", "4096" })
	@SuppressWarnings("NullAway.Init")
	public String size;

	private final ByteBuffer packet = ByteBuffer.allocateDirect(PacketCheck.MAX_LENGTH);

	private final Icrc icrc = new Icrc();

	private final Flow flow = new Flow().source(0, 0xffff_0a4d_0001L, 4791).destination(0, 0xffff_0a4d_0002L, 4791);

	private int length;

	/**
	 * Make the packet, with an identification as Linux and network cards send it.
	 */
	@Setup
	public void seal() {
		this.length = Bth.LENGTH + Integer.parseInt(this.size) + PacketCheck.ICRC_LENGTH;
		this.icrc.seal(this.packet, 0, this.length - PacketCheck.ICRC_LENGTH, this.flow, 0xee6e);
	}

	/**
	 * Compute the checksum.
	 * @return the checksum
	 */
	@Benchmark
	public int make() {
		return this.icrc.of(this.packet, 0, this.length - PacketCheck.ICRC_LENGTH, this.flow, 0);
	}

	/**
	 * Check the checksum and find the identification.
	 * @return the identification
	 */
	@Benchmark
	public int check() {
		return this.icrc.check(this.packet, 0, this.length, this.flow);
	}

}
