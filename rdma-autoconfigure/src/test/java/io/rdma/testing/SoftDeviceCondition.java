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

package io.rdma.testing;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Skips on another device what is {@link OnSoftDeviceOnly}.
 */
final class SoftDeviceCondition implements ExecutionCondition {

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		if (TestDevice.isSoft()) {
			return ConditionEvaluationResult.enabled("on the software device");
		}
		return AnnotationSupport.findAnnotation(context.getElement(), OnSoftDeviceOnly.class)
			.map((annotation) -> ConditionEvaluationResult.disabled("on the software device only", annotation.value()))
			.orElseGet(() -> ConditionEvaluationResult.enabled("for every device"));
	}

}
