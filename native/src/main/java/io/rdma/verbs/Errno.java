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
 * The error numbers that verbs return, with the values of Linux.
 */
public enum Errno {

	/** Operation not permitted. */
	EPERM(1, "not permitted"),

	/** No such file or directory. */
	ENOENT(2, "no such object"),

	/** Interrupted system call. */
	EINTR(4, "interrupted"),

	/** Input/output error. */
	EIO(5, "the device failed"),

	/** No such device or address. */
	ENXIO(6, "no such device"),

	/** Try again. */
	EAGAIN(11, "try again"),

	/** Out of memory, or a queue is full. */
	ENOMEM(12, "out of memory or queue full"),

	/** Permission denied. */
	EACCES(13, "permission denied"),

	/** Bad address. */
	EFAULT(14, "the memory cannot be used"),

	/** Device or resource busy. */
	EBUSY(16, "still in use"),

	/** No such device. */
	ENODEV(19, "the device is gone"),

	/** Invalid argument. */
	EINVAL(22, "invalid argument"),

	/** Too many open files. */
	EMFILE(24, "too many open files"),

	/** No space left. */
	ENOSPC(28, "a limit of the device is reached"),

	/** Function not implemented. */
	ENOSYS(38, "not implemented"),

	/** No data available. */
	ENODATA(61, "no such entry"),

	/** Protocol not supported. */
	EPROTONOSUPPORT(93, "the protocol is not supported"),

	/** Operation not supported. */
	EOPNOTSUPP(95, "not supported by the device"),

	/** Address in use. */
	EADDRINUSE(98, "the address is in use"),

	/** Address not available. */
	EADDRNOTAVAIL(99, "the address is not available"),

	/** Network is unreachable. */
	ENETUNREACH(101, "the network is unreachable"),

	/** Connection reset. */
	ECONNRESET(104, "the connection was reset"),

	/** Timed out. */
	ETIMEDOUT(110, "timed out"),

	/** Connection refused. */
	ECONNREFUSED(111, "the connection was refused"),

	/** No route to host. */
	EHOSTUNREACH(113, "no route to the host"),

	/** An error number that is not in this list. */
	UNKNOWN(-1, "unknown error");

	private final int number;

	private final String meaning;

	Errno(int number, String meaning) {
		this.number = number;
		this.meaning = meaning;
	}

	/**
	 * Return the number on Linux.
	 * @return the positive number, or -1 for {@link #UNKNOWN}
	 */
	public int number() {
		return this.number;
	}

	/**
	 * Return what the number means, as part of a sentence for messages.
	 * @return the meaning
	 */
	public String meaning() {
		return this.meaning;
	}

	/**
	 * Return the constant of a number.
	 * @param number a positive error number
	 * @return the constant, {@link #UNKNOWN} if there is none
	 */
	public static Errno of(int number) {
		for (Errno errno : values()) {
			if (errno.number == number) {
				return errno;
			}
		}
		return UNKNOWN;
	}

}
