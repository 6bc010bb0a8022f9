/*
 * Copyright 2026 the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

/**
 * Memory that two processes of one user on one host both see, and rings in it. Knows no
 * queue pairs: what a request means is the business of who uses a
 * {@link io.rdma.verbs.soft.shm.SharedConnection}.
 *
 * <p>
 * A {@link io.rdma.verbs.soft.shm.SharedMemory} makes files that others can map: sealed
 * ones that exist in memory only, where the native library can make them, else ordinary
 * ones in a directory of its own. Each end of a connection has one such file with its
 * requests and the answers to them. Nobody believes what stands in a file: numbers are
 * copied once, checked, and used.
 */
@NullMarked
package io.rdma.verbs.soft.shm;

import org.jspecify.annotations.NullMarked;
