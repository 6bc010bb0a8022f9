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

package io.rdma.verbs.ibv;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.EnumSet;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AddressVector;
import io.rdma.verbs.CompletionQueue;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GlobalRoute;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.ProtectionDomain;
import io.rdma.verbs.QueuePair;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairInitAttributes;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.jni.NativeBuild;
import org.jspecify.annotations.Nullable;

/**
 * The stand-in for libibverbs, which is built from {@code src/test/c} where there is a C
 * compiler. One process uses one libibverbs, so every test of this module uses it.
 */
final class Standin {

	static final String DEVICE = "standin0";

	/**
	 * A region that is that many bytes plus an error number long is not deregistered, for
	 * that reason.
	 */
	static final long FAILS_TO_DEREGISTER = 1L << 20;

	/** The same for registration. */
	static final long FAILS_TO_REGISTER = 1L << 21;

	/** The same for a send with that work request id. */
	static final long FAILS_TO_SEND = 0xfa110000L;

	private Standin() {
	}

	static boolean isBuilt() {
		return library() != null && NativeBuild.isThere();
	}

	private static @Nullable URL library() {
		return Standin.class.getClassLoader().getResource("native/libstandin.so");
	}

	static NativeSettings settings() {
		return new NativeSettings(null, null, resource("libstandin.so").toString());
	}

	/**
	 * Return a library that is built with the stand-in.
	 * @param name the name of the file
	 * @return where it is
	 */
	static Path resource(String name) {
		URL library = Standin.class.getClassLoader().getResource("native/" + name);
		if (library == null) {
			throw new IllegalStateException(name + " is not built");
		}
		try {
			return Path.of(library.toURI());
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

	/**
	 * Return a queue pair in RTS.
	 * @param domain the protection domain
	 * @param queue where everything completes
	 * @return the queue pair
	 */
	static QueuePair ready(ProtectionDomain domain, CompletionQueue queue) {
		QueuePair pair = domain
			.createQueuePair(new QueuePairInitAttributes(queue, queue, new QueuePairCapabilities(16, 16, 4, 4, 64)));
		pair.modify(QueuePairAttributes.to(QueuePairState.INIT)
			.pkeyIndex(0)
			.port(1)
			.accessFlags(EnumSet.allOf(AccessFlag.class))
			.build());
		pair.modify(QueuePairAttributes.to(QueuePairState.RTR)
			.addressVector(AddressVector.ethernet(1, new GlobalRoute(new Gid(0, 1), 1)))
			.pathMtu(PathMtu.MTU_1024)
			.destQpNumber(1)
			.rqPsn(0)
			.maxDestRdAtomic(1)
			.minRnrTimer(12)
			.build());
		pair.modify(QueuePairAttributes.to(QueuePairState.RTS)
			.timeout(14)
			.retryCount(6)
			.rnrRetry(6)
			.sqPsn(0)
			.maxRdAtomic(1)
			.build());
		return pair;
	}

}
