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
