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

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/**
 * The beans that find and run {@link RdmaListener} methods.
 *
 * @see EnableRdma
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class RdmaListenerConfiguration {

	@Bean(RdmaListenerConfigUtils.ANNOTATION_PROCESSOR_BEAN_NAME)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static RdmaListenerAnnotationBeanPostProcessor rdmaListenerAnnotationProcessor() {
		return new RdmaListenerAnnotationBeanPostProcessor();
	}

	@Bean(RdmaListenerConfigUtils.ENDPOINT_REGISTRY_BEAN_NAME)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static RdmaListenerEndpointRegistry rdmaListenerEndpointRegistry() {
		return new RdmaListenerEndpointRegistry();
	}

}
