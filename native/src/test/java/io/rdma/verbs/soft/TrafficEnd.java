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

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AddressVector;
import io.rdma.verbs.CompletionOpcode;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GlobalRoute;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequest;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.WorkCompletion;
import io.rdma.verbs.WorkCompletions;
import io.rdma.verbs.soft.TrafficPlan.Kind;
import io.rdma.verbs.soft.TrafficPlan.Step;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * One end of {@link MixedTraffic}, for one thread.
 */
final class TrafficEnd implements AutoCloseable {

	/** How long nothing at all may happen. */
	private static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("rdma.test.patience", 20));

	private static final Set<AccessFlag> REMOTE = EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ,
			AccessFlag.REMOTE_ATOMIC);

	private static final Set<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE,
			AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

	/** How many steps are under way. */
	private static final int WINDOW = 16;

	/** A step has two requests at most. */
	private static final int SENDS = 2 * WINDOW;

	/** Fewer than the other end may send, so that now and then it finds none. */
	private static final int RECEIVES = 12;

	/**
	 * One more than there are receives: the next message can begin to arrive before it
	 * finds that it has none.
	 */
	private static final int WRITTEN_MESSAGES = RECEIVES + 1;

	private static final int PLACE = TrafficPlan.MAX_LENGTH + TrafficPlan.MAX_SHIFT + 1;

	private static final int ADDED = 0;

	private static final int SWAPPED = Long.BYTES;

	// where everything is in the memory

	private static final long OUT = 4096;

	private static final long IN = OUT + (long) WINDOW * PLACE;

	private static final long WRITTEN = IN + (long) WINDOW * PLACE;

	private static final long MESSAGES = WRITTEN + (long) WINDOW * PLACE;

	private static final long RECEIVED = MESSAGES + (long) WRITTEN_MESSAGES * PLACE;

	private static final long SIZE = RECEIVED + (long) RECEIVES * PLACE;

	/** How long to wait when there is nothing to do, which is doubled each time. */
	private static final long SHORTEST_PAUSE = 20_000;

	private static final long LONGEST_PAUSE = 500_000;

	private final MixedTraffic traffic;

	private final DeviceContext context;

	private final int gidIndex;

	private final int firstPsn;

	private final ProtectionDomain domain;

	private final MemoryRegion memory;

	private final CompletionQueue sends;

	private final CompletionQueue receives;

	private final QueuePair queuePair;

	private final SendWorkRequests requests;

	private final ReceiveWorkRequests receiveRequests;

	private final WorkCompletions completions;

	private final ByteBuffer pattern;

	private final TrafficPlan own;

	private final TrafficPlan others;

	private final Queue<Step> underWay = new ArrayDeque<>();

	private @Nullable Step nextStep;

	private @Nullable Step expected;

	private @Nullable TrafficEnd peer;

	private long done;

	private long bytes;

	private long added;

	private long swapped;

	TrafficEnd(MixedTraffic traffic, DeviceContext context, int gidIndex, long ownSeed, long othersSeed, int firstPsn) {
		this.traffic = traffic;
		this.context = context;
		this.gidIndex = gidIndex;
		this.firstPsn = firstPsn;
		this.domain = context.allocateProtectionDomain();
		this.memory = this.domain.allocateMemory(SIZE, ACCESS);
		this.sends = context.createCompletionQueue(SENDS, null);
		this.receives = context.createCompletionQueue(RECEIVES, null);
		this.queuePair = this.domain.createQueuePair(new QueuePairInitAttributes(this.sends, this.receives,
				new QueuePairCapabilities(SENDS, RECEIVES, 2, 1, 64)));
		this.requests = context.allocateSendWorkRequests(SENDS, 2);
		this.receiveRequests = context.allocateReceiveWorkRequests(RECEIVES, 1);
		this.completions = context.allocateWorkCompletions(WINDOW);
		byte[] random = new byte[TrafficPlan.PATTERN_STARTS + TrafficPlan.MAX_LENGTH];
		new SplittableRandom(traffic.seed()).nextBytes(random);
		this.pattern = ByteBuffer.wrap(random);
		this.own = new TrafficPlan(ownSeed, traffic.pathMtu(), traffic.bytes() / 2);
		this.others = new TrafficPlan(othersSeed, traffic.pathMtu(), traffic.bytes() / 2);
		this.nextStep = this.own.next();
		this.expected = nextMessage();
	}

	private @Nullable Step nextMessage() {
		Step step = this.others.next();
		while (step != null && !step.kind().isMessage()) {
			step = this.others.next();
		}
		return step;
	}

	private GidEntry gid() {
		return this.context.queryGidTable(1)
			.stream()
			.filter((entry) -> entry.index() == this.gidIndex)
			.findFirst()
			.orElseThrow();
	}

	void connectTo(TrafficEnd other) {
		this.peer = other;
		this.queuePair
			.modify(QueuePairAttributes.to(QueuePairState.INIT).pkeyIndex(0).port(1).accessFlags(REMOTE).build());
		this.receiveRequests.clear();
		for (int i = 0; i < RECEIVES; i++) {
			addReceive(i);
		}
		this.queuePair.postReceive(this.receiveRequests);
		byte[] offer = other.queuePair.pathOffer();
		byte[] answer = other.queuePair.answerPathOffer(this.queuePair.pathOffer());
		this.queuePair.answerPathOffer(offer);
		this.queuePair.usePath(offer, answer);
		this.queuePair.modify(QueuePairAttributes.to(QueuePairState.RTR)
			.addressVector(AddressVector.ethernet(1, new GlobalRoute(other.gid().gid(), this.gidIndex)))
			.pathMtu(this.traffic.pathMtu())
			.destQpNumber(other.queuePair.number())
			.rqPsn(other.firstPsn)
			.maxDestRdAtomic(8)
			.minRnrTimer(1)
			.build());
		this.queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS)
			.timeout(this.traffic.timeout())
			.retryCount(7)
			.rnrRetry(7)
			.sqPsn(this.firstPsn)
			.maxRdAtomic(8)
			.build());
	}

	private void addReceive(long message) {
		this.receiveRequests.add()
			.wrId(message)
			.addSge(this.memory, RECEIVED + message % RECEIVES * PLACE, TrafficPlan.MAX_LENGTH);
	}

	/**
	 * Do all steps, and take all that the other end sends.
	 * @param aborted whether to give up
	 */
	void run(BooleanSupplier aborted) {
		long quietSince = System.nanoTime();
		long pause = SHORTEST_PAUSE;
		while (this.nextStep != null || !this.underWay.isEmpty() || this.expected != null) {
			boolean busy = post();
			busy |= takeSends();
			busy |= takeReceives();
			if (busy) {
				quietSince = System.nanoTime();
				pause = SHORTEST_PAUSE;
			}
			else if (aborted.getAsBoolean()) {
				return;
			}
			else if (System.nanoTime() - quietSince > PATIENCE.toNanos()) {
				fail("Nothing has happened for %s: %s", PATIENCE, this);
			}
			else {
				LockSupport.parkNanos(pause);
				pause = Math.min(LONGEST_PAUSE, 2 * pause);
			}
		}
	}

	private boolean post() {
		this.requests.clear();
		Step step = this.nextStep;
		while (step != null && this.underWay.size() < WINDOW) {
			add(step);
			this.underWay.add(step);
			step = this.own.next();
		}
		this.nextStep = step;
		if (this.requests.size() == 0) {
			return false;
		}
		this.queuePair.postSend(this.requests);
		return true;
	}

	private void add(Step step) {
		TrafficEnd other = peer();
		long base = other.memory.address();
		int key = other.memory.rkey();
		long place = step.number() % WINDOW * PLACE + step.shift();
		if (!step.kind().isAtomic()) {
			this.memory.put(OUT + place, pattern(step));
		}
		SendWorkRequest request = this.requests.add().wrId(step.number());
		if (step.fenced() && this.traffic.fences()) {
			request.fenced();
		}
		switch (step.kind()) {
			case SEND -> request.send();
			case SEND_WITH_IMMEDIATE -> request.sendWithImmediate(step.immediate());
			case WRITE_WITH_IMMEDIATE -> request.rdmaWriteWithImmediate(base + written(step), key, step.immediate());
			case WRITE_AND_READ -> {
				addPieces(request.rdmaWrite(base + WRITTEN + place, key), OUT + place, step);
				request = this.requests.add().wrId(step.number()).rdmaRead(base + WRITTEN + place, key);
			}
			case FETCH_AND_ADD -> request.fetchAndAdd(base + ADDED, key, 1);
			case COMPARE_AND_SWAP -> {
				long swaps = this.swapped + this.underWay.stream().filter(TrafficEnd::isSwap).count();
				request.compareAndSwap(base + SWAPPED, key, swaps, swaps + 1);
			}
		}
		boolean comesBack = step.kind() == Kind.WRITE_AND_READ || step.kind().isAtomic();
		addPieces(request.signaled(), (comesBack ? IN : OUT) + place, step);
		if (step.inlined()) {
			request.inlined();
		}
	}

	private static boolean isSwap(Step step) {
		return step.kind() == Kind.COMPARE_AND_SWAP;
	}

	private void addPieces(SendWorkRequest request, long from, Step step) {
		if (step.length() > 0) {
			request.addSge(this.memory, from, step.split());
		}
		if (step.split() < step.length()) {
			request.addSge(this.memory, from + step.split(), step.length() - step.split());
		}
	}

	/** Where a WRITE with immediate data goes to at the other end. */
	private static long written(Step step) {
		return MESSAGES + step.message() % WRITTEN_MESSAGES * PLACE + step.shift();
	}

	private boolean takeSends() {
		int count = this.sends.poll(this.completions);
		for (int i = 0; i < count; i++) {
			Step step = this.underWay.peek();
			if (step == null) {
				fail("More completions than requests, the last is %s: %s", this.completions.get(i), this);
			}
			else {
				check(step, this.completions.get(i));
				this.underWay.remove();
				this.done++;
				this.bytes += step.bytes();
			}
		}
		return count > 0;
	}

	private void check(Step step, WorkCompletion completion) {
		if (!completion.isSuccess() || completion.wrId() != step.number()
				|| completion.qpNumber() != this.queuePair.number()) {
			fail("%s has completed instead of %s: %s", completion, step, this);
		}
		long place = IN + step.number() % WINDOW * PLACE + step.shift();
		switch (step.kind()) {
			case WRITE_AND_READ -> checkBytes(step, place);
			case FETCH_AND_ADD -> checkFound(step, place, this.added++);
			case COMPARE_AND_SWAP -> checkFound(step, place, this.swapped++);
			default -> {
			}
		}
	}

	private void checkFound(Step step, long place, long before) {
		long found = this.memory.getLongAcquire(place);
		if (found != before) {
			fail("%s has found %d and not %d: %s", step, found, before, this);
		}
	}

	private void checkBytes(Step step, long place) {
		int wrong = this.memory.buffer(place, step.length()).mismatch(pattern(step));
		if (wrong >= 0) {
			fail("Byte %d of %s is wrong: %s", wrong, step, this);
		}
	}

	private ByteBuffer pattern(Step step) {
		return this.pattern.slice(step.start(), step.length());
	}

	private boolean takeReceives() {
		int count = this.receives.poll(this.completions);
		this.receiveRequests.clear();
		for (int i = 0; i < count; i++) {
			Step step = this.expected;
			if (step == null) {
				fail("More messages than were sent, the last is %s: %s", this.completions.get(i), this);
			}
			else {
				checkMessage(step, this.completions.get(i));
				addReceive(step.message() + RECEIVES);
				this.expected = nextMessage();
			}
		}
		if (count > 0) {
			this.queuePair.postReceive(this.receiveRequests);
		}
		return count > 0;
	}

	private void checkMessage(Step step, WorkCompletion completion) {
		boolean written = step.kind() == Kind.WRITE_WITH_IMMEDIATE;
		boolean immediate = step.kind() != Kind.SEND;
		CompletionOpcode opcode = written ? CompletionOpcode.RECV_RDMA_WITH_IMM : CompletionOpcode.RECV;
		if (!completion.isSuccess() || completion.wrId() != step.message() || completion.opcode() != opcode
				|| completion.byteLength() != step.length() || completion.hasImmediate() != immediate
				|| (immediate && completion.immediate() != step.immediate())
				|| completion.qpNumber() != this.queuePair.number()) {
			fail("%s has come instead of %s: %s", completion, step, this);
		}
		checkBytes(step, written ? written(step) : RECEIVED + step.message() % RECEIVES * PLACE);
	}

	/**
	 * Check that each atomic operation of this end was carried out once at the other end,
	 * both of which have ended.
	 */
	void checkCounters() {
		TrafficEnd other = peer();
		assertThat(other.memory.getLongAcquire(ADDED)).as("added by %s", this).isEqualTo(this.added);
		assertThat(other.memory.getLongAcquire(SWAPPED)).as("swapped by %s", this).isEqualTo(this.swapped);
		assertThat(this.queuePair.state()).isEqualTo(QueuePairState.RTS);
	}

	private TrafficEnd peer() {
		TrafficEnd other = this.peer;
		if (other == null) {
			throw new IllegalStateException("This end is not connected");
		}
		return other;
	}

	long done() {
		return this.done;
	}

	long bytes() {
		return this.bytes;
	}

	long atomics() {
		return this.added + this.swapped;
	}

	@Override
	public void close() {
		this.queuePair.close();
		this.memory.close();
		this.sends.close();
		this.receives.close();
		this.domain.close();
	}

	@Override
	public String toString() {
		return "queue pair 0x%x of %s in %s, seed %d, %d steps done, %d under way, the oldest %s, next message %s"
			.formatted(this.queuePair.number(), this.context.device().name(), this.queuePair.state(),
					this.traffic.seed(), this.done, this.underWay.size(), this.underWay.peek(), this.expected);
	}

}
