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

package io.rdma.verbs;

/**
 * How the messages of a connected queue pair get to its peer.
 */
public enum PathKind {

	/**
	 * The device and its network decide.
	 */
	DEVICE,

	/**
	 * The peer is in the same process, and the thread that posts does the work of both.
	 */
	PROCESS,

	/**
	 * The peer is another process of the same user on the same host, and both see the
	 * same memory.
	 */
	SHARED_MEMORY,

	/**
	 * RoCEv2 packets over UDP.
	 */
	WIRE

}
