#!/usr/bin/env python3
"""Shrinks a C program that behaves differently in the engine and natively, by deleting lines while it still does.

    tools/reduce.py SYMCRETE PROGRAM.c [FLAGS...]          shrinks PROGRAM.c in place
    tools/reduce.py --check SYMCRETE PROGRAM.c [FLAGS...]  status 0 and a sentence if it differs, 1 if it does not

A program counts only if it compiles without a warning of uninitialised use, missing return or the like, ends natively
within a second, and clang's sanitizers find no undefined behaviour in it: what has none of its own must not differ.
"""

import os
import subprocess
import sys
import tempfile

SUSPICIOUS = ["-Werror=uninitialized", "-Werror=sometimes-uninitialized", "-Werror=return-type", "-Werror=implicit-function-declaration",
              "-Werror=format", "-Werror=int-conversion", "-Werror=array-bounds", "-Werror=incompatible-pointer-types"]
LEVELS = ["-O0", "-O2"]


def run(command, seconds):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stdout, done.stderr


def compiled(command):
    result = run(command, 60)
    return result is not None and result[0] == 0


def is_installed(sanitizer, folder):
    empty = os.path.join(folder, "empty.c")
    with open(empty, "w") as file:
        file.write("int main(void) { return 0; }\n")
    return compiled(["clang", f"-fsanitize={sanitizer}", empty, "-o", os.path.join(folder, "empty")])


def is_defined(source, flags, folder):
    """Whether the sanitizers that are installed find nothing: memory (uninitialised use), address and undefined behaviour."""
    for sanitizer in ("memory", "address,undefined"):
        program = os.path.join(folder, "sanitized")
        if not compiled(["clang", "-w", "-O0", f"-fsanitize={sanitizer}", *flags, source, "-o", program, "-lm"]):
            if not is_installed(sanitizer, folder):
                print(f"reduce: -fsanitize={sanitizer} is not installed; undefined behaviour may be taken for a difference", file=sys.stderr)
                continue
            return False
        result = run([program], 20)
        if result is None or b"Sanitizer" in result[2] or b"runtime error" in result[2]:
            return False
    return True


def difference(symcrete, source, flags):
    """What differs, in a sentence; None if nothing does or the program does not count."""
    with tempfile.TemporaryDirectory() as folder:
        for level in LEVELS:
            native, bitcode = os.path.join(folder, "native"), os.path.join(folder, "program.bc")
            if not compiled(["clang", "-Wno-everything", *SUSPICIOUS, level, *flags, source, "-o", native, "-lm"]):
                return None
            expected = run([native], 1)
            if expected is None:
                return None
            extra = ["-Xclang", "-disable-O0-optnone"] if level == "-O0" else []
            if not compiled(["clang", "-w", "-g", level, *extra, *flags, "-emit-llvm", "-c", source, "-o", bitcode]):
                return None
            shown = run([symcrete, "run", "--time", "60", bitcode], 120)
            if shown is None or shown[0] == 3:
                continue
            # A signal shows as a negative number here and as 128 plus the signal in the engine.
            status = 128 - expected[0] if expected[0] < 0 else expected[0]
            if (status, expected[1], expected[2]) != shown and is_defined(source, flags, folder):
                return f"at {level}: natively status {status} {expected[1][-40:]!r}, in symcrete {shown[0]} {shown[1][-40:]!r} {shown[2][:200]!r}"
    return None


def block_end(lines, start):
    """The line after the one that closes the braces which the line at `start` opens; None if it opens none."""
    depth = 0
    for index in range(start, len(lines)):
        depth += lines[index].count("{") - lines[index].count("}")
        if depth <= 0:
            return index + 1 if index > start else None
    return None


def spans(lines, size):
    """What to try to delete: whole blocks for size 0, else runs of `size` lines; from the end, so that callers go first."""
    for start in reversed(range(0, len(lines), max(size, 1))):
        end = block_end(lines, start) if size == 0 else start + size
        if end is not None:
            yield start, end


def shrink(symcrete, path, flags):
    """Deletes blocks and ever smaller runs of lines (delta debugging), until nothing more can go."""
    with open(path) as file:
        lines = file.readlines()
    with tempfile.TemporaryDirectory() as folder:
        candidate = os.path.join(folder, "candidate.c")

        def still_differs(attempt):
            with open(candidate, "w") as file:
                file.writelines(attempt)
            return difference(symcrete, candidate, flags) is not None

        before = None
        while before != len(lines):
            before = len(lines)
            sizes = [0] + [len(lines) >> shift for shift in range(1, len(lines).bit_length())]
            for size in sizes:
                for start, end in list(spans(lines, size)):
                    attempt = lines[:start] + lines[end:]
                    if len(attempt) < len(lines) and still_differs(attempt):
                        lines = attempt
                        with open(path, "w") as file:
                            file.writelines(lines)


def main():
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    if check:
        arguments = arguments[1:]
    if len(arguments) < 2:
        sys.exit(__doc__)
    symcrete, path, flags = arguments[0], arguments[1], arguments[2:]
    found = difference(symcrete, path, flags)
    if check:
        if found is not None:
            print(found)
        sys.exit(0 if found is not None else 1)
    if found is None:
        sys.exit(f"reduce: {path} does not differ")
    shrink(symcrete, path, flags)


if __name__ == "__main__":
    main()
