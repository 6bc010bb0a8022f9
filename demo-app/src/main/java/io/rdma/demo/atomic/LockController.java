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

import java.util.HexFormat;

import lombok.RequiredArgsConstructor;

import org.springframework.http.HttpStatus;
import org.springframework.util.Assert;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Locks: POST takes one and returns a token, DELETE with that token gives it back.
 */
@RestController
@RequestMapping("/locks/{name}")
@RequiredArgsConstructor
class LockController {

	private static final int TOKEN_DIGITS = 16;

	private final LockTable locks;

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	Lock acquire(@PathVariable String name) {
		return new Lock(name, HexFormat.of().toHexDigits(this.locks.acquire(name)));
	}

	@DeleteMapping
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void release(@PathVariable String name, @RequestParam String token) {
		Assert.isTrue(token.length() == TOKEN_DIGITS, "A token has 16 hexadecimal digits");
		this.locks.release(name, HexFormat.fromHexDigitsToLong(token));
	}

	record Lock(String name, String token) {

	}

}
