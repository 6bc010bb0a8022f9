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

import java.util.UUID;

import io.rdma.verbs.Gid;
import io.rdma.verbs.GidType;
import io.rdma.verbs.LinkLayer;
import io.rdma.verbs.PathMtu;
import lombok.Builder;

/**
 * The first frame of each side: who it is and what it can do. Later versions may append
 * fields, which this one ignores.
 *
 * @param minVersion the oldest version of the handshake that it speaks
 * @param version the newest version of the handshake that it speaks
 * @param nonce 32 bytes drawn at random for this handshake
 * @param proofWanted whether the other side must prove that it is the same user
 * @param name the name of the service
 * @param host which process it is
 * @param deviceKind the kind of device, {@code verbs} or {@code soft}
 * @param deviceName the name of the device
 * @param deviceGuid the GUID of the device
 * @param linkLayer the link layer of the port
 * @param lid the LID of the port
 * @param gid the GID
 * @param gidType the type of the GID
 * @param mtu the largest path MTU
 * @param pkeyIndex the index into the P_Key table
 * @param trafficClass the traffic class
 * @param queuePairNumber the number of the queue pair
 * @param psn the first PSN that it sends
 * @param sendDepth how many operations it has outstanding at most
 * @param receiveDepth how many receives it posts
 * @param receiveBufferSize the size of each in bytes
 * @param maxMessageSize the largest message that it accepts in bytes
 * @param maxTransferSize the largest message of its port in bytes
 * @param maxReadAtomicAsRequester how many READ and atomic requests it has under way at
 * most
 * @param maxReadAtomicAsResponder how many READ and atomic requests it accepts at once
 * @param pathOffer what its device offers beyond the address, empty if nothing
 */
