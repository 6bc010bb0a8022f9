package io.rdma.verbs;

/**
 * A verbs resource was used after it was closed.
 */
public class ResourceClosedException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param resource what was used, for example {@code queue pair 0x000011}
	 */
	public ResourceClosedException(String resource) {
		super("The " + resource + " is closed");
	}

}
