package io.rdma.core.connection;

/**
 * Takes what comes over a control channel. Called on the control thread: must be short and
 * must not wait.
 */
interface FrameListener {

	/**
	 * Take a frame.
	 * @param frame the frame
	 */
	void received(Frame frame);

	/**
	 * Take note that the channel ended; nothing comes any more.
	 * @param reason why, in words
	 */
	void ended(String reason);

}
