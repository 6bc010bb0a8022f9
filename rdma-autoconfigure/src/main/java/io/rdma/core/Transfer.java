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

package io.rdma.core;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

import io.rdma.core.connection.BlockingOperation;
import io.rdma.core.connection.OperationKind;
import io.rdma.core.connection.RdmaConnection;
import io.rdma.core.connection.RemoteRegion;
import io.rdma.core.exception.RdmaClosedException;
import io.rdma.core.exception.RdmaConnectionLostException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaFlushedException;
import io.rdma.core.exception.RdmaPayloadException;
import io.rdma.core.exception.RdmaTimeoutException;
import io.rdma.core.memory.RdmaBuffer;
import io.rdma.core.memory.RdmaMemoryPool;
import lombok.AccessLevel;
import lombok.Builder;
import org.jspecify.annotations.Nullable;

/**
 * Moves bytes to or from a region in pieces, several of which are under way at once. Runs
 * on the thread that calls {@link #run()}, which waits for the oldest piece when the
 * window is full or the pool is empty. When a piece fails, those under way are waited for
 * and the transfer ends with the exception.
 */
@Builder(access = AccessLevel.PACKAGE)
final class Transfer {

	private final RdmaMemoryPool pool;

	private final RdmaConnection connection;

	private final RemoteRegion region;

	private final long offset;

	private final long length;

	private final OperationKind kind;

	/**
	 * Goes with the last piece.
	 */
	private final @Nullable Integer immediate;

	private final LocalEnd local;

	private final int pieceSize;

	private final int window;

	private final TimeLimit limit;

	private final ProgressReporter progress;

	private final Deque<Piece> underWay = new ArrayDeque<>();

	/**
	 * Do it.
	 * @throws RdmaException if it did not succeed; nothing of it is under way then,
	 * except for pieces that timed out or whose wait was interrupted
	 */
	void run() {
		try {
			long position = 0;
			do {
				int size = (int) Math.min(this.pieceSize, this.length - position);
				if (this.underWay.size() == this.window) {
					finishOldest();
				}
				start(position, size);
				position += size;
			}
			while (position < this.length);
			while (!this.underWay.isEmpty()) {
				finishOldest();
			}
		}
		catch (RdmaException ex) {
			throw tellsMore(ex, abandon());
		}
		catch (Throwable ex) {
			RdmaException other = abandon();
			if (other != null) {
				ex.addSuppressed(other);
			}
			throw ex;
		}
	}

	private void start(long position, int size) {
		if (this.limit.isOver()) {
			throw new RdmaTimeoutException(context(),
					"%d of %d bytes were moved or under way when the time limit of %s passed".formatted(position,
							this.length, this.limit),
					"Allow more time for this call.");
		}
		boolean last = position + size == this.length;
		Piece piece = new Piece((last && this.immediate != null) ? OperationKind.WRITE_WITH_IMMEDIATE : this.kind,
				size);
		try {
			if (size > 0) {
				piece.buffer = buffer(piece, position);
			}
			piece.remote(this.region, this.offset + position).deadline(this.limit.deadline());
			if (last && this.immediate != null) {
				piece.immediate(this.immediate);
			}
			this.connection.post(piece);
		}
		catch (Throwable ex) {
			piece.release();
			throw ex;
		}
		this.underWay.add(piece);
	}

	private RdmaBuffer buffer(Piece piece, long position) {
		RdmaBuffer given = this.local.buffer();
		if (given != null) {
			piece.local(given, this.local.start() + (int) position, piece.size);
			return given.retain();
		}
		RdmaBuffer buffer = acquire(piece.size);
		try {
			this.local.fill(buffer.byteBuffer().clear().limit(piece.size));
		}
		catch (IOException ex) {
			buffer.release();
			throw OperationSpec.unreadable(context(), ex);
		}
		catch (Throwable ex) {
			buffer.release();
			throw ex;
		}
		piece.local(buffer, 0, piece.size);
		return buffer;
	}

	private RdmaBuffer acquire(int size) {
		RdmaBuffer buffer = this.pool.tryAcquire(size);
		while (buffer == null && !this.underWay.isEmpty()) {
			finishOldest();
			buffer = this.pool.tryAcquire(size);
		}
		return (buffer != null) ? buffer : this.pool.acquire(size, this.limit.remaining());
	}

	private void finishOldest() {
		Piece piece = this.underWay.remove();
		try {
			piece.await();
			if (piece.buffer != null && this.local.buffer() == null) {
				this.local.take(piece.buffer.byteBuffer().clear().limit(piece.size));
			}
		}
		catch (IOException ex) {
			throw new RdmaPayloadException(context(),
					"what was read could not be written to its destination (%s)".formatted(ex.getMessage()),
					"Give a stream or channel that is open and takes all bytes.", ex);
		}
		finally {
			piece.release();
		}
		this.progress.add(piece.size);
	}

	/**
	 * Wait for what is under way and forget it.
	 * @return the exception among theirs that tells most, {@code null} if none failed
	 */
	private @Nullable RdmaException abandon() {
		RdmaException failure = null;
		while (!this.underWay.isEmpty()) {
			Piece piece = this.underWay.remove();
			try {
				piece.await();
			}
			catch (RdmaException ex) {
				failure = (failure != null) ? tellsMore(failure, ex) : ex;
			}
			finally {
				piece.release();
			}
		}
		return failure;
	}

	private static RdmaException tellsMore(RdmaException first, @Nullable RdmaException other) {
		return (other != null && isConsequence(first) && !isConsequence(other)) ? other : first;
	}

	private static boolean isConsequence(RdmaException exception) {
		return exception instanceof RdmaFlushedException || exception instanceof RdmaConnectionLostException
				|| exception instanceof RdmaClosedException;
	}

	private RdmaErrorContext context() {
		return RdmaErrorContext.of(this.connection.peer(), this.connection.queuePairNumber(), this.kind.name());
	}

	/**
	 * One piece.
	 */
	private static final class Piece extends BlockingOperation {

		private final int size;

		private @Nullable RdmaBuffer buffer;

		private Piece(OperationKind kind, int size) {
			super(kind);
			this.size = size;
		}

		private void release() {
			if (this.buffer != null) {
				this.buffer.release();
			}
		}

	}

}
