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
package io.rdma.verbs.jni;

import java.io.IOException;

/**
 * A system call failed.
 */
public class SystemCallException extends IOException {

	private static final long serialVersionUID = 1L;

	private final int errno;

	/**
	 * Create an exception.
	 * @param call the name of the system call
	 * @param errno the positive error number
	 */
	public SystemCallException(String call, int errno) {
		super(call + ": " + LinuxError.describe(errno));
		this.errno = errno;
	}

	/**
	 * Return the error number.
	 * @return the positive number
	 */
	public int errno() {
		return this.errno;
	}

	/**
	 * Check what a native function returned.
	 * @param returned the result, or a negative error number
	 * @param call the name of the system call
	 * @return the result
	 * @throws SystemCallException if it is an error number
	 */
	static int check(int returned, String call) throws SystemCallException {
		if (returned < 0) {
			throw new SystemCallException(call, -returned);
		}
		return returned;
	}

}
