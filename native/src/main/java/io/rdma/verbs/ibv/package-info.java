/**
 * The devices of libibverbs: what the interfaces of {@link io.rdma.verbs} are on real
 * hardware and on the kernel's software devices. {@link io.rdma.verbs.ibv.IbvProvider} is
 * the way in; its Javadoc says what is needed. The native library is small: one function
 * for one verb. Everything that has a state or decides something is here.
 */
@NullMarked
package io.rdma.verbs.ibv;

import org.jspecify.annotations.NullMarked;
