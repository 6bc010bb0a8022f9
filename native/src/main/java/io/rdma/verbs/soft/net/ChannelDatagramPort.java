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
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A port on a channel of Java. It waits in milliseconds, has a system call for each
 * packet and allocates.
 */
final class ChannelDatagramPort implements DatagramPort {

	/** The longest datagram there can be. */
	private static final int MAX_DATAGRAM = 0xffff;

	private static final long IPV4_MAPPED = 0xffffL << 32;

	private final DatagramChannel channel;

	private final InetSocketAddress localAddress;

	private final boolean exact;

	private final Selector readable;

	private final Selector writable;

	private final ByteBuffer arrived = ByteBuffer.allocateDirect(MAX_DATAGRAM);

	private final LostPackets lost = new LostPackets();

	private volatile @Nullable Peer lastPeer;

	private ChannelDatagramPort(DatagramChannel channel, Selector readable, Selector writable) throws IOException {
		this.channel = channel;
		this.readable = readable;
		this.writable = writable;
		this.localAddress = (InetSocketAddress) channel.getLocalAddress();
		this.exact = forbidFragments(channel) && !(this.localAddress.getAddress() instanceof Inet6Address)
				&& System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
	}

	static ChannelDatagramPort open(InetSocketAddress address) throws IOException {
		DatagramChannel channel;
		try {
			channel = DatagramChannel.open((address.getAddress() instanceof Inet6Address) ? StandardProtocolFamily.INET6
					: StandardProtocolFamily.INET);
		}
		catch (UnsupportedOperationException ex) {
			throw BindFailure.of(address, "this machine, or its Java, has no IPv6");
		}
		Selector readable = null;
		Selector writable = null;
		try {
			channel.configureBlocking(false);
			channel.setOption(StandardSocketOptions.SO_RCVBUF, DatagramPorts.BUFFER_SIZE);
			channel.setOption(StandardSocketOptions.SO_SNDBUF, DatagramPorts.BUFFER_SIZE);
			bind(channel, address);
			readable = channel.provider().openSelector();
			writable = channel.provider().openSelector();
			channel.register(readable, SelectionKey.OP_READ);
			channel.register(writable, SelectionKey.OP_WRITE);
			return new ChannelDatagramPort(channel, readable, writable);
		}
		catch (IOException | RuntimeException ex) {
			close(channel, readable, writable);
			throw ex;
		}
	}

	private static void bind(DatagramChannel channel, InetSocketAddress address) throws IOException {
		try {
			channel.bind(address);
		}
		catch (IOException ex) {
			throw BindFailure.of(address, ex);
		}
	}

	/**
	 * Set the don't-fragment flag, with which Linux gives identification 0 on an
	 * unconnected socket. Java has the option since version 19.
	 */
	@SuppressWarnings("unchecked")
	private static boolean forbidFragments(DatagramChannel channel) {
		for (SocketOption<?> option : channel.supportedOptions()) {
			if ("IP_DONTFRAGMENT".equals(option.name()) && option.type() == Boolean.class) {
				try {
					channel.setOption((SocketOption<Boolean>) option, true);
					return true;
				}
				catch (IOException | UnsupportedOperationException ex) {
					return false;
				}
			}
		}
		return false;
	}

	@Override
	public InetSocketAddress localAddress() {
		return this.localAddress;
	}

	@Override
	public boolean isExact() {
		return this.exact;
	}

	@Override
	public int receive(PacketBatch batch, long timeoutNanos) throws IOException {
		int received = take(batch);
		if (received > 0 || timeoutNanos == 0) {
			return received;
		}
		select(this.readable, timeoutNanos);
		return take(batch);
	}

	private int take(PacketBatch batch) throws IOException {
		int received = 0;
		while (received < batch.slots()) {
			InetSocketAddress sender = (InetSocketAddress) this.channel.receive(this.arrived.clear());
			if (sender == null) {
				break;
			}
			int length = this.arrived.flip().remaining();
			if (length > batch.slotSize()) {
				this.lost.oversized(1);
				continue;
			}
			batch.memory().put(batch.offset(received), this.arrived, 0, length);
			batch.length(received, length);
			setAddress(batch, received, sender);
			received++;
		}
		return received;
	}

