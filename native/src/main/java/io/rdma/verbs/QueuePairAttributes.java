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

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Attributes of a queue pair, each present or not ({@code struct ibv_qp_attr} and its
 * mask). Immutable.
 */
public final class QueuePairAttributes {

	private final Map<QueuePairAttribute, Object> values;

	private QueuePairAttributes(Map<QueuePairAttribute, Object> values) {
		this.values = values;
	}

	/**
	 * Return a builder with nothing set.
	 * @return the builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Return a builder with the state set.
	 * @param state the state to go to
	 * @return the builder
	 */
	public static Builder to(QueuePairState state) {
		return new Builder().state(state);
	}

	/**
	 * Return which attributes are present.
	 * @return the names, unmodifiable
	 */
	public Set<QueuePairAttribute> present() {
		return Collections.unmodifiableSet(this.values.keySet());
	}

	/**
	 * Return whether an attribute is present.
	 * @param attribute the attribute
	 * @return whether it is present
	 */
	public boolean has(QueuePairAttribute attribute) {
		return this.values.containsKey(attribute);
	}

	private <T> T get(QueuePairAttribute attribute, Class<T> type) {
		Object value = this.values.get(attribute);
		if (value == null) {
			throw new IllegalStateException("Attribute " + attribute + " is not set");
		}
		return type.cast(value);
	}

	private int number(QueuePairAttribute attribute) {
		return get(attribute, Integer.class);
	}

	/**
	 * Return the state to go to.
	 * @return the state
	 */
	public QueuePairState state() {
		return get(QueuePairAttribute.STATE, QueuePairState.class);
	}

	/**
	 * Return the state to go to if it is present.
	 * @return the state or {@code null}
	 */
	public @Nullable QueuePairState stateIfPresent() {
		return (QueuePairState) this.values.get(QueuePairAttribute.STATE);
	}

	/**
	 * Return the state that the caller believes the queue pair to be in.
	 * @return the state
	 */
	public QueuePairState currentState() {
		return get(QueuePairAttribute.CURRENT_STATE, QueuePairState.class);
	}

	/**
	 * Return whether SQ_DRAINED is to be raised.
	 * @return whether it is
	 */
	public boolean sqdAsyncNotify() {
		return get(QueuePairAttribute.EN_SQD_ASYNC_NOTIFY, Boolean.class);
	}

	/**
	 * Return what the peer may do.
	 * @return the flags, unmodifiable
	 */
	@SuppressWarnings("unchecked")
	public Set<AccessFlag> accessFlags() {
		return get(QueuePairAttribute.ACCESS_FLAGS, Set.class);
	}

	/**
	 * Return the index into the P_Key table.
	 * @return the index
	 */
	public int pkeyIndex() {
		return number(QueuePairAttribute.PKEY_INDEX);
	}

	/**
	 * Return the local port.
	 * @return the number, from 1
	 */
	public int port() {
		return number(QueuePairAttribute.PORT);
	}

	/**
	 * Return the way to the peer.
	 * @return the address vector
	 */
	public AddressVector addressVector() {
		return get(QueuePairAttribute.ADDRESS_VECTOR, AddressVector.class);
	}

	/**
	 * Return the path MTU.
	 * @return the MTU
	 */
	public PathMtu pathMtu() {
		return get(QueuePairAttribute.PATH_MTU, PathMtu.class);
	}

	/**
	 * Return the acknowledgement timeout t, meaning 4.096 µs · 2^t; 0 means for ever.
	 * @return 0 to 31
	 */
	public int timeout() {
		return number(QueuePairAttribute.TIMEOUT);
	}

	/**
	 * Return how often a request is repeated when no answer comes.
	 * @return 0 to 7
	 */
	public int retryCount() {
		return number(QueuePairAttribute.RETRY_COUNT);
	}

	/**
	 * Return how often a request is repeated when the peer has no receive posted; 7 means
	 * for ever.
	 * @return 0 to 7
	 */
	public int rnrRetry() {
		return number(QueuePairAttribute.RNR_RETRY);
	}

