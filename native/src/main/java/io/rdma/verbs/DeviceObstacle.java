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
 * What can be in the way of using a device.
 */
public enum DeviceObstacle {

	/** It is not the device that was asked for. */
	NOT_ASKED_FOR,

	/** It, or the link of its port, is of a kind that is not supported. */
	TRANSPORT,

	/** The kernel has it, but the provider does not list it or cannot open it. */
	NOT_OPENED,

	/** It has no port of the number that was asked for. */
	NO_SUCH_PORT,

	/** Its port is not ACTIVE. */
	PORT_NOT_ACTIVE,

	/** Its port has no GID at the index that was asked for. */
	NO_SUCH_GID,

	/** Its port has no GID of the address that was asked for. */
	NO_SUCH_ADDRESS,

	/** Its Ethernet port has no GID that can be routed. */
	NO_ROUTABLE_GID,

	/** No subnet manager has configured its InfiniBand port, which so has no LID. */
	NO_LID,

	/** The process may not pin as much memory as will be registered. */
	LOCKED_MEMORY

}
