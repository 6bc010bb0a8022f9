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

package io.rdma.verbs.soft.shm;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a device context: its socket, and its files if they have names. Only
 * its user can enter it. What a process that was killed left behind is removed by the
 * next one that makes a directory beside it.
 */
@Slf4j
final class SharedDirectory {

	static final String SOCKET = "socket";

	/** The socket while nobody listens on it. */
	private static final String NEW_SOCKET = "socket-new";

	private static final String PREFIX = "rdma-shm-";

	private static final int BACKLOG = 1024;

	/** The longest name of a socket, less the zero at its end. */
	private static final int MAX_SOCKET_PATH = 107;

	private final Path path;

	private final int owner;

	private final ServerSocketChannel socket;

	private SharedDirectory(Path path, int owner, ServerSocketChannel socket) {
		this.path = path;
		this.owner = owner;
		this.socket = socket;
	}

	/**
	 * Make a directory.
	 * @param parent where, {@code null} for the usual places
	 * @param inMemory whether its files should be in memory, if the machine has such a
	 * place
	 * @return the directory
	 * @throws IOException if it can be made nowhere
	 */
	static SharedDirectory create(@Nullable Path parent, boolean inMemory) throws IOException {
		IOException failure = null;
		for (Path candidate : (parent != null) ? List.of(parent) : usualPlaces(inMemory)) {
			try {
				return create(candidate);
			}
			catch (IOException | UnsupportedOperationException ex) {
				IOException here = new IOException("No directory for shared memory can be made in " + candidate, ex);
				if (failure != null) {
					here.addSuppressed(failure);
				}
				failure = here;
			}
		}
		throw (failure != null) ? failure : new IOException("There is no place for a directory for shared memory");
	}

	private static List<Path> usualPlaces(boolean inMemory) {
		List<Path> places = new ArrayList<>();
		String runtime = System.getenv("XDG_RUNTIME_DIR");
		if (runtime != null && runtime.startsWith("/")) {
			places.add(Path.of(runtime));
		}
		places.add(Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath());
		places.add(inMemory ? 0 : places.size(), Path.of("/dev/shm"));
		return places;
	}

	private static SharedDirectory create(Path parent) throws IOException {
		removeLeftovers(parent);
		Path path = Files
			.createTempDirectory(parent, PREFIX,
					PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
			.toAbsolutePath();
		try {
			if (path.resolve(NEW_SOCKET).toString().getBytes(StandardCharsets.UTF_8).length > MAX_SOCKET_PATH) {
				throw new IOException("The name of a socket in " + parent + " would be too long");
			}
			return new SharedDirectory(path, Owners.of(path), listen(path));
		}
		catch (IOException | RuntimeException | Error ex) {
			remove(path);
			throw ex;
		}
	}

	private static void removeLeftovers(Path parent) throws IOException {
		try (DirectoryStream<Path> siblings = Files.newDirectoryStream(parent, PREFIX + "*")) {
			for (Path sibling : siblings) {
				if (isLeftover(sibling)) {
					remove(sibling);
				}
			}
		}
	}

	/**
	 * Return whether the process that made a directory is gone: then nobody listens on
	 * its socket. One with no socket is being made just now.
	 */
	private static boolean isLeftover(Path directory) {
		try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
			channel.configureBlocking(false);
			channel.connect(UnixDomainSocketAddress.of(directory.resolve(SOCKET)));
			return false;
		}
		catch (ConnectException ex) {
			return Files.exists(directory.resolve(SOCKET), LinkOption.NOFOLLOW_LINKS);
		}
		catch (IOException | IllegalArgumentException ex) {
			// of another user
			return false;
		}
	}

	/**
	 * Remove what a peer that died has left. While it is still dying this does nothing.
	 * @param directory the directory it named
	 * @return whether there is nothing left to remove
	 */
	static boolean removeLeftover(Path directory) {
		Path name = directory.getFileName();
		if (name == null || !name.toString().startsWith(PREFIX)
				|| !Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
			return true;
		}
		if (isLeftover(directory)) {
			remove(directory);
			return true;
		}
		return false;
	}

	private static void remove(Path directory) {
		try (DirectoryStream<Path> files = Files.newDirectoryStream(directory,
				"{" + SOCKET + "," + NEW_SOCKET + "," + NamedFileStore.PREFIX + "*}")) {
			for (Path file : files) {
				Files.deleteIfExists(file);
			}
			Files.deleteIfExists(directory);
		}
		catch (IOException ex) {
			logger.debug("The directory {} cannot be removed now", directory, ex);
		}
	}

	/**
	 * Open the socket. It has its name once somebody listens on it: a name on which
	 * nobody does says that the process is gone.
	 */
	private static ServerSocketChannel listen(Path directory) throws IOException {
		ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
		try {
			Path unnamed = directory.resolve(NEW_SOCKET);
			server.bind(UnixDomainSocketAddress.of(unnamed), BACKLOG);
			Files.move(unnamed, directory.resolve(SOCKET), StandardCopyOption.ATOMIC_MOVE);
			server.configureBlocking(false);
			return server;
		}
		catch (IOException | RuntimeException | Error ex) {
			server.close();
			throw ex;
		}
	}

	Path path() {
		return this.path;
	}

	/** The user that this process runs as. */
	int owner() {
		return this.owner;
	}

	/** What peers connect to, which does not block. */
	ServerSocketChannel socket() {
		return this.socket;
	}

	void remove() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			logger.debug("The socket in {} could not be closed", this.path, ex);
		}
		remove(this.path);
	}

}
