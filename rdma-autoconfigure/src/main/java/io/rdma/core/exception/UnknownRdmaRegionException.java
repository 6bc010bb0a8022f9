package io.rdma.core.exception;

import java.util.Collection;

import lombok.Getter;
import lombok.experimental.Accessors;
import org.jspecify.annotations.Nullable;

/**
 * A memory region was named that the peer, or this service, does not offer.
 */
@Getter
@Accessors(fluent = true)
public class UnknownRdmaRegionException extends RdmaException {

	private static final long serialVersionUID = 1L;

	/**
	 * Name that was used.
	 */
	private final String region;

	/**
	 * Create an exception.
	 * @param peer the name of the peer, {@code null} for a region of this service
	 * @param region the name that was used
	 * @param known the names that would work
	 */
	public UnknownRdmaRegionException(@Nullable String peer, String region, Collection<String> known) {
		super(RdmaErrorContext.none().withPeer(peer),
				"no region is named '%s'; known are %s".formatted(region,
						known.isEmpty() ? "none" : known.stream().sorted().toList()),
				"Use one of these names, or add rdma.regions.%s to the settings of the %s.".formatted(region,
						(peer != null) ? "peer" : "service"));
		this.region = region;
	}

}
