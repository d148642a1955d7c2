#!/bin/sh
# Runs the runtime's stdio natively, under other names beside the C library's, and compares the two on seeded random
# work.
# Usage: run.sh [SEED [SCALE]]; SCALE 1, the default, takes about ten seconds in all.
set -eu
seed=${1:-1}
scale=${2:-1}
compiler=${CC:-clang}
here=$(cd "$(dirname "$0")" && pwd)
sources=$here/../../libc/stdio
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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
    "$compiler" -O1 -fno-builtin -std=gnu11 -Wall -Wextra -Werror -Wno-format -Wno-format-security \
        -Wno-deprecated-declarations "$here/$program.c" "$work/stdio.o" "$work/shim.o" -o "$work/$program"
    (cd "$work" && "./$program" "$@") || { echo "stdio: $program failed (seed $seed)" >&2; exit 1; }
}

run printf_test "$seed" $((25000 * scale))
run scanf_test "$seed" $((100000 * scale))
run streams_test "$seed" $((800 * scale))

# One program on both libraries, with and without inline functions and checked variants, to a file and to a terminal.
awk 'BEGIN { for (i = 0; i < 400; i++) print "a line of input, number", i }' >"$work/more"
{ printf 'first line\n  word 42 2.718281828 \n'; cat "$work/more"; } >"$work/input"
for flags in -O0 -O2 "-O2 -D_FORTIFY_SOURCE=2"; do
    # shellcheck disable=SC2086
    "$compiler" $flags -std=gnu11 -c "$here/program.c" -o "$work/program.o"
    "$compiler" "$work/program.o" -lm -o "$work/program.libc"
    objcopy --redefine-syms="$work/names" "$work/program.o"
    "$compiler" "$work/program.o" "$here/flush_at_exit.c" "$work/stdio.o" "$work/shim.o" -lm -o "$work/program.runtime"
    for library in libc runtime; do
        mkdir -p "$work/$library"
        cp "$work/program.$library" "$work/$library/program"
        status=0
        (cd "$work/$library" && ./program here <../input >plain 2>&1) || status=$?
        echo "status $status" >>"$work/$library/plain"
        : >"$work/$library/terminal"
        if command -v script >/dev/null; then
            (cd "$work/$library" && script -qec './program terminal <../input' /dev/null </dev/null >terminal) || true
        fi
    done
    for output in plain terminal; do
        cmp "$work/libc/$output" "$work/runtime/$output" ||
            { echo "stdio: program differs with $flags ($output)" >&2; exit 1; }
    done
done
