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

package io.rdma.verbs.ibv;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Predicate;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AddressVector;
import io.rdma.verbs.CompletionChannel;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GlobalRoute;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.MemoryWindow;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.ReceiveWorkRequests;
import io.rdma.verbs.SendWorkRequest;
import io.rdma.verbs.SendWorkRequests;
import io.rdma.verbs.SharedReceiveQueue;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.WorkCompletions;

/**
 * Calls the verbs at random, right and wrong, on resources that many threads share: what
 * comes out are the exceptions that the Javadoc names, and nothing else.
 */
final class RandomUse {

	private static final int MAX_OF_A_KIND = 12;

	private static final Call[] CALLS = weighted();

	private final AtomicLongArray taken = new AtomicLongArray(Call.values().length);

	private final AtomicLongArray refused = new AtomicLongArray(Call.values().length);

	private final DeviceContext context;

	private final Gid gid;

	private final List<ProtectionDomain> domains = new CopyOnWriteArrayList<>();

	private final List<CompletionChannel> channels = new CopyOnWriteArrayList<>();

	private final List<CompletionQueue> queues = new CopyOnWriteArrayList<>();

	private final List<SharedReceiveQueue> sharedQueues = new CopyOnWriteArrayList<>();

	private final List<QueuePair> pairs = new CopyOnWriteArrayList<>();

	private final List<MemoryRegion> regions = new CopyOnWriteArrayList<>();

	private final List<MemoryWindow> windows = new CopyOnWriteArrayList<>();

	RandomUse(DeviceContext context, Gid gid) {
		this.context = context;
		this.gid = gid;
	}

	private static Call[] weighted() {
		List<Call> calls = new ArrayList<>();
		for (Call call : Call.values()) {
			calls.addAll(Collections.nCopies(call.weight, call));
		}
		return calls.toArray(Call[]::new);
	}

	/**
	 * Return how often a call was taken.
	 * @param call the call
	 * @return the number
	 */
	long taken(Call call) {
		return this.taken.get(call.ordinal());
	}

	/**
	 * Return how often a call was refused.
	 * @param call the call
	 * @return the number
	 */
	long refused(Call call) {
		return this.refused.get(call.ordinal());
	}

