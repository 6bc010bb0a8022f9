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

import lombok.AccessLevel;
import lombok.RequiredArgsConstructor;

import org.springframework.util.Assert;

/**
 * A file that only its user can read, whose content proves to another process that it is
 * run by the same user, or was given the file by that user. The one in the user's home
 * directory is made at first use, any other has to be there.
 */
@RequiredArgsConstructor(access = AccessLevel.PRIVATE)
final class SecretFile {

	/** The setting that has the path. */
	static final String PROPERTY = "rdma.connection.secret-file";

	private static final int SECRET_BYTES = 32;

	private static final int MAX_SECRET_BYTES = 4096;

	private static final Set<PosixFilePermission> FILE_PERMISSIONS = PosixFilePermissions.fromString("rw-------");

	private static final Set<PosixFilePermission> DIRECTORY_PERMISSIONS = PosixFilePermissions.fromString("rwx------");

	private final Path path;

	private final boolean made;

	/**
	 * Return the file in the user's home directory.
	 * @return the file
	 */
	static SecretFile ofUser() {
		return in(Path.of(System.getProperty("user.home"), ".rdma-spring"));
	}

	/**
	 * Return the file in a directory that is made with it.
	 * @param directory the directory
	 * @return the file
	 */
	static SecretFile in(Path directory) {
		return new SecretFile(directory.resolve("secret"), true);
	}

	/**
	 * Return a file that somebody else made.
	 * @param path the path of the file
	 * @return the file
	 */
	static SecretFile at(Path path) {
		return new SecretFile(path.toAbsolutePath(), false);
	}

	Path path() {
		return this.path;
	}

	/**
	 * Return whether somebody else has to make the file.
	 * @return whether its path was given
	 */
	boolean isGiven() {
		return !this.made;
	}

	/**
	 * Return what to do if two sides do not have the same secret.
	 * @return one or more sentences
	 */
	String remedy() {
		return "Both services need the same secret. This one reads " + this.path
				+ ": copy that file to the other machine or container, readable by the user of the service only (mode "
				+ "0600), to the same place in that user's home directory or to where '" + PROPERTY
				+ "' says there, or let both mount one file.";
	}

	/**
	 * Return the secret, making it if there is none in the user's home directory.
	 * @return the secret
	 * @throws IOException if it cannot be read or made, or others could read it
	 */
	byte[] read() throws IOException {
		return this.made ? readMade() : readGiven();
	}

	private byte[] readMade() throws IOException {
		if (!Files.exists(this.path, LinkOption.NOFOLLOW_LINKS)) {
			create();
		}
		check(directory(), DIRECTORY_PERMISSIONS);
		check(this.path, FILE_PERMISSIONS);
		byte[] secret = Files.readAllBytes(this.path);
		if (secret.length != SECRET_BYTES) {
			throw new IOException("The file " + this.path + " does not hold " + SECRET_BYTES + " bytes; delete it");
		}
		return secret;
	}

	private byte[] readGiven() throws IOException {
		if (!Files.isRegularFile(this.path)) {
			throw new IOException("There is no file " + this.path + ". One is made with (umask 077; head -c 32 "
					+ "/dev/urandom > " + this.path + ")");
		}
		// container platforms mount secrets as links
		checkPermissions(this.path.toRealPath(),
				EnumSet.range(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_EXECUTE),
				"; take that away from others (chmod 600)");
		long size = Files.size(this.path);
		if (size < SECRET_BYTES || size > MAX_SECRET_BYTES) {
			throw new IOException("The file " + this.path + " holds " + size + " bytes, but a secret has "
					+ SECRET_BYTES + " to " + MAX_SECRET_BYTES);
		}
		return Files.readAllBytes(this.path);
	}

	private Path directory() {
		Path directory = this.path.getParent();
		Assert.state(directory != null, "The file of the user is in a directory");
		return directory;
	}

	private void create() throws IOException {
		boolean posix = isPosix(this.path);
		Path directory = directory();
		Files.createDirectories(directory, attributes(posix, DIRECTORY_PERMISSIONS));
		check(directory, DIRECTORY_PERMISSIONS);
		byte[] secret = new byte[SECRET_BYTES];
		new SecureRandom().nextBytes(secret);
		Path draft = Files.createTempFile(directory, "secret", ".tmp", attributes(posix, FILE_PERMISSIONS));
		try {
			Files.write(draft, secret);
			// moved when it is whole: another process never reads a part of it
			Files.move(draft, this.path);
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
		checkPermissions(path, allowed, "; delete it");
	}

	private static void checkPermissions(Path path, Set<PosixFilePermission> allowed, String remedy)
			throws IOException {
		if (!isPosix(path)) {
			return;
		}
		Set<PosixFilePermission> surplus = EnumSet.noneOf(PosixFilePermission.class);
		surplus.addAll(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
		surplus.removeAll(allowed);
		if (!surplus.isEmpty()) {
			throw new IOException("Others can use " + path + " (" + PosixFilePermissions.toString(surplus)
					+ " is too much)" + remedy);
		}
	}

}
