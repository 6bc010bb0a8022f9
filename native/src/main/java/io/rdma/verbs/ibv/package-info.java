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
 * The devices of libibverbs: what the interfaces of {@link io.rdma.verbs} are on real
 * hardware and on the kernel's software devices. {@link io.rdma.verbs.ibv.IbvProvider} is
 * the way in; its Javadoc says what is needed. The native library is small: one function
 * for one verb. Everything that has a state or decides something is here.
 */
@NullMarked
package io.rdma.verbs.ibv;

import org.jspecify.annotations.NullMarked;
