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

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sequence numbers go round after 24 bits.
 */
class PsnTests {

	@Test
	void afterTheHighestComesZero() {
		assertThat(Psn.next(0xff_fffe)).isEqualTo(0xff_ffff);
		assertThat(Psn.next(0xff_ffff)).isZero();
		assertThat(Psn.next(0)).isEqualTo(1);
	}

	@Test
	void additionShouldGoRoundBothWays() {
		assertThat(Psn.add(0xff_fffe, 5)).isEqualTo(3);
		assertThat(Psn.add(3, -5)).isEqualTo(0xff_fffe);
		assertThat(Psn.add(7, 0)).isEqualTo(7);
		assertThat(Psn.add(7, 1 << Psn.BITS)).isEqualTo(7);
	}

	@Test
	void differenceShouldTakeTheShorterWayRound() {
		assertThat(Psn.difference(5, 5)).isZero();
		assertThat(Psn.difference(6, 5)).isEqualTo(1);
		assertThat(Psn.difference(5, 6)).isEqualTo(-1);
		assertThat(Psn.difference(0, 0xff_ffff)).isEqualTo(1);
		assertThat(Psn.difference(0xff_ffff, 0)).isEqualTo(-1);
		assertThat(Psn.difference(0x7f_ffff, 0)).isEqualTo(0x7f_ffff);
		assertThat(Psn.difference(0x80_0000, 0)).isEqualTo(-0x80_0000);
	}

	@Test
	void differenceShouldUndoAddition() {
		for (int psn : new int[] { 0, 1, 0x7f_ffff, 0x80_0000, 0xff_ffff }) {
			for (int distance : new int[] { 0, 1, 128, 0x7f_ffff, -1, -128, -0x80_0000 }) {
				assertThat(Psn.difference(Psn.add(psn, distance), psn)).isEqualTo(distance);
			}
		}
	}

	@Test
	void differenceShouldIgnoreBitsAboveTheNumber() {
		assertThat(Psn.difference(0x80_000001, 0x7f_000000)).isEqualTo(1);
	}

}
