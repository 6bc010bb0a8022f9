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

import java.util.Arrays;

import io.rdma.core.connection.PeerTrust.Side;
import lombok.RequiredArgsConstructor;

/**
 * Proves that what a side says comes from somebody who knows the secret, and was said in
 * this handshake: a sealed frame ends with a digest of its content and of both hellos,
 * which hold the nonces and the offers of both sides. For one handshake.
 */
@RequiredArgsConstructor
final class FrameSeal {

	private final PeerTrust trust;

	private final Side own;

	private final Frame clientHello;

	private final Frame serverHello;

	/**
	 * Seal a frame of this side.
	 * @param frame the frame
	 * @return the frame with its proof
	 * @throws HandshakeException if there is no secret
	 */
	Frame seal(Frame frame) throws HandshakeException {
		byte[] content = frame.body();
		return new Frame(frame.type(),
				new WireWriter().putBytes(content).putBytes(prove(this.own, frame.type(), content)).toBytes());
	}

	/**
	 * Check a frame of the other side.
	 * @param frame the frame with its proof
	 * @return the frame without it
	 * @throws HandshakeException if the proof is wrong, or there is no secret
	 */
	Frame open(Frame frame) throws HandshakeException {
		int length = frame.body().length - PeerTrust.PROOF_BYTES;
		if (length < 0) {
			throw this.trust.notProven();
		}
		byte[] content = Arrays.copyOf(frame.body(), length);
		byte[] proof = Arrays.copyOfRange(frame.body(), length, frame.body().length);
		Side other = (this.own == Side.CLIENT) ? Side.SERVER : Side.CLIENT;
		this.trust.check(proof, prove(other, frame.type(), content));
		return new Frame(frame.type(), content);
	}

	private byte[] prove(Side side, FrameType type, byte[] content) throws HandshakeException {
		return this.trust.prove(side + " " + type, this.clientHello.body(), this.serverHello.body(), content);
	}

}
