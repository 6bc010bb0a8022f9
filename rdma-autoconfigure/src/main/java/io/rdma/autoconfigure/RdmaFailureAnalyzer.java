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

import io.rdma.core.exception.RdmaDeviceException;
import io.rdma.core.exception.RdmaDeviceNotFoundException;
import io.rdma.core.exception.RdmaException;
import io.rdma.core.exception.RdmaProviderUnavailableException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Shows why there is no device to start with, and what to do about it.
 */
final class RdmaFailureAnalyzer extends AbstractFailureAnalyzer<RdmaException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, RdmaException cause) {
		if (cause instanceof RdmaProviderUnavailableException || cause instanceof RdmaDeviceNotFoundException
				|| cause instanceof RdmaDeviceException) {
			return new FailureAnalysis(problem(cause), cause.remedy(), cause);
		}
		// Thrown by the application itself: the stack trace is what helps
		return null;
	}

	/**
	 * Return what an exception says without the remedy that ends it.
	 * @param ex the exception
	 * @return what went wrong
	 */
	static String problem(RdmaException ex) {
		String message = String.valueOf(ex.getMessage());
		String ending = " " + ex.remedy();
		return message.endsWith(ending) ? message.substring(0, message.length() - ending.length()) : message;
	}

}
