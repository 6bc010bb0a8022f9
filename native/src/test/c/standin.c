/*
 * A libibverbs that works at once: no kernel, no device. Each post completes by itself, so that what remains to be measured is
 * the way from Java and back. Objects are marked when they are destroyed and never freed, so that a use after that is counted
 * instead of crashing; the count is the vendor number of the device, and the number of objects that are open is max_qp.
 *
 * Devices: standin0 works; closed0 cannot be opened (EACCES); efa0 and odd0 are of other transports.
 *
 * Port ODD_PORT is not counted, and tells numbers that verbs do not know.
 *
 * What fails: a region of FAILS_TO_DEREGISTER + N bytes is destroyed, but with error number N, as if the device were gone;
 * with EBUSY it is refused once and stays. One of FAILS_TO_REGISTER + N bytes is not registered at all.
 * A send with wr_id FAILS_TO_SEND + N is refused. One that exceeds what the queue pair was granted is refused with ENOMEM, as by
 * the providers of Mellanox.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define ALIVE 0x6c697665u
#define DEAD 0x64656164u
#define ODD_PORT 99
#define FAILS_TO_SEND 0xfa110000u
#define FAILS_TO_REGISTER (1u << 21)
#define FAILS_TO_DEREGISTER (1u << 20)

static atomic_int violations;
static atomic_int objects;

struct object {
	atomic_uint mark;
};

struct standin_cq {
	struct ibv_cq cq;
	struct object object;
	atomic_int ready;
	uint64_t wr_id;
	uint32_t qp_num;
	int armed;
};

struct standin_qp {
	struct ibv_qp qp;
	struct object object;
	struct ibv_qp_attr attr;
};

struct standin_srq {
	struct ibv_srq srq;
	struct object object;
};

struct standin_mr {
	struct ibv_mr mr;
	struct object object;
	int refused;
};

struct standin_pd {
	struct ibv_pd pd;
	struct object object;
};

struct standin_mw {
	struct ibv_mw mw;
	struct object object;
};

static struct ibv_device devices[] = {
	{ .node_type = IBV_NODE_CA, .transport_type = IBV_TRANSPORT_IB, .name = "standin0", .dev_name = "uverbs0" },
	{ .node_type = IBV_NODE_CA, .transport_type = IBV_TRANSPORT_IB, .name = "closed0", .dev_name = "uverbs1" },
	{ .node_type = IBV_NODE_UNSPECIFIED, .transport_type = IBV_TRANSPORT_UNSPECIFIED, .name = "efa0", .dev_name = "uverbs2" },
	{ .node_type = IBV_NODE_UNKNOWN, .transport_type = IBV_TRANSPORT_UNKNOWN, .name = "odd0", .dev_name = "uverbs3" },
};

static void create(struct object *object)
{
	atomic_store(&object->mark, ALIVE);
	atomic_fetch_add(&objects, 1);
}

static void use(struct object *object)
{
	if (atomic_load_explicit(&object->mark, memory_order_relaxed) != ALIVE) {
		atomic_fetch_add(&violations, 1);
	}
}

static int destroy(struct object *object)
{
	if (atomic_exchange(&object->mark, DEAD) != ALIVE) {
		atomic_fetch_add(&violations, 1);
	}
	atomic_fetch_sub(&objects, 1);
	return 0;
}

static uint64_t inline_length(const struct ibv_send_wr *wr)
{
	uint64_t length = 0;
	for (int i = 0; (wr->send_flags & IBV_SEND_INLINE) && i < wr->num_sge; i++) {
		length += wr->sg_list[i].length;
	}
	return length;
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	struct standin_qp *own = (struct standin_qp *) qp;
	use(&own->object);
	struct standin_cq *cq = (struct standin_cq *) qp->send_cq;
	for (; wr != NULL; wr = wr->next) {
		if (wr->num_sge > (int) own->attr.cap.max_send_sge || inline_length(wr) > own->attr.cap.max_inline_data) {
			*bad = wr;
			return ENOMEM;
		}
		if (wr->wr_id > FAILS_TO_SEND && wr->wr_id - FAILS_TO_SEND < 200) {
			*bad = wr;
			return (int) (wr->wr_id - FAILS_TO_SEND);
		}
		cq->wr_id = wr->wr_id;
		cq->qp_num = qp->qp_num;
		if (wr->send_flags & IBV_SEND_SIGNALED) {
			atomic_store_explicit(&cq->ready, atomic_load_explicit(&cq->ready, memory_order_relaxed) + 1, memory_order_relaxed);
		}
	}
	if (cq->armed && cq->cq.channel != NULL) {
		cq->armed = 0;
		uint64_t number = (uint64_t) (uintptr_t) cq;
		if (write(cq->cq.channel->refcnt, &number, sizeof(number)) < 0) {
			return EIO;
		}
	}
	use(&own->object);
	return 0;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	use(&((struct standin_qp *) qp)->object);
	*bad = wr;
	return 0;
}

static int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	use(&((struct standin_srq *) srq)->object);
	*bad = wr;
	return ENOMEM;
}

static int poll_cq(struct ibv_cq *cq, int max, struct ibv_wc *wc)
{
	struct standin_cq *own = (struct standin_cq *) cq;
	use(&own->object);
	int ready = atomic_load_explicit(&own->ready, memory_order_relaxed);
	int count = (ready < max) ? ready : max;
	for (int i = 0; i < count; i++) {
		memset(&wc[i], 0, sizeof(*wc));
		wc[i].wr_id = own->wr_id;
		wc[i].qp_num = own->qp_num;
	}
	if (count > 0) {
		atomic_store_explicit(&own->ready, ready - count, memory_order_relaxed);
	}
	use(&own->object);
	return count;
}

static int req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	struct standin_cq *own = (struct standin_cq *) cq;
	use(&own->object);
	own->armed = 1 + solicited_only;
	return 0;
}

static struct ibv_mw *alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type)
{
	struct standin_mw *mw = calloc(1, sizeof(*mw));
	if (mw != NULL) {
		mw->mw.context = pd->context;
		mw->mw.pd = pd;
		mw->mw.type = type;
		mw->mw.rkey = 0x200;
		create(&mw->object);
	}
	return (struct ibv_mw *) mw;
}

static int dealloc_mw(struct ibv_mw *mw)
{
	return destroy(&((struct standin_mw *) mw)->object);
}

EXPORT struct ibv_device **ibv_get_device_list(int *count)
{
	size_t length = sizeof(devices) / sizeof(devices[0]);
	struct ibv_device **list = calloc(length + 1, sizeof(*list));
	if (list != NULL) {
		for (size_t i = 0; i < length; i++) {
			list[i] = &devices[i];
		}
		*count = (int) length;
	}
	return list;
}

EXPORT void ibv_free_device_list(struct ibv_device **list)
{
	free(list);
}

EXPORT const char *ibv_get_device_name(struct ibv_device *device)
{
	return device->name;
}

EXPORT __be64 ibv_get_device_guid(struct ibv_device *device)
{
	return htobe64(0xa1b2c3d4e5f60708ull + (uint64_t) (device - devices));
}

EXPORT struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	if (device != &devices[0]) {
		errno = EACCES;
		return NULL;
	}
	struct ibv_context *context = calloc(1, sizeof(*context));
	if (context == NULL) {
		return NULL;
	}
	context->device = device;
	context->ops.poll_cq = poll_cq;
	context->ops.req_notify_cq = req_notify_cq;
	context->ops.post_send = post_send;
	context->ops.post_recv = post_recv;
	context->ops.post_srq_recv = post_srq_recv;
	context->ops.alloc_mw = alloc_mw;
	context->ops.dealloc_mw = dealloc_mw;
	context->async_fd = eventfd(0, EFD_CLOEXEC);
	return context;
}

EXPORT int ibv_close_device(struct ibv_context *context)
{
	close(context->async_fd);
	free(context);
	return 0;
}

EXPORT int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	(void) context;
	strcpy(attr->fw_ver, "stand-in 1");
	attr->node_guid = htobe64(0xa1b2c3d4e5f60708ull);
	attr->vendor_id = (uint32_t) atomic_load(&violations);
	attr->max_qp = atomic_load(&objects);
	attr->max_qp_wr = 1024;
	attr->max_sge = 4;
	attr->max_cqe = 4096;
	attr->atomic_cap = IBV_ATOMIC_HCA;
	attr->phys_port_cnt = 1;
	return 0;
}

#undef ibv_query_port
EXPORT int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *compat)
{
	(void) context;
	struct ibv_port_attr *attr = (struct ibv_port_attr *) compat;
	if (port != 1 && port != ODD_PORT) {
		return EINVAL;
	}
	attr->state = (port == ODD_PORT) ? 42 : IBV_PORT_ACTIVE;
	attr->max_mtu = (port == ODD_PORT) ? 6 : IBV_MTU_4096;
	attr->active_mtu = (port == ODD_PORT) ? 0 : IBV_MTU_1024;
	attr->gid_tbl_len = 4;
	attr->max_msg_sz = 1u << 31;
	attr->pkey_tbl_len = 1;
	attr->link_layer = IBV_LINK_LAYER_ETHERNET;
	return 0;
}

EXPORT ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries, size_t max, uint32_t flags,
		size_t size)
{
	(void) context;
	(void) flags;
	if (max < 2 || size != sizeof(*entries)) {
		errno = EINVAL;
		return -1;
	}
	memset(entries, 0, 2 * sizeof(*entries));
	entries[0].port_num = 1;
	entries[0].gid_type = IBV_GID_TYPE_ROCE_V1;
	entries[0].gid.raw[0] = 0xfe;
	entries[0].gid.raw[1] = 0x80;
	entries[0].gid.raw[15] = 1;
	entries[1].port_num = 1;
	entries[1].gid_index = 3;
	entries[1].gid_type = IBV_GID_TYPE_ROCE_V2;
	entries[1].ndev_ifindex = 1;
	const uint8_t address[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 9, 0, 1 };
	memcpy(entries[1].gid.raw, address, sizeof(address));
	return 2;
}

EXPORT int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
	(void) context;
	(void) event;
	errno = EAGAIN;
	return -1;
}

EXPORT void ibv_ack_async_event(struct ibv_async_event *event)
{
	(void) event;
}

EXPORT struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct standin_pd *pd = calloc(1, sizeof(*pd));
	if (pd != NULL) {
		pd->pd.context = context;
		create(&pd->object);
	}
	return (struct ibv_pd *) pd;
}

EXPORT int ibv_dealloc_pd(struct ibv_pd *pd)
{
	return destroy(&((struct standin_pd *) pd)->object);
}

/* The error number that a region is to fail with, which its length says. */
static int failure_of(size_t length, size_t base)
{
	return (length > base && length - base < 200) ? (int) (length - base) : 0;
}

