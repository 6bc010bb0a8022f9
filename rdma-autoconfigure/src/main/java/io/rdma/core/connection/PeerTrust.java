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

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.OptionalLong;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a peer is run by the user that runs this service: by the owner of its
 * end of the TCP connection, or, where the system does not tell, by its knowledge of a
 * file that only that user can read. Thread-safe.
 */
@RequiredArgsConstructor
final class PeerTrust {

	private static final String REMEDY = "Run both services as the same user. Connections between users and machines "
			+ "need TLS or a token, which this version does not have.";

	private final ProcNetTcp sockets;

	private final SecretFile secret;

	/**
	 * Check the owner of the other end.
	 * @param local the address of this end
	 * @param remote the address of the other end
	 * @return whether the system says that it is the same user; {@code false} if it does
	 * not say anything
	 * @throws HandshakeException if it is another user or another machine
	 */
	boolean isSameUser(@Nullable InetSocketAddress local, @Nullable InetSocketAddress remote)
			throws HandshakeException {
		if (local == null || remote == null || !remote.getAddress().isLoopbackAddress()) {
			throw new HandshakeException(RejectCode.NOT_TRUSTED, "the peer at " + remote + " is not on this machine",
					REMEDY);
		}
		OptionalLong own = this.sockets.ownUser();
		OptionalLong owner = this.sockets.userOf(remote, local);
		if (own.isEmpty() || owner.isEmpty()) {
			return false;
		}
		if (own.getAsLong() != owner.getAsLong()) {
			throw new HandshakeException(RejectCode.NOT_TRUSTED, "the process at " + remote + " is run by user "
					+ owner.getAsLong() + ", this one by user " + own.getAsLong(), REMEDY);
		}
		return true;
	}

	/**
	 * Make the proof of one side: a digest of both hellos, and so of both nonces, that
	 * needs the secret.
	 * @param side the side that makes the proof
	 * @param clientHello the hello of the side that connected
	 * @param serverHello the hello of the side that listens
	 * @return the proof
	 * @throws HandshakeException if there is no secret
	 */
	byte[] prove(Side side, Frame clientHello, Frame serverHello) throws HandshakeException {
		try {
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(new SecretKeySpec(this.secret.read(), mac.getAlgorithm()));
			mac.update(("rdma-spring " + side).getBytes(StandardCharsets.US_ASCII));
			update(mac, clientHello);
			update(mac, serverHello);
			return mac.doFinal();
		}
		catch (IOException ex) {
			throw new HandshakeException(RejectCode.NOT_TRUSTED,
					"the system does not tell which user the peer is, and the file that would prove it cannot be used: "
							+ ex.getMessage(),
					"Make " + this.secret.path() + " readable and writable by the user of both services only.", ex);
		}
		catch (GeneralSecurityException ex) {
			throw new HandshakeException(RejectCode.NOT_TRUSTED, "this Java has no HMAC-SHA-256",
					"Use a Java runtime with the standard security providers.", ex);
		}
	}

	/**
	 * Check the proof of the other side.
	 * @param proof what it sent
	 * @param side the side that sent it
	 * @param clientHello the hello of the side that connected
	 * @param serverHello the hello of the side that listens
	 * @throws HandshakeException if it is wrong
	 */
	void check(byte[] proof, Side side, Frame clientHello, Frame serverHello) throws HandshakeException {
		if (!MessageDigest.isEqual(prove(side, clientHello, serverHello), proof)) {
			throw new HandshakeException(RejectCode.NOT_TRUSTED,
					"the peer did not prove that it is run by the same user", REMEDY);
		}
	}

	private static void update(Mac mac, Frame frame) {
		mac.update(new WireWriter().putInt(frame.body().length).toBytes());
		mac.update(frame.body());
	}

	/**
	 * A side of the handshake.
	 */
	enum Side {

		/** The side that connected. */
		CLIENT,

		/** The side that listens. */
		SERVER

	}

}
