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

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.Set;

import lombok.RequiredArgsConstructor;

/**
 * A file that only its user can read, whose content proves to another process that it is
 * run by the same user. Made at first use.
 */
@RequiredArgsConstructor
final class SecretFile {

	private static final int SECRET_BYTES = 32;

	private static final Set<PosixFilePermission> FILE_PERMISSIONS = PosixFilePermissions.fromString("rw-------");

	private static final Set<PosixFilePermission> DIRECTORY_PERMISSIONS = PosixFilePermissions.fromString("rwx------");

	private final Path directory;

	/**
	 * Return the file in the user's home directory.
	 * @return the file
	 */
	static SecretFile ofUser() {
		return new SecretFile(Path.of(System.getProperty("user.home"), ".rdma-spring"));
	}

	Path path() {
		return this.directory.resolve("secret");
	}

	/**
	 * Return the secret, making it if there is none.
	 * @return the secret
	 * @throws IOException if it cannot be read or made, or others could read it
	 */
	byte[] read() throws IOException {
		Path file = path();
		if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
			create(file);
		}
		check(this.directory, DIRECTORY_PERMISSIONS);
		check(file, FILE_PERMISSIONS);
		byte[] secret = Files.readAllBytes(file);
		if (secret.length != SECRET_BYTES) {
			throw new IOException("The file " + file + " does not hold " + SECRET_BYTES + " bytes; delete it");
		}
		return secret;
	}

	private void create(Path file) throws IOException {
		boolean posix = isPosix(file);
		Files.createDirectories(this.directory, attributes(posix, DIRECTORY_PERMISSIONS));
		check(this.directory, DIRECTORY_PERMISSIONS);
		byte[] secret = new byte[SECRET_BYTES];
		new SecureRandom().nextBytes(secret);
		Path draft = Files.createTempFile(this.directory, "secret", ".tmp", attributes(posix, FILE_PERMISSIONS));
		try {
			Files.write(draft, secret);
			// moved when it is whole: another process never reads a part of it
			Files.move(draft, file);
		}
		catch (FileAlreadyExistsException ex) {
			// another process was faster: its secret is as good
			Files.delete(draft);
		}
	}

	private static FileAttribute<?>[] attributes(boolean posix, Set<PosixFilePermission> permissions) {
		return posix ? new FileAttribute<?>[] { PosixFilePermissions.asFileAttribute(permissions) }
				: new FileAttribute<?>[0];
	}

	private static boolean isPosix(Path path) {
		return path.getFileSystem().supportedFileAttributeViews().contains("posix");
	}

	private static void check(Path path, Set<PosixFilePermission> allowed) throws IOException {
		if (Files.isSymbolicLink(path)) {
			throw new IOException("The path " + path + " is a symbolic link; delete it");
		}
		if (!isPosix(path)) {
			return;
		}
		Set<PosixFilePermission> surplus = EnumSet.noneOf(PosixFilePermission.class);
		surplus.addAll(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
		surplus.removeAll(allowed);
		if (!surplus.isEmpty()) {
			throw new IOException("Others can use " + path + " (" + PosixFilePermissions.toString(surplus)
					+ " is too much); delete it");
		}
	}

}
