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

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * Finds the methods of beans that are marked with {@link RdmaListener} and adds them to
 * the {@link RdmaListenerEndpointRegistry} when all singletons are made.
 */
public class RdmaListenerAnnotationBeanPostProcessor
		implements BeanPostProcessor, BeanFactoryAware, SmartInitializingSingleton {

	private final Set<Class<?>> withoutListeners = ConcurrentHashMap.newKeySet();

	private final List<RdmaListenerEndpoint> found = new ArrayList<>();

	private @Nullable BeanFactory beanFactory;

	private boolean initialized;

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
		if (bean instanceof AopInfrastructureBean || this.withoutListeners.contains(type)
				|| !AnnotationUtils.isCandidateClass(type, RdmaListener.class)) {
			return bean;
		}
		Map<Method, RdmaListener> methods = MethodIntrospector.selectMethods(type,
				(MethodIntrospector.MetadataLookup<@Nullable RdmaListener>) (method) -> AnnotatedElementUtils
					.findMergedAnnotation(method, RdmaListener.class));
		if (methods.isEmpty()) {
			this.withoutListeners.add(type);
		}
		methods.forEach((method, annotation) -> add(endpoint(bean, beanName, method, annotation)));
		return bean;
	}

	private RdmaListenerEndpoint endpoint(Object bean, String beanName, Method method, RdmaListener annotation) {
		Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
		String id = resolve(annotation.id());
		return new RdmaListenerEndpoint(StringUtils.hasText(id) ? id : beanName + "." + method.getName(),
				peers(method, annotation), bean, invocable);
	}

	private Set<String> peers(Method method, RdmaListener annotation) {
		Set<String> peers = new LinkedHashSet<>();
		for (String value : annotation.peers()) {
			Set<String> names = StringUtils.commaDelimitedListToSet(StringUtils.trimAllWhitespace(resolve(value)));
			Assert.state(!names.isEmpty() && names.stream().allMatch(StringUtils::hasText),
					() -> "'%s' in the peers %s of @RdmaListener method '%s' gives no name: set what it refers to, or leave "
						.formatted(value, Arrays.toString(annotation.peers()), RdmaListenerEndpoint.describe(method))
							+ "peers out to take the messages of all peers");
			peers.addAll(names);
		}
		return peers;
	}

	private String resolve(String value) {
		if (this.beanFactory instanceof ConfigurableBeanFactory configurable) {
			String resolved = new EmbeddedValueResolver(configurable).resolveStringValue(value);
			return (resolved != null) ? resolved : "";
		}
		return value;
	}

	private synchronized void add(RdmaListenerEndpoint endpoint) {
		if (this.initialized) {
			register(List.of(endpoint));
		}
		else {
			this.found.add(endpoint);
		}
	}

	@Override
	public synchronized void afterSingletonsInstantiated() {
		this.initialized = true;
		register(this.found);
		this.found.clear();
	}

	private void register(List<RdmaListenerEndpoint> endpoints) {
		BeanFactory beans = this.beanFactory;
		if (endpoints.isEmpty() || beans == null) {
			return;
		}
		Assert.state(beans.containsBean(RdmaListenerConfigUtils.CONTAINER_FACTORY_BEAN_NAME),
				() -> "@RdmaListener method '%s' needs a bean '%s' of type %s: enable RDMA (rdma.enabled) or define one"
					.formatted(RdmaListenerEndpoint.describe(endpoints.get(0).method()),
							RdmaListenerConfigUtils.CONTAINER_FACTORY_BEAN_NAME,
							RdmaListenerContainerFactory.class.getName()));
		RdmaListenerContainerFactory factory = beans.getBean(RdmaListenerConfigUtils.CONTAINER_FACTORY_BEAN_NAME,
				RdmaListenerContainerFactory.class);
		RdmaListenerEndpointRegistry registry = beans.getBean(RdmaListenerConfigUtils.ENDPOINT_REGISTRY_BEAN_NAME,
				RdmaListenerEndpointRegistry.class);
		endpoints.forEach((endpoint) -> registry.register(endpoint, factory));
	}

}
