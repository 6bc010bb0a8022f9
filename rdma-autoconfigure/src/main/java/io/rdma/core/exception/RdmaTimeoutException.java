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

import org.jspecify.annotations.Nullable;

/**
 * An operation did not end within its time limit. It may still take effect; its buffer is
 * kept until the device is done with it.
 */
public class RdmaTimeoutException extends RdmaException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param problem what went wrong, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 */
	public RdmaTimeoutException(RdmaErrorContext context, String problem, String remedy) {
		this(context, problem, remedy, null);
	}

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param problem what went wrong, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 * @param cause the cause
	 */
	public RdmaTimeoutException(RdmaErrorContext context, String problem, String remedy, @Nullable Throwable cause) {
		super(context, problem, remedy, cause);
	}

}
