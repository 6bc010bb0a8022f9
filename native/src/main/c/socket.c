/*
 * UDP sockets. Packets are in slots of one size in a direct buffer, and what belongs to each is in an entry behind the slots:
 * see PacketBatch.java. All calls return at once, but for await.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>

#include "shim.h"

/* The most packets of one call, and so what it needs of the stack: about 10 KiB. */
#define BATCH 64

#define NANOS_PER_SECOND 1000000000

/* What await returns, added up. */
#define READY 1
#define WOKEN 2

/*
 * All in network byte order; an IPv4 address is mapped, as in a GID. Of a packet that was received, the traffic class and the hop
 * limit are 0; of one to be sent, 0 is for what the socket has.
 */
struct entry {
	uint8_t address[16];
	uint32_t length;
	uint8_t traffic_class;
	uint8_t hop_limit;
	uint16_t port;
};

_Static_assert(sizeof(struct entry) == 24, "as in PacketBatch.java");

/* The length of a packet that was longer than its slot. */
#define OVERSIZED (-1)

union peer {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* Room for two options of a packet. */
union control {
	struct cmsghdr first;
	char bytes[2 * CMSG_SPACE(sizeof(int))];
};

static const uint8_t mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };

static inline struct entry *entries(uint8_t *block, jint slots, jint slot_size)
{
	return (struct entry *) (block + (((size_t) slots * (size_t) slot_size + 7) & ~(size_t) 7));
}

/* Make a socket address of the address in an entry, and return its length. */
static inline socklen_t to_peer(union peer *peer, const uint8_t *address, uint16_t port, uint32_t scope)
{
	if (memcmp(address, mapped, sizeof(mapped)) == 0) {
		peer->v4 = (struct sockaddr_in) { .sin_family = AF_INET, .sin_port = htobe16(port) };
		memcpy(&peer->v4.sin_addr, address + sizeof(mapped), sizeof(peer->v4.sin_addr));
		return sizeof(peer->v4);
	}
	peer->v6 = (struct sockaddr_in6) { .sin6_family = AF_INET6, .sin6_port = htobe16(port), .sin6_scope_id = scope };
	memcpy(&peer->v6.sin6_addr, address, sizeof(peer->v6.sin6_addr));
	return sizeof(peer->v6);
}

static inline void from_peer(struct entry *entry, const union peer *peer)
{
	if (peer->any.sa_family == AF_INET) {
		memcpy(entry->address, mapped, sizeof(mapped));
		memcpy(entry->address + sizeof(mapped), &peer->v4.sin_addr, sizeof(peer->v4.sin_addr));
		entry->port = peer->v4.sin_port;
	} else {
		memcpy(entry->address, &peer->v6.sin6_addr, sizeof(entry->address));
		entry->port = peer->v6.sin6_port;
	}
	entry->traffic_class = 0;
	entry->hop_limit = 0;
}

static inline struct cmsghdr *put_option(struct msghdr *message, struct cmsghdr *option, int level, int type, int value)
{
	option->cmsg_level = level;
	option->cmsg_type = type;
	option->cmsg_len = CMSG_LEN(sizeof(value));
	memcpy(CMSG_DATA(option), &value, sizeof(value));
	return CMSG_NXTHDR(message, option);
}

/* Say what routers look at beside the address. */
static inline void put_route(struct msghdr *message, union control *control, int traffic_class, int hop_limit)
{
	int v4 = ((const union peer *) message->msg_name)->any.sa_family == AF_INET;
	int level = v4 ? IPPROTO_IP : IPPROTO_IPV6;
	int options = (traffic_class != 0) + (hop_limit != 0);
	*control = (union control) { .bytes = { 0 } };
	message->msg_control = control;
	message->msg_controllen = (size_t) options * CMSG_SPACE(sizeof(int));
	struct cmsghdr *option = CMSG_FIRSTHDR(message);
	if (traffic_class != 0) {
		option = put_option(message, option, level, v4 ? IP_TOS : IPV6_TCLASS, traffic_class);
	}
	if (hop_limit != 0) {
		put_option(message, option, level, v4 ? IP_TTL : IPV6_HOPLIMIT, hop_limit);
	}
}

static jint JNICALL open_socket(STATIC_METHOD, jboolean v6)
{
	int fd = socket(v6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_UDP);
	return (fd < 0) ? (jint) failure() : fd;
}

static jint JNICALL set_option(STATIC_METHOD, jint fd, jint level, jint option, jint value)
{
	return (setsockopt(fd, level, option, &value, sizeof(value)) == 0) ? 0 : (jint) failure();
}

/* Bind to an address of 16 bytes. */
static jint JNICALL bind_socket(STATIC_METHOD, jint fd, jbyteArray address, jint scope, jint port)
{
	uint8_t bytes[16];
	union peer self;
	(*env)->GetByteArrayRegion(env, address, 0, sizeof(bytes), (jbyte *) bytes);
	if ((*env)->ExceptionCheck(env)) {
		return -EINVAL;
	}
	socklen_t length = to_peer(&self, bytes, (uint16_t) port, (uint32_t) scope);
	return (bind(fd, &self.any, length) == 0) ? 0 : (jint) failure();
}

