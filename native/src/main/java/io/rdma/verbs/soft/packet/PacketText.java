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

import java.nio.ByteBuffer;

/**
 * Packets as text, for debug logs and test failures. Any bytes can be described. Payload
 * is not shown, only its length.
 */
public final class PacketText {

	private PacketText() {
	}

	/**
	 * Describe a packet in one line.
	 * @param packet the buffer
	 * @param at the index of the base transport header
	 * @param length the length in bytes; any number
	 * @return the text
	 */
	public static String describe(ByteBuffer packet, int at, int length) {
		DropReason reason = PacketCheck.check(packet, at, length);
		if (reason == DropReason.TOO_SHORT) {
			return "too short, " + length + " bytes";
		}
		int opcode = Bth.opcode(packet, at);
		StringBuilder text = new StringBuilder(128);
		text.append(Opcode.name(opcode));
		appendBth(text, packet, at);
		if (reason == null) {
			appendExtensions(text, packet, at, opcode);
			if (Opcode.hasPayload(opcode)) {
				text.append(", payload ").append(PacketCheck.payloadLength(packet, at, length)).append(" bytes");
			}
		}
		else {
			appendFault(text, packet, at, length, reason);
		}
		return text.toString();
	}

	private static void appendBth(StringBuilder text, ByteBuffer packet, int at) {
		text.append(" to QP 0x").append(Integer.toHexString(Bth.destinationQp(packet, at)));
		text.append(", PSN ").append(Bth.psn(packet, at));
		if (Bth.isAckRequested(packet, at)) {
			text.append(", acknowledgement requested");
		}
		if (Bth.isSolicited(packet, at)) {
			text.append(", solicited");
		}
	}

	private static void appendExtensions(StringBuilder text, ByteBuffer packet, int at, int opcode) {
		if (Opcode.hasReth(opcode)) {
			appendMemory(text, Reth.address(packet, at), Reth.key(packet, at));
			text.append(", length ").append(Reth.length(packet, at));
		}
		if (Opcode.hasAtomicEth(opcode)) {
			appendMemory(text, AtomicEth.address(packet, at), AtomicEth.key(packet, at));
			text.append(", swap or add 0x").append(Long.toHexString(AtomicEth.swapOrAdd(packet, at)));
			text.append(", compare 0x").append(Long.toHexString(AtomicEth.compare(packet, at)));
		}
		if (Opcode.hasAeth(opcode)) {
			text.append(", ").append(Syndrome.name(Aeth.syndrome(packet, at)));
			text.append(", MSN ").append(Aeth.msn(packet, at));
		}
		if (opcode == Opcode.ATOMIC_ACKNOWLEDGE) {
			text.append(", original 0x").append(Long.toHexString(AtomicAckEth.original(packet, at)));
		}
		if (Opcode.hasImmediate(opcode)) {
			text.append(", immediate 0x").append(Integer.toHexString(ImmediateData.value(packet, at, opcode)));
		}
		if (Opcode.hasInvalidate(opcode)) {
			text.append(", invalidates key 0x").append(Integer.toHexString(Ieth.key(packet, at)));
		}
	}

	private static void appendMemory(StringBuilder text, long address, int key) {
		text.append(", address 0x").append(Long.toHexString(address));
		text.append(", key 0x").append(Integer.toHexString(key));
	}

	private static void appendFault(StringBuilder text, ByteBuffer packet, int at, int length, DropReason reason) {
		text.append(", wrong: ").append(reason.label()).append(" (");
		text.append(fault(packet, at, length, reason)).append(')');
	}

	private static String fault(ByteBuffer packet, int at, int length, DropReason reason) {
		return switch (reason) {
			case OPCODE -> "0x%02x".formatted(Bth.opcode(packet, at));
			case VERSION -> Integer.toString(Bth.transportVersion(packet, at));
			case PKEY -> "0x%04x".formatted(Bth.pkey(packet, at));
			default -> length + " bytes, pad " + Bth.pad(packet, at);
		};
	}

}
