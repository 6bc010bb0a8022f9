#!/bin/sh
# Builds the stand-in for libibverbs that tests and benchmarks run on: build.sh OUTPUT_DIRECTORY. Without gcc and the headers of
# rdma-core nothing is built, and what needs it is not run.
set -eu

output=$1
source=$(dirname "$0")/standin.c
[ "$(uname -s)" = Linux ] && [ "${RDMA_NATIVE:-auto}" != off ] || exit 0
echo '#include <infiniband/verbs.h>' | gcc -E - >/dev/null 2>&1 || exit 0
[ ! -f "$output/libstandin.so" ] || [ -n "$(find "$source" -newer "$output/libstandin.so")" ] || exit 0
mkdir -p "$output"
gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fvisibility=hidden -O2 -fPIC -shared -o "$output/libstandin.so" "$source"
