"""What tests cover when the program runs natively, line by line: counted here, not taken from Symcrete's word.

A program is compiled with clang's counters and the replay runtime. A test counts if Symcrete's own replay confirmed it and
this one ends as the test claims.
"""

import json
import os
import re
import shutil
import struct
import subprocess
import tempfile

from .runs import ROOT, Failed, path_of

RUNTIME = os.path.join(ROOT, "runtime")
LONGEST_TEST = 10


def versioned(tool):
    """llvm-cov reads only what the clang of its own version writes."""
    major = re.search(r"version (\d+)", subprocess.run(["clang", "--version"], capture_output=True, text=True).stdout).group(1)
    return shutil.which(f"{tool}-{major}") or tool


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{os.path.basename(command[0])}: {done.stderr.strip()[:200]}")
    return done.stdout


def encode(test):
    """A test as runtime/replay/test.c reads it: no objects, globals or calls, only inputs and the answers of klee_is_symbolic."""
    parts = [b"SYMCREPL", struct.pack("<IIIII", 1, 0, 0, 0, len(test["inputs"]))]
    for given in test["inputs"]:
        name, value = given["name"].encode(), bytes.fromhex(given["bytes"])
        parts += [struct.pack("<I", len(name)), name, struct.pack("<IQ", 0, len(value)), value]
    answers = test.get("answers", [])
    parts += [struct.pack("<I", len(answers)), bytes(answers)]
    return b"".join(parts)


def ends_as_claimed(claim, status):
    """A test of a path that the search left unfinished claims no status: any regular end will do."""
    return status >= 0 if claim["kind"] == "unfinished" else claim["kind"] == "exit" and status == claim["status"] % 256


def has_strayed(report):
    """Whether the replay runtime says that the program asked for other inputs than the test has, or broke an assumption."""
    if not os.path.exists(report):
        return False
    with open(report, errors="replace") as file:
        return any(line.startswith(("diverged", "broken", "assumption-failed")) for line in file)


class Coverage:
    def __init__(self, targets, branches, tests, rejected):
        # Number of a target: whether it was executed.
        self.targets = targets
        # (line, column, side): whether the condition there was once true, or once false.
        self.branches = branches
        self.tests = tests
        self.rejected = rejected

    def reached(self):
        return {number for number, is_covered in self.targets.items() if is_covered}


class Program:
    """A program compiled to count. `flags` are those given to `symcrete cover`; macros and libraries matter here."""

    def __init__(self, folder, name, flags=()):
        self.folder = tempfile.mkdtemp(prefix=f"native-{name}-", dir=folder)
        self.source = path_of(name)
        self.executable = os.path.join(self.folder, "program")
        with open(self.source) as file:
            self.lines = file.read().split("\n")
        self.compile([f"-D{value}" for flag, value in zip(flags, flags[1:]) if flag == "-D"], libraries(flags))

    def compile(self, macros, others):
        objects = []
        runtime = [os.path.join(RUNTIME, "replay", name + ".c") for name in ("intrinsics", "process", "test")]
        includes = ["-I", os.path.join(RUNTIME, "include")]
        counters = ["-O0", "-fprofile-instr-generate", "-fcoverage-mapping"]
        for index, source in enumerate([self.source, *others, *runtime]):
            objects.append(os.path.join(self.folder, f"{index}.o"))
            run("clang", "-w", *(counters if index == 0 else ["-O1"]), *macros, *includes, "-c", "-o", objects[-1], source)
        run("clang", "-fprofile-instr-generate", "-o", self.executable, *objects, "-lm", "-ldl", "-lpthread")

    def replay(self, test, folder, number):
        """The counters of one test, or None if it does not end as it claims."""
        counters = os.path.join(folder, f"{number}.profraw")
        given = os.path.join(folder, f"{number}.test")
        with open(given, "wb") as file:
            file.write(encode(test))
        report = os.path.join(folder, f"{number}.report")
        files = {"SYMCRETE_REPLAY_TEST": given, "SYMCRETE_REPLAY_REPORT": report, "LLVM_PROFILE_FILE": counters}
        try:
            done = subprocess.run([self.executable], env=os.environ | files, capture_output=True, timeout=LONGEST_TEST)
        except subprocess.TimeoutExpired:
            return None
        is_confirmed = ends_as_claimed(test["ends"], done.returncode) and not has_strayed(report)
        return counters if is_confirmed and os.path.exists(counters) else None

    def coverage(self, tests):
        """What the tests cover together."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            replayed = [self.replay(test, folder, number) for number, test in enumerate(tests) if test.get("replayed")]
            profiles = [counters for counters in replayed if counters]
            return self.count(profiles, len(tests) - len(profiles), os.path.join(folder, "all.profdata"))

    def merged(self, profiles, merged):
        """The command that exports what several runs cover together."""
        run(versioned("llvm-profdata"), "merge", "-sparse", "-o", merged, *profiles)
        return [versioned("llvm-cov"), "export", self.executable, f"-instr-profile={merged}"]

    def line_counts(self, export):
        return dict(map(int, pair.split(",")[:2]) for pair in re.findall(r"^DA:(.*)$", run(*export, "-format=lcov", self.source), re.M))

    def covered_lines(self, profiles, merged):
        if not profiles:
            return set()
        return {line for line, count in self.line_counts(self.merged(profiles, merged)).items() if count > 0}

    def count(self, profiles, rejected, merged):
        if not profiles:
            return Coverage({number: False for number in self.target_lines()}, {}, 0, rejected)
        export = self.merged(profiles, merged)
        branches = {}
        for line, column, _, _, taken, passed, *_ in json.loads(run(*export, self.source))["data"][0]["files"][0]["branches"]:
            branches[line, column, True] = branches.get((line, column, True), False) or taken > 0
            branches[line, column, False] = branches.get((line, column, False), False) or passed > 0
        counts = self.line_counts(export)
        targets = {number: counts.get(line, 0) > 0 for number, line in self.target_lines().items()}
        return Coverage(targets, branches, len(profiles), rejected)

    def target_lines(self):
        found = ((re.search(r"\bTARGET\((\d+)\)", text), line) for line, text in enumerate(self.lines, 1))
        return {int(match.group(1)): line for match, line in found if match}

    def place(self, text, condition):
        """Line and column of a condition in the only line that contains `text`."""
        [line] = [number for number, content in enumerate(self.lines, 1) if text in content]
        return line, self.lines[line - 1].index(text) + text.index(condition) + 1

    def lines_of(self, heading):
        """The lines of the function whose definition begins with `heading`."""
        first = next(number for number, text in enumerate(self.lines, 1) if text.startswith(heading))
        return range(first, next(number for number in range(first, len(self.lines) + 1) if self.lines[number - 1] == "}") + 1)


def libraries(flags):
    return [value for flag, value in zip(flags, flags[1:]) if flag == "--library"]


def read_tests(folder):
    tests = []
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        with open(os.path.join(folder, name)) as file:
            tests.append(json.load(file))
    return tests
