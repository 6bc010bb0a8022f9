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

package io.rdma.verbs.interop;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.VerbsProvider;
import io.rdma.verbs.contract.ContractDevice;
import io.rdma.verbs.ibv.IbvProvider;
import io.rdma.verbs.soft.MixedTraffic;
import io.rdma.verbs.soft.SoftProvider;

/**
 * A link between the kernel's Soft-RoCE and the software device, which have a network
 * namespace each; script {@code src/test/vm/networks-up} makes them. This JVM is in the
 * one of the software device: a verbs device can be opened from any namespace, but its
 * packets stay in its own.
 */
enum KernelLink {

	/** IPv4, with room for a path MTU of 1024. */
	IPV4("v", "rxe1", 1, "10.77.0.1", "10.77.0.2", PathMtu.MTU_1024),

	/** IPv6, with room for a path MTU of 1024. */
	IPV6("v", "rxe1", 2, "fd77::1", "fd77::2", PathMtu.MTU_1024),

	/** IPv4, with room for a path MTU of 4096. */
	IPV4_WIDE("w", "rxe2", 1, "10.78.0.1", "10.78.0.2", PathMtu.MTU_4096),

	/** IPv6, with room for a path MTU of 4096. */
	IPV6_WIDE("w", "rxe2", 2, "fd78::1", "fd78::2", PathMtu.MTU_4096);

	/** System property that is there if the namespaces are. */
	static final String PROPERTY = "rdma.test.networks";

	/** Starts a program in the network namespace of the kernel's device. */
	static final List<String> ENTER = List.of("nsenter", "--target=1", "--net");

	/** The port of RoCEv2, which the kernel sends to. */
	private static final int ROCE_PORT = 4791;

	private final String letter;

	private final String kernelDevice;

	private final int kernelGidIndex;

	private final String kernelAddress;

	private final String address;

	private final PathMtu pathMtu;

	KernelLink(String letter, String kernelDevice, int kernelGidIndex, String kernelAddress, String address,
			PathMtu pathMtu) {
		this.letter = letter;
		this.kernelDevice = kernelDevice;
		this.kernelGidIndex = kernelGidIndex;
		this.kernelAddress = kernelAddress;
		this.address = address;
		this.pathMtu = pathMtu;
	}

	/** The largest path MTU that the link has room for. */
	PathMtu pathMtu() {
		return this.pathMtu;
	}

	/** The network interface at our end. */
	String netdev() {
		return this.letter + "1";
	}

	/** The network interface at the kernel's end. */
	String kernelNetdev() {
		return this.letter + "0";
	}

	String kernelDevice() {
		return this.kernelDevice;
	}

	int kernelGidIndex() {
		return this.kernelGidIndex;
	}

	InetAddress kernelAddress() {
		return address(this.kernelAddress);
	}

	InetAddress address() {
		return address(this.address);
	}

	private static InetAddress address(String text) {
		try {
			return InetAddress.getByName(text);
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The kernel's end. */
	ContractDevice kernel() {
		return new End(ContractDevice.Kind.SOFT_ROCE, new IbvProvider(), this.kernelDevice, this.kernelGidIndex);
	}

	/** Our end. */
	ContractDevice software() {
		VerbsProvider provider = SoftProvider.builder().address(address()).port(ROCE_PORT).build();
		return new End(ContractDevice.Kind.SPECIFICATION, provider, SoftProvider.DEVICE_NAME, 1);
	}

	/**
	 * Traffic between both ends. It has no fences: Soft-RoCE of Linux 6.1 stopped for
	 * ever at a fenced request in each of six runs, and in none without fences.
	 */
	MixedTraffic traffic() {
		return MixedTraffic.defaults().withPathMtu(this.pathMtu).withFences(false);
	}

	/**
	 * Have both sides at their usual speed before anything is measured: a request that
	 * was sent again while this JVM was starting can run out of retries, and can make the
	 * kernel forget the one after it.
	 */
	void warmUp() {
		ContractDevice software = software();
		ContractDevice kernel = kernel();
		try (DeviceContext left = software.open(); DeviceContext right = kernel.open()) {
			traffic().withTimeout(18).between(left, software.gidIndex(), right, kernel.gidIndex());
		}
	}

	private record End(ContractDevice.Kind kind, VerbsProvider provider, String name,
			int gidIndex) implements ContractDevice {

	}

}
