/**
 * The verbs layer: devices, protection domains, memory regions, queue pairs and
 * completion queues, named and behaving as in libibverbs. It knows no Spring. Providers
 * live in packages below this one and depend on it, never the other way round.
 */
@NullMarked
package io.rdma.verbs;

import org.jspecify.annotations.NullMarked;
