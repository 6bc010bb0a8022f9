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

package io.rdma.core.connection;

import io.rdma.core.exception.RdmaConnectException;
import io.rdma.core.exception.RdmaErrorContext;
import lombok.Getter;
import lombok.experimental.Accessors;
import org.jspecify.annotations.Nullable;

/**
 * A handshake failed. Made into a new {@link RdmaConnectException} for everyone who waits
 * for it.
 */
@Getter
@Accessors(fluent = true)
final class HandshakeException extends Exception {

	private static final long serialVersionUID = 1L;

	private final RejectCode code;

	private final String problem;

	private final String remedy;

	HandshakeException(RejectCode code, String problem, String remedy) {
		this(code, problem, remedy, null);
	}

	HandshakeException(RejectCode code, String problem, String remedy, @Nullable Throwable cause) {
		super(problem, cause);
		this.code = code;
		this.problem = problem;
		this.remedy = remedy;
	}

	RdmaConnectException toConnectException(String peer) {
		return new RdmaConnectException(RdmaErrorContext.peer(peer).withOperation("connect"), this.problem, this.remedy,
				this);
	}

}
