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

package io.rdma.core.memory;

import java.util.EnumSet;
import java.util.Set;

import io.rdma.core.exception.RdmaConfigurationException;
import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaMemoryRegistrationException;
import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.Errno;
import io.rdma.verbs.MemoryRegion;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.VerbsException;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

/**
 * Allocates and registers memory for a setting, and says in terms of that setting what is
 * wrong if it cannot.
 */
@RequiredArgsConstructor
final class MemoryRegistration {

	private final ProtectionDomain protectionDomain;

	/**
	 * Return access rights with the local right that remote ones need.
	 * @param access the access rights
	 * @return a new set
	 */
	static Set<AccessFlag> withLocalRights(Set<AccessFlag> access) {
		EnumSet<AccessFlag> rights = EnumSet.noneOf(AccessFlag.class);
		rights.addAll(access);
		if (rights.contains(AccessFlag.REMOTE_WRITE) || rights.contains(AccessFlag.REMOTE_ATOMIC)) {
			rights.add(AccessFlag.LOCAL_WRITE);
		}
		return rights;
	}

	/**
	 * Check that memory of a size can exist at all.
	 * @param property the setting that the size comes from
	 * @param size how many bytes
	 * @throws RdmaConfigurationException if this machine has less
	 */
	static void checkFitsMachine(String property, long size) {
		long available = MemorySize.ofMachine();
		if (size > available) {
			throw new RdmaConfigurationException(property, MemorySize.describe(size),
					"this machine or container has " + MemorySize.describe(available) + " of memory",
					"Make it smaller, or give the machine more memory.");
		}
	}

	/**
	 * Check that the device can register so much at once.
	 * @param property the setting that the size comes from
	 * @param size how many bytes
	 * @throws RdmaConfigurationException if it cannot
	 */
	void checkFitsDevice(String property, long size) {
		long limit = this.protectionDomain.context().queryDevice().maxMemoryRegionSize();
		if (limit > 0 && size > limit) {
			throw new RdmaConfigurationException(property, MemorySize.describe(size),
					"device " + this.protectionDomain.context().device().name() + " registers at most "
							+ MemorySize.describe(limit) + " at once",
					"Make it smaller.");
		}
	}

	/**
	 * Allocate and register memory.
	 * @param property the setting that the size comes from
	 * @param total the value of that setting in bytes, of which this may be a part
	 * @param size how many bytes
	 * @param access the access rights
	 * @return the region
	 * @throws RdmaMemoryRegistrationException if it cannot be done
	 */
	MemoryRegion register(String property, long total, long size, Set<AccessFlag> access) {
		try {
			return this.protectionDomain.allocateMemory(size, access);
		}
		catch (VerbsException ex) {
			throw failure(property, total, size, ex.errno(), ex);
		}
		catch (OutOfMemoryError ex) {
			throw failure(property, total, size, null, ex);
		}
	}

	private RdmaMemoryRegistrationException failure(String property, long total, long size, @Nullable Errno errno,
			Throwable cause) {
		RdmaErrorContext context = RdmaErrorContext.none().withOperation("ibv_reg_mr").withErrno(errno);
		String problem = "%s of the %s that %s asks for cannot be registered with device %s: %s".formatted(
				MemorySize.describe(size), MemorySize.describe(total), property,
				this.protectionDomain.context().device().name(), cause.getMessage());
		return new RdmaMemoryRegistrationException(context, problem, remedy(property, errno), cause);
	}

	private static String remedy(String property, @Nullable Errno errno) {
		boolean tooLittle = errno == null || errno == Errno.ENOMEM || errno == Errno.EAGAIN || errno == Errno.EPERM;
		if (!tooLittle) {
			return "Make " + property + " smaller if the device has no room for it, and look into the kernel log for "
					+ "errors of the device.";
		}
		return "Make " + property + " smaller, or give the process more: -XX:MaxDirectMemorySize limits memory outside "
				+ "the Java heap (if it is not set, to the largest heap, here "
				+ MemorySize.describe(Runtime.getRuntime().maxMemory()) + "), and the limit of locked memory limits "
				+ "what a real device can pin (ulimit -l, LimitMEMLOCK= of systemd, --ulimit memlock=-1 of Docker, in "
				+ "Kubernetes the limit of the container runtime).";
	}

}
