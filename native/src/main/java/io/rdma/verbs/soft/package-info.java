/**
 * The software device: verbs with no hardware, in pure Java, that behave as real ones do.
 * {@link io.rdma.verbs.soft.SoftProvider} is the way in.
 *
 * <p>
 * Locks are taken in one order: a requester's, then a responder's, then that of a receive
 * queue, then that of a completion queue, then that of a channel or of the event queue.
 * No thread ever waits for a requester's lock while it holds another lock, nor for a
 * responder's while it holds another responder's. That is why nothing here deadlocks.
 */
@NullMarked
package io.rdma.verbs.soft;

import org.jspecify.annotations.NullMarked;
