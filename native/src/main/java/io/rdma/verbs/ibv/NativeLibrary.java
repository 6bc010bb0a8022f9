package io.rdma.verbs.ibv;

import org.jspecify.annotations.Nullable;

/**
 * The native library of this class loader: loaded once, on first use.
 */
final class NativeLibrary {

	private static boolean tried;

	private static @Nullable NativeLibraryException failure;

	private NativeLibrary() {
	}

	/**
	 * Load the library and open libibverbs, if that was not tried before.
	 * @param settings where they are
	 * @return why they cannot be used, {@code null} if they can
	 */
	static synchronized @Nullable NativeLibraryException load(NativeSettings settings) {
		if (!tried) {
			tried = true;
			try {
				new LibraryLoader(Machine.current(), settings).load();
				StructCheck.check(Native.version(), Native.layout());
				openLibibverbs(settings.libibverbs());
			}
			catch (NativeLibraryException ex) {
				failure = ex;
			}
		}
		return failure;
	}

	private static void openLibibverbs(String name) {
		String refusal = Native.openLibrary(name);
		if (refusal != null) {
			throw new NativeLibraryException("libibverbs cannot be opened (" + refusal
					+ "); install it with the providers of the devices, on Debian and Ubuntu: apt-get install "
					+ "libibverbs1 ibverbs-providers, on Fedora and Red Hat: dnf install libibverbs rdma-core, "
					+ "or give its path as system property " + NativeSettings.LIBIBVERBS_PROPERTY);
		}
	}

}
