//! `symcrete reach` on random programs with two bytes of input: whether a line can be reached is known from running the native program on
//! all of them. The inputs are parameters of a function, or what `main` asks for; there are loops, memory, pointers, and calls of functions by
//! their names, from constant tables and through variables. In every other pair of programs, the backward search has to do all alone. No line that some input reaches is called unreachable, and none that no input reaches is called reached.
//!
//! 60 programs with several targets each; 1,000 with SYMCRETE_FULL=1. SYMCRETE_SEED=N looks at the program with this number alone.
#![allow(clippy::unwrap_used)]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::{run, symcrete};

/// A program in the making.
struct Generator {
    state: u64,
    text: String,
    /// Lines of targets, and which element of `hit` tells that one was reached.
    targets: Vec<(usize, usize)>,
    /// Local variables that may be read and written.
    locals: usize,
    depth: usize,
    loops: usize,
}

const MOST_TARGETS: usize = 6;

impl Generator {
    fn below(&mut self, count: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % count
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(self.depth));
    }

    fn variable(&mut self) -> String {
        match self.below(if self.locals > 2 { 11 } else { 9 }) {
            9 => "*one".to_owned(),
            10 => "*two".to_owned(),
            8 => "quiet".to_owned(),
            0 => format!("g{}", self.below(3)),
            1 => format!("array[{} & 3]", self.below(4)),
            2 => "*pointer".to_owned(),
            _ => format!("v{}", self.below(self.locals as u64)),
        }
    }

    fn value(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(3) == 0 {
            return match self.below(4) {
                0 => self.below(20).to_string(),
                1 => ["-1", "255", "128", "1000", "0x7fffffff"][self.below(5) as usize].to_owned(),
                _ => self.variable(),
            };
        }
        let (a, b) = (self.value(depth - 1), self.value(depth - 1));
        match self.below(12) {
            10 => format!("table[{a} & 3]"),
            11 => format!("calls[(unsigned)({a}) % 3]({a}, {b})"),
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("({a} * {b})"),
            4 => format!("({a} & {b})"),
            5 => format!("({a} ^ {b})"),
            6 => format!("({a} >> ({b} & 7))"),
            7 => format!("({a} / (({b} & 7) + 1))"),
            8 => format!("helper({a}, {b})"),
            _ => format!("({} ? {a} : {b})", self.condition()),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.value(1), self.value(1));
        let operator = ["==", "!=", "<", "<=", ">", ">="][self.below(6) as usize];
        match self.below(6) {
            0 => format!("{a} {operator} {b} && {}", self.variable()),
            1 => format!("({a} {operator} {b} || {} > 3)", self.variable()),
            _ => format!("{a} {operator} {b}"),
        }
    }

    fn target(&mut self) {
        if self.targets.len() < MOST_TARGETS {
            let number = self.targets.len();
            self.line(&format!("hit[{number}] = 1;"));
            self.targets.push((self.text.lines().count(), number));
        }
    }

    fn statement(&mut self, size: u32) {
        match self.below(14) {
            12 => {
                let (a, target) = (self.value(1), ["&g0", "&array[3]", "&v1", "pointer"][self.below(4) as usize]);
                self.line(&format!("action({target}, {a});"));
            }
            13 => {
                let action = ["change", "reset"][self.below(2) as usize];
                self.line(&format!("action = {action};"));
            }
            0..=3 => {
                let (variable, value) = (self.variable(), self.value(2));
                self.line(&format!("{variable} = {value};"));
            }
            4..=7 if size > 0 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.block(size - 1);
                if self.below(2) == 0 {
                    self.target();
                }
                if self.below(2) == 0 {
                    self.line("} else {");
                    self.block(size - 1);
                }
                self.line("}");
            }
            8 if size > 0 => {
                let (counter, bound) = (format!("i{}", self.loops), self.value(1));
                self.loops += 1;
                self.line(&format!("for (int {counter} = 0; {counter} < ({bound} & 7); {counter}++) {{"));
                self.block(size - 1);
                self.line("}");
            }
            9 if size > 0 && self.below(2) == 0 => self.counting_loop(),
            9 if size > 0 => {
                let value = self.value(1);
                self.line(&format!("switch ({value} & 3) {{"));
                for case in 0..3 {
                    self.line(&format!("case {case}:;"));
                    self.block(size - 1);
                    if self.below(3) > 0 {
                        self.depth += 1;
                        self.line("break;");
                        self.depth -= 1;
                    }
                }
                self.line("}");
            }
            10 => {
                let (a, target) =
                    (self.value(1), ["&g0", "&g1", "&array[1]", "&v0", "pointer", "one"][self.below(6) as usize]);
                self.line(&format!("change({target}, {a});"));
            }
            11 => {
                let target = ["&g0", "&g2", "&array[2]", "&v1", "one", "two"][self.below(6) as usize];
                self.line(&format!("pointer = {target};"));
            }
            _ => self.target(),
        }
    }

    /// A loop of up to some hundred rounds that counts, in variables and in memory.
    fn counting_loop(&mut self) {
        let (counter, bound) = (format!("i{}", self.loops), format!("b{}", self.loops));
        self.loops += 1;
        let value = self.value(1);
        self.line(&format!("const int {bound} = {value};"));
        let head = match self.below(4) {
            0 => format!("for (int {counter} = 0; {counter} < ({bound} & 255); {counter}++) {{"),
            1 => format!("for (unsigned {counter} = {bound} & 511; {counter} > 3; {counter} -= 2) {{"),
            2 => format!("for (unsigned char {counter} = 5; {counter} != (unsigned char)({bound}); {counter}++) {{"),
            _ => format!("for (int {counter} = {bound} & 127; {counter}-- > 0;) {{"),
        };
        self.line(&head);
        self.depth += 1;
        for _ in 0..=self.below(2) {
            let (variable, step) = (self.variable(), 1 + self.below(3));
            let operator = ["+=", "-="][self.below(2) as usize];
            let within = "    ".repeat(self.depth + 1);
            match self.below(6) {
                0 => self.line(&format!("if ({counter} & 1)\n{within}{variable} {operator} {step};")),
                1 => self.line(&format!("change(&g0, {step});")),
                2 => self.line(&format!("if ({variable} == {step})\n{within}break;")),
                _ => self.line(&format!("{variable} {operator} {step};")),
            }
        }
        self.depth -= 1;
        self.line("}");
    }

    fn block(&mut self, size: u32) {
        self.depth += 1;
        for _ in 0..=self.below(3) {
            self.statement(size);
        }
        self.depth -= 1;
    }
}

