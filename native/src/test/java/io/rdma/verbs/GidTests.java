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

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Gid}.
 */
class GidTests {

	@Test
	void whenMadeOfIpv4AddressThenItIsMapped() throws UnknownHostException {
		Gid gid = Gid.of(address("10.77.0.200"));
		assertThat(gid).hasToString("0000:0000:0000:0000:0000:ffff:0a4d:00c8");
		assertThat(gid.isIpv4()).isTrue();
		assertThat(gid.isLinkLocal()).isFalse();
		assertThat(gid.toAddress()).isInstanceOf(Inet4Address.class).isEqualTo(address("10.77.0.200"));
	}

	@Test
	void whenMadeOfIpv6AddressThenItIsTheAddress() throws UnknownHostException {
		Gid gid = Gid.of(address("fd77::1"));
		assertThat(gid).hasToString("fd77:0000:0000:0000:0000:0000:0000:0001");
		assertThat(gid.isIpv4()).isFalse();
		assertThat(gid.toAddress()).isInstanceOf(Inet6Address.class).isEqualTo(address("fd77::1"));
	}

	@ParameterizedTest
	@CsvSource({ "fe80::ff:fe00:1, true", "febf::1, true", "fec0::1, false", "fd77::1, false", "::1, false" })
	void whenAddressIsLinkLocalThenGidIs(String address, boolean linkLocal) throws UnknownHostException {
		assertThat(Gid.of(address(address)).isLinkLocal()).isEqualTo(linkLocal);
	}

	@ParameterizedTest
	@ValueSource(strings = { "0.0.0.0", "255.255.255.255", "127.0.0.1", "::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
			"2001:db8::8000:0" })
	void whenTurnedIntoBytesThenTheyMakeTheSameGid(String address) throws UnknownHostException {
		Gid gid = Gid.of(address(address));
		assertThat(gid.toBytes()).hasSize(16);
		assertThat(Gid.of(gid.toBytes())).isEqualTo(gid).hasSameHashCodeAs(gid);
	}

	@Test
	void whenNoBitIsSetThenItIsZero() throws UnknownHostException {
		assertThat(new Gid(0, 0).isZero()).isTrue();
		assertThat(new Gid(0, 1).isZero()).isFalse();
		assertThat(new Gid(1, 0).isZero()).isFalse();
		assertThat(Gid.of(address("0.0.0.0")).isZero()).isFalse();
	}

	@Test
	void whenOnlyTheLowHalfLooksMappedThenItIsNotIpv4() {
		assertThat(new Gid(1, 0x0000_ffff_7f00_0001L).isIpv4()).isFalse();
		assertThat(new Gid(0, 0x0000_fffe_7f00_0001L).isIpv4()).isFalse();
	}

	@Test
	void whenThereAreNot16BytesThenTheyAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> Gid.of(new byte[4])).withMessageContaining("4");
	}

	private static InetAddress address(String literal) throws UnknownHostException {
		return InetAddress.getByName(literal);
	}

}
