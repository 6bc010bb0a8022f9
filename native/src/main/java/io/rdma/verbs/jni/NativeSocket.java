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
package io.rdma.verbs.jni;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import lombok.Getter;
import lombok.experimental.Accessors;
import org.jspecify.annotations.Nullable;

/**
 * An unconnected UDP socket of Linux, bound to one address, that takes and gives many
 * packets with one system call. Packets are in slots of one size at the start of a direct
 * buffer; behind them, at the next multiple of 8, is an entry for each of
 * {@value #ENTRY_SIZE} bytes, all big-endian: 16 bytes of address in the form of a GID, 4
 * of length, 1 of traffic class, 1 of hop limit, 2 of port. Traffic class and hop limit
 * are for packets that are sent, 0 for traffic class 0 and hop limit {@value #HOP_LIMIT}.
 *
 * <p>
 * One thread may receive; any may do everything else. The descriptors are closed when no
 * thread is in a call that uses them, since the system gives their numbers to others at
 * once.
 */
public final class NativeSocket implements AutoCloseable {

	/** The most packets that one call takes or gives. */
	public static final int MAX_PACKETS = 64;

	/** The size of an entry in bytes. */
	public static final int ENTRY_SIZE = 24;

	/** The hop limit of packets that say nothing else. */
	public static final int HOP_LIMIT = 64;

	private static final int SOL_SOCKET = 1;

	private static final int SO_SNDBUF = 7;

	private static final int SO_RCVBUF = 8;

	private static final int SO_SNDBUFFORCE = 32;

	private static final int SO_RCVBUFFORCE = 33;

	private static final int IPPROTO_IP = 0;

	private static final int IP_TTL = 2;

	private static final int IP_MTU_DISCOVER = 10;

	private static final int IPPROTO_UDP = 17;

	private static final int UDP_NO_CHECK6_RX = 102;

	private static final int IPPROTO_IPV6 = 41;

	private static final int IPV6_UNICAST_HOPS = 16;

	private static final int IPV6_MTU_DISCOVER = 23;

	private static final int IPV6_V6ONLY = 26;

	/**
	 * Set the don't-fragment flag, with which an unconnected socket gives identification
	 * 0, and take no notice of messages that the path is narrower: as RoCE hardware does,
	 * and a forged one cannot stop the traffic.
	 */
	private static final int PMTUDISC_PROBE = 3;

	/** How many errors in a row are taken as what the network says of earlier packets. */
	private static final int MAX_ERRORS = 64;

	/** What {@link #users} is, plus their number, once the socket is to be closed. */
	private static final int CLOSED = Integer.MIN_VALUE;

	@Getter
	@Accessors(fluent = true)
	private final InetSocketAddress localAddress;

	/**
	 * Whether packets over IPv4 leave with identification 0 and the don't-fragment flag,
	 * and those over IPv6 arrive though their checksum is 0.
	 */
	@Getter
	private final boolean exact;

	private final int fd;

	private final int wakeup;

	private final int end;

	private final AtomicInteger users = new AtomicInteger();

	private final AtomicBoolean woken = new AtomicBoolean();

	private volatile @Nullable Thread closer;

	private NativeSocket(InetSocketAddress localAddress, boolean exact, int fd, int wakeup, int end) {
		this.localAddress = localAddress;
		this.exact = exact;
		this.fd = fd;
		this.wakeup = wakeup;
		this.end = end;
	}

	/**
	 * Open a socket and bind it.
	 * @param address the address to bind to, port 0 for any
	 * @param bufferSize how many bytes the system is to buffer each way, which it may
	 * lower
	 * @return the socket
	 * @throws SystemCallException if the system refuses; that of {@code bind} if the
	 * address cannot be had
	 * @throws NativeLibraryException if the native library cannot be used
	 */
	public static NativeSocket open(InetSocketAddress address, int bufferSize) throws SystemCallException {
		SharedLibrary.require();
		InetAddress host = address.getAddress();
		int[] fds = { -1, -1, -1 };
		try {
			fds[0] = SystemCallException.check(SystemCalls.openSocket(host instanceof Inet6Address), "socket");
			fds[1] = SystemCallException.check(SystemCalls.createWakeup(), "eventfd");
			fds[2] = SystemCallException.check(SystemCalls.createWakeup(), "eventfd");
			boolean exact = configure(fds[0], host instanceof Inet6Address, bufferSize);
			int scope = (host instanceof Inet6Address v6) ? v6.getScopeId() : 0;
			SystemCallException.check(SystemCalls.bind(fds[0], bytes(host), scope, address.getPort()), "bind");
			int port = SystemCallException.check(SystemCalls.localPort(fds[0]), "getsockname");
			return new NativeSocket(new InetSocketAddress(host, port), exact, fds[0], fds[1], fds[2]);
		}
		catch (SystemCallException ex) {
			for (int fd : fds) {
				if (fd >= 0) {
					SystemCalls.close(fd);
				}
			}
			throw ex;
		}
	}

