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

package io.rdma.core.connection;

/**
 * Why a side refuses a handshake. The order is part of the protocol: append only.
 */
enum RejectCode {

	/** A frame is malformed or comes out of order. */
	PROTOCOL,

	/** No version of the handshake is spoken by both sides. */
	VERSION,

	/** The peer could not prove who it is. */
	NOT_TRUSTED,

	/** The two devices cannot reach each other. */
	INCOMPATIBLE,

	/** Both ends claim to be the same queue pair. */
	IDENTITY,

	/** Too many handshakes or connections. */
	BUSY,

	/** The service stops. */
	STOPPING,

	/** A queue pair or memory could not be had. */
	RESOURCES,

	/** No message came through the queue pair. */
	NO_TRAFFIC,

	/** The peer took too long. */
	TIMEOUT,

	/** Anything else. */
	OTHER

}
