/* The fast path: one call posts a chain or polls a batch, in the memory that Java writes and reads. */
#include "shim.h"

/* 0, or the error number below and the place in the chain of the first work request not taken above: see Refusal.java. */
static inline jlong refusal(int returned, uint64_t distance, size_t size)
{
	if (__builtin_expect(returned == 0, 1)) {
		return 0;
	}
	return (jlong) ((distance / size) << 32) | (jlong) -result(returned);
}

static jlong JNICALL post_send(STATIC_METHOD, jlong cell, jlong chain)
{
	struct ibv_qp *qp = handle(cell);
	if (qp == NULL) {
		return CLOSED;
	}
	struct ibv_send_wr *bad = pointer(chain);
	int rc = ibv_post_send(qp, pointer(chain), &bad);
	return refusal(rc, (uint64_t) (address(bad) - chain), sizeof(*bad));
}

static jlong JNICALL post_receive(STATIC_METHOD, jlong cell, jlong chain)
{
	struct ibv_qp *qp = handle(cell);
	if (qp == NULL) {
		return CLOSED;
	}
	struct ibv_recv_wr *bad = pointer(chain);
	int rc = ibv_post_recv(qp, pointer(chain), &bad);
	return refusal(rc, (uint64_t) (address(bad) - chain), sizeof(*bad));
}

static jlong JNICALL post_shared_receive(STATIC_METHOD, jlong cell, jlong chain)
{
	struct ibv_srq *srq = handle(cell);
	if (srq == NULL) {
		return CLOSED;
	}
	struct ibv_recv_wr *bad = pointer(chain);
	int rc = ibv_post_srq_recv(srq, pointer(chain), &bad);
	return refusal(rc, (uint64_t) (address(bad) - chain), sizeof(*bad));
}

static jint JNICALL poll_queue(STATIC_METHOD, jlong cell, jlong completions, jint max)
{
	struct ibv_cq *cq = handle(cell);
	return (cq == NULL) ? CLOSED : ibv_poll_cq(cq, max, pointer(completions));
}

/* Binds with the next key of the window; key[0] is that key if it was posted. */
static jint JNICALL post_bind(STATIC_METHOD, jlong cell, jlong wr_id, jlong window, jlong region, jlong start, jlong length,
		jint access, jint flags, jintArray key)
{
	struct ibv_qp *qp = handle(cell);
	if (qp == NULL) {
		return CLOSED;
	}
	struct ibv_mw *mw = pointer(window);
	struct ibv_send_wr wr = {
		.wr_id = (uint64_t) wr_id,
		.opcode = IBV_WR_BIND_MW,
		.send_flags = (unsigned int) flags,
		.bind_mw = {
			.mw = mw,
			.rkey = ibv_inc_rkey(mw->rkey),
			.bind_info = {
				.mr = pointer(region),
				.addr = (uint64_t) start,
				.length = (uint64_t) length,
				.mw_access_flags = (unsigned int) access,
			},
		},
	};
	struct ibv_send_wr *bad = &wr;
	int rc = result(ibv_post_send(qp, &wr, &bad));
	if (rc == 0) {
		/* with windows of type 2 this is left to the caller */
		mw->rkey = wr.bind_mw.rkey;
		const jint found = (jint) mw->rkey;
		(*env)->SetIntArrayRegion(env, key, 0, 1, &found);
	}
	return rc;
}

const JNINativeMethod data_methods[] = {
	METHOD("postSend", "(JJ)J", post_send),
	METHOD("postReceive", "(JJ)J", post_receive),
	METHOD("postSharedReceive", "(JJ)J", post_shared_receive),
	METHOD("poll", "(JJI)I", poll_queue),
	METHOD("postBind", "(JJJJJJII[I)I", post_bind),
};
const jint data_method_count = COUNT(data_methods);
