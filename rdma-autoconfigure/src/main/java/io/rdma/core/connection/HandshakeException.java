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
