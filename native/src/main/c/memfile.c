/* Files in memory, and the memory of mapped files. memfd_create is newer than the oldest C library this runs with, and so are the numbers of its seals. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim.h"

#ifndef F_ADD_SEALS
#define F_ADD_SEALS (1024 + 9)
#define F_GET_SEALS (1024 + 10)
#endif

static jint JNICALL create_memory_file(STATIC_METHOD, jint flags)
{
	long fd = syscall(SYS_memfd_create, "rdma", (unsigned int) flags);
	return (fd < 0) ? (jint) failure() : (jint) fd;
}

static jint JNICALL truncate_file(STATIC_METHOD, jint fd, jlong length)
{
	return (ftruncate(fd, (off_t) length) == 0) ? 0 : (jint) failure();
}

static jint JNICALL add_seals(STATIC_METHOD, jint fd, jint seals)
{
	return (fcntl(fd, F_ADD_SEALS, seals) == 0) ? 0 : (jint) failure();
}

static jint JNICALL seals_of(STATIC_METHOD, jint fd)
{
	int seals = fcntl(fd, F_GET_SEALS);
	return (seals < 0) ? (jint) failure() : seals;
}

/* A file that another process has open. It does not wait if that is no file but something to read from. */
static jint JNICALL open_file_of(STATIC_METHOD, jlong process, jint descriptor)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%lld/fd/%d", (long long) process, (int) descriptor);
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return (fd < 0) ? (jint) failure() : fd;
}

/*
 * Put fresh zero pages in the place of those of a mapped file, which is let go by that. They are mapped elsewhere first: where that
 * fails, nothing has changed, while mmap on the place itself may leave a hole there.
 */
static jint JNICALL replace_pages(STATIC_METHOD, jobject buffer, jlong length)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	void *start = (*env)->GetDirectBufferAddress(env, buffer);
	void *fresh = mmap(NULL, (size_t) length, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (fresh == MAP_FAILED) {
		return (jint) failure();
	}
	if (mremap(fresh, (size_t) length, (size_t) length, MREMAP_MAYMOVE | MREMAP_FIXED, start) == MAP_FAILED) {
		jint failed = (jint) failure();
		munmap(fresh, (size_t) length);
		return failed;
	}
	return 0;
}

const JNINativeMethod memfile_methods[] = {
	METHOD("createMemoryFile", "(I)I", create_memory_file),
	METHOD("truncate", "(IJ)I", truncate_file),
	METHOD("addSeals", "(II)I", add_seals),
	METHOD("sealsOf", "(I)I", seals_of),
	METHOD("openFileOf", "(JI)I", open_file_of),
	METHOD("replacePages", "(Ljava/nio/ByteBuffer;J)I", replace_pages),
};
const jint memfile_method_count = COUNT(memfile_methods);
