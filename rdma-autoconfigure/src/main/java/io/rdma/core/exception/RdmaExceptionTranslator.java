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

package io.rdma.core.exception;

import io.rdma.verbs.CompletionStatus;
import io.rdma.verbs.Errno;
import io.rdma.verbs.ResourceClosedException;
import io.rdma.verbs.VerbsException;

/**
 * Makes the exception of this library out of a completion status or of the exception of a
 * verb. There is one for every status and every error number.
 */
public final class RdmaExceptionTranslator {

	private static final String BOTH_LOGS = "Look into the logs of this service and of the peer for the first error of this connection.";

	private RdmaExceptionTranslator() {
	}

	/**
	 * Translate a completion status. Never throws, so that a completion loop can call it.
	 * @param status the status
	 * @param context what is known about the operation
	 * @return the exception, which carries the status
	 */
	public static RdmaException translate(CompletionStatus status, RdmaErrorContext context) {
		RdmaErrorContext known = context.withStatus(status);
		String problem = status.meaning();
		return switch (status) {
			case LOC_LEN_ERR -> new RdmaLocalProtectionException(known, problem,
					"Make the receive buffers of this side (rdma.queue-pair.receive-buffer-size) at least as large as "
							+ "those the peer counts on, and keep messages within the port's maximum.");
			case LOC_QP_OP_ERR -> new RdmaLocalProtectionException(known, problem,
					"The device could not carry out the request; if this is no custom request, compare the limits of "
							+ "both devices in /actuator/rdma and look into the kernel log.");
			case LOC_PROT_ERR, LOC_ACCESS_ERR -> new RdmaLocalProtectionException(known, problem,
					"Use buffers of RdmaMemoryPool or regions with local-write access, and do not close them while "
							+ "operations run.");
			case MW_BIND_ERR -> new RdmaLocalProtectionException(known, problem,
					"Bind the window to an open region that was registered with memory-window-bind, within its range "
							+ "and rights.");
			case LOC_EEC_OP_ERR, LOC_RDD_VIOL_ERR, INV_EECN_ERR,
					INV_EEC_STATE_ERR ->
				new RdmaLocalProtectionException(known, problem,
						"This status belongs to reliable datagrams, which this library does not use: update the "
								+ "driver and the firmware of the device.");
			case WR_FLUSH_ERR -> new RdmaFlushedException(known, problem,
					"Another operation failed first, the peer went away, or the connection was closed: look for that "
							+ "error. The connection is made again by itself; repeat the operation if it may be "
							+ "carried out twice.");
			case BAD_RESP_ERR -> new RdmaConnectionLostException(known, problem,
					"The two devices disagree about the state of the connection; it is made again by itself. If it "
							+ "happens again, look for packet loss and for old firmware.");
			case REM_INV_REQ_ERR -> new RdmaRemoteAccessException(known, problem,
					"Check that the peer's receive buffers are large enough, that its queue pair allows this kind of "
							+ "operation, and that its device supports it.");
			case REM_ACCESS_ERR -> new RdmaRemoteAccessException(known, problem,
					"Check offset, length and the access rights of the region at the peer (rdma.regions.<name>.access). "
							+ "If the peer was restarted, its keys are new: repeat the operation on the new connection.");
			case REM_INV_RD_REQ_ERR -> new RdmaRemoteAccessException(known, problem,
					"This status belongs to reliable datagrams, which this library does not use: update the driver and "
							+ "the firmware of both devices.");
			case REM_OP_ERR, REM_ABORT_ERR -> new RdmaRemoteOperationException(known, problem,
					"The fault is at the peer: look into its log and health, and check its receive buffers.");
			case RETRY_EXC_ERR, RESP_TIMEOUT_ERR -> new RdmaPeerUnreachableException(known, problem,
					"Check that the peer runs, and that the network between both devices carries this traffic (MTU, "
							+ "VLAN, UDP port 4791 for RoCEv2, lossless class). rdma.queue-pair.timeout and "
							+ "rdma.queue-pair.retry-count set how long to try.");
			case RNR_RETRY_EXC_ERR -> new RdmaReceiverNotReadyException(known, problem,
					"The peer does not take its messages fast enough or another program uses its queue pair: check its "
							+ "listeners and rdma.queue-pair.receive-depth. rdma.queue-pair.rnr-retry-count sets how "
							+ "long to try.");
			case FATAL_ERR, GENERAL_ERR -> new RdmaDeviceException(known, problem,
					"Look into the kernel log for errors of the device; if they stay, reset it or exchange it.");
			case TM_ERR, TM_RNDV_INCOMPLETE -> new RdmaDeviceException(known, problem,
					"This library does not use tag matching: turn it off for this device.");
			case SUCCESS -> new RdmaCompletionException(known, problem + " and was reported as failed",
					"This is a fault of the library: please report it.");
		};
	}