@Builder
@SuppressWarnings("ArrayRecordComponent")
record Hello(int minVersion, int version, byte[] nonce, boolean proofWanted, String name, HostIdentity host,
		String deviceKind, String deviceName, long deviceGuid, LinkLayer linkLayer, int lid, Gid gid, GidType gidType,
		PathMtu mtu, int pkeyIndex, int trafficClass, int queuePairNumber, int psn, int sendDepth, int receiveDepth,
		int receiveBufferSize, long maxMessageSize, long maxTransferSize, int maxReadAtomicAsRequester,
		int maxReadAtomicAsResponder, byte[] pathOffer) {

	/** Starts each hello: ASCII for "RDSP". */
	static final int MAGIC = 0x52445350;

	/** The version of the handshake that is written here. */
	static final int VERSION = 2;

	static final int NONCE_BYTES = 32;

	static final int MAX_NAME_BYTES = 128;

	/** Largest offer of a path, and largest answer to one, in bytes. */
	static final int MAX_PATH_BYTES = 1024;

	private static final int MAX_24_BIT = 0xff_ffff;

	QueuePairIdentity identity() {
		return new QueuePairIdentity(this.deviceKind, this.deviceGuid, this.lid, this.gid, this.queuePairNumber);
	}

	Frame toFrame() {
		WireWriter writer = new WireWriter().putInt(MAGIC)
			.putShort(this.minVersion)
			.putShort(this.version)
			.putBytes(this.nonce)
			.putByte(this.proofWanted ? 1 : 0)
			.putText(this.name)
			.putText(this.host.hostId())
			.putLong(this.host.pid())
			.putLong(this.host.processId().getMostSignificantBits())
			.putLong(this.host.processId().getLeastSignificantBits())
			.putText(this.deviceKind)
			.putText(this.deviceName)
			.putLong(this.deviceGuid)
			.putByte(this.linkLayer.ordinal())
			.putShort(this.lid)
			.putBytes(this.gid.toBytes())
			.putByte(this.gidType.ordinal())
			.putByte(this.mtu.code())
			.putShort(this.pkeyIndex)
			.putByte(this.trafficClass)
			.putInt(this.queuePairNumber)
			.putInt(this.psn)
			.putInt(this.sendDepth)
			.putInt(this.receiveDepth)
			.putInt(this.receiveBufferSize)
			.putLong(this.maxMessageSize)
			.putLong(this.maxTransferSize)
			.putShort(this.maxReadAtomicAsRequester)
			.putShort(this.maxReadAtomicAsResponder)
			.putShort(this.pathOffer.length)
			.putBytes(this.pathOffer);
		return new Frame(FrameType.HELLO, writer.toBytes());
	}

	static Hello from(Frame frame) throws HandshakeException {
		WireReader reader = new WireReader(frame.body());
		int magic = reader.getInt();
		if (magic != MAGIC) {
			throw WireReader.malformed("it starts with 0x%08x and not with 0x%08x".formatted(magic, MAGIC));
		}
		int minVersion = reader.getShort();
		int version = reader.getShort();
		if (minVersion > VERSION || version < VERSION) {
			throw new HandshakeException(RejectCode.VERSION,
					"the peer speaks versions " + minVersion + " to " + version
							+ " of the handshake, this side speaks version " + VERSION,
					"Use versions of this library on both sides that have one in common.");
		}
		Hello hello = builder().minVersion(minVersion)
			.version(version)
			.nonce(reader.getBytes(NONCE_BYTES))
			.proofWanted(reader.getByte() != 0)
			.name(reader.getText("the name", MAX_NAME_BYTES))
			.host(new HostIdentity(reader.getText("the host identity", 128), reader.getLong(),
					new UUID(reader.getLong(), reader.getLong())))
			.deviceKind(reader.getText("the kind of device", 32))
			.deviceName(reader.getText("the name of the device", 128))
			.deviceGuid(reader.getLong())
			.linkLayer(reader.getConstant("the link layer", LinkLayer.class))
			.lid(reader.getShort())
			.gid(Gid.of(reader.getBytes(16)))
			.gidType(reader.getConstant("the GID type", GidType.class))
			.mtu(mtu(reader.getByte()))
			.pkeyIndex(reader.getShort())
			.trafficClass(reader.getByte())
			.queuePairNumber(reader.getInt("the queue pair number", 0, MAX_24_BIT))
			.psn(reader.getInt("the PSN", 0, MAX_24_BIT))
			.sendDepth(reader.getInt("the send depth", 1, 1 << 20))
			.receiveDepth(reader.getInt("the receive depth", 2, 1 << 20))
			.receiveBufferSize(reader.getInt("the receive buffer size", MessageHeader.MIN_BUFFER, Integer.MAX_VALUE))
			.maxMessageSize(reader.getLong())
			.maxTransferSize(reader.getLong())
			.maxReadAtomicAsRequester(reader.getShort())
			.maxReadAtomicAsResponder(reader.getShort())
			.pathOffer(reader.getBlob("the offer of a path", MAX_PATH_BYTES))
			.build();
		if (hello.name.isBlank()) {
			throw WireReader.malformed("the name is empty");
		}
		if (hello.maxMessageSize < 1 || hello.maxTransferSize < MessageHeader.MIN_BUFFER) {
			throw WireReader.malformed("a size limit is too small");
		}
		return hello;
	}

	private static PathMtu mtu(int code) throws HandshakeException {
		try {
			return PathMtu.of(code);
		}
		catch (IllegalArgumentException ex) {
			throw WireReader.malformed("the MTU has the unknown value " + code);
		}
	}

	/**
	 * Return device, GID, MTU and traffic class: what a message about traffic that does
	 * not come through must tell of a side.
	 * @return the text
	 */
	String describePath() {
		return "%s device %s, GID %s (%s), MTU %d, traffic class %d, queue pair 0x%06x".formatted(this.deviceKind,
				this.deviceName, this.gid, this.gidType.label(), this.mtu.bytes(), this.trafficClass,
				this.queuePairNumber);
	}

}
