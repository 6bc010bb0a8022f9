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

package io.rdma.autoconfigure;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.rdma.core.connection.DeviceChoice;
import io.rdma.core.exception.RdmaException;
import io.rdma.verbs.DeviceCandidate;
import io.rdma.verbs.DeviceContext;
import io.rdma.verbs.DeviceCriteria;
import io.rdma.verbs.DeviceObstacle;
import io.rdma.verbs.DeviceSelection;
import io.rdma.verbs.DeviceSelector;
import io.rdma.verbs.VerbsException;
import io.rdma.verbs.VerbsProvider;
import io.rdma.verbs.soft.SoftDeviceContext;
import io.rdma.verbs.soft.SoftProvider;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Chooses provider, device, port and GID for one application context, and says once what
 * it chose and why. Not thread-safe.
 */
@Slf4j
final class DeviceChooser {

	private final RdmaProperties.Provider provider;

	private final DeviceCriteria criteria;

	private final VerbsProvider verbs;

	private final SoftDevice soft;

	/** Asked first, since newer JDKs warn when a native library is loaded. */
	private final BooleanSupplier devicePresent;

	private final LongSupplier lockableMemory;

	private final DeviceFailures failures;

	/** What was found when the provider was chosen by what it has. */
	private @Nullable DeviceSelection found;

	/** The software device, if nothing else can be used. */
	private @Nullable DeviceChoice lastResort;

	private @Nullable DeviceChoice choice;

	/**
	 * Create a chooser.
	 * @param provider which provider is asked for
	 * @param criteria what the device must be
	 * @param verbs the provider of RDMA devices
	 * @param soft makes the software device
	 * @param devicePresent tells whether the kernel has one
	 * @param lockableMemory tells how many bytes the process may still pin
	 */
	DeviceChooser(RdmaProperties.Provider provider, DeviceCriteria criteria, VerbsProvider verbs, SoftDevice soft,
			BooleanSupplier devicePresent, LongSupplier lockableMemory) {
		this.provider = provider;
		this.criteria = criteria;
		this.verbs = verbs;
		this.soft = soft;
		this.devicePresent = devicePresent;
		this.lockableMemory = lockableMemory;
		this.failures = new DeviceFailures(provider, criteria);
	}

	/**
	 * Return whether a device is the software device.
	 * @param context the device
	 * @return whether it is
	 */
	static boolean isSoft(DeviceContext context) {
		return context instanceof SoftDeviceContext;
	}

	/**
	 * Choose the provider.
	 * @return the one that is set, or the one of a device that can be used
	 */
	VerbsProvider provider() {
		return switch (this.provider) {
			case AUTO -> auto();
			case VERBS -> verbs();
			case SOFT -> this.soft.create();
		};
	}

	private VerbsProvider verbs() {
		Throwable cause = this.verbs.unavailabilityCause();
		if (cause != null) {
			throw this.failures.unavailable(cause);
		}
		return this.verbs;
	}

	private VerbsProvider auto() {
		if (this.soft.isAskedFor()) {
			return this.soft.create();
		}
		DeviceSelection selection = this.devicePresent.getAsBoolean() ? select(this.verbs, this.criteria)
				: new DeviceSelection(null, "there is none", List.of());
		if (selection.chosen() != null) {
			this.found = selection;
			return this.verbs;
		}
		SoftProvider software = this.soft.create();
		fallBack(software, selection);
		return software;
	}

