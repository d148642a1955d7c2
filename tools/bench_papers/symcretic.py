"""The table of the paper on symcretic execution: backward segments until a target is reached or proved unreachable.

Counted without concrete runs and without summaries of loops, as the paper counts; what Symcrete does with all of these stands beside
it. Segments are those of the search backward and of the one forward. A bound is met if every try has the right verdict within the
number of segments, and the best of three tries is fast enough: machines are noisy, and noise only ever adds to a time. Seconds are
those that Symcrete names for its search, without the C compiler.
"""

import json
import re
import shutil
import tempfile

from . import table
from .runs import Failed, Refused, path_of, progress

TRIES = 3
MOST_SECONDS = 0.1
# How long a search may go on, so that a reader sees what it would need; with --quick.
LIMIT, QUICK_LIMIT = 20, 5
COUNTED = ["--no-burst", "--no-climb", "--no-summaries"]
WITH_ALL = []
MARK = re.compile(r"\bsymcrete_target\(\);\s*// target (\d+)\s*$")


class Case:
    """A target. `paper` is the segments of jCUTE, SPF-CW and Cilocnoc; * is a second phase, which Cilocnoc needed."""

    def __init__(self, name, paper, verdict, most, program, number=1, macros=(), judged="counted"):
        self.name, self.paper, self.verdict, self.most = name, paper, verdict, most
        self.program, self.number, self.judged = "symcretic_" + program, number, judged
        self.flags = [part for macro in macros for part in ("-D", macro)]

    def must(self):
        kind = "found" if self.verdict == "reached" else "proved"
        return f"{kind}, {'1' if self.most == 1 else f'<= {self.most}'}{', with all' if self.judged == 'all' else ''}"


PAPER = [
    Case("hard-loop", ("not found", "5455", "*22"), "reached", 22, "hard_loop"),
    Case("dart 1", ("-", "1", "1"), "reached", 1, "dart", 1),
    Case("dart 2", ("-", "1", "*1"), "reached", 1, "dart", 2),
    Case("unreach", ("1287, time-out", "766, time-out", "proved, 1"), "unreachable", 1, "unreach"),
    Case("slicing", ("1180, time-out", "766, time-out", "proved, 512"), "unreachable", 4, "slicing"),
    Case("narrow", ("not found", "not found", "2"), "reached", 2, "narrow"),
    Case("easy-loop", ("861", "956", "*7"), "reached", 7, "easy_loop"),
    Case("trityp 1", ("8", "3", "3"), "reached", 3, "trityp", 1),
    Case("trityp 2", ("-", "-", "4"), "reached", 4, "trityp", 2),
    Case("trityp 3", ("-", "-", "14"), "reached", 14, "trityp", 3),
]
PAPER_SECONDS = ("9.2", "10.7", "0.5")
# What the paper does not have. 64 conditionals may not cost more segments than 9 do; the long loop is what summaries are for.
BEYOND = [
    Case("unreach, N = 64", ("", "", ""), "unreachable", 1, "unreach", 1, ["N=64"]),
    Case("slicing, N = 64", ("", "", ""), "unreachable", 4, "slicing", 1, ["N=64"]),
    Case("easy-loop, 1,000,000 rounds", ("", "", ""), "reached", 7, "easy_loop", 1, ["COUNT=1000000"], judged="all"),
]


# Runs a second of the concrete phase, each of them a thousand rounds of the loop of hard-loop.
RATE = Case("rate", ("", "", ""), "unknown", 0, "rate")
LEAST_RATE = 10_000


class Try:
    """One answer of `symcrete reach`."""

    def __init__(self, said):
        stats = said["stats"]
        self.verdict = said["verdict"]
        if self.verdict == "reached" and not said["replayed"]:
            self.verdict = "reached, but not natively"
        self.segments = stats["segments"] + stats["forward_segments"]
        self.runs = f"{stats.get('traces', '-')} / {stats['evaluations']}"
        self.found_by = said.get("found_by") or ""
        self.seconds = stats["time_s"]
        self.rate = stats["evaluations"] / max(stats["evaluation_s"], 1e-9)

    def is_right(self, case):
        return self.verdict == case.verdict

    def is_wrong(self, case):
        """Whether it says what is not so, which is worse than no verdict."""
        return self.verdict not in (case.verdict, "unknown")


def line_of(program, number):
    """The line of a target, by the mark that it bears."""
    with open(path_of(program)) as file:
        lines = [at for at, text in enumerate(file, 1) if (mark := MARK.search(text)) and int(mark.group(1)) == number]
    if len(lines) != 1:
        raise Failed(f"{program}.c has {len(lines)} lines with the mark `target {number}`")
    return lines[0]