#undef ibv_reg_mr
EXPORT struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access)
{
	(void) access;
	use(&((struct standin_pd *) pd)->object);
	int failure = failure_of(length, FAILS_TO_REGISTER);
	if (failure != 0) {
		errno = failure;
		return NULL;
	}
	struct standin_mr *mr = calloc(1, sizeof(*mr));
	if (mr != NULL) {
		mr->mr.context = pd->context;
		mr->mr.pd = pd;
		mr->mr.addr = address;
		mr->mr.length = length;
		mr->mr.lkey = 0x111;
		mr->mr.rkey = 0x112;
		create(&mr->object);
	}
	return (struct ibv_mr *) mr;
}

EXPORT int ibv_dereg_mr(struct ibv_mr *mr)
{
	struct standin_mr *own = (struct standin_mr *) mr;
	int failure = failure_of(mr->length, FAILS_TO_DEREGISTER);
	if (failure == EBUSY && !own->refused) {
		own->refused = 1;
		return EBUSY;
	}
	destroy(&own->object);
	return (failure == EBUSY) ? 0 : failure;
}

/* The end that is written to is kept where the count of references would be. */
EXPORT struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
	struct ibv_comp_channel *channel = calloc(1, sizeof(*channel));
	int ends[2];
	if (channel == NULL || pipe2(ends, O_CLOEXEC) != 0) {
		free(channel);
		return NULL;
	}
	channel->context = context;
	channel->fd = ends[0];
	channel->refcnt = ends[1];
	return channel;
}

