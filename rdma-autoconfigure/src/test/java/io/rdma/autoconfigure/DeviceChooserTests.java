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

package io.rdma.autoconfigure;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;

import io.rdma.core.connection.DeviceChoice;
import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaException;
import io.rdma.verbs.DeviceCandidate;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.DeviceInfo;
import io.rdma.verbs.DeviceObstacle;
import io.rdma.verbs.Errno;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GidType;
import io.rdma.verbs.LinkLayer;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.PortAttributes;
import io.rdma.verbs.PortState;
import io.rdma.verbs.TransportType;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.VerbsProvider;
import io.rdma.verbs.jni.NativeLibraryException;
import io.rdma.verbs.soft.SoftProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link DeviceChooser}: each outcome of the providers on machines with devices
 * in different states, and what is said of it.
 */
@ExtendWith(OutputCaptureExtension.class)
class DeviceChooserTests {

	private static final GidEntry LINK_LOCAL = new GidEntry(0, new Gid(0xfe80_0000_0000_0000L, 1), GidType.ROCE_V2,
			null);

	private static final GidEntry IPV4 = new GidEntry(3, new Gid(0, 0xffff_0a09_0001L), GidType.ROCE_V2, null);

	private static final String MEMLOCK = "registering 67895296 bytes exceeds the 65536 bytes of locked memory";

	private final RdmaProperties properties = new RdmaProperties();

	private final Machine machine = new Machine();

	private long lockable = Long.MAX_VALUE;

	@Test
	void whenAutoAndThereIsNoDeviceThenTheSoftwareDeviceWithOneLine(CapturedOutput output) {
		DeviceChoice choice = chooseSoft();
		assertThat(choice.fallback()).isNull();
		assertThat(this.machine.listed).isZero();
		assertThat(output).doesNotContain("WARN");
		assertThat(output.toString().lines()).singleElement()
			.asString()
			.contains("INFO",
					"Using device soft0 port 1 GID 1 127.0.0.1 RoCE v2 of provider 'soft', since this machine "
							+ "has no RDMA device ('rdma.provider' is 'auto')");
	}

	@Test
	void whenAutoAndADeviceIsUsableThenItIsTakenWithOneLine(CapturedOutput output) {
		this.machine.device("mlx5_0", PortState.DOWN);
		this.machine.device("mlx5_1", PortState.ACTIVE);
		DeviceChooser chooser = chooser();
		VerbsProvider provider = chooser.provider();
		assertThat(provider).isSameAs(this.machine);
		DeviceContext context = chooser.open(provider);
		assertThat(context.device().name()).isEqualTo("mlx5_1");
		// by the look at it only
		then(context).should(times(1)).close();
		DeviceChoice choice = chooser.choice(context);
		assertThat(choice.provider()).isEqualTo("verbs");
		assertThat(choice.chosen().gid()).isEqualTo(IPV4);
		assertThat(choice.fallback()).isNull();
		assertThat(choice.candidates()).extracting(DeviceCandidate::name).containsExactly("mlx5_0", "mlx5_1");
		assertThat(output.toString().lines()).singleElement()
			.asString()
			.contains("INFO",
					"Using device mlx5_1 port 1 GID 3 10.9.0.1 RoCE v2 of provider 'verbs', the first with an "
							+ "ACTIVE port",
					"Passed over: mlx5_0 (its port 1 is DOWN, not ACTIVE");
	}

	@Test
	void whenAutoAndADeviceHasNoNodeThenTheSoftwareDeviceWithAWarning(CapturedOutput output) {
		this.machine.refused.put("mlx5_0", "Device mlx5_0 cannot be opened: its device node "
				+ "/dev/infiniband/uverbs0 does not exist; load the kernel module ib_uverbs");
		this.machine.device("mlx5_0", PortState.ACTIVE);
		assertFallsBack(output, "mlx5_0", "/dev/infiniband/uverbs0 does not exist", "load the kernel module ib_uverbs",
				"Do what is said of the one that you want");
	}

