"""The tables of the paper on lazy expansion: iterations, tests and valid inputs of LATEST and CUTE beside those of `--mode lazy` and
`--mode concolic`.

Iterations are executions of the program, or of a function in its context. Concolic testing must have CUTE's number of paths, or the figures
of LATEST would not compare: the programs are ours, shaped after the paper. Valid inputs are counted by running the native program on the
tests. Seconds are those that Symcrete names for its search, on one core. It writes tests as it finds them, for PL/0 hundreds of thousands of files: on a
disk that is slow with those, TMPDIR=/dev/shm keeps the disk out of the figures.
"""

import os
import shutil
import struct
import subprocess
import sys
import tempfile

from . import native, table
from .runs import PROGRAMS, ROOT, Failed, Refused, path_of, progress

sys.path.insert(0, PROGRAMS)
import lazy_pl0_grammar

# How long a search may go on.
LIMIT = 60
# Calls with the main function of a program for one test after the other: what it makes symbolic is what the test says.
DRIVER = """
#include <stdio.h>
#include <string.h>
#define main program_main
#include "%s"
#undef main
static unsigned char record[1 << 16];
static size_t used;
void symcrete_make_symbolic(void *memory, size_t size, const char *name) {
    (void)name;
    memcpy(memory, record + used, size);
    used += size;
}
void symcrete_assume(int condition) { (void)condition; }
int main(void) {
    unsigned length;
    while (fread(&length, sizeof length, 1, stdin) == 1 && fread(record, 1, length, stdin) == length) {
        used = 0;
        printf("%%d\\n", program_main() & 255);
    }
    return 0;
}
"""


class Case:
    """A program. `paper`: the iterations of CUTE and LATEST, and the valid inputs of LATEST."""

    def __init__(self, name, paper, program, size=(), paths=None, most=None, tests=None, valid=None, flags=(), is_long=False):
        self.name, self.paper, self.program = name, paper, "lazy_" + program
        self.flags = [part for macro in size for part in ("-D", macro)]
        self.lazy_flags = list(flags)
        self.paths, self.most, self.tests, self.valid, self.is_long = paths, most, tests, valid, is_long

    def must(self):
        parts = [f"<= {self.most:,} iterations"] if self.most else []
        parts += [f"{self.tests} tests"] if self.tests else []
        parts += [f"{VALID[self.valid[0]]}"] if self.valid else []
        return ", ".join(parts + ["every path", f"< {LIMIT} s"])


VALID = {"operators": "every valid operator string", "programs": "exactly the programs of the grammar"}
LEXER = ("--abstract", "lex,compare")
CASES = [
    Case("fig. 1, two strcmp", ("720", "113", ""), "fig1", paths=720, most=113, tests=3),
    Case("fig. 7, n = 8", ("23", "10", ""), "fig7", ["N=8"], paths=23, most=10, tests=3),
    Case("fig. 7, n = 32", ("95", "10", ""), "fig7", ["N=32"], paths=95, most=10, tests=3),
    Case("fig. 7, n = 128", ("383", "10", ""), "fig7", ["N=128"], paths=383, most=10, tests=3),
    Case("program 1", ("676", "59", ""), "program1", paths=676, most=59),
    Case("program 2", ("651", "63", ""), "program2", paths=651, most=63),
    Case("program 3", ("841", "68", ""), "program3", paths=841, most=68),
    Case("calculator, 1 operation", ("19,435", "206", "6"), "calculator", ["OPERATIONS=1"], 19434, 206, valid=("operators", 1)),
    Case("calculator, 2", ("> 10^6", "1,671", "26"), "calculator", ["OPERATIONS=2"], None, 1671, valid=("operators", 2)),
    Case("calculator, 3", ("-", "10,000", "104"), "calculator", ["OPERATIONS=3"], valid=("operators", 3)),
    Case("calculator, 4", ("-", "485,256", "3,126"), "calculator", ["OPERATIONS=4"], valid=("operators", 4)),
    Case("PL/0, 7 tokens", ("> 10^6", "98,485", "99"), "pl0", ["TOKENS=7"], valid=("programs", 7), flags=LEXER),
    Case("PL/0, 8 tokens", ("-", "448,046", "399"), "pl0", ["TOKENS=8"], valid=("programs", 8), flags=LEXER, is_long=True),
]


def statuses(folder, case, tests):
    """The exit statuses of the native program for all tests."""
    source, program = os.path.join(folder, "driver.c"), os.path.join(folder, "driver")
    with open(source, "w") as file:
        file.write(DRIVER % path_of(case.program))
    macros = [f"-D{value}" for flag, value in zip(case.flags, case.flags[1:]) if flag == "-D"]
    native.run("clang", "-w", "-O1", *macros, "-I", os.path.join(ROOT, "runtime/include"), "-o", program, source)
    records = b"".join(struct.pack("<I", len(data)) + data for data in tests)
    done = subprocess.run([program], input=records, capture_output=True)
    found = [int(line) for line in done.stdout.split()]
    if len(found) != len(tests):
        raise Failed(f"the native program ended after {len(found)} of {len(tests)} tests")
    return found


def operators(data):
    """The operators that a calculator comes to, with a 0 if it ends by dividing by it."""
    words = [data[start:start + 5].split(b"\0")[0].decode("latin-1") for start in range(0, len(data), 6)]
    words = [word[1:] if word.startswith(" ") else word for word in words]
    found = ""
    for operator, operand in zip(words[1::2], words[2::2]):
        if operator == "":
            return found
        found += operator[0]
        if operator[0] == "/" and int(operand[:4]) == 0:
            return found + "0"
    return found


