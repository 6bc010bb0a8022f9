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
 * RoCEv2 packets of the reliable connected transport, as they stand in a UDP datagram:
 * base transport header, extension headers, payload, pad and invariant CRC. Pure format:
 * nothing here knows a queue pair or a socket.
 *
 * <p>
 * A packet lies in a big-endian buffer, direct on the fast path. Every method takes the
 * absolute index {@code at} of the first byte of the base transport header, leaves
 * position and limit of the buffer alone, and allocates nothing. A length of a packet
 * counts the bytes from there up to and including the invariant CRC, as the payload of
 * the datagram does. What a method reads must lie inside of the buffer;
 * {@link io.rdma.verbs.soft.packet.PacketCheck} makes sure that it lies inside of the
 * packet as well.
 */
@NullMarked
package io.rdma.verbs.soft.packet;

import org.jspecify.annotations.NullMarked;
