package io.rdma.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A device that was looked at.
 *
 * @param name the name of the device
 * @param port the number of the port, 0 if none was looked at
 * @param gid the GID to use, {@code null} if there is none or the port needs none
 * @param obstacle why it cannot be used and what to do, a sentence, {@code null} if it
 * can
 */
public record DeviceCandidate(String name, int port, @Nullable GidEntry gid, @Nullable String obstacle) {

	/**
	 * Return whether it can be used.
	 * @return whether nothing is in the way
	 */
	public boolean isUsable() {
		return this.obstacle == null;
	}

	@Override
	public String toString() {
		if (this.obstacle != null) {
			return this.name + " (" + this.obstacle + ")";
		}
		GidEntry entry = this.gid;
		return this.name + " port " + this.port + ((entry != null)
				? " GID " + entry.index() + " " + entry.gid().toAddress().getHostAddress() + " " + entry.type().label()
				: "");
	}

}
