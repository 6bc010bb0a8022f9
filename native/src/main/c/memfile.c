/* Files in memory. memfd_create is newer than the oldest C library this runs with, and so are the numbers of its seals. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim.h"

#ifndef F_ADD_SEALS
#define F_ADD_SEALS (1024 + 9)
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

const JNINativeMethod memfile_methods[] = {
	METHOD("createMemoryFile", "(I)I", create_memory_file),
	METHOD("truncate", "(IJ)I", truncate_file),
	METHOD("addSeals", "(II)I", add_seals),
};
const jint memfile_method_count = COUNT(memfile_methods);