	@Test
	void whenAutoAndADeviceHasNoProviderLibraryThenTheSoftwareDeviceWithAWarning(CapturedOutput output) {
		this.machine.unlisted.put("irdma0", "The kernel has device irdma0, but libibverbs found no provider library "
				+ "for it; install ibverbs-providers");
		assertFallsBack(output, "irdma0", "found no provider library", "install ibverbs-providers");
	}

	@Test
	void whenAutoAndTheNativeLibraryIsMissingThenTheSoftwareDeviceWithAWarningIfThereIsADevice(CapturedOutput output) {
		this.machine.unavailable = new NativeLibraryException("There is no native library; build it");
		this.machine.unlisted.put("mlx5_0", "There is no native library; build it");
		assertFallsBack(output, "mlx5_0", "There is no native library", "build it");
	}

	@Test
	void whenAutoAndThePortIsDownThenTheSoftwareDeviceWithAWarning(CapturedOutput output) {
		this.machine.device("mlx5_0", PortState.DOWN);
		assertFallsBack(output, "mlx5_0", "its port 1 is DOWN, not ACTIVE", "check the cable", "Bring the port up",
				"'rdma.device.port'");
	}

	@Test
	void whenAutoAndNoGidIsUsableThenTheSoftwareDeviceWithAWarning(CapturedOutput output) {
		this.machine.device("mlx5_0", PortState.ACTIVE, LINK_LOCAL);
		assertFallsBack(output, "mlx5_0", "has no GID that can be routed", "Give its network interface an IP address",
				"'rdma.device.gid-index'");
	}

	@Test
	void whenAutoAndMemoryCannotBeLockedThenTheSoftwareDeviceWithAWarning(CapturedOutput output) {
		this.machine.device("mlx5_0", PortState.ACTIVE);
		this.lockable = 65536;
		assertFallsBack(output, "mlx5_0", MEMLOCK, "raise RLIMIT_MEMLOCK (ulimit -l",
				"make 'rdma.memory.pool-size' and 'rdma.regions' smaller");
	}

	@Test
	void whenAutoAndTheSettingsNameAnotherDeviceThenTheSoftwareDeviceWithAWarning(CapturedOutput output) {
		this.machine.device("mlx5_0", PortState.ACTIVE);
		this.properties.getDevice().setName("mlx5_7");
		this.properties.getDevice().setGidIndex(9);
		assertFallsBack(output, "mlx5_0", "its name is not mlx5_7", "Set 'rdma.device.name' to what one of those has");
	}

	@Test
	void whenAutoAndAnInfinibandPortIsNotConfiguredThenTheSoftwareDeviceWithAWarning(CapturedOutput output) {
		this.machine.port("ib0", PortState.INIT, LinkLayer.INFINIBAND);
		assertFallsBack(output, "ib0", "no subnet manager has configured it yet", "Start a subnet manager");
	}

	@Test
	void whenAutoAndThePortDoesNotExistThenTheWarningNamesTheSetting(CapturedOutput output) {
		this.machine.device("mlx5_0", PortState.ACTIVE);
		this.properties.getDevice().setPort(3);
		assertFallsBack(output, "mlx5_0", "no port 3", "Set 'rdma.device.port' to the number of a port");
	}

	@Test
	void whenAutoAndTheGidDoesNotExistThenTheWarningNamesTheSetting(CapturedOutput output) {
		this.machine.device("mlx5_0", PortState.ACTIVE);
		this.properties.getDevice().setGidIndex(9);
		assertFallsBack(output, "mlx5_0", "no GID with index 9", "Set 'rdma.device.gid-index' to one of those");
	}

