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

import lombok.Getter;
import lombok.RequiredArgsConstructor;
import lombok.experimental.Accessors;

/**
 * Why a packet that came was thrown away without an answer.
 */
@Getter
@Accessors(fluent = true)
@RequiredArgsConstructor
public enum DropReason {

	/** Shorter than the shortest packet there is. */
	TOO_SHORT("too-short", "Packets that were shorter than any packet can be"),

	/** An operation code that is not of the reliable connected transport, or unknown. */
	OPCODE("opcode", "Packets of an operation that this device does not know"),

	/** Another version of the transport. */
	VERSION("version", "Packets of another version of the transport"),

	/** The length does not fit the operation code and the pad. */
	LENGTH("length", "Packets whose length does not fit what they say they are"),

	/** Another partition than the default one. */
	PKEY("pkey", "Packets of another partition"),

	/** Queue pair zero, which is no queue pair of an application. */
	QP_NUMBER("qp-number", "Packets to queue pair 0"),

	/** There is no such queue pair. */
	UNKNOWN_QP("unknown-qp", "Packets to a queue pair that does not exist"),

	/** The queue pair takes no such packet in its state. */
	QP_STATE("qp-state", "Packets that the state of the queue pair does not allow"),

	/** Not from the address of the peer of the queue pair. */
	SOURCE("source", "Packets from another address than that of the peer"),

	/**
	 * A sequence number that is neither expected nor of a request that may be repeated.
	 */
	PSN("psn", "Packets with a sequence number far outside of what is expected"),

	/**
	 * Ahead of what is expected: one before it was lost, and this one comes again too.
	 */
	GAP("gap", "Packets that came after one that was lost"),

	/** Carried out before, and answered again if the answer was lost. */
	DUPLICATE("duplicate", "Packets that had come before"),

	/** Damaged on the way, or from something that changes addresses or ports. */
	ICRC("icrc", "Packets with a wrong checksum, damaged or changed on the way"),

	/** The port of the device is down. */
	PORT_DOWN("port-down", "Packets that came while the port was down"),

	/** The queue pair is reached by another path than the wire, or by none yet. */
	NOT_CONNECTED("not-connected", "Packets to a queue pair that does not use the wire");

	/**
	 * The reason in the form of a metric's tag: lower case, words joined by hyphens.
	 */
	private final String label;

	/**
	 * What is counted under this reason, one sentence for an operator.
	 */
	private final String description;

}
