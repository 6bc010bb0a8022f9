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

package io.rdma.verbs;

/**
 * Type of an entry of the GID table ({@code ibv_gid_type}).
 */
public enum GidType {

	/** InfiniBand. */
	IB("IB"),

	/** RoCE version 1, not routable. */
	ROCE_V1("RoCE v1"),

	/** RoCE version 2, over UDP. */
	ROCE_V2("RoCE v2");

	private final String label;

	GidType(String label) {
		this.label = label;
	}

	/**
	 * Return the name as sysfs and the tools of rdma-core print it.
	 * @return the name
	 */
	public String label() {
		return this.label;
	}

}
