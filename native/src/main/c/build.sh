#!/bin/sh
# Builds the native library for Linux on x86_64 and aarch64, with the compiler of this machine and a cross compiler.
#
#   build.sh OUTPUT_DIRECTORY WORK_DIRECTORY
#
# Needs gcc, the headers of rdma-core (1 or later) and of a JDK (JAVA_HOME). What is missing is installed if this is Debian or
# Ubuntu and we are root; otherwise it is named. Without them the jar is built without the library, which then runs on the
# software device only. RDMA_NATIVE=required makes that a failure, RDMA_NATIVE=off skips everything here.
set -eu

output=$1
work=$2
source=$(cd "$(dirname "$0")" && pwd)
mode=${RDMA_NATIVE:-auto}

say() { echo "native library: $*"; }

give_up() {
	say "$*"
	[ "$mode" != required ] || exit 1
	exit 0
}

[ "$mode" != off ] || give_up "skipped (RDMA_NATIVE=off)"
[ "$(uname -s)" = Linux ] || give_up "skipped, it is for Linux"

this=$(uname -m)
case $this in
x86_64) other=aarch64; packages="gcc-aarch64-linux-gnu libc6-dev-arm64-cross" ;;
aarch64) other=x86_64; packages="gcc-x86-64-linux-gnu libc6-dev-amd64-cross" ;;
*) give_up "skipped, it is for x86_64 and aarch64 and this is $this" ;;
esac

has_compiler() { command -v gcc >/dev/null 2>&1 && echo '#include <stdint.h>' | gcc -E - >/dev/null 2>&1; }
has_verbs() { echo '#include <infiniband/verbs.h>' | gcc -E - >/dev/null 2>&1; }
has_cross() { command -v "$other-linux-gnu-gcc" >/dev/null 2>&1 && [ -e "/usr/$other-linux-gnu/lib/libc.so.6" ]; }

missing=
has_compiler || missing="$missing gcc libc6-dev"
{ has_compiler && has_verbs; } || missing="$missing libibverbs-dev"
has_cross || missing="$missing $packages"
if [ -n "$missing" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	say "installing$missing"
	# shellcheck disable=SC2086
	{ apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing; } \
		>"$work.apt.log" 2>&1 || say "they cannot be installed, see $work.apt.log"
fi
has_compiler || give_up "not built: gcc is missing (Debian, Ubuntu: gcc libc6-dev; Fedora, Red Hat: gcc)"
has_verbs || give_up "not built: the headers of libibverbs are missing (Debian, Ubuntu: libibverbs-dev; Fedora, Red Hat: rdma-core-devel; Arch, SUSE: rdma-core)"

java=${JAVA_HOME:-}
[ -f "$java/include/jni.h" ] || java=$(dirname "$(dirname "$(readlink -f "$(command -v javac || command -v java)")")")
[ -f "$java/include/jni.h" ] || give_up "not built: there is no include/jni.h in JAVA_HOME ($java); use a JDK with headers"

mkdir -p "$output" "$work/include"
# the cross compiler does not look where the machine's own headers are, but those of verbs fit every machine
verbs=$(echo '#include <infiniband/verbs.h>' | gcc -M -x c - | tr ' ' '\n' | grep 'infiniband/verbs.h$' | head -1)
ln -sfn "$(dirname "$verbs")" "$work/include/infiniband"

flags="-std=c11 -D_DEFAULT_SOURCE -Wall -Wextra -Werror -fvisibility=hidden -O2 -fPIC -fstack-protector-strong"
link="-shared -Wl,--version-script=$source/shim.map -Wl,-z,relro,-z,now,-z,noexecstack -Wl,--build-id=sha1 -Wl,--no-as-needed -l:libdl.so.2"

build() {
	compiler=$1
	target=$output/librdma_verbs_$2.so
	if [ -f "$target" ] && [ -z "$(find "$source" -newer "$target" -type f)" ]; then
		return
	fi
	say "building $(basename "$target")"
	# shellcheck disable=SC2086
	"$compiler" $flags -isystem "$java/include" -isystem "$java/include/linux" -isystem "$work/include" \
		-o "$target.new" "$source"/*.c $link
	mv "$target.new" "$target"
}

build gcc "$this"
if has_cross; then
	build "$other-linux-gnu-gcc" "$other"
else
	say "not built for $other: the cross compiler is missing (Debian, Ubuntu: $packages)"
	[ "$mode" != required ] || exit 1
fi
