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
package io.rdma.verbs.soft.net;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * An unconnected UDP socket that is bound to one address. One thread may receive; any may
 * send, wake up and close. It is a network: what is sent can be lost.
 */
public interface DatagramPort extends AutoCloseable {

	/**
	 * Return the address that the socket is bound to.
	 * @return the address, with the port that the system chose if none was asked for
	 */
	InetSocketAddress localAddress();

	/**
	 * Return whether this makes and takes exact RoCEv2: packets over IPv4 leave with
	 * identification 0 and the don't-fragment flag, which their check value covers;
	 * packets over IPv6 arrive though their UDP checksum is 0.
	 * @return whether they do, for the family of the local address
	 */
	boolean isExact();

	/**
	 * Receive what has arrived, from slot 0 on, or wait for it. A datagram that is longer
	 * than a slot is dropped, and {@linkplain #oversized() counted}.
	 * @param batch where to put packets and their senders
	 * @param timeoutNanos how long to wait, in nanoseconds: 0 not at all, below 0 for
	 * ever. Where the system waits in milliseconds only, it is rounded up
	 * @return the number of packets; 0 after a wake-up or the timeout, and at any time
	 * for no reason
	 * @throws java.nio.channels.ClosedChannelException if the port is or was closed
	 * @throws IOException if the socket can be used no more. What the network says of
	 * packets that were sent is no reason
	 */
	int receive(PacketBatch batch, long timeoutNanos) throws IOException;

	/**
	 * Send packets as long as the socket takes them, without waiting. One that the system
	 * refuses, for example since it has no route, counts as taken: it is lost, as it
	 * could have been on its way, and {@linkplain #unsendable() counted}.
	 * @param batch packets with length and address
	 * @param from the slot of the first
	 * @param to the slot after the last
	 * @return how many were taken, from the first on; fewer than all if the socket is
	 * full: see {@link #awaitWritable}
	 * @throws java.nio.channels.ClosedChannelException if the port is closed
	 * @throws IOException if the socket can be used no more
	 */
	int send(PacketBatch batch, int from, int to) throws IOException;

	/**
	 * Wait until the socket takes packets again.
	 * @param timeoutNanos how long to wait, in nanoseconds: 0 not at all, below 0 for
	 * ever
	 * @return whether it does; it can be full again at once, with other threads sending
	 * @throws java.nio.channels.ClosedChannelException if the port is or was closed
	 * @throws IOException if the socket can be used no more
	 */
	boolean awaitWritable(long timeoutNanos) throws IOException;

	/**
	 * Make the call of {@link #receive} that waits, or else the next that would wait,
	 * return. What happened before this is seen by the thread that returns. Does nothing
	 * on a closed port.
	 */
	void wakeUp();

	/**
	 * Return how many datagrams were dropped since they were longer than a slot.
	 * @return the number, which only grows
	 */
	default long oversized() {
		return 0;
	}

	/**
	 * Return how many packets were lost since the system refused to send them.
	 * @return the number, which only grows
	 */
	default long unsendable() {
		return 0;
	}

	/**
	 * Close the socket. Threads that wait in other methods return; when this returns, the
	 * address is free again. Closing twice is harmless.
	 */
	@Override
	void close();

}