/// The text of a program, and the lines of its targets.
fn program(seed: u64) -> (String, Vec<(usize, usize)>) {
    let state = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut generator = Generator { state, text: String::new(), targets: Vec::new(), locals: 2, depth: 0, loops: 0 };
    generator.text.push_str("void *malloc(unsigned long);\nvoid *calloc(unsigned long, unsigned long);\nint g0, g1 = 7, g2;\nstatic int quiet;\nint array[4];\nint hit[16];\n");
    // What functions see of the variables of others: none.
    generator.text.push_str("static int helper(int v0, int v1) {\n    int *pointer = &g2;\n");
    let (condition, one, other) = (simple(&mut generator), simple(&mut generator), simple(&mut generator));
    let _ = write!(generator.text, "    if ({condition} > 5)\n        return {one};\n    *pointer = {other};\n");
    // Functions with several callers are targets, too.
    let (special, limit) = (generator.below(300), generator.below(40));
    let _ = write!(generator.text, "    if (v0 + v1 == {special})\n        hit[6] = 1;\n");
    let in_helper = generator.text.lines().count();
    generator.text.push_str("    return v0 - v1;\n}\nstatic void change(int *pointer, int v0) {\n");
    let _ = write!(generator.text, "    if (*pointer > {limit} && v0 == {})\n        hit[7] = 1;\n", special & 7);
    let in_change = generator.text.lines().count();
    generator.text.push_str("    if (v0 > 3)\n        *pointer = v0 + g1;\n    else\n        g1++, quiet++;\n}\n");
    let reset = generator.below(100);
    let _ = write!(
        generator.text,
        "static void reset(int *pointer, int v0) {{\n    *pointer = {reset};\n    quiet += v0;\n"
    );
    let _ = write!(generator.text, "    if (v0 == {special} && g0 > {limit})\n        hit[8] = 1;\n");
    let in_reset = generator.text.lines().count();
    generator.text.push_str("}\nstatic void (*action)(int *, int) = change;\n");
    generator.text.push_str("static int first(int v0, int v1) {\n    return v0 < v1 ? v0 : g0;\n}\n");
    let _ = write!(
        generator.text,
        "static int second(int v0, int v1) {{\n    if (v0 == {reset} && v1 > {limit})\n        hit[9] = 1;\n"
    );
    let in_second = generator.text.lines().count();
    generator.text.push_str("    g2 = v0, quiet = v1;\n    return v1;\n}\n");
    let numbers: Vec<String> = (0..4).map(|_| generator.below(200).to_string()).collect();
    let _ = writeln!(generator.text, "static const int table[4] = {{{}}};", numbers.join(", "));
    generator.text.push_str("static int (*const calls[3])(int, int) = {helper, first, second};\n");
    generator.text.push_str("int nobody(int v0) {\n    change(&g1, 3);\n    return helper(v0, 5);\n}\n");
    generator.text.push_str("int test(unsigned char a, unsigned char b) {\n    int v0 = a, v1 = b, v2 = 0, v3 = 1;\n    int *pointer = &g0;\n    int *one = malloc(sizeof *one), *two = calloc(1, sizeof *two);\n    if (!one || !two)\n        return 0;\n    *one = v1;\n");
    generator.locals = 4;
    for _ in 0..6 {
        generator.depth = 1;
        generator.statement(3);
    }
    generator.depth = 1;
    while generator.targets.len() < 2 {
        let condition = generator.condition();
        generator.line(&format!("if ({condition})"));
        generator.depth += 1;
        generator.target();
        generator.depth -= 1;
    }
    // What is left in variables is often small.
    for (number, variable) in (10..).zip(["quiet", "g0", "g1", "*one", "array[1]", "*pointer"]) {
        let (value, other) = (generator.below(9), generator.below(4));
        let _ = write!(
            generator.text,
            "    if ({variable} == {value} && v{other} != {value})\n        hit[{number}] = 1;\n"
        );
        let line = generator.text.lines().count();
        generator.targets.push((line, number));
    }
    generator.text.push_str("    return v0 + v1 + v2 + v3 + *pointer;\n}\n");
    generator.targets.extend([(in_helper, 6), (in_change, 7), (in_reset, 8), (in_second, 9)]);
    (generator.text, generator.targets)
}