EXPORT int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
	close(channel->fd);
	close(channel->refcnt);
	free(channel);
	return 0;
}

EXPORT struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context, struct ibv_comp_channel *channel,
		int comp_vector)
{
	(void) comp_vector;
	if (cqe > 4096) {
		errno = EINVAL;
		return NULL;
	}
	struct standin_cq *cq = calloc(1, sizeof(*cq));
	if (cq != NULL) {
		cq->cq.context = context;
		cq->cq.channel = channel;
		cq->cq.cq_context = cq_context;
		cq->cq.cqe = cqe + 1;
		create(&cq->object);
	}
	return (struct ibv_cq *) cq;
}

EXPORT int ibv_destroy_cq(struct ibv_cq *cq)
{
	return destroy(&((struct standin_cq *) cq)->object);
}

EXPORT int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cq_context)
{
	uint64_t number;
	if (read(channel->fd, &number, sizeof(number)) != sizeof(number)) {
		return -1;
	}
	*cq = (struct ibv_cq *) (uintptr_t) number;
	*cq_context = (*cq)->cq_context;
	return 0;
}

EXPORT void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int events)
{
	(void) cq;
	(void) events;
}

EXPORT struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *init)
{
	static atomic_uint numbers = 0x10;
	if (init->cap.max_inline_data > 256 || init->cap.max_send_wr > 1024) {
		errno = EINVAL;
		return NULL;
	}
	struct standin_qp *qp = calloc(1, sizeof(*qp));
	if (qp != NULL) {
		qp->qp.context = pd->context;
		qp->qp.qp_context = init->qp_context;
		qp->qp.pd = pd;
		qp->qp.send_cq = init->send_cq;
		qp->qp.recv_cq = init->recv_cq;
		qp->qp.srq = init->srq;
		qp->qp.qp_num = atomic_fetch_add(&numbers, 1);
		qp->attr.cap = init->cap;
		create(&qp->object);
	}
	return (struct ibv_qp *) qp;
}

