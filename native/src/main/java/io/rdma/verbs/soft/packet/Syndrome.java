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

package io.rdma.verbs.soft.packet;

/**
 * What an acknowledgement says: that the request was carried out, that there is no
 * receive for it yet, or why it was refused.
 */
public final class Syndrome {

	/** Carried out; nothing is said about how many more the responder can take. */
	public static final int ACK = 0x1f;

	/** A packet is missing: the sequence number is ahead of the expected one. */
	public static final int NAK_PSN_SEQUENCE = 0x60;

	/** The queue pair does not allow the request, or its form is wrong. */
	public static final int NAK_INVALID_REQUEST = 0x61;

	/** The memory of the responder may not be used so. */
	public static final int NAK_REMOTE_ACCESS = 0x62;

	/** The responder failed by its own fault. */
	public static final int NAK_REMOTE_OPERATION = 0x63;

	private static final int KIND_MASK = 0xe0;

	private static final int VALUE_MASK = 0x1f;

	private static final int KIND_ACK = 0x00;

	private static final int KIND_RNR = 0x20;

	private static final int KIND_NAK = 0x60;

	private Syndrome() {
	}

	/**
	 * Return the syndrome that says that there is no receive for the request yet.
	 * @param timer the code of the time to wait before the next try, 0 to 31
	 * @return the syndrome
	 */
	public static int rnr(int timer) {
		return KIND_RNR | (timer & VALUE_MASK);
	}

	/**
	 * Return whether the request was carried out, whatever is said about credits.
	 * @param syndrome the syndrome
	 * @return whether it is a positive acknowledgement
	 */
	public static boolean isAck(int syndrome) {
		return (syndrome & KIND_MASK) == KIND_ACK;
	}

	/**
	 * Return whether there is no receive for the request yet.
	 * @param syndrome the syndrome
	 * @return whether it says "receiver not ready"
	 */
	public static boolean isRnr(int syndrome) {
		return (syndrome & KIND_MASK) == KIND_RNR;
	}

	/**
	 * Return whether the request was refused, for a reason known here or not.
	 * @param syndrome the syndrome
	 * @return whether it is a negative acknowledgement
	 */
	public static boolean isNak(int syndrome) {
		return (syndrome & KIND_MASK) == KIND_NAK;
	}

	/**
	 * Return how long to wait before the next try.
	 * @param syndrome a syndrome of which {@link #isRnr} is true
	 * @return the code of the time, 0 to 31
	 */
	public static int rnrTimer(int syndrome) {
		return syndrome & VALUE_MASK;
	}

	/**
	 * Return a syndrome as text, for people.
	 * @param syndrome the syndrome
	 * @return the text
	 */
	public static String name(int syndrome) {
		if (isAck(syndrome)) {
			return (syndrome == ACK) ? "ACK" : "ACK(credits " + (syndrome & VALUE_MASK) + ")";
		}
		if (isRnr(syndrome)) {
			return "RNR(timer " + rnrTimer(syndrome) + ")";
		}
		return switch (syndrome) {
			case NAK_PSN_SEQUENCE -> "NAK_PSN_SEQUENCE";
			case NAK_INVALID_REQUEST -> "NAK_INVALID_REQUEST";
			case NAK_REMOTE_ACCESS -> "NAK_REMOTE_ACCESS";
			case NAK_REMOTE_OPERATION -> "NAK_REMOTE_OPERATION";
			default -> "UNKNOWN(0x%02x)".formatted(syndrome);
		};
	}

}
