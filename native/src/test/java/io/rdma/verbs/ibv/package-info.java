@NullMarked
package io.rdma.verbs.ibv;

import org.jspecify.annotations.NullMarked;
