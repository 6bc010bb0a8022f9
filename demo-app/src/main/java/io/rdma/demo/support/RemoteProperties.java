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

package io.rdma.demo.support;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The peer and the regions that the service works with.
 *
 * @param peer peer that offers the regions and gets the messages
 * @param blobs region of the files
 * @param counters region of the counters
 * @param locks region of the locks
 */
@ConfigurationProperties("demo.remote")
public record RemoteProperties(@DefaultValue("self") String peer, @DefaultValue("blobs") String blobs,
		@DefaultValue("counters") String counters, @DefaultValue("locks") String locks) {

}