	private static byte[] bytes(InetAddress host) {
		byte[] address = host.getAddress();
		if (host instanceof Inet4Address) {
			return new byte[] { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff, address[0], address[1],
					address[2], address[3] };
		}
		return address;
	}

	/**
	 * Set what makes exact packets. Checksums are sent, though RoCE hardware sends 0:
	 * receivers take both, one over IPv6 may refuse 0, and over IPv4 they make up for the
	 * half of the check value that goes into finding the identification.
	 */
	private static boolean configure(int fd, boolean v6, int bufferSize) throws SystemCallException {
		grow(fd, SO_RCVBUFFORCE, SO_RCVBUF, bufferSize);
		grow(fd, SO_SNDBUFFORCE, SO_SNDBUF, bufferSize);
		SystemCallException.check(
				SystemCalls.setOption(fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_UNICAST_HOPS : IP_TTL, HOP_LIMIT),
				"setsockopt hop limit");
		if (!v6) {
			return SystemCalls.setOption(fd, IPPROTO_IP, IP_MTU_DISCOVER, PMTUDISC_PROBE) == 0;
		}
		SystemCallException.check(SystemCalls.setOption(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1), "setsockopt IPV6_V6ONLY");
		return SystemCalls.setOption(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, PMTUDISC_PROBE) == 0
				&& SystemCalls.setOption(fd, IPPROTO_UDP, UDP_NO_CHECK6_RX, 1) == 0;
	}

	private static void grow(int fd, int beyondLimit, int withinLimit, int size) throws SystemCallException {
		if (SystemCalls.setOption(fd, SOL_SOCKET, beyondLimit, size) < 0) {
			SystemCallException.check(SystemCalls.setOption(fd, SOL_SOCKET, withinLimit, size), "setsockopt buffer");
		}
	}

	/**
	 * Receive packets, from slot 0 on, or wait for them.
	 * @param block slots and entries
	 * @param slots the number of slots
	 * @param slotSize the size of a slot in bytes
	 * @param timeoutNanos how long to wait, below 0 for ever
	 * @return the number of packets, 0 if there are none yet; the length of one that was
	 * longer than its slot is below 0
	 * @throws ClosedChannelException if the socket is or was closed
	 * @throws SystemCallException if it can be used no more
	 */
	public int receive(ByteBuffer block, int slots, int slotSize, long timeoutNanos)
			throws ClosedChannelException, SystemCallException {
		check(block, slots, slotSize);
		enter();
		try {
			int received = take(block, slots, slotSize);
			if (received > 0 || timeoutNanos == 0) {
				return received;
			}
			int ready = SystemCalls.await(this.fd, false, this.wakeup, timeoutNanos);
			if (ready == -LinuxError.EINTR) {
				return 0;
			}
			SystemCallException.check(ready, "ppoll");
			if ((ready & SystemCalls.WOKEN) != 0) {
				// in this order: a wake-up between the two is not written, but seen
				SystemCalls.drain(this.wakeup);
				this.woken.getAndSet(false);
			}
			if (this.users.get() < 0) {
				throw new ClosedChannelException();
			}
			return ((ready & SystemCalls.READY) != 0) ? take(block, slots, slotSize) : 0;
		}
		finally {
			leave();
		}
	}

	private int take(ByteBuffer block, int slots, int slotSize) throws SystemCallException {
		for (int errors = 0;; errors++) {
			int received = SystemCalls.receive(this.fd, block, slots, slotSize);
			if (received >= 0) {
				return received;
			}
			int errno = -received;
			if (errno == LinuxError.EAGAIN) {
				return 0;
			}
			if (isBroken(errno) || errno == LinuxError.EINVAL || errors == MAX_ERRORS) {
				throw new SystemCallException("recvmmsg", errno);
			}
		}
	}

