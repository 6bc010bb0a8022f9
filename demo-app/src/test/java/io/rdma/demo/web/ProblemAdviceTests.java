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

package io.rdma.demo.web;

import java.util.stream.Stream;

import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaConnectException;
import io.rdma.core.exception.RdmaConnectionLostException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaExceptionTranslator;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.verbs.CompletionStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ProblemAdvice}, for what is hard to cause over HTTP.
 */
class ProblemAdviceTests {

	private static final RdmaErrorContext CONTEXT = RdmaErrorContext.of("storage", 17, "WRITE");

	private final ProblemAdvice advice = new ProblemAdvice();

	@ParameterizedTest
	@MethodSource("exceptions")
	void whenOperationFailsThenStatusFits(RdmaException exception, HttpStatus status) {
		ResponseEntity<ProblemDetail> answer = this.advice.rdma(exception, new MockHttpServletResponse());
		assertThat(answer.getStatusCode()).isEqualTo(status);
		ProblemDetail problem = answer.getBody();
		assertThat(problem).isNotNull();
		assertThat(problem.getStatus()).isEqualTo(status.value());
		assertThat(problem.getDetail()).isEqualTo(exception.getMessage());
		assertThat(problem.getProperties()).containsEntry("remedy", exception.remedy())
			.containsEntry("peer", "storage")
			.containsEntry("operation", "WRITE");
		assertThat(answer.getHeaders().containsHeader("Retry-After"))
			.isEqualTo(status == HttpStatus.SERVICE_UNAVAILABLE);
	}

	static Stream<Arguments> exceptions() {
		return Stream.of(
				Arguments.of(new RdmaTimeoutException(CONTEXT, "it timed out", "Wait."), HttpStatus.GATEWAY_TIMEOUT),
				Arguments.of(new RdmaConnectionLostException(CONTEXT, "it was lost", "Wait."),
						HttpStatus.SERVICE_UNAVAILABLE),
				Arguments.of(new RdmaConnectException(CONTEXT, "it was refused", "Start it."),
						HttpStatus.SERVICE_UNAVAILABLE),
				Arguments.of(new RdmaClosedException(CONTEXT, "it is closed", "Start it."),
						HttpStatus.SERVICE_UNAVAILABLE),
				Arguments.of(completed(CompletionStatus.RETRY_EXC_ERR), HttpStatus.SERVICE_UNAVAILABLE),
				Arguments.of(completed(CompletionStatus.WR_FLUSH_ERR), HttpStatus.SERVICE_UNAVAILABLE),
				Arguments.of(completed(CompletionStatus.REM_ACCESS_ERR), HttpStatus.FORBIDDEN),
				Arguments.of(completed(CompletionStatus.LOC_PROT_ERR), HttpStatus.INTERNAL_SERVER_ERROR));
	}

	@Test
	void whenThereIsACompletionThenItsStatusIsTold() {
		ProblemDetail problem = this.advice
			.rdma(completed(CompletionStatus.RETRY_EXC_ERR), new MockHttpServletResponse())
			.getBody();
		assertThat(problem).isNotNull();
		assertThat(problem.getProperties()).containsEntry("completion", "RETRY_EXC_ERR");
	}

	@Test
	void whenPartOfAnAnswerIsOnItsWayThenNoProblemIsPutIntoIt() {
		MockHttpServletResponse response = new MockHttpServletResponse();
		response.setCommitted(true);
		RdmaException exception = completed(CompletionStatus.RETRY_EXC_ERR);
		assertThatExceptionOfType(RdmaException.class).isThrownBy(() -> this.advice.rdma(exception, response))
			.isSameAs(exception);
	}

	private static RdmaException completed(CompletionStatus status) {
		return RdmaExceptionTranslator.translate(status, CONTEXT);
	}

}
