"""What the sandbox costs: a thousand tests replayed in it, against the same without one, in turns."""

import json
import os
import statistics
import subprocess
import tempfile

ROUNDS = 3
TESTS = 1000
RATIO_BOUND = 1.5

PROGRAM = f"""#include <stdio.h>
#include <symcrete.h>
int main(void) {{
    unsigned n = symcrete_int("n");
    symcrete_assume(n < {TESTS});
    for (unsigned i = 0; i < {TESTS}; i++)
        if (n == i) {{
            printf("%u\\n", i);
            return i % 7;
        }}
    return 0;
}}
"""


def replay(symcrete, folder, flags):
    done = subprocess.run([symcrete, "replay", "suite", "many.c", "--json", *flags], cwd=folder, capture_output=True)
    return json.loads(done.stdout)["stats"]["time_s"]


def measure(symcrete):
    """Prints the table; returns what is out of bounds."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "many.c"), "w") as file:
            file.write(PROGRAM)
        cover = [symcrete, "cover", "many.c", "--every-path", "--no-replay", "--out", "suite"]
        subprocess.run(cover, cwd=folder, capture_output=True, check=True)
        ways = {"without": ["--unsafe-replay"], "in namespaces": ["--sandbox", "namespaces"], "in landlock": ["--sandbox", "landlock"]}
        times = {name: [] for name in ways}
        for _ in range(ROUNDS):
            for name, flags in ways.items():
                times[name].append(replay(symcrete, folder, flags))
    plain = statistics.median(times["without"])
    print(f"{'replay of ' + str(TESTS) + ' tests':<24}{'seconds':>10}{'ratio':>8}{'bound':>8}")
    broken = []
    for name, seconds in times.items():
        ratio = statistics.median(seconds) / plain
        print(f"{name:<24}{statistics.median(seconds):>10.2f}{ratio:>8.2f}{RATIO_BOUND:>8.1f}")
        if ratio > RATIO_BOUND and name == "in namespaces":
            broken.append(f"replay in the sandbox takes {ratio:.2f} times as long as without one")
    return broken