	@Test
	void whenAutoAndTheAddressDoesNotExistThenTheWarningNamesTheSetting(CapturedOutput output)
			throws UnknownHostException {
		this.machine.device("mlx5_0", PortState.ACTIVE);
		this.properties.getDevice().setIp(InetAddress.getByName("10.9.0.7"));
		assertFallsBack(output, "mlx5_0", "no GID of address 10.9.0.7", "Set 'rdma.device.ip' to the address");
	}

	@Test
	void whenAutoAndDevicesHaveSeveralObstaclesThenThereIsARemedyForEach() {
		this.machine.device("mlx5_0", PortState.DOWN);
		this.machine.device("mlx5_1", PortState.ACTIVE, LINK_LOCAL);
		this.machine.unlisted.put("irdma0", "no provider library was found for it");
		assertThat(chooseSoft().fallback()).contains("mlx5_0 (", "Bring the port up", "mlx5_1 (",
				"Give its network interface an IP address", "irdma0 (", "Do what is said of the one that you want");
	}

	@Test
	void whenAutoFallsBackThenThatIsSaidBeforeTheDeviceIsOpened(CapturedOutput output) {
		this.machine.device("mlx5_0", PortState.DOWN);
		DeviceChooser chooser = chooser();
		chooser.provider();
		assertThat(output).containsOnlyOnce("WARN").contains("its port 1 is DOWN");
		assertThat(chooser.fallback()).contains("its port 1 is DOWN", "Bring the port up");
	}

	@Test
	void whenAutoAndTheSoftwareDeviceIsNamedThenNoOtherIsLookedAt(CapturedOutput output) {
		this.machine.device("mlx5_0", PortState.ACTIVE);
		this.properties.getDevice().setName("soft0");
		DeviceChoice choice = chooseSoft();
		assertThat(choice.reason()).isEqualTo("the first with an ACTIVE port and name soft0");
		assertThat(this.machine.opened).isZero();
		assertThat(output).containsOnlyOnce("INFO").doesNotContain("WARN");
	}

	@Test
	void whenVerbsIsNotAvailableThenTheAnalysisSaysWhy() {
		this.machine.unavailable = new NativeLibraryException("libibverbs cannot be opened; install it");
		assertThat(analyze(chooserOfVerbs()::provider)).satisfies((analysis) -> {
			assertThat(analysis.getDescription()).contains("'rdma.provider' is 'verbs'", "libibverbs cannot be opened");
			assertThat(analysis.getAction()).contains("'auto' or 'soft'").doesNotContain("rdma.device");
		});
		this.properties.getDevice().setNetdev("eth7");
		assertThat(analyze(chooserOfVerbs()::provider).getAction()).contains("with 'soft' remove 'rdma.device.netdev'");
	}

	@Test
	void whenTheRemedyIsTheSoftwareDeviceThenTheSettingsThatItDoesNotFitAreNamed() throws UnknownHostException {
		assertRefused("has no device", "Or set 'rdma.provider' to 'soft' to use the software device.");
		this.machine.device("mlx5_0", PortState.DOWN);
		RdmaProperties.Device device = this.properties.getDevice();
		device.setName("mlx5_0");
		device.setNetdev("net-mlx5_0");
		device.setGuid("0x0000000000000001");
		device.setIp(InetAddress.getByName("10.9.0.1"));
		device.setPort(1);
		device.setGidIndex(3);
		assertRefused("its port 1 is DOWN",
				"Or set 'rdma.provider' to 'soft' and remove 'rdma.device.name' and 'rdma.device.netdev' and "
						+ "'rdma.device.guid' and 'rdma.device.ip' and 'rdma.device.port' and 'rdma.device.gid-index' "
						+ "to use the software device.");
	}

	@Test
	void whenVerbsHasNoDeviceThenTheAnalysisSaysSo() {
		assertRefused("the provider 'verbs' has no device", "/sys/class/infiniband");
	}

