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

import io.rdma.core.exception.RdmaConfigurationException;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a peer may connect: the system tells that it is run by the user that
 * runs this service, by the owner of its end of the TCP connection, or it knows a secret
 * that is in a file which only that user can read. Thread-safe.
 */
@RequiredArgsConstructor
final class PeerTrust {

	/** Length of a proof. */
	static final int PROOF_BYTES = 32;

	private final ProcNetTcp sockets;

	private final SecretFile secret;

	/**
	 * Check the owner of the other end.
	 * @param local the address of this end
	 * @param remote the address of the other end
	 * @return whether the system says that it is the same user; {@code false} if it does
	 * not say anything, as of another machine, so that the peer has to prove it
	 * @throws HandshakeException if it is another user
	 */
	boolean isSameUser(@Nullable InetSocketAddress local, @Nullable InetSocketAddress remote)
			throws HandshakeException {
		if (local == null || remote == null || !OwnAddresses.contains(remote)) {
			return false;
		}
		OptionalLong own = this.sockets.ownUser();
		OptionalLong owner = this.sockets.userOf(remote, local);
		if (own.isEmpty() || owner.isEmpty()) {
			return false;
		}
		if (own.getAsLong() != owner.getAsLong()) {
			throw new HandshakeException(RejectCode.NOT_TRUSTED,
					"the process at " + remote + " is run by user " + owner.getAsLong() + ", this one by user "
							+ own.getAsLong(),
					"Run both services as the same user. Connections between users of one machine need TLS or a "
							+ "token, which this version does not have.");
		}
		return true;
	}

	/**
	 * Check that there is a secret, before peers are asked for it.
	 * @throws RdmaConfigurationException if there is none that can be used
	 */
	void checkSecret() {
		try {
			this.secret.read();
		}
		catch (IOException ex) {
			throw new RdmaConfigurationException(SecretFile.PROPERTY, this.secret.path().toString(),
					"peers prove themselves with the secret in this file, which cannot be used: " + ex.getMessage(),
					this.secret.remedy(), ex);
		}
	}

	SecretFile secret() {
		return this.secret;
	}

	/**
	 * Make a proof: a digest that needs the secret.
	 * @param label what is proven
	 * @param parts what the digest is of
	 * @return the proof
	 * @throws HandshakeException if there is no secret
	 */
	byte[] prove(String label, byte[]... parts) throws HandshakeException {
		try {
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(new SecretKeySpec(this.secret.read(), mac.getAlgorithm()));
			update(mac, ("rdma-spring " + label).getBytes(StandardCharsets.US_ASCII));
			for (byte[] part : parts) {
				update(mac, part);
			}
			return mac.doFinal();
		}
		catch (IOException ex) {
			// the problem is told to the peer, which need not know our files
			throw new HandshakeException(RejectCode.NOT_TRUSTED,
					"the system does not tell which user the other side is, and there is no secret that would prove it",
					ex.getMessage() + ". " + this.secret.remedy(), ex);
		}
		catch (GeneralSecurityException ex) {
			throw new HandshakeException(RejectCode.NOT_TRUSTED, "this Java has no HMAC-SHA-256",
					"Use a Java runtime with the standard security providers.", ex);
		}
	}

	/**
	 * Check a proof of the other side.
	 * @param proof what it sent
	 * @param expected what it should have sent
	 * @throws HandshakeException if it is wrong
	 */
	void check(byte[] proof, byte[] expected) throws HandshakeException {
		if (!MessageDigest.isEqual(expected, proof)) {
			throw notProven();
		}
	}

	/**
	 * Return what is thrown if the other side does not know the secret.
	 * @return the exception
	 */
	HandshakeException notProven() {
		return new HandshakeException(RejectCode.NOT_TRUSTED,
				"the peer did not prove that it has the same secret as this side", this.secret.remedy());
	}

	/**
	 * Add to a refusal what this side can do about it.
	 * @param refusal why the peer did not trust this side
	 * @return the refusal that names the secret of this side
	 */
	HandshakeException explain(HandshakeException refusal) {
		return new HandshakeException(refusal.code(), refusal.problem(), this.secret.remedy(), refusal);
	}

	private static void update(Mac mac, byte[] part) {
		mac.update(new WireWriter().putInt(part.length).toBytes());
		mac.update(part);
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
