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
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rdma.verbs.HostMemory;
import io.rdma.verbs.StructLayouts;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection over shared memory: requests to the peer with its answers, and
 * requests of the peer with our answers.
 *
 * <p>
 * What concerns our requests is guarded by a lock of the user. What concerns the peer's
 * is done by the thread that watches over shared memory. Everything that is read from
 * memory that the peer can write is what the peer wants it to be.
 */
@Slf4j
public final class SharedConnection {

	private static final SecureRandom RANDOM = new SecureRandom();

	private static final byte[] NOTHING = new byte[0];

	/** A byte through the socket that says: look at the rings. */
	static final byte WORK = 1;

	/** A byte that says: look which files are done with. */
	static final byte FILES_DONE = 2;

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

	private final ByteBuffer bellForRequests = ByteBuffer.allocateDirect(1).put(0, WORK);

	private final ByteBuffer bellForAnswers = ByteBuffer.allocateDirect(1).put(0, WORK);

	private volatile @Nullable SharedMemoryOffer answered;

	private byte[] answer = NOTHING;

	private volatile @Nullable Ring peer;

	private @Nullable PeerFiles peerFiles;

	private boolean sealed;

	private volatile @Nullable SocketChannel socket;

	private volatile boolean closed;

	private volatile boolean lost;

	private volatile boolean orderly;

	// our requests

	private long nextRequest;

	private long nextAnswer;

	// requests of the peer

	private long nextServed;

	private long lastFile;

	private int lastGeneration;

	private @Nullable HostMemory lastMemory;

