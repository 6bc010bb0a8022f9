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

package io.rdma.verbs;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import static io.rdma.verbs.QueuePairAttribute.ACCESS_FLAGS;
import static io.rdma.verbs.QueuePairAttribute.ADDRESS_VECTOR;
import static io.rdma.verbs.QueuePairAttribute.ALTERNATE_PATH;
import static io.rdma.verbs.QueuePairAttribute.CURRENT_STATE;
import static io.rdma.verbs.QueuePairAttribute.DEST_QP_NUMBER;
import static io.rdma.verbs.QueuePairAttribute.EN_SQD_ASYNC_NOTIFY;
import static io.rdma.verbs.QueuePairAttribute.MAX_DEST_RD_ATOMIC;
import static io.rdma.verbs.QueuePairAttribute.MAX_RD_ATOMIC;
import static io.rdma.verbs.QueuePairAttribute.MIN_RNR_TIMER;
import static io.rdma.verbs.QueuePairAttribute.PATH_MIGRATION_STATE;
import static io.rdma.verbs.QueuePairAttribute.PATH_MTU;
import static io.rdma.verbs.QueuePairAttribute.PKEY_INDEX;
import static io.rdma.verbs.QueuePairAttribute.PORT;
import static io.rdma.verbs.QueuePairAttribute.RETRY_COUNT;
import static io.rdma.verbs.QueuePairAttribute.RNR_RETRY;
import static io.rdma.verbs.QueuePairAttribute.RQ_PSN;
import static io.rdma.verbs.QueuePairAttribute.SQ_PSN;
import static io.rdma.verbs.QueuePairAttribute.TIMEOUT;
import static io.rdma.verbs.QueuePairState.ERR;
import static io.rdma.verbs.QueuePairState.INIT;
import static io.rdma.verbs.QueuePairState.RESET;
import static io.rdma.verbs.QueuePairState.RTR;
import static io.rdma.verbs.QueuePairState.RTS;
import static io.rdma.verbs.QueuePairState.SQD;

/**
 * A transition of a reliable connected queue pair: from where, to where, with which
 * attributes. The table is that of {@code qp_state_table} in the Linux kernel, which all
 * providers are held to.
 *
 * @param from the state before
 * @param to the state after
 * @param required the attributes that must be given, beside the state itself
 * @param optional the attributes that may be given
 */
