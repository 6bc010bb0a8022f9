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

package io.rdma.verbs.soft.shm;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection over shared memory, from its offer to its end. Thread-safe, but
 * what it carries is guarded as its two halves say.
 */
@Slf4j
public final class SharedConnection {

	private static final SecureRandom RANDOM = new SecureRandom();

	private static final byte[] NOTHING = new byte[0];

	/** How long a peer may take to connect its socket once it has answered. */
	private static final long ATTACH_SECONDS = 5;

	private final SharedMemory shared;

	private final SharedMemoryLoop loop;

	private final ConnectionUser user;

	private final SharedFile ringFile;

	private final Ring own;

	private final SharedMemoryOffer offer;

	private final byte[] proof = new byte[RingLayout.PROOF_SIZE];

	private final CountDownLatch attached = new CountDownLatch(1);

	private final StagingArea staging;

	private final OutgoingRequests outgoing;

	private final Doorbell doorbell = new Doorbell();

	private final ByteBuffer bellForRequests = Doorbell.newBell();

	private final ByteBuffer bellForAnswers = Doorbell.newBell();

	private volatile @Nullable SharedMemoryOffer answered;

	private byte[] answer = NOTHING;

	private volatile @Nullable IncomingRequests incoming;

	private boolean sealed;

	private volatile boolean closed;

	private volatile boolean lost;

	private volatile boolean orderly;

	/** Whether this is among those that the thread looks at. Its own. */
	private boolean active;

	SharedConnection(SharedMemory shared, SharedMemoryLoop loop, ConnectionUser user, SharedFile ringFile, int slots,
			SharedMemoryOffer offer) {
		this.shared = shared;
		this.loop = loop;
		this.user = user;
		this.ringFile = ringFile;
		this.own = new Ring(ringFile.mapping(), slots);
		this.offer = offer;
		this.staging = new StagingArea(shared, new long[slots]);
		this.outgoing = new OutgoingRequests(this, this.own, this.staging);
		RANDOM.nextBytes(this.proof);
		this.own.proof(this.proof);
		this.own.arm(true);
	}

	/**
	 * Return what the peer needs to know.
	 * @return the offer
	 */
	public SharedMemoryOffer offer() {
		return this.offer;
	}

	/**
	 * Return our requests.
	 * @return our half
	 */
	public OutgoingRequests outgoing() {
		return this.outgoing;
	}

	/**
	 * Return the requests of the peer.
	 * @return its half, {@code null} before there is one and after it is gone
	 */
	public @Nullable IncomingRequests incoming() {
		return this.incoming;
	}

	/**
	 * Return the number of the process of the peer.
	 * @return the number, for messages
	 */
	public long peerProcess() {
		SharedMemoryOffer known = this.answered;
		return (known != null) ? known.processNumber() : 0;
	}

	/**
	 * Return the number that the peer is known by.
	 * @return the number, 0 if nobody was answered
	 */
	public int peerEndpoint() {
		SharedMemoryOffer known = this.answered;
		return (known != null) ? known.endpoint() : 0;
	}

	/**
	 * Look at the memory that a peer offers. The first peer that is answered is the peer
	 * of the connection.
	 * @param peerOffer its offer
	 * @return what proves to the peer that this side sees its memory; empty if it does
	 * not
	 */
	public byte[] answer(SharedMemoryOffer peerOffer) {
		synchronized (this) {
			if (this.answered == null && !this.closed && !this.lost) {
				this.answered = peerOffer;
				try {
					this.answer = accept(peerOffer);
				}
				catch (IOException | RuntimeException ex) {
					logger.debug("The shared memory of process {} cannot be used", peerOffer.processNumber(), ex);
				}
			}
			return peerOffer.equals(this.answered) ? this.answer.clone() : NOTHING;
		}
	}

