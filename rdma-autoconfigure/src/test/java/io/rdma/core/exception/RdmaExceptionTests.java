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

package io.rdma.core.exception;

import java.util.List;
import java.util.Set;

import io.rdma.verbs.AccessFlag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link RdmaException} and what the classes below it say.
 */
class RdmaExceptionTests {

	private static final RdmaErrorContext CONTEXT = RdmaErrorContext.of("storage", 0xABCDEF, "READ");

	@Test
	void whenNothingIsKnownThenMessageStartsWithTheProblem() {
		assertThat(new RdmaClosedException(RdmaErrorContext.none(), "the pool is closed", "Open it again."))
			.hasMessage("the pool is closed. Open it again.");
	}

	@Test
	void whenPeerIsUnknownThenMessageListsThoseKnown() {
		assertThat(new UnknownRdmaPeerException("c", List.of("b", "a"))).hasMessageContaining("peer 'c'")
			.hasMessageContaining("[a, b]")
			.hasMessageContaining("rdma.peers.c.address");
		assertThat(new UnknownRdmaPeerException("c", List.of())).hasMessageContaining("known are none");
	}

	@Test
	void whenRegionIsUnknownThenMessageListsThoseKnown() {
		assertThat(new UnknownRdmaRegionException("storage", "c", List.of("b", "a")))
			.hasMessageContaining("peer 'storage'")
			.hasMessageContaining("'c'")
			.hasMessageContaining("[a, b]")
			.hasMessageContaining("rdma.regions.c to the settings of the peer");
		assertThat(new UnknownRdmaRegionException(null, "c", List.of())).hasMessageContaining("known are none")
			.hasMessageContaining("rdma.regions.c to the settings of the service");
	}

	@ParameterizedTest
	@CsvSource({ "-1, 1", "0, 101", "100, 1", "0, -1", "9223372036854775807, 1", "1, 9223372036854775807", "101, 0" })
	void whenRangeIsOutsideThenBoundsException(long offset, long length) {
		assertThatExceptionOfType(RdmaBoundsException.class)
			.isThrownBy(() -> RdmaBoundsException.check(CONTEXT, "region 'blobs'", offset, length, 100))
			.withMessage("READ, peer 'storage', queue pair 0xabcdef: " + length + " bytes at offset " + offset
					+ " are not within the 100 bytes of region 'blobs'. Use an offset from 0 and a length so that "
					+ "their sum is at most 100, or make it larger.")
			.satisfies((ex) -> {
				assertThat(ex.memory()).isEqualTo("region 'blobs'");
				assertThat(ex.offset()).isEqualTo(offset);
				assertThat(ex.length()).isEqualTo(length);
				assertThat(ex.memoryLength()).isEqualTo(100);
			});
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "0, 100", "100, 0", "99, 1" })
	void whenRangeIsInsideThenNothing(long offset, long length) {
		assertThatNoException()
			.isThrownBy(() -> RdmaBoundsException.check(CONTEXT, "region 'blobs'", offset, length, 100));
	}

	@Test
	void whenAccessIsDeniedThenMessageNamesRightsAsInTheSettings() {
		assertThat(new RdmaAccessDeniedException(CONTEXT, "region 'blobs'", AccessFlag.REMOTE_WRITE,
				Set.of(AccessFlag.REMOTE_READ)))
			.hasMessageContaining("region 'blobs' does not allow remote-write; it allows [remote-read]. Add");
		assertThat(new RdmaAccessDeniedException(CONTEXT, "region 'blobs'", AccessFlag.REMOTE_WRITE, Set.of()))
			.hasMessageContaining("it allows nothing");
	}

	@Test
	void whenMisalignedThenMessageNamesAnOffsetThatWorks() {
		assertThat(new RdmaAlignmentException(CONTEXT, "region 'counters'", 13))
			.hasMessageContaining("offset 13 of region 'counters'")
			.hasMessageContaining("such as 8");
	}

	@Test
	void whenMessageIsTooLargeThenMessageNamesBothSizes() {
		assertThat(new RdmaMessageTooLargeException(CONTEXT, 10, 5, "Send less."))
			.hasMessageContaining("a message of 10 bytes is larger than the 5 bytes allowed. Send less.");
	}

	@Test
	void whenSettingIsWrongThenMessageNamesSettingValueReasonAndRemedy() {
		assertThat(new RdmaConfigurationException("rdma.memory.pool-size", 1, "it is too small", "Use 4MB."))
			.hasMessage("'rdma.memory.pool-size' is '1': it is too small. Use 4MB.");
		assertThat(new RdmaConfigurationException("rdma.device.name", null, "there are several", "Name one."))
			.hasMessage("'rdma.device.name' is not set: there are several. Name one.");
	}

}
