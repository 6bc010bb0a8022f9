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

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import lombok.Getter;
import lombok.experimental.Accessors;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedRuntimeException;

/**
 * Root of the exceptions of RDMA operations. The message says what was done, with which
 * peer and over which queue pair, what went wrong, and what to do about it. A thread that
 * waits gets the exception with its own stack trace where that is possible; one that was
 * created on another thread can be the cause of several.
 */
@Getter
@Accessors(fluent = true)
public class RdmaException extends NestedRuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * What is known about the operation.
	 */
	private final RdmaErrorContext context;

	/**
	 * What to do about it, one or more sentences.
	 */
	private final String remedy;

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param problem what went wrong, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 */
	public RdmaException(RdmaErrorContext context, String problem, String remedy) {
		this(context, problem, remedy, null);
	}

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param problem what went wrong, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 * @param cause the cause
	 */
	public RdmaException(RdmaErrorContext context, String problem, String remedy, @Nullable Throwable cause) {
		super(message(context, problem, remedy), cause);
		this.context = context;
		this.remedy = remedy;
	}

	/**
	 * Return the name of the peer.
	 * @return the name, {@code null} if no peer is involved
	 */
	public @Nullable String peer() {
		return this.context.peer();
	}

	/**
	 * Return the number of the local queue pair.
	 * @return the number, {@code null} if none is involved
	 */
	public @Nullable Integer qpNumber() {
		return this.context.qpNumber();
	}

	/**
	 * Return what was done.
	 * @return for example {@code WRITE}, {@code null} if not known
	 */
	public @Nullable String operation() {
		return this.context.operation();
	}

	/**
	 * Return the status of the work completion.
	 * @return the status, {@code null} if it did not come to a completion
	 */
	public @Nullable CompletionStatus status() {
		return this.context.status();
	}

	/**
	 * Return the error number of the verb.
	 * @return the number, {@code null} if no verb failed
	 */
	public @Nullable Errno errno() {
		return this.context.errno();
	}

	private static String message(RdmaErrorContext context, String problem, String remedy) {
		String start = context.describe();
		return (start.isEmpty() ? "" : start + ": ") + problem + ". " + remedy;
	}

}
