package io.rdma.verbs;

/**
 * A memory window of type 2 ({@code struct ibv_mw}): a right to a part of a memory region
 * that is given by {@link QueuePair#postBind} and taken back by
 * {@link SendWorkRequest#localInvalidate} or the peer's
 * {@link SendWorkRequest#sendWithInvalidate}. Thread-safe.
 */
public interface MemoryWindow extends AutoCloseable {

	/**
	 * Return the key of the latest binding, or the key it was allocated with.
	 * @return the rkey
	 */
	int rkey();

	/**
	 * Return whether the window is open.
	 * @return whether it can be used
	 */
	boolean isOpen();

	@Override
	void close();

}
