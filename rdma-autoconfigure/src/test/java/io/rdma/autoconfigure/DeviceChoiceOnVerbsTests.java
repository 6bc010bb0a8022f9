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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.rdma.core.connection.DeviceChoice;
import io.rdma.testing.TestDevice;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.PortState;
import io.rdma.verbs.VerbsProvider;
import io.rdma.verbs.ibv.IbvProvider;
import io.rdma.verbs.soft.SoftProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The choice of a device where the kernel's Soft-RoCE is brought into each state for
 * real, which needs root. Its network interface must have the address {@value #ADDRESS}.
 */
@Tag("device")
@EnabledIfSystemProperty(named = TestDevice.PROPERTY, matches = "rxe.*",
		disabledReason = "for Soft-RoCE of the kernel only: DeviceChooserTests has the same cases on a made-up machine")
@ExtendWith(OutputCaptureExtension.class)
class DeviceChoiceOnVerbsTests {

	private static final String ADDRESS = "10.9.0.1/24";

	private static final Path NODE = Path.of("/dev/infiniband/uverbs0");

	private static final Path MOVED_NODE = Path.of("/dev/infiniband/moved");

	private final IbvProvider verbs = new IbvProvider();

	private final String netdev = Objects.requireNonNull(this.verbs.devices().get(0).netdev());

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class, RdmaAutoConfiguration.class))
		.withPropertyValues("rdma.memory.pool-size=1MB");

	@AfterEach
	void restore() throws Exception {
		if (Files.exists(MOVED_NODE)) {
			Files.move(MOVED_NODE, NODE);
		}
		ip("link", "set", this.netdev, "up");
		ip("addr", "replace", ADDRESS, "dev", this.netdev);
		awaitDevice(true, true);
	}

	@Test
	void whenItCanBeUsedThenAutoTakesIt(CapturedOutput output) {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			DeviceChoice choice = context.getBean(DeviceChoice.class);
			assertThat(choice.provider()).isEqualTo("verbs");
			assertThat(choice.chosen().name()).isEqualTo(TestDevice.name());
			assertThat(choice.fallback()).isNull();
			assertThat(output).doesNotContain("WARN")
				.containsOnlyOnce("Using device " + TestDevice.name() + " port 1 GID 1 10.9.0.1 RoCE v2 of provider "
						+ "'verbs', the first with an ACTIVE port");
		});
	}

	@Test
	void whenItIsNamedByItsAddressOrInterfaceThenItIsTaken() {
		for (String setting : new String[] { "rdma.device.ip=10.9.0.1", "rdma.device.netdev=" + this.netdev,
				"rdma.device.guid=" + DeviceGuid.format(this.verbs.devices().get(0).guid()) }) {
			this.runner.withPropertyValues("rdma.provider=verbs", setting)
				.run((context) -> assertThat(context).hasNotFailed());
		}
	}

	@Test
	void whenItHasNoNodeThenAutoFallsBackAndVerbsFails(CapturedOutput output) throws IOException {
		Files.move(NODE, MOVED_NODE);
		assertFallsBackOrFails(output, "its device node " + NODE + " does not exist");
	}

	@Test
	void whenItsPortIsDownThenAutoFallsBackAndVerbsFails(CapturedOutput output) throws Exception {
		ip("link", "set", this.netdev, "down");
		awaitDevice(false, true);
		assertFallsBackOrFails(output, "its port 1 is DOWN, not ACTIVE");
	}

	@Test
	void whenItHasNoUsableGidThenAutoFallsBackAndVerbsFails(CapturedOutput output) throws Exception {
		ip("addr", "del", ADDRESS, "dev", this.netdev);
		awaitDevice(true, false);
		assertFallsBackOrFails(output, "its port 1 has no GID that can be routed");
	}

	@Test
	void whenMemoryCannotBeLockedThenAutoFallsBack(CapturedOutput output) {
		DeviceChooser chooser = new DeviceChooser(RdmaProperties.Provider.AUTO,
				new RdmaSettings(new RdmaProperties()).device(), this.verbs, new SoftDevice(new RdmaProperties()),
				this.verbs::isDevicePresent, () -> 65536);
		VerbsProvider provider = chooser.provider();
		assertThat(provider).isInstanceOf(SoftProvider.class);
		chooser.open(provider).close();
		assertThat(output).containsOnlyOnce("WARN")
			.contains(TestDevice.name(), "the 65536 bytes of locked memory that are left", "raise RLIMIT_MEMLOCK");
	}

	private void assertFallsBackOrFails(CapturedOutput output, String reason) {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			DeviceChoice choice = context.getBean(DeviceChoice.class);
			assertThat(choice.provider()).isEqualTo("soft");
			assertThat(choice.fallback()).contains(TestDevice.name(), reason);
			assertThat(output).containsOnlyOnce("WARN").contains(TestDevice.name(), reason);
		});
		this.runner.withPropertyValues("rdma.provider=verbs").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = new RdmaFailureAnalyzer()
				.analyze(Objects.requireNonNull(context.getStartupFailure()));
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).contains("'rdma.provider' is 'verbs'", TestDevice.name(), reason);
			assertThat(analysis.getAction()).contains("'rdma.provider' to 'soft'");
		});
	}

	private void awaitDevice(boolean active, boolean address) {
		await().atMost(TestDevice.PATIENCE).until(() -> {
			try (DeviceContext context = TestDevice.open()) {
				return (context.queryPort(1).state() == PortState.ACTIVE) == active
						&& context.queryGidTable(1).stream().anyMatch((entry) -> entry.gid().isIpv4()) == address;
			}
		});
	}

	private static void ip(String... arguments) throws IOException, InterruptedException {
		String[] command = new String[arguments.length + 1];
		command[0] = "ip";
		System.arraycopy(arguments, 0, command, 1, arguments.length);
		Process process = new ProcessBuilder(command).inheritIO().start();
		assertThat(process.waitFor(TestDevice.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).isZero();
	}

}
