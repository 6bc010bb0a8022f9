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

package io.rdma.demo;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A service that keeps files, counters and locks in memory that it reaches with RDMA, and
 * sends messages. It uses the starter as any service would: settings in
 * {@code application.yml}, {@code RdmaTemplate} and {@code @RdmaListener}.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
public class DemoApplication {

	/**
	 * Start the service.
	 * @param args arguments, such as {@code --file=/a/large/file} or any setting
	 */
	public static void main(String[] args) {
		ConfigurableApplicationContext context = SpringApplication.run(DemoApplication.class, args);
		if (context.getEnvironment().getProperty("demo.job.exit", Boolean.class, false)) {
			System.exit(SpringApplication.exit(context));
		}
	}

}
