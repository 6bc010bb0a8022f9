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

import java.util.concurrent.Executor;

import io.rdma.core.RdmaOperations;
import io.rdma.core.RdmaTemplate;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.core.memory.RdmaMemoryPool;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.converter.MessageConverter;

/**
 * Auto-configuration for {@link RdmaTemplate}.
 */
@AutoConfiguration(after = RdmaAutoConfiguration.class)
@ConditionalOnSingleCandidate(RdmaConnections.class)
@EnableConfigurationProperties(RdmaProperties.class)
public final class RdmaTemplateAutoConfiguration {

	private static final String MESSAGE_CONVERTER = "rdmaMessageConverter";

	// Found by its name only, since converters of other messaging have the same type
	@Bean(name = MESSAGE_CONVERTER, defaultCandidate = false)
	@ConditionalOnMissingBean(name = MESSAGE_CONVERTER)
	MessageConverter rdmaMessageConverter() {
		return RdmaTemplate.defaultMessageConverter();
	}

	@Bean
	@ConditionalOnMissingBean(RdmaOperations.class)
	RdmaTemplate rdmaTemplate(RdmaConnections connections, RdmaMemoryPool pool,
			@Qualifier(MESSAGE_CONVERTER) MessageConverter messageConverter,
			@Qualifier(TaskExecutionAutoConfiguration.APPLICATION_TASK_EXECUTOR_BEAN_NAME) ObjectProvider<Executor> executor,
			ObjectProvider<RdmaTemplateCustomizer> customizers, RdmaProperties properties) {
		RdmaTemplate.Builder builder = RdmaTemplate
			.builder(connections, pool, new ApplicationExecutor(executor.getIfAvailable()))
			.settings(new RdmaSettings(properties).template())
			.messageConverter(messageConverter);
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return builder.build();
	}

}
