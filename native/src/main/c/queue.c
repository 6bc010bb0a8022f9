/* Queue pairs and shared receive queues. */
#include <endian.h>
#include <string.h>

#include "shim.h"

/* Places in the array of attributes, as in QueuePairCodec.java. */
enum attribute {
	STATE, CURRENT_STATE, PATH_MTU, RQ_PSN, SQ_PSN, DEST_QP_NUMBER, ACCESS_FLAGS, PKEY_INDEX, SQD_NOTIFY, MAX_RD_ATOMIC,
	MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER, PORT, TIMEOUT, RETRY_COUNT, RNR_RETRY, DLID, SERVICE_LEVEL, AH_PORT, IS_GLOBAL,
	DGID_HIGH, DGID_LOW, FLOW_LABEL, SGID_INDEX, HOP_LIMIT, TRAFFIC_CLASS, MAX_SEND_WR, MAX_RECV_WR, MAX_SEND_SGE,
	MAX_RECV_SGE, MAX_INLINE, ATTRIBUTES
};

static void put_half(union ibv_gid *gid, size_t offset, jlong value)
{
	uint64_t bytes = htobe64((uint64_t) value);
	memcpy(gid->raw + offset, &bytes, sizeof(bytes));
}

static jlong get_half(const union ibv_gid *gid, size_t offset)
{
	uint64_t bytes;
	memcpy(&bytes, gid->raw + offset, sizeof(bytes));
	return (jlong) be64toh(bytes);
}

/* In: the queues, whether all is signaled, the sizes and the number. Out: the QP number and the sizes granted. */
static jlong JNICALL create_queue_pair(STATIC_METHOD, jlong pd, jlong send_cq, jlong recv_cq, jlong srq, jboolean signal_all,
		jlong number, jintArray sizes)
{
	jint wanted[6];
	(*env)->GetIntArrayRegion(env, sizes, 0, COUNT(wanted), wanted);
	struct ibv_qp_init_attr attr = {
		.qp_context = pointer(number),
		.send_cq = pointer(send_cq),
		.recv_cq = pointer(recv_cq),
		.srq = pointer(srq),
		.cap = {
			.max_send_wr = (uint32_t) wanted[0],
			.max_recv_wr = (uint32_t) wanted[1],
			.max_send_sge = (uint32_t) wanted[2],
			.max_recv_sge = (uint32_t) wanted[3],
			.max_inline_data = (uint32_t) wanted[4],
		},
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = signal_all ? 1 : 0,
	};
	errno = 0;
	struct ibv_qp *qp = verbs.create_qp(pointer(pd), &attr);
	if (qp == NULL) {
		return failure();
	}
	const jint granted[] = {
		(jint) attr.cap.max_send_wr, (jint) attr.cap.max_recv_wr, (jint) attr.cap.max_send_sge,
		(jint) attr.cap.max_recv_sge, (jint) attr.cap.max_inline_data, (jint) qp->qp_num,
	};
	(*env)->SetIntArrayRegion(env, sizes, 0, COUNT(granted), granted);
	return address(qp);
}

static jint JNICALL modify_queue_pair(STATIC_METHOD, jlong cell, jlongArray values, jint mask)
{
	struct ibv_qp *qp = handle(cell);
	if (qp == NULL) {
		return CLOSED;
	}
	jlong v[ATTRIBUTES];
	(*env)->GetLongArrayRegion(env, values, 0, ATTRIBUTES, v);
	struct ibv_qp_attr attr = {
		.qp_state = (enum ibv_qp_state) v[STATE],
		.cur_qp_state = (enum ibv_qp_state) v[CURRENT_STATE],
		.path_mtu = (enum ibv_mtu) v[PATH_MTU],
		.rq_psn = (uint32_t) v[RQ_PSN],
		.sq_psn = (uint32_t) v[SQ_PSN],
		.dest_qp_num = (uint32_t) v[DEST_QP_NUMBER],
		.qp_access_flags = (unsigned int) v[ACCESS_FLAGS],
		.cap = {
			.max_send_wr = (uint32_t) v[MAX_SEND_WR],
			.max_recv_wr = (uint32_t) v[MAX_RECV_WR],
			.max_send_sge = (uint32_t) v[MAX_SEND_SGE],
			.max_recv_sge = (uint32_t) v[MAX_RECV_SGE],
			.max_inline_data = (uint32_t) v[MAX_INLINE],
		},
		.ah_attr = {
			.grh = {
				.flow_label = (uint32_t) v[FLOW_LABEL],
				.sgid_index = (uint8_t) v[SGID_INDEX],
				.hop_limit = (uint8_t) v[HOP_LIMIT],
				.traffic_class = (uint8_t) v[TRAFFIC_CLASS],
			},
			.dlid = (uint16_t) v[DLID],
			.sl = (uint8_t) v[SERVICE_LEVEL],
			.is_global = (uint8_t) v[IS_GLOBAL],
			.port_num = (uint8_t) v[AH_PORT],
		},
		.pkey_index = (uint16_t) v[PKEY_INDEX],
		.en_sqd_async_notify = (uint8_t) v[SQD_NOTIFY],
		.max_rd_atomic = (uint8_t) v[MAX_RD_ATOMIC],
		.max_dest_rd_atomic = (uint8_t) v[MAX_DEST_RD_ATOMIC],
		.min_rnr_timer = (uint8_t) v[MIN_RNR_TIMER],
		.port_num = (uint8_t) v[PORT],
		.timeout = (uint8_t) v[TIMEOUT],
		.retry_cnt = (uint8_t) v[RETRY_COUNT],
		.rnr_retry = (uint8_t) v[RNR_RETRY],
	};
	put_half(&attr.ah_attr.grh.dgid, 0, v[DGID_HIGH]);
	put_half(&attr.ah_attr.grh.dgid, 8, v[DGID_LOW]);
	return result(verbs.modify_qp(qp, &attr, mask));
}

