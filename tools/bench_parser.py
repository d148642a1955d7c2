"""What lazy expansion is worth on a parser that others wrote: a table of its own of `make bench`, with a bound.

The parser is that of PostgreSQL for JSON, which comes with the crate pq-src and is found through cargo. Each mode of `symcrete cover` has a minute
for texts of LENGTH bytes. The native parser says which of the texts of its tests are valid; each counts once, and so does
each shape, which is a text without spaces and whatever is in its strings and numbers. Lazy expansion has the
functions of the parser under test, and looks into its lexer on demand.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DRIVER = os.path.join(ROOT, "benches/parsers/postgres_json.c")
LENGTH, SECONDS, BOUND = 64, 60, 10
# How long after its time a run may take to stop and compile.
GRACE = 120
UNDER_TEST = "pg_parse_json,parse_object,parse_object_field,parse_array,parse_array_element,parse_scalar,lex_peek,lex_expect"
MODES = {"lazy": ["--no-abstract", UNDER_TEST], "concolic": [], "forward": []}
SOURCES = ["common/jsonapi.c", "common/wchar.c", "common/stringinfo.c", "common/fe_memutils.c", "common/psprintf.c"]
SOURCES += ["port/snprintf.c", "port/strerror.c"]
NUMBERS = ["PG_VERSION_NUM", "PG_MAJORVERSION_NUM", "PG_MINORVERSION_NUM"]
WORDS = ["PG_VERSION", "PG_MAJORVERSION", "PG_VERSION_STR"]


def crate():
    manifest = os.path.join(ROOT, "tests/sources/Cargo.toml")
    done = subprocess.run(["cargo", "metadata", "--format-version", "1", "--manifest-path", manifest], capture_output=True, check=True)
    packages = {package["name"]: package for package in json.loads(done.stdout)["packages"]}
    return os.path.dirname(packages["pq-src"]["manifest_path"])


def flags_and_sources(folder):
    """What a compiler is told, and what it compiles. The crate's build script would make the header that is made here."""
    root = crate()
    source = os.path.join(root, "source/src")
    with open(os.path.join(folder, "pg_config_os.h"), "w") as header:
        header.write('#include "port/linux.h"\n')
    includes = [os.path.join(source, "include"), os.path.join(root, "additional_include"), os.path.join(source, "interfaces/libpq"), folder]
    defined = ["FRONTEND", "_GNU_SOURCE", f"LENGTH={LENGTH}"] + [f"{name}=18" for name in NUMBERS] + [f'{name}="18"' for name in WORDS]
    flags = [part for include in includes for part in ("-I", include)] + [part for macro in defined for part in ("-D", macro)]
    return flags, [DRIVER] + [os.path.join(source, file) for file in SOURCES]


def texts(folder):
    """The texts of the tests in a folder, each once."""
    found = set()
    for test in os.scandir(os.path.join(folder, "tests")):
        with open(test.path) as file:
            inputs = json.load(file)["inputs"]
        text = bytes.fromhex(inputs[0]["bytes"]) if inputs else b""
        found.add(text.ljust(LENGTH, b"\0"))
    return sorted(found)


def shape(text):
    """A valid text without its spaces, and with one letter for each string and each number."""
    text = re.sub(rb'"(?:[^"\\\\]|\\\\.)*"', b"s", text, flags=re.DOTALL)
    return re.sub(rb"-?[0-9][-+.0-9eE]*", b"n", re.sub(rb"[ \t\r\n]", b"", text))


def measure(symcrete):
    """Prints the table. What is out of bounds."""
    print(f"valid texts of {LENGTH} bytes for PostgreSQL's parser of JSON, in {SECONDS} s each")
    print(f"{'mode':<12}{'tests':>10}{'distinct':>10}{'valid':>10}{'shapes':>10}", flush=True)
    valid = {}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        flags, sources = flags_and_sources(folder)
        check = os.path.join(folder, "check")
        subprocess.run(["clang", "-w", "-O1", "-D", "CHECK", *flags, *sources, "-o", check], check=True)
        for mode, options in MODES.items():
            out = os.path.join(folder, mode)
            command = [symcrete, "cover", "--mode", mode, *options, "--json", "--every-path", "--no-replay", "--time", str(SECONDS)]
            command += ["--cflag=-w", "--out", out, *flags, *sources]
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS + GRACE)
            if done.returncode not in (0, 1):
                sys.exit(f"bench: {' '.join(command)} failed:\n{done.stderr}")
            given = texts(out)
            shown = subprocess.run([check], input=b"".join(given), capture_output=True, check=True).stdout.decode().split()
            if len(shown) != len(given):
                sys.exit(f"bench: {len(given)} texts, but the parser says something of {len(shown)}")
            shapes = {shape(text) for text, verdict in zip(given, shown) if verdict == "valid"}
            valid[mode] = shown.count("valid")
            tests = json.loads(done.stdout)["tests"]
            print(f"{mode:<12}{tests:>10}{len(given):>10}{valid[mode]:>10}{len(shapes):>10}", flush=True)
    others = max(valid["concolic"], valid["forward"])
    if valid["lazy"] < max(BOUND * others, 1):
        return [f"lazy expansion finds {valid['lazy']} valid texts, others {others}: fewer than {BOUND} times as many"]
    return []


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: tools/bench_parser.py SYMCRETE")
    problems = measure(os.path.abspath(sys.argv[1]))
    for what in problems:
        print(f"bench: out of bounds: {what}", file=sys.stderr)
    sys.exit(1 if problems else 0)
