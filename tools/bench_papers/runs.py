"""Runs of `symcrete`, each on one core, and what they answer. A flag that does not exist is an answer too: Refused."""

import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.path.join(ROOT, "benches/papers")
# How long after its time a run may take to stop, compile and replay.
GRACE = 60
# What the command line says of flags and values that it does not know.
REFUSALS = ("error: unexpected argument", "error: invalid value")


class Refused(Exception):
    """The command line does not know a flag."""


class Failed(Exception):
    """The run went wrong, or did not stop in time."""


def progress(text):
    print(f"bench-papers: {text}", file=sys.stderr, flush=True)


def path_of(program):
    return os.path.join(PROGRAMS, program + ".c")


class Answer:
    """What one `symcrete cover` said, how long all of it took, and where its tests are."""

    def __init__(self, said, seconds, folder):
        self.said = said
        self.seconds = seconds
        self.tests = os.path.join(folder, "tests")
        replay = said["replay"] or {"diverged": [], "not_replayed": []}
        self.diverged = len(replay["diverged"])
        # All paths were followed to their ends. The tests may still miss what these paths cover: a test is written for what is new in
        # the bitcode, where the last part of `return a && b` is no branch.
        self.exhausted = said["exhausted"] and said["undecided"] == 0 and said["pending"] == 0


class Runner:
    def __init__(self, symcrete, folder, jobs):
        self.symcrete = symcrete
        self.folder = folder
        cores = itertools.cycle(sorted(os.sched_getaffinity(0)))
        lock = threading.Lock()

        def pin():
            with lock:
                core = next(cores)
            os.sched_setaffinity(0, {core})

        # A thread's processes stay on its core.
        self.pool = ThreadPoolExecutor(jobs, initializer=pin)

    def warm_up(self):
        """The C runtime is compiled once for each machine and compiler; that is no part of what is measured."""
        source = os.path.join(self.folder, "warm_up.c")
        with open(source, "w") as file:
            file.write("int main(void) { return 0; }\n")
        self.execute([self.symcrete, "run", source], GRACE)

    def each(self, function, items):
        """The results in the order of the items; the first exception is raised."""
        return list(self.pool.map(function, items))

    def execute(self, command, seconds):
        began = time.perf_counter()
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds + GRACE)
        except subprocess.TimeoutExpired:
            raise Failed(f"did not stop within {seconds + GRACE:.0f} s") from None
        if done.returncode == 2 and done.stderr.startswith(REFUSALS):
            raise Refused(done.stderr.splitlines()[0].removeprefix("error: "))
        return done, time.perf_counter() - began

    def cover(self, program, flags, seed, seconds):
        folder = tempfile.mkdtemp(prefix=f"{program}-", dir=self.folder)
        limits = ["--seed", str(seed), "--time", str(seconds), "--jobs", "1"]
        command = [self.symcrete, "cover", path_of(program), *limits, "--json", "--out", folder, *flags]
        done, taken = self.execute(command, seconds)
        try:
            return Answer(json.loads(done.stdout), taken, folder)
        except ValueError:
            raise Failed((done.stderr.strip() or f"ended with {done.returncode}").splitlines()[-1]) from None

    def solve(self, script, flags, seconds, seed=0):
        """`sat`, `unsat` or `unknown`, the text of the model, and the seconds."""
        done, taken = self.execute([self.symcrete, "solve", script, "--time", str(seconds), "--seed", str(seed), *flags], seconds)
        answer, _, model = done.stdout.partition("\n")
        if answer not in ("sat", "unsat", "unknown"):
            raise Failed(f"{os.path.basename(script)}: {(done.stderr.strip() or answer).splitlines()[-1:]}")
        return answer, model, taken


def forget(answer):
    shutil.rmtree(os.path.dirname(answer.tests), ignore_errors=True)