static jint JNICALL query_queue_pair(STATIC_METHOD, jlong cell, jlongArray values, jint mask)
{
	struct ibv_qp *qp = handle(cell);
	if (qp == NULL) {
		return CLOSED;
	}
	struct ibv_qp_attr attr;
	struct ibv_qp_init_attr init;
	memset(&attr, 0, sizeof(attr));
	memset(&init, 0, sizeof(init));
	int rc = result(verbs.query_qp(qp, &attr, mask, &init));
	if (rc != 0) {
		return rc;
	}
	const jlong v[ATTRIBUTES] = {
		[STATE] = attr.qp_state,
		[CURRENT_STATE] = attr.cur_qp_state,
		[PATH_MTU] = attr.path_mtu,
		[RQ_PSN] = attr.rq_psn,
		[SQ_PSN] = attr.sq_psn,
		[DEST_QP_NUMBER] = attr.dest_qp_num,
		[ACCESS_FLAGS] = attr.qp_access_flags,
		[PKEY_INDEX] = attr.pkey_index,
		[SQD_NOTIFY] = attr.en_sqd_async_notify,
		[MAX_RD_ATOMIC] = attr.max_rd_atomic,
		[MAX_DEST_RD_ATOMIC] = attr.max_dest_rd_atomic,
		[MIN_RNR_TIMER] = attr.min_rnr_timer,
		[PORT] = attr.port_num,
		[TIMEOUT] = attr.timeout,
		[RETRY_COUNT] = attr.retry_cnt,
		[RNR_RETRY] = attr.rnr_retry,
		[DLID] = attr.ah_attr.dlid,
		[SERVICE_LEVEL] = attr.ah_attr.sl,
		[AH_PORT] = attr.ah_attr.port_num,
		[IS_GLOBAL] = attr.ah_attr.is_global,
		[DGID_HIGH] = get_half(&attr.ah_attr.grh.dgid, 0),
		[DGID_LOW] = get_half(&attr.ah_attr.grh.dgid, 8),
		[FLOW_LABEL] = attr.ah_attr.grh.flow_label,
		[SGID_INDEX] = attr.ah_attr.grh.sgid_index,
		[HOP_LIMIT] = attr.ah_attr.grh.hop_limit,
		[TRAFFIC_CLASS] = attr.ah_attr.grh.traffic_class,
		[MAX_SEND_WR] = attr.cap.max_send_wr,
		[MAX_RECV_WR] = attr.cap.max_recv_wr,
		[MAX_SEND_SGE] = attr.cap.max_send_sge,
		[MAX_RECV_SGE] = attr.cap.max_recv_sge,
		[MAX_INLINE] = attr.cap.max_inline_data,
	};
	(*env)->SetLongArrayRegion(env, values, 0, ATTRIBUTES, v);
	return 0;
}

static jint JNICALL destroy_queue_pair(STATIC_METHOD, jlong qp)
{
	return result(verbs.destroy_qp(pointer(qp)));
}

static jlong JNICALL create_shared_receive_queue(STATIC_METHOD, jlong pd, jlong number, jintArray sizes)
{
	jint wanted[2];
	(*env)->GetIntArrayRegion(env, sizes, 0, COUNT(wanted), wanted);
	struct ibv_srq_init_attr attr = {
		.srq_context = pointer(number),
		.attr = { .max_wr = (uint32_t) wanted[0], .max_sge = (uint32_t) wanted[1] },
	};
	errno = 0;
	struct ibv_srq *srq = verbs.create_srq(pointer(pd), &attr);
	if (srq == NULL) {
		return failure();
	}
	const jint granted[] = { (jint) attr.attr.max_wr, (jint) attr.attr.max_sge };
	(*env)->SetIntArrayRegion(env, sizes, 0, COUNT(granted), granted);
	return address(srq);
}

/* The receives that it holds, which some devices tell only when they are asked. */
static jint JNICALL query_shared_receive_queue(STATIC_METHOD, jlong srq)
{
	struct ibv_srq_attr attr;
	memset(&attr, 0, sizeof(attr));
	int rc = result(verbs.query_srq(pointer(srq), &attr));
	return (rc != 0) ? rc : (jint) attr.max_wr;
}

static jint JNICALL arm_limit(STATIC_METHOD, jlong cell, jint limit)
{
	struct ibv_srq *srq = handle(cell);
	if (srq == NULL) {
		return CLOSED;
	}
	struct ibv_srq_attr attr = { .srq_limit = (uint32_t) limit };
	return result(verbs.modify_srq(srq, &attr, IBV_SRQ_LIMIT));
}

static jint JNICALL destroy_shared_receive_queue(STATIC_METHOD, jlong srq)
{
	return result(verbs.destroy_srq(pointer(srq)));
}

const JNINativeMethod queue_methods[] = {
	METHOD("createQueuePair", "(JJJJZJ[I)J", create_queue_pair),
	METHOD("modifyQueuePair", "(J[JI)I", modify_queue_pair),
	METHOD("queryQueuePair", "(J[JI)I", query_queue_pair),
	METHOD("destroyQueuePair", "(J)I", destroy_queue_pair),
	METHOD("createSharedReceiveQueue", "(JJ[I)J", create_shared_receive_queue),
	METHOD("querySharedReceiveQueue", "(J)I", query_shared_receive_queue),
	METHOD("armLimit", "(JI)I", arm_limit),
	METHOD("destroySharedReceiveQueue", "(J)I", destroy_shared_receive_queue),
};
const jint queue_method_count = COUNT(queue_methods);
