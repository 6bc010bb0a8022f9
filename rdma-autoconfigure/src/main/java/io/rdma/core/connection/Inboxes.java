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

package io.rdma.core.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;

/**
 * The inboxes by the name of the peer. Thread-safe.
 */
@Slf4j
@RequiredArgsConstructor
final class Inboxes {

	private final Executor applicationExecutor;

	private final Map<String, Inbox> inboxes = new ConcurrentHashMap<>();

	private final List<Consumer<Inbox>> listeners = new ArrayList<>();

	private boolean open;

	Inbox get(String peer) {
		Inbox inbox = this.inboxes.get(peer);
		return (inbox != null) ? inbox : create(peer);
	}

	private Inbox create(String peer) {
		synchronized (this.listeners) {
			Inbox existing = this.inboxes.get(peer);
			if (existing != null) {
				return existing;
			}
			Inbox inbox = new Inbox(peer, this.applicationExecutor, this.open);
			this.inboxes.put(peer, inbox);
			this.listeners.forEach((listener) -> tell(listener, inbox));
			return inbox;
		}
	}

	void addListener(Consumer<Inbox> listener) {
		synchronized (this.listeners) {
			this.listeners.add(listener);
			this.inboxes.values().forEach((inbox) -> tell(listener, inbox));
		}
	}

	void removeListener(Consumer<Inbox> listener) {
		synchronized (this.listeners) {
			this.listeners.remove(listener);
		}
	}

	private static void tell(Consumer<Inbox> listener, Inbox inbox) {
		try {
			listener.accept(inbox);
		}
		catch (RuntimeException ex) {
			logger.error("A listener for inboxes failed", ex);
		}
	}

	void open() {
		synchronized (this.listeners) {
			this.open = true;
			this.inboxes.values().forEach(Inbox::open);
		}
	}

	void close() {
		synchronized (this.listeners) {
			this.open = false;
			this.inboxes.values().forEach(Inbox::close);
		}
	}

}
