#!/bin/sh
# Builds the stand-in for libibverbs that tests and benchmarks run on, and native libraries of another release that tests load:
# build.sh OUTPUT_DIRECTORY. Without gcc and the headers of rdma-core and of a JDK nothing is built, and what needs it is not run.
set -eu

output=$1
source=$(dirname "$0")
[ "$(uname -s)" = Linux ] && [ "${RDMA_NATIVE:-auto}" != off ] || exit 0
echo '#include <infiniband/verbs.h>' | gcc -E - >/dev/null 2>&1 || exit 0
java=${JAVA_HOME:-}
[ -f "$java/include/jni.h" ] || java=$(dirname "$(dirname "$(readlink -f "$(command -v javac || command -v java)")")")
[ -f "$java/include/jni.h" ] || exit 0
mkdir -p "$output"

# build LIBRARY SOURCE [OPTION]...
build() {
	library=$output/$1
	file=$source/$2
	shift 2
	[ ! -f "$library" ] || [ -n "$(find "$file" -newer "$library")" ] || return 0
	gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fvisibility=hidden -O2 -fPIC -shared \
		-isystem "$java/include" -isystem "$java/include/linux" "$@" -o "$library" "$file"
}

build libstandin.so standin.c
build libstale_version.so stale.c
build libstale_methods.so stale.c -DOTHER_METHODS
build libstale_class.so stale.c '-DCLASS="io/rdma/verbs/ibv/Native"'
