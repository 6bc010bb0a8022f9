package io.rdma.verbs.ibv;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link StructCheck}.
 */
@EnabledIf("io.rdma.verbs.ibv.Standin#isBuilt")
class StructCheckTests {

	private final int[] layout = layout();

	private static int[] layout() {
		assertThat(Standin.provider().isAvailable()).isTrue();
		return Native.layout();
	}

	@Test
	void whenTheSameThenItPasses() {
		assertThatCode(() -> StructCheck.check(Native.version(), this.layout)).doesNotThrowAnyException();
	}

	@Test
	void whenTheVersionDiffersThenBothAreNamed() {
		assertThatExceptionOfType(NativeLibraryException.class)
			.isThrownBy(() -> StructCheck.check(Native.VERSION + 1, this.layout))
			.withMessageContaining("version " + (Native.VERSION + 1) + ", but these classes need " + Native.VERSION);
	}

	@Test
	void whenAnOffsetDiffersThenTheFieldIsNamed() {
		this.layout[8] = 20;
		assertThatExceptionOfType(NativeLibraryException.class)
			.isThrownBy(() -> StructCheck.check(Native.VERSION, this.layout))
			.withMessageContaining("ibv_send_wr.num_sge is 20 there and 24 here");
	}

	@Test
	void whenThereAreFewerValuesThenItIsRefused() {
		assertThatExceptionOfType(NativeLibraryException.class)
			.isThrownBy(() -> StructCheck.check(Native.VERSION, new int[] { 16, 0, 8, 12 }));
	}

}
