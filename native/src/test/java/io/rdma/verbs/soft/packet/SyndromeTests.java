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
 * Syndromes of acknowledgements.
 */
class SyndromeTests {

	@Test
	void aSyndromeIsOneThingAtMost() {
		int acks = 0;
		int rnrs = 0;
		int naks = 0;
		for (int syndrome = 0; syndrome <= 0xff; syndrome++) {
			int kinds = count(Syndrome.isAck(syndrome)) + count(Syndrome.isRnr(syndrome))
					+ count(Syndrome.isNak(syndrome));
			assertThat(kinds).isLessThanOrEqualTo(1);
			acks += count(Syndrome.isAck(syndrome));
			rnrs += count(Syndrome.isRnr(syndrome));
			naks += count(Syndrome.isNak(syndrome));
		}
		assertThat(acks).isEqualTo(32);
		assertThat(rnrs).isEqualTo(32);
		assertThat(naks).isEqualTo(32);
	}

	private static int count(boolean value) {
		return value ? 1 : 0;
	}

	@Test
	void acknowledgementsWithAndWithoutCreditsShouldBeAcks() {
		assertThat(Syndrome.isAck(Syndrome.ACK)).isTrue();
		assertThat(Syndrome.isAck(0x00)).isTrue();
		assertThat(Syndrome.isAck(0x1e)).isTrue();
	}

	@Test
	void rnrShouldCarryItsTimer() {
		assertThat(Syndrome.rnr(12)).isEqualTo(0x2c);
		for (int timer = 0; timer < 32; timer++) {
			assertThat(Syndrome.isRnr(Syndrome.rnr(timer))).isTrue();
			assertThat(Syndrome.rnrTimer(Syndrome.rnr(timer))).isEqualTo(timer);
		}
	}

	@Test
	void refusalsShouldBeNaks() {
		assertThat(new int[] { Syndrome.NAK_PSN_SEQUENCE, Syndrome.NAK_INVALID_REQUEST, Syndrome.NAK_REMOTE_ACCESS,
				Syndrome.NAK_REMOTE_OPERATION })
			.containsExactly(0x60, 0x61, 0x62, 0x63);
		assertThat(Syndrome.isNak(0x62)).isTrue();
		assertThat(Syndrome.isNak(0x64)).isTrue();
	}

	@Test
	void reservedSyndromesShouldBeNothing() {
		for (int syndrome : new int[] { 0x40, 0x5f, 0x80, 0x9f, 0xe2, 0xff }) {
			assertThat(Syndrome.isAck(syndrome) || Syndrome.isRnr(syndrome) || Syndrome.isNak(syndrome)).isFalse();
		}
	}

	@Test
	void nameShouldSayWhatItIs() {
		assertThat(Syndrome.name(0x1f)).isEqualTo("ACK");
		assertThat(Syndrome.name(0x03)).isEqualTo("ACK(credits 3)");
		assertThat(Syndrome.name(0x2c)).isEqualTo("RNR(timer 12)");
		assertThat(Syndrome.name(0x60)).isEqualTo("NAK_PSN_SEQUENCE");
		assertThat(Syndrome.name(0x61)).isEqualTo("NAK_INVALID_REQUEST");
		assertThat(Syndrome.name(0x62)).isEqualTo("NAK_REMOTE_ACCESS");
		assertThat(Syndrome.name(0x63)).isEqualTo("NAK_REMOTE_OPERATION");
		assertThat(Syndrome.name(0x64)).isEqualTo("UNKNOWN(0x64)");
		assertThat(Syndrome.name(0x9f)).isEqualTo("UNKNOWN(0x9f)");
	}

}
