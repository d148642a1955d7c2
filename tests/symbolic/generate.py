#!/usr/bin/env python3
"""Prints a random C program over two symbolic bytes: tests/symbolic/generate.py SEED [--findings] [--print text|printf|none]

The same seed gives the same program. It reads its bytes by klee_make_symbolic, computes on integers of all widths, arrays, bit-fields,
unions, pointers and (for some seeds) floats, ends always, prints a checksum and exits with a status made of it. So the output for each of
the 65,536 inputs can be compared with that of native code. No program has undefined behaviour, but for those asked for by
--findings: assertions that may fail, abort, unchecked indices and divisors.
"""

import argparse
import random

WIDTHS = (8, 16, 32, 64)
TYPES = [f"{sign}{width}" for width in WIDTHS for sign in "ui"]
PRELUDE = """\
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void klee_make_symbolic(void *, unsigned long, const char *);

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;

static u8 input[2];
static u32 checksum = 0x811c9dc5u;

static void mix(u64 value) {
    checksum = (checksum ^ (u32)value ^ (u32)(value >> 32)) * 16777619u;
    checksum ^= checksum >> 15;
}
"""
FLOAT_HELPERS = """
static i32 to_integer(double value) { return value > -1e9 && value < 1e9 ? (i32)value : -7; }

static void mix_float(double value) {
    u64 bits = 0x7ff8000000000000u; // one NaN for all: their bits are not specified
    if (value == value)
        memcpy(&bits, &value, sizeof bits);
    mix(bits);
}
"""
# Without a branch of its own: the digits come from a table.
PRINT_TEXT = """\
    static const char digits[] = "0123456789abcdef";
    char text[9] = "";
    for (int i = 0; i < 8; i++)
        text[i] = digits[checksum >> (28 - 4 * i) & 15];
    printf("checksum %s\\n", text);
"""
PRINTERS = {"text": PRINT_TEXT, "printf": '    printf("checksum %08x\\n", (unsigned)checksum);\n', "none": ""}


def width_of(kind):
    return int(kind[1:])


def arithmetic_type(kind):
    """The unsigned type in which arithmetic wraps without promotion to int."""
    return "u64" if width_of(kind) == 64 else "u32"


