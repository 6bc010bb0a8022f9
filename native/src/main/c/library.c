/*
 * Says what this library was built for, and binds the rest. Classes of another release may not have the other methods, and JNI
 * takes all of a call or throws; so Java asks for them when it has found the version to be its own.
 */
#include "shim.h"

static jint JNICALL version(STATIC_METHOD)
{
	return SHIM_VERSION;
}

/* In the order of StructCheck.java. */
static jintArray JNICALL layout(STATIC_METHOD)
{
	static const jint values[] = {
		sizeof(struct ibv_sge),
		offsetof(struct ibv_sge, addr),
		offsetof(struct ibv_sge, length),
		offsetof(struct ibv_sge, lkey),
		sizeof(struct ibv_send_wr),
		offsetof(struct ibv_send_wr, wr_id),
		offsetof(struct ibv_send_wr, next),
		offsetof(struct ibv_send_wr, sg_list),
		offsetof(struct ibv_send_wr, num_sge),
		offsetof(struct ibv_send_wr, opcode),
		offsetof(struct ibv_send_wr, send_flags),
		offsetof(struct ibv_send_wr, imm_data),
		offsetof(struct ibv_send_wr, invalidate_rkey),
		offsetof(struct ibv_send_wr, wr.rdma.remote_addr),
		offsetof(struct ibv_send_wr, wr.rdma.rkey),
		offsetof(struct ibv_send_wr, wr.atomic.remote_addr),
		offsetof(struct ibv_send_wr, wr.atomic.compare_add),
		offsetof(struct ibv_send_wr, wr.atomic.swap),
		offsetof(struct ibv_send_wr, wr.atomic.rkey),
		sizeof(struct ibv_recv_wr),
		offsetof(struct ibv_recv_wr, wr_id),
		offsetof(struct ibv_recv_wr, next),
		offsetof(struct ibv_recv_wr, sg_list),
		offsetof(struct ibv_recv_wr, num_sge),
		sizeof(struct ibv_wc),
		offsetof(struct ibv_wc, wr_id),
		offsetof(struct ibv_wc, status),
		offsetof(struct ibv_wc, opcode),
		offsetof(struct ibv_wc, vendor_err),
		offsetof(struct ibv_wc, byte_len),
		offsetof(struct ibv_wc, imm_data),
		offsetof(struct ibv_wc, qp_num),
		offsetof(struct ibv_wc, src_qp),
		offsetof(struct ibv_wc, wc_flags),
	};
	jintArray array = (*env)->NewIntArray(env, COUNT(values));
	if (array != NULL) {
		(*env)->SetIntArrayRegion(env, array, 0, COUNT(values), values);
	}
	return array;
}

static jint bind_to(JNIEnv *env, jclass target, const JNINativeMethod *methods, jint count)
{
	return (*env)->RegisterNatives(env, target, methods, count);
}

/* What needs Linux only. Throws if the class does not have all of it. */
static void JNICALL bind_system(STATIC_METHOD, jclass target)
{
	(void) (bind_to(env, target, socket_methods, socket_method_count)
			|| bind_to(env, target, memfile_methods, memfile_method_count)
			|| bind_to(env, target, descriptor_methods, descriptor_method_count));
}

/* What needs libibverbs, and what goes with it. Throws if the class does not have all of it. */
static void JNICALL bind_verbs(STATIC_METHOD, jclass target)
{
	(void) (bind_to(env, target, verbs_methods, verbs_method_count)
			|| bind_to(env, target, system_methods, system_method_count)
			|| bind_to(env, target, descriptor_methods, descriptor_method_count)
			|| bind_to(env, target, device_methods, device_method_count)
			|| bind_to(env, target, memory_methods, memory_method_count)
			|| bind_to(env, target, completion_methods, completion_method_count)
			|| bind_to(env, target, queue_methods, queue_method_count)
			|| bind_to(env, target, data_methods, data_method_count));
}

const JNINativeMethod library_methods[] = {
	METHOD("version", "()I", version),
	METHOD("layout", "()[I", layout),
	METHOD("bindSystem", "(Ljava/lang/Class;)V", bind_system),
	METHOD("bindVerbs", "(Ljava/lang/Class;)V", bind_verbs),
};
const jint library_method_count = COUNT(library_methods);