public record QueuePairTransition(QueuePairState from, QueuePairState to, Set<QueuePairAttribute> required,
		Set<QueuePairAttribute> optional) {

	private static final List<QueuePairTransition> TABLE = table();

	private static List<QueuePairTransition> table() {
		List<QueuePairTransition> table = new ArrayList<>(List.of(
		// @formatter:off
			from(RESET).to(INIT)
				.requires(PKEY_INDEX, PORT, ACCESS_FLAGS),
			from(INIT).to(INIT)
				.allows(PKEY_INDEX, PORT, ACCESS_FLAGS),
			from(INIT).to(RTR)
				.requires(ADDRESS_VECTOR, PATH_MTU, DEST_QP_NUMBER, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER)
				.allows(ALTERNATE_PATH, ACCESS_FLAGS, PKEY_INDEX),
			from(RTR).to(RTS)
				.requires(TIMEOUT, RETRY_COUNT, RNR_RETRY, SQ_PSN, MAX_RD_ATOMIC)
				.allows(CURRENT_STATE, ALTERNATE_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIGRATION_STATE),
			from(RTS).to(RTS)
				.allows(CURRENT_STATE, ACCESS_FLAGS, ALTERNATE_PATH, PATH_MIGRATION_STATE, MIN_RNR_TIMER),
			from(RTS).to(SQD)
				.allows(EN_SQD_ASYNC_NOTIFY),
			from(SQD).to(RTS)
				.allows(CURRENT_STATE, ALTERNATE_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIGRATION_STATE),
			from(SQD).to(SQD)
				.allows(PORT, ADDRESS_VECTOR, TIMEOUT, RETRY_COUNT, RNR_RETRY, MAX_RD_ATOMIC, MAX_DEST_RD_ATOMIC,
						ALTERNATE_PATH, ACCESS_FLAGS, PKEY_INDEX, MIN_RNR_TIMER, PATH_MIGRATION_STATE)
		// @formatter:on
		));
		for (QueuePairState from : QueuePairState.values()) {
			table.add(from(from).to(RESET));
			if (from != RESET) {
				table.add(from(from).to(ERR));
			}
		}
		return List.copyOf(table);
	}

	/**
	 * Return the whole table.
	 * @return the transitions that exist
	 */
	public static List<QueuePairTransition> all() {
		return TABLE;
	}

	/**
	 * Find the transition between two states.
	 * @param from the state before
	 * @param to the state after
	 * @return the transition or {@code null} if there is none
	 */
	public static @Nullable QueuePairTransition find(QueuePairState from, QueuePairState to) {
		for (QueuePairTransition transition : TABLE) {
			if (transition.from == from && transition.to == to) {
				return transition;
			}
		}
		return null;
	}

	/**
	 * Check attributes against the table before a device is asked. Without a state the
	 * queue pair stays in the state it is in.
	 * @param current the state the queue pair is in
	 * @param attributes what the caller gives
	 * @return the state after
	 * @throws VerbsException with {@link Errno#EINVAL} if the transition does not exist,
	 * or an attribute is missing or surplus; the message names it
	 */
	public static QueuePairState check(QueuePairState current, QueuePairAttributes attributes) {
		QueuePairState stated = attributes.has(CURRENT_STATE) ? attributes.currentState() : current;
		QueuePairState given = attributes.stateIfPresent();
		QueuePairState target = (given != null) ? given : current;
		if (stated != current) {
			throw refused(current, target, "the caller states that it is in " + stated);
		}
		QueuePairTransition transition = find(current, target);
		if (transition == null) {
			throw refused(current, target,
					"the transition does not exist; from " + current + " a queue pair can go to " + targets(current));
		}
		transition.check(attributes.present());
		return target;
	}

	private static VerbsException refused(QueuePairState from, QueuePairState to, String reason) {
		return new VerbsException("ibv_modify_qp", Errno.EINVAL,
				"The queue pair cannot go from " + from + " to " + to + ": " + reason);
	}

	private static List<QueuePairState> targets(QueuePairState from) {
		return TABLE.stream().filter((transition) -> transition.from == from).map(QueuePairTransition::to).toList();
	}

	private void check(Set<QueuePairAttribute> given) {
		Set<QueuePairAttribute> missing = EnumSet.noneOf(QueuePairAttribute.class);
		missing.addAll(this.required);
		missing.removeAll(given);
		Set<QueuePairAttribute> surplus = EnumSet.noneOf(QueuePairAttribute.class);
		surplus.addAll(given);
		surplus.remove(QueuePairAttribute.STATE);
		surplus.removeAll(this.required);
		surplus.removeAll(this.optional);
		if (!missing.isEmpty() || !surplus.isEmpty()) {
			throw refused(this.from, this.to,
					(missing.isEmpty() ? "" : "missing " + missing)
							+ ((missing.isEmpty() || surplus.isEmpty()) ? "" : ", ")
							+ (surplus.isEmpty() ? "" : "surplus " + surplus));
		}
	}

	private static Start from(QueuePairState from) {
		return new Start(from);
	}

	private QueuePairTransition requires(QueuePairAttribute... attributes) {
		return new QueuePairTransition(this.from, this.to, Set.of(attributes), this.optional);
	}

	private QueuePairTransition allows(QueuePairAttribute... attributes) {
		return new QueuePairTransition(this.from, this.to, this.required, Set.of(attributes));
	}

	private record Start(QueuePairState from) {

		QueuePairTransition to(QueuePairState to) {
			return new QueuePairTransition(this.from, to, Set.of(), Set.of());
		}

	}

}