	@Test
	void whenVerbsHasNoUsableDeviceThenTheAnalysisNamesReasonAndRemedy() {
		this.machine.device("mlx5_0", PortState.INIT);
		assertRefused("no device of the provider 'verbs' can be used: mlx5_0 (its port 1 is INIT", "Bring the port up");
		this.machine.device("mlx5_0", PortState.ACTIVE, LINK_LOCAL);
		assertRefused("has no GID that can be routed, but 0 fe80", "'rdma.device.gid-index'");
		this.machine.device("mlx5_0", PortState.ACTIVE);
		this.lockable = 65536;
		assertRefused(MEMLOCK, "ulimit -l unlimited", "make 'rdma.memory.pool-size'");
		this.machine.refused.put("mlx5_0", "user app may not read and write its device node /dev/infiniband/uverbs0");
		assertRefused("may not read and write its device node /dev/infiniband/uverbs0", "'rdma.device.name'");
		this.machine.device("mlx5_1", PortState.DOWN);
		assertRefused("no device of the provider 'verbs' can be used: mlx5_0 (user app may not", "mlx5_1 (its port 1");
	}

	@Test
	void whenAnInfinibandPortHasNoLidThenTheAnalysisNamesTheSubnetManager() {
		this.machine.port("ib0", PortState.ACTIVE, LinkLayer.INFINIBAND);
		assertRefused("its port 1 has neither a LID nor a GID", "Start a subnet manager");
	}

	@Test
	void whenAnInfinibandPortIsNotConfiguredThenTheAnalysisNamesTheSubnetManager() {
		this.machine.port("ib0", PortState.INIT, LinkLayer.INFINIBAND);
		assertRefused("its port 1 is INIT: no subnet manager has configured it yet", "Start a subnet manager");
	}

	@Test
	void whenTheDeviceThatIsNamedDoesNotExistThenTheAnalysisListsThoseThatDo() {
		this.machine.device("mlx5_0", PortState.ACTIVE);
		this.properties.getDevice().setName("mlx5_7");
		this.properties.getDevice().setNetdev("eth7");
		this.properties.getDevice().setGuid("0002:c903:00a0:3f20");
		assertRefused("'rdma.device.name' is 'mlx5_7' and 'rdma.device.netdev' is 'eth7' and 'rdma.device.guid' is "
				+ "'0002:c903:00a0:3f20'", "mlx5_0 (network interface net-mlx5_0, GUID 0000:0000:0000:0001)");
	}

	@Test
	void whenAnotherDeviceIsNotListedThenWhatIsSaidIsOfTheOneThatIsNamed() {
		this.machine.device("mlx5_0", PortState.ACTIVE);
		this.machine.unlisted.put("irdma0", "The kernel has device irdma0, but no provider library for it");
		this.properties.getDevice().setName("mlx5_7");
		assertRefused("'rdma.device.name' is 'mlx5_7'", "Use one of those present: mlx5_0 (network interface "
				+ "net-mlx5_0, GUID 0000:0000:0000:0001), irdma0 (cannot be opened yet)");
		this.properties.getDevice().setName("mlx5_0");
		this.properties.getDevice().setGidIndex(9);
		assertWrong("rdma.device.gid-index", "9", "has no GID with index 9, but 3 10.9.0.1 RoCE v2");
	}

	@Test
	void whenPortGidOrAddressDoNotExistThenTheSettingIsNamed() throws UnknownHostException {
		this.machine.device("mlx5_0", PortState.ACTIVE);
		this.properties.getDevice().setPort(3);
		assertWrong("rdma.device.port", "3", "it has 1 port and no port 3");
		this.properties.getDevice().setPort(null);
		this.properties.getDevice().setGidIndex(9);
		assertWrong("rdma.device.gid-index", "9", "has no GID with index 9, but 3 10.9.0.1 RoCE v2");
		this.properties.getDevice().setGidIndex(null);
		this.properties.getDevice().setIp(InetAddress.getByName("10.9.0.7"));
		this.machine.device("mlx5_1", PortState.ACTIVE);
		assertWrong("rdma.device.ip", "10.9.0.7", "has no GID of address 10.9.0.7, but 3 10.9.0.1 RoCE v2");
	}

