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

import java.util.ArrayList;
import java.util.List;

import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link VerbsResource}.
 */
class VerbsResourceTests {

	private final List<String> destroyed = new ArrayList<>();

	@Test
	void whenChildrenAreOpenThenCloseIsRefusedAndNamesThem() {
		Resource parent = new Resource("parent");
		Resource first = new Resource("first", parent);
		Resource second = new Resource("second", parent);
		assertBusy(parent).withMessageContaining("the first and 1 more are open")
			.withMessageContaining("destroy_parent");
		first.close();
		assertBusy(parent).withMessageContaining("the second is open");
		assertThat(parent.isOpen()).isTrue();
		second.close();
		parent.close();
		assertThat(this.destroyed).containsExactly("first", "second", "parent");
	}

	@Test
	void whenClosedTwiceThenItIsDestroyedOnce() {
		Resource resource = new Resource("resource");
		resource.close();
		resource.close();
		assertThat(this.destroyed).containsExactly("resource");
		assertThat(resource.isOpen()).isFalse();
	}

	@Test
	void whenOneParentIsClosedThenTheOthersAreNotHeldUp() {
		Resource open = new Resource("open");
		Resource closed = new Resource("closed");
		closed.close();
		assertThatExceptionOfType(ResourceClosedException.class).isThrownBy(() -> new Resource("child", open, closed))
			.withMessage("The closed is closed");
		open.close();
		assertThat(this.destroyed).containsExactly("closed", "open");
	}

	@Test
	void whenDependencyIsReleasedThenParentCloses() {
		Resource region = new Resource("region");
		Resource window = new Resource("window");
		window.dependOn(region);
		assertBusy(region);
		window.releaseDependency(region);
		region.close();
		window.close();
		assertThat(this.destroyed).containsExactly("region", "window");
	}

	@Test
	void whenDestructionFailsThenParentIsNotHeldUp() {
		Resource parent = new Resource("parent");
		Resource failing = new Resource("failing", parent) {

			@Override
			protected void destroy() {
				throw new IllegalStateException("broken");
			}

		};
		assertThatIllegalStateException().isThrownBy(failing::close).withMessage("broken");
		parent.close();
		assertThat(this.destroyed).containsExactly("parent");
	}

	@Test
	@SuppressWarnings("NullAway")
	void whenARegionHasNoMemoryYetThenItIsNamedAllTheSame() {
		FakeDeviceContext parent = new FakeDeviceContext();
		FakeMemoryRegion region = new FakeMemoryRegion(parent, (HostMemory) null);
		assertBusy(parent).withMessageContaining("the memory region is open");
		region.close();
		parent.close();
	}

	private static ThrowableAssertAlternative<VerbsException> assertBusy(VerbsResource resource) {
		return assertThatExceptionOfType(VerbsException.class).isThrownBy(resource::close)
			.satisfies((ex) -> assertThat(ex.errno()).isEqualTo(Errno.EBUSY));
	}

	private class Resource extends VerbsResource {

		private final String name;

		Resource(String name, VerbsResource... parents) {
			super(parents);
			this.name = name;
		}

		@Override
		protected String describe() {
			return this.name;
		}

		@Override
		protected String destroyVerb() {
			return "destroy_" + this.name;
		}

		@Override
		protected void destroy() {
			VerbsResourceTests.this.destroyed.add(this.name);
		}

	}

}
