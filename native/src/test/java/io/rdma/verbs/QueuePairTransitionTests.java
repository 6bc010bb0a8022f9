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

package io.rdma.verbs;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link QueuePairTransition}: the table is compared with that of the Linux
 * kernel ({@code qp_state_table} in {@code drivers/infiniband/core/verbs.c}), written
 * down here by the bits of the attribute mask.
 */
class QueuePairTransitionTests {

	private static final Map<String, Integer> BITS = Map.ofEntries(Map.entry("STATE", 0), Map.entry("CURRENT_STATE", 1),
			Map.entry("EN_SQD_ASYNC_NOTIFY", 2), Map.entry("ACCESS_FLAGS", 3), Map.entry("PKEY_INDEX", 4),
			Map.entry("PORT", 5), Map.entry("ADDRESS_VECTOR", 7), Map.entry("PATH_MTU", 8), Map.entry("TIMEOUT", 9),
			Map.entry("RETRY_COUNT", 10), Map.entry("RNR_RETRY", 11), Map.entry("RQ_PSN", 12),
			Map.entry("MAX_RD_ATOMIC", 13), Map.entry("ALTERNATE_PATH", 14), Map.entry("MIN_RNR_TIMER", 15),
			Map.entry("SQ_PSN", 16), Map.entry("MAX_DEST_RD_ATOMIC", 17), Map.entry("PATH_MIGRATION_STATE", 18),
			Map.entry("CAPABILITIES", 19), Map.entry("DEST_QP_NUMBER", 20));

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			RESET | INIT  | 3 4 5           |
			INIT  | INIT  |                 | 3 4 5
			INIT  | RTR   | 7 8 12 15 17 20 | 3 4 14
			RTR   | RTS   | 9 10 11 13 16   | 1 3 14 15 18
			RTS   | RTS   |                 | 1 3 14 15 18
			RTS   | SQD   |                 | 2
			SQD   | RTS   |                 | 1 3 14 15 18
			SQD   | SQD   |                 | 3 4 5 7 9 10 11 13 14 15 17 18
			RESET | RESET |                 |
			INIT  | RESET |                 |
			RTR   | RESET |                 |
			RTS   | RESET |                 |
			SQD   | RESET |                 |
			SQE   | RESET |                 |
			ERR   | RESET |                 |
			INIT  | ERR   |                 |
			RTR   | ERR   |                 |
			RTS   | ERR   |                 |
			SQD   | ERR   |                 |
			SQE   | ERR   |                 |
			ERR   | ERR   |                 |
			""")
	void whenTransitionIsInTheKernelsTableThenItsAttributesAreTheSame(QueuePairState from, QueuePairState to,
			String required, String optional) {
		QueuePairTransition transition = QueuePairTransition.find(from, to);
		assertThat(transition).isNotNull();
		assertThat(BitFlag.mask(transition.required())).isEqualTo(mask(required));
		assertThat(BitFlag.mask(transition.optional())).isEqualTo(mask(optional));
	}

	@ParameterizedTest
	@MethodSource("otherPairs")
	void whenTransitionIsNotInTheKernelsTableThenItDoesNotExist(QueuePairState from, QueuePairState to) {
		assertThat(QueuePairTransition.find(from, to)).isNull();
		refused(from, QueuePairAttributes.to(to).build()).withMessageContaining("from " + from + " to " + to);
	}

	static Stream<Arguments> otherPairs() {
		Set<String> legal = Set.of("RESET-INIT", "INIT-INIT", "INIT-RTR", "RTR-RTS", "RTS-RTS", "RTS-SQD", "SQD-RTS",
				"SQD-SQD");
		return Stream.of(QueuePairState.values())
			.flatMap((from) -> Stream.of(QueuePairState.values()).map((to) -> Arguments.of(from, to)))
			.filter((pair) -> {
				QueuePairState from = (QueuePairState) pair.get()[0];
				QueuePairState to = (QueuePairState) pair.get()[1];
				boolean anyToErr = to == QueuePairState.ERR && from != QueuePairState.RESET;
				return to != QueuePairState.RESET && !anyToErr && !legal.contains(from + "-" + to);
			});
	}

	@Test
	void whenAllPairsAreCountedThen21Of49Exist() {
		assertThat(QueuePairTransition.all()).hasSize(21);
		assertThat(otherPairs()).hasSize(49 - 21);
	}

	@Test
	void whenAttributesAreNumberedThenTheyHaveTheBitsOfVerbs() {
		assertThat(Arrays.stream(QueuePairAttribute.values())
			.collect(Collectors.toMap(Enum::name, (attribute) -> Integer.numberOfTrailingZeros(attribute.bit()))))
			.isEqualTo(BITS);
	}

	@Test
	void whenAttributesAreRightThenTargetIsReturned() {
		QueuePairAttributes init = QueuePairAttributes.to(QueuePairState.INIT)
			.pkeyIndex(0)
			.port(1)
			.accessFlags(Set.of())
			.build();
		assertThat(QueuePairTransition.check(QueuePairState.RESET, init)).isEqualTo(QueuePairState.INIT);
	}

	@Test
	void whenNoStateIsGivenThenItStaysAsItIs() {
		QueuePairAttributes attributes = QueuePairAttributes.builder().minRnrTimer(3).build();
		assertThat(QueuePairTransition.check(QueuePairState.RTS, attributes)).isEqualTo(QueuePairState.RTS);
		refused(QueuePairState.INIT, attributes).withMessageContaining("surplus [MIN_RNR_TIMER]");
	}

	@Test
	void whenAttributesAreMissingAndSurplusThenBothAreNamed() {
		QueuePairAttributes attributes = QueuePairAttributes.to(QueuePairState.INIT)
			.port(1)
			.accessFlags(Set.of())
			.sqPsn(1)
			.build();
		refused(QueuePairState.RESET, attributes)
			.withMessageContaining("cannot go from RESET to INIT: missing [PKEY_INDEX], surplus [SQ_PSN]")
			.withMessageContaining("EINVAL");
	}

	@Test
	void whenStatedStateIsTheCurrentOneThenItIsAcceptedWhereAllowed() {
		QueuePairAttributes attributes = QueuePairAttributes.to(QueuePairState.RTS)
			.currentState(QueuePairState.SQD)
			.build();
		assertThat(QueuePairTransition.check(QueuePairState.SQD, attributes)).isEqualTo(QueuePairState.RTS);
		refused(QueuePairState.RTS, attributes).withMessageContaining("states that it is in SQD");
	}

	@Test
	void whenTransitionDoesNotExistThenMessageListsThoseThatDo() {
		refused(QueuePairState.RESET, QueuePairAttributes.to(QueuePairState.RTS).build())
			.withMessageContaining("[INIT, RESET]");
	}

	@Test
	void whenStatesAreAskedThenTheyTellWhatCanBePosted() {
		assertThat(EnumSet.allOf(QueuePairState.class)).filteredOn(QueuePairState::acceptsSends)
			.containsExactly(QueuePairState.RTS, QueuePairState.SQD, QueuePairState.SQE, QueuePairState.ERR);
		assertThat(EnumSet.allOf(QueuePairState.class)).filteredOn(QueuePairState::acceptsReceives)
			.doesNotContain(QueuePairState.RESET)
			.hasSize(6);
		assertThat(EnumSet.allOf(QueuePairState.class)).filteredOn(QueuePairState::respondsToRequests)
			.containsExactly(QueuePairState.RTR, QueuePairState.RTS, QueuePairState.SQD, QueuePairState.SQE);
	}

	private static ThrowableAssertAlternative<VerbsException> refused(QueuePairState from,
			QueuePairAttributes attributes) {
		return assertThatExceptionOfType(VerbsException.class)
			.isThrownBy(() -> QueuePairTransition.check(from, attributes))
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.EINVAL));
	}

	private static int mask(String bits) {
		return Stream.ofNullable(bits)
			.flatMap((text) -> Arrays.stream(text.split(" ")))
			.mapToInt((bit) -> 1 << Integer.parseInt(bit))
			.reduce(0, (left, right) -> left | right);
	}

}
