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
package io.rdma.verbs.jni;

/**
 * Whether the native library is built for this machine.
 */
public final class NativeBuild {

	private NativeBuild() {
	}

	/**
	 * Return the architecture of this machine as compilers name it.
	 * @return for example {@code x86_64}
	 */
	public static String architecture() {
		return Machine.current().compilerArchitecture();
	}

	/**
	 * Return whether it is built.
	 * @return whether it is in the class path
	 */
	public static boolean isThere() {
		return NativeBuild.class.getClassLoader()
			.getResource("META-INF/native/librdma_verbs_" + architecture() + ".so") != null;
	}

}
