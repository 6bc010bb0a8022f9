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

import io.rdma.core.exception.RdmaAccessDeniedException;
import io.rdma.core.exception.RdmaAlignmentException;
import io.rdma.core.exception.RdmaBoundsException;
import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaConnectException;
import io.rdma.core.exception.RdmaConnectionLostException;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaFlushedException;
import io.rdma.core.exception.RdmaInterruptedException;
import io.rdma.core.exception.RdmaMemoryPoolExhaustedException;
import io.rdma.core.exception.RdmaMessageConversionException;
import io.rdma.core.exception.RdmaMessageTooLargeException;
import io.rdma.core.exception.RdmaPeerUnreachableException;
import io.rdma.core.exception.RdmaQueueFullException;
import io.rdma.core.exception.RdmaReceiverNotReadyException;
import io.rdma.core.exception.RdmaRemoteAccessException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.core.exception.UnknownRdmaPeerException;
import io.rdma.core.exception.UnknownRdmaRegionException;
import io.rdma.demo.atomic.LockHeldException;
import io.rdma.demo.atomic.LockTableFullException;
import io.rdma.demo.blob.BlobCorruptedException;
import io.rdma.demo.blob.BlobNotFoundException;
import io.rdma.demo.blob.BlobTooLargeException;
import io.rdma.demo.blob.DigestMismatchException;
import io.rdma.demo.blob.RegionFullException;
import jakarta.servlet.http.HttpServletResponse;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Makes a problem detail (RFC 9457) of what goes wrong. That of an RDMA operation says
 * what to do about it, and names peer, operation and completion status where there are
 * any.
 */
@RestControllerAdvice
@Slf4j
class ProblemAdvice extends ResponseEntityExceptionHandler {

	@ExceptionHandler
	ResponseEntity<ProblemDetail> rdma(RdmaException exception, HttpServletResponse response) {
		HttpStatus status = status(exception);
		ProblemDetail problem = problem(status, exception, response);
		if (status.is5xxServerError()) {
			logger.warn(exception.getMessage());
		}
		problem.setProperty("remedy", exception.remedy());
		setIfPresent(problem, "peer", exception.peer());
		setIfPresent(problem, "operation", exception.operation());
		setIfPresent(problem, "completion", exception.status());
		ResponseEntity.BodyBuilder answer = ResponseEntity.status(status);
		if (status == HttpStatus.SERVICE_UNAVAILABLE) {
			answer.header(HttpHeaders.RETRY_AFTER, "1");
		}
		return answer.body(problem);
	}

	@ExceptionHandler
	ProblemDetail notFound(BlobNotFoundException exception, HttpServletResponse response) {
		return problem(HttpStatus.NOT_FOUND, exception, response);
	}

	@ExceptionHandler
	ProblemDetail tooLarge(BlobTooLargeException exception, HttpServletResponse response) {
		return problem(HttpStatus.CONTENT_TOO_LARGE, exception, response);
	}

	@ExceptionHandler({ RegionFullException.class, LockTableFullException.class })
	ProblemDetail full(RuntimeException exception, HttpServletResponse response) {
		return problem(HttpStatus.INSUFFICIENT_STORAGE, exception, response);
	}

	@ExceptionHandler
	ProblemDetail held(LockHeldException exception, HttpServletResponse response) {
		return problem(HttpStatus.CONFLICT, exception, response);
	}

	@ExceptionHandler({ DigestMismatchException.class, IllegalArgumentException.class, ArithmeticException.class })
	ProblemDetail badRequest(RuntimeException exception, HttpServletResponse response) {
		return problem(HttpStatus.BAD_REQUEST, exception, response);
	}

	@ExceptionHandler
	ProblemDetail corrupted(BlobCorruptedException exception, HttpServletResponse response) {
		ProblemDetail problem = problem(HttpStatus.INTERNAL_SERVER_ERROR, exception, response);
		logger.error(exception.getMessage());
		return problem;
	}

	private static HttpStatus status(RdmaException exception) {
		if (exception instanceof UnknownRdmaPeerException || exception instanceof UnknownRdmaRegionException) {
			return HttpStatus.NOT_FOUND;
		}
		if (exception instanceof RdmaBoundsException || exception instanceof RdmaAlignmentException
				|| exception instanceof RdmaMessageConversionException) {
			return HttpStatus.BAD_REQUEST;
		}
		if (exception instanceof RdmaAccessDeniedException || exception instanceof RdmaRemoteAccessException) {
			return HttpStatus.FORBIDDEN;
		}
		if (exception instanceof RdmaMessageTooLargeException) {
			return HttpStatus.CONTENT_TOO_LARGE;
		}
		if (exception instanceof RdmaTimeoutException) {
			return HttpStatus.GATEWAY_TIMEOUT;
		}
		if (exception instanceof RdmaConnectException || exception instanceof RdmaConnectionLostException
				|| exception instanceof RdmaPeerUnreachableException
				|| exception instanceof RdmaReceiverNotReadyException || exception instanceof RdmaFlushedException
				|| exception instanceof RdmaQueueFullException || exception instanceof RdmaMemoryPoolExhaustedException
				|| exception instanceof RdmaInterruptedException || exception instanceof RdmaClosedException) {
			return HttpStatus.SERVICE_UNAVAILABLE;
		}
		return HttpStatus.INTERNAL_SERVER_ERROR;
	}

	/**
	 * Describe an exception, unless part of another answer is on its way: then the
	 * exception goes on and breaks the connection, so that the client sees a broken
	 * answer and no text in the middle of its file.
	 */
	private static ProblemDetail problem(HttpStatus status, RuntimeException exception, HttpServletResponse response) {
		if (response.isCommitted()) {
			throw exception;
		}
		return ProblemDetail.forStatusAndDetail(status, exception.getMessage());
	}

	private static void setIfPresent(ProblemDetail problem, String name, @Nullable Object value) {
		if (value != null) {
			problem.setProperty(name, value.toString());
		}
	}

}
