#!/bin/sh
# Builds the C runtime (without stdio, and without what only hands numbers to the engine) natively under renamed symbols, and
# compares it with the host's C library in one process. Usage: run.sh [SEED [TEST]]. `CC` chooses the compiler. Prints a line
# for each test; fails if anything differs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
libc=$(cd "$here/../../libc" && pwd)
cc=${CC:-clang}
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

cd "$libc"
find */ -name '*.c' ! -path 'stdio/*' ! -path complex/functions.c | sort | xargs -P "$(nproc)" -I{} sh -c '
    out="$2/$(echo "$3" | tr / _).o"
    "$1" -O1 -fno-builtin -U_FORTIFY_SOURCE -std=gnu11 -Wall -Wextra -Wno-incompatible-library-redeclaration \
        -fno-pie -c "$3" -o "$out"' sh "$cc" "$build" {}
ld -r -o "$build/runtime.o" "$build"/*.c.o
objcopy --prefix-symbols=our_ "$build/runtime.o"

cd "$here"
printf '%s\n' *.c | xargs -P "$(nproc)" -I{} sh -c '
    "$1" -O1 -g -std=gnu11 -Wall -Wextra -Wno-format-nonliteral -Wno-deprecated-declarations -fno-builtin -fno-pie -c "$3" \
        -o "$2/$3.test.o"' sh "$cc" "$build" {}
"$cc" -no-pie "$build"/*.test.o "$build/runtime.o" -lm -o "$build/differential"
"$build/differential" "$@"
