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
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.rdma.core.completion.CompletionQueueLayout;
import io.rdma.core.completion.PollerMode;
import io.rdma.verbs.AccessFlag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import lombok.AccessLevel;
import lombok.Getter;
import lombok.Setter;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.convert.DataSizeUnit;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;
import org.springframework.util.unit.DataUnit;
import org.springframework.validation.annotation.Validated;

/**
 * Configuration properties for RDMA.
 * <p>
 * What can be said of one number alone is checked when the properties are bound. What
 * involves several of them, a size or a duration, is checked by
 * {@link RdmaPropertiesChecks}.
 */
@ConfigurationProperties("rdma")
@Validated
@Getter
@Setter
public class RdmaProperties {

	/**
	 * Whether to configure RDMA.
	 */
	private boolean enabled = true;

	/**
	 * Name by which peers know this service. Defaults to 'spring.application.name'.
	 */
	private @Nullable String name;

	/**
	 * Provider of the device.
	 */
	@NotNull
	private Provider provider = Provider.AUTO;

	@Valid
	private final Device device = new Device();

	@Valid
	private final Soft soft = new Soft();

	@Getter(AccessLevel.NONE)
	private final NativeLibraries nativeLibraries = new NativeLibraries();

	@Valid
	private final Memory memory = new Memory();

	@Valid
	private final CompletionQueue completionQueue = new CompletionQueue();

	@Valid
	private final QueuePair queuePair = new QueuePair();

	@Valid
	private final Connection connection = new Connection();

	@Valid
	private final Server server = new Server();

	/**
	 * Memory that peers may reach, by the name under which they know it.
	 */
	private final Map<String, @Valid Region> regions = new LinkedHashMap<>();

	/**
	 * Services to connect to, by the name that operations use.
	 */
	private final Map<String, @Valid Peer> peers = new LinkedHashMap<>();

	@Valid
	private final Template template = new Template();

	@Valid
	private final Listener listener = new Listener();

	/**
	 * Return the settings of the native libraries.
	 * @return the settings
	 */
	public NativeLibraries getNative() {
		return this.nativeLibraries;
	}

	/**
	 * Where the device comes from.
	 */
	public enum Provider {

		/**
		 * An RDMA device if one can be used, else the software device.
		 */
		AUTO,

		/**
		 * A device that libibverbs opens. Start-up fails if there is none.
		 */
		VERBS,

		/**
		 * The embedded software device.
		 */
		SOFT

	}

	/**
	 * Which device to use.
	 */
	@Getter
	@Setter
	public static class Device {

		/**
		 * Name of the device. Defaults to the first with an ACTIVE port.
		 */
		private @Nullable String name;

		/**
		 * Network interface of the device, as another way to name it. With provider
		 * 'soft' the device takes its first address.
		 */
		private @Nullable String netdev;

		/**
		 * Node GUID of the device, 16 hexadecimal digits, as another way to name it.
		 */
		private @Nullable String guid;

		/**
		 * IP address of the device, as another way to name it. It also says which GID to
		 * use. With provider 'soft' the device takes it.
		 */
		private @Nullable InetAddress ip;

		/**
		 * Number of the port. Defaults to the first that is ACTIVE.
		 */
		@Min(1)
		@Max(255)
		private @Nullable Integer port;

		/**
		 * Index in the GID table of the port. Defaults to the best entry that can be
		 * routed: RoCE v2 first, then IPv4.
		 */
		@Min(0)
		@Max(65535)
		private @Nullable Integer gidIndex;

	}

	/**
	 * What the software device is like.
	 */
	@Getter
	@Setter
	public static class Soft {

		/**
		 * Address of this machine that the software device has. Defaults to loopback,
		 * which other machines and containers cannot reach.
		 */
		private @Nullable InetAddress address;

		/**
		 * UDP port of the software device. Defaults to 4791, the one that other RoCE v2
		 * devices send to, or to any that is free if it is taken.
		 */
		@Min(1)
		@Max(65535)
		private @Nullable Integer port;

		/**
		 * Whether to reach other processes of this user on this machine through shared
		 * memory.
		 */
		private boolean sharedMemory = true;

	}

	/**
	 * Native libraries. The provider 'verbs' needs them; the software device is faster
	 * with the one in the jar. The first settings with which they are loaded hold for all
	 * of the process.
	 */
	@Getter
	@Setter
	public static class NativeLibraries {

		/**
		 * Path of the native library. Defaults to the one in the jar.
		 */
		private @Nullable Path libraryPath;

		/**
		 * Directory that the native library in the jar is written to before it is loaded.
		 * Defaults to the directory of temporary files.
		 */
		private @Nullable Path workDirectory;

		/**
		 * Name or path of libibverbs.
		 */
		@NotNull
		private String libibverbs = "libibverbs.so.1";

	}

	/**
	 * Registered memory that operations take their buffers from.
	 */
	@Getter
	@Setter
	public static class Memory {

		/**
		 * Size of the pool at start.
		 */
		@NotNull
		@DataSizeUnit(DataUnit.BYTES)
		private DataSize poolSize = DataSize.ofMegabytes(64);