	/**
	 * Make calls on several threads, then close everything.
	 * @param threads how many threads
	 * @param calls how many calls in all
	 * @param seed what makes the order, together with the scheduling of the threads
	 * @param timeout how long that may take
	 */
	void run(int threads, int calls, long seed, Duration timeout) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<Future<?>> workers = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				Random random = new Random(seed + i);
				workers.add(executor.submit(() -> {
					Worker worker = new Worker(random);
					for (int call = 0; call < calls / threads; call++) {
						worker.call();
					}
				}));
			}
			long deadline = System.nanoTime() + timeout.toNanos();
			for (Future<?> worker : workers) {
				worker.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
			}
		}
		finally {
			executor.shutdownNow();
		}
		for (List<? extends AutoCloseable> resources : List.of(this.windows, this.pairs, this.sharedQueues, this.queues,
				this.channels, this.regions, this.domains)) {
			for (AutoCloseable resource : resources) {
				if (resource instanceof CompletionQueue queue) {
					acknowledgeAll(queue);
				}
				resource.close();
			}
		}
	}

	private static void acknowledgeAll(CompletionQueue queue) {
		while (true) {
			try {
				queue.acknowledge(1);
			}
			catch (IllegalArgumentException ex) {
				return;
			}
		}
	}

	private final class Worker {

		private final Random random;

		private final SendWorkRequests sends;

		private final ReceiveWorkRequests receives;

		private final WorkCompletions completions;

		Worker(Random random) {
			this.random = random;
			this.sends = RandomUse.this.context.allocateSendWorkRequests(4, 3);
			this.receives = RandomUse.this.context.allocateReceiveWorkRequests(4, 3);
			this.completions = RandomUse.this.context.allocateWorkCompletions(8);
		}

		void call() {
			Call call = CALLS[this.random.nextInt(CALLS.length)];
			try {
				call(call);
				RandomUse.this.taken.incrementAndGet(call.ordinal());
			}
			catch (VerbsException | IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException ex) {
				// as it should be
				RandomUse.this.refused.incrementAndGet(call.ordinal());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		private void call(Call call) throws InterruptedException {
			switch (call) {
				case ALLOCATE_DOMAIN -> add(RandomUse.this.domains, RandomUse.this.context.allocateProtectionDomain());
				case CREATE_CHANNEL -> add(RandomUse.this.channels, RandomUse.this.context.createCompletionChannel());
				case CREATE_QUEUE ->
					add(RandomUse.this.queues, RandomUse.this.context.createCompletionQueue(this.random.nextInt(40) - 1,
							this.random.nextBoolean() ? pick(RandomUse.this.channels) : null));
				case CREATE_SHARED_QUEUE -> add(RandomUse.this.sharedQueues, pick(RandomUse.this.domains)
					.createSharedReceiveQueue(this.random.nextInt(20) - 1, this.random.nextInt(4)));
				case CREATE_PAIR -> add(RandomUse.this.pairs,
						pick(RandomUse.this.domains).createQueuePair(new QueuePairInitAttributes(
								pick(RandomUse.this.queues), pick(RandomUse.this.queues),
								this.random.nextInt(4) == 0 ? pick(RandomUse.this.sharedQueues) : null,
								new QueuePairCapabilities(this.random.nextInt(20), this.random.nextInt(20),
										this.random.nextInt(4), this.random.nextInt(4), this.random.nextInt(128)),
								this.random.nextBoolean())));
				case ALLOCATE_MEMORY -> add(RandomUse.this.regions,
						pick(RandomUse.this.domains).allocateMemory(this.random.nextInt(1 << 16), access()));
				case REGISTER_MEMORY -> add(RandomUse.this.regions, pick(RandomUse.this.domains)
					.registerMemory(ByteBuffer.allocateDirect(this.random.nextInt(1 << 14)), access()));
				case ALLOCATE_WINDOW ->
					add(RandomUse.this.windows, pick(RandomUse.this.domains).allocateMemoryWindow());
				case MODIFY -> modify(pick(RandomUse.this.pairs));
				case POST_SEND -> postSend();
				case POST_RECEIVE -> postReceive();
				case POST_SHARED_RECEIVE -> postSharedReceive();
				case POLL -> pick(RandomUse.this.queues).poll(this.completions);
				case ARM -> pick(RandomUse.this.queues).arm();
				case AWAIT -> await(pick(RandomUse.this.channels));
				case BIND -> bind(pick(RandomUse.this.pairs));
				case QUERY -> pick(RandomUse.this.pairs).query();
				case PUT -> pick(RandomUse.this.regions).put(this.random.nextInt(1 << 14),
						ByteBuffer.wrap(new byte[this.random.nextInt(128)]));
				case ARM_LIMIT -> pick(RandomUse.this.sharedQueues).armLimit(this.random.nextInt(20));
				case CLOSE -> close(pick(this.random.nextInt(7)));
			}
		}

		private void await(CompletionChannel channel) throws InterruptedException {
			if (this.random.nextBoolean()) {
				channel.wakeup();
			}
			CompletionQueue queue = channel.await(Duration.ofMillis(this.random.nextInt(2)));
			if (queue != null) {
				queue.acknowledge(1);
			}
		}

		private void modify(QueuePair pair) {
			QueuePairState[] states = QueuePairState.values();
			QueuePairState to = (this.random.nextInt(4) == 0) ? states[this.random.nextInt(states.length)]
					: states[(pair.state().ordinal() + 1) % 4];
			pair.modify(switch (to) {
				case INIT -> QueuePairAttributes.to(to)
					.pkeyIndex(0)
					.port(1)
					.accessFlags(EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ))
					.build();
				case RTR -> QueuePairAttributes.to(to)
					.addressVector(AddressVector.ethernet(1, new GlobalRoute(RandomUse.this.gid, 1)))
					.pathMtu(PathMtu.MTU_1024)
					.destQpNumber(pick(RandomUse.this.pairs).number())
					.rqPsn(0)
					.maxDestRdAtomic(1)
					.minRnrTimer(1)
					.build();
				case RTS ->
					QueuePairAttributes.to(to).timeout(8).retryCount(1).rnrRetry(1).sqPsn(0).maxRdAtomic(1).build();
				default -> QueuePairAttributes.to(to).build();
			});
		}

		private void bind(QueuePair pair) {
			ProtectionDomain domain = pair.protectionDomain();
			MemoryWindow window = pick(RandomUse.this.windows,
					(candidate) -> ((IbvMemoryWindow) candidate).protectionDomain() == domain);
			MemoryRegion region = pick(RandomUse.this.regions, (candidate) -> candidate.protectionDomain() == domain);
			pair.postBind(this.random.nextLong(), window, region, this.random.nextInt(64), this.random.nextInt(64),
					EnumSet.of(AccessFlag.REMOTE_READ), this.random.nextBoolean());
		}

		private void postSend() {
			this.sends.clear();
			for (int i = this.random.nextInt(5); i > 0; i--) {
				SendWorkRequest request = this.sends.add().wrId(this.random.nextLong());
				MemoryRegion remote = pick(RandomUse.this.regions);
				switch (this.random.nextInt(6)) {
					case 0 -> request.send();
					case 1 -> request.sendWithImmediate(this.random.nextInt());
					case 2 -> request.rdmaWrite(remote.address() + this.random.nextInt(64), remote.rkey());
					case 3 -> request.rdmaRead(remote.address(), remote.rkey());
					case 4 -> request.fetchAndAdd(remote.address(), remote.rkey(), 1);
					default -> request.sendWithInvalidate(remote.rkey());
				}
				for (int entries = this.random.nextInt(4); entries > 0; entries--) {
					request.addSge(pick(RandomUse.this.regions), this.random.nextInt(256), this.random.nextInt(256));
				}
				if (this.random.nextBoolean()) {
					request.signaled();
				}
				if (this.random.nextInt(4) == 0) {
					request.inlined();
				}
				if (this.random.nextInt(8) == 0) {
					request.fenced().solicited();
				}
			}
			pick(RandomUse.this.pairs).postSend(this.sends);
		}

		private void postReceive() {
			fillReceives();
			pick(RandomUse.this.pairs).postReceive(this.receives);
		}

		private void postSharedReceive() {
			fillReceives();
			pick(RandomUse.this.sharedQueues).postReceive(this.receives);
		}

		private void fillReceives() {
			this.receives.clear();
			for (int i = this.random.nextInt(5); i > 0; i--) {
				this.receives.add()
					.wrId(this.random.nextLong())
					.addSge(pick(RandomUse.this.regions), this.random.nextInt(64), this.random.nextInt(2048));
			}
		}

		private Set<AccessFlag> access() {
			Set<AccessFlag> access = EnumSet.noneOf(AccessFlag.class);
			for (AccessFlag flag : AccessFlag.values()) {
				if (this.random.nextInt(3) > 0) {
					access.add(flag);
				}
			}
			return access;
		}

		private <T extends AutoCloseable> void add(List<T> resources, T resource) {
			// known before anything can fail, so that it is closed in the end
			resources.add(resource);
			if (resources.size() > MAX_OF_A_KIND) {
				T other = pick(resources);
				try {
					close(other);
					resources.remove(other);
				}
				catch (VerbsException ex) {
					// it is still needed: then this one goes
					close(resource);
					resources.remove(resource);
				}
			}
		}

		private AutoCloseable pick(int kind) {
			return switch (kind) {
				case 0 -> pick(RandomUse.this.domains);
				case 1 -> pick(RandomUse.this.channels);
				case 2 -> pick(RandomUse.this.queues);
				case 3 -> pick(RandomUse.this.sharedQueues);
				case 4 -> pick(RandomUse.this.pairs);
				case 5 -> pick(RandomUse.this.regions);
				default -> pick(RandomUse.this.windows);
			};
		}

		private <T> T pick(List<T> resources) {
			int size = resources.size();
			if (size == 0) {
				throw new IllegalStateException("There is none yet");
			}
			return resources.get(this.random.nextInt(size));
		}

		/**
		 * Pick one that fits in most cases, where few would.
		 */
		private <T> T pick(List<T> resources, Predicate<T> fits) {
			T picked = pick(resources);
			for (int i = 0; i < MAX_OF_A_KIND && !fits.test(picked); i++) {
				picked = pick(resources);
			}
			return picked;
		}

		private void close(AutoCloseable resource) {
			try {
				resource.close();
			}
			catch (RuntimeException ex) {
				throw ex;
			}
			catch (Exception ex) {
				throw new AssertionError(ex);
			}
		}

	}

	/**
	 * A call and how often it is made. Few make and close, which takes long on some
	 * devices.
	 */
	enum Call {

		ALLOCATE_DOMAIN(1), CREATE_CHANNEL(1), CREATE_QUEUE(2), CREATE_SHARED_QUEUE(1), CREATE_PAIR(3),
		ALLOCATE_MEMORY(2), REGISTER_MEMORY(2), ALLOCATE_WINDOW(1), MODIFY(20), POST_SEND(20), POST_RECEIVE(8),
		POST_SHARED_RECEIVE(4), POLL(14), ARM(4), AWAIT(2), BIND(5), QUERY(3), PUT(3), ARM_LIMIT(1), CLOSE(3);

		private final int weight;

		Call(int weight) {
			this.weight = weight;
		}

	}

}
