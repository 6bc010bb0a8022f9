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
package io.rdma.verbs.soft.net;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Locale;

import io.rdma.verbs.jni.LinuxError;
import io.rdma.verbs.jni.SystemCallException;

/**
 * Says why an address cannot be had, and what to do, whatever refused it.
 */
final class BindFailure {

	private BindFailure() {
	}

	static BindException of(InetSocketAddress address, SystemCallException cause) {
		return of(address, cause, switch (cause.errno()) {
			case LinuxError.EADDRINUSE -> taken(address);
			case LinuxError.EADDRNOTAVAIL -> notHere();
			case LinuxError.EACCES -> notPermitted();
			default -> String.valueOf(cause.getMessage());
		});
	}

	/** Java tells the reason in the text only, which is that of the C library. */
	static BindException of(InetSocketAddress address, IOException cause) {
		String text = String.valueOf(cause.getMessage());
		String known = text.toLowerCase(Locale.ROOT);
		if (known.contains("in use")) {
			return of(address, cause, taken(address));
		}
		if (known.contains("assign") || known.contains("not available")) {
			return of(address, cause, notHere());
		}
		return of(address, cause, known.contains("permission denied") ? notPermitted() : text);
	}

	static BindException of(InetSocketAddress address, String reason) {
		return new BindException("UDP address " + text(address) + " cannot be used: " + reason);
	}

	private static BindException of(InetSocketAddress address, IOException cause, String reason) {
		BindException exception = of(address, reason);
		exception.initCause(cause);
		return exception;
	}

	private static String taken(InetSocketAddress address) {
		return "another socket has port " + address.getPort() + "; use another port, or end what has it: a software "
				+ "device of another process, or the kernel's Soft-RoCE (module rdma_rxe), which takes port 4791 of all "
				+ "addresses";
	}

	private static String notHere() {
		return "it is no address of this machine, or its network interface is down; use one that \"ip address\" lists";
	}

	private static String notPermitted() {
		return "the system does not permit this user to use the port";
	}

	private static String text(InetSocketAddress address) {
		String host = (address.getAddress() != null) ? address.getAddress().getHostAddress() : address.getHostString();
		return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
	}

}
