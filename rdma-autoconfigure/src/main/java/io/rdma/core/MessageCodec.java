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

package io.rdma.core;

import java.util.Map;

import io.rdma.core.exception.RdmaErrorContext;
import io.rdma.core.exception.RdmaMessageConversionException;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.util.Assert;

/**
 * Converts objects to payloads and back with a {@link MessageConverter}.
 */
@RequiredArgsConstructor
final class MessageCodec {

	private static final String REMEDY = "Add a bean of type MessageConverter that handles this type, for example a "
			+ "JacksonJsonMessageConverter; without one only String and byte[] work.";

	private static final MessageHeaders NO_HEADERS = new MessageHeaders(null);

	private final MessageConverter converter;

	/**
	 * Convert an object.
	 * @param peer the name of the peer that it is for
	 * @param object the object
	 * @return its bytes and their type
	 */
	Encoded encode(String peer, Object object) {
		Arguments.checkPeer(peer);
		Assert.notNull(object, "'payload' must not be null");
		Message<?> message;
		try {
			message = this.converter.toMessage(object, NO_HEADERS);
		}
		catch (RuntimeException ex) {
			throw unconvertible(peer, "an object of " + object.getClass().getTypeName() + " could not be converted",
					ex);
		}
		if (message == null) {
			throw unconvertible(peer, "no message converter takes " + object.getClass().getTypeName(), null);
		}
		Object contentType = message.getHeaders().get(MessageHeaders.CONTENT_TYPE);
		String type = (contentType != null) ? contentType.toString() : null;
		if (message.getPayload() instanceof byte[] bytes) {
			return new Encoded(RdmaPayload.of(bytes), type);
		}
		throw unconvertible(peer, "the message converter made %s of %s, not byte[]"
			.formatted(message.getPayload().getClass().getTypeName(), object.getClass().getTypeName()), null);
	}

	/**
	 * Convert a message that came.
	 * @param message the message
	 * @param type the type to convert to
	 * @param <T> the type
	 * @return the object
	 */
	<T> T decode(RdmaMessage message, Class<T> type) {
		if (type == RdmaMessage.class) {
			return type.cast(message);
		}
		if (type == byte[].class) {
			return type.cast(message.payload());
		}
		Object object;
		try {
			object = this.converter.fromMessage(toSpring(message), type);
		}
		catch (RuntimeException ex) {
			throw unconvertible(message.peer(), message + " could not be converted to " + type.getTypeName(), ex);
		}
		if (!type.isInstance(object)) {
			throw unconvertible(message.peer(), "no message converter makes " + type.getTypeName() + " of " + message,
					null);
		}
		return type.cast(object);
	}

	private static Message<byte[]> toSpring(RdmaMessage message) {
		Map<String, Object> headers = (message.contentType() != null)
				? Map.of(MessageHeaders.CONTENT_TYPE, message.contentType()) : Map.of();
		return MessageBuilder.createMessage(message.payload(), new MessageHeaders(headers));
	}

	private static RdmaMessageConversionException unconvertible(String peer, String problem,
			@Nullable Throwable cause) {
		return new RdmaMessageConversionException(RdmaErrorContext.peer(peer), problem, REMEDY, cause);
	}

	/**
	 * An object as bytes.
	 *
	 * @param payload the bytes
	 * @param contentType their MIME type
	 */
	record Encoded(RdmaPayload payload, @Nullable String contentType) {
	}

}