	@Test
	void whenTheDeviceIsNamedInOneOfManyWaysThenItIsTaken() throws UnknownHostException {
		this.machine.device("mlx5_0", PortState.ACTIVE, LINK_LOCAL);
		this.machine.device("mlx5_1", PortState.ACTIVE);
		this.properties.getDevice().setIp(InetAddress.getByName("10.9.0.1"));
		assertThat(chosen()).isEqualTo("mlx5_1");
		this.properties.getDevice().setIp(null);
		this.properties.getDevice().setNetdev("net-mlx5_1");
		assertThat(chosen()).isEqualTo("mlx5_1");
		this.properties.getDevice().setNetdev(null);
		this.properties.getDevice().setGuid("0x0000000000000002");
		assertThat(chosen()).isEqualTo("mlx5_1");
		this.properties.getDevice().setGuid(null);
		this.properties.getDevice().setGidIndex(0);
		assertThat(chosen()).isEqualTo("mlx5_0");
	}

	@Test
	void whenTheApplicationOpenedTheDeviceItselfThenPortAndGidAreChosenOnIt() {
		DeviceChooser chooser = chooserOfVerbs();
		this.machine.device("mlx5_0", PortState.ACTIVE, LINK_LOCAL, IPV4);
		DeviceChoice choice = chooser.choice(this.machine.open("mlx5_0"));
		assertThat(choice.chosen().gid()).isEqualTo(IPV4);
		assertThat(choice.provider()).isEqualTo("verbs");
		assertThat(choice.reason()).isEqualTo("a bean of the application");
	}

	@Test
	void whenTheApplicationOpenedTheSoftwareDeviceThenThatIsTold() {
		DeviceChooser chooser = chooserOfVerbs();
		try (DeviceContext context = new SoftProvider().open(SoftProvider.DEVICE_NAME)) {
			assertThat(chooser.choice(context).provider()).isEqualTo("soft");
		}
	}

	@Test
	void whenTheDeviceOfTheApplicationCannotBeUsedThenThatIsRefusedWhereItWouldBe() {
		DeviceChooser chooser = chooserOfVerbs();
		this.machine.device("mlx5_0", PortState.ACTIVE, LINK_LOCAL);
		DeviceChoice choice = chooser.choice(this.machine.open("mlx5_0"));
		assertThat(choice.chosen().isUsable()).isFalse();
		FailureAnalysis analysis = analyze(() -> chooser.checkUsable(choice));
		assertThat(analysis.getDescription()).contains("mlx5_0 (its port 1 has no GID that can be routed");
		assertThat(analysis.getAction()).contains("'rdma.device.gid-index'", "define a bean LocalEndpoint")
			.doesNotContain("rdma.provider");
	}

	@Test
	void whenTheDeviceOfTheApplicationDoesNotAnswerThenItCannotBeUsed() {
		DeviceChooser chooser = chooserOfVerbs();
		this.machine.device("mlx5_0", PortState.ACTIVE);
		DeviceContext context = this.machine.open("mlx5_0");
		given(context.queryPort(1)).willThrow(new VerbsException("ibv_query_port", Errno.EIO, "The device failed"));
		assertThat(chooser.choice(context).chosen()).satisfies((chosen) -> {
			assertThat(chosen.obstacle()).isEqualTo(DeviceObstacle.NOT_OPENED);
			assertThat(chosen.reason()).contains("The device failed");
		});
	}

	@Test
	void whenTheSoftwareDeviceHasAnAddressThenPeersReachItThere(CapturedOutput output) throws UnknownHostException {
		this.properties.getSoft().setAddress(InetAddress.getByName("::1"));
		assertThat(chooseSoft().chosen().gid()).satisfies((gid) -> assertThat(gid.gid()).isEqualTo(new Gid(0, 1)));
		assertThat(output).contains("soft0 port 1 GID 1 0:0:0:0:0:0:0:1 RoCE v2");
	}

