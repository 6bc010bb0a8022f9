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

package io.rdma.verbs;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A source of devices. Thread-safe.
 */
public interface VerbsProvider {

	/**
	 * Return the name, as the setting that chooses a provider spells it.
	 * @return for example {@code verbs} or {@code soft}
	 */
	String name();

	/**
	 * Return why the provider cannot be used here.
	 * @return the cause, {@code null} if it can be used
	 */
	@Nullable Throwable unavailabilityCause();

	/**
	 * Return whether the provider can be used here. That it has devices is not said.
	 * @return whether it can be used
	 */
	default boolean isAvailable() {
		return unavailabilityCause() == null;
	}

	/**
	 * Return the devices there are ({@code ibv_get_device_list}).
	 * @return the devices, an empty list if the provider cannot be used
	 */
	List<DeviceInfo> devices();

	/**
	 * Open a device ({@code ibv_open_device}).
	 * @param deviceName the name
	 * @return the context, to be closed by the caller
	 * @throws VerbsException with {@link Errno#ENODEV} if there is no such device; the
	 * message lists those there are
	 */
	DeviceContext open(String deviceName);

}
