"""The tables of the Concolic Walk paper: coverage of its programs (table 2), its formulas by the walk alone, and variations of the
walk (table 3)."""

import statistics

from . import table
from .native import Program, read_tests
from .runs import Failed, Refused, forget, progress

# Lines of code, coverage, its variance and time in the paper, what Symcrete must cover in percent, seconds of search, what counts.
PROGRAMS = {
    "coral": (335, 78, "2.0", "1.4 min", 100, 8, "targets"),
    "blind": (17, 100, "·", "1.1 s", 100, 10, "targets"),
    "hash": (54, 80, "·", "5.6 s", 100, 10, "targets"),
    "opti": (48, 50, "·", "7.0 s", 100, 20, "targets"),
    "dart": (18, 86, "·", "1.2 s", 100, 10, "branches"),
    "power": (31, 100, "·", "1.2 s", 100, 10, "branches"),
    "ray": (304, 90, "·", "11 min", 95, 60, "branches"),
    "sine": (289, 55, "3.7", "1.9 s", 90, 60, "branches"),
    "stat": (113, 75, "·", "1.2 s", 100, 60, "branches"),
    "tcas": (157, 91, "·", "45.6 s", 100, 45, "branches"),
    "tsafe": (88, 92, "·", "4.8 s", 100, 30, "branches"),
}
AVERAGE_BOUND = 96
CORAL_SECONDS = 10
# Sides of conditions that the heads of the programs prove unreachable: a line, the condition in it, the side.
UNREACHABLE = {"tcas": [("need_up && need_down", "need_down", True)]}
QUICK_SECONDS = 10
PROOF_SECONDS = 10

# Settings, and the fractions of coral and opti in table 3; `?` where the paper's text has lost the cell.
PAPER_VARIATIONS = [
    ("tabu disabled", "tabu=0", "0.57", "?"),
    ("tabu extended", "tabu=5", "?", "?"),
    ("bisection disabled", "bisection=off", "0.86", "0.33"),
    ("10 steps", "steps=10", "0.82", "?"),
    ("75 steps", "steps=75", "1.02", "?"),
    ("300 steps", "steps=300", "1.04", "?"),
    ("3 neighbours", "neighbours=3", "?", "?"),
    ("25 neighbours", "neighbours=25", "?", "?"),
    ("100 neighbours", "neighbours=100", "?", "?"),
]
OWN_VARIATIONS = [
    (f"without {switch.split('=')[0]}" if switch.endswith("off") else switch, switch, "", "")
    for switch in ("metric=difference", "scales=off", "specials=off", "inversion=off", "intervals=off", "repair=off", "weights=off",
                   "restarts=off")
]
OWN_VARIATIONS.append(("without all of these", ",".join(setting for _, setting, *_ in OWN_VARIATIONS), "", ""))


class Measured:
    """One run: what its tests cover natively, and of how much."""

    def __init__(self, program, name, answer, measure):
        coverage = program.coverage(read_tests(answer.tests))
        self.seconds, self.exhausted, self.tests = answer.seconds, answer.exhausted, coverage.tests
        self.trouble = answer.diverged + coverage.rejected
        self.covered = dict(coverage.targets if measure == "targets" else coverage.branches)
        self.left_out, self.disagreement = [], None
        if measure == "branches":
            self.disagreement = disagreement(name, answer.said, self.covered)
            self.leave_out_proved(program, name)

    def leave_out_proved(self, program, name):
        for text, condition, side in UNREACHABLE.get(name, []):
            place = (*program.place(text, condition), side)
            if self.covered.get(place):
                raise Failed(f"{place} was called unreachable and is covered")
            if self.exhausted and place in self.covered:
                del self.covered[place]
                self.left_out.append(f"line {place[0]}: `{condition}` {str(side).lower()}")

    def share(self):
        return 100 * sum(self.covered.values()) / max(len(self.covered), 1)


