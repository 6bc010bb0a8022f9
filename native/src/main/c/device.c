/* Devices, ports, GIDs and asynchronous events. */
#include <endian.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim.h"

/* One line of text for each device: name, GUID in hexadecimal, transport, name of its character device. */
static jobjectArray JNICALL devices(STATIC_METHOD)
{
	jclass string = (*env)->FindClass(env, "java/lang/String");
	if (string == NULL) {
		return NULL;
	}
	int count = 0;
	struct ibv_device **list = verbs.get_device_list(&count);
	jobjectArray lines = (*env)->NewObjectArray(env, (list == NULL) ? 0 : count, string, NULL);
	for (int i = 0; lines != NULL && list != NULL && i < count; i++) {
		char line[IBV_SYSFS_NAME_MAX * 2 + 64];
		snprintf(line, sizeof(line), "%s %016llx %d %s", verbs.get_device_name(list[i]),
				(unsigned long long) be64toh(verbs.get_device_guid(list[i])), (int) list[i]->transport_type,
				list[i]->dev_name);
		jstring text = (*env)->NewStringUTF(env, line);
		if (text == NULL) {
			lines = NULL;
			break;
		}
		(*env)->SetObjectArrayElement(env, lines, i, text);
		(*env)->DeleteLocalRef(env, text);
	}
	if (list != NULL) {
		verbs.free_device_list(list);
	}
	return lines;
}

static jlong JNICALL open_device(STATIC_METHOD, jstring name)
{
	const char *wanted = (*env)->GetStringUTFChars(env, name, NULL);
	if (wanted == NULL) {
		return -ENOMEM;
	}
	int count = 0;
	jlong opened = -ENODEV;
	errno = 0;
	struct ibv_device **list = verbs.get_device_list(&count);
	if (list == NULL) {
		opened = failure();
	}
	for (int i = 0; list != NULL && i < count; i++) {
		if (strcmp(verbs.get_device_name(list[i]), wanted) == 0) {
			errno = 0;
			struct ibv_context *context = verbs.open_device(list[i]);
			opened = (context == NULL) ? failure() : address(context);
			break;
		}
	}
	if (list != NULL) {
		verbs.free_device_list(list);
	}
	(*env)->ReleaseStringUTFChars(env, name, wanted);
	if (opened > 0) {
		int fd = ((struct ibv_context *) pointer(opened))->async_fd;
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	}
	return opened;
}

static jint JNICALL close_device(STATIC_METHOD, jlong context)
{
	return result(verbs.close_device(pointer(context)));
}

static jint JNICALL query_device(STATIC_METHOD, jlong cell, jlongArray values, jbyteArray firmware)
{
	struct ibv_context *context = handle(cell);
	if (context == NULL) {
		return CLOSED;
	}
	struct ibv_device_attr attr;
	memset(&attr, 0, sizeof(attr));
	int rc = result(verbs.query_device(context, &attr));
	if (rc != 0) {
		return rc;
	}
	const jlong found[] = {
		(jlong) be64toh(attr.node_guid), attr.vendor_id, (jlong) attr.max_mr_size, attr.max_qp, attr.max_qp_wr,
		attr.max_sge, attr.max_cq, attr.max_cqe, attr.max_mr, attr.max_pd, attr.max_qp_rd_atom,
		attr.max_qp_init_rd_atom, attr.atomic_cap, attr.max_mw, attr.max_srq, attr.max_srq_wr, attr.max_srq_sge,
		attr.phys_port_cnt, attr.device_cap_flags,
	};
	(*env)->SetLongArrayRegion(env, values, 0, COUNT(found), found);
	(*env)->SetByteArrayRegion(env, firmware, 0, sizeof(attr.fw_ver), (const jbyte *) attr.fw_ver);
	return 0;
}

/* What the device can do with on-demand paging on a reliable connection, 0 if nothing. */
static jint JNICALL query_on_demand(STATIC_METHOD, jlong cell)
{
	struct ibv_context *context = handle(cell);
	if (context == NULL) {
		return CLOSED;
	}
	struct verbs_context *extended = verbs_get_ctx_op(context, query_device_ex);
	struct ibv_device_attr_ex attr;
	memset(&attr, 0, sizeof(attr));
	if (extended == NULL || extended->query_device_ex(context, NULL, &attr, sizeof(attr)) != 0) {
		return 0;
	}
	return (attr.odp_caps.general_caps & IBV_ODP_SUPPORT)
			? (jint) attr.odp_caps.per_transport_caps.rc_odp_caps : 0;
}

static jint JNICALL query_port(STATIC_METHOD, jlong cell, jint port, jlongArray values)
{
	struct ibv_context *context = handle(cell);
	if (context == NULL) {
		return CLOSED;
	}
	struct ibv_port_attr attr;
	memset(&attr, 0, sizeof(attr));
	struct verbs_context *extended = verbs_get_ctx_op(context, query_port);
	int rc = (extended != NULL) ? extended->query_port(context, (uint8_t) port, &attr, sizeof(attr))
			: verbs.query_port(context, (uint8_t) port, (struct _compat_ibv_port_attr *) &attr);
	rc = result(rc);
	if (rc != 0) {
		return rc;
	}
	const jlong found[] = {
		attr.state, attr.max_mtu, attr.active_mtu, attr.gid_tbl_len, attr.max_msg_sz, attr.pkey_tbl_len, attr.lid,
		attr.link_layer,
	};
	(*env)->SetLongArrayRegion(env, values, 0, COUNT(found), found);
	return 0;
}