EXPORT int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	struct standin_qp *own = (struct standin_qp *) qp;
	use(&own->object);
	struct ibv_qp_cap cap = own->attr.cap;
	enum ibv_qp_state state = own->attr.qp_state;
	if (mask & (IBV_QP_AV | IBV_QP_PORT | IBV_QP_TIMEOUT)) {
		own->attr = *attr;
		own->attr.cap = cap;
	}
	own->attr.qp_state = (mask & IBV_QP_STATE) ? attr->qp_state : state;
	return 0;
}

EXPORT int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init)
{
	(void) mask;
	(void) init;
	struct standin_qp *own = (struct standin_qp *) qp;
	use(&own->object);
	*attr = own->attr;
	return 0;
}

EXPORT int ibv_destroy_qp(struct ibv_qp *qp)
{
	return destroy(&((struct standin_qp *) qp)->object);
}

EXPORT struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *init)
{
	struct standin_srq *srq = calloc(1, sizeof(*srq));
	if (srq != NULL) {
		srq->srq.context = pd->context;
		srq->srq.srq_context = init->srq_context;
		srq->srq.pd = pd;
		create(&srq->object);
	}
	return (struct ibv_srq *) srq;
}

EXPORT int ibv_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr)
{
	use(&((struct standin_srq *) srq)->object);
	attr->max_wr = 16;
	return 0;
}

EXPORT int ibv_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask)
{
	(void) attr;
	(void) mask;
	use(&((struct standin_srq *) srq)->object);
	return 0;
}

EXPORT int ibv_destroy_srq(struct ibv_srq *srq)
{
	return destroy(&((struct standin_srq *) srq)->object);
}
