"""The formulas of coral and opti as SMT-LIB scripts for `symcrete solve`. A model counts only if the C program, run natively on
it, reaches the formula's target."""

import os
import re
import struct
import subprocess
import sys

from .native import Program
from .runs import ROOT

SPECIAL = {"+zero": 0, "-zero": 1 << 63, "+oo": 0x7FF << 52, "-oo": 0xFFF << 52, "NaN": 0x7FF8 << 48}
DEFINITION = re.compile(
    r"\(define-fun (\w+) \(\) \(.*?\) (?:\(fp #b([01]) #b([01]{11}) #x([0-9a-f]{13})\)|\(_ (\S+) 11 53\)|#x([0-9a-f]{8})|#b([01]{32}))\)"
)
OPTI_INPUTS = ("x1", "x2", "x3", "x4")


def read_model(text):
    """The bytes of each variable, in the order in which the formula declares them."""
    values = {}
    for name, sign, exponent, fraction, special, hexadecimal, binary in DEFINITION.findall(text):
        if sign:
            values[name] = struct.pack("<Q", int(sign) << 63 | int(exponent, 2) << 52 | int(fraction, 16))
        elif special:
            values[name] = struct.pack("<Q", SPECIAL[special])
        else:
            values[name] = struct.pack("<I", int(hexadecimal, 16) if hexadecimal else int(binary, 2))
    return values


class Formulas:
    """One file of formulas, and the program of benches/papers that asks the same."""

    def __init__(self, runner, data, name):
        self.runner, self.name = runner, name
        folder = os.path.join(runner.folder, "smt2-" + name)
        tool = os.path.join(ROOT, "tools/coral-to-smtlib")
        subprocess.run([sys.executable, tool, os.path.join(data, name + ".tsv"), folder], check=True, stdout=sys.stderr)
        files = sorted(file for file in os.listdir(folder) if file.endswith(".smt2"))
        # The targets of coral bear the formulas' numbers; opti's follow the alphabet.
        self.scripts = {
            int(file[:-5]) if name == "coral" else index: os.path.join(folder, file) for index, file in enumerate(files, 1)
        }
        self.program = Program(runner.folder, name)

    def test(self, number, model):
        values = read_model(model)
        if self.name == "coral":
            inputs = [("formula", struct.pack("<i", number)), *sorted(values.items(), key=lambda pair: len(pair[1]) == 4)]
        else:
            inputs = [(name, values.get(name, bytes(8))) for name in OPTI_INPUTS]
            inputs.append(("function", struct.pack("<I", number - 1)))
        given = [{"name": name, "bytes": value.hex()} for name, value in inputs]
        return {"inputs": given, "ends": {"kind": "exit", "status": 0}, "replayed": True}

    def solve_all(self, flags, seconds, seed):
        """Numbers solved (confirmed natively), numbers answered `unsat`, numbers whose models are wrong, and the seconds of solving."""
        tests, refuted, total = {}, set(), 0
        for number, script in self.scripts.items():
            answer, model, taken = self.runner.solve(script, flags, seconds, seed)
            total += taken
            if answer == "sat":
                tests[number] = self.test(number, model)
            elif answer == "unsat":
                refuted.add(number)
        reached = self.program.coverage(list(tests.values())).reached() & set(tests)
        return reached, refuted, set(tests) - reached, total


def load(runner, data, name):
    """The formulas, or None with a sentence if their file is not there."""
    if os.path.exists(os.path.join(data, name + ".tsv")):
        return Formulas(runner, data, name)
    print(f"\n{name}.tsv is not in {data}, so what needs its formulas is skipped (--data says where it is).")
    return None
