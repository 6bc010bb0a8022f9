package io.rdma.core.connection;

import org.jspecify.annotations.Nullable;

/**
 * Messages of one peer that nobody took yet, in the order of their arrival. What is in it is
 * bounded, since the peer gets the right to send more only when something is taken. Messages
 * stay when their connection is lost. Thread-safe.
 */
public final class Inbox {

	/**
	 * Return the name of the peer.
	 * @return the name
	 */
	public String peer() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return how many messages there are.
	 * @return the number
	 */
	public int size() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Take the next message. Never waits.
	 * @return the message, {@code null} if there is none
	 */
	public @Nullable InboundMessage poll() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Take the next message, waiting for one.
	 * @param deadlineNanos until when, as of {@link System#nanoTime()}
	 * @return the message, {@code null} if none came in time
	 * @throws io.rdma.core.exception.RdmaClosedException if the connections are stopped
	 * while it waits and there is no message
	 * @throws io.rdma.core.exception.RdmaInterruptedException if the thread is interrupted;
	 * it stays interrupted
	 * @throws IllegalStateException on a thread of this library
	 */
	public @Nullable InboundMessage await(long deadlineNanos) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Set what is run, on the application executor, when messages arrive, and at once if
	 * there are any. It never runs twice at the same time, and runs again after the last
	 * arrival; it should take messages until there are none.
	 * @param callback what to run, {@code null} for nothing
	 */
	public void onAvailable(@Nullable Runnable callback) {
	}

}
