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

import java.util.EnumSet;
import java.util.Set;

import io.rdma.verbs.AccessFlag;
import io.rdma.verbs.AddressVector;
import io.rdma.verbs.BitFlag;
import io.rdma.verbs.Errno;
import io.rdma.verbs.Gid;
import io.rdma.verbs.GlobalRoute;
import io.rdma.verbs.PathMtu;
import io.rdma.verbs.QueuePairAttribute;
import io.rdma.verbs.QueuePairAttributes;
import io.rdma.verbs.QueuePairCapabilities;
import io.rdma.verbs.QueuePairState;
import io.rdma.verbs.VerbsException;

/**
 * Turns the attributes of a queue pair into an array of numbers and back. The places are
 * those of {@code enum attribute} in {@code queue.c}.
 */
final class QueuePairCodec {

	private static final int STATE = 0;

	private static final int CURRENT_STATE = 1;

	private static final int PATH_MTU = 2;

	private static final int RQ_PSN = 3;

	private static final int SQ_PSN = 4;

	private static final int DEST_QP_NUMBER = 5;

	private static final int ACCESS_FLAGS = 6;

	private static final int PKEY_INDEX = 7;

	private static final int SQD_NOTIFY = 8;

	private static final int MAX_RD_ATOMIC = 9;

	private static final int MAX_DEST_RD_ATOMIC = 10;

	private static final int MIN_RNR_TIMER = 11;

	private static final int PORT = 12;

	private static final int TIMEOUT = 13;

	private static final int RETRY_COUNT = 14;

	private static final int RNR_RETRY = 15;

	private static final int DLID = 16;

	private static final int SERVICE_LEVEL = 17;

	private static final int AH_PORT = 18;

	private static final int IS_GLOBAL = 19;

	private static final int DGID_HIGH = 20;

	private static final int DGID_LOW = 21;

	private static final int FLOW_LABEL = 22;

	private static final int SGID_INDEX = 23;

	private static final int HOP_LIMIT = 24;

	private static final int TRAFFIC_CLASS = 25;

	private static final int MAX_SEND_WR = 26;

	private static final int MAX_RECV_WR = 27;

	private static final int MAX_SEND_SGE = 28;

	private static final int MAX_RECV_SGE = 29;

	private static final int MAX_INLINE = 30;

	/** How many places there are. */
	static final int LENGTH = 31;

	private QueuePairCodec() {
	}

	static long[] encode(QueuePairAttributes attributes) {
		long[] values = new long[LENGTH];
		for (QueuePairAttribute attribute : attributes.present()) {
			encode(attribute, attributes, values);
		}
		return values;
	}

	private static void encode(QueuePairAttribute attribute, QueuePairAttributes from, long[] values) {
		switch (attribute) {
			case STATE -> values[STATE] = from.state().code();
			case CURRENT_STATE -> values[CURRENT_STATE] = from.currentState().code();
			case EN_SQD_ASYNC_NOTIFY -> values[SQD_NOTIFY] = from.sqdAsyncNotify() ? 1 : 0;
			case ACCESS_FLAGS -> values[ACCESS_FLAGS] = AccessFlag.mask(from.accessFlags());
			case PKEY_INDEX -> values[PKEY_INDEX] = from.pkeyIndex();
			case PORT -> values[PORT] = from.port();
			case ADDRESS_VECTOR -> encode(from.addressVector(), values);
			case PATH_MTU -> values[PATH_MTU] = from.pathMtu().code();
			case TIMEOUT -> values[TIMEOUT] = from.timeout();
			case RETRY_COUNT -> values[RETRY_COUNT] = from.retryCount();
			case RNR_RETRY -> values[RNR_RETRY] = from.rnrRetry();
			case RQ_PSN -> values[RQ_PSN] = from.rqPsn();
			case MAX_RD_ATOMIC -> values[MAX_RD_ATOMIC] = from.maxRdAtomic();
			case MIN_RNR_TIMER -> values[MIN_RNR_TIMER] = from.minRnrTimer();
			case SQ_PSN -> values[SQ_PSN] = from.sqPsn();
			case MAX_DEST_RD_ATOMIC -> values[MAX_DEST_RD_ATOMIC] = from.maxDestRdAtomic();
			case DEST_QP_NUMBER -> values[DEST_QP_NUMBER] = from.destQpNumber();
			case CAPABILITIES -> encode(from.capabilities(), values);
			case ALTERNATE_PATH, PATH_MIGRATION_STATE -> throw new VerbsException("ibv_modify_qp", Errno.EOPNOTSUPP,
					"Path migration (" + attribute + ") is not offered here");
		}
	}

	private static void encode(AddressVector vector, long[] values) {
		values[DLID] = inRange("destination LID", vector.destinationLid(), 0xffff);
		values[SERVICE_LEVEL] = inRange("service level", vector.serviceLevel(), 15);
		values[AH_PORT] = inRange("port", vector.port(), 0xff);
		GlobalRoute route = vector.globalRoute();
		if (route != null) {
			values[IS_GLOBAL] = 1;
			values[DGID_HIGH] = route.destinationGid().high();
			values[DGID_LOW] = route.destinationGid().low();
			values[FLOW_LABEL] = inRange("flow label", route.flowLabel(), 0xf_ffff);
			values[SGID_INDEX] = inRange("source GID index", route.sourceGidIndex(), 0xff);
			values[HOP_LIMIT] = inRange("hop limit", route.hopLimit(), 0xff);
			values[TRAFFIC_CLASS] = inRange("traffic class", route.trafficClass(), 0xff);
		}
	}