class Generator:
    def __init__(self, seed, findings, printer):
        self.random = random.Random(seed)
        self.findings = findings
        self.printer = printer
        self.floats = self.random.random() < 0.3
        self.branches_left = self.random.randint(2, 4)
        self.calls_left = 6
        self.names = 0
        self.lines = []
        self.scalars = []  # (name, kind): what may be read and assigned
        self.readable = []  # constants, parameters and counters of loops
        self.arrays = []  # (name, kind, size)
        self.constant_arrays = []
        self.pointers = []  # (name, kind)
        self.float_variables = []
        self.functions = []  # (name, kinds of parameters, kind of the result)
        self.fields = []  # bit-fields and parts of a union

    # Choices

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, items):
        return self.random.choice(items)

    def kind(self):
        return self.pick(TYPES)

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def constant(self, kind):
        width = width_of(kind)
        value = self.pick([
            self.random.randint(0, 9),
            self.random.getrandbits(min(width, 8)),
            self.random.getrandbits(width),
            (1 << width) - 1,
            1 << width - 1,
            (1 << width - 1) - 1,
            1 << self.random.randrange(width),
        ])
        return f"({kind}){value}u" if width < 64 else f"({kind}){value}ull"

    # Expressions: text whose type is `kind`, without side effects

    def leaf(self, kind):
        choices = [lambda: f"({kind})input[{self.random.randrange(2)}]"] * 3 + [lambda: self.constant(kind)]
        variables = self.scalars + self.readable
        if variables:
            choices += [lambda: f"({kind}){self.pick(variables)[0]}"] * 3
        if self.arrays:
            choices.append(lambda: f"({kind}){self.element()}")
        if self.constant_arrays:
            choices.append(lambda: f"({kind}){self.constant_element()}")
        if self.pointers:
            choices.append(lambda: f"({kind})*{self.pick(self.pointers)[0]}")
        if self.fields:
            choices.append(lambda: f"({kind}){self.pick(self.fields)}")
        return self.pick(choices)()

    def index(self, size):
        """An index below `size`: masked, a remainder, or known to fit by its type."""
        if size == 256 and self.chance(0.7):
            return f"{self.expression('u8', 1)}"
        if size & size - 1 == 0 and self.chance(0.8):
            return f"{self.expression('u32', 1)} & {size - 1}"
        return f"{self.expression('u32', 1)} % {size}"

    def element(self):
        name, _, size = self.pick(self.arrays)
        return f"{name}[{self.index(size)}]"

    def constant_element(self):
        name, _, size = self.pick(self.constant_arrays)
        return f"{name}[{self.index(size)}]"

    def expression(self, kind, depth):
        if depth == 0 or self.chance(0.15):
            return self.leaf(kind)
        maker = self.pick(
            [self.wrapping] * 5 + [self.shift, self.quotient, self.comparison, self.selection, self.unary, self.narrowed]
        )
        return maker(kind, depth - 1)

    def wrapping(self, kind, depth):
        wide = arithmetic_type(kind)
        left, right = self.expression(kind, depth), self.expression(kind, depth)
        return f"({kind})(({wide}){left} {self.pick(['+', '-', '*', '&', '|', '^', '+'])} ({wide}){right})"

    def shift(self, kind, depth):
        count = self.pick([str(self.random.randrange(width_of(kind))), f"({self.expression('u8', 0)} & {width_of(kind) - 1})"])
        if self.chance(0.5):
            return f"({kind})(({arithmetic_type(kind)}){self.expression(kind, depth)} << {count})"
        return f"({kind})({self.expression(kind, depth)} >> {count})"

    def quotient(self, kind, depth):
        # The divisor is positive, so that neither it nor the quotient can go wrong.
        divisor = self.pick([str(self.random.randint(2, 100)), f"(({self.expression('u8', 0)} & 15) + 1)"])
        return f"({kind})({self.expression(kind, depth)} {self.pick('/%')} ({kind}){divisor})"

    def comparison(self, kind, depth):
        return f"({kind})({self.condition(depth)})"

    def selection(self, kind, depth):
        # Constants on both sides are chosen without a branch; anything else is a branch.
        if self.branches_left <= 0 or self.chance(0.7):
            mask = f"({kind})(0u - (u32)({self.condition(depth)}))" if width_of(kind) < 64 else f"({kind})(0ull - ({self.condition(depth)}))"
            return f"({kind})({mask} & {self.expression(kind, depth)})"
        self.branches_left -= 1
        return f"({self.condition(depth)} ? {self.expression(kind, depth)} : {self.expression(kind, depth)})"

    def unary(self, kind, depth):
        wide = arithmetic_type(kind)
        return f"({kind}){self.pick(['~', '-'])}({wide}){self.expression(kind, depth)}"

    def narrowed(self, kind, depth):
        return f"({kind}){self.expression(self.kind(), depth)}"

    def condition(self, depth):
        if self.floats and self.float_variables and self.chance(0.2):
            return f"{self.pick(self.float_variables)[0]} {self.pick(['<', '>=', '=='])} {self.float_constant()}"
        # Of bytes more often than not, where both outcomes are likely.
        kind = self.pick(["u8", "i8"]) if self.chance(0.6) else self.kind()
        left, right = self.expression(kind, depth), self.expression(kind, max(depth - 1, 0))
        if self.chance(0.4):
            right = self.constant(kind)
        # Equalities are rare among random numbers, so that their left sides are made small.
        if self.chance(0.3):
            return f"({left} & 7) == {self.random.randrange(8)}"
        return f"{left} {self.pick(['<', '>', '<=', '>=', '!=', '=='])} {right}"

    def branch_condition(self):
        if self.branches_left > 0 and self.chance(0.25):
            self.branches_left -= 1
            return f"({self.condition(1)}) {self.pick(['&&', '||'])} ({self.condition(1)})"
        return self.condition(2)

    # Floats

    def float_constant(self):
        return self.pick(["0.0", "1.0", "-2.5", "100.0", "0.1", "1e10", "-128.0", "0.5"])

    def float_expression(self, depth):
        if depth == 0 or self.chance(0.3):
            choices = [f"(double){self.leaf('i8')}", f"(double){self.leaf('u16')}", self.float_constant()]
            choices += [variable for variable, _ in self.float_variables]
            return self.pick(choices)
        left, right = self.float_expression(depth - 1), self.float_expression(depth - 1)
        return f"({left} {self.pick('+-*/')} {right})"

    # Statements

    def emit(self, depth, text):
        self.lines.append("    " * depth + text)

    def statement(self, depth, nesting):
        makers = [self.assign] * 4 + [self.store] * 3
        if self.branches_left > 0 and nesting > 0:
            makers += [self.branch] * 6 + [self.loop] * 2 + [self.switch] * 2
        if self.functions and self.calls_left > 0:
            makers.append(self.call)
        makers += [self.point, self.store_field]
        if self.floats:
            makers += [self.float_statement] * 2
        if self.findings:
            makers.append(self.finding)
        self.pick(makers)(depth, nesting)

    def block(self, depth, nesting, count):
        for _ in range(count):
            self.statement(depth, nesting)

    def assign(self, depth, nesting):
        name, kind = self.pick(self.scalars)
        self.emit(depth, f"{name} = {self.expression(kind, 3)};")

    def store(self, depth, nesting):
        name, kind, size = self.pick(self.arrays)
        if size < 256 and self.chance(0.3):
            # Not masked: the branch keeps it within bounds.
            index = self.expression("u8", 1)
            self.emit(depth, f"if ({index} < {size})")
            self.emit(depth + 1, f"{name}[{index}] = {self.expression(kind, 1)};")
            self.branches_left -= 1
        else:
            self.emit(depth, f"{name}[{self.index(size)}] = {self.expression(kind, 2)};")

    def point(self, depth, nesting):
        if not self.pointers:
            return self.assign(depth, nesting)
        name, kind = self.pick(self.pointers)
        # Globals only: a pointer outlives the function that sets it.
        targets = [f"&{scalar}" for scalar, scalar_kind in self.scalars if scalar_kind == kind and scalar.startswith("global")]
        targets += [f"&{array}[{self.index(size)}]" for array, array_kind, size in self.arrays if array_kind == kind]
        if self.chance(0.5) and targets:
            first, second = self.pick(targets), self.pick(targets)
            self.emit(depth, f"if ({self.condition(1)})")
            self.emit(depth + 1, f"{name} = {first};")
            self.emit(depth, "else")
            self.emit(depth + 1, f"{name} = {second};")
            self.branches_left -= 1
        self.emit(depth, f"*{name} = {self.expression(kind, 2)};")

    def store_field(self, depth, nesting):
        self.emit(depth, f"{self.pick(self.fields)} = {self.expression('u32', 2)};")

    def float_statement(self, depth, nesting):
        name, kind = self.pick(self.float_variables)
        if self.chance(0.6):
            self.emit(depth, f"{name} = ({kind}){self.float_expression(2)};")
        else:
            scalar, scalar_kind = self.pick(self.scalars)
            self.emit(depth, f"{scalar} = ({scalar_kind})to_integer({name});")
            self.branches_left -= 1

    def branch(self, depth, nesting):
        self.branches_left -= 1
        self.emit(depth, f"if ({self.branch_condition()}) {{")
        self.block(depth + 1, nesting - 1, self.random.randint(1, 2))
        if self.chance(0.5):
            self.emit(depth, "} else {")
            self.block(depth + 1, nesting - 1, self.random.randint(1, 2))
        self.emit(depth, "}")

    def loop(self, depth, nesting):
        counter = self.fresh("round")
        bound = str(self.random.randint(2, 4))
        if self.chance(0.4):
            bound = f"(int)({self.expression('u8', 1)} & 3)"
            self.branches_left -= 1
        limit = self.fresh("bound")
        self.emit(depth, f"int {limit} = {bound};")
        self.emit(depth, f"for (int {counter} = 0; {counter} < {limit}; {counter}++) {{")
        self.readable.append((counter, "i32"))
        # A branch within a loop counts for each round.
        outer, self.branches_left = self.branches_left, min(self.branches_left, 1)
        self.block(depth + 1, nesting - 1, self.random.randint(1, 3))
        self.branches_left = min(outer - 2, self.branches_left + outer)
        self.readable.pop()
        if self.chance(0.3):
            self.emit(depth + 1, f"if ({self.condition(1)})")
            self.emit(depth + 2, self.pick(["break;", "continue;"]))
        self.emit(depth, "}")

    def switch(self, depth, nesting):
        self.branches_left -= 2
        self.emit(depth, f"switch ({self.expression('u8', 2)} & 7) {{")
        cases = self.random.sample(range(8), self.random.randint(3, 5))
        for position, case in enumerate(cases):
            self.emit(depth, f"case {case}:")
            if self.chance(0.3) and position + 1 < len(cases):
                continue  # shares the target of the next one
            self.block(depth + 1, 0, 1)
            if self.chance(0.7) or position + 1 == len(cases):
                self.emit(depth + 1, "break;")
        if self.chance(0.6):
            self.emit(depth, "default:")
            self.block(depth + 1, 0, 1)
            self.emit(depth + 1, "break;")
        self.emit(depth, "}")

    def call(self, depth, nesting):
        self.calls_left -= 1
        name, kinds, result = self.pick(self.functions)
        target, kind = self.pick(self.scalars)
        arguments = ", ".join(self.expression(parameter, 1) for parameter in kinds)
        self.emit(depth, f"{target} = ({kind}){name}({arguments});")

    def finding(self, depth, nesting):
        narrow = [array for array in self.arrays if array[2] < 256]
        name, kind, size = self.pick(narrow)
        scalar, scalar_kind = self.pick(self.scalars)
        unchecked = f"{name}[{self.expression('u8', 0)} & {2 * size - 1 if size & size - 1 == 0 else 15}] = 1;"
        self.emit(depth, self.pick([
            f"assert({self.condition(2)});",
            f"if ({self.condition(2)} && input[0] > 250)\n{'    ' * (depth + 1)}abort();",
            unchecked,
            f"{scalar} = ({scalar_kind})(1000u / ({self.expression('u32', 1)} & 63));",
        ]))

    # The whole

    def globals(self):
        for kind in self.random.sample(TYPES, self.random.randint(3, 5)):
            name = self.fresh("global")
            self.scalars.append((name, kind))
            self.emit(0, f"static {kind} {name} = {self.constant(kind)};")
        for size in self.random.sample([4, 5, 8, 16, 256], 2) + [8]:
            kind, name = self.kind(), self.fresh("array")
            self.arrays.append((name, kind, size))
            values = ", ".join(self.constant(kind) for _ in range(min(size, 8)))
            self.emit(0, f"static {kind} {name}[{size}] = {{{values}}};")
        kind, name = self.kind(), self.fresh("table")
        self.constant_arrays.append((name, kind, 16))
        values = ", ".join(self.constant(kind) for _ in range(16))
        self.emit(0, f"static const {kind} {name}[16] = {{{values}}};")
        widths = [self.random.randint(1, 13) for _ in range(3)]
        fields = " ".join(f"{self.pick(['unsigned', 'signed'])} field{i} : {width};" for i, width in enumerate(widths))
        self.emit(0, f"static struct {{ {fields} }} fields;")
        self.emit(0, "static union { u32 word; u16 halves[2]; u8 bytes[4]; } both = {0x01020304};")
        self.fields = [f"fields.field{i}" for i in range(3)] + ["both.word", "both.halves[1]", "both.bytes[2]"]
        for name, kind in self.random.sample(self.scalars, 2):
            pointer = self.fresh("pointer")
            self.pointers.append((pointer, kind))
            self.emit(0, f"static {kind} *{pointer} = &{name};")
        if self.floats:
            for kind in ("double", "float"):
                name = self.fresh("real")
                self.float_variables.append((name, kind))
                self.emit(0, f"static {kind} {name} = {self.float_constant()};")

    def function(self):
        name, result = self.fresh("function"), self.kind()
        kinds = [self.kind() for _ in range(self.random.randint(1, 3))]
        parameters = [(self.fresh("parameter"), kind) for kind in kinds]
        self.emit(0, "")
        listed = ", ".join(f"{kind} {parameter}" for parameter, kind in parameters)
        self.emit(0, f"static {result} {name}({listed}) {{")
        self.readable += parameters
        local, kind = self.fresh("local"), self.kind()
        self.emit(1, f"{kind} {local} = {self.expression(kind, 2)};")
        self.scalars.append((local, kind))
        self.block(1, 1, self.random.randint(1, 3))
        if self.chance(0.3) and self.branches_left > 0:
            self.branches_left -= 1
            self.emit(1, f"if ({self.condition(1)})")
            self.emit(2, f"return {self.expression(result, 1)};")
        self.emit(1, f"return {self.expression(result, 2)};")
        self.emit(0, "}")
        # What is local to the function is not known outside.
        self.scalars.remove((local, kind))
        del self.readable[-len(parameters):]
        self.functions.append((name, kinds, result))

    def main(self):
        self.emit(0, "")
        self.emit(0, "int main(void) {")
        self.emit(1, 'klee_make_symbolic(input, sizeof input, "input");')
        for name, kind in self.scalars[1:]:
            byte = f"({arithmetic_type(kind)})input[{self.random.randrange(2)}]"
            self.emit(1, f"{name} = ({kind})({byte} {self.pick('+-*^')} ({arithmetic_type(kind)}){self.expression(kind, 1)});")
        # The functions were written first and had their share.
        self.branches_left = self.random.randint(8, 15)
        self.block(1, 2, self.random.randint(9, 15))
        for name, _ in self.scalars:
            self.emit(1, f"mix((u64){name});")
        for name, _, size in self.arrays:
            counter = self.fresh("round")
            self.emit(1, f"for (int {counter} = 0; {counter} < {min(size, 8)}; {counter}++)")
            self.emit(2, f"mix((u64){name}[{counter}]);")
        self.emit(1, "mix(both.word);")
        self.emit(1, "mix((u64)(fields.field0 ^ fields.field1 ^ fields.field2));")
        for name, _ in self.float_variables:
            self.emit(1, f"mix_float({name});")
        self.lines.append(PRINTERS[self.printer].rstrip("\n"))
        self.emit(1, "return (int)(checksum & 63);")
        self.emit(0, "}")

    def program(self, seed):
        self.globals()
        for _ in range(self.random.randint(1, 3)):
            self.function()
        self.main()
        asked = " with findings" if self.findings else ""
        helpers = FLOAT_HELPERS if self.floats else ""
        return f"// A random program{asked}, from seed {seed}.\n" + PRELUDE + helpers + "\n" + "\n".join(self.lines) + "\n"


def generate(seed, findings=False, printer="text"):
    return Generator(seed, findings, printer).program(seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("--findings", action="store_true", help="with bugs that some inputs may show")
    parser.add_argument("--print", dest="printer", choices=sorted(PRINTERS), default="text",
                        help="the checksum as text from a table (no branches), by printf's conversion, or not at all")
    options = parser.parse_args()
    print(generate(options.seed, options.findings, options.printer), end="")


if __name__ == "__main__":
    main()
