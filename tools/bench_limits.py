"""Whether limits are kept with half a million states pending: a table of its own of `make bench`, with bounds.

A search must stop within a second of --time, its resident memory must stay within a quarter of --memory, and checkpoints must cost little. How long a
search takes to write them is told by the same search without any.
"""

import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.join(ROOT, "tests/resume/very_many_states.c")
STATES = 500_000
STEPS = 4_500_000
STOPPING_BOUND = 1.0
MEMORY_BOUND = 1.25
CHECKPOINT_BOUND = 1.15


def explore(symcrete, *flags):
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        command = [symcrete, "cover", PROGRAM, "--no-replay", "--json", "--join", "never", "--out", folder, *flags]
        before = os.times()
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        after = os.times()
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} failed:\n{done.stderr}")
    answer = json.loads(done.stdout)
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return answer["pending"], answer["stats"], processor


def measure(symcrete):
    """Prints the table; returns what is out of bounds."""
    broken = []
    print(f"{'limits':<40}{'states':>10}{'MiB':>8}{'bound':>8}{'stops in s':>12}{'bound':>8}")

    def row(what, states, stats, memory):
        bound = int(memory * MEMORY_BOUND)
        print(f"{what:<40}{states:>10}{stats['peak_mib']:>8}{bound:>8}{stats['stopping_s']:>12.3f}{STOPPING_BOUND:>8.1f}", flush=True)
        if stats["peak_mib"] > bound:
            broken.append(f"{what}: {stats['peak_mib']} MiB, more than {bound}")
        if stats["stopping_s"] > STOPPING_BOUND:
            broken.append(f"{what}: it stopped after {stats['stopping_s']:.3f} s, more than {STOPPING_BOUND} s")

    for memory in (512, 2048):
        for search in ("combined,random-path,md2u", "bfs", "combined"):
            states, stats, _ = explore(symcrete, "--search", search, "--memory", str(memory), "--budget-steps", str(STEPS))
            row(f"{search}, {memory} MiB", states, stats, memory)
            if states < STATES:
                broken.append(f"{search}: only {states} states")
    for memory in (512, 2048):
        states, stats, _ = explore(symcrete, "--memory", str(memory), "--time", "30")
        row(f"--time 30, {memory} MiB", states, stats, memory)
    seconds = [min(explore(symcrete, "--budget-steps", "3000000", "--checkpoint", often)[2] for _ in range(3)) for often in ("5", "3600")]
    print(f"checkpoints every 5 s: {seconds[0] / seconds[1]:.3f} times the processor's time without (bound {CHECKPOINT_BOUND})")
    if seconds[0] > CHECKPOINT_BOUND * seconds[1]:
        broken.append(f"checkpoints take {seconds[0] / seconds[1]:.3f} times the processor's time without")
    return broken


if __name__ == "__main__":
    for what in measure(os.path.abspath(sys.argv[1])):
        print(f"bench: out of bounds: {what}", file=sys.stderr)
