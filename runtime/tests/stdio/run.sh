#!/bin/sh
# Runs the runtime's stdio natively, under other names beside the C library's, and compares the two on seeded random work.
# Usage: run.sh [SEED [SCALE]]; SCALE 1, the default, takes about ten seconds in all.
set -eu
seed=${1:-1}
scale=${2:-1}
compiler=${CC:-clang}
here=$(cd "$(dirname "$0")" && pwd)
sources=$here/../../libc/stdio
work=$(mktemp -d)
#trap 'rm -rf "$work"' EXIT

for source in "$sources"/*.c; do
    "$compiler" -O1 -fno-builtin -U_FORTIFY_SOURCE -std=gnu11 -Wall -Wextra -Werror -c "$source" \
        -o "$work/$(basename "$source").o"
done
ld -r -o "$work/stdio.o" "$work"/*.c.o
nm --defined-only -g "$work/stdio.o" | awk '{ print $3, "sc_" $3 }' >"$work/names"
objcopy --redefine-syms="$work/names" "$work/stdio.o"
"$compiler" -O1 -std=gnu11 -Wall -Wextra -Werror -c "$here/shim.c" -o "$work/shim.o"

run() {
    program=$1
    shift
    "$compiler" -O1 -fno-builtin -std=gnu11 -Wall -Wextra -Werror -Wno-format -Wno-format-security -Wno-deprecated-declarations \
        "$here/$program.c" "$work/stdio.o" "$work/shim.o" -o "$work/$program"
    (cd "$work" && "./$program" "$@") || { echo "stdio: $program failed (seed $seed)" >&2; exit 1; }
}

#run printf_test "$seed" $((40000 * scale))
#run scanf_test "$seed" $((200000 * scale))
run streams_test "$seed" $((1500 * scale))
