/*
 * Binds the native methods. When the library is loaded, only those that tell its version: classes of another release may not
 * have the others, and JNI takes all of a call or throws. The others follow when Java has found the version to be its own.
 */
#include "shim.h"

static jint bind_to(JNIEnv *env, jclass native, const JNINativeMethod *methods, jint count)
{
	return (*env)->RegisterNatives(env, native, methods, count);
}

void JNICALL bind_methods(JNIEnv *env, jclass native)
{
	/* each throws if it fails */
	(void) (bind_to(env, native, system_methods, system_method_count)
			|| bind_to(env, native, device_methods, device_method_count)
			|| bind_to(env, native, memory_methods, memory_method_count)
			|| bind_to(env, native, completion_methods, completion_method_count)
			|| bind_to(env, native, queue_methods, queue_method_count)
			|| bind_to(env, native, data_methods, data_method_count));
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved __attribute__((unused)))
{
	JNIEnv *env;
	if ((*vm)->GetEnv(vm, (void **) &env, JNI_VERSION_10) != JNI_OK) {
		return JNI_ERR;
	}
	jclass native = (*env)->FindClass(env, "io/rdma/verbs/ibv/Native");
	if (native == NULL) {
		return JNI_ERR;
	}
	jint failed = bind_to(env, native, library_methods, library_method_count);
	(*env)->DeleteLocalRef(env, native);
	return failed ? JNI_ERR : JNI_VERSION_10;
}