	private byte[] accept(SharedMemoryOffer peerOffer) throws IOException {
		int self = this.shared.processOwner();
		if (peerOffer.sealed()) {
			check(Path.of("/proc", Long.toString(peerOffer.processNumber())), self);
		}
		check(Path.of(peerOffer.directory()), self);
		PeerFiles.Place place = new PeerFiles.Place(peerOffer.sealed(), peerOffer.processNumber(),
				peerOffer.directory(), self);
		PeerFiles.Opened opened = PeerFiles.open(place, peerOffer.fileId(), peerOffer.descriptor());
		try {
			return accept(peerOffer, self, place, opened);
		}
		catch (IOException | RuntimeException | Error ex) {
			opened.mapping().release();
			throw ex;
		}
	}

	private byte[] accept(SharedMemoryOffer peerOffer, int self, PeerFiles.Place place, PeerFiles.Opened opened)
			throws IOException {
		if (opened.mapping().memory().length() != RingLayout.size(peerOffer.slots())) {
			throw new IOException("Rings with " + peerOffer.slots() + " slots have not "
					+ opened.mapping().memory().length() + " bytes");
		}
		Ring ring = new Ring(opened.mapping(), peerOffer.slots());
		if (peerOffer.equals(this.offer)) {
			throw new IOException("A queue pair that is its own peer needs no shared memory");
		}
		byte[] seen;
		try {
			seen = ring.proof();
			MemoryFaults.settle();
		}
		catch (InternalError ex) {
			throw new IOException("The file with the rings was truncated", ex);
		}
		this.sealed = opened.sealed() && this.offer.sealed();
		this.own.sealed(this.sealed);
		ring.sealed(this.sealed);
		if (connects(peerOffer)) {
			// before the peer is told that its memory is seen: it takes another path if
			// this fails
			attach(this.loop.connect(peerOffer, self, seen));
		}
		this.incoming = new IncomingRequests(ring,
				this.shared.acquire(new PeerFiles.Key(place, FileHeader.owner(opened.mapping().header()))));
		return seen;
	}

	private static void check(Path path, int self) throws IOException {
		int other = Owners.of(path);
		if (other != self) {
			throw new IOException(path + " belongs to user " + other + ", and this process is of user " + self);
		}
	}

	/**
	 * Return whether it is this side that connects the socket: both come to opposite
	 * results.
	 */
	private boolean connects(SharedMemoryOffer peerOffer) {
		return Arrays.compare(this.offer.encode(), peerOffer.encode()) < 0;
	}

	/**
	 * Check what a peer answered, and wait for its socket.
	 * @param peerOffer its offer
	 * @param peerAnswer its answer
	 * @return whether both sides see the same memory
	 */
	public boolean isProvenBy(SharedMemoryOffer peerOffer, byte[] peerAnswer) {
		if (this.incoming == null || !peerOffer.equals(this.answered) || !isOwnProof(peerAnswer)) {
			return false;
		}
		// both have mapped what they need
		this.shared.hide(this.ringFile);
		awaitSocket();
		return true;
	}