	private @Nullable HostMemory peerRingMemory;

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
		this.peerFiles = this.shared.acquire(new PeerFiles.Key(place, FileHeader.owner(opened.mapping().header())));
		this.peerRingMemory = ring.memory();
		this.peer = ring;
		if (connects(peerOffer)) {
			attach(this.loop.connect(peerOffer, self, seen));
		}
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
		if (this.peer == null || !peerOffer.equals(this.answered) || !isOwnProof(peerAnswer)) {
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
								this.offer.processNumber(), ATTACH_SECONDS);
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
			if (this.closed || this.socket != null) {
				return false;
			}
			this.socket = channel;
		}
		this.loop.watch(this, channel);
		// what was put into the rings before could not be told
		send(WORK);
		this.attached.countDown();
		return true;
	}

	@Nullable SocketChannel socket() {
		return this.socket;
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

	// our requests, under the lock of the user

	/**
	 * Return whether there is a free slot for a request.
	 * @return whether one can be begun
	 */
	public boolean hasRoom() {
		return this.nextRequest - this.nextAnswer < this.own.slots();
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
	 * Return where the next request is to be written, all but its sequence.
	 * @return its offset in {@link #requests()}
	 */
	public int requestOffset() {
		return this.own.request(this.nextRequest);
	}

	/**
	 * Return where the request in a slot stands.
	 * @param slot the slot
	 * @return its offset in {@link #requests()}
	 */
	public int requestOffset(int slot) {
		return this.own.request(slot);
	}

	/**
	 * Return the memory that requests are written to.
	 * @return a buffer in the byte order of the machine
	 */
	public ByteBuffer requests() {
		return this.own.buffer();
	}

	/**
	 * Return the same memory.
	 * @return the memory
	 */
	public HostMemory requestMemory() {
		return this.own.memory();
	}

	/**
	 * Return the sequence of the next request.
	 * @return from 0
	 */
	public long nextRequest() {
		return this.nextRequest;
	}

	/**
	 * Return the sequence of the next answer.
	 * @return from 0
	 */
	public long nextAnswer() {
		return this.nextAnswer;
	}

	/**
	 * Return the slot of a request.
	 * @param sequence the sequence of the request
	 * @return from 0
	 */
	public int slot(long sequence) {
		return this.own.slot(sequence);
	}

	/**
	 * Return how many slots there are.
	 * @return a power of two
	 */
	public int slots() {
		return this.own.slots();
	}

	/**
	 * Find room in shared memory for the payload of the next request.
	 * @param length how many bytes
	 * @return where in {@link #stagingMemory()}, -1 if some answers must be taken before
	 * @throws IOException if there can be no room
	 */
	public long stage(long length) throws IOException {
		return this.staging.place(this.own.slot(this.nextRequest), length);
	}

	/**
	 * Return the memory that payloads are copied to and from.
	 * @return the memory
	 */
	public HostMemory stagingMemory() {
		return this.staging.memory();
	}

	/**
	 * Return the number of the file with that memory.
	 * @return the number
	 */
	public long stagingFile() {
		return this.staging.file().id();
	}

	/**
	 * Return the descriptor of that file.
	 * @return the descriptor, -1 if it has a name
	 */
	public int stagingDescriptor() {
		return this.staging.file().descriptor();
	}

	/**
	 * Let the peer see the next request. It is not woken for it.
	 */
	public void publishRequest() {
		this.own.publish(this.own.request(this.nextRequest), this.nextRequest);
		this.nextRequest++;
	}

	/**
	 * Return whether the answer to the oldest unanswered request is there.
	 * @return whether it can be taken
	 */
	public boolean hasAnswer() {
		return this.own.isThere(this.own.answer(this.nextAnswer), this.nextAnswer);
	}

	/**
	 * Return whether all requests are answered, or never will be.
	 * @return whether the peer is done with the memory they name
	 */
	public boolean isAnswered() {
		long last = this.nextRequest - 1;
		return last < this.nextAnswer || this.own.isThere(this.own.answer(last), last) || this.lost || this.closed;
	}

	/**
	 * Return whether the answer may be taken: it is there, and the request was sent. One
	 * to a request that was not sent is the peer's fault.
	 * @return whether it can be taken
	 */
	public boolean mayTakeAnswer() {
		if (!hasAnswer()) {
			return false;
		}
		if (this.nextAnswer >= this.nextRequest) {
			loseWithin(false);
			return false;
		}
		return !this.lost;
	}

	/**
	 * Return what the answer says.
	 * @return a number of the user
	 */
	public int answerCode() {
		return answerInt(RingLayout.ANSWER_CODE);
	}

	/**
	 * Return how long to wait, by the answer.
	 * @return a number of the user
	 */
	public int answerTimer() {
		return answerInt(RingLayout.ANSWER_TIMER);
	}

	private int answerInt(int field) {
		return (int) StructLayouts.INT.get(this.own.buffer(), this.own.answer(this.nextAnswer) + field);
	}

	/**
	 * Return the value in the answer.
	 * @return the value
	 */
	public long answerValue() {
		return (long) StructLayouts.LONG.get(this.own.buffer(),
				this.own.answer(this.nextAnswer) + RingLayout.ANSWER_VALUE);
	}

	/**
	 * Be done with an answer and with the slot of its request.
	 */
	public void releaseAnswer() {
		this.staging.release(this.own.slot(this.nextAnswer));
		this.nextAnswer++;
	}

	// requests of the peer, on the thread that watches over shared memory

	/**
	 * Copy the next request of the peer.
	 * @param into where its first {@link RingLayout#REQUEST_SIZE} bytes are copied to,
	 * small payload not included
	 * @return whether there was one
	 */
	public boolean takeRequest(ByteBuffer into) {
		Ring ring = this.peer;
		if (ring == null) {
			return false;
		}
		int at = ring.request(this.nextServed);
		if (!ring.isThere(at, this.nextServed)) {
			return false;
		}
		into.put(0, ring.buffer(), at, RingLayout.SEGMENTS);
		int segments = Math.min(RingLayout.MAX_SEGMENTS,
				Math.max(0, (int) StructLayouts.INT.get(into, RingLayout.SEGMENT_COUNT)));
		into.put(RingLayout.SEGMENTS, ring.buffer(), at + RingLayout.SEGMENTS, segments * RingLayout.SEGMENT_SIZE);
		return true;
	}

	/**
	 * Find memory that a request of the peer names.
	 * @param file the number of the file
	 * @param descriptor its descriptor in the process of the peer
	 * @return the memory, {@code null} if the file cannot be mapped
	 */
	public @Nullable HostMemory memoryOfPeer(long file, int descriptor) {
		if (file == 0) {
			return this.peerRingMemory;
		}
		PeerFiles files = this.peerFiles;
		if (files == null) {
			return null;
		}
		// what another connection to the same process let go must not be used here
		if (file == this.lastFile && this.lastGeneration == files.generation()) {
			return this.lastMemory;
		}
		HostMemory memory = files.find(file, descriptor);
		if (memory != null) {
			this.lastFile = file;
			this.lastGeneration = files.generation();
			this.lastMemory = memory;
		}
		return memory;
	}

	/**
	 * Answer the request that was taken.
	 * @param code what {@link #answerCode()} returns on the other side
	 * @param timer what {@link #answerTimer()} returns
	 * @param value what {@link #answerValue()} returns
	 */
	public void answer(int code, int timer, long value) {
		Ring ring = this.peer;
		if (ring == null) {
			return;
		}
		int at = ring.answer(this.nextServed);
		StructLayouts.INT.set(ring.buffer(), at + RingLayout.ANSWER_CODE, code);
		StructLayouts.INT.set(ring.buffer(), at + RingLayout.ANSWER_TIMER, timer);
		StructLayouts.LONG.set(ring.buffer(), at + RingLayout.ANSWER_VALUE, value);
		ring.publish(at, this.nextServed);
		this.nextServed++;
	}

	/**
	 * Wake the peer if it sleeps, after requests were published; under the lock of the
	 * user.
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
		Ring ring = this.peer;
		if (ring == null) {
			return;
		}
		VarHandle.fullFence();
		if (ring.isArmed()) {
			ring.arm(false);
			send(bell.position(0));
		}
	}

	/**
	 * Tell the peer something that is rare.
	 * @param what the byte to send
	 */
	void send(byte what) {
		send(ByteBuffer.wrap(new byte[] { what }));
	}

	private void send(ByteBuffer what) {
		SocketChannel channel = this.socket;
		if (channel == null) {
			return;
		}
		try {
			// if there is no room the peer has bytes enough to be woken by
			channel.write(what);
		}
		catch (IOException ex) {
			// the thread that reads the socket is told too, and says what becomes of it
			logger.trace("The doorbell of a peer cannot be rung", ex);
		}
	}

	// the thread that watches over shared memory

	boolean work() {
		return !this.closed && !this.lost && this.user.work();
	}

	/**
	 * Ask to be woken, unless there is something to do.
	 * @return whether the thread may sleep
	 */
	boolean arm() {
		if (this.closed || this.lost) {
			return true;
		}
		this.own.arm(true);
		VarHandle.fullFence();
		Ring ring = this.peer;
		boolean busy = hasAnswer() || (ring != null && ring.isThere(ring.request(this.nextServed), this.nextServed));
		if (busy) {
			this.own.arm(false);
		}
		if (!this.sealed) {
			MemoryFaults.settle();
		}
		return !busy;
	}

	void disarm() {
		this.own.arm(false);
	}

	void sweep() {
		PeerFiles files = this.peerFiles;
		if (files != null) {
			this.lastFile = 0;
			this.lastMemory = null;
			files.sweep();
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
		boolean said = false;
		try {
			Ring ring = this.peer;
			said = ring != null && ring.isDone();
			MemoryFaults.settle();
		}
		catch (InternalError ex) {
			logger.debug("The memory of a peer that is gone is gone too", ex);
		}
		SharedMemoryOffer known = this.answered;
		if (!said && known != null) {
			this.loop.removeLeftover(Path.of(known.directory()));
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
			if (this.closed || this.lost) {
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
		SocketChannel channel = this.socket;
		if (channel != null) {
			this.loop.close(channel);
		}
	}

	/**
	 * Let go of the memory of the peer. On the thread that uses it.
	 */
	private void releasePeer() {
		PeerFiles files = this.peerFiles;
		this.peerFiles = null;
		this.lastFile = 0;
		this.lastMemory = null;
		this.peerRingMemory = null;
		this.peer = null;
		if (files != null && this.shared.release(files)) {
			files.clear();
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
		this.shared.close(this.ringFile);
		closeSocket();
		this.attached.countDown();
		this.loop.execute(this::releasePeer);
	}

}
