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

package io.rdma.verbs.ibv;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.rdma.verbs.Gid;
import io.rdma.verbs.GidEntry;
import io.rdma.verbs.GidType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for {@link Sysfs}.
 */
class SysfsTests {

	@TempDir
	@SuppressWarnings("NullAway.Init")
	private Path root;

	@Test
	void shouldReadGidTable() throws IOException {
		write("rxe0/ports/1/gids/0", "fe80:0000:0000:0000:0000:0000:0000:0001");
		write("rxe0/ports/1/gid_attrs/types/0", "IB/RoCE v1");
		write("rxe0/ports/1/gids/1", "0000:0000:0000:0000:0000:ffff:0a09:0001");
		write("rxe0/ports/1/gid_attrs/types/1", "RoCE v2");
		write("rxe0/ports/1/gid_attrs/ndevs/1", "dum0");
		write("rxe0/ports/1/gids/2", "0000:0000:0000:0000:0000:0000:0000:0000");
		write("rxe0/ports/1/gids/10", "0000:0000:0000:0000:0000:ffff:0a09:0002");
		assertThat(new Sysfs(this.root).gidTable("rxe0", 1)).containsExactly(
				new GidEntry(0, new Gid(0xfe80L << 48, 1), GidType.ROCE_V1, null),
				new GidEntry(1, new Gid(0, 0xffff0a090001L), GidType.ROCE_V2, "dum0"),
				new GidEntry(10, new Gid(0, 0xffff0a090002L), GidType.IB, null));
	}

	@Test
	void shouldReadCountersOfDeviceAndPort() throws IOException {
		write("rxe0/hw_counters/lifespan", "10");
		write("rxe0/hw_counters/rx_frames", "3");
		write("rxe0/ports/1/hw_counters/sent_pkts", "1234");
		write("rxe0/ports/1/counters/port_xmit_data", "18446744073709551615");
		write("rxe0/ports/1/counters/odd", "N/A (no PMA)");
		assertThat(new Sysfs(this.root).counters("rxe0", 1)).containsExactly(entry("port_xmit_data", -1L),
				entry("rx_frames", 3L), entry("sent_pkts", 1234L));
	}

	@Test
	void shouldFindNetdevOfTheBusWhenThePortTellsNone() throws IOException {
		write("mlx5_0/device/net/eth3/mtu", "1500");
		write("rxe0/parent", "dum0");
		Sysfs sysfs = new Sysfs(this.root);
		assertThat(sysfs.netdev("mlx5_0")).isEqualTo("eth3");
		assertThat(sysfs.netdev("rxe0")).isEqualTo("dum0");
		assertThat(sysfs.netdev("none0")).isNull();
		assertThat(sysfs.devices()).containsExactly("mlx5_0", "rxe0");
		assertThat(sysfs.numaNode("mlx5_0")).isEqualTo(-1);
	}

	private void write(String file, String text) throws IOException {
		Path path = this.root.resolve(file);
		Files.createDirectories(path.resolveSibling(""));
		Files.writeString(path, text + "\n");
	}

}
