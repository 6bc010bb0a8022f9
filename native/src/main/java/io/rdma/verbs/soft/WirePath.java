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

package io.rdma.verbs.soft;

import io.rdma.verbs.GlobalRoute;
import io.rdma.verbs.PathKind;
import io.rdma.verbs.jni.NativeSocket;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.experimental.Accessors;

/**
 * The way to a queue pair that packets reach.
 */
@Getter(AccessLevel.PACKAGE)
@Accessors(fluent = true)
final class WirePath implements RemotePath {

	/** What a socket has anyway. */
	private static final int USUAL_HOP_LIMIT = NativeSocket.HOP_LIMIT;

	private final WireEngine engine;

	/** Where packets go and must come from, as a GID. */
	private final long addressHigh;

	private final long addressLow;

	/** The UDP port that packets go to. */
	private final int port;

	private final int peerNumber;

	private final int trafficClass;

	/** The hop limit, 0 for the usual one. */
	private final int hopLimit;

	/** Whether the peer is a software device too, as the handshake told. */
	private final boolean toSoftwareDevice;

	WirePath(WireEngine engine, GlobalRoute route, int port, int peerNumber, boolean toSoftwareDevice) {
		this.toSoftwareDevice = toSoftwareDevice;
		this.engine = engine;
		this.addressHigh = route.destinationGid().high();
		this.addressLow = route.destinationGid().low();
		this.trafficClass = route.trafficClass();
		this.hopLimit = (route.hopLimit() == USUAL_HOP_LIMIT) ? 0 : route.hopLimit();
		this.port = port;
		this.peerNumber = peerNumber;
	}

	@Override
	public PathKind kind() {
		return PathKind.WIRE;
	}

	@Override
	public boolean isReverseOf(Path other) {
		return this == other;
	}

	@Override
	public RemoteSender newSender(Requester requester) {
		return new WireSender(requester, this);
	}

	@Override
	public void close() {
	}

	/**
	 * Return whether the identification that the ICRC of a packet was computed with can
	 * be that of the peer. A software device always uses 0, so that with one as the peer
	 * all 32 bits of the ICRC are checked, and not only 16.
	 * @param identification the identification, below 0 if the packet is damaged
	 * @return whether the packet is intact
	 */
	boolean isIntact(int identification) {
		return this.toSoftwareDevice ? identification == 0 : identification >= 0;
	}

	/**
	 * Return whether a packet comes from the peer. A software device sends from the port
	 * that it has, others from any.
	 * @param high the upper half of the address
	 * @param low the lower half of the address
	 * @param fromPort the UDP port
	 * @return whether it does
	 */
	boolean isFrom(long high, long low, int fromPort) {
		return this.addressHigh == high && this.addressLow == low && (!this.toSoftwareDevice || this.port == fromPort);
	}

}
