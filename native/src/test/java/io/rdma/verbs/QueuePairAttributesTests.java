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

import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiFunction;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link QueuePairAttributes}.
 */
class QueuePairAttributesTests {

	@Test
	void whenSetThenValuesAreToldAndOthersAreNot() {
		QueuePairAttributes attributes = QueuePairAttributes.to(QueuePairState.RTR).pathMtu(PathMtu.MTU_512).build();
		assertThat(attributes.present()).containsExactly(QueuePairAttribute.STATE, QueuePairAttribute.PATH_MTU);
		assertThat(attributes.state()).isEqualTo(QueuePairState.RTR);
		assertThat(attributes.pathMtu()).isEqualTo(PathMtu.MTU_512);
		assertThat(attributes.has(QueuePairAttribute.TIMEOUT)).isFalse();
		assertThatIllegalStateException().isThrownBy(attributes::timeout).withMessageContaining("TIMEOUT");
		assertThatIllegalStateException().isThrownBy(attributes::addressVector).withMessageContaining("ADDRESS_VECTOR");
	}

	@Test
	void whenValueIsOutOfRangeThenItIsRefusedByName() {
		assertRange(QueuePairAttributes.Builder::timeout, 31, QueuePairAttribute.TIMEOUT);
		assertRange(QueuePairAttributes.Builder::retryCount, 7, QueuePairAttribute.RETRY_COUNT);
		assertRange(QueuePairAttributes.Builder::rnrRetry, 7, QueuePairAttribute.RNR_RETRY);
		assertRange(QueuePairAttributes.Builder::minRnrTimer, 31, QueuePairAttribute.MIN_RNR_TIMER);
		assertRange(QueuePairAttributes.Builder::rqPsn, 0xff_ffff, QueuePairAttribute.RQ_PSN);
		assertRange(QueuePairAttributes.Builder::sqPsn, 0xff_ffff, QueuePairAttribute.SQ_PSN);
		assertRange(QueuePairAttributes.Builder::destQpNumber, 0xff_ffff, QueuePairAttribute.DEST_QP_NUMBER);
		assertRange(QueuePairAttributes.Builder::maxRdAtomic, 0xff, QueuePairAttribute.MAX_RD_ATOMIC);
		assertRange(QueuePairAttributes.Builder::maxDestRdAtomic, 0xff, QueuePairAttribute.MAX_DEST_RD_ATOMIC);
		assertRange(QueuePairAttributes.Builder::pkeyIndex, 0xffff, QueuePairAttribute.PKEY_INDEX);
		assertRange(QueuePairAttributes.Builder::port, 0xff, QueuePairAttribute.PORT);
	}

	@Test
	void whenBuilderChangesThenWhatWasBuiltDoesNot() {
		QueuePairAttributes.Builder builder = QueuePairAttributes.builder().timeout(14);
		QueuePairAttributes first = builder.build();
		QueuePairAttributes second = builder.timeout(15).without(QueuePairAttribute.STATE).sqPsn(1).build();
		assertThat(first.timeout()).isEqualTo(14);
		assertThat(first.present()).containsExactly(QueuePairAttribute.TIMEOUT);
		assertThat(second.timeout()).isEqualTo(15);
		assertThat(builder.without(QueuePairAttribute.TIMEOUT).build().present())
			.containsExactly(QueuePairAttribute.SQ_PSN);
	}

	@Test
	void whenAccessFlagsAreSetThenTheyAreCopied() {
		Set<AccessFlag> flags = EnumSet.of(AccessFlag.REMOTE_READ);
		QueuePairAttributes attributes = QueuePairAttributes.builder().accessFlags(flags).build();
		flags.add(AccessFlag.REMOTE_WRITE);
		assertThat(attributes.accessFlags()).containsExactly(AccessFlag.REMOTE_READ);
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> attributes.accessFlags().add(AccessFlag.REMOTE_WRITE));
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> attributes.present().remove(QueuePairAttribute.ACCESS_FLAGS));
	}

	private static void assertRange(
			BiFunction<QueuePairAttributes.Builder, Integer, QueuePairAttributes.Builder> setter, int max,
			QueuePairAttribute name) {
		for (int value : new int[] { 0, max }) {
			assertThat(setter.apply(QueuePairAttributes.builder(), value).build().present()).containsExactly(name);
		}
		for (int value : new int[] { -1, max + 1 }) {
			assertThatIllegalArgumentException().isThrownBy(() -> setter.apply(QueuePairAttributes.builder(), value))
				.withMessageContaining(name.name())
				.withMessageContaining("" + value);
		}
	}

}
