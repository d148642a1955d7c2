"""The table of the paper on mixed concrete-symbolic solving.

Without concrete runs at random (--no-burst) in all figures: what is found there is to be the solver's doing, not luck's.
"""

import os

from . import table
from .native import Program, read_tests
from .runs import PROGRAMS, Failed, Refused, forget, progress


def hidden(name, file):
    """Flags for a function that is only there natively."""
    return ["--library", os.path.join(PROGRAMS, file), "--pure", name, "--no-burst"]


HASH = hidden("hash", "mixed_figure1_hash.c")
IDENTITY = hidden("identityF", "mixed_figure7_identity.c")
MIXED = ["--solver", "mixed"]
BOUNDED = ["-D", "BOUNDED", "--no-burst"]
# The targets of figure 1.
S0_S3, S0_S4, S1_S3, S1_S4 = 1, 2, 3, 4
CONTROL = "fig. 7, without them"
PATHS = {S0_S3: "S0,S3", S0_S4: "S0,S4", S1_S3: "S1,S3", S1_S4: "S1,S4"}


def only(settings):
    """Mixed solving with nothing but this: not more than one try, no random or residual values, no partitions, unless it says so."""
    chosen = {"tries": "1", "random": "off", "residual": "off", "partitions": "off"} | settings
    return MIXED + ["--mixed", ",".join(f"{key}={value}" for key, value in chosen.items())]


class Case:
    def __init__(self, name, paper, must, program, flags, check, seconds=10, show=None):
        self.name, self.paper, self.must, self.program, self.flags = name, paper, must, program, flags
        # From a result to whether it is as it must be; None if there is no bound.
        self.check, self.seconds = check, seconds
        self.show = show or (lambda result: "targets " + (", ".join(map(str, sorted(result.reached))) or "none"))


class Result:
    def __init__(self, program, answer):
        self.coverage = program.coverage(read_tests(answer.tests))
        self.reached = self.coverage.reached()
        self.exhausted, self.seconds = answer.exhausted, answer.seconds
        self.trouble = answer.diverged + self.coverage.rejected
        probe = program.lines_of("static double conflict_probe") if program.source.endswith("tsafe.c") else ()
        sides = {}
        for (line, column, _), taken in self.coverage.branches.items():
            if line in probe:
                sides[line, column] = sides.get((line, column), True) and taken
        self.probe = sum(sides.values())


def paths(result):
    return ", ".join(f"({PATHS[number]})" for number in sorted(result.reached)) or "none"


def proof(result):
    reached = ", ".join(map(str, sorted(result.reached))) or "none"
    return f"targets {reached}; {'all paths followed' if result.exhausted else 'not proved'}"


def reaches(*targets):
    return lambda result: result.reached >= set(targets)


def exactly(*targets):
    return lambda result: result.reached == set(targets)


