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

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.rdma.verbs.Gid;
import io.rdma.verbs.contract.Endpoint;
import io.rdma.verbs.soft.packet.Aeth;
import io.rdma.verbs.soft.packet.AtomicAckEth;
import io.rdma.verbs.soft.packet.AtomicEth;
import io.rdma.verbs.soft.packet.Bth;
import io.rdma.verbs.soft.packet.Icrc;
import io.rdma.verbs.soft.packet.Ieth;
import io.rdma.verbs.soft.packet.ImmediateData;
import io.rdma.verbs.soft.packet.Opcode;
import io.rdma.verbs.soft.packet.PacketCheck;
import io.rdma.verbs.soft.packet.PacketText;
import io.rdma.verbs.soft.packet.Reth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Looks at what the other tests of this package have sent and received, as tcpdump saw it
 * on the network.
 */
@Tag("device")
@EnabledIfSystemProperty(named = CaptureTests.PROPERTY, matches = ".+")
class CaptureTests {

	/** System property with the directory of the captures. */
	static final String PROPERTY = "rdma.test.captures";

	private static final Path DIRECTORY = Path.of(System.getProperty(PROPERTY, "."));

	/**
	 * What takes the payload of a message for something that it knows, by its first
	 * bytes. Ours means nothing, so that it is right now and then, and finds the rest
	 * malformed.
	 */
	private static final List<String> GUESSES = List.of("eth_over_ib", "fc_infiniband", "iser_infiniband", "lnet_ib",
			"mellanox_eoib", "nvme_rdma", "rpcrdma_infiniband", "sdp_infiniband", "smb_direct_infiniband",
			"smcr_infiniband");

	private static final List<String> FIELDS = List.of("bth.opcode", "bth.padcnt", "bth.p_key", "bth.destqp", "bth.psn",
			"reth.va", "reth.r_key", "reth.dmalen", "aeth.syndrome", "aeth.msn", "immdt", "ieth", "atomiceth.swapdt",
			"atomiceth.cmpdt", "atomicacketh.origremdt");

	private static Path file(String netdev) {
		return DIRECTORY.resolve(netdev + ".pcap");
	}

	@ParameterizedTest
	@EnumSource
	void whenCapturedThenIcrcIsThatOfTheIdentificationOnTheWire(KernelLink link) throws IOException {
		Gid own = Gid.of(link.address());
		Gid kernels = Gid.of(link.kernelAddress());
		Capture capture = new Capture(file(link.netdev()));
		Icrc icrc = new Icrc();
		Set<Integer> ownIdentifications = new TreeSet<>();
		Set<Integer> kernelsIdentifications = new TreeSet<>();
		while (capture.next()) {
			Gid source = capture.source();
			if (!source.equals(own) && !source.equals(kernels)) {
				continue;
			}
			ByteBuffer memory = capture.memory();
			int length = capture.length() - PacketCheck.ICRC_LENGTH;
			int computed = icrc.of(memory, capture.at(), length, capture.flow(), capture.identification());
			if (computed != Integer.reverseBytes(memory.getInt(capture.at() + length))
					|| icrc.check(memory, capture.at(), capture.length(), capture.flow()) != capture.identification()
					|| PacketCheck.check(memory, capture.at(), capture.length()) != null || !capture.isWhole()) {
				assertThat(PacketText.describe(memory, capture.at(), capture.length()))
					.as("packet %d from %s with identification %x", capture.number(), source, capture.identification())
					.isEqualTo("as it must be");
			}
			(source.equals(own) ? ownIdentifications : kernelsIdentifications).add(capture.identification());
		}
		assertThat(ownIdentifications).containsExactly(0);
		assertThat(kernelsIdentifications.size()).isGreaterThan((link.address() instanceof Inet4Address) ? 100 : 0);
	}

	@Test
	void whenCapturedThenEachSideHasSentEverythingThereIs() throws IOException {
		Map<Side, Set<String>> sent = new EnumMap<>(Side.class);
		for (String netdev : List.of("v1", "w1")) {
			Capture capture = new Capture(file(netdev));
			while (capture.next()) {
				sent.computeIfAbsent(side(capture.source()), (side) -> new TreeSet<>())
					.add(Opcode.name(Bth.opcode(capture.memory(), capture.at())));
			}
		}
		Set<String> all = IntStream.rangeClosed(0, 0xff)
			.filter(Opcode::isKnown)
			.mapToObj(Opcode::name)
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(sent.get(Side.OURS)).isEqualTo(all);
		assertThat(sent.get(Side.KERNEL)).isEqualTo(all);
	}