def disagreement(name, said, covered):
    """Two counts of the same tests must agree; if not, a sentence for a person who looks into it."""
    for file in (said["coverage"] or {"files": []})["files"]:
        counted = {"covered": sum(covered.values()), "total": len(covered)}
        if file["file"].endswith(name + ".c") and file["branches"] != counted:
            return f"Symcrete's own replay counts {file['branches']['covered']}, the native runs here {counted['covered']}"
    return None


def measure_program(runner, name, seeds, seconds):
    program = Program(runner.folder, name)

    def one(seed):
        answer = runner.cover(name, [], seed, seconds)
        measured = Measured(program, name, answer, PROGRAMS[name][6])
        forget(answer)
        share = f"{sum(measured.covered.values())}/{len(measured.covered)}"
        progress(f"{name}, seed {seed}: {share} in {measured.seconds:.1f} s, {measured.tests} tests, {measured.trouble} not confirmed")
        return measured

    return runner.each(one, seeds)


def prove(runner, runs, formulas):
    """Asks the solver for the targets of coral that no run covers. Those without a solution leave the count; the seconds are returned."""
    missed = set.intersection(*({number for number, hit in run.covered.items() if not hit} for run in runs))
    seconds = 0
    for number in sorted(missed | {46}):
        answer, _, taken = runner.solve(formulas.scripts[number], [], PROOF_SECONDS)
        seconds += taken
        table.note(f"coral no. {number}: `symcrete solve` answers {answer} in {taken:.2f} s.")
        if answer == "unsat":
            for run in runs:
                if run.covered.pop(number, False):
                    raise Failed(f"coral no. {number} is covered natively and answered unsat")
    return seconds


