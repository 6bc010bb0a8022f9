/* Binds the native methods when the library is loaded. */
#include "shim.h"

static jint bind(JNIEnv *env, jclass native, const JNINativeMethod *methods, jint count)
{
	return (*env)->RegisterNatives(env, native, methods, count);
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
	jint failed = bind(env, native, library_methods, library_method_count)
			|| bind(env, native, system_methods, system_method_count)
			|| bind(env, native, device_methods, device_method_count)
			|| bind(env, native, memory_methods, memory_method_count)
			|| bind(env, native, completion_methods, completion_method_count)
			|| bind(env, native, queue_methods, queue_method_count)
			|| bind(env, native, data_methods, data_method_count);
	(*env)->DeleteLocalRef(env, native);
	return failed ? JNI_ERR : JNI_VERSION_10;
}
