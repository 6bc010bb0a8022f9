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

package io.rdma.demo.job;

import java.nio.file.Path;
import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What the service does at its start.
 *
 * @param enabled whether to do anything
 * @param file file to move
 * @param chunkSize bytes moved with one call of the template
 * @param iterations how often to repeat each small operation
 * @param warmUp how often to repeat it before that, unmeasured
 * @param exit whether to end when all is done, instead of serving
 * @param peerTimeout how long to wait for the peer to be there
 */
@ConfigurationProperties("demo.job")
record JobProperties(@DefaultValue("false") boolean enabled, Path file, @DefaultValue("false") boolean exit,
		@DefaultValue("8MB") DataSize chunkSize, @DefaultValue("10000") int iterations,
		@DefaultValue("5000") int warmUp, @DefaultValue("60s") Duration peerTimeout) {

}