def coverage_table(runner, report, names, seeds, is_quick, coral):
    rows, notes = {}, []
    for name in names:
        limit = min(PROGRAMS[name][5], QUICK_SECONDS) if is_quick else PROGRAMS[name][5]
        try:
            runs = measure_program(runner, name, seeds, limit)
            extra = prove(runner, runs, coral) if name == "coral" and coral else 0
            rows[name] = (runs, limit, extra)
        except (Refused, Failed) as error:
            rows[name] = (error, limit, 0)
    columns = ["program", "paper: %", "var.", "time", "Symcrete: %", "var.", "covered", "s", "var.", "limit s", "tests", "must %", ""]
    table.heading(f"Concolic Walk, table 2 (median and variance of {len(seeds)} seeds)", *columns)
    for name, (runs, limit, extra) in rows.items():
        _, paper, paper_variance, paper_time, must, _, measure = PROGRAMS[name]
        head = [name, paper, paper_variance, paper_time]
        if isinstance(runs, Exception):
            table.row(*head, report.unmeasured(name, runs), *[""] * 5, limit, must, "")
            continue
        shares, times = [run.share() for run in runs], [run.seconds + extra for run in runs]
        share = statistics.median(shares)
        is_met = share >= must and (name != "coral" or max(times) < CORAL_SECONDS)
        verdict = report.verdict(is_met, f"{name}: {share:.1f} % in at most {max(times):.1f} s")
        middle = sorted(runs, key=Measured.share)[len(runs) // 2]
        counted = f"{sum(middle.covered.values())}/{len(middle.covered)} {measure}"
        table.row(*head, table.percent(share), table.variance(shares), counted, f"{statistics.median(times):.1f}",
                  table.variance(times), limit, middle.tests, must, verdict)
        notes += [f"{name}: left out, as its head proves and {sum(bool(run.left_out) for run in runs)} of {len(runs)} runs followed "
                  f"all paths: {text}." for text in sorted({text for run in runs for text in run.left_out})]
        notes += [f"{name}, seed {seed}: {run.disagreement}." for seed, run in zip(seeds, runs) if run.disagreement]
        if any(run.trouble for run in runs):
            notes.append(f"{name}: tests not confirmed natively, by seed: {[run.trouble for run in runs]}.")
    average_row(report, rows, len(seeds))
    for text in notes:
        table.note(text)


def average_row(report, rows, count):
    if set(rows) != set(PROGRAMS) or any(isinstance(runs, Exception) for runs, *_ in rows.values()):
        table.note("No weighted average: not all programs were measured.")
        return
    weights = {name: PROGRAMS[name][0] for name in rows}

    def weighted(values):
        return sum(weights[name] * values[name] for name in rows) / sum(weights.values())

    average = weighted({name: statistics.median(run.share() for run in runs) for name, (runs, *_) in rows.items()})
    by_seed = [weighted({name: rows[name][0][index].share() for name in rows}) for index in range(count)]
    seconds = weighted({name: statistics.median(run.seconds for run in runs) for name, (runs, *_) in rows.items()})
    verdict = report.verdict(average >= AVERAGE_BOUND, f"the weighted average is {average:.1f} %")
    table.row("weighted average", "78 (82 with Pex or SPF-CORAL)", "1.2", "1.2 min", table.percent(average), table.variance(by_seed), "",
              f"{seconds:.1f}", "", "", "", AVERAGE_BOUND, verdict)


def solve_seeds(runner, formulas, flags, seeds, seconds):
    """Solved, seconds, wrong models and contradictions over the seeds."""
    results = runner.each(lambda seed: formulas.solve_all(flags, seconds, seed), seeds)
    solved, refuted = (set().union(*(result[index] for result in results)) for index in (0, 1))
    wrong = set().union(*(result[2] for result in results))
    return [len(result[0]) for result in results], [result[3] for result in results], wrong, solved & refuted


def solve_table(runner, report, sets, seeds):
    title = f"The formulas by `symcrete solve --solver walk` alone, models run natively ({len(seeds)} seeds)"
    table.heading(title, "formulas", "solved (median)", "var.", "fewest", "of", "s", "var.")
    for formulas in sets:
        try:
            counts, times, wrong, contradicted = solve_seeds(runner, formulas, ["--solver", "walk"], seeds, 1)
        except (Refused, Failed) as error:
            table.row(formulas.name, report.unmeasured(f"{formulas.name} by walk", error), *[""] * 5)
            continue
        table.row(formulas.name, f"{statistics.median(counts):g}", table.variance(counts), min(counts), len(formulas.scripts),
                  f"{statistics.median(times):.2f}", table.variance(times))
        for what, numbers in (("a model that is wrong natively", wrong), ("both sat and unsat", contradicted)):
            if numbers:
                report.broken.append(f"{formulas.name}: {what}: {sorted(numbers)}")


def ablation_table(runner, sets, seeds):
    names = [formulas.name for formulas in sets]
    columns = [f"{what} {name}" for what in ("paper:", "solved", "fraction", "seconds") for name in ("coral", "opti")]
    table.heading(f"Concolic Walk, table 3: variations (`solve --solver walk --time 1`, median of {len(seeds)} seeds)", "walk", *columns)
    for base, base_name, variations in (("paper", "the paper's algorithm", PAPER_VARIATIONS), ("", "Symcrete's", OWN_VARIATIONS)):
        baseline = {}
        for name, setting, *paper in [(base_name, "", "1", "1") if base else (base_name, "", "", ""), *variations]:
            walk = ",".join(part for part in (base, setting) if part)
            progress(f"walk: {name}")
            cells = {}
            for formulas in sets:
                try:
                    flags = ["--solver", "walk", *(["--walk", walk] if walk else [])]
                    counts, times, *_ = solve_seeds(runner, formulas, flags, seeds, 1)
                    solved = statistics.median(counts)
                    baseline.setdefault(formulas.name, solved)
                    cells[formulas.name] = (f"{solved:g}", f"{solved / max(baseline[formulas.name], 1):.2f}",
                                            f"{statistics.median(times):.2f}")
                except (Refused, Failed) as error:
                    cells[formulas.name] = (table.cell(error), "", "")
            empty = ("", "", "")
            table.row(name, *paper, *(cells.get(key, empty)[index] for index in (0, 1, 2) for key in ("coral", "opti")))
    if names != ["coral", "opti"]:
        table.note("Columns without figures: their formulas are not there.")