	/**
	 * Return the first PSN to expect.
	 * @return 24 bits
	 */
	public int rqPsn() {
		return number(QueuePairAttribute.RQ_PSN);
	}

	/**
	 * Return the first PSN to send.
	 * @return 24 bits
	 */
	public int sqPsn() {
		return number(QueuePairAttribute.SQ_PSN);
	}

	/**
	 * Return how many READ and atomic requests may be outstanding as requester.
	 * @return the number
	 */
	public int maxRdAtomic() {
		return number(QueuePairAttribute.MAX_RD_ATOMIC);
	}

	/**
	 * Return how many READ and atomic requests are accepted as responder.
	 * @return the number
	 */
	public int maxDestRdAtomic() {
		return number(QueuePairAttribute.MAX_DEST_RD_ATOMIC);
	}

	/**
	 * Return the code of the delay that the peer is asked to keep when no receive is
	 * posted.
	 * @return 0 to 31; 1 is 0.01 ms, 12 is 0.64 ms, 31 is 491.52 ms, 0 is 655.36 ms
	 */
	public int minRnrTimer() {
		return number(QueuePairAttribute.MIN_RNR_TIMER);
	}

	/**
	 * Return the sizes of the queues.
	 * @return the sizes
	 */
	public QueuePairCapabilities capabilities() {
		return get(QueuePairAttribute.CAPABILITIES, QueuePairCapabilities.class);
	}

	/**
	 * Return the QP number of the peer.
	 * @return 24 bits
	 */
	public int destQpNumber() {
		return number(QueuePairAttribute.DEST_QP_NUMBER);
	}

	@Override
	public String toString() {
		return this.values.toString();
	}

	/**
	 * Builder of {@link QueuePairAttributes}. Ranges are checked as values are set.
	 */
	public static final class Builder {

		private static final int MAX_24_BIT = 0xff_ffff;

		private final Map<QueuePairAttribute, Object> values = new EnumMap<>(QueuePairAttribute.class);

		private Builder() {
		}

		private Builder set(QueuePairAttribute attribute, Object value) {
			this.values.put(attribute, value);
			return this;
		}

		private Builder set(QueuePairAttribute attribute, int value, int min, int max) {
			if (value < min || value > max) {
				throw new IllegalArgumentException("Queue pair attribute " + attribute + " must be from " + min + " to "
						+ max + ", but " + value + " was given");
			}
			return set(attribute, value);
		}

		/**
		 * Set all attributes that are present in another object.
		 * @param attributes the other
		 * @return this
		 */
		public Builder addAll(QueuePairAttributes attributes) {
			this.values.putAll(attributes.values);
			return this;
		}

		/**
		 * Set the state to go to.
		 * @param state the state
		 * @return this
		 */
		public Builder state(QueuePairState state) {
			return set(QueuePairAttribute.STATE, state);
		}

		/**
		 * Set the state that the queue pair is believed to be in.
		 * @param state the state
		 * @return this
		 */
		public Builder currentState(QueuePairState state) {
			return set(QueuePairAttribute.CURRENT_STATE, state);
		}

		/**
		 * Set whether SQ_DRAINED is to be raised.
		 * @param notify whether it is
		 * @return this
		 */
		public Builder sqdAsyncNotify(boolean notify) {
			return set(QueuePairAttribute.EN_SQD_ASYNC_NOTIFY, notify);
		}

		/**
		 * Set what the peer may do.
		 * @param flags the flags
		 * @return this
		 */
		public Builder accessFlags(Set<AccessFlag> flags) {
			Set<AccessFlag> copy = EnumSet.noneOf(AccessFlag.class);
			copy.addAll(flags);
			return set(QueuePairAttribute.ACCESS_FLAGS, Collections.unmodifiableSet(copy));
		}

		/**
		 * Set the index into the P_Key table.
		 * @param index the index
		 * @return this
		 */
		public Builder pkeyIndex(int index) {
			return set(QueuePairAttribute.PKEY_INDEX, index, 0, 0xffff);
		}

