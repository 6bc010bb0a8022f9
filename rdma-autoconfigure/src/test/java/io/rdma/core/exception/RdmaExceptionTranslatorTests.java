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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RdmaExceptionTranslator}.
 */
class RdmaExceptionTranslatorTests {

	private static final RdmaErrorContext CONTEXT = RdmaErrorContext.of("storage", 0x11, "WRITE");

	@ParameterizedTest
	@EnumSource
	void whenAnyStatusThenMessageTellsAllThatIsKnownAndWhatToDo(CompletionStatus status) {
		RdmaException exception = RdmaExceptionTranslator.translate(status, CONTEXT.withVendorError(0x51));
		assertThat(exception.status()).isEqualTo(status);
		assertThat(exception.peer()).isEqualTo("storage");
		assertThat(exception.qpNumber()).isEqualTo(0x11);
		assertThat(exception.operation()).isEqualTo("WRITE");
		assertThat(exception.remedy()).hasSizeGreaterThan(20).endsWith(".");
		assertThat(exception)
			.hasMessageStartingWith("WRITE, peer 'storage', queue pair 0x000011, status " + status
					+ ", vendor error 0x51: " + status.meaning())
			.hasMessageEndingWith(". " + exception.remedy());
	}

	@ParameterizedTest
	@EnumSource
	void whenAnyErrnoThenMessageTellsAllThatIsKnownAndWhatToDo(Errno errno) {
		for (String verb : new String[] { "ibv_modify_qp", "ibv_reg_mr", "ibv_dereg_mr", "ibv_post_send" }) {
			VerbsException cause = new VerbsException(verb, errno, "It was refused");
			RdmaException exception = RdmaExceptionTranslator.translate(cause, CONTEXT);
			assertThat(exception.errno()).isEqualTo(errno);
			assertThat(exception.peer()).isEqualTo("storage");
			assertThat(exception.qpNumber()).isEqualTo(0x11);
			assertThat(exception.operation()).isEqualTo("WRITE");
			assertThat(exception.remedy()).hasSizeGreaterThan(15).endsWith(".");
			assertThat(exception).hasCause(cause)
				.hasMessageStartingWith(
						"WRITE, peer 'storage', queue pair 0x000011, errno " + errno + ": It was refused")
				.hasMessageContaining(verb)
				.hasMessageEndingWith(". " + exception.remedy());
		}
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			SUCCESS,            RdmaCompletionException
			LOC_LEN_ERR,        RdmaLocalProtectionException
			LOC_QP_OP_ERR,      RdmaLocalProtectionException
			LOC_EEC_OP_ERR,     RdmaLocalProtectionException
			LOC_PROT_ERR,       RdmaLocalProtectionException
			WR_FLUSH_ERR,       RdmaFlushedException
			MW_BIND_ERR,        RdmaLocalProtectionException
			BAD_RESP_ERR,       RdmaConnectionLostException
			LOC_ACCESS_ERR,     RdmaLocalProtectionException
			REM_INV_REQ_ERR,    RdmaRemoteAccessException
			REM_ACCESS_ERR,     RdmaRemoteAccessException
			REM_OP_ERR,         RdmaRemoteOperationException
			RETRY_EXC_ERR,      RdmaPeerUnreachableException
			RNR_RETRY_EXC_ERR,  RdmaReceiverNotReadyException
			LOC_RDD_VIOL_ERR,   RdmaLocalProtectionException
			REM_INV_RD_REQ_ERR, RdmaRemoteAccessException
			REM_ABORT_ERR,      RdmaRemoteOperationException
			INV_EECN_ERR,       RdmaLocalProtectionException
			INV_EEC_STATE_ERR,  RdmaLocalProtectionException
			FATAL_ERR,          RdmaDeviceException
			RESP_TIMEOUT_ERR,   RdmaPeerUnreachableException
			GENERAL_ERR,        RdmaDeviceException
			TM_ERR,             RdmaDeviceException
			TM_RNDV_INCOMPLETE, RdmaDeviceException
			""")
	void whenStatusThenExceptionIsOfTheClassThatACallerHandles(CompletionStatus status, String type) {
		assertThat(RdmaExceptionTranslator.translate(status, CONTEXT).getClass().getSimpleName()).isEqualTo(type);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			EPERM,           RdmaDeviceException
			ENOENT,          RdmaDeviceNotFoundException
			EINTR,           RdmaDeviceException
			EIO,             RdmaDeviceException
			ENXIO,           RdmaDeviceNotFoundException
			EAGAIN,          RdmaDeviceException
			ENOMEM,          RdmaDeviceException
			EACCES,          RdmaDeviceException
			EFAULT,          RdmaDeviceException
			EBUSY,           RdmaDeviceException
			ENODEV,          RdmaDeviceNotFoundException
			EINVAL,          RdmaDeviceException
			EMFILE,          RdmaDeviceException
			ENOSPC,          RdmaDeviceException
			ENOSYS,          RdmaDeviceException
			ENODATA,         RdmaDeviceException
			EPROTONOSUPPORT, RdmaDeviceException
			EOPNOTSUPP,      RdmaDeviceException
			EADDRINUSE,      RdmaConnectException
			EADDRNOTAVAIL,   RdmaConnectException
			ENETUNREACH,     RdmaConnectException
			ECONNRESET,      RdmaConnectionLostException
			ETIMEDOUT,       RdmaTimeoutException
			ECONNREFUSED,    RdmaConnectException
			EHOSTUNREACH,    RdmaConnectException
			UNKNOWN,         RdmaDeviceException
			""")
	void whenErrnoThenExceptionIsOfTheClassThatACallerHandles(Errno errno, String type) {
		assertThat(translate("ibv_create_qp", errno).getClass().getSimpleName()).isEqualTo(type);
	}

