/**
 * Tests of the verbs layer that need no device.
 */
@NullMarked
package io.rdma.verbs;

import org.jspecify.annotations.NullMarked;
