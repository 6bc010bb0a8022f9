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

import io.rdma.verbs.Gid;
import io.rdma.verbs.PathKind;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * The way to a queue pair in this JVM: the thread that sends does the work of the
 * responder too. A peer that does not exist, or is not connected to us, is one that never
 * answers.
 */
@RequiredArgsConstructor
final class LoopbackPath implements DirectPath {

	private final SoftDeviceContext context;

	private final int number;

	private final Gid source;

	private final int peerNumber;

	private final Gid destination;

	private @Nullable Responder peer;

	@Override
	public Answer carryOut(SendRequest request) {
		if (!this.context.isPortActive()) {
			return Answer.NONE;
		}
		Responder known = this.peer;
		Answer answer = (known != null) ? known.serve(request, this) : Answer.NONE;
		if (answer == Answer.NONE && (known == null || known.isGone())) {
			Responder found = find();
			this.peer = found;
			answer = (found != null) ? found.serve(request, this) : Answer.NONE;
		}
		return answer;
	}

	private @Nullable Responder find() {
		SoftQueuePair found = Fabric.find(this.peerNumber);
		return (found != null) ? found.responder() : null;
	}

	@Override
	public int rnrTimer() {
		Responder responder = this.peer;
		return (responder != null) ? responder.rnrTimer() : 0;
	}

	@Override
	public PathKind kind() {
		return PathKind.PROCESS;
	}

	@Override
	public boolean isReverseOf(Path path) {
		return path instanceof LoopbackPath other && this.number == other.peerNumber && this.peerNumber == other.number
				&& this.source.equals(other.destination) && this.destination.equals(other.source);
	}

}
