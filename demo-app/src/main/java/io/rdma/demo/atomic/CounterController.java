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

package io.rdma.demo.atomic;

import lombok.RequiredArgsConstructor;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Counters: POST adds, GET shows.
 */
@RestController
@RequestMapping("/counters/{number}")
@RequiredArgsConstructor
class CounterController {

	private final Counters counters;

	@PostMapping
	Change add(@PathVariable long number, @RequestParam(defaultValue = "1") long delta) {
		long before = this.counters.add(number, delta);
		return new Change(number, before, before + delta);
	}

	@GetMapping
	Value get(@PathVariable long number) {
		return new Value(number, this.counters.get(number));
	}

	record Value(long counter, long value) {

	}

	record Change(long counter, long before, long after) {

	}

}
