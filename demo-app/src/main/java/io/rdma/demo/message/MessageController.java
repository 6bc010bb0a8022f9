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

package io.rdma.demo.message;

import java.util.List;

import lombok.RequiredArgsConstructor;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Messages: POST sends one to the peer, GET shows those that came.
 */
@RestController
@RequestMapping("/messages")
@RequiredArgsConstructor
class MessageController {

	private final Messenger messenger;

	/**
	 * Answers 202: the peer has the message, but its listener may not have run yet.
	 */
	@PostMapping(consumes = MediaType.TEXT_PLAIN_VALUE)
	@ResponseStatus(HttpStatus.ACCEPTED)
	void send(@RequestBody String text) {
		this.messenger.send(text);
	}

	@GetMapping
	Messages received() {
		return new Messages(this.messenger.receivedCount(), this.messenger.newest());
	}

	record Messages(long received, List<ReceivedMessage> newest) {

	}

}