	@Test
	void everyStatusAndErrnoIsInTheTables() {
		assertThat(CompletionStatus.values()).hasSize(24);
		assertThat(Errno.values()).hasSize(26);
	}

	@ParameterizedTest
	@CsvSource({ "ENOMEM", "EAGAIN" })
	void whenPostIsRefusedForWantOfASlotThenQueueIsFull(Errno errno) {
		assertThat(translate("ibv_post_send", errno)).isInstanceOf(RdmaQueueFullException.class);
		assertThat(translate("ibv_post_srq_recv", errno)).isInstanceOf(RdmaQueueFullException.class);
	}

	@Test
	void whenRegistrationLacksMemoryThenRemedyNamesTheLimit() {
		RdmaException exception = translate("ibv_reg_mr", Errno.ENOMEM);
		assertThat(exception).isInstanceOf(RdmaMemoryRegistrationException.class)
			.hasMessageContaining("ulimit -l")
			.hasMessageContaining("LimitMEMLOCK")
			.hasMessageContaining("rdma.memory.pool-size");
	}

	@Test
	void whenOperationIsNotKnownThenVerbIsTaken() {
		VerbsException cause = new VerbsException("ibv_open_device", Errno.EACCES, "It was refused.");
		assertThat(RdmaExceptionTranslator.translate(cause, RdmaErrorContext.none()))
			.hasMessageStartingWith("ibv_open_device, errno EACCES: It was refused. (ibv_open_device");
	}

	@Test
	void whenResourceIsClosedThenClosed() {
		RdmaException exception = RdmaExceptionTranslator.translate(new ResourceClosedException("queue pair 0x000011"),
				CONTEXT);
		assertThat(exception).isInstanceOf(RdmaClosedException.class)
			.hasMessageContaining("WRITE, peer 'storage', queue pair 0x000011: The queue pair 0x000011 is closed. ");
	}

	@Test
	void shouldBeSerializable() throws Exception {
		RdmaException exception = RdmaExceptionTranslator.translate(CompletionStatus.REM_ACCESS_ERR, CONTEXT);
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
			out.writeObject(exception);
		}
		try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
			RdmaException copy = (RdmaException) in.readObject();
			assertThat(copy).hasMessage(exception.getMessage());
			assertThat(copy.status()).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
		}
	}

	private static RdmaException translate(String verb, Errno errno) {
		return RdmaExceptionTranslator.translate(new VerbsException(verb, errno, "It was refused"), CONTEXT);
	}

}
