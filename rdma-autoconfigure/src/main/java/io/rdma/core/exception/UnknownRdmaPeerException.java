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

package io.rdma.core.exception;

import java.util.Collection;

/**
 * A peer was named that is neither configured nor connected.
 */
public class UnknownRdmaPeerException extends RdmaException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param peer the name that was used
	 * @param known the names that would work
	 */
	public UnknownRdmaPeerException(String peer, Collection<String> known) {
		super(RdmaErrorContext.peer(peer),
				"no peer has this name; known are " + (known.isEmpty() ? "none" : known.stream().sorted().toList()),
				"Use one of these names, or set rdma.peers.%s.address to host:port.".formatted(peer));
	}

}
