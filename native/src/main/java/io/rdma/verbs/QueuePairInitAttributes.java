package io.rdma.verbs;

import org.jspecify.annotations.Nullable;

/**
 * What a queue pair is created with ({@code struct ibv_qp_init_attr}). The type is always
 * RC, the reliable connection.
 *
 * @param sendCompletionQueue where sends complete
 * @param receiveCompletionQueue where receives complete; may be the same
 * @param sharedReceiveQueue the queue to take receives from, {@code null} for one of its
 * own
 * @param capabilities the sizes asked for
 * @param signalAll whether every send is signaled
 */
public record QueuePairInitAttributes(CompletionQueue sendCompletionQueue, CompletionQueue receiveCompletionQueue,
		@Nullable SharedReceiveQueue sharedReceiveQueue, QueuePairCapabilities capabilities, boolean signalAll) {

	/**
	 * Create attributes with no shared receive queue, where sends are signaled one by
	 * one.
	 * @param sendCompletionQueue where sends complete
	 * @param receiveCompletionQueue where receives complete
	 * @param capabilities the sizes asked for
	 */
	public QueuePairInitAttributes(CompletionQueue sendCompletionQueue, CompletionQueue receiveCompletionQueue,
			QueuePairCapabilities capabilities) {
		this(sendCompletionQueue, receiveCompletionQueue, null, capabilities, false);
	}

}
