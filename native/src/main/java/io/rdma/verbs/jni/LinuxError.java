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

/**
 * Error numbers of Linux that files and sockets meet, which are the same on all
 * architectures that the native library is built for.
 */
public final class LinuxError {

	/** Interrupted by a signal. */
	public static final int EINTR = 4;

	/** The descriptor is not open. */
	public static final int EBADF = 9;

	/** Nothing there, or no room, without waiting. */
	public static final int EAGAIN = 11;

	/** Not permitted to this user. */
	public static final int EACCES = 13;

	/** Memory that is not there. */
	public static final int EFAULT = 14;

	/** Invalid argument. */
	public static final int EINVAL = 22;

	/** Not a socket. */
	public static final int ENOTSOCK = 88;

	/** A packet that is too long. */
	public static final int EMSGSIZE = 90;

	/** The address is in use. */
	public static final int EADDRINUSE = 98;

	/** The address is none of this machine. */
	public static final int EADDRNOTAVAIL = 99;

	/** No room in a queue of the system. */
	public static final int ENOBUFS = 105;

	private LinuxError() {
	}

	/**
	 * Return what an error number means, as part of a sentence for messages.
	 * @param errno a positive error number
	 * @return the meaning, and the number
	 */
	public static String describe(int errno) {
		String meaning = switch (errno) {
			case 1 -> "not permitted, for example by a firewall";
			case EINTR -> "interrupted";
			case EBADF -> "the descriptor is not open";
			case EAGAIN -> "try again";
			case 12 -> "out of memory";
			case EACCES -> "permission denied";
			case EFAULT -> "the memory cannot be used";
			case EINVAL -> "invalid argument";
			case 23 -> "too many files are open in the system";
			case 24 -> "too many files are open in this process";
			case 27 -> "the file is too large";
			case 28 -> "no space is left";
			case 38 -> "this kernel does not have it";
			case ENOTSOCK -> "not a socket";
			case EMSGSIZE -> "the packet is longer than the MTU of the network interface";
			case 97 -> "the address family is not supported";
			case EADDRINUSE -> "the address is in use";
			case EADDRNOTAVAIL -> "the address is none of this machine";
			case 100 -> "the network is down";
			case 101 -> "the network is unreachable";
			case ENOBUFS -> "the system has no room for it";
			case 111 -> "connection refused";
			case 112 -> "the host is down";
			case 113 -> "there is no route to the host";
			default -> "refused by the system";
		};
		return meaning + " (error number " + errno + ")";
	}

}
