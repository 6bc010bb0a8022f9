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
 * What a provider returns of a posted chain, packed into one {@code long} so that posting
 * allocates nothing: {@link #NONE} if all was posted, else the error number and the index
 * of the first work request that was not.
 */
public final class Refusal {

	/** All was posted. */
	public static final long NONE = 0;

	private Refusal() {
	}

	/**
	 * Pack a refusal.
	 * @param errno the error number
	 * @param index the index of the first work request that was not posted
	 * @return the packed value, never {@link #NONE}
	 */
	public static long of(Errno errno, int index) {
		return ((long) index << Integer.SIZE) | errno.number();
	}

	static Errno errno(long refusal) {
		return Errno.of((int) refusal);
	}

	static int index(long refusal) {
		return (int) (refusal >>> Integer.SIZE);
	}

	static WorkRequestException exception(String verb, String queue, long refusal, Object request) {
		Errno errno = errno(refusal);
		String reason = switch (errno) {
			case ENOMEM -> "the queue is full: poll completions, then post again";
			case EIO, ENXIO, ENODEV -> errno.meaning() + ": it was reset or removed, or its driver gave up; close all "
					+ "that was made from it and open it again";
			default -> "the request is not valid for this queue pair: look at its scatter/gather entries, inline "
					+ "length, alignment and the limits granted";
		};
		return new WorkRequestException(verb, errno, index(refusal),
				"The " + queue + " refused the " + request + ": " + reason);
	}

}
