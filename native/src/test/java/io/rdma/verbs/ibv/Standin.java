package io.rdma.verbs.ibv;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;

import io.rdma.verbs.DeviceContext;
import org.jspecify.annotations.Nullable;

/**
 * The stand-in for libibverbs, which is built from {@code src/test/c} where there is a C
 * compiler. One process uses one libibverbs, so every test of this module uses it.
 */
final class Standin {

	static final String DEVICE = "standin0";

	private Standin() {
	}

	static boolean isBuilt() {
		return library() != null && Standin.class.getClassLoader()
			.getResource("META-INF/native/librdma_verbs_" + Machine.current().compilerArchitecture() + ".so") != null;
	}

	private static @Nullable URL library() {
		return Standin.class.getClassLoader().getResource("native/libstandin.so");
	}

	static NativeSettings settings() {
		URL library = library();
		if (library == null) {
			throw new IllegalStateException("The stand-in is not built");
		}
		try {
			return new NativeSettings(null, null, Path.of(library.toURI()).toString());
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static IbvProvider provider() {
		return new IbvProvider(settings());
	}

	static DeviceContext open() {
		return provider().open(DEVICE);
	}

	/**
	 * Return how often something was used after it was destroyed.
	 * @param context the device
	 * @return how often, since the process started
	 */
	static int violations(DeviceContext context) {
		return context.queryDevice().vendorId();
	}

	/**
	 * Return how many objects exist.
	 * @param context the device
	 * @return the number
	 */
	static int objects(DeviceContext context) {
		return context.queryDevice().maxQueuePairs();
	}

}
