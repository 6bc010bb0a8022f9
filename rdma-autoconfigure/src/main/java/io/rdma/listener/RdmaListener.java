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

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.rdma.core.RdmaMessage;

import org.springframework.messaging.handler.annotation.MessageMapping;

/**
 * Marks a method of a singleton bean that takes the messages of peers. It has exactly one
 * argument: {@link RdmaMessage}, {@code byte[]}, {@code String}, or what the message
 * converter gives. What it returns, if anything, is converted and sent as the reply when
 * the message asks for one.
 * <p>
 * It is called on the application's executor, for one message of a peer at a time and in
 * the order in which they came; messages of different peers can come at the same time.
 * Until it returns, the peer can send only as many messages more as there are receives
 * ({@code rdma.queue-pair.receive-depth}). An exception goes to the
 * {@link RdmaListenerErrorHandler} and does not stop the listener.
 * <p>
 * A listener takes messages from the connections that there are; it makes none.
 *
 * @see EnableRdma
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@MessageMapping
public @interface RdmaListener {

	/**
	 * Name of the listener, unique in the application. Placeholders and SpEL are
	 * resolved. By default it is made of the names of bean and method.
	 * @return the name
	 */
	String id() default "";

	/**
	 * Names of the peers whose messages the method takes. Placeholders and SpEL are
	 * resolved, and a value can hold several names, separated by commas. By default these
	 * are all peers that no other listener names, those that connect to this service
	 * included. A peer can be named by one listener only.
	 * @return the names
	 */
	String[] peers() default {};

}
