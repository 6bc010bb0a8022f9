package io.rdma.core.connection;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

import io.rdma.core.memory.RdmaBuffer;
import io.rdma.verbs.AccessFlag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for operations between two services.
 */
class ConnectionOperationTests {

	private TestService storage;

	private TestService client;

	private RdmaConnection connection;

	@BeforeEach
	void start() {
		this.storage = TestService.start("storage",
				(options) -> options
					.region("blobs", 1 << 20, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)
					.region("counters", 4096, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC)
					.region("readonly", 4096, AccessFlag.REMOTE_READ));
		this.client = TestService.start("client", (options) -> options.peer("storage", this.storage.server.port()));
		this.connection = this.client.connect("storage");
	}

	@AfterEach
	void stop() {
		this.client.close();
		this.storage.close();
	}

	@Test
	void shouldWriteAndRead() {
		byte[] content = "Hello, remote memory".getBytes(StandardCharsets.UTF_8);
		this.client.write(this.connection, "blobs", 4711, content);
		assertThat(this.client.read(this.connection, "blobs", 4711, content.length)).isEqualTo(content);
		byte[] atPeer = new byte[content.length];
		this.storage.regions.get("blobs").get(4711, java.nio.ByteBuffer.wrap(atPeer));
		assertThat(atPeer).isEqualTo(content);
		assertThat(this.client.outcomes).contains("storage WRITE success 20", "storage READ success 20");
	}

	@Test
	void shouldChangeAtomically() {
		RdmaBuffer buffer = this.client.buffer(8);
		BlockingOperation add = new BlockingOperation(OperationKind.FETCH_AND_ADD);
		add.local(buffer, 0, 8)
			.remote(this.connection.region("counters"), 16)
			.fetchAndAdd(5)
			.deadline(TestService.deadline());
		this.connection.post(add);
		assertThat(add.await()).isEqualTo(8);
		assertThat(buffer.byteBuffer().order(ByteOrder.nativeOrder()).getLong(0)).isZero();
		BlockingOperation swap = new BlockingOperation(OperationKind.COMPARE_AND_SWAP);
		swap.local(buffer, 0, 8)
			.remote(this.connection.region("counters"), 16)
			.compareAndSwap(5, 9)
			.deadline(TestService.deadline());
		this.connection.post(swap);
		swap.await();
		assertThat(buffer.byteBuffer().order(ByteOrder.nativeOrder()).getLong(0)).isEqualTo(5);
		assertThat(this.storage.regions.get("counters").memoryRegion().getLongAcquire(16)).isEqualTo(9);
		buffer.release();
	}

	@Test
	void shouldSend() {
		this.client.send("storage", "one".getBytes(StandardCharsets.UTF_8));
		InboundMessage message = this.storage.receive("client");
		assertThat(message.payload()).asString().isEqualTo("one");
		assertThat(message.peer()).isEqualTo("client");
	}

}
