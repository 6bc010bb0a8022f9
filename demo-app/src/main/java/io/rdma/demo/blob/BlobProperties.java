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

package io.rdma.demo.blob;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How files are stored.
 *
 * @param blockSize unit in which the region is handed out
 * @param chunkSize bytes moved with one call of the template
 * @param quarantine how long the room of a failed upload stays unused, since a late write
 * may still reach it
 */
@ConfigurationProperties("demo.blobs")
record BlobProperties(@DefaultValue("64KB") DataSize blockSize, @DefaultValue("1MB") DataSize chunkSize,
		@DefaultValue("30s") Duration quarantine) {

}
