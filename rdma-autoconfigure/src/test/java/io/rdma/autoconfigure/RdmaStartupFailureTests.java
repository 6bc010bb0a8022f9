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
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaConnectException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaMemoryRegistrationException;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.soft.SoftProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Wrong settings end start-up with an analysis that names setting, value and remedy.
 */
@ExtendWith(OutputCaptureExtension.class)
class RdmaStartupFailureTests {

	private static final MemoryLimits UNLIMITED = new MemoryLimits(Long.MAX_VALUE, Long.MAX_VALUE);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RdmaAutoConfiguration.class, RdmaTemplateAutoConfiguration.class))
		.withPropertyValues("rdma.memory.pool-size=1MB", "rdma.provider=soft");

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					rdma.device.guid=mlx5_0 | rdma.device.guid | mlx5_0 | Use 16 hexadecimal digits
					rdma.memory.pool-size=0B | rdma.memory.pool-size | 0B | more than 0
					rdma.memory.pool-size=-64MB | rdma.memory.pool-size | -64MB | more than 0
					rdma.memory.pool-size=2KB | rdma.memory.pool-size | 2KB | Make the pool larger
					rdma.memory.slab-size=2MB | rdma.memory.pool-size | 1MB | Make the pool larger, or remove 'rdma.memory.slab-size'
					rdma.memory.slab-size=3KB | rdma.memory.slab-size | 3KB | Use 2KB or 4KB
					rdma.memory.slab-size=2KB | rdma.memory.slab-size | 2KB | Make the slab larger
					rdma.memory.slab-size=-4KB | rdma.memory.slab-size | -4KB | more than 0
					rdma.memory.min-buffer-size=5000B | rdma.memory.min-buffer-size | 5000B | Use 4KB or 8KB
					rdma.memory.min-buffer-size=2MB | rdma.memory.pool-size | 1MB | Make the pool larger
					rdma.memory.max-pool-size=512KB | rdma.memory.max-pool-size | 512KB | Make it at least that
					rdma.queue-pair.receive-buffer-size=255B | rdma.queue-pair.receive-buffer-size | 255B | from 256B to 16MB
					rdma.queue-pair.receive-buffer-size=-8KB | rdma.queue-pair.receive-buffer-size | -8KB | from 256B to 16MB
					rdma.queue-pair.max-inline-data=-1B | rdma.queue-pair.max-inline-data | -1B | from 0B to 4KB
					rdma.queue-pair.path-mtu=1500B | rdma.queue-pair.path-mtu | 1500B | Use one of [256, 512, 1024, 2048, 4096]
					rdma.connection.setup-timeout=1h | rdma.connection.setup-timeout | 1h | from 10ms to 5m
					rdma.connection.startup-grace=-1s | rdma.connection.startup-grace | -1s | Use 0s or more
					rdma.connection.recovery.initial-interval=0s | rdma.connection.recovery.initial-interval | 0 | from 1ms to 1h
					rdma.connection.recovery.max-interval=500ms | rdma.connection.recovery.max-interval | 500ms | Make it at least as long
					rdma.template.timeout=0s | rdma.template.timeout | 0 | from 1ms to 24h
					rdma.template.chunk-size=1KB | rdma.template.chunk-size | 1KB | from 4KB to 1GB
					rdma.template.drain-timeout=6m | rdma.template.drain-timeout | 6m | from 10ms to 5m
					rdma.template.max-message-size=2GB | rdma.template.max-message-size | 2GB | from 1B to 1GB
					rdma.template.max-message-size=-1B | rdma.template.max-message-size | -1B | from 1B to 1GB
					rdma.listener.shutdown-timeout=-1s | rdma.listener.shutdown-timeout | -1s | Use 0s or more
					rdma.server.address=127.0.0.1 | rdma.server.port | (not set) | Set the port, 0 for any that is free
					rdma.regions.blobs.access=remote-read | rdma.regions.blobs.size | (not set) | Set it
					rdma.regions.blobs.size=64MB | rdma.regions.blobs.access | (not set) | List one or more of
					rdma.regions.blobs.size=0B,rdma.regions.blobs.access=remote-read | rdma.regions.blobs.size | 0B | more than 0
					rdma.regions.blobs.size=-1MB,rdma.regions.blobs.access=remote-read | rdma.regions.blobs.size | -1MB | more than 0
					rdma.regions.blobs.size=4B,rdma.regions.blobs.access=remote-atomic | rdma.regions.blobs.size | 4B | Make the region larger
					rdma.regions.blobs.size=900TB,rdma.regions.blobs.access=remote-read | rdma.regions.blobs.size | 900TB | Make it smaller
					rdma.memory.max-pool-size=900TB | rdma.memory.max-pool-size | 900TB | Make it smaller
					rdma.peers.storage.required=true | rdma.peers.storage.address | (not set) | Set it to host and port
					rdma.peers.storage.address=storage-1 | rdma.peers.storage.address | storage-1 | Set it to host and port
					""")
	void whenASettingIsWrongThenTheAnalysisNamesItAndTheRemedy(String settings, String property, String value,
			String remedy) {
		StandardEnvironment environment = new StandardEnvironment();
		TestPropertyValues.of("rdma.memory.pool-size=1MB").and(settings.split(",(?=rdma)")).applyTo(environment);
		RdmaProperties properties = Binder.get(environment).bind("rdma", RdmaProperties.class).get();
		RdmaPropertiesChecks checks = new RdmaPropertiesChecks(properties, MemoryLimits.current());
		RdmaConfigurationException failure = catchThrowableOfType(RdmaConfigurationException.class, checks::check);
		FailureAnalysis analysis = new RdmaConfigurationFailureAnalyzer(environment).analyze(failure);
		assertNamesSettingAndRemedy(analysis, property, value, remedy);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					rdma.device.port=7 | rdma.device.port | 7 | it has 1 port and no port 7
					rdma.device.gid-index=99 | rdma.device.gid-index | 99 | no GID with index 99, but 0 fe80
					rdma.device.ip=192.0.2.7 | rdma.device.ip | 192.0.2.7 | 127.0.0.1 (lo)
					rdma.soft.address=192.0.2.7 | rdma.soft.address | 192.0.2.7 | or remove it for loopback
					rdma.soft.address=127.0.0.1,rdma.device.ip=127.0.0.2 | rdma.device.ip | 127.0.0.2 | no GID of address 127.0.0.2
					rdma.memory.slab-size=2MB | rdma.memory.pool-size | 1MB | Make the pool larger, or remove 'rdma.memory.slab-size'
					""")
	void whenASettingDoesNotFitTheDeviceThenTheAnalysisNamesItAndTheRemedy(String settings, String property,
			String value, String remedy) {
		assertNamesSettingAndRemedy(analyze(settings.split(",(?=rdma)")), property, value, remedy);
	}

	private static void assertNamesSettingAndRemedy(@Nullable FailureAnalysis analysis, String property, String value,
			String remedy) {
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription()).contains("Property: " + property + System.lineSeparator(),
				"Value: " + value);
		assertThat(analysis.getDescription() + analysis.getAction()).contains(remedy);
		assertThat(analysis.getAction()).isNotBlank();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			rdma.queue-pair.send-depth=0 | sendDepth | 0 | greater than or equal to 1
			rdma.queue-pair.send-depth=-1 | sendDepth | -1 | greater than or equal to 1
			rdma.queue-pair.receive-depth=0 | receiveDepth | 0 | greater than or equal to 2
			rdma.queue-pair.retry-count=8 | retryCount | 8 | less than or equal to 7
			rdma.queue-pair.rnr-retry-count=-1 | rnrRetryCount | -1 | greater than or equal to 0
			rdma.queue-pair.timeout=0 | timeout | 0 | greater than or equal to 1
			rdma.completion-queue.max-groups=0 | maxGroups | 0 | greater than or equal to 1
			rdma.completion-queue.poller.threads=0 | threads | 0 | greater than or equal to 1
			rdma.server.port=65536 | port | 65536 | less than or equal to 65535
			rdma.template.window=0 | window | 0 | greater than or equal to 1
			""")
	void whenANumberIsOutOfRangeThenTheAnalysisNamesItAndTheRange(String setting, String field, String value,
			String range) {
		FailureAnalysis analysis = analyze(setting);
		assertThat(analysis.getDescription()).contains("Property: rdma.", field, "Value: \"" + value + "\"", range);
	}

	@Test
	void whenTheDeviceIsUnknownThenTheAnalysisListsThosePresent() {
		FailureAnalysis analysis = analyze("rdma.device.name=mlx5_7");
		assertThat(analysis.getDescription()).contains("'rdma.device.name' is 'mlx5_7'", "'soft'");
		assertThat(analysis.getAction()).contains("soft0", "Or remove the setting");
	}

	@Test
	void whenTheProviderIsVerbsAndItHasNoSuchDeviceThenTheAnalysisSaysWhatToDo() {
		FailureAnalysis analysis = analyze("rdma.provider=verbs", "rdma.device.name=none");
		assertThat(analysis.getDescription()).contains("'verbs'");
		assertThat(analysis.getAction()).contains("'soft'");
	}

	@Test
	void whenARegionIsLargerThanDirectMemoryThenTheAnalysisNamesTheOption() {
		RdmaProperties properties = new RdmaProperties();
		RdmaProperties.Region region = new RdmaProperties.Region();
		region.setSize(DataSize.ofGigabytes(3));
		region.setAccess(Set.of(RdmaProperties.Region.Access.REMOTE_READ));
		properties.getRegions().put("blobs", region);
		RdmaPropertiesChecks checks = new RdmaPropertiesChecks(properties, new MemoryLimits(4L << 30, 2L << 30));
		assertThatExceptionOfType(RdmaConfigurationException.class).isThrownBy(() -> checks.checkDirectMemory(null))
			.withMessageContainingAll("'rdma.regions.blobs.size' is '3GB'", "need 3136 MB", "2048 MB of direct memory",
					"-XX:MaxDirectMemorySize")
			.withMessageNotContaining("RDMA device");
		assertThatExceptionOfType(RdmaConfigurationException.class)
			.isThrownBy(() -> checks.checkDirectMemory("mlx5_0 (its port 1 is DOWN). Bring the port up."))
			.withMessageContainingAll("-XX:MaxDirectMemorySize",
					"make an RDMA device usable, of which none is at present: mlx5_0 (its port 1 is DOWN). Bring");
	}

	@Test
	void whenTheDeviceOfTheApplicationIsTheSoftwareDeviceThenDirectMemoryIsCheckedToo() {
		long limit = MemoryLimits.current().directMemory();
		this.contextRunner.withBean(DeviceContext.class, () -> new SoftProvider().open(SoftProvider.DEVICE_NAME))
			.withPropertyValues("rdma.provider=auto", "rdma.regions.blobs.access=remote-read",
					"rdma.regions.blobs.size=" + limit + "B")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(RdmaConfigurationException.class)
				.hasMessageContaining("-XX:MaxDirectMemorySize"));
	}

	@Test
	void whenMemoryCannotBeRegisteredThenTheAnalysisShowsTheLimits() {
		RdmaMemoryRegistrationException failure = new RdmaMemoryRegistrationException(RdmaErrorContext.none(),
				"The slabs cannot be registered", "Make rdma.memory.pool-size smaller.");
		FailureAnalysis analysis = new RdmaMemoryFailureAnalyzer().analyze(new BeanCreationException("x", failure));
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription()).startsWith("The slabs cannot be registered." + System.lineSeparator())
			.contains("-XX:MaxDirectMemorySize", "In use: ", "Memory of the machine: ");
		assertThat(analysis.getAction()).isEqualTo("Make rdma.memory.pool-size smaller.");
	}

	@Test
	void whenTheApplicationItselfFailsThenItsStackTraceIsNotHidden() {
		RdmaConnectException failure = new RdmaConnectException(RdmaErrorContext.peer("storage"), "Refused",
				"Start it.");
		assertThat(new RdmaFailureAnalyzer().analyze(new IllegalStateException(failure))).isNull();
	}

	@Test
	void whenThePortIsInUseThenTheAnalysisNamesIt() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			FailureAnalysis analysis = analyze("rdma.server.port=" + socket.getLocalPort());
			assertThat(analysis.getDescription()).contains("rdma.server.port", Integer.toString(socket.getLocalPort()));
			assertThat(analysis.getAction()).isNotBlank();
		}
	}

	@Test
	void whenTheUdpPortIsInUseThenTheAnalysisNamesIt() throws IOException {
		try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0))) {
			String port = Integer.toString(socket.getLocalPort());
			FailureAnalysis analysis = analyze("rdma.soft.port=" + port);
			assertThat(analysis.getDescription()).contains("rdma.soft.port", port, "127.0.0.1");
			assertThat(analysis.getAction()).contains("or remove it");
		}
	}

	@Test
	void whenTheSecretIsMissingThenTheAnalysisSaysHowToMakeIt(@TempDir Path directory) {
		String file = directory.resolve("none").toString();
		FailureAnalysis analysis = analyze("rdma.connection.secret-file=" + file);
		assertThat(analysis.getDescription()).contains("rdma.connection.secret-file", file, "/dev/urandom");
		assertThat(analysis.getAction()).contains(file, "0600");
	}

	@Test
	void whenTheApplicationStartsWithAWrongSettingThenTheReportHasItsOrigin(CapturedOutput output) {
		SpringApplication application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.build();
		assertThatException().isThrownBy(() -> application.run("--rdma.provider=soft", "--rdma.memory.pool-size=1KB"));
		assertThat(output).contains("APPLICATION FAILED TO START", "Property: rdma.memory.pool-size", "Value: 1KB",
				"Origin: \"rdma.memory.pool-size\" from property source \"commandLineArgs\"",
				"Reason: the pool is smaller than one buffer", "Action:", "Make the pool larger");
	}

	@ParameterizedTest
	@CsvSource({ "rdma.queue-pair.retry-count", "rdma.queue-pair.rnr-retry-count" })
	void whenARetryCountIsForEverThenOneWarningSaysSo(String setting, CapturedOutput output) {
		RdmaProperties properties = new RdmaProperties();
		properties.getQueuePair().setRetryCount(setting.endsWith("pair.retry-count") ? 7 : 6);
		properties.getQueuePair().setRnrRetryCount(setting.endsWith("rnr-retry-count") ? 7 : 6);
		new RdmaPropertiesChecks(properties, UNLIMITED).check();
		assertThat(output.toString().lines().filter((line) -> line.contains("WARN"))).singleElement()
			.asString()
			.contains("'" + setting + "' is 7, which means for ever");
	}

	private FailureAnalysis analyze(String... settings) {
		List<ConfigurableApplicationContext> failed = new ArrayList<>();
		List<FailureAnalysis> analyses = new ArrayList<>();
		this.contextRunner.withPropertyValues(settings).withInitializer(failed::add).run((context) -> {
			assertThat(context).hasFailed();
			Throwable failure = Objects.requireNonNull(context.getStartupFailure());
			analyzers(failed.get(0)).stream()
				.map((analyzer) -> analyzer.analyze(failure))
				.filter(Objects::nonNull)
				.findFirst()
				.ifPresent(analyses::add);
		});
		assertThat(analyses).as("what analyzes " + List.of(settings)).hasSize(1);
		return analyses.get(0);
	}

	private static List<FailureAnalyzer> analyzers(ConfigurableApplicationContext context) {
		// As Boot itself does, which passes over those whose classes are not there
		return SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class,
					ArgumentResolver.of(Environment.class, context.getEnvironment())
						.and(BeanFactory.class, context.getBeanFactory()),
					(type, name, failure) -> assertThat(name).doesNotStartWith("io.rdma"));
	}

	@ImportAutoConfiguration(RdmaAutoConfiguration.class)
	static class Application {

	}

}
