package io.rdma.verbs;

import java.util.List;
import java.util.Map;

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
	 * Return the devices that the machine has but that cannot be listed or opened.
	 * @return a sentence for each that says why and what to do, by name of the device
	 */
	default Map<String, String> unusableDevices() {
		return Map.of();
	}

	/**
	 * Open a device ({@code ibv_open_device}).
	 * @param deviceName the name
	 * @return the context, to be closed by the caller
	 * @throws VerbsException with {@link Errno#ENODEV} if there is no such device; the
	 * message lists those there are
	 */
	DeviceContext open(String deviceName);

}
