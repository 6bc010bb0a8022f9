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

package io.rdma.verbs.soft.packet;

/**
 * The queue pair that packets are made for.
 *
 * @param flow from its peer to it
 * @param queuePair its number
 * @param mtu the path MTU in bytes
 * @param address the first address of memory that the peer may use
 * @param key the remote key of that memory
 * @param length the length of that memory in bytes, at least the path MTU and 8
 */
public record PacketTarget(Flow flow, int queuePair, int mtu, long address, int key, int length) {

}
