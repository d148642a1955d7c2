"""What going backward is worth to `symcrete reach`: a table of its own of `make bench`, with a bound.

Every program of tests/programs/reach says which of its lines can be reached (`//~ reached`) and which cannot (`//~ unreachable`).
Each such line is searched for as `reach` does it, and by the plain search forward that stops at the target, in turns, both without
concrete runs. What counts is segments: those of both directions for `reach`, those forward for the other. A search without the right
verdict takes infinitely many. `reach` beats the other on a program if all lines of it together take fewer.
"""

import json
import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = os.path.join(ROOT, "tests/programs/reach")
BEATEN_BOUND = 4 / 5
REACH_SECONDS, FORWARD_SECONDS = 20, 10
# How long after its time a run may take to stop and compile.
GRACE = 30
FLAGS = ["--json", "--no-replay", "--no-burst", "--no-climb"]
# Reached, proved unreachable, no verdict.
STATUSES = (0, 4, 3)


class Program:
    """A program, the flags that it asks for, and its lines with the verdicts that are right."""

    def __init__(self, file):
        self.name, self.path = file.removesuffix(".c"), os.path.join(PROGRAMS, file)
        with open(self.path) as source:
            lines = source.read().split("\n")
        self.flags = next((line.removeprefix("// flags: ") for line in lines if line.startswith("// flags: ")), "").split()
        self.targets = [(at, line.partition("//~ ")[2].strip()) for at, line in enumerate(lines, 1) if "//~ " in line]
        if not self.targets:
            sys.exit(f"bench: {self.path} has no targets")


class Search:
    """One way to search, and what it took for the lines of one program. After a failure the rest is left out: the sum is infinite."""

    def __init__(self, name, symcrete, program, seconds, directions, *flags):
        self.name, self.symcrete, self.program = name, symcrete, program
        self.seconds, self.directions, self.flags = seconds, directions, flags
        self.segments, self.found_by, self.failures, self.wrong = 0, [], [], []

    def ask(self, line):
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            target = f"{self.program.path}:{line}"
            limits = ["--time", str(self.seconds), "--out", folder]
            command = [self.symcrete, "reach", *FLAGS, *self.flags, *limits, *self.program.flags, target]
            try:
                done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=self.seconds + GRACE)
            except subprocess.TimeoutExpired:
                sys.exit(f"bench: {' '.join(command)} did not stop in {self.seconds + GRACE} s")
        if done.returncode not in STATUSES:
            sys.exit(f"bench: {' '.join(command)} failed:\n{done.stderr}")
        return json.loads(done.stdout)

    def search(self, line, expected):
        if self.segments == math.inf:
            return
        said = self.ask(line)
        verdict = said["verdict"]
        self.segments += sum(said["stats"][name] for name in self.directions)
        if said.get("found_by") and said["found_by"] not in self.found_by:
            self.found_by.append(said["found_by"])
        if verdict != expected:
            self.segments = math.inf
            self.failures.append(f"line {line}: {verdict}")
            if verdict != "unknown":
                self.wrong.append(f"{self.program.name}.c:{line} is {expected}; {self.name} says {verdict}")


def compare(symcrete, program):
    """The two searches on one program."""
    reach = Search("reach", symcrete, program, REACH_SECONDS, ["segments", "forward_segments"])
    forward = Search("forward", symcrete, program, FORWARD_SECONDS, ["forward_segments"], "--mode", "forward")
    for line, expected in program.targets:
        reach.search(line, expected)
        forward.search(line, expected)
    return reach, forward


def shown(segments):
    return "infinite" if segments == math.inf else str(segments)


def ahead(reach, forward):
    if reach.segments == forward.segments:
        return "neither"
    return "reach" if reach.segments < forward.segments else "forward"


def notes(reach, forward):
    found_by = [", ".join(reach.found_by)] if reach.found_by else []
    failures = [f"{search.name} fails, {text}" for search in (reach, forward) for text in search.failures]
    return "; ".join(found_by + failures)


def measure(symcrete):
    """Prints the table; returns what is out of bounds."""
    programs = [Program(file) for file in sorted(os.listdir(PROGRAMS)) if file.endswith(".c")]
    broken, beaten = [], 0
    print(f"{'segments':<26}{'lines':>6}{'reach':>10}{'forward':>10}  {'ahead':<9}found by", flush=True)
    for program in programs:
        reach, forward = compare(symcrete, program)
        who = ahead(reach, forward)
        beaten += who == "reach"
        broken += reach.wrong + forward.wrong
        numbers = f"{len(program.targets):>6}{shown(reach.segments):>10}{shown(forward.segments):>10}"
        print(f"{program.name:<26}{numbers}  {who:<9}{notes(reach, forward)}".rstrip(), flush=True)
    summary = f"reach needs fewer segments on {beaten} of {len(programs)} programs"
    print(f"{summary} (bound {BEATEN_BOUND:.0%})", flush=True)
    if beaten / len(programs) < BEATEN_BOUND:
        broken.append(summary)
    return broken
