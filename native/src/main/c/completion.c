/* Completion channels and completion queues. */
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "shim.h"

static jlong JNICALL create_channel(STATIC_METHOD, jlong context)
{
	errno = 0;
	struct ibv_comp_channel *channel = verbs.create_comp_channel(pointer(context));
	if (channel == NULL) {
		return failure();
	}
	fcntl(channel->fd, F_SETFL, fcntl(channel->fd, F_GETFL) | O_NONBLOCK);
	return address(channel);
}

static jint JNICALL destroy_channel(STATIC_METHOD, jlong channel)
{
	return result(verbs.destroy_comp_channel(pointer(channel)));
}

/*
 * Wait for a completion event: the number of the queue, 0 if none came, -ECANCELED if woken up. It is acknowledged before this
 * returns, so that the queue is never destroyed under it.
 */
static jlong JNICALL await_completion(STATIC_METHOD, jlong cell, jint wakeup, jint millis)
{
	struct ibv_comp_channel *channel = handle(cell);
	if (channel == NULL) {
		return CLOSED;
	}
	struct pollfd fds[] = { { .fd = wakeup, .events = POLLIN }, { .fd = channel->fd, .events = POLLIN } };
	int ready = poll(fds, 2, millis);
	if (ready <= 0) {
		return (ready == 0 || errno == EINTR) ? 0 : failure();
	}
	if (fds[0].revents != 0) {
		uint64_t count;
		/* with several threads waiting only one takes the wake-up: the others go on waiting */
		return (read(wakeup, &count, sizeof(count)) == sizeof(count)) ? -ECANCELED : 0;
	}
	struct ibv_cq *cq;
	void *number;
	errno = 0;
	if (verbs.get_cq_event(channel, &cq, &number) != 0) {
		return (errno == EAGAIN) ? 0 : failure();
	}
	verbs.ack_cq_events(cq, 1);
	return address(number);
}

static jlong JNICALL create_queue(STATIC_METHOD, jlong context, jint capacity, jlong channel, jlong number, jintArray granted)
{
	errno = 0;
	struct ibv_cq *cq = verbs.create_cq(pointer(context), capacity, pointer(number), pointer(channel), 0);
	if (cq == NULL) {
		return failure();
	}
	const jint found[] = { cq->cqe };
	(*env)->SetIntArrayRegion(env, granted, 0, COUNT(found), found);
	return address(cq);
}

static jint JNICALL destroy_queue(STATIC_METHOD, jlong cq)
{
	return result(verbs.destroy_cq(pointer(cq)));
}

static jint JNICALL arm(STATIC_METHOD, jlong cell, jboolean solicited_only)
{
	struct ibv_cq *cq = handle(cell);
	return (cq == NULL) ? CLOSED : result(ibv_req_notify_cq(cq, solicited_only ? 1 : 0));
}

const JNINativeMethod completion_methods[] = {
	METHOD("createCompletionChannel", "(J)J", create_channel),
	METHOD("destroyCompletionChannel", "(J)I", destroy_channel),
	METHOD("awaitCompletion", "(JII)J", await_completion),
	METHOD("createCompletionQueue", "(JIJJ[I)J", create_queue),
	METHOD("destroyCompletionQueue", "(J)I", destroy_queue),
	METHOD("arm", "(JZ)I", arm),
};
const jint completion_method_count = COUNT(completion_methods);
