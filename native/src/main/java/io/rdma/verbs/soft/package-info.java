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

/**
 * The software device: verbs with no hardware, in pure Java, that behave as real ones do.
 * {@link io.rdma.verbs.soft.SoftProvider} is the way in.
 *
 * <p>
 * A queue pair has two halves, and a {@link io.rdma.verbs.soft.Path} to its peer. If the
 * peer is in the same process, the {@link io.rdma.verbs.soft.Requester} carries out what
 * is posted, on the thread that posts, with the peer's
 * {@link io.rdma.verbs.soft.Responder}. Otherwise a
 * {@link io.rdma.verbs.soft.RemoteSender} sends it from the queue and takes the answers
 * when they come: as RoCEv2 packets, which the one thread of the
 * {@link io.rdma.verbs.soft.WireEngine} takes from the socket of the device, or through
 * shared memory. Each half has a lock, and memory is touched only under it: who has
 * changed a state or withdrawn a key, and has then had the lock once, knows that nothing
 * goes on by the old one.
 *
 * <p>
 * Where the peer is in another process of this host, its requests come over
 * {@linkplain io.rdma.verbs.soft.shm shared memory}, and the one thread that watches over
 * it hands them to the {@link io.rdma.verbs.soft.Responder} as if they came from here.
 *
 * <p>
 * Locks are taken in one order: a requester's, then a responder's, then that of a receive
 * queue, then that of a completion queue, then that of a channel or of the event queue.
 * That of the {@link io.rdma.verbs.soft.Transmitter} comes after the first two, and no
 * other is taken under it. No thread ever waits for a requester's lock while it holds
 * another lock, nor for a responder's while it holds another responder's. That is why
 * nothing here deadlocks. The locks of states, keys and windows are held for a few
 * instructions, inside of which none of these is taken.
 */
@NullMarked
package io.rdma.verbs.soft;

import org.jspecify.annotations.NullMarked;