	private void awaitSocket() {
		boolean interrupted = false;
		try {
			long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ATTACH_SECONDS);
			while (true) {
				try {
					if (!this.attached.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
						logger.warn("Process {} shares memory but did not connect its socket within {} s",
								peerProcess(), ATTACH_SECONDS);
						lose(false);
					}
					return;
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	boolean isOwnProof(byte[] claimed) {
		return MessageDigest.isEqual(this.proof, claimed);
	}

	/**
	 * Take the socket that the doorbell is rung through.
	 * @param channel the socket, connected and not blocking
	 * @return whether it is wanted
	 */
	boolean attach(SocketChannel channel) {
		synchronized (this) {
			if (this.closed || this.doorbell.socket() != null) {
				return false;
			}
			this.doorbell.attach(channel);
		}
		this.loop.watch(this, channel);
		// what was put into the rings before could not be told
		this.doorbell.send(Doorbell.WORK);
		this.attached.countDown();
		return true;
	}

	/**
	 * Wake the peer if it sleeps, after requests were published; under the lock that
	 * guards them.
	 */
	public void ringForRequests() {
		ring(this.bellForRequests);
	}

	/**
	 * Wake the peer if it sleeps, after answers were published; on the thread that
	 * watches over shared memory.
	 */
	public void ringForAnswers() {
		ring(this.bellForAnswers);
	}

	private void ring(ByteBuffer bell) {
		IncomingRequests known = this.incoming;
		if (known != null) {
			this.doorbell.ring(known.ring(), bell);
		}
	}

	void tellOfDoneFiles() {
		this.doorbell.send(Doorbell.FILES_DONE);
	}

	/**
	 * Return whether nobody can make the memory of either side shorter.
	 * @return whether accesses to it cannot fail
	 */
	public boolean isSealed() {
		return this.sealed;
	}

	/**
	 * Return whether the peer is gone.
	 * @return whether nothing comes from it any more
	 */
	public boolean isLost() {
		return this.lost;
	}

	/**
	 * Return whether the peer said that it goes.
	 * @return whether it has not died
	 */
	public boolean isOrderly() {
		return this.orderly;
	}

	/**
	 * Return whether nothing goes on any more.
	 * @return whether one of both sides is gone
	 */
	boolean isOver() {
		return this.closed || this.lost;
	}

	// the thread that watches over shared memory

	boolean work() {
		if (isOver()) {
			return false;
		}
		boolean worked = this.user.work();
		if (!this.sealed) {
			// a fault of this memory must not be taken for one of another peer
			MemoryFaults.settle();
		}
		return worked;
	}

	/**
	 * Ask to be woken, unless there is something to do.
	 * @return whether the thread may sleep
	 */
	boolean arm() {
		if (isOver()) {
			return true;
		}
		this.own.arm(true);
		VarHandle.fullFence();
		IncomingRequests known = this.incoming;
		boolean busy = this.outgoing.hasAnswer() || (known != null && known.isThere());
		if (busy) {
			this.own.arm(false);
		}
		if (!this.sealed) {
			MemoryFaults.settle();
		}
		return !busy;
	}

	void sweep() {
		IncomingRequests known = this.incoming;
		if (known != null) {
			known.sweep();
		}
	}

	boolean isActive() {
		return this.active;
	}

	void active(boolean nowActive) {
		this.active = nowActive;
	}

	/**
	 * Note that the peer is gone, or that it does what no peer does, and tell the user.
	 */
	void peerGone() {
		if (isOver()) {
			// what ended is our side of it
			return;
		}
		boolean said = false;
		try {
			IncomingRequests known = this.incoming;
			said = known != null && known.ring().isDone();
			MemoryFaults.settle();
		}
		catch (InternalError ex) {
			logger.debug("The memory of a peer that is gone is gone too", ex);
		}
		SharedMemoryOffer peerOffer = this.answered;
		if (!said && peerOffer != null) {
			this.loop.removeLeftover(Path.of(peerOffer.directory()));
		}
		lose(said);
	}

	/**
	 * Give the peer up.
	 * @param saidSo whether it said that it goes
	 */
	public void lose(boolean saidSo) {
		if (loseWithin(saidSo)) {
			this.user.lost(saidSo);
		}
	}

	/**
	 * Give the peer up, for a user that knows what to do about it.
	 * @param saidSo whether it said that it goes
	 * @return whether it was not given up before
	 */
	public boolean loseWithin(boolean saidSo) {
		synchronized (this) {
			if (isOver()) {
				return false;
			}
			this.orderly = saidSo;
			this.lost = true;
		}
		closeSocket();
		this.loop.execute(this::releasePeer);
		return true;
	}

	private void closeSocket() {
		SocketChannel channel = this.doorbell.socket();
		if (channel != null) {
			this.loop.close(channel);
		}
	}

	/**
	 * Let go of the memory of the peer. On the thread that uses it.
	 */
	private void releasePeer() {
		IncomingRequests known = this.incoming;
		this.incoming = null;
		if (known != null) {
			known.forget();
			known.ring().release();
			if (this.shared.release(known.files())) {
				known.files().clear();
			}
		}
	}

	/**
	 * End the connection. The peer is told.
	 */
	public void close() {
		synchronized (this) {
			if (this.closed) {
				return;
			}
			this.closed = true;
		}
		this.loop.remove(this);
		this.staging.close();
		this.shared.discard(this.ringFile);
		closeSocket();
		this.attached.countDown();
		this.loop.execute(this::releasePeer);
	}

}
