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

/**
 * Base of all resources that are opened and closed. A resource counts what was made from
 * it and refuses to close while any of that is open, so that the order of closing is
 * never a matter of luck. Closing twice is harmless. Thread-safe.
 */
public abstract class VerbsResource implements AutoCloseable {

	private final List<VerbsResource> parents = new ArrayList<>();

	private final List<VerbsResource> children = new ArrayList<>();

	private volatile boolean open = true;

	/**
	 * Create a resource.
	 * @param parents what it is made from and keeps open
	 * @throws ResourceClosedException if one of the parents is closed
	 */
	@SuppressWarnings("this-escape")
	protected VerbsResource(VerbsResource... parents) {
		try {
			for (VerbsResource parent : parents) {
				dependOn(parent);
			}
		}
		catch (ResourceClosedException ex) {
			detach();
			throw ex;
		}
	}

	/**
	 * Keep another resource open until this one is closed.
	 * @param parent the other
	 * @throws ResourceClosedException if it is closed
	 */
	protected final void dependOn(VerbsResource parent) {
		synchronized (parent.children) {
			parent.checkOpen();
			parent.children.add(this);
		}
		synchronized (this.parents) {
			this.parents.add(parent);
		}
	}

	/**
	 * Stop keeping another resource open.
	 * @param parent the other
	 */
	protected final void releaseDependency(VerbsResource parent) {
		synchronized (this.parents) {
			this.parents.remove(parent);
		}
		synchronized (parent.children) {
			parent.children.remove(this);
		}
	}

	/**
	 * Return what this resource is, for messages.
	 * @return for example {@code queue pair 0x000011}
	 */
	protected abstract String describe();

	/**
	 * Return the name of the C function that destroys this kind of resource.
	 * @return the name
	 */
	protected abstract String destroyVerb();

	/**
	 * Release what the device holds. Called once, with no children open.
	 */
	protected abstract void destroy();

	/**
	 * Check whether the resource may close now, beyond having no children.
	 * @throws VerbsException if it may not
	 */
	protected void checkClosable() {
	}

	/**
	 * Return whether the resource is open.
	 * @return whether it can be used
	 */
	public final boolean isOpen() {
		return this.open;
	}

	/**
	 * Check that the resource is open.
	 * @throws ResourceClosedException if it is not
	 */
	protected final void checkOpen() {
		if (!this.open) {
			throw new ResourceClosedException(describe());
		}
	}

	/**
	 * Close the resource.
	 * @throws VerbsException with {@link Errno#EBUSY} if something made from it is still
	 * open; the message names it
	 */
	@Override
	public final void close() {
		synchronized (this.children) {
			if (!this.open) {
				return;
			}
			if (!this.children.isEmpty()) {
				throw new VerbsException(destroyVerb(), Errno.EBUSY,
						"The " + describe() + " cannot be closed while " + describeChildren() + " open; close "
								+ ((this.children.size() == 1) ? "it" : "them") + " first");
			}
			checkClosable();
			this.open = false;
		}
		try {
			destroy();
		}
		finally {
			detach();
		}
	}

	private String describeChildren() {
		int count = this.children.size();
		String first = this.children.get(0).describe();
		return (count == 1) ? "the " + first + " is" : "the " + first + " and " + (count - 1) + " more are";
	}

	private void detach() {
		List<VerbsResource> attached;
		synchronized (this.parents) {
			attached = List.copyOf(this.parents);
		}
		attached.forEach(this::releaseDependency);
	}

	@Override
	public String toString() {
		return describe();
	}

}
