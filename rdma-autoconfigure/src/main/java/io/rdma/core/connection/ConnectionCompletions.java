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

import java.util.concurrent.atomic.LongAdder;

import io.rdma.core.completion.CompletionSink;
import io.rdma.core.completion.WorkRequestId;
import io.rdma.core.completion.WorkRequestKind;
import io.rdma.core.exception.RdmaConnectionLostException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaExceptionTranslator;
import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.WorkCompletion;
import lombok.RequiredArgsConstructor;

/**
 * Gives each completion of a queue pair to the operation, receive or work of the library
 * that it belongs to. Only the present use of a slot can be completed, and only once; the
 * first completion that failed ends the connection. Thread-safe.
 */
@RequiredArgsConstructor
final class ConnectionCompletions implements CompletionSink {

	static final int CREDIT_SLOT = 0;

	static final int READY_SLOT = 1;

	private final RdmaConnection connection;

	private final ConnectionLife life;

	private final ConnectionResources resources;

	private final MessageIntake intake;

	private final CreditReturn creditReturn;

	private final SendSlot creditSlot;

	private final SendSlot readySlot;

	private final LongAdder strays = new LongAdder();

	private final LongAdder flushed = new LongAdder();

	long strays() {
		return this.strays.sum();
	}

	long flushed() {
		return this.flushed.sum();
	}

	@Override
	public boolean completed(WorkCompletion completion) {
		long id = completion.wrId();
		WorkRequestKind kind = WorkRequestId.kind(id);
		boolean known = kind != null && switch (kind) {
			case SEND -> sendCompleted(id, completion);
			case RECEIVE -> receiveCompleted(id, completion);
			case CONTROL -> controlCompleted(id, completion);
		};
		if (!known) {
			this.strays.increment();
		}
		return known;
	}

	private boolean sendCompleted(long id, WorkCompletion completion) {
		SendTable table = this.resources.table();
		int index = WorkRequestId.slot(id);
		if (index >= table.depth()) {
			return false;
		}
		SendSlot slot = table.slot(index);
		Operation operation = slot.operation();
		if (operation == null || !slot.end(WorkRequestId.generation(id))) {
			return false;
		}
		table.giveBack(slot);
		if (!completion.isSuccess()) {
			operation.fail(error(completion, operation.kind().name()));
		}
		if (operation.arrived(1)) {
			// all is done: harmless if it failed or timed out before
			operation.complete();
			operation.release();
		}
		return true;
	}

	private boolean controlCompleted(long id, WorkCompletion completion) {
		int index = WorkRequestId.slot(id);
		boolean credit = index == CREDIT_SLOT;
		SendSlot slot = credit ? this.creditSlot : this.readySlot;
		if (index > READY_SLOT || !slot.end(WorkRequestId.generation(id))) {
			return false;
		}
		if (credit) {
			this.creditReturn.completed();
		}
		if (!completion.isSuccess()) {
			error(completion, credit ? "flow control" : "handshake");
		}
		else if (credit) {
			this.creditReturn.tell();
		}
		else {
			this.life.proven();
		}
		return true;
	}

	private boolean receiveCompleted(long id, WorkCompletion completion) {
		ReceiveSlot slot = this.resources.window().match(id);
		if (slot == null) {
			return false;
		}
		if (completion.isSuccess()) {
			this.intake.received(slot, completion);
		}
		else {
			error(completion, OperationKind.RECEIVE.name());
		}
		return true;
	}

	/**
	 * Make the exception of a failed completion, and let the connection fail with the
	 * first.
	 * @param completion the completion
	 * @param operation what failed
	 * @return the exception for the operation alone
	 */
	private RdmaException error(WorkCompletion completion, String operation) {
		this.resources.failed();
		CompletionStatus status = completion.status();
		RdmaErrorContext known = this.connection.context(operation)
			.withStatus(status)
			.withVendorError(completion.vendorError());
		if (status != CompletionStatus.WR_FLUSH_ERR) {
			this.life.fail(RdmaExceptionTranslator.translate(status, known));
			return RdmaExceptionTranslator.translate(status, known);
		}
		this.flushed.increment();
		if (!this.life.state().isFinal()) {
			this.life.fail(new RdmaConnectionLostException(known,
					"the queue pair went to the ERR state with no operation of this side to blame",
					"The peer closed its queue pair, or one of its operations was refused: look into its log. "
							+ ConnectionLife.RETRY));
		}
		return this.life.outcomeUnknown(known);
	}

	/**
	 * Take the place of the completion of work that the device will never complete: its
	 * queue pair is destroyed.
	 * @param slot its slot
	 */
	void giveUp(SendSlot slot) {
		int generation = slot.generation();
		Operation operation = slot.operation();
		if (operation == null || !slot.end(generation)) {
			return;
		}
		this.resources.table().giveBack(slot);
		operation.fail(this.life.outcomeUnknown(this.connection.context(operation.kind().name())));
		if (operation.arrived(1)) {
			operation.release();
		}
	}

}
