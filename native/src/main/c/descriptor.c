/* File descriptors, and those by which one thread wakes another that polls. */
#include <sys/eventfd.h>
#include <unistd.h>

#include "shim.h"

static jint JNICALL create_wakeup(STATIC_METHOD)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return (fd < 0) ? (jint) failure() : fd;
}

static jint JNICALL wakeup(STATIC_METHOD, jint fd)
{
	return (eventfd_write(fd, 1) == 0) ? 0 : (jint) failure();
}

static jint JNICALL close_descriptor(STATIC_METHOD, jint fd)
{
	return (close(fd) == 0) ? 0 : (jint) failure();
}

const JNINativeMethod descriptor_methods[] = {
	METHOD("createWakeup", "()I", create_wakeup),
	METHOD("wakeup", "(I)I", wakeup),
	METHOD("close", "(I)I", close_descriptor),
};
const jint descriptor_method_count = COUNT(descriptor_methods);
