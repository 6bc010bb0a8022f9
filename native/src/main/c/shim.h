/*
 * What the files of the shim share. Each native method is one verb or one system call: no policy, no state. Errors come back
 * as negative error numbers, pointers and counts as positive numbers.
 */
#ifndef RDMA_SHIM_H
#define RDMA_SHIM_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/verbs.h>
#include <jni.h>

/*
 * Raised with every change of a native method or of an array that is passed: Java compares it when it loads the library. The
 * methods in library.c stay as they are, since they are called before that.
 */
#define SHIM_VERSION 3

/* The first parameters of every static native method. */
#define STATIC_METHOD JNIEnv *env __attribute__((unused)), jclass type __attribute__((unused))

/* What a method returns of a handle that was closed. */
#define CLOSED (-ESHUTDOWN)

/* The functions of libibverbs that are symbols; the others go through the operations of a context. */
struct verbs_functions {
	struct ibv_device **(*get_device_list)(int *);
	void (*free_device_list)(struct ibv_device **);
	const char *(*get_device_name)(struct ibv_device *);
	__be64 (*get_device_guid)(struct ibv_device *);
	struct ibv_context *(*open_device)(struct ibv_device *);
	int (*close_device)(struct ibv_context *);
	int (*query_device)(struct ibv_context *, struct ibv_device_attr *);
	int (*query_port)(struct ibv_context *, uint8_t, struct _compat_ibv_port_attr *);
	ssize_t (*query_gid_table)(struct ibv_context *, struct ibv_gid_entry *, size_t, uint32_t, size_t);
	int (*get_async_event)(struct ibv_context *, struct ibv_async_event *);
	void (*ack_async_event)(struct ibv_async_event *);
	struct ibv_pd *(*alloc_pd)(struct ibv_context *);
	int (*dealloc_pd)(struct ibv_pd *);
	struct ibv_mr *(*reg_mr)(struct ibv_pd *, void *, size_t, int);
	int (*dereg_mr)(struct ibv_mr *);
	struct ibv_comp_channel *(*create_comp_channel)(struct ibv_context *);
	int (*destroy_comp_channel)(struct ibv_comp_channel *);
	struct ibv_cq *(*create_cq)(struct ibv_context *, int, void *, struct ibv_comp_channel *, int);
	int (*destroy_cq)(struct ibv_cq *);
	int (*get_cq_event)(struct ibv_comp_channel *, struct ibv_cq **, void **);
	void (*ack_cq_events)(struct ibv_cq *, unsigned int);
	struct ibv_qp *(*create_qp)(struct ibv_pd *, struct ibv_qp_init_attr *);
	int (*modify_qp)(struct ibv_qp *, struct ibv_qp_attr *, int);
	int (*query_qp)(struct ibv_qp *, struct ibv_qp_attr *, int, struct ibv_qp_init_attr *);
	int (*destroy_qp)(struct ibv_qp *);
	struct ibv_srq *(*create_srq)(struct ibv_pd *, struct ibv_srq_init_attr *);
	int (*query_srq)(struct ibv_srq *, struct ibv_srq_attr *);
	int (*modify_srq)(struct ibv_srq *, struct ibv_srq_attr *, int);
	int (*destroy_srq)(struct ibv_srq *);
};

extern struct verbs_functions verbs;

/*
 * The handles that one thread can close while another uses them are not passed themselves, but as the address of a cell that
 * holds the handle, and zero once it is closed. Java has said which cell it uses before the call, and whoever closes waits
 * until nobody does; see Handle.java.
 */
static inline void *handle(jlong cell)
{
	return (void *) (uintptr_t) __atomic_load_n((const uint64_t *) (uintptr_t) cell, __ATOMIC_ACQUIRE);
}

static inline void *pointer(jlong address)
{
	return (void *) (uintptr_t) address;
}

static inline jlong address(const void *pointer)
{
	return (jlong) (uintptr_t) pointer;
}

/* The error number of a call that returned no pointer. Some providers forget to set one. */
static inline jlong failure(void)
{
	return -((errno > 0) ? errno : EIO);
}

/* Verbs return 0, or an error number, or in old providers -1 with errno or a negative error number. */
static inline int result(int returned)
{
	if (returned == -1) {
		return (int) failure();
	}
	return (returned > 0) ? -returned : returned;
}

extern const JNINativeMethod completion_methods[];
extern const jint completion_method_count;
extern const JNINativeMethod data_methods[];
extern const jint data_method_count;
extern const JNINativeMethod descriptor_methods[];
extern const jint descriptor_method_count;
extern const JNINativeMethod device_methods[];
extern const jint device_method_count;
extern const JNINativeMethod library_methods[];
extern const jint library_method_count;
extern const JNINativeMethod memfile_methods[];
extern const jint memfile_method_count;
extern const JNINativeMethod memory_methods[];
extern const jint memory_method_count;
extern const JNINativeMethod queue_methods[];
extern const jint queue_method_count;
extern const JNINativeMethod socket_methods[];
extern const jint socket_method_count;
extern const JNINativeMethod system_methods[];
extern const jint system_method_count;
extern const JNINativeMethod verbs_methods[];
extern const jint verbs_method_count;

#define METHOD(name, signature, function) { (char *) (name), (char *) (signature), (void *) (function) }
#define COUNT(array) ((jint) (sizeof(array) / sizeof((array)[0])))

#endif
