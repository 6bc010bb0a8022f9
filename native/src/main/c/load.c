/* Binds the methods by which Java finds out what this library is. */
#include "shim.h"

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved __attribute__((unused)))
{
	JNIEnv *env;
	if ((*vm)->GetEnv(vm, (void **) &env, JNI_VERSION_10) != JNI_OK) {
		return JNI_ERR;
	}
	jclass type = (*env)->FindClass(env, "io/rdma/verbs/jni/LibraryCalls");
	if (type == NULL) {
		return JNI_ERR;
	}
	jint failed = (*env)->RegisterNatives(env, type, library_methods, library_method_count);
	(*env)->DeleteLocalRef(env, type);
	return failed ? JNI_ERR : JNI_VERSION_10;
}
