package io.rdma.verbs;

import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * What came out of looking for a device.
 *
 * @param chosen the device to use, {@code null} if none can be used
 * @param reason why that one, or why none, as part of a sentence
 * @param candidates everything that was looked at, in order
 */
public record DeviceSelection(@Nullable DeviceCandidate chosen, String reason, List<DeviceCandidate> candidates) {

	/**
	 * Return whether the machine has a device at all, usable or not.
	 * @return whether there is one
	 */
	public boolean hasDevices() {
		return !this.candidates.isEmpty();
	}

	/**
	 * Return the selection in one line, for the log.
	 * @return the line
	 */
	public String describe() {
		DeviceCandidate device = this.chosen;
		String others = this.candidates.stream()
			.filter((candidate) -> !candidate.equals(device))
			.map(DeviceCandidate::toString)
			.collect(Collectors.joining("; "));
		String start = (device != null) ? "Using device " + device + ", " + this.reason
				: "No device can be used: " + this.reason;
		return others.isEmpty() ? start : start + ". Looked at besides: " + others;
	}

}
