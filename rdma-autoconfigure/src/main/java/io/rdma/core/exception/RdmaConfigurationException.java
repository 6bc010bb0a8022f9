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
		super(RdmaErrorContext.none(), ((value != null) ? "'%s' is '%s': %s".formatted(property, value, reason)
				: "'%s' is not set: %s".formatted(property, reason)), remedy, cause);
		this.property = property;
		this.value = (value != null) ? value.toString() : null;
		this.reason = reason;
	}

}