	@ParameterizedTest
	@EnumSource
	void whenCapturedThenOurPacketsHaveTheRouteOfTheirQueuePair(KernelLink link) throws IOException {
		Gid own = Gid.of(link.address());
		Capture capture = new Capture(file(link.netdev()));
		Set<List<Integer>> routes = new HashSet<>();
		while (capture.next()) {
			if (capture.source().equals(own)) {
				routes.add(List.of(capture.trafficClass(), capture.hopLimit()));
			}
		}
		// those of the contract, and those of who sets none
		assertThat(routes).contains(List.of(Endpoint.TRAFFIC_CLASS, Endpoint.HOP_LIMIT))
			.isSubsetOf(List.of(Endpoint.TRAFFIC_CLASS, Endpoint.HOP_LIMIT), List.of(0, 64));
	}

	private static Side side(Gid source) {
		for (KernelLink link : KernelLink.values()) {
			if (source.equals(Gid.of(link.address()))) {
				return Side.OURS;
			}
		}
		return Side.KERNEL;
	}

	@ParameterizedTest
	@ValueSource(strings = { "v1", "w1" })
	void whenDissectedByTsharkThenNothingIsMalformedAndAllIsAsHere(String netdev) throws Exception {
		Process tshark = new ProcessBuilder(tshark(file(netdev))).redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		Capture capture = new Capture(file(netdev));
		try (BufferedReader lines = tshark.inputReader()) {
			String line = lines.readLine();
			while (capture.next()) {
				assertThat(line).as("packet %d", capture.number()).isEqualTo(line(capture));
				line = lines.readLine();
			}
			assertThat(line).isNull();
		}
		assertThat(tshark.waitFor()).isZero();
		assertThat(capture.number()).isPositive();
	}

	private static List<String> tshark(Path file) {
		List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString(), "-T", "fields", "-E",
				"separator=,", "-E", "occurrence=f", "-e", "_ws.malformed"));
		FIELDS.forEach((field) -> command.addAll(List.of("-e", "infiniband." + field)));
		GUESSES.forEach((guess) -> command.addAll(List.of("--disable-heuristic", guess)));
		return command;
	}

	/** What tshark writes about a packet. */
	private static String line(Capture capture) {
		ByteBuffer memory = capture.memory();
		int at = capture.at();
		int code = Bth.opcode(memory, at);
		StringBuilder line = new StringBuilder(",%d,%d,%d,0x%06x,%d,".formatted(code, Bth.pad(memory, at),
				Bth.pkey(memory, at), Bth.destinationQp(memory, at), Bth.psn(memory, at)));
		if (Opcode.hasReth(code)) {
			line.append("0x%016x,0x%08x,%d,".formatted(Reth.address(memory, at), Reth.key(memory, at),
					Reth.length(memory, at)));
		}
		else if (Opcode.hasAtomicEth(code)) {
			line.append("0x%016x,0x%08x,,".formatted(AtomicEth.address(memory, at), AtomicEth.key(memory, at)));
		}
		else {
			line.append(",,,");
		}
		if (Opcode.hasAeth(code)) {
			line.append(Aeth.syndrome(memory, at)).append(',').append(Aeth.msn(memory, at));
		}
		else {
			line.append(',');
		}
		line.append(',');
		if (Opcode.hasImmediate(code)) {
			line.append("%08x".formatted(ImmediateData.value(memory, at, code)));
		}
		line.append(',');
		if (Opcode.hasInvalidate(code)) {
			line.append("%08x".formatted(Ieth.key(memory, at)));
		}
		line.append(',');
		if (Opcode.hasAtomicEth(code)) {
			line.append(Long.toUnsignedString(AtomicEth.swapOrAdd(memory, at)))
				.append(',')
				.append(Long.toUnsignedString(AtomicEth.compare(memory, at)));
		}
		else {
			line.append(',');
		}
		line.append(',');
		if (code == Opcode.ATOMIC_ACKNOWLEDGE) {
			line.append(Long.toUnsignedString(AtomicAckEth.original(memory, at)));
		}
		return line.toString();
	}

	private enum Side {

		OURS, KERNEL

	}

}