def reach(runner, case, flags, seconds):
    folder = tempfile.mkdtemp(prefix="reach-", dir=runner.folder)
    target = f"{path_of(case.program)}:{line_of(case.program, case.number)}"
    command = [runner.symcrete, "reach", "--json", "--time", str(seconds), "--out", folder, *flags, *case.flags, target]
    done, _ = runner.execute(command, seconds)
    shutil.rmtree(folder, ignore_errors=True)
    try:
        return Try(json.loads(done.stdout))
    except ValueError:
        raise Failed((done.stderr.strip() or f"ended with {done.returncode}").splitlines()[-1]) from None


class Tries:
    """All tries of a target in one way; one that fails is not repeated."""

    def __init__(self, runner, case, flags, seconds):
        def one(_):
            return reach(runner, case, flags, seconds)

        tries = runner.each(one, [0])
        if tries[0].is_right(case):
            tries += runner.each(one, range(1, TRIES))
        self.worst = max(tries, key=lambda each: (each.is_wrong(case), not each.is_right(case), each.segments))
        self.seconds = min(each.seconds for each in tries)
        self.is_met = self.worst.is_right(case) and self.worst.segments <= case.most and self.seconds <= MOST_SECONDS

    def cells(self):
        return [self.worst.verdict, self.worst.segments, self.worst.runs, self.worst.found_by, f"{self.seconds:.3f}"]

    def __str__(self):
        return f"{self.worst.verdict}, {self.worst.segments} segments, {self.seconds:.3f} s"


def measure(runner, report, case, seconds):
    """Prints the row; a wrong verdict breaks a bound in either way. Returns the seconds counted, if they could be measured."""
    tries, cells, verdict = {}, [], ""
    for way, flags in (("counted", COUNTED), ("all", WITH_ALL)):
        progress(f"{case.name}, {way}")
        try:
            tries[way] = Tries(runner, case, flags, seconds)
            cells += tries[way].cells()
            if tries[way].worst.is_wrong(case):
                report.broken.append(f"{case.name}, {way}: the verdict is wrong: {tries[way].worst.verdict}")
        except (Refused, Failed) as error:
            shown = report.unmeasured(case.name, error) if way == case.judged else table.cell(error)
            cells += [shown, "", "", "", ""]
    if case.judged in tries:
        verdict = report.verdict(tries[case.judged].is_met, f"{case.name}: {tries[case.judged]}; must be {case.must()}")
    table.row(case.name, *case.paper, *cells, case.must(), verdict)
    return tries["counted"].seconds if "counted" in tries else None


def measure_rate(runner, report, seconds):
    """The best of several tries, as with times."""
    progress("runs a second")
    try:
        tries = runner.each(lambda _: reach(runner, RATE, COUNTED, seconds), range(TRIES))
        best = max(each.rate for each in tries)
        shown = f"{best:,.0f} runs a second"
        verdict = report.verdict(best >= LEAST_RATE, f"{RATE.name}: {shown}; must be {LEAST_RATE:,}")
    except (Refused, Failed) as error:
        shown, verdict = report.unmeasured(RATE.name, error), ""
    table.row("runs of 1,000 rounds", *RATE.paper, shown, *[""] * 9, f">= {LEAST_RATE:,} a second", verdict)


def symcretic_table(runner, report, is_quick):
    seconds = QUICK_LIMIT if is_quick else LIMIT
    ours = ["verdict", "segments", "traces / evaluations", "found by", "s"]
    columns = ["jCUTE", "SPF-CW", "Cilocnoc", "Symcrete: verdict", *ours[1:], *(f"with all: {name}" for name in ours), "must", ""]
    limits = f"best time of {TRIES} tries, which must be <= {MOST_SECONDS} s; stopped after {seconds} s"
    table.heading(f"Symcretic execution, tables 1 and 2 (segments; {limits})", "target", *columns)
    times = [measure(runner, report, case, seconds) for case in PAPER]
    if None not in times:
        average = f"{sum(times) / len(times):.3f}"
        table.row("average time, s", *PAPER_SECONDS, *[""] * 4, average, *[""] * 5, f"<= {MOST_SECONDS} each", "")
    for case in BEYOND:
        measure(runner, report, case, seconds)
    measure_rate(runner, report, seconds)
    table.note("Traces and evaluations are concrete runs and no segments; * is a second phase of such runs. Rows without the paper's "
               "figures go beyond it.")
