/*
 * A native library of another release: of version 1, with -DOTHER_METHODS with a method that the classes do not have, so that
 * binding throws, and with -DCLASS="..." for another class, as all were before version 3.
 */
#include <jni.h>

#ifndef CLASS
#define CLASS "io/rdma/verbs/jni/LibraryCalls"
#endif

static jint JNICALL version(JNIEnv *env, jclass type)
{
	(void) env;
	(void) type;
	return 1;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
	(void) reserved;
	JNIEnv *env;
	if ((*vm)->GetEnv(vm, (void **) &env, JNI_VERSION_10) != JNI_OK) {
		return JNI_ERR;
	}
	jclass native = (*env)->FindClass(env, CLASS);
	const JNINativeMethod methods[] = {
		{ "version", "()I", (void *) version },
#ifdef OTHER_METHODS
		{ "gone", "()V", (void *) version },
#endif
	};
	if (native == NULL || (*env)->RegisterNatives(env, native, methods, sizeof(methods) / sizeof(methods[0])) != 0) {
		return JNI_ERR;
	}
	return JNI_VERSION_10;
}
