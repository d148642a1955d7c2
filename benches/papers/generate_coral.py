#!/usr/bin/env python3
"""Writes coral.c from the table of CORAL's formulas: `generate_coral.py coral.tsv > coral.c`.

Nothing is computed or simplified here: a formula is copied, `and` becomes `&&`, `=` becomes `==`, E becomes M_E, and a
whole number gets `.0`, because all arithmetic of the table is on doubles. Only in a comparison of an int variable do
numbers stay whole."""

import re
import sys
import textwrap

HEAD = """\
// coral: the 65 formulas of the benchmark of the CORAL constraint solver, one function each; section 5 of the Concolic
// Walk paper. Made by generate_coral.py; the numbers are CORAL's own, hence the gaps.
// Measure: targets, 65 of them. Target 46 cannot be reached: it asks for y > 1 and y < 1. Target 15 has a constant
// condition, which is true. Whether every other formula has a solution in doubles, where `==` knows no tolerance, is
// not known.
#include "target.h"
#include <math.h>

static double V[24];
static int N[3];

static void doubles(const char *names) {
    for (int i = 0; names[i] != 0; i++)
        V[i] = symcrete_double((char[]){names[i], 0});
}

static void integers(const char *names) {
    for (int i = 0; names[i] != 0; i++)
        N[i] = symcrete_int((char[]){names[i], 0});
}
"""


def condition(formula, integers):
    """The formula as a C expression."""
    parts = []
    for part in formula.split(" and "):
        part = re.sub(r"(?<![<>!=])=(?!=)", "==", part)
        part = re.sub(r"\bE\b", "M_E", part)
        if part.split()[0] not in integers:
            part = re.sub(r"(?<![\w.])(?<!e-)(\d+)(?![\w.])", r"\1.0", part)
        parts.append(part)
    return " && ".join(parts)


def wrapped(text, first, rest):
    """The text in lines of at most 120 columns."""
    return textwrap.fill(text, 120, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def main():
    functions, cases = [], []
    with open(sys.argv[1], encoding="utf-8") as table:
        rows = [line.rstrip("\n").split("\t") for line in table if line.strip() and not line.startswith("#")]
    for number, variables, formula in rows:
        typed = [variable.split(": ") for variable in variables.split(", ")]
        integers = [name for name, kind in typed if kind == "int"]
        reals = [name for name, kind in typed if kind == "double"]
        assert [name for name, _ in typed] == reals + integers
        used = set(re.findall(r"\b[a-z]\b", formula))
        parameters = ", ".join(f"{kind} {name}" for name, kind in typed if name in used) or "void"
        functions.append(
            "\n" + wrapped(f"static void coral_{number}({parameters}) {{", "", "    ") + "\n"
            + wrapped(f"if ({condition(formula, integers)})", "    ", "        ") + "\n"
            + f"        TARGET({int(number)});\n}}\n")
        values = [f"V[{i}]" for i, name in enumerate(reals) if name in used]
        values += [f"N[{i}]" for i, name in enumerate(integers) if name in used]
        reading = f'doubles("{"".join(reals)}"); ' + (f'integers("{"".join(integers)}"); ' if integers else "")
        call = f"case {int(number)}: {reading}coral_{number}({', '.join(values)}); break;"
        cases.append(wrapped(call, "    ", "        "))
    print(HEAD, end="")
    print("".join(functions), end="")
    print('\nint main(void) {\n    switch (symcrete_int("formula")) {')
    print("\n".join(cases))
    print("    }\n}")


main()