static jint JNICALL local_port(STATIC_METHOD, jint fd)
{
	union peer self;
	socklen_t length = sizeof(self);
	if (getsockname(fd, &self.any, &length) != 0) {
		return (jint) failure();
	}
	return be16toh((self.any.sa_family == AF_INET) ? self.v4.sin_port : self.v6.sin6_port);
}

/* The number of packets. One that is cut off has the length OVERSIZED. */
static jint JNICALL receive(STATIC_METHOD, jint fd, jobject block, jint slots, jint slot_size)
{
	uint8_t *memory = (*env)->GetDirectBufferAddress(env, block);
	struct entry *entry = entries(memory, slots, slot_size);
	struct mmsghdr messages[BATCH];
	struct iovec pieces[BATCH];
	union peer peers[BATCH];
	int count = (slots < BATCH) ? slots : BATCH;
	for (int i = 0; i < count; i++) {
		pieces[i] = (struct iovec) { .iov_base = memory + (size_t) i * (size_t) slot_size, .iov_len = (size_t) slot_size };
		messages[i].msg_hdr = (struct msghdr) {
			.msg_name = &peers[i], .msg_namelen = sizeof(peers[i]), .msg_iov = &pieces[i], .msg_iovlen = 1,
		};
	}
	int received = recvmmsg(fd, messages, (unsigned int) count, MSG_DONTWAIT, NULL);
	if (received < 0) {
		return (jint) failure();
	}
	for (int i = 0; i < received; i++) {
		from_peer(&entry[i], &peers[i]);
		int cut_off = messages[i].msg_hdr.msg_flags & MSG_TRUNC;
		entry[i].length = htobe32(cut_off ? (uint32_t) OVERSIZED : messages[i].msg_len);
	}
	return received;
}

/* The number of packets that were taken, or the error of the first. */
static jint JNICALL send_packets(STATIC_METHOD, jint fd, jobject block, jint slots, jint slot_size, jint from, jint to)
{
	uint8_t *memory = (*env)->GetDirectBufferAddress(env, block);
	const struct entry *entry = entries(memory, slots, slot_size) + from;
	struct mmsghdr messages[BATCH];
	struct iovec pieces[BATCH];
	union peer peers[BATCH];
	union control controls[BATCH];
	int count = (to - from < BATCH) ? to - from : BATCH;
	memory += (size_t) from * (size_t) slot_size;
	for (int i = 0; i < count; i++) {
		/* what is in the buffer can change at any time: look once, and never read behind the slot */
		const struct entry one = *(const volatile struct entry *) &entry[i];
		uint32_t length = be32toh(one.length);
		pieces[i] = (struct iovec) {
			.iov_base = memory + (size_t) i * (size_t) slot_size,
			.iov_len = (length < (uint32_t) slot_size) ? length : (uint32_t) slot_size,
		};
		messages[i].msg_hdr = (struct msghdr) {
			.msg_name = &peers[i],
			.msg_namelen = to_peer(&peers[i], one.address, be16toh(one.port), 0),
			.msg_iov = &pieces[i],
			.msg_iovlen = 1,
		};
		if ((one.traffic_class | one.hop_limit) != 0) {
			put_route(&messages[i].msg_hdr, &controls[i], one.traffic_class, one.hop_limit);
		}
	}
	int sent = sendmmsg(fd, messages, (unsigned int) count, MSG_DONTWAIT);
	return (sent < 0) ? (jint) failure() : sent;
}

/* Wait for the socket, for a wake-up, or for a time; below 0 without an end. */
static jint JNICALL await(STATIC_METHOD, jint fd, jboolean writable, jint wakeup, jlong nanos)
{
	struct pollfd fds[] = { { .fd = fd, .events = writable ? POLLOUT : POLLIN }, { .fd = wakeup, .events = POLLIN } };
	struct timespec limit = { .tv_sec = nanos / NANOS_PER_SECOND, .tv_nsec = nanos % NANOS_PER_SECOND };
	int ready = ppoll(fds, 2, (nanos < 0) ? NULL : &limit, NULL);
	if (ready < 0) {
		return (jint) failure();
	}
	return ((fds[0].revents != 0) ? READY : 0) | ((fds[1].revents != 0) ? WOKEN : 0);
}

/* Take all wake-ups that came, so that the next await waits again. */
static jint JNICALL drain(STATIC_METHOD, jint wakeup)
{
	eventfd_t count;
	return (eventfd_read(wakeup, &count) == 0) ? 0 : (jint) failure();
}

const JNINativeMethod socket_methods[] = {
	METHOD("openSocket", "(Z)I", open_socket),
	METHOD("setOption", "(IIII)I", set_option),
	METHOD("bind", "(I[BII)I", bind_socket),
	METHOD("localPort", "(I)I", local_port),
	METHOD("receive", "(ILjava/nio/ByteBuffer;II)I", receive),
	METHOD("send", "(ILjava/nio/ByteBuffer;IIII)I", send_packets),
	METHOD("await", "(IZIJ)I", await),
	METHOD("drain", "(I)I", drain),
};
const jint socket_method_count = COUNT(socket_methods);
