"""What symbolic execution takes: a table of its own of `make bench`, with bounds.

Every number of paths is known without Symcrete, by construction or because `tools/count-paths` ran the program natively on every
input of its domain, which is done again here. Times are those of exploration alone (`stats.time_s`), the median of several runs.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = os.path.join(ROOT, "benches/symbolic")
ROUNDS = 5
CALIBRATION_STEPS = 100_000_000
STATE_BYTES_BOUND = 4096
SPEEDUP_BOUND = 1.7
SPEEDUP_SECONDS = 10.0
# With a hundred times as many states, a choice may take so many times as long: its steps grow with the logarithm, and the rest is for
# the processor's caches.
SELECTION_GROWTH_BOUND = 10.0
MIB = 1 << 20

# Program, paths, why that many, most seconds, most megabytes (what KLEE needs).
EXHAUSTED = [
    ("bubble_sort_5", 120, "5!", 0.05, 72),
    ("bubble_sort_6", 720, "6!", 0.5, 78),
    ("regexp", 2331, "counted natively", None, None),
    ("tokenizer", 19608, "(7^6 - 1) / 6", None, None),
    ("tree_insert", 4683, "ordered Bell number of 6", None, None),
]
# A job of ten seconds or more: nine bytes of five kinds.
LARGE, LARGE_FLAGS, LARGE_PATHS, LARGE_REASON = "word_count_large", ["--sym-stdin", "9", "--join", "never"], 5**9, "5^9"


class Run:
    """One run of `symcrete cover`, and what it says of itself."""

    def __init__(self, symcrete, program, *flags):
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            source = os.path.join(PROGRAMS, program + ".c")
            command = [symcrete, "cover", source, "--no-replay", "--json", "--out", folder, *flags]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            sys.exit(f"bench: {' '.join(command)} failed:\n{done.stderr}")
        answer = json.loads(done.stdout)
        self.stats = answer["stats"]
        self.seconds = self.stats["time_s"]
        self.megabytes = self.stats["peak_mib"] * MIB / 1e6
        self.paths = sum(answer["paths"].values())
        self.exhausted = answer["exhausted"]
        self.processor_seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Table:
    def __init__(self):
        self.broken = []

    def row(self, what, paths="", seconds=None, most_seconds=None, megabytes=None, most_megabytes=None, note=""):
        def number(value, form):
            return "" if value is None else format(value, form)

        print(
            f"{what:<24}{paths:>8}{number(seconds, '.3f'):>10}{number(most_seconds, '.2f'):>8}"
            f"{number(megabytes, '.0f'):>6}{number(most_megabytes, 'd'):>7}  {note}",
            flush=True,
        )
        if most_seconds is not None and seconds > most_seconds:
            self.broken.append(f"{what} took {seconds:.3f} s, more than {most_seconds} s")
        if most_megabytes is not None and megabytes > most_megabytes:
            self.broken.append(f"{what} took {megabytes:.0f} MB, more than {most_megabytes} MB")

    def expect_all(self, what, runs, paths):
        """All runs must have found exactly these paths, and all of them."""
        for run in runs:
            if run.paths != paths or not run.exhausted:
                self.broken.append(f"{what}: {run.paths} paths, exhausted: {run.exhausted}; it has {paths}")
                return


def calibrate(folder):
    """Seconds of native code whose speed hangs on nothing but the processor's: steps that each wait for the one before."""
    native = os.path.join(folder, "calibration")
    subprocess.run(["clang", "-O2", "-o", native, os.path.join(ROOT, "benches/programs/lcg.c")], check=True)
    seconds = []
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([native, str(CALIBRATION_STEPS)], stdout=subprocess.DEVNULL, check=True)
        seconds.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return statistics.median(seconds)


def count_natively(table):
    """Runs the programs on every input of their domains; the numbers in their comments must be those."""
    files = [os.path.join(PROGRAMS, name + ".c") for name, *_ in EXHAUSTED]
    command = [os.path.join(ROOT, "tools/count-paths"), "--check", "--json", "--probe", "2000", *files]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        table.broken.append(f"tools/count-paths disagrees: {done.stderr.strip()}")
    counted = {}
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        counted[os.path.basename(answer["file"])[:-2]] = (answer["paths"], answer["runs"])
    return counted