		/**
		 * Set the local port.
		 * @param port the number, from 1
		 * @return this
		 */
		public Builder port(int port) {
			return set(QueuePairAttribute.PORT, port, 0, 0xff);
		}

		/**
		 * Set the way to the peer.
		 * @param addressVector the way
		 * @return this
		 */
		public Builder addressVector(AddressVector addressVector) {
			return set(QueuePairAttribute.ADDRESS_VECTOR, addressVector);
		}

		/**
		 * Set the path MTU.
		 * @param mtu the MTU
		 * @return this
		 */
		public Builder pathMtu(PathMtu mtu) {
			return set(QueuePairAttribute.PATH_MTU, mtu);
		}

		/**
		 * Set the acknowledgement timeout.
		 * @param timeout 0 to 31, meaning 4.096 µs · 2^timeout; 0 means for ever
		 * @return this
		 */
		public Builder timeout(int timeout) {
			return set(QueuePairAttribute.TIMEOUT, timeout, 0, 31);
		}

		/**
		 * Set how often a request is repeated when no answer comes.
		 * @param count 0 to 7
		 * @return this
		 */
		public Builder retryCount(int count) {
			return set(QueuePairAttribute.RETRY_COUNT, count, 0, 7);
		}

		/**
		 * Set how often a request is repeated when the peer has no receive posted.
		 * @param count 0 to 7; 7 means for ever
		 * @return this
		 */
		public Builder rnrRetry(int count) {
			return set(QueuePairAttribute.RNR_RETRY, count, 0, 7);
		}

		/**
		 * Set the first PSN to expect.
		 * @param psn 24 bits
		 * @return this
		 */
		public Builder rqPsn(int psn) {
			return set(QueuePairAttribute.RQ_PSN, psn, 0, MAX_24_BIT);
		}

		/**
		 * Set the first PSN to send.
		 * @param psn 24 bits
		 * @return this
		 */
		public Builder sqPsn(int psn) {
			return set(QueuePairAttribute.SQ_PSN, psn, 0, MAX_24_BIT);
		}

		/**
		 * Set how many READ and atomic requests may be outstanding as requester.
		 * @param count 0 to 255
		 * @return this
		 */
		public Builder maxRdAtomic(int count) {
			return set(QueuePairAttribute.MAX_RD_ATOMIC, count, 0, 0xff);
		}

		/**
		 * Set how many READ and atomic requests are accepted as responder.
		 * @param count 0 to 255
		 * @return this
		 */
		public Builder maxDestRdAtomic(int count) {
			return set(QueuePairAttribute.MAX_DEST_RD_ATOMIC, count, 0, 0xff);
		}

		/**
		 * Set the delay that the peer is asked to keep when no receive is posted.
		 * @param code 0 to 31
		 * @return this
		 */
		public Builder minRnrTimer(int code) {
			return set(QueuePairAttribute.MIN_RNR_TIMER, code, 0, 31);
		}

		/**
		 * Set the sizes of the queues. Only a query reports them: no device here can
		 * change them.
		 * @param capabilities the sizes
		 * @return this
		 */
		public Builder capabilities(QueuePairCapabilities capabilities) {
			return set(QueuePairAttribute.CAPABILITIES, capabilities);
		}

		/**
		 * Set the QP number of the peer.
		 * @param number 24 bits
		 * @return this
		 */
		public Builder destQpNumber(int number) {
			return set(QueuePairAttribute.DEST_QP_NUMBER, number, 0, MAX_24_BIT);
		}

		/**
		 * Remove an attribute.
		 * @param attribute the attribute
		 * @return this
		 */
		public Builder without(QueuePairAttribute attribute) {
			this.values.remove(attribute);
			return this;
		}

		/**
		 * Build the attributes.
		 * @return the attributes
		 */
		public QueuePairAttributes build() {
			return new QueuePairAttributes(new EnumMap<>(this.values));
		}

	}

}
