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

package io.rdma.listener;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Set;

import io.rdma.core.RdmaMessage;
import io.rdma.core.RdmaOperations;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.ReflectionUtils;

/**
 * A method that takes the messages of peers.
 *
 * @param id the name of the listener
 * @param peers the names of the peers, empty for all that no other listener names
 * @param bean the object to call it on
 * @param method the method
 */
public record RdmaListenerEndpoint(String id, Set<String> peers, Object bean, Method method) {

	/**
	 * Create an endpoint.
	 * @param id the name of the listener
	 * @param peers the names of the peers, empty for all that no other listener names
	 * @param bean the object to call it on
	 * @param method the method, with exactly one argument that is not a primitive
	 * @throws IllegalStateException if the method cannot be a listener
	 */
	public RdmaListenerEndpoint {
		Assert.hasText(id, "'id' must not be empty");
		peers = Set.copyOf(peers);
		Assert.state(method.getParameterCount() == 1,
				() -> "@RdmaListener method '%s' must have exactly one argument, but has %d: declare a RdmaMessage, a "
					.formatted(describe(method), method.getParameterCount())
						+ "byte[], a String, or a type that the message converter gives");
		Assert.state(!method.getParameterTypes()[0].isPrimitive(),
				() -> "@RdmaListener method '%s' must not have an argument of the primitive type %s: declare a RdmaMessage, "
					.formatted(describe(method), method.getParameterTypes()[0])
						+ "a byte[], a String, or a type that the message converter gives");
		ReflectionUtils.makeAccessible(method);
	}

	/**
	 * Call the method with a message.
	 * @param message the message
	 * @param operations converts the payload
	 * @return what the method returns
	 * @throws Throwable what the method throws, or a
	 * {@code RdmaMessageConversionException}
	 */
	@Nullable Object invoke(RdmaMessage message, RdmaOperations operations) throws Throwable {
		Object argument = operations.convert(message, this.method.getParameterTypes()[0]);
		try {
			return this.method.invoke(this.bean, argument);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	static String describe(Method method) {
		return method.getDeclaringClass().getName() + "." + method.getName();
	}

}
