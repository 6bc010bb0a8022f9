package io.rdma.verbs.contract;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Closes what a test opened, the last first. That nothing refuses to close is part of
 * every test.
 */
final class Resources implements AutoCloseable {

	private final Deque<AutoCloseable> opened = new ArrayDeque<>();

	<T extends AutoCloseable> T add(T resource) {
		this.opened.push(resource);
		return resource;
	}

	@Override
	public void close() throws Exception {
		Exception failure = null;
		while (!this.opened.isEmpty()) {
			try {
				this.opened.pop().close();
			}
			catch (Exception ex) {
				if (failure == null) {
					failure = ex;
				}
				else {
					failure.addSuppressed(ex);
				}
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

}