	@Test
	void whenTheSoftwareDeviceIsAskedForThenAddressAndInterfaceOfTheDeviceAreItsOwn() throws Exception {
		String loopback = NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1")).getName();
		this.properties.setProvider(RdmaProperties.Provider.SOFT);
		this.properties.getDevice().setNetdev(loopback);
		assertThat(chooseSoft().chosen().gid()).satisfies((gid) -> assertThat(gid.gid().isIpv4()).isTrue());
		this.properties.getDevice().setIp(InetAddress.getByName("::1"));
		assertThat(chooseSoft().chosen().gid()).satisfies((gid) -> assertThat(gid.gid()).isEqualTo(new Gid(0, 1)));
	}

	@Test
	void whenTheSoftwareDeviceIsOnlyALastResortThenSettingsOfTheDeviceDoNotOpenItToTheNetwork() throws Exception {
		this.properties.getDevice().setIp(InetAddress.getByName("::1"));
		assertThat(chooseSoft().chosen().gid()).satisfies((gid) -> assertThat(gid.gid().isIpv4()).isTrue());
	}

	@Test
	void whenTheAddressOfTheSoftwareDeviceIsOfAnotherMachineThenTheSettingAndTheAddressesAreNamed() throws Exception {
		assertNotOfThisMachine("rdma.soft.address", "192.0.2.1",
				(properties, address) -> properties.getSoft().setAddress(address));
		assertNotOfThisMachine("rdma.soft.address", "0.0.0.0",
				(properties, address) -> properties.getSoft().setAddress(address));
		this.properties.getSoft().setAddress(null);
		assertNotOfThisMachine("rdma.device.ip", "192.0.2.1", (properties, address) -> {
			properties.setProvider(RdmaProperties.Provider.SOFT);
			properties.getDevice().setIp(address);
		});
	}

	private void assertNotOfThisMachine(String property, String address, BiConsumer<RdmaProperties, InetAddress> setter)
			throws UnknownHostException {
		setter.accept(this.properties, InetAddress.getByName(address));
		assertThat(catchThrowableOfType(RdmaConfigurationException.class, () -> chooser().provider()))
			.satisfies((ex) -> {
				assertThat(ex.property()).isEqualTo(property);
				assertThat(ex.getMessage()).contains(address, "no network interface of this machine", "127.0.0.1 (");
			});
	}

	@Test
	void whenTheInterfaceOfTheSoftwareDeviceDoesNotExistThenThoseThatDoAreNamed() {
		this.properties.setProvider(RdmaProperties.Provider.SOFT);
		this.properties.getDevice().setNetdev("nonet0");
		assertThat(catchThrowableOfType(RdmaConfigurationException.class, () -> chooser().provider()))
			.hasMessageContaining("rdma.device.netdev")
			.hasMessageContaining("nonet0")
			.hasMessageContaining("127.0.0.1 (");
	}

	private DeviceChooser chooser() {
		return new DeviceChooser(this.properties.getProvider(), new RdmaSettings(this.properties).device(),
				this.machine, new SoftDevice(this.properties),
				() -> !this.machine.contexts.isEmpty() || !this.machine.unlisted.isEmpty(), () -> this.lockable);
	}

	private DeviceChooser chooserOfVerbs() {
		this.properties.setProvider(RdmaProperties.Provider.VERBS);
		return chooser();
	}

	private String chosen() {
		return chooserOfVerbs().open(this.machine).device().name();
	}

	private DeviceChoice chooseSoft() {
		DeviceChooser chooser = chooser();
		VerbsProvider provider = chooser.provider();
		assertThat(provider).isInstanceOf(SoftProvider.class);
		try (DeviceContext context = chooser.open(provider)) {
			assertThat(context.device().name()).isEqualTo("soft0");
			return chooser.choice(context);
		}
	}

