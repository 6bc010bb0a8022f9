/* Opens libibverbs. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "shim.h"

#if defined(__x86_64__)
/* These moved from libdl to libc in glibc 2.34; the old versions are in both. */
__asm__(".symver dlopen, dlopen@GLIBC_2.2.5");
__asm__(".symver dlsym, dlsym@GLIBC_2.2.5");
__asm__(".symver dlvsym, dlvsym@GLIBC_2.2.5");
__asm__(".symver dlerror, dlerror@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver dlopen, dlopen@GLIBC_2.17");
__asm__(".symver dlsym, dlsym@GLIBC_2.17");
__asm__(".symver dlvsym, dlvsym@GLIBC_2.17");
__asm__(".symver dlerror, dlerror@GLIBC_2.17");
#endif

struct verbs_functions verbs;

static const struct symbol {
	const char *name;
	const char *version;
	void *target;
	int optional;
} symbols[] = {
	{ "ibv_get_device_list", "IBVERBS_1.1", &verbs.get_device_list, 0 },
	{ "ibv_free_device_list", "IBVERBS_1.1", &verbs.free_device_list, 0 },
	{ "ibv_get_device_name", "IBVERBS_1.1", &verbs.get_device_name, 0 },
	{ "ibv_get_device_guid", "IBVERBS_1.1", &verbs.get_device_guid, 0 },
	{ "ibv_open_device", "IBVERBS_1.1", &verbs.open_device, 0 },
	{ "ibv_close_device", "IBVERBS_1.1", &verbs.close_device, 0 },
	{ "ibv_query_device", "IBVERBS_1.1", &verbs.query_device, 0 },
	{ "ibv_query_port", "IBVERBS_1.1", &verbs.query_port, 0 },
	{ "_ibv_query_gid_table", "IBVERBS_1.11", &verbs.query_gid_table, 1 },
	{ "ibv_get_async_event", "IBVERBS_1.1", &verbs.get_async_event, 0 },
	{ "ibv_ack_async_event", "IBVERBS_1.1", &verbs.ack_async_event, 0 },
	{ "ibv_alloc_pd", "IBVERBS_1.1", &verbs.alloc_pd, 0 },
	{ "ibv_dealloc_pd", "IBVERBS_1.1", &verbs.dealloc_pd, 0 },
	{ "ibv_reg_mr", "IBVERBS_1.1", &verbs.reg_mr, 0 },
	{ "ibv_dereg_mr", "IBVERBS_1.1", &verbs.dereg_mr, 0 },
	{ "ibv_create_comp_channel", "IBVERBS_1.0", &verbs.create_comp_channel, 0 },
	{ "ibv_destroy_comp_channel", "IBVERBS_1.0", &verbs.destroy_comp_channel, 0 },
	{ "ibv_create_cq", "IBVERBS_1.1", &verbs.create_cq, 0 },
	{ "ibv_destroy_cq", "IBVERBS_1.1", &verbs.destroy_cq, 0 },
	{ "ibv_get_cq_event", "IBVERBS_1.1", &verbs.get_cq_event, 0 },
	{ "ibv_ack_cq_events", "IBVERBS_1.1", &verbs.ack_cq_events, 0 },
	{ "ibv_create_qp", "IBVERBS_1.1", &verbs.create_qp, 0 },
	{ "ibv_modify_qp", "IBVERBS_1.1", &verbs.modify_qp, 0 },
	{ "ibv_query_qp", "IBVERBS_1.1", &verbs.query_qp, 0 },
	{ "ibv_destroy_qp", "IBVERBS_1.1", &verbs.destroy_qp, 0 },
	{ "ibv_create_srq", "IBVERBS_1.1", &verbs.create_srq, 0 },
	{ "ibv_query_srq", "IBVERBS_1.1", &verbs.query_srq, 0 },
	{ "ibv_modify_srq", "IBVERBS_1.1", &verbs.modify_srq, 0 },
	{ "ibv_destroy_srq", "IBVERBS_1.1", &verbs.destroy_srq, 0 },
};

static jstring JNICALL open_library(STATIC_METHOD, jstring name)
{
	const char *file = (*env)->GetStringUTFChars(env, name, NULL);
	if (file == NULL) {
		return NULL;
	}
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	(*env)->ReleaseStringUTFChars(env, name, file);
	if (library == NULL) {
		return (*env)->NewStringUTF(env, dlerror());
	}
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		void *function = dlvsym(library, symbols[i].name, symbols[i].version);
		if (function == NULL) {
			function = dlsym(library, symbols[i].name);
		}
		if (function == NULL && !symbols[i].optional) {
			return (*env)->NewStringUTF(env, dlerror());
		}
		*(void **) symbols[i].target = function;
	}
	return NULL;
}

const JNINativeMethod verbs_methods[] = {
	METHOD("openLibrary", "(Ljava/lang/String;)Ljava/lang/String;", open_library),
};
const jint verbs_method_count = COUNT(verbs_methods);