	private static void setAddress(PacketBatch batch, int slot, InetSocketAddress sender) {
		ByteBuffer address = ByteBuffer.wrap(sender.getAddress().getAddress());
		if (address.remaining() == Integer.BYTES) {
			batch.address(slot, 0, IPV4_MAPPED | Integer.toUnsignedLong(address.getInt()), sender.getPort());
		}
		else {
			batch.address(slot, address.getLong(), address.getLong(), sender.getPort());
		}
	}

	@Override
	public int send(PacketBatch batch, int from, int to) throws IOException {
		Objects.checkFromToIndex(from, to, batch.slots());
		ByteBuffer packets = batch.memory().duplicate();
		for (int slot = from; slot < to; slot++) {
			int offset = batch.offset(slot);
			int length = batch.length(slot);
			packets.limit(offset + length).position(offset);
			try {
				if (this.channel.send(packets, peer(batch, slot)) == 0 && length > 0) {
					return slot - from;
				}
			}
			catch (ClosedChannelException ex) {
				throw ex;
			}
			catch (IOException | UnsupportedAddressTypeException ex) {
				if (!this.channel.isOpen()) {
					throw new ClosedChannelException();
				}
				this.lost.unsendable(batch, slot, this.localAddress, (ex instanceof IOException)
						? String.valueOf(ex.getMessage()) : "the address is of the other family");
			}
		}
		return to - from;
	}

	private InetSocketAddress peer(PacketBatch batch, int slot) throws IOException {
		Peer last = this.lastPeer;
		if (last == null || !last.isOf(batch, slot)) {
			last = Peer.of(batch, slot, this.localAddress.getAddress());
			this.lastPeer = last;
		}
		return last.address();
	}

	@Override
	public boolean awaitWritable(long timeoutNanos) throws IOException {
		return select(this.writable, timeoutNanos) > 0;
	}

	private int select(Selector selector, long timeoutNanos) throws IOException {
		try {
			int ready;
			if (timeoutNanos == 0) {
				ready = selector.selectNow();
			}
			else {
				// 0 is without an end there
				long millis = (timeoutNanos < 0) ? 0
						: TimeUnit.NANOSECONDS.toMillis(Math.min(timeoutNanos, Long.MAX_VALUE - 999_999) + 999_999);
				ready = selector.select(millis);
			}
			selector.selectedKeys().clear();
			if (!this.channel.isOpen()) {
				throw new ClosedChannelException();
			}
			return ready;
		}
		catch (ClosedSelectorException ex) {
			throw new ClosedChannelException();
		}
	}

	@Override
	public void wakeUp() {
		this.readable.wakeup();
	}

	@Override
	public long oversized() {
		return this.lost.oversized();
	}

	@Override
	public long unsendable() {
		return this.lost.unsendable();
	}

	@Override
	public void close() {
		close(this.channel, this.readable, this.writable);
	}

	/** The descriptor is closed with the last selector that has the channel. */
	private static void close(@Nullable AutoCloseable... resources) {
		for (AutoCloseable resource : resources) {
			try {
				if (resource != null) {
					resource.close();
				}
			}
			catch (Exception ex) {
				throw new IllegalStateException("A socket cannot be closed", ex);
			}
		}
	}

	@Override
	public String toString() {
		return "UDP channel on " + this.localAddress;
	}

	private record Peer(long high, long low, InetSocketAddress address) {

		static Peer of(PacketBatch batch, int slot, InetAddress local) throws IOException {
			long high = batch.addressHigh(slot);
			long low = batch.addressLow(slot);
			byte[] bytes = ByteBuffer.allocate(16).putLong(high).putLong(low).array();
			InetAddress host = InetAddress.getByAddress(bytes);
			if (host.isLinkLocalAddress() && local instanceof Inet6Address v6 && v6.getScopeId() != 0) {
				// a GID does not tell the interface, which is that of the local address
				host = Inet6Address.getByAddress(null, bytes, v6.getScopeId());
			}
			return new Peer(high, low, new InetSocketAddress(host, batch.port(slot)));
		}

		boolean isOf(PacketBatch batch, int slot) {
			return this.high == batch.addressHigh(slot) && this.low == batch.addressLow(slot)
					&& this.address.getPort() == batch.port(slot);
		}

	}

}