	private void assertFallsBack(CapturedOutput output, String device, String reason, String... remedies) {
		DeviceChoice choice = chooseSoft();
		assertThat(choice.fallback()).contains(device, reason).contains(remedies);
		assertThat(choice.candidates()).extracting(DeviceCandidate::name).containsExactly(device, "soft0");
		assertThat(output.toString().lines()).singleElement()
			.asString()
			.contains("WARN", "Using device soft0", "since no RDMA device of this machine can be used", device, reason,
					"With 'rdma.provider' set to 'verbs' the start would fail instead")
			.contains(remedies);
	}

	private void assertRefused(String problem, String... remedies) {
		FailureAnalysis analysis = analyze(() -> chooserOfVerbs().open(this.machine));
		assertThat(analysis.getDescription()).contains(problem);
		assertThat(analysis.getDescription() + analysis.getAction()).contains(remedies)
			.contains("set 'rdma.provider' to 'soft'");
	}

	private static FailureAnalysis analyze(Runnable start) {
		RdmaException failure = catchThrowableOfType(RdmaException.class, start::run);
		return Objects.requireNonNull(new RdmaFailureAnalyzer().analyze(failure));
	}

	private void assertWrong(String property, String value, String reason) {
		RdmaConfigurationException failure = catchThrowableOfType(RdmaConfigurationException.class,
				() -> chooserOfVerbs().open(this.machine));
		FailureAnalysis analysis = new RdmaConfigurationFailureAnalyzer(new StandardEnvironment()).analyze(failure);
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription()).contains("Property: " + property, "Value: " + value, reason);
		assertThat(analysis.getAction()).contains("or remove it for the");
	}

	/**
	 * A machine with devices as a test wants them.
	 */
	private static final class Machine implements VerbsProvider {

		private final Map<String, DeviceContext> contexts = new LinkedHashMap<>();

		private final Map<String, String> refused = new TreeMap<>();

		private final Map<String, String> unlisted = new TreeMap<>();

		private @Nullable Throwable unavailable;

		private int opened;

		private int listed;

		void device(String name, PortState state, GidEntry... gids) {
			port(name, state, LinkLayer.ETHERNET, (gids.length != 0) ? gids : new GidEntry[] { IPV4 });
		}

		void port(String name, PortState state, LinkLayer linkLayer, GidEntry... gids) {
			DeviceContext context = mock(DeviceContext.class);
			DeviceInfo info = new DeviceInfo(name, Character.digit(name.charAt(name.length() - 1), 10) + 1,
					TransportType.INFINIBAND, "net-" + name, -1);
			given(context.device()).willReturn(info);
			given(context.physicalPorts()).willReturn(1);
			given(context.queryPort(1))
				.willReturn(new PortAttributes(state, PathMtu.MTU_4096, PathMtu.MTU_1024, 4, 1 << 30, 1, 0, linkLayer));
			given(context.queryGidTable(1)).willReturn(List.of(gids));
			this.contexts.put(name, context);
		}

		@Override
		public String name() {
			return "verbs";
		}

		@Override
		public @Nullable Throwable unavailabilityCause() {
			return this.unavailable;
		}

		@Override
		public List<DeviceInfo> devices() {
			this.listed++;
			return this.contexts.values().stream().map(DeviceContext::device).toList();
		}

		@Override
		public Map<String, String> unusableDevices() {
			return this.unlisted;
		}

		@Override
		public DeviceContext open(String deviceName) {
			String refusal = this.refused.get(deviceName);
			if (refusal != null) {
				throw new VerbsException("ibv_open_device", Errno.EACCES, refusal);
			}
			this.opened++;
			return Objects.requireNonNull(this.contexts.get(deviceName));
		}

	}

}