	private void fallBack(SoftProvider software, DeviceSelection passedOver) {
		// settings that no RDMA device of the machine fits are not meant for the software
		// device
		DeviceSelection selection = select(software, DeviceCriteria.ANY);
		DeviceCandidate chosen = selection.chosen();
		Assert.state(chosen != null, "The software device is always there");
		this.found = selection;
		if (!passedOver.hasDevices()) {
			String reason = "since this machine has no RDMA device ('rdma.provider' is 'auto')";
			logger.info("Using device {} of provider '{}', {}", chosen, software.name(), reason);
			this.lastResort = new DeviceChoice(software.name(), chosen, reason, selection.candidates(), null);
			return;
		}
		String reason = "since no RDMA device of this machine can be used ('rdma.provider' is 'auto')";
		String fallback = this.failures.describe(passedOver.candidates());
		logger.warn("Using device {} of provider '{}', {}: {} With 'rdma.provider' set to 'verbs' the start would "
				+ "fail instead", chosen, software.name(), reason, fallback);
		this.lastResort = new DeviceChoice(software.name(), chosen, reason,
				Stream.concat(passedOver.candidates().stream(), selection.candidates().stream()).toList(), fallback);
	}

	/**
	 * Return why the software device is used although the machine has RDMA devices.
	 * @return why and what to do, {@code null} if that is not so
	 */
	@Nullable String fallback() {
		return (this.lastResort != null) ? this.lastResort.fallback() : null;
	}

	/**
	 * Choose and open the device.
	 * @param source the provider
	 * @return its context, to be closed by the caller
	 */
	DeviceContext open(VerbsProvider source) {
		DeviceSelection selection = (this.found != null) ? this.found : select(source, this.criteria);
		DeviceCandidate chosen = selection.chosen();
		if (chosen == null) {
			throw this.failures.noneUsable(source, selection);
		}
		DeviceContext context = open(source, chosen);
		this.choice = (this.lastResort != null) ? this.lastResort : choice(source, chosen, selection);
		return context;
	}

	private DeviceContext open(VerbsProvider source, DeviceCandidate chosen) {
		try {
			return source.open(chosen.name());
		}
		catch (VerbsException ex) {
			throw this.failures.notOpened(chosen, ex);
		}
	}

	private static DeviceChoice choice(VerbsProvider source, DeviceCandidate chosen, DeviceSelection selection) {
		logger.info("Using device {} of provider '{}', {}{}", chosen, source.name(), selection.reason(),
				others(selection.candidates(), chosen));
		return new DeviceChoice(source.name(), chosen, selection.reason(), selection.candidates(), null);
	}

	private static String others(List<DeviceCandidate> candidates, DeviceCandidate chosen) {
		List<DeviceCandidate> others = candidates.stream().filter((candidate) -> !candidate.equals(chosen)).toList();
		return others.isEmpty() ? "" : ". Passed over: " + DeviceFailures.list(others);
	}

	/**
	 * Return what was chosen, or look at a device that the application opened itself.
	 * That it cannot be used is no exception here, since the application may choose port
	 * and GID itself too: see {@link #checkUsable(DeviceChoice)}.
	 * @param context the device in use
	 * @return the choice
	 */
	DeviceChoice choice(DeviceContext context) {
		if (this.choice != null) {
			return this.choice;
		}
		boolean soft = isSoft(context);
		DeviceCandidate candidate = lookAt(context, soft);
		return new DeviceChoice(soft ? SoftProvider.NAME : this.verbs.name(), candidate, "a bean of the application",
				List.of(candidate), null);
	}

	private DeviceCandidate lookAt(DeviceContext context, boolean soft) {
		try {
			return selector(this.verbs, soft).lookAt(context, this.criteria);
		}
		catch (VerbsException ex) {
			return new DeviceCandidate(context.device().name(), 0, null, DeviceObstacle.NOT_OPENED,
					String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Check that port and GID of a choice can be used.
	 * @param choice the choice
	 * @throws RdmaException if they cannot
	 */
	void checkUsable(DeviceChoice choice) {
		DeviceCandidate chosen = choice.chosen();
		if (!chosen.isUsable()) {
			throw this.failures.unusable(chosen);
		}
	}

	private DeviceSelection select(VerbsProvider source, DeviceCriteria criteria) {
		return selector(source, source instanceof SoftProvider).select(criteria);
	}

	private DeviceSelector selector(VerbsProvider source, boolean soft) {
		// nothing is pinned for the software device
		return new DeviceSelector(source, soft ? () -> Long.MAX_VALUE : this.lockableMemory);
	}

}