		/**
		 * Size up to which the pool grows. Defaults to its size at start.
		 */
		@DataSizeUnit(DataUnit.BYTES)
		private @Nullable DataSize maxPoolSize;

		/**
		 * Size of one registration, which is also the largest buffer. A power of two.
		 * Defaults to 16MB, less if the pool is smaller than that.
		 */
		@DataSizeUnit(DataUnit.BYTES)
		private @Nullable DataSize slabSize;

		/**
		 * Size of the smallest buffer. A power of two.
		 */
		@NotNull
		@DataSizeUnit(DataUnit.BYTES)
		private DataSize minBufferSize = DataSize.ofKilobytes(4);

		/**
		 * Record where a buffer was taken for one in so many, to report leaks with. 0
		 * records none, 1 all.
		 */
		@Min(0)
		private int leakSampling = 128;

	}

	/**
	 * Queues that outcomes arrive in.
	 */
	@Getter
	@Setter
	public static class CompletionQueue {

		/**
		 * How connections share completion queues.
		 */
		@NotNull
		private CompletionQueueLayout layout = CompletionQueueLayout.SPLIT;

		/**
		 * Largest number of groups of completion queues. A connection for which none has
		 * room is refused.
		 */
		@Min(1)
		private int maxGroups = 1024;

		/**
		 * Number of connections that one group has room for.
		 */
		@Min(1)
		private int connectionsPerGroup = 16;

		@Valid
		private final Poller poller = new Poller();

		/**
		 * Threads that take outcomes from the queues.
		 */
		@Getter
		@Setter
		public static class Poller {

			/**
			 * What a thread does when there is nothing to take.
			 */
			@NotNull
			private PollerMode mode = PollerMode.ADAPTIVE;

			/**
			 * Number of threads.
			 */
			@Min(1)
			@Max(1024)
			private int threads = 1;

			/**
			 * Largest number of outcomes taken at once.
			 */
			@Min(1)
			@Max(4096)
			private int batchSize = 32;

		}

	}

	/**
	 * Sizes and timing of each connection's queue pair.
	 */
	@Getter
	@Setter
	public static class QueuePair {

		/**
		 * Number of operations that a connection can have outstanding.
		 */
		@Min(1)
		@Max(16384)
		private int sendDepth = 128;

		/**
		 * Number of messages that a connection can take in ahead of the application.
		 */
		@Min(2)
		@Max(16384)
		private int receiveDepth = 64;

		/**
		 * Size of the buffer for one incoming message, 256B to 16MB. Larger messages are
		 * sent in pieces.
		 */
		@NotNull
		@DataSizeUnit(DataUnit.BYTES)
		private DataSize receiveBufferSize = DataSize.ofKilobytes(8);

		/**
		 * Payload up to which an operation carries a copy of it and needs no buffer, at
		 * most 4KB. The device may grant less.
		 */
		@NotNull
		@DataSizeUnit(DataUnit.BYTES)
		private DataSize maxInlineData = DataSize.ofBytes(128);

		/**
		 * Exponent of the time to wait for an acknowledgement, which is 4.096
		 * microseconds times 2 to the power of it.
		 */
		@Min(1)
		@Max(31)
		private int timeout = 14;

		/**
		 * How often an operation that is not acknowledged is repeated. 7 is for ever on
		 * some devices.
		 */
		@Min(0)
		@Max(7)
		private int retryCount = 6;

		/**
		 * How often a message is repeated to a peer that is not ready to receive it. 7 is
		 * for ever.
		 */
		@Min(0)
		@Max(7)
		private int rnrRetryCount = 6;

		/**
		 * Code of the time that a peer is asked to wait when this side is not ready to
		 * receive, as in the InfiniBand specification. 12 is 0.64 milliseconds.
		 */
		@Min(0)
		@Max(31)
		private int minRnrTimer = 12;

		/**
		 * Number of reads and atomic operations that a connection can have outstanding.
		 * The smaller of both sides counts.
		 */
		@Min(1)
		@Max(255)
		private int maxRdAtomic = 16;

		/**
		 * Largest payload of one packet. Defaults to what the port uses. The smaller of
		 * both sides counts.
		 */
		@DataSizeUnit(DataUnit.BYTES)
		private @Nullable DataSize pathMtu;

		/**
		 * Traffic class of packets, which is the TOS byte on RoCE v2.
		 */
		@Min(0)
		@Max(255)
		private int trafficClass;

		/**
		 * Service level of packets.
		 */
		@Min(0)
		@Max(15)
		private int serviceLevel;

		/**
		 * Index in the P_Key table of the port.
		 */
		@Min(0)
		@Max(65535)
		private int pkeyIndex;

		/**
		 * Number of routers that a packet may cross.
		 */
		@Min(1)
		@Max(255)
		private int hopLimit = 64;

	}

	/**
	 * Set-up, loss and end of connections.
	 */
	@Getter
	@Setter
	public static class Connection {

		/**
		 * Time within which a connection must be ready for use.
		 */
		@NotNull
		private Duration setupTimeout = Duration.ofSeconds(5);

