package io.rdma.core.exception;

import java.util.Collection;
import java.util.Locale;

import io.rdma.verbs.AccessFlag;
import lombok.Getter;
import lombok.experimental.Accessors;

/**
 * A memory region does not allow the operation. Nothing was posted.
 */
@Getter
@Accessors(fluent = true)
public class RdmaAccessDeniedException extends RdmaException {

	private static final long serialVersionUID = 1L;

	/**
	 * Name of the memory, for example {@code region 'blobs'}.
	 */
	private final String memory;

	/**
	 * Access right that is missing.
	 */
	private final AccessFlag missing;

	/**
	 * Create an exception.
	 * @param context what is known about the operation
	 * @param memory the name of the memory, for example {@code region 'blobs'}
	 * @param missing the access right that is missing
	 * @param granted the access rights that the memory has
	 */
	public RdmaAccessDeniedException(RdmaErrorContext context, String memory, AccessFlag missing,
			Collection<AccessFlag> granted) {
		super(context,
				"%s does not allow %s; it allows %s".formatted(memory, name(missing),
						granted.isEmpty() ? "nothing" : granted.stream().map(RdmaAccessDeniedException::name).toList()),
				"Add %s to the access rights where the memory is defined (rdma.regions.<name>.access of its owner)."
					.formatted(name(missing)));
		this.memory = memory;
		this.missing = missing;
	}

	private static String name(AccessFlag flag) {
		return flag.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
