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
import java.util.List;

import io.rdma.verbs.jni.ChildJvm;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DatagramPorts}.
 */
class DatagramPortsTests {

	@ParameterizedTest
	@ValueSource(strings = { "0.0.0.0", "::" })
	void whenTheAddressIsTheWildcardThenItIsRefused(String host) throws IOException {
		assertRefused(DatagramPortContract.address(host, 4791)).withMessageContaining("stands for all addresses");
	}

	@Test
	void whenTheAddressIsMulticastThenItIsRefused() throws IOException {
		assertRefused(DatagramPortContract.address("224.0.0.1", 4791)).withMessageContaining("multicast");
	}

	@Test
	void whenALinkLocalAddressHasNoInterfaceThenItIsRefused() throws IOException {
		assertRefused(DatagramPortContract.address("fe80::1", 4791)).withMessageContaining("fe80:0:0:0:0:0:0:1%eth0");
	}

	@Test
	void whenTheNameIsNotResolvedThenItIsRefused() {
		assertRefused(InetSocketAddress.createUnresolved("nowhere.invalid", 4791))
			.withMessageContaining("nowhere.invalid:4791");
	}

	private static ThrowableAssertAlternative<BindException> assertRefused(InetSocketAddress address) {
		return assertThatExceptionOfType(BindException.class).isThrownBy(() -> DatagramPorts.open(address, true))
			.withMessageContaining("4791 cannot be used");
	}

	@Test
	@EnabledIf("io.rdma.verbs.jni.NativeBuild#isThere")
	void whenLibibverbsIsMissingThenSocketsAreNativeAllTheSame() throws Exception {
		assertThat(twoPorts("-Drdma.native.libibverbs=libibverbs-that-is-not-there.so"))
			.containsExactly("NativeDatagramPort", "NativeDatagramPort");
	}

	@ParameterizedTest
	@ValueSource(strings = { "libstale_version.so", "libstale_methods.so", "libstale_class.so" })
	@EnabledIf("io.rdma.verbs.jni.NativeBuild#isThere")
	void whenTheNativeLibraryIsOfAnotherReleaseThenChannelsAreUsedAndItIsSaidOnce(String name) throws Exception {
		String library = "target/test-classes/native/" + name;
		List<String> lines = twoPorts("-Drdma.native.library-path=" + library);
		assertThat(lines).hasSize(3)
			.filteredOn((line) -> line.contains("The software device uses the UDP channels of Java"))
			.singleElement()
			.asString()
			.contains(name, "another release");
		assertThat(lines).filteredOn("ChannelDatagramPort"::equals).hasSize(2);
	}

	private static List<String> twoPorts(String option) throws Exception {
		return ChildJvm.run(TwoPorts.class, List.of("--enable-native-access=ALL-UNNAMED", option));
	}

	/**
	 * Opens two ports and prints what they are.
	 */
	static final class TwoPorts {

		private TwoPorts() {
		}

		/**
		 * Run.
		 * @param args not used
		 * @throws IOException if they cannot be opened
		 */
		public static void main(String[] args) throws IOException {
			for (int i = 0; i < 2; i++) {
				try (DatagramPort port = DatagramPorts.open(DatagramPortContract.address("127.0.0.1", 0), true)) {
					System.out.println(port.getClass().getSimpleName());
				}
			}
		}

	}

}