		/**
		 * Time after start in which a required peer need not be connected yet.
		 */
		@NotNull
		@DurationUnit(ChronoUnit.SECONDS)
		private Duration startupGrace = Duration.ofSeconds(30);

		/**
		 * File with the secret that this service and peers on other machines share, 32
		 * bytes or more, readable by its owner only. Defaults to '.rdma-spring/secret' in
		 * the user's home directory, which is made when it is needed.
		 */
		private @Nullable Path secretFile;

		@Valid
		private final Recovery recovery = new Recovery();

		/**
		 * Attempts to get a lost connection back.
		 */
		@Getter
		@Setter
		public static class Recovery {

			/**
			 * Time before the first attempt. It doubles from attempt to attempt.
			 */
			@NotNull
			private Duration initialInterval = Duration.ofSeconds(1);

			/**
			 * Largest time between attempts.
			 */
			@NotNull
			private Duration maxInterval = Duration.ofSeconds(30);

		}

	}

	/**
	 * Where peers connect to this service.
	 */
	@Getter
	@Setter
	public static class Server {

		/**
		 * Address to listen on. Defaults to loopback. At another one, peers on other
		 * machines have to have the secret of 'rdma.connection.secret-file'.
		 */
		private @Nullable InetAddress address;

		/**
		 * Port to listen on, 0 for any that is free. Nothing listens if it is not set.
		 */
		@Min(0)
		@Max(65535)
		private @Nullable Integer port;

		/**
		 * Number of peers that can be connecting at once.
		 */
		@Min(1)
		@Max(1024)
		private int maxHandshakes = 64;

		/**
		 * Number of peers that can be connected at once.
		 */
		@Min(1)
		@Max(65536)
		private int maxConnections = 256;

	}

	/**
	 * Memory that peers may reach.
	 */
	@Getter
	@Setter
	public static class Region {

		/**
		 * Size of the region.
		 */
		@DataSizeUnit(DataUnit.BYTES)
		private @Nullable DataSize size;

		/**
		 * Comma-separated list of what peers may do.
		 */
		@NotNull
		private Set<Access> access = new LinkedHashSet<>();

		/**
		 * What peers may do with a region.
		 */
		public enum Access {

			/**
			 * Read it.
			 */
			REMOTE_READ(AccessFlag.REMOTE_READ),

			/**
			 * Write to it.
			 */
			REMOTE_WRITE(AccessFlag.REMOTE_WRITE),

			/**
			 * Do atomic operations on it.
			 */
			REMOTE_ATOMIC(AccessFlag.REMOTE_ATOMIC);

			private final AccessFlag flag;

			Access(AccessFlag flag) {
				this.flag = flag;
			}

			AccessFlag flag() {
				return this.flag;
			}

		}

	}

	/**
	 * A service to connect to.
	 */
	@Getter
	@Setter
	public static class Peer {

		/**
		 * Host and port that the peer listens on, as 'host:port'.
		 */
		private @Nullable String address;

		/**
		 * Whether this service is ready only while the peer is connected.
		 */
		private boolean required;

		/**
		 * When to connect.
		 */
		@NotNull
		private Connect connect = Connect.LAZY;

		/**
		 * When to connect to a peer.
		 */
		public enum Connect {

			/**
			 * At the first operation.
			 */
			LAZY,

			/**
			 * At start-up, in the background.
			 */
			EAGER

		}

	}

	/**
	 * Settings of the template.
	 */
	@Getter
	@Setter
	public static class Template {

		/**
		 * Time within which an operation must end, unless it is called with another.
		 */
		@NotNull
		private Duration timeout = Duration.ofSeconds(5);

		/**
		 * How long the buffer of an operation that timed out is kept for its completion.
		 * After that the connection is dropped to get it back.
		 */
		@NotNull
		private Duration drainTimeout = Duration.ofSeconds(5);

		/**
		 * Size of the pieces that a large transfer is split into, 4KB to 1GB. A piece is
		 * never larger than the largest buffer of the pool.
		 */
		@NotNull
		@DataSizeUnit(DataUnit.BYTES)
		private DataSize chunkSize = DataSize.ofMegabytes(1);

		/**
		 * Number of pieces of a large transfer that are under way at once.
		 */
		@Min(1)
		@Max(1024)
		private int window = 8;

		/**
		 * Number of asynchronous large transfers that run at once.
		 */
		@Min(1)
		@Max(256)
		private int transferThreads = 8;

		/**
		 * Number of asynchronous operations that can be waiting to be started.
		 */
		@Min(1)
		@Max(1_000_000)
		private int maxPending = 10000;

		/**
		 * Size of the largest message that is accepted, at most 1GB.
		 */
		@NotNull
		@DataSizeUnit(DataUnit.BYTES)
		private DataSize maxMessageSize = DataSize.ofMegabytes(16);

	}

	/**
	 * Settings of listeners.
	 */
	@Getter
	@Setter
	public static class Listener {

		/**
		 * Whether to start listeners with the application.
		 */
		private boolean autoStartup = true;

		/**
		 * How long to wait at shutdown for listeners that are handling a message.
		 */
		@NotNull
		private Duration shutdownTimeout = Duration.ofSeconds(10);

	}

}