def figure_cases():
    line7 = ["-D", "LINE7", *HASH]
    exe, dart = ["--calls", "concretise", "--search", "dfs"], ["--calls", "dart"]
    one, three, six = "mixed_figure1", "mixed_figure3", "mixed_figure6"
    four = reaches(S0_S3, S0_S4, S1_S3, S1_S4)
    return [
        Case("fig. 1, mixed", "all four paths", "all", one, HASH + MIXED, four, show=paths),
        Case("fig. 1, auto", "", "all", one, HASH, four, show=paths),
        Case("fig. 1, EXE-like", "misses S3", "the same", one, HASH + exe, exactly(S0_S4, S1_S4), show=paths),
        Case("fig. 1, DART-like", "misses S0,S4", "the same", one, HASH + dart, exactly(S0_S3, S1_S3, S1_S4), show=paths),
        Case("line 7, mixed without heuristics", "misses S0,S3", "", one, line7 + only({}), None, show=paths),
        Case("line 7, incremental alone", "finds S0,S3", "S0,S3", one, line7 + only({"tries": "20"}), reaches(S0_S3), show=paths),
        Case("line 7, partitions alone", "finds S0,S3", "S0,S3", one, line7 + only({"partitions": "on"}), reaches(S0_S3), show=paths),
        Case("fig. 3, auto", "unreachable", "reached (wraps)", three, ["--no-burst"], reaches(1)),
        Case("fig. 3 bounded, auto", "unreachable", "proved unreachable", three, BOUNDED,
             lambda result: 1 not in result.reached and result.exhausted, show=proof),
        Case("fig. 3 bounded, mixed", "unreachable", "not reported", three, BOUNDED + MIXED, lambda result: 1 not in result.reached),
        Case("fig. 6, auto", "first abort", "both", six, ["--no-burst"], reaches(1, 2)),
        Case("fig. 6 bounded, auto", "first abort", "first; second proved unreachable", six, BOUNDED,
             lambda result: result.reached == {1} and result.exhausted, show=proof),
        Case("fig. 7, residual values alone", "DART by luck", "target 3", "mixed_figure7", IDENTITY + only({"residual": "on"}), reaches(3)),
        Case(CONTROL, "missed", "", "mixed_figure7", IDENTITY + only({}), None),
        Case("fig. 8, mixed", "both", "both", "mixed_figure8", ["--no-burst"] + MIXED, reaches(1, 2)),
        Case("fig. 8, auto", "", "both", "mixed_figure8", ["--no-burst"], reaches(1, 2)),
    ]


def program_cases():
    def probe(result):
        return f"{result.probe}/5"

    def found(result):
        return f"{'found' if 1 in result.reached else 'not found'} in {result.seconds:.1f} s"

    two_steps = ["-D", "STEPS=2", "-D", "THRESHOLD=4"]
    return [
        Case("TSAFE conflict probe", "5/5 in one of three trials, 15 s", "5/5 in every seed", "tsafe", [], lambda result: result.probe == 5,
             seconds=15, show=probe),
        Case("TSAFE conflict probe, mixed", "", "", "tsafe", MIXED, None, seconds=15, show=probe),
        Case("autopilot, 5 steps", "6 min 1 s", "under 30 s", "autopilot", [], lambda result: 1 in result.reached and result.seconds < 30,
             seconds=27, show=found),
        Case("autopilot, 2 steps", "1 s", "", "autopilot", two_steps, None, seconds=10, show=found),
    ]


def measure(runner, case, seeds):
    program = Program(runner.folder, case.program, case.flags)

    def one(seed):
        answer = runner.cover(case.program, case.flags, seed, case.seconds)
        result = Result(program, answer)
        forget(answer)
        return result

    return runner.each(one, seeds)


def by_seed(texts):
    """Equal answers once, with the number of seeds that gave them."""
    counts = {text: texts.count(text) for text in texts}
    return next(iter(counts)) if len(counts) == 1 else "; ".join(f"{text} ({count} seeds)" for text, count in counts.items())


def mixed_table(runner, report, seeds):
    table.heading(f"Mixed concrete-symbolic solving ({len(seeds)} seeds; every one must do it)", "case", "paper", "Symcrete", "slowest s",
                  "must", "")
    for case in figure_cases() + program_cases():
        progress(case.name)
        try:
            results = measure(runner, case, seeds)
        except (Refused, Failed) as error:
            shown = report.unmeasured(case.name, error) if case.check else table.cell(error)
            table.row(case.name, case.paper, shown, "", case.must, "")
            continue
        shown = by_seed([case.show(result) for result in results])
        if any(result.trouble for result in results):
            shown += f"; tests not confirmed natively, by seed: {[result.trouble for result in results]}"
        if case.name == CONTROL and all(3 in result.reached for result in results):
            shown += "; so the row above does not show what residual values do"
        verdict = report.verdict(all(map(case.check, results)), f"{case.name}: {shown}") if case.check else ""
        table.row(case.name, case.paper, shown, f"{max(result.seconds for result in results):.1f}", case.must, verdict)
