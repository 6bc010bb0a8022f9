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

import io.rdma.core.exception.RdmaConnectionLostException;
import lombok.RequiredArgsConstructor;

/**
 * Takes what comes over the control channel of a connection that is in use: the peer's
 * orderly end, or its death.
 */
@RequiredArgsConstructor
final class ConnectionControl implements FrameListener {

	private static final String OPERATION = "control";

	private final RdmaConnection connection;

	private final RunningConnections connections;

	@Override
	public void received(Frame frame) {
		if (frame.type() != FrameType.BYE) {
			this.connection.fail(new RdmaConnectionLostException(this.connection.context(OPERATION), problem(frame),
					"Look into the log of the peer, and check that both sides use the same version of this library."));
			return;
		}
		this.connection.life().farewell();
		if (this.connection.life().drain("the peer closes the connection")) {
			this.connections.executeRelease(this::leave);
		}
	}

	private static String problem(Frame frame) {
		if (frame.type() != FrameType.REJECT) {
			return "the peer sent a " + frame.type() + " that was not expected";
		}
		try {
			return frame.toRejection().problem();
		}
		catch (HandshakeException ex) {
			return ex.problem();
		}
	}

	private void leave() {
		long deadline = System.nanoTime() + this.connections.settings().drainTimeout().toNanos();
		this.connection.life().await(this.connection::isIdle, deadline);
		this.connection.channel().send(Frame.bye());
		this.connection.fail(new RdmaConnectionLostException(this.connection.context(OPERATION),
				"the peer closed the connection in order", "It is made again when the peer is back."));
	}

	@Override
	public void ended(String reason) {
		this.connection.life().farewell();
		this.connection.fail(new RdmaConnectionLostException(this.connection.context(OPERATION),
				"the control channel ended, so the peer is gone: " + reason,
				"Look into the log of the peer. The connection is made again by itself."));
	}

}
