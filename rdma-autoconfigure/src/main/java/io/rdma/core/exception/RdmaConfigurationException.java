package io.rdma.core.exception;

import lombok.Getter;
import lombok.experimental.Accessors;
import org.jspecify.annotations.Nullable;

/**
 * A setting has a value that cannot work.
 */
@Getter
@Accessors(fluent = true)
public class RdmaConfigurationException extends RdmaException {

	private static final long serialVersionUID = 1L;

	/**
	 * Name of the setting, for example {@code rdma.memory.pool-size}.
	 */
	private final String property;

	/**
	 * Value that it has, as text.
	 */
	private final @Nullable String value;

	/**
	 * Why the value cannot work.
	 */
	private final String reason;

	/**
	 * Create an exception.
	 * @param property the name of the setting
	 * @param value its value, {@code null} if it is not set
	 * @param reason why that cannot work, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 */
	public RdmaConfigurationException(String property, @Nullable Object value, String reason, String remedy) {
		this(property, value, reason, remedy, null);
	}

	/**
	 * Create an exception.
	 * @param property the name of the setting
	 * @param value its value, {@code null} if it is not set
	 * @param reason why that cannot work, without a full stop
	 * @param remedy what to do about it, one or more sentences
	 * @param cause the cause
	 */
	public RdmaConfigurationException(String property, @Nullable Object value, String reason, String remedy,
			@Nullable Throwable cause) {
		super(RdmaErrorContext.none(),
				((value != null) ? "'%s' is '%s': %s".formatted(property, value, reason)
						: "'%s' is not set: %s".formatted(property, reason)),
				remedy, cause);
		this.property = property;
		this.value = (value != null) ? value.toString() : null;
		this.reason = reason;
	}

}
