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

import io.rdma.core.RdmaOperations;
import io.rdma.core.connection.RdmaConnections;
import io.rdma.listener.EnableRdma;
import io.rdma.listener.RdmaListener;
import io.rdma.listener.RdmaListenerConfigUtils;
import io.rdma.listener.RdmaListenerContainerFactory;
import io.rdma.listener.RdmaListenerErrorHandler;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration for {@link RdmaListener} methods.
 */
@AutoConfiguration(after = RdmaTemplateAutoConfiguration.class)
@ConditionalOnSingleCandidate(RdmaOperations.class)
@EnableConfigurationProperties(RdmaProperties.class)
public final class RdmaListenerAutoConfiguration {

	@Bean(RdmaListenerConfigUtils.CONTAINER_FACTORY_BEAN_NAME)
	@ConditionalOnSingleCandidate(RdmaConnections.class)
	@ConditionalOnMissingBean(name = RdmaListenerConfigUtils.CONTAINER_FACTORY_BEAN_NAME)
	RdmaListenerContainerFactory rdmaListenerContainerFactory(RdmaConnections connections, RdmaOperations operations,
			ObjectProvider<RdmaListenerErrorHandler> errorHandler, RdmaProperties properties) {
		RdmaListenerContainerFactory factory = new RdmaListenerContainerFactory(connections, operations);
		factory.setAutoStartup(properties.getListener().isAutoStartup());
		factory.setShutdownTimeout(properties.getListener().getShutdownTimeout());
		errorHandler.ifUnique(factory::setErrorHandler);
		return factory;
	}

	/**
	 * Search for listener methods, unless the application did that itself.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableRdma
	@ConditionalOnMissingBean(name = RdmaListenerConfigUtils.ANNOTATION_PROCESSOR_BEAN_NAME)
	static class EnableRdmaConfiguration {

	}

}
