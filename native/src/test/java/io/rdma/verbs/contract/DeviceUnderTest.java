package io.rdma.verbs.contract;

/**
 * How a device is plugged into the contract: an interface that extends this one returns
 * the device from a default method, and a test class extends a contract and implements
 * that interface.
 */
public interface DeviceUnderTest {

	/**
	 * Return the device to test.
	 * @return the device
	 */
	ContractDevice device();

}