def exhaust(symcrete, table):
    counted = count_natively(table)
    for name, paths, reason, most_seconds, most_megabytes in EXHAUSTED:
        runs = [Run(symcrete, name, "--jobs", "1") for _ in range(ROUNDS)]
        table.expect_all(name, runs, paths)
        natively, tries = counted.get(name, (None, 0))
        if natively != paths:
            table.broken.append(f"{name}: {natively} paths counted natively, not {paths}")
        table.row(
            name,
            paths,
            statistics.median(run.seconds for run in runs),
            most_seconds,
            max(run.megabytes for run in runs),
            most_megabytes,
            f"{reason}; {natively} in {tries} native runs",
        )


def weigh_states(symcrete, table):
    for name in ("regexp", "tokenizer", "tree_insert", "bubble_sort_7"):
        run = Run(symcrete, name, "--jobs", "1")
        measured = run.stats["state_bytes"]
        table.row(f"a state of {name}", note=f"{measured} bytes with what it wrote, of at most {STATE_BYTES_BOUND}")
        if measured is None or measured > STATE_BYTES_BOUND:
            table.broken.append(f"a state of {name} takes {measured} bytes")


def speed_up(symcrete, table):
    if (os.cpu_count() or 1) < 2:
        print("two jobs: there is one processor only, so nothing to measure")
        return
    runs = {jobs: [] for jobs in (1, 2)}
    for _ in range(ROUNDS):
        for jobs, list_of_runs in runs.items():
            list_of_runs.append(Run(symcrete, LARGE, *LARGE_FLAGS, "--jobs", str(jobs)))
    medians = {}
    for jobs, list_of_runs in runs.items():
        what = f"{LARGE}, {jobs} job{'s' * (jobs > 1)}"
        table.expect_all(what, list_of_runs, LARGE_PATHS)
        medians[jobs] = statistics.median(run.seconds for run in list_of_runs)
        processor = statistics.median(run.processor_seconds for run in list_of_runs)
        megabytes = max(run.megabytes for run in list_of_runs)
        note = f"{LARGE_REASON}; {processor:.1f} s of processors, compiling included"
        table.row(what, LARGE_PATHS, medians[jobs], None, megabytes, None, note)
    speedup = medians[1] / medians[2]
    print(f"2 jobs are {speedup:.2f} times as fast as 1 (bound {SPEEDUP_BOUND}; medians of {ROUNDS})", flush=True)
    if speedup < SPEEDUP_BOUND:
        table.broken.append(f"2 jobs are only {speedup:.2f} times as fast as 1")
    if medians[1] < SPEEDUP_SECONDS:
        table.broken.append(f"{LARGE} takes {medians[1]:.1f} s, too little to measure jobs by")


def select(table):
    command = ["cargo", "run", "--quiet", "--release", "--package", "symcrete-explore", "--example", "selection"]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} failed:\n{done.stderr}")
    taken = {}
    for line in done.stdout.splitlines():
        name, pending, nanoseconds = line.split()
        taken.setdefault(name, {})[int(pending)] = int(nanoseconds) / 1000
    print(f"{'a choice among':<24}{'1,000':>8} {'100,000 states':>16}", flush=True)
    for name, (few, many) in ((name, sorted(times.items())) for name, times in taken.items()):
        growth = many[1] / few[1]
        print(f"{name:<24}{few[1]:>8.2f} {many[1]:>13.2f} us{growth:>8.1f} times (bound {SELECTION_GROWTH_BOUND:.0f})")
        if growth > SELECTION_GROWTH_BOUND:
            table.broken.append(f"{name}: a choice among a hundred times as many states takes {growth:.1f} times as long")


def measure(symcrete):
    """Prints the table; returns what is out of bounds."""
    table = Table()
    print(f"{'symbolic':<24}{'paths':>8}{'s':>10}{'bound':>8}{'MB':>6}{'bound':>7}")
    with tempfile.TemporaryDirectory() as folder:
        table.row("LCG, native -O2", seconds=calibrate(folder), note=f"{CALIBRATION_STEPS:,} steps, to compare machines by")
    exhaust(symcrete, table)
    weigh_states(symcrete, table)
    speed_up(symcrete, table)
    select(table)
    return table.broken