	/**
	 * Translate the exception of a verb.
	 * @param exception the exception, which becomes the cause
	 * @param context what is known about the operation; if it names none, the verb is
	 * taken
	 * @return the exception, which carries the error number
	 */
	public static RdmaException translate(VerbsException exception, RdmaErrorContext context) {
		Errno errno = exception.errno();
		String verb = exception.verb();
		RdmaErrorContext known = context.withErrno(errno);
		if (known.operation() == null) {
			known = known.withOperation(verb);
		}
		String problem = problem(exception);
		if (isRegistration(verb)) {
			return new RdmaMemoryRegistrationException(known, problem, registrationRemedy(errno), exception);
		}
		if (isPost(verb) && (errno == Errno.ENOMEM || errno == Errno.EAGAIN)) {
			return new RdmaQueueFullException(known, problem,
					"Wait for operations to complete, or raise rdma.queue-pair.send-depth.", exception);
		}
		return switch (errno) {
			case EPERM, EACCES -> new RdmaDeviceException(known, problem,
					"Give the user of this process read and write access to /dev/infiniband/uverbs*, in a container by "
							+ "passing these devices in.",
					exception);
			case ENOENT, ENXIO,
					ENODEV ->
				new RdmaDeviceNotFoundException(known, problem,
						"List the devices with 'ibv_devices' or 'rdma link' and check that the driver is loaded; "
								+ "rdma.device.name and rdma.device.port choose one.",
						exception);
			case EINTR, EAGAIN -> new RdmaDeviceException(known, problem, "Repeat the operation.", exception);
			case EIO -> new RdmaDeviceException(known, problem,
					"Look into the kernel log for errors of the device; if they stay, reset it or exchange it.",
					exception);
			case ENOMEM -> new RdmaDeviceException(known, problem,
					"Raise the limit of locked memory (ulimit -l, LimitMEMLOCK= of systemd, --ulimit memlock of Docker) "
							+ "or ask for fewer or shorter queues and less memory.",
					exception);
			case EFAULT -> new RdmaDeviceException(known, problem,
					"Use memory of RdmaMemoryPool or of a region that is still open.", exception);
			case EBUSY -> new RdmaDeviceException(known, problem,
					"Close what was made from it first: queue pairs before completion queues, both and memory regions "
							+ "before the protection domain.",
					exception);
			case EINVAL -> new RdmaDeviceException(known, problem,
					"Compare what was asked for with the limits of the device in /actuator/rdma.", exception);
			case EMFILE -> new RdmaDeviceException(known, problem,
					"Raise the limit of open files (ulimit -n, LimitNOFILE= of systemd).", exception);
			case ENOSPC -> new RdmaDeviceException(known, problem,
					"Use fewer or smaller queues and regions, and look for other processes that use this device.",
					exception);
			case ENOSYS, EPROTONOSUPPORT,
					EOPNOTSUPP ->
				new RdmaDeviceException(known, problem,
						"Use another device, do without this operation, or update driver, firmware and rdma-core.",
						exception);
			case ENODATA -> new RdmaDeviceException(known, problem,
					"The entry is empty, most often in the GID table: remove rdma.device.gid-index so that one is "
							+ "chosen, or give the network interface an address.",
					exception);
			case EADDRINUSE -> new RdmaConnectException(known, problem,
					"Stop the process that uses the address, or set rdma.server.port to another port.", exception);
			case EADDRNOTAVAIL -> new RdmaConnectException(known, problem,
					"Use an address of this machine (rdma.server.address).", exception);
			case ENETUNREACH, EHOSTUNREACH -> new RdmaConnectException(known, problem,
					"Check address and routes to the peer (rdma.peers.<name>.address).", exception);
			case ECONNRESET -> new RdmaConnectionLostException(known, problem, BOTH_LOGS, exception);
			case ETIMEDOUT -> new RdmaTimeoutException(known, problem,
					"Check that the peer runs and can be reached, then repeat the operation.", exception);
			case ECONNREFUSED -> new RdmaConnectException(known, problem,
					"Check that the peer runs and listens at this address (rdma.server.port there, "
							+ "rdma.peers.<name>.address here).",
					exception);
			case UNKNOWN -> new RdmaDeviceException(known, problem,
					"Look into the kernel log and the documentation of the device's driver for this number.",
					exception);
		};
	}

	/**
	 * Translate the use of a closed verbs resource.
	 * @param exception the exception, which becomes the cause
	 * @param context what is known about the operation
	 * @return the exception
	 */
	public static RdmaException translate(ResourceClosedException exception, RdmaErrorContext context) {
		return new RdmaClosedException(context, String.valueOf(exception.getMessage()),
				"Repeat the operation once the connection is made again, unless the application is shutting down.",
				exception);
	}

	private static String registrationRemedy(Errno errno) {
		return switch (errno) {
			case ENOMEM, EAGAIN, EPERM -> "Registration pins memory: raise the limit of locked memory (ulimit -l, "
					+ "LimitMEMLOCK= of systemd, --ulimit memlock=-1 of Docker), or make rdma.memory.pool-size and "
					+ "the sizes in rdma.regions smaller.";
			case EBUSY -> "Close the memory windows that are bound to the region, then repeat.";
			case EINVAL -> "Use a length above 0; remote-write and remote-atomic need local-write beside them, and "
					+ "remote-atomic a device with atomics.";
			case ENOSPC -> "The device holds no more regions: use fewer and larger ones, and look for other processes "
					+ "that use this device.";
			default -> "Check the access rights asked for against the device in /actuator/rdma, and the kernel log for "
					+ "errors of the device.";
		};
	}

	private static boolean isRegistration(String verb) {
		return verb.contains("reg_mr");
	}

	private static boolean isPost(String verb) {
		return verb.contains("post_");
	}

	private static String problem(VerbsException exception) {
		String message = String.valueOf(exception.getMessage());
		return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
	}

}
