/**
 * Tests of the software device.
 */
@NullMarked
package io.rdma.verbs.soft;

import org.jspecify.annotations.NullMarked;
