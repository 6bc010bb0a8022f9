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
 * Marks a method of a bean that takes the messages of peers. The method has exactly one
 * argument: {@link RdmaMessage}, {@code byte[]}, {@code String}, or what the message
 * converter gives. What it returns, if anything, is sent as the reply when the message
 * asks for one.
 * <p>
 * It is called on the application's executor, for one message of a peer at a time and in
 * the order in which they came. An exception goes to the {@link RdmaListenerErrorHandler}
 * and does not stop the listener.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@MessageMapping
public @interface RdmaListener {

	/**
	 * Name of the listener, unique in the application. By default it is made from bean
	 * and method.
	 * @return the name, with placeholders and SpEL resolved
	 */
	String id() default "";

	/**
	 * Names of the peers whose messages the method takes. Empty: all peers that no other
	 * listener names, those that connect to this service included.
	 * @return the names, with placeholders and SpEL resolved; a value can hold several,
	 * separated by commas
	 */
	String[] peers() default {};

}
