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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests that the constants have the numbers of {@code infiniband/verbs.h}.
 */
class VerbsNumbersTests {

	@Test
	void completionStatusesHaveTheNumbersOfVerbs() {
		assertThat(numbers(CompletionStatus.values(), CompletionStatus::code)).isEqualTo(numbers("""
				SUCCESS=0 LOC_LEN_ERR=1 LOC_QP_OP_ERR=2 LOC_EEC_OP_ERR=3 LOC_PROT_ERR=4 WR_FLUSH_ERR=5
				MW_BIND_ERR=6 BAD_RESP_ERR=7 LOC_ACCESS_ERR=8 REM_INV_REQ_ERR=9 REM_ACCESS_ERR=10
				REM_OP_ERR=11 RETRY_EXC_ERR=12 RNR_RETRY_EXC_ERR=13 LOC_RDD_VIOL_ERR=14
				REM_INV_RD_REQ_ERR=15 REM_ABORT_ERR=16 INV_EECN_ERR=17 INV_EEC_STATE_ERR=18 FATAL_ERR=19
				RESP_TIMEOUT_ERR=20 GENERAL_ERR=21 TM_ERR=22 TM_RNDV_INCOMPLETE=23"""));
	}

	@Test
	void completionOpcodesHaveTheNumbersOfVerbs() {
		assertThat(numbers(CompletionOpcode.values(), CompletionOpcode::code)).isEqualTo(numbers("""
				SEND=0 RDMA_WRITE=1 RDMA_READ=2 COMP_SWAP=3 FETCH_ADD=4 BIND_MW=5 LOCAL_INV=6 RECV=128
				RECV_RDMA_WITH_IMM=129"""));
	}

	@Test
	void workRequestOpcodesHaveTheNumbersOfVerbs() {
		assertThat(numbers(WorkRequestOpcode.values(), WorkRequestOpcode::code)).isEqualTo(numbers("""
				RDMA_WRITE=0 RDMA_WRITE_WITH_IMM=1 SEND=2 SEND_WITH_IMM=3 RDMA_READ=4
				ATOMIC_CMP_AND_SWP=5 ATOMIC_FETCH_AND_ADD=6 LOCAL_INV=7 BIND_MW=8 SEND_WITH_INV=9"""));
	}

	@Test
	void flagsHaveTheBitsOfVerbs() {
		assertThat(numbers(SendFlag.values(), SendFlag::bit))
			.isEqualTo(numbers("FENCE=1 SIGNALED=2 SOLICITED=4 INLINE=8"));
		assertThat(numbers(AccessFlag.values(), AccessFlag::bit))
			.isEqualTo(numbers("LOCAL_WRITE=1 REMOTE_WRITE=2 REMOTE_READ=4 REMOTE_ATOMIC=8 MEMORY_WINDOW_BIND=16"));
	}

	@Test
	void eventsHaveTheNumbersOfVerbs() {
		assertThat(numbers(AsyncEventType.values(), AsyncEventType::code)).isEqualTo(numbers("""
				CQ_ERR=0 QP_FATAL=1 QP_REQ_ERR=2 QP_ACCESS_ERR=3 COMM_EST=4 SQ_DRAINED=5 PATH_MIG=6
				PATH_MIG_ERR=7 DEVICE_FATAL=8 PORT_ACTIVE=9 PORT_ERR=10 LID_CHANGE=11 PKEY_CHANGE=12
				SM_CHANGE=13 SRQ_ERR=14 SRQ_LIMIT_REACHED=15 QP_LAST_WQE_REACHED=16
				CLIENT_REREGISTER=17 GID_CHANGE=18"""));
	}

	@Test
	void statesHaveTheNumbersOfVerbs() {
		assertThat(numbers(QueuePairState.values(), QueuePairState::code))
			.isEqualTo(numbers("RESET=0 INIT=1 RTR=2 RTS=3 SQD=4 SQE=5 ERR=6"));
		assertThat(numbers(PortState.values(), Enum::ordinal))
			.isEqualTo(numbers("NOP=0 DOWN=1 INIT=2 ARMED=3 ACTIVE=4 ACTIVE_DEFER=5"));
		assertThat(numbers(LinkLayer.values(), Enum::ordinal))
			.isEqualTo(numbers("UNSPECIFIED=0 INFINIBAND=1 ETHERNET=2"));
		assertThat(numbers(AtomicCapability.values(), Enum::ordinal)).isEqualTo(numbers("NONE=0 HCA=1 GLOB=2"));
	}

