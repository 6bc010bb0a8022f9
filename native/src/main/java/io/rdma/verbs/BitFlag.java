package io.rdma.verbs;

import java.util.Collection;

/**
 * A constant that stands for one bit of a mask in the C interface.
 */
public interface BitFlag {

	/**
	 * Return the bit.
	 * @return a value with exactly one bit set
	 */
	int bit();

	/**
	 * Return whether a mask has this bit.
	 * @param mask the mask
	 * @return whether the bit is set
	 */
	default boolean isIn(int mask) {
		return (mask & bit()) != 0;
	}

	/**
	 * Return the mask that has the bits of all given flags.
	 * @param flags the flags
	 * @return the mask
	 */
	static int mask(Collection<? extends BitFlag> flags) {
		int mask = 0;
		for (BitFlag flag : flags) {
			mask |= flag.bit();
		}
		return mask;
	}

}