	private static long inRange(String name, int value, int max) {
		if (value < 0 || value > max) {
			throw new VerbsException("ibv_modify_qp", Errno.EINVAL,
					"The " + name + " of an address must be from 0 to " + max + ", but " + value + " was given");
		}
		return value;
	}

	private static void encode(QueuePairCapabilities capabilities, long[] values) {
		values[MAX_SEND_WR] = capabilities.maxSendWorkRequests();
		values[MAX_RECV_WR] = capabilities.maxReceiveWorkRequests();
		values[MAX_SEND_SGE] = capabilities.maxSendScatterGather();
		values[MAX_RECV_SGE] = capabilities.maxReceiveScatterGather();
		values[MAX_INLINE] = capabilities.maxInlineData();
	}

	/**
	 * Return the state.
	 * @param values what the device told
	 * @return the state
	 */
	static QueuePairState state(long[] values) {
		return QueuePairState.of((int) values[STATE]);
	}

	/**
	 * Return the sizes of the queues.
	 * @param values what the device told
	 * @return how many sends and how many receives
	 */
	static int[] queueSizes(long[] values) {
		return new int[] { (int) values[MAX_SEND_WR], (int) values[MAX_RECV_WR] };
	}

	/**
	 * Return attributes that were set before.
	 * @param values what the device told
	 * @param set which were set
	 * @param capabilities the sizes granted
	 * @return those attributes, with the state and the sizes
	 */
	static QueuePairAttributes decode(long[] values, Set<QueuePairAttribute> set, QueuePairCapabilities capabilities) {
		QueuePairAttributes.Builder builder = QueuePairAttributes.to(state(values)).capabilities(capabilities);
		for (QueuePairAttribute attribute : set) {
			decode(attribute, values, builder);
		}
		return builder.build();
	}

	private static void decode(QueuePairAttribute attribute, long[] values, QueuePairAttributes.Builder builder) {
		switch (attribute) {
			case ACCESS_FLAGS -> builder.accessFlags(accessFlags((int) values[ACCESS_FLAGS]));
			case PKEY_INDEX -> builder.pkeyIndex((int) values[PKEY_INDEX]);
			case PORT -> builder.port((int) values[PORT]);
			case ADDRESS_VECTOR -> builder.addressVector(addressVector(values));
			case PATH_MTU -> {
				if (values[PATH_MTU] != 0) {
					builder.pathMtu(PathMtu.of((int) values[PATH_MTU]));
				}
			}
			case TIMEOUT -> builder.timeout((int) values[TIMEOUT]);
			case RETRY_COUNT -> builder.retryCount((int) values[RETRY_COUNT]);
			case RNR_RETRY -> builder.rnrRetry((int) values[RNR_RETRY]);
			case RQ_PSN -> builder.rqPsn((int) values[RQ_PSN] & 0xff_ffff);
			case SQ_PSN -> builder.sqPsn((int) values[SQ_PSN] & 0xff_ffff);
			case MAX_RD_ATOMIC -> builder.maxRdAtomic((int) values[MAX_RD_ATOMIC]);
			case MAX_DEST_RD_ATOMIC -> builder.maxDestRdAtomic((int) values[MAX_DEST_RD_ATOMIC]);
			case MIN_RNR_TIMER -> builder.minRnrTimer((int) values[MIN_RNR_TIMER]);
			case DEST_QP_NUMBER -> builder.destQpNumber((int) values[DEST_QP_NUMBER] & 0xff_ffff);
			case STATE, CURRENT_STATE, EN_SQD_ASYNC_NOTIFY, CAPABILITIES, ALTERNATE_PATH, PATH_MIGRATION_STATE -> {
				// the state and the sizes are there already, the others are not kept
			}
		}
	}

	private static AddressVector addressVector(long[] values) {
		GlobalRoute route = (values[IS_GLOBAL] == 0) ? null
				: new GlobalRoute(new Gid(values[DGID_HIGH], values[DGID_LOW]), (int) values[SGID_INDEX],
						(int) values[HOP_LIMIT], (int) values[TRAFFIC_CLASS], (int) values[FLOW_LABEL]);
		return new AddressVector((int) values[DLID], (int) values[SERVICE_LEVEL], (int) values[AH_PORT], route);
	}

	private static Set<AccessFlag> accessFlags(int mask) {
		Set<AccessFlag> flags = EnumSet.noneOf(AccessFlag.class);
		for (AccessFlag flag : AccessFlag.values()) {
			if (flag.isIn(mask)) {
				flags.add(flag);
			}
		}
		return flags;
	}

	static int mask(Set<QueuePairAttribute> attributes) {
		return BitFlag.mask(attributes);
	}

}
