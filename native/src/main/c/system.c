/* System calls that the Java side needs around the verbs. */
#define _GNU_SOURCE
#include <net/if.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim.h"

/* The binary logarithm of the size, where the kernel looks for it: MAP_HUGE_2MB, which old headers do not have. */
#define HUGE_PAGES_OF_2_MIB (21 << 26)

#define MEMBARRIER_PRIVATE_EXPEDITED (1 << 3)
#define MEMBARRIER_REGISTER_PRIVATE_EXPEDITED (1 << 4)

static jint JNICALL page_size(STATIC_METHOD)
{
	return (jint) sysconf(_SC_PAGESIZE);
}

/* Ask for the right to call barrier(). */
static jint JNICALL register_barrier(STATIC_METHOD)
{
	return (syscall(SYS_membarrier, MEMBARRIER_REGISTER_PRIVATE_EXPEDITED, 0) == 0) ? 0 : (jint) failure();
}

/* Make every running thread of the process execute a full memory barrier. */
static jint JNICALL barrier(STATIC_METHOD)
{
	return (syscall(SYS_membarrier, MEMBARRIER_PRIVATE_EXPEDITED, 0) == 0) ? 0 : (jint) failure();
}

/* The size of huge pages is given, since the default of a system can be another: 1 GiB, or 512 MiB on some AArch64. */
static jlong JNICALL map(STATIC_METHOD, jlong length, jboolean huge)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | (huge ? MAP_HUGETLB | HUGE_PAGES_OF_2_MIB : 0);
	void *memory = mmap(NULL, (size_t) length, PROT_READ | PROT_WRITE, flags, -1, 0);
	return (memory == MAP_FAILED) ? failure() : address(memory);
}

/* Put fresh zero pages in the place of others, which are free at once. */
static jint JNICALL replace(STATIC_METHOD, jlong start, jlong length)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
	void *memory = mmap(pointer(start), (size_t) length, PROT_READ | PROT_WRITE, flags, -1, 0);
	return (memory == MAP_FAILED) ? (jint) failure() : 0;
}

static jint JNICALL unmap(STATIC_METHOD, jlong start, jlong length)
{
	return (munmap(pointer(start), (size_t) length) == 0) ? 0 : (jint) failure();
}

/* A child that is forked does not see the pages, so that it cannot move them away under the device. */
static jint JNICALL keep_from_children(STATIC_METHOD, jlong start, jlong length)
{
	return (madvise(pointer(start), (size_t) length, MADV_DONTFORK) == 0) ? 0 : (jint) failure();
}

static jobject JNICALL view(STATIC_METHOD, jlong start, jlong length)
{
	return (*env)->NewDirectByteBuffer(env, pointer(start), length);
}

static jlong JNICALL address_of(STATIC_METHOD, jobject buffer)
{
	return address((*env)->GetDirectBufferAddress(env, buffer));
}

static jstring JNICALL interface_name(STATIC_METHOD, jint index)
{
	char name[IF_NAMESIZE];
	return (if_indextoname((unsigned int) index, name) == NULL) ? NULL : (*env)->NewStringUTF(env, name);
}

const JNINativeMethod system_methods[] = {
	METHOD("pageSize", "()I", page_size),
	METHOD("registerBarrier", "()I", register_barrier),
	METHOD("barrier", "()I", barrier),
	METHOD("map", "(JZ)J", map),
	METHOD("replace", "(JJ)I", replace),
	METHOD("unmap", "(JJ)I", unmap),
	METHOD("keepFromChildren", "(JJ)I", keep_from_children),
	METHOD("view", "(JJ)Ljava/nio/ByteBuffer;", view),
	METHOD("addressOf", "(Ljava/nio/ByteBuffer;)J", address_of),
	METHOD("interfaceName", "(I)Ljava/lang/String;", interface_name),
};
const jint system_method_count = COUNT(system_methods);
