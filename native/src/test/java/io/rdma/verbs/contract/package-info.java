/**
 * The device contract: what every verbs device must do, as abstract test classes, one for
 * each area. A device is plugged in through
 * {@link io.rdma.verbs.contract.DeviceUnderTest}.
 */
@NullMarked
package io.rdma.verbs.contract;

import org.jspecify.annotations.NullMarked;
