/* Memory regions and memory windows. */
#include "shim.h"

static jlong JNICALL register_memory(STATIC_METHOD, jlong pd, jlong start, jlong length, jint access, jintArray keys)
{
	errno = 0;
	struct ibv_mr *mr = verbs.reg_mr(pointer(pd), pointer(start), (size_t) length, access);
	if (mr == NULL) {
		return failure();
	}
	const jint found[] = { (jint) mr->lkey, (jint) mr->rkey };
	(*env)->SetIntArrayRegion(env, keys, 0, COUNT(found), found);
	return address(mr);
}

static jint JNICALL deregister_memory(STATIC_METHOD, jlong mr)
{
	return result(verbs.dereg_mr(pointer(mr)));
}

static jlong JNICALL allocate_window(STATIC_METHOD, jlong pd, jintArray keys)
{
	struct ibv_pd *domain = pointer(pd);
	if (domain->context->ops.alloc_mw == NULL) {
		return -EOPNOTSUPP;
	}
	errno = 0;
	struct ibv_mw *mw = ibv_alloc_mw(domain, IBV_MW_TYPE_2);
	if (mw == NULL) {
		return failure();
	}
	const jint found[] = { (jint) mw->rkey };
	(*env)->SetIntArrayRegion(env, keys, 0, COUNT(found), found);
	return address(mw);
}

static jint JNICALL deallocate_window(STATIC_METHOD, jlong mw)
{
	return result(ibv_dealloc_mw(pointer(mw)));
}

const JNINativeMethod memory_methods[] = {
	METHOD("registerMemory", "(JJJI[I)J", register_memory),
	METHOD("deregisterMemory", "(J)I", deregister_memory),
	METHOD("allocateWindow", "(J[I)J", allocate_window),
	METHOD("deallocateWindow", "(J)I", deallocate_window),
};
const jint memory_method_count = COUNT(memory_methods);