	/**
	 * Send packets, without waiting. One whose length is above that of its slot is cut.
	 * @param block slots and entries
	 * @param slots the number of slots
	 * @param slotSize the size of a slot in bytes
	 * @param from the slot of the first
	 * @param to the slot after the last
	 * @return how many were taken, at least 1; or a negative error number, which is of
	 * the first packet or of one before, and {@link LinuxError#EAGAIN} if there is no
	 * room
	 * @throws ClosedChannelException if the socket is closed
	 * @throws SystemCallException if it can be used no more
	 */
	public int send(ByteBuffer block, int slots, int slotSize, int from, int to)
			throws ClosedChannelException, SystemCallException {
		check(block, slots, slotSize);
		Objects.checkFromToIndex(from, to, slots);
		enter();
		try {
			int sent = SystemCalls.send(this.fd, block, slots, slotSize, from, to);
			if (sent < 0 && isBroken(-sent)) {
				throw new SystemCallException("sendmmsg", -sent);
			}
			return sent;
		}
		finally {
			leave();
		}
	}

	private static boolean isBroken(int errno) {
		return errno == LinuxError.EBADF || errno == LinuxError.EFAULT || errno == LinuxError.ENOTSOCK;
	}

	/**
	 * Wait until there is room to send.
	 * @param timeoutNanos how long to wait, below 0 for ever
	 * @return whether there is
	 * @throws ClosedChannelException if the socket is or was closed
	 * @throws SystemCallException if it can be used no more
	 */
	public boolean awaitWritable(long timeoutNanos) throws ClosedChannelException, SystemCallException {
		enter();
		try {
			int ready = SystemCalls.await(this.fd, true, this.end, timeoutNanos);
			if (this.users.get() < 0) {
				throw new ClosedChannelException();
			}
			if (ready == -LinuxError.EINTR) {
				return false;
			}
			return (SystemCallException.check(ready, "ppoll") & SystemCalls.READY) != 0;
		}
		finally {
			leave();
		}
	}

	/**
	 * Make the thread that waits in {@link #receive}, or else the next that would wait,
	 * return. Does nothing on a closed socket.
	 */
	public void wakeUp() {
		if (this.woken.getAndSet(true)) {
			return;
		}
		if (this.users.getAndIncrement() >= 0) {
			SystemCalls.wakeup(this.wakeup);
		}
		leave();
	}

	/**
	 * Close the socket. Threads that wait in other methods return; when this returns, the
	 * address is free again. Closing twice is harmless.
	 */
	@Override
	public synchronized void close() {
		if (this.users.get() < 0) {
			return;
		}
		this.closer = Thread.currentThread();
		this.users.getAndAdd(CLOSED);
		SystemCalls.wakeup(this.wakeup);
		SystemCalls.wakeup(this.end);
		boolean interrupted = false;
		while (this.users.get() != CLOSED) {
			LockSupport.park(this);
			interrupted |= Thread.interrupted();
		}
		SystemCalls.close(this.fd);
		SystemCalls.close(this.wakeup);
		SystemCalls.close(this.end);
		this.closer = null;
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private void enter() throws ClosedChannelException {
		if (this.users.getAndIncrement() < 0) {
			leave();
			throw new ClosedChannelException();
		}
	}

	private void leave() {
		if (this.users.decrementAndGet() == CLOSED) {
			LockSupport.unpark(this.closer);
		}
	}

	private static void check(ByteBuffer block, int slots, int slotSize) {
		if (!block.isDirect() || block.isReadOnly() || slots < 1 || slotSize < 1
				|| (long) entries(slots, slotSize) + (long) slots * ENTRY_SIZE > block.capacity()) {
			throw new IllegalArgumentException(
					"No direct buffer for " + slots + " slots of " + slotSize + " bytes: " + block);
		}
	}

	private static int entries(int slots, int slotSize) {
		return Math.addExact(Math.multiplyExact(slots, slotSize), 7) & ~7;
	}

	@Override
	public String toString() {
		return "UDP socket on " + this.localAddress;
	}

}