/// An expression of parameters and constants, without calls.
fn simple(generator: &mut Generator) -> String {
    let (a, b) = (generator.below(2), generator.below(30));
    let operator = ["+", "-", "^", "&"][generator.below(4) as usize];
    format!("(v{a} {operator} {b})")
}

/// Where the inputs are asked for in every other program.
const MAIN: &str = r#"
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar();
    return test(a, __VERIFIER_nondet_uchar());
}
"#;

const HARNESS: &str = r#"
#include <stdio.h>
#include <string.h>
int main(void) {
    int ever[16] = {0};
    for (int a = 0; a < 256; a++)
        for (int b = 0; b < 256; b++) {
            g0 = g2 = quiet = 0, g1 = 7, action = change;
            memset(array, 0, sizeof array);
            memset(hit, 0, sizeof hit);
            test((unsigned char)a, (unsigned char)b);
            for (int i = 0; i < 16; i++)
                ever[i] |= hit[i];
        }
    for (int i = 0; i < 16; i++)
        printf("%d\n", ever[i]);
    return 0;
}
"#;

/// Which targets some input reaches.
fn truth(folder: &Path, text: &str) -> Vec<bool> {
    let (source, native) = (folder.join("native.c"), folder.join("native"));
    fs::write(&source, format!("{text}{HARNESS}")).unwrap();
    let done = Command::new("clang").args(["-w", "-O1", "-fwrapv", "-o"]).arg(&native).arg(&source).status().unwrap();
    assert!(done.success(), "{text}");
    let output = Command::new(&native).output().unwrap();
    String::from_utf8_lossy(&output.stdout).lines().map(|line| line == "1").collect()
}

#[test]
fn verdicts_are_those_of_all_inputs() {
    let given = std::env::var("SYMCRETE_SEED").ok().and_then(|text| text.parse::<u64>().ok());
    let count = if std::env::var_os("SYMCRETE_FULL").is_some() { 1_000 } else { 60 };
    let seeds = given.map_or(0..count, |seed| seed..seed + 1);
    let (mut decided, mut backward, mut unknown) = ([0; 2], 0, [0; 2]);
    for seed in seeds {
        let folder = tempfile::tempdir().unwrap();
        let (text, lines) = program(seed);
        let truth = truth(folder.path(), &text);
        let source = folder.path().join("program.c");
        let is_whole = seed % 2 == 1;
        fs::write(&source, format!("{text}{}", if is_whole { MAIN } else { "" })).unwrap();
        let mut command = symcrete();
        command.args(["reach", "--json", "--no-replay", "--out"]).arg(folder.path().join("out"));
        if !is_whole {
            command.args(["--entry", "test"]);
        }
        // What concrete runs find nobody tries to refute, and what paths refute forward nobody does backward.
        let is_backward = seed % 4 > 1;
        if is_backward {
            command.args(["--no-burst", "--no-climb", "--max-depth", "2", "--time", "2"]);
        } else {
            command.args(["--time", "10"]);
        }
        let targets = lines.iter().map(|(line, _)| format!("{}:{line}", source.display()));
        let shown = run(command.args(targets), b"");
        let said: Value =
            serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("seed {seed}: {shown:?}\n{text}"));
        for (at, (line, hit)) in lines.iter().enumerate() {
            let about = if lines.len() == 1 { &said } else { &said["targets"][at] };
            let reason = about["reason"].as_str().unwrap_or_default();
            if about["target"]["line"] != *line || reason.contains("has no code in this build") {
                // The compiler saw itself that nothing comes there.
                assert!(!truth[*hit], "seed {seed}: there is no code for line {line}\n{text}");
                continue;
            }
            let verdict = &about["verdict"];
            match verdict.as_str() {
                Some("reached") => {
                    assert!(truth[*hit], "seed {seed}: line {line} is reached by no input\n{text}\n{said}");
                    decided[0] += 1;
                }
                Some("unreachable") => {
                    assert!(!truth[*hit], "seed {seed}: line {line} is reached by some input\n{text}\n{said}");
                    decided[1] += 1;
                    backward += usize::from(about["found_by"] == "backward search");
                }
                _ => unknown[usize::from(is_backward)] += 1,
            }
        }
    }
    let [reached, unreachable] = decided;
    let [unknown, alone] = unknown;
    println!("{reached} reached, {unreachable} unreachable, {backward} of them backward, {unknown} without a verdict");
    println!("{alone} more without one where there was no other search than backward");
    assert!(given.is_some() || unknown * 10 <= reached + unreachable, "{decided:?}, {unknown} without a verdict");
}