	@Test
	void errorNumbersAreThoseOfLinux() {
		assertThat(numbers(Errno.values(), Errno::number)).isEqualTo(numbers("""
				EPERM=1 ENOENT=2 EINTR=4 EIO=5 ENXIO=6 EAGAIN=11 ENOMEM=12 EACCES=13 EFAULT=14 EBUSY=16
				ENODEV=19 EINVAL=22 EMFILE=24 ENOSPC=28 ENOSYS=38 ENODATA=61 EPROTONOSUPPORT=93
				EOPNOTSUPP=95 EADDRINUSE=98 EADDRNOTAVAIL=99 ENETUNREACH=101 ECONNRESET=104
				ETIMEDOUT=110 ECONNREFUSED=111 EHOSTUNREACH=113 UNKNOWN=-1"""));
	}

	@ParameterizedTest
	@EnumSource
	void whenErrorNumberIsKnownThenConstantIsFound(Errno errno) {
		assertThat(Errno.of(errno.number())).isEqualTo(errno);
		assertThat(errno.meaning()).isNotBlank();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 3, 9999, -22 })
	void whenErrorNumberIsNotKnownThenItIsUnknown(int number) {
		assertThat(Errno.of(number)).isEqualTo(Errno.UNKNOWN);
	}

	@ParameterizedTest
	@EnumSource
	void whenStatusNumberIsKnownThenConstantIsFound(CompletionStatus status) {
		assertThat(CompletionStatus.of(status.code())).isEqualTo(status);
		assertThat(status.meaning()).isNotBlank();
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 24, Integer.MAX_VALUE })
	void whenStatusNumberIsNotKnownThenItIsAGeneralError(int code) {
		assertThat(CompletionStatus.of(code)).isEqualTo(CompletionStatus.GENERAL_ERR);
	}

	@Test
	void whenOtherNumbersAreKnownThenConstantsAreFound() {
		assertThat(CompletionOpcode.values())
			.allSatisfy((opcode) -> assertThat(CompletionOpcode.of(opcode.code())).isEqualTo(opcode));
		assertThat(WorkRequestOpcode.values())
			.allSatisfy((opcode) -> assertThat(WorkRequestOpcode.of(opcode.code())).isEqualTo(opcode));
		assertThat(AsyncEventType.values())
			.allSatisfy((type) -> assertThat(AsyncEventType.of(type.code())).isEqualTo(type));
		assertThat(QueuePairState.values())
			.allSatisfy((state) -> assertThat(QueuePairState.of(state.code())).isEqualTo(state));
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 77, 1000 })
	void whenOtherNumbersAreNotKnownThenTheyAreRefused(int code) {
		assertThatIllegalArgumentException().isThrownBy(() -> CompletionOpcode.of(code))
			.withMessageContaining("" + code);
		assertThatIllegalArgumentException().isThrownBy(() -> WorkRequestOpcode.of(code))
			.withMessageContaining("" + code);
		assertThatIllegalArgumentException().isThrownBy(() -> AsyncEventType.of(code)).withMessageContaining("" + code);
		assertThatIllegalArgumentException().isThrownBy(() -> QueuePairState.of(code)).withMessageContaining("" + code);
	}

	@Test
	void receivesAndConsumersOfReceivesAreTold() {
		assertThat(CompletionOpcode.values()).filteredOn(CompletionOpcode::isReceive)
			.containsExactly(CompletionOpcode.RECV, CompletionOpcode.RECV_RDMA_WITH_IMM);
		assertThat(WorkRequestOpcode.values()).filteredOn(WorkRequestOpcode::consumesReceive)
			.containsExactly(WorkRequestOpcode.RDMA_WRITE_WITH_IMM, WorkRequestOpcode.SEND,
					WorkRequestOpcode.SEND_WITH_IMM, WorkRequestOpcode.SEND_WITH_INV);
	}

	@Test
	void whenFlagsAreCombinedThenMaskHasTheirBits() {
		int mask = AccessFlag.mask(Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ,
				AccessFlag.REMOTE_ATOMIC));
		assertThat(mask).isEqualTo(0xf);
		assertThat(AccessFlag.REMOTE_READ.isIn(mask)).isTrue();
		assertThat(AccessFlag.MEMORY_WINDOW_BIND.isIn(mask)).isFalse();
	}

	private static <E extends Enum<E>> Map<String, Integer> numbers(E[] constants, ToIntFunction<E> number) {
		Map<String, Integer> numbers = new LinkedHashMap<>();
		for (E constant : constants) {
			numbers.put(constant.name(), number.applyAsInt(constant));
		}
		return numbers;
	}

	private static Map<String, Integer> numbers(String text) {
		Map<String, Integer> numbers = new LinkedHashMap<>();
		Arrays.stream(text.split("\\s+"))
			.map((pair) -> pair.split("="))
			.forEach((pair) -> numbers.put(pair[0], Integer.valueOf(pair[1])));
		return numbers;
	}

}
