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

import java.io.PrintStream;

import io.rdma.demo.support.Bytes;

/**
 * Shows how far something is: one line that changes on a terminal, a line for each
 * quarter elsewhere, so that a log stays short.
 */
final class ProgressBar {

	private static final int WIDTH = 30;

	private static final int STEPS_WITHOUT_TERMINAL = 4;

	private final PrintStream out;

	private final boolean terminal;

	private final String label;

	private final long total;

	private long shown = -1;

	/**
	 * Create a progress bar.
	 * @param out where to show it
	 * @param terminal whether that is a terminal
	 * @param label what is going on
	 * @param total how many bytes there are, above 0
	 */
	ProgressBar(PrintStream out, boolean terminal, String label, long total) {
		this.out = out;
		this.terminal = terminal;
		this.label = label;
		this.total = total;
	}

	/**
	 * Show that some bytes are done.
	 * @param done how many bytes so far
	 */
	void update(long done) {
		long steps = this.terminal ? 100 : STEPS_WITHOUT_TERMINAL;
		long step = done * steps / this.total;
		if (step == this.shown) {
			return;
		}
		this.shown = step;
		long percent = done * 100 / this.total;
		if (this.terminal) {
			int filled = (int) (done * WIDTH / this.total);
			String bar = "=".repeat(filled) + ((filled < WIDTH) ? ">" : "")
					+ " ".repeat(Math.max(0, WIDTH - filled - 1));
			this.out.printf("\r  %s [%s] %3d %%  %s of %s ", this.label, bar, percent, Bytes.format(done),
					Bytes.format(this.total));
			if (done == this.total) {
				this.out.println();
			}
			this.out.flush();
		}
		else if (step > 0) {
			this.out.printf("  %s %3d %%  %s of %s%n", this.label, percent, Bytes.format(done),
					Bytes.format(this.total));
		}
	}

}