/* Six numbers for each filled entry: port, index, type, index of the network interface, and the GID in two halves. */
static jint JNICALL query_gid_table(STATIC_METHOD, jlong cell, jlongArray values)
{
	struct ibv_context *context = handle(cell);
	if (context == NULL) {
		return CLOSED;
	}
	if (verbs.query_gid_table == NULL) {
		return -EOPNOTSUPP;
	}
	const jint width = 6;
	size_t max = (size_t) ((*env)->GetArrayLength(env, values) / width);
	struct ibv_gid_entry *entries = calloc(max, sizeof(*entries));
	if (entries == NULL) {
		return -ENOMEM;
	}
	ssize_t count = verbs.query_gid_table(context, entries, max, 0, sizeof(*entries));
	for (ssize_t i = 0; i < count; i++) {
		uint64_t high;
		uint64_t low;
		memcpy(&high, entries[i].gid.raw, sizeof(high));
		memcpy(&low, entries[i].gid.raw + sizeof(high), sizeof(low));
		const jlong entry[] = {
			entries[i].port_num, entries[i].gid_index, entries[i].gid_type, entries[i].ndev_ifindex,
			(jlong) be64toh(high), (jlong) be64toh(low),
		};
		(*env)->SetLongArrayRegion(env, values, (jsize) i * width, width, entry);
	}
	free(entries);
	return (count < 0 && count != -1) ? (jint) count : (count < 0) ? (jint) failure() : (jint) count;
}

/*
 * Wait for an event: 1 with its type, the number of the resource and the port, 0 if none came, -ECANCELED if woken up. It is
 * acknowledged before this returns, so that the resource can be destroyed whatever becomes of the event.
 */
static jint JNICALL await_event(STATIC_METHOD, jlong cell, jint wakeup, jint millis, jlongArray values)
{
	struct ibv_context *context = handle(cell);
	if (context == NULL) {
		return CLOSED;
	}
	struct pollfd fds[] = { { .fd = wakeup, .events = POLLIN }, { .fd = context->async_fd, .events = POLLIN } };
	int ready = poll(fds, 2, millis);
	if (ready <= 0) {
		return (ready == 0 || errno == EINTR) ? 0 : (jint) failure();
	}
	if (fds[0].revents != 0) {
		return -ECANCELED;
	}
	struct ibv_async_event event;
	errno = 0;
	if (verbs.get_async_event(context, &event) != 0) {
		return (errno == EAGAIN) ? 0 : (jint) failure();
	}
	void *resource = NULL;
	jlong port = 0;
	switch (event.event_type) {
	case IBV_EVENT_CQ_ERR:
		resource = event.element.cq->cq_context;
		break;
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
	case IBV_EVENT_COMM_EST:
	case IBV_EVENT_SQ_DRAINED:
	case IBV_EVENT_PATH_MIG:
	case IBV_EVENT_PATH_MIG_ERR:
	case IBV_EVENT_QP_LAST_WQE_REACHED:
		resource = event.element.qp->qp_context;
		break;
	case IBV_EVENT_SRQ_ERR:
	case IBV_EVENT_SRQ_LIMIT_REACHED:
		resource = event.element.srq->srq_context;
		break;
	case IBV_EVENT_PORT_ACTIVE:
	case IBV_EVENT_PORT_ERR:
	case IBV_EVENT_LID_CHANGE:
	case IBV_EVENT_PKEY_CHANGE:
	case IBV_EVENT_SM_CHANGE:
	case IBV_EVENT_CLIENT_REREGISTER:
	case IBV_EVENT_GID_CHANGE:
		port = event.element.port_num;
		break;
	default:
		break;
	}
	const jlong found[] = { event.event_type, address(resource), port };
	verbs.ack_async_event(&event);
	(*env)->SetLongArrayRegion(env, values, 0, COUNT(found), found);
	return 1;
}

static jlong JNICALL allocate_protection_domain(STATIC_METHOD, jlong context)
{
	errno = 0;
	struct ibv_pd *pd = verbs.alloc_pd(pointer(context));
	return (pd == NULL) ? failure() : address(pd);
}

static jint JNICALL deallocate_protection_domain(STATIC_METHOD, jlong pd)
{
	return result(verbs.dealloc_pd(pointer(pd)));
}

const JNINativeMethod device_methods[] = {
	METHOD("devices", "()[Ljava/lang/String;", devices),
	METHOD("openDevice", "(Ljava/lang/String;)J", open_device),
	METHOD("closeDevice", "(J)I", close_device),
	METHOD("queryDevice", "(J[J[B)I", query_device),
	METHOD("queryOnDemand", "(J)I", query_on_demand),
	METHOD("queryPort", "(JI[J)I", query_port),
	METHOD("queryGidTable", "(J[J)I", query_gid_table),
	METHOD("awaitEvent", "(JII[J)I", await_event),
	METHOD("allocateProtectionDomain", "(J)J", allocate_protection_domain),
	METHOD("deallocateProtectionDomain", "(J)I", deallocate_protection_domain),
};
const jint device_method_count = COUNT(device_methods);
