/**
 * Exceptions of RDMA operations. All are unchecked and below
 * {@link io.rdma.core.exception.RdmaException}, with one class for each thing that a
 * caller would handle differently.
 */
@NullMarked
package io.rdma.core.exception;

import org.jspecify.annotations.NullMarked;
