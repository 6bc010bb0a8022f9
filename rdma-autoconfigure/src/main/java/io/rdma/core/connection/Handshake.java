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

package io.rdma.core.connection;

import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.rdma.core.connection.PeerTrust.Side;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaExceptionTranslator;
import io.rdma.core.memory.LocalRegion;
import io.rdma.core.memory.RdmaRegions;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.DeviceAttributes;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.PortAttributes;
import io.rdma.verbs.PortState;
import io.rdma.verbs.VerbsException;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Makes a connection out of a control channel. Both sides say hello, prove who they are
 * where the system does not know, tell what the other may use, and send one message each
 * over the queue pair: before that arrived, nothing shows that the path works. Waits, but
 * never beyond the deadline it is given. Thread-safe.
 */
@RequiredArgsConstructor
final class Handshake {

	private static final Set<AccessFlag> REMOTE_RIGHTS = EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE,
			AccessFlag.REMOTE_ATOMIC);

	private static final byte[] NO_ANSWER = {};

	private final SecureRandom random = new SecureRandom();

	private final ConnectionContext context;

	private final String name;

	private final @Nullable RdmaRegions regions;

	private final PeerTrust trust;

	/** Takes the identity of each trusted peer, before its queue pair is used. */
	private final Consumer<QueuePairIdentity> identities;

	/**
	 * Connect to a peer.
	 * @param peer its name
	 * @param channel the channel, which need not be connected yet
	 * @param deadlineNanos until when
	 * @return the connection, proven to work
	 * @throws HandshakeException if it could not be made; the channel is closed then
	 */
	RdmaConnection connect(String peer, ControlChannel channel, long deadlineNanos) throws HandshakeException {
		return run(channel, () -> {
			channel.awaitConnected(deadlineNanos);
			return withResources(deadlineNanos, (resources) -> connect(peer, channel, resources, deadlineNanos));
		});
	}

	private RdmaConnection connect(String peer, ControlChannel channel, ConnectionResources resources,
			long deadlineNanos) throws HandshakeException {
		Hello local = hello(resources, false);
		Frame localFrame = local.toFrame();
		channel.send(localFrame);
		Frame remoteFrame = channel.receive(FrameType.HELLO, deadlineNanos);
		Hello remote = Hello.from(remoteFrame);
		check(local, remote, channel, resources);
		boolean proofWanted = !this.trust.isSameUser(channel.localAddress(), channel.remoteAddress());
		Session session = new Session(channel, new FrameSeal(this.trust, Side.CLIENT, localFrame, remoteFrame),
				proofWanted, remote.proofWanted(), deadlineNanos);
		// memory that a peer names is looked at only once it is known who the peer is
		byte[] answer = proofWanted ? NO_ANSWER : resources.queuePair().answerPathOffer(remote.pathOffer());
		try {
			session.send(new Proof(proofWanted, answer).toFrame());
			Proof proof = Proof.from(session.receive(FrameType.PROOF));
			channel.trust();
			return establish(peer, false, session, resources, local, remote, proof.pathAnswer());
		}
		catch (HandshakeException ex) {
			throw (remote.proofWanted() && ex.code() == RejectCode.NOT_TRUSTED) ? this.trust.explain(ex) : ex;
		}
	}

	/**
	 * Accept a peer.
	 * @param channel the channel
	 * @param remoteFrame its hello
	 * @param deadlineNanos until when
	 * @return the connection, proven to work
	 * @throws HandshakeException if it could not be made; the channel is closed then
	 */
	RdmaConnection accept(ControlChannel channel, Frame remoteFrame, long deadlineNanos) throws HandshakeException {
		return run(channel, () -> {
			Hello remote = Hello.from(remoteFrame);
			boolean proofWanted = !this.trust.isSameUser(channel.localAddress(), channel.remoteAddress());
			return withResources(deadlineNanos,
					(resources) -> accept(channel, remoteFrame, remote, proofWanted, resources, deadlineNanos));
		});
	}

	private RdmaConnection accept(ControlChannel channel, Frame remoteFrame, Hello remote, boolean proofWanted,
			ConnectionResources resources, long deadlineNanos) throws HandshakeException {
		Hello local = hello(resources, proofWanted);
		Frame localFrame = local.toFrame();
		// sent first, so that the peer finds for itself what does not fit, and its
		// setting
		channel.send(localFrame);
		check(local, remote, channel, resources);
		FrameSeal seal = new FrameSeal(this.trust, Side.SERVER, remoteFrame, localFrame);
		Frame proofFrame = channel.receive(FrameType.PROOF, deadlineNanos);
		Proof proof = Proof.from(proofWanted ? seal.open(proofFrame) : proofFrame);
		Session session = new Session(channel, seal, proofWanted, proof.wanted(), deadlineNanos);
		// both take the same path: what the peer cannot use is not answered
		byte[] answer = (proof.pathAnswer().length > 0) ? resources.queuePair().answerPathOffer(remote.pathOffer())
				: NO_ANSWER;
		session.send(new Proof(false, answer).toFrame());
		channel.trust();
		return establish(remote.name(), true, session, resources, local, remote, proof.pathAnswer());
	}

	private static void check(Hello local, Hello remote, ControlChannel channel, ConnectionResources resources)
			throws HandshakeException {
		HelloCheck.check(local, remote, OwnAddresses.contains(channel.remoteAddress()));
		String obstacle = resources.queuePair().pathObstacle(remote.pathOffer());
		if (obstacle != null) {
			throw new HandshakeException(RejectCode.INCOMPATIBLE,
					"the " + local.deviceKind() + " device " + local.deviceName() + " cannot reach the "
							+ remote.deviceKind() + " device " + remote.deviceName() + ": " + obstacle,
					"Give the software device UDP port 4791 of its address (rdma.soft.port, rdma.soft.address), which one "
							+ "process at a time can have, and the native library (rdma.native.*).");
		}
	}

	private RdmaConnection establish(String peer, boolean inbound, Session session, ConnectionResources resources,
			Hello local, Hello remote, byte[] pathAnswer) throws HandshakeException {
		this.identities.accept(remote.identity());
		RdmaConnection connection = new RdmaConnection(this.context, peer, inbound, session.channel(), resources, local,
				remote);
		boolean established = false;
		try {
			connection.register();
			Map<String, RemoteRegion> directory = directory();
			try {
				resources.init(access(directory));
				resources.connect(local, remote, pathAnswer);
			}
			catch (VerbsException ex) {
				throw new HandshakeException(RejectCode.RESOURCES,
						"the queue pair could not be connected: " + ex.getMessage() + "; " + connection.describePaths(),
						"Compare GID, MTU and port of both sides (rdma.device.*, rdma.queue-pair.*).", ex);
			}
			Parameters told = new Parameters(resources.block().wordAddress(), resources.block().wordKey(),
					resources.window().depth(), directory);
			// each side tells only when its queue pair is in RTS, so the proof finds it
			// there
			if (!inbound) {
				session.send(told.toFrame());
			}
			connection.parameters(Parameters.from(session.receive(FrameType.PARAMETERS), remote.receiveDepth()));
			if (inbound) {
				session.send(told.toFrame());
			}
			prove(connection, session.deadlineNanos());
			established = true;
			return connection;
		}
		finally {
			if (!established) {
				connection.life().closed("the handshake failed");
				connection.release(System.nanoTime() + RunningConnections.FLUSH_NANOS);
			}
		}
	}

	private static void prove(RdmaConnection connection, long deadlineNanos) throws HandshakeException {
		connection.sendReady();
		if (!connection.life().awaitProof(deadlineNanos)) {
			if (Thread.currentThread().isInterrupted()) {
				throw new HandshakeException(RejectCode.STOPPING, "the service stopped while the connection was made",
						"Connect again once it is started.");
			}
			RdmaException failure = connection.failure();
			throw new HandshakeException(RejectCode.NO_TRAFFIC,
					"the queue pairs are connected, but no message came through each way"
							+ ((failure != null) ? " (" + failure.getMessage() + ")" : " in time") + "; "
							+ connection.describePaths(),
					"Check that each GID can be reached from the other side, that the network carries this MTU, and "
							+ "that the traffic class is one it lets through (rdma.device.gid-index, "
							+ "rdma.queue-pair.path-mtu, rdma.queue-pair.traffic-class).",
					failure);
		}
	}

	private Hello hello(ConnectionResources resources, boolean proofWanted) throws HandshakeException {
		ConnectionSettings settings = this.context.settings();
		LocalEndpoint endpoint = this.context.endpoint();
		DeviceContext device = endpoint.context();
		PortAttributes port = device.queryPort(endpoint.port());
		if (port.state() != PortState.ACTIVE) {
			throw new HandshakeException(RejectCode.RESOURCES,
					"port " + endpoint.port() + " of device " + device.device().name() + " is " + port.state(),
					"Bring the port up, or choose another one (rdma.device.name, rdma.device.port).");
		}
		DeviceAttributes limits = device.queryDevice();
		byte[] nonce = new byte[Hello.NONCE_BYTES];
		this.random.nextBytes(nonce);
		PathMtu mtu = settings.mtu();
		return Hello.builder()
			.minVersion(Hello.VERSION)
			.version(Hello.VERSION)
			.nonce(nonce)
			.proofWanted(proofWanted)
			.name(this.name)
			.host(HostIdentity.current())
			.deviceKind(endpoint.deviceKind())
			.deviceName(device.device().name())
			.deviceGuid(limits.nodeGuid())
			.linkLayer(port.linkLayer())
			.lid(port.lid())
			.gid(endpoint.gid().gid())
			.gidType(endpoint.gid().type())
			.mtu((mtu != null) ? mtu.min(port.activeMtu()) : port.activeMtu())
			.pkeyIndex(settings.pkeyIndex())
			.trafficClass(settings.trafficClass())
			.queuePairNumber(resources.queuePair().number())
			.psn(resources.psn())
			.sendDepth(settings.sendDepth())
			.receiveDepth(settings.receiveDepth())
			.receiveBufferSize(settings.receiveBufferSize())
			.maxMessageSize(settings.maxMessageSize())
			.maxTransferSize(port.maxMessageSize())
			.maxReadAtomicAsRequester(Math.min(settings.maxRdAtomic(), limits.maxReadAtomicAsRequester()))
			.maxReadAtomicAsResponder(Math.min(settings.maxRdAtomic(), limits.maxReadAtomicAsResponder()))
			.pathOffer(resources.queuePair().pathOffer())
			.build();
	}

	private Map<String, RemoteRegion> directory() {
		Map<String, RemoteRegion> directory = new LinkedHashMap<>();
		if (this.regions != null) {
			for (LocalRegion region : this.regions.all()) {
				Set<AccessFlag> rights = EnumSet.noneOf(AccessFlag.class);
				rights.addAll(region.access());
				rights.retainAll(REMOTE_RIGHTS);
				if (!rights.isEmpty()) {
					directory.put(region.name(), new RemoteRegion(region.name(), region.memoryRegion().address(),
							region.memoryRegion().rkey(), region.size(), rights));
				}
			}
		}
		return directory;
	}

	private static Set<AccessFlag> access(Map<String, RemoteRegion> directory) {
		Set<AccessFlag> access = EnumSet.of(AccessFlag.REMOTE_WRITE);
		directory.values().forEach((region) -> access.addAll(region.access()));
		return access;
	}

	private RdmaConnection withResources(long deadlineNanos, Step<ConnectionResources> step) throws HandshakeException {
		ConnectionResources resources = new ConnectionResources(this.context, deadlineNanos);
		RdmaConnection connection = null;
		try {
			connection = step.run(resources);
			return connection;
		}
		finally {
			if (connection == null) {
				// harmless if the connection was released already
				resources.close();
			}
		}
	}

	/**
	 * Run a handshake and tell the other side if it fails here.
	 * @param channel the channel
	 * @param handshake the handshake
	 * @return the connection
	 * @throws HandshakeException if it failed
	 */
	private static RdmaConnection run(ControlChannel channel, Attempt handshake) throws HandshakeException {
		try {
			return handshake.run();
		}
		catch (HandshakeException ex) {
			channel.sendAndClose(Frame.reject(ex.code(), ex.problem()));
			throw ex;
		}
		catch (VerbsException ex) {
			channel.sendAndClose(Frame.reject(RejectCode.RESOURCES, String.valueOf(ex.getMessage())));
			throw RdmaExceptionTranslator.translate(ex, RdmaErrorContext.none());
		}
		catch (RuntimeException ex) {
			channel.sendAndClose(Frame.reject(RejectCode.RESOURCES, String.valueOf(ex.getMessage())));
			throw ex;
		}
	}

	/**
	 * What follows the hellos, sealed where a side wants proof of the other.
	 *
	 * @param channel the channel
	 * @param seal makes and checks the proofs
	 * @param wanted whether this side wants proof
	 * @param owed whether the other side does
	 * @param deadlineNanos until when
	 */
	private record Session(ControlChannel channel, FrameSeal seal, boolean wanted, boolean owed, long deadlineNanos) {

		void send(Frame frame) throws HandshakeException {
			this.channel.send(this.owed ? this.seal.seal(frame) : frame);
		}

		Frame receive(FrameType type) throws HandshakeException {
			Frame frame = this.channel.receive(type, this.deadlineNanos);
			return this.wanted ? this.seal.open(frame) : frame;
		}

	}

	/**
	 * The frame by which a side proves who it is.
	 *
	 * @param wanted whether the other side must prove that too; said by the side that
	 * connected only, since the other one says so in its hello
	 * @param pathAnswer the answer to the offer of the other side, empty if there is none
	 */
	@SuppressWarnings("ArrayRecordComponent")
	private record Proof(boolean wanted, byte[] pathAnswer) {

		Frame toFrame() {
			return new Frame(FrameType.PROOF,
					new WireWriter().putByte(this.wanted ? 1 : 0)
						.putShort(this.pathAnswer.length)
						.putBytes(this.pathAnswer)
						.toBytes());
		}

		static Proof from(Frame frame) throws HandshakeException {
			WireReader reader = new WireReader(frame.body());
			return new Proof(reader.getByte() != 0,
					reader.getBlob("the answer to the offer of a path", Hello.MAX_PATH_BYTES));
		}

	}

	private interface Step<T> {

		RdmaConnection run(T argument) throws HandshakeException;

	}

	private interface Attempt {

		RdmaConnection run() throws HandshakeException;

	}

}