def all_operators(most):
    """The valid operator strings of up to so many operations."""
    strings, longest = {""}, {""}
    for _ in range(most):
        strings |= {text + "/0" for text in longest}
        longest = {text + operator for text in longest for operator in "+-*/"}
        strings |= longest
    return strings


def valid_inputs(case, tests, ends):
    """How many inputs the native program takes, different ones by their operators or tokens, and whether they are all that there are."""
    if not case.valid:
        return "", True
    kind, size = case.valid
    if kind == "operators":
        taken = {operators(data) for data, status in zip(tests, ends) if status != 1}
        return len(taken), taken == all_operators(size)
    taken = {lazy_pl0_grammar.class_string(data) for data, status in zip(tests, ends) if status == 0}
    programs = {program for length in range(size + 1) for program in lazy_pl0_grammar.programs(length)}
    return len(taken), taken == programs


def concolic(runner, case):
    """Paths, seconds, and whether CUTE's number came out."""
    if case.paths is None:
        return ["", ""], True
    answer = runner.cover(case.program, ["--mode", "concolic", "--no-replay", *case.flags], 0, LIMIT)
    counts = answer.said["paths"]
    shutil.rmtree(os.path.dirname(answer.tests))
    paths = counts["completed"] + counts["failed"]
    return [f"{paths:,}", f"{answer.said['stats']['time_s']:.2f}"], answer.exhausted and paths == case.paths


def lazy(runner, case):
    """The cells of a row, and whether all is as it must be."""
    flags = ["--mode", "lazy", "--no-replay", *case.lazy_flags, *case.flags]
    answer = runner.cover(case.program, flags, 0, LIMIT)
    stats = answer.said["stats"]
    counts, iterations = stats["lazy"], stats["iterations"]
    tests = [b"".join(bytes.fromhex(given["bytes"]) for given in test["inputs"]) for test in native.read_tests(answer.tests)]
    with tempfile.TemporaryDirectory(dir=runner.folder) as folder:
        valid, is_all = valid_inputs(case, tests, statuses(folder, case, tests) if case.valid else [])
    shutil.rmtree(os.path.dirname(answer.tests))
    paths = f"{counts['abstract_paths']:,} / {counts['concretised']:,} / {counts['refuted']:,}"
    for_faults = counts["suspicions"]["iterations"]
    cells = [f"{iterations:,}", f"{for_faults:,}", f"{len(tests):,}", paths, f"{counts['expansions']:,} / {counts['reused']:,}", valid, f"{stats['time_s']:.2f}"]
    is_met = answer.exhausted and is_all and stats["time_s"] < LIMIT
    is_met = is_met and iterations <= (case.most or iterations) and len(tests) == (case.tests or len(tests))
    return cells, is_met


def measure(runner, report, case):
    progress(case.name)
    try:
        [(ours, is_calibrated)] = runner.each(lambda _: concolic(runner, case), [0])
        [(cells, is_met)] = runner.each(lambda _: lazy(runner, case), [0])
        if not is_calibrated:
            report.broken.append(f"{case.name}: concolic testing has {ours[0]} paths, not {case.paths:,}")
        verdict = report.verdict(is_met, f"{case.name}: {', '.join(map(str, cells))}; must be {case.must()}")
    except (Refused, Failed) as error:
        ours, cells, verdict = ["", ""], [report.unmeasured(case.name, error), *[""] * 5], ""
    table.row(case.name, *case.paper[:2], *ours, *cells, case.paper[2], case.must(), verdict)


def unreached_label(runner, report):
    """Figure 6: the label behind a side effect is never covered."""
    progress("fig. 6")
    try:
        answer = runner.cover("lazy_fig6", ["--mode", "lazy"], 0, LIMIT)
        program = native.Program(runner.folder, "lazy_fig6")
        [line] = [number for number, text in enumerate(program.lines, 1) if "symcrete_target();" in text]
        lines = answer.said["coverage"]["files"][0]["lines"]
        shown = f"{lines['covered']} of {lines['total']} lines"
        with tempfile.TemporaryDirectory(dir=runner.folder) as folder:
            tests = native.read_tests(answer.tests)
            profiles = [found for number, test in enumerate(tests) if (found := program.replay(test, folder, number))]
            is_covered = line in program.covered_lines(profiles, os.path.join(folder, "all.profdata"))
        verdict = report.verdict(not is_covered and profiles and answer.exhausted, f"fig. 6: line {line} is covered, or nothing is")
    except (Refused, Failed) as error:
        shown, verdict = report.unmeasured("fig. 6", error), ""
    table.row("fig. 6", *[""] * 4, shown, *[""] * 6, "label L not reached", verdict)


def lazy_table(runner, report, is_quick):
    columns = ["CUTE", "LATEST", "concolic: paths", "s", "lazy: iterations", "more for faults", "tests", "abstract / concretised / refuted",
               "expansions / reused", "valid", "s", "LATEST: valid", "must", ""]
    table.heading(f"Lazy expansion, tables 1 to 3 (stopped after {LIMIT} s)", "case", *columns)
    for case in CASES:
        if not (case.is_long and is_quick):
            measure(runner, report, case)
    unreached_label(runner, report)
    table.note("Programs are ours, after the paper; PL/0 has another grammar than the paper's, which is not given. A calculator's operator string "
               "counts once, and once more if it ends in a division by zero.")
