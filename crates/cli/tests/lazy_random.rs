//! Theorem 1 of the paper on lazy expansion, on random programs with calls and side effects: the paths of the function under test that lazy
//! expansion finds are those that concolic testing finds, and those that all inputs take. The programs have two bytes of input, so that
//! all inputs can be run; the functions that are called change variables, write through pointers and at places that conditions bound, keep state,
//! read the input as a stream, call each other, and end the program. Choices between values are no branches; of their sides lazy expansion covers what concolic testing
//! covers.
//!
//! 20 programs; 200 with SYMCRETE_FULL=1. SYMCRETE_SEED=N looks at the program with this number alone.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;
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
    depth: usize,
    /// Branches of the function under test.
    branches: usize,
    loops: usize,
    /// Helpers that may be called: those that were written before.
    helpers: usize,
    in_test: bool,
}

/// The helpers by their parameters: two numbers, or a pointer and a number, or a struct and a number, or none.
const HELPERS: [&str; 6] = [
    "static int help0(int v0, int v1)",
    "static int help1(int *out, int v0)",
    "static int help2(struct box *it, int v0)",
    "static int help3(void)",
    "static void help4(int *out, int v0)",
    "static int help5(const unsigned char *text, int v0)",
];

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

    fn place(&mut self) -> String {
        match self.below(7) {
            0 | 1 => format!("g{}", self.below(3)),
            2 => format!("array[{}]", self.below(4)),
            3 => format!("box.{}", ["a", "b", "word[1]", "word[3]"][self.below(4) as usize]),
            _ => format!("v{}", self.below(2)),
        }
    }

    fn value(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(3) == 0 {
            return match self.below(6) {
                0 => self.below(12).to_string(),
                1 => ["-1", "97", "128", "48"][self.below(4) as usize].to_owned(),
                2 if self.in_test => format!("in[{}]", self.below(2)),
                _ => self.place(),
            };
        }
        let (a, b) = (self.value(depth - 1), self.value(depth - 1));
        match self.below(8) {
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("({a} & {b})"),
            4 => format!("({a} ^ {b})"),
            5 => format!("({a} * {b})"),
            _ => self.call(&a, &b),
        }
    }

    /// A call that gives a number, if there is a helper for it.
    fn call(&mut self, a: &str, b: &str) -> String {
        let out = ["&g0", "&g2", "&array[1]", "&v1", "&box.b"][self.below(5) as usize];
        match self.below(self.helpers.max(1) as u64) {
            _ if self.helpers == 0 => format!("({a} - {b})"),
            0 => format!("help0({a}, {b})"),
            1 => format!("help1({out}, {a})"),
            2 => format!("help2(&box, {a})"),
            3 => "help3()".to_owned(),
            5 => format!("help5(in, {a})"),
            _ => format!("({a} | {b})"),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.value(1), self.value(1));
        let operator = ["==", "!=", "<", ">"][self.below(4) as usize];
        format!("{a} {operator} {b}")
    }

    /// Notes a side of a branch of the function under test.
    fn note(&mut self) {
        if self.in_test {
            self.branches += 1;
            let number = self.branches;
            self.line(&format!("AT({number});"));
        }
    }

    fn statement(&mut self, size: u32) {
        match self.below(10) {
            0..=2 => {
                let (place, value) = (self.place(), self.value(2));
                self.line(&format!("{place} = {value};"));
            }
            3..=6 if size > 0 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.inner(size - 1);
                self.line("} else {");
                self.inner(size - 1);
                self.line("}");
            }
            7 if size > 0 && self.loops < 2 => {
                self.loops += 1;
                let (number, bound) = (self.loops, self.value(1));
                self.line(&format!("for (int i{number} = 0; i{number} < (({bound}) & 3); i{number}++) {{"));
                self.inner(size - 1);
                self.line("}");
                self.note();
            }
            8 if self.helpers > 4 => {
                let (a, out) = (self.value(1), ["&g1", "&array[2]", "&v0", "box.p"][self.below(4) as usize]);
                self.line(&format!("help4({out}, {a});"));
            }
            _ => {
                let (place, a, b) = (self.place(), self.value(1), self.value(0));
                let value = self.call(&a, &b);
                self.line(&format!("{place} = {value};"));
            }
        }
    }

    /// A byte of a struct is written at a place that a condition bounds, in the array that it has or also in what follows that.
    fn bounded(&mut self) {
        let (index, value, most) = (self.value(1), self.value(1), 2 + self.below(7));
        let text = match self.below(7) {
            0 => format!("unsigned n = {index}; if (n < {most}) WORD[n] = {value};"),
            1 => format!("int n = {index}; if (n >= 0 && n < {most}) WORD[n] = {value};"),
            2 => format!("int n = 0; while (n < {most} && {index} > n) {{ WORD[n] = {value}; n++; }} WORD[n] = 1;"),
            3 => format!("int n = {index}; if (n > {most}) n = {most}; if (n < 0) n = 0; WORD[n] = {value};"),
            4 => format!("int n = {index}; int fits = 0 <= n && n <= {most}; if (!fits) n = 1; WORD[n] = {value};"),
            5 => format!("WORD[(unsigned char)({index}) % {most}] = {value};"),
            _ => format!("long n = {index} & 7; if ((unsigned long)n < {most}) memset(WORD, {value}, n);"),
        };
        self.line(&format!("{{ {text} }}"));
    }

    fn inner(&mut self, size: u32) {
        self.depth += 1;
        self.note();
        for _ in 0..=self.below(2) {
            self.statement(size);
        }
        self.depth -= 1;
    }

    /// A function that is called. What it does to its parameters comes by chance, and something always does.
    fn helper(&mut self, number: usize) {
        self.helpers = number;
        self.loops = 0;
        let _ = writeln!(self.text, "{} {{", HELPERS[number]);
        self.depth = 1;
        let (limit, other) = (self.below(120), self.below(7));
        match number {
            0 => {}
            1 => self.line(&format!("int v1 = g1;\n    if (v0 > {limit})\n        *out = v0 + {other};")),
            2 => self.line(&format!(
                "int v1 = it->a;\n    if (v0 == {limit})\n        it->b = v1 + {other};\n    *it->p += it->a > 2;"
            )),
            3 => self.line(&format!(
                "static int calls;\n    calls++;\n    if (position >= 2)\n        return -1;\n    int v0 = in[position++], v1 = calls;\n    if (v0 >= 'a' && v0 <= 'z')\n        return {other};"
            )),
            4 => self.line(&format!("int v1 = v0 & 3;\n    if (v1 == {})\n        *out = g{};", other & 3, limit % 3)),
            _ => self.line(&format!("int v1 = text[0];\n    if (text[1] == v0 + {limit})\n        return {other};")),
        }
        // Something is written before it is read, by all that follows.
        if self.below(2) == 0 {
            let place = ["g0", "g1", "array[1]", "box.a"][self.below(4) as usize];
            let value = self.value(1);
            self.line(&format!("{place} = {value};"));
        }
        if self.below(2) == 0 {
            self.bounded();
        }
        for _ in 0..2 {
            self.statement(2);
        }
        if self.below(6) == 0 {
            let value = self.value(1);
            self.line(&format!("dprintf(2, \"%d\\n\", {value});"));
        }
        // The program ends inside of it: at once, after more that nobody sees, or with a message.
        let ending = self.below(9);
        if ending < 3 {
            let condition = self.condition();
            self.line(&format!("if ({condition}) {{"));
            if ending == 1 {
                self.inner(1);
            }
            self.line(if ending == 2 { "    fail(v0);" } else { "    exit(3);" });
            self.line("}");
        }
        if number != 4 {
            let value = self.value(1);
            self.line(&format!("return {value};"));
        }
        self.text.push_str("}\n");
    }
}

/// The program with this number.
fn program(seed: u64) -> String {
    let state = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let text = String::new();
    let mut generator = Generator { state, text, depth: 0, branches: 0, loops: 0, helpers: 0, in_test: false };
    generator.text.push_str(
        "void exit(int);\nvoid symcrete_make_symbolic(void *, unsigned long, const char *);\n\
         struct box { int a; signed char word[4]; int b; int *p; };\nstatic unsigned char in[2];\nstatic int g0, g1 = 7, g2, array[4];\n\
         static unsigned position;\nstatic struct box box = {1, {0}, 2, &g2};\nstatic unsigned long path;\nstatic volatile int seen;\n\
         #define AT(n) (path = path * 31 + (n))\n#define WORD ((signed char *)&box + 4)\n\
         void *memset(void *, int, unsigned long);\n\
         int dprintf(int, const char *, ...);\n\
         static void fail(int v0) {\n    if (v0 > 3)\n        g1 = array[v0 & 3];\n    dprintf(2, \"%d\\n\", g1);\n    exit(3);\n}\n\
         #ifndef CHOOSE\n#define CHOOSE(n, condition, one, other) ((condition) ? (one) : (other))\n#endif\n",
    );
    let count = 3 + generator.below(4) as usize;
    (0..count).for_each(|number| generator.helper(number));
    generator.helpers = count;
    generator.in_test = true;
    generator.loops = 0;
    generator.text.push_str("static int test(void) {\n    int v0 = in[0], v1 = 0;\n");
    generator.depth = 1;
    for _ in 0..5 {
        generator.statement(2);
    }
    for number in 0..2 {
        let condition = generator.condition();
        generator.line(&format!("seen = CHOOSE({number}, {condition}, 3, 4);"));
    }
    generator.text.push_str(
        "#ifdef FAULTS\n    seen = 1000 / (v0 * 3 + g0 - 21);\n    seen = array[v1 & 7];\n    seen += *(v0 == g1 ? (int *)0 : &g0);\n#endif\n    \
         if (g0 == 3) {\n        AT(77);\n    } else {\n        AT(78);\n    }\n    return v0 + v1;\n}\n",
    );
    generator.text.push_str(
        "int main(void) {\n    symcrete_make_symbolic(in, sizeof in, \"in\");\n    test();\n    return 0;\n}\n",
    );
    generator.text
}

/// Prints the path of the function under test for each input that is given, or for all.
const HARNESS: &str = r#"
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
static jmp_buf out;
void exit(int status) { (void)status; longjmp(out, 1); }
void symcrete_make_symbolic(void *memory, unsigned long size, const char *name) { (void)memory, (void)size, (void)name; }
static void show(int first, int second) {
    in[0] = (unsigned char)first, in[1] = (unsigned char)second;
    g0 = g2 = 0, g1 = 7, position = 0, path = 0, sides = 0;
    box.a = 1, box.b = 2, box.p = &g2, memset(box.word, 0, sizeof box.word);
    memset(array, 0, sizeof array);
    RESET
    if (!setjmp(out))
        test();
    else
        path = path * 31 + 99;
    printf("%lu\n", path);
    for (int side = 0; side < 4; side++)
        if (sides >> side & 1)
            printf("side %d\n", side);
}
int main(int count, char **arguments) {
    (void)arguments;
    int first, second;
    if (count > 1)
        while (scanf("%d %d", &first, &second) == 2)
            show(first, second);
    else
        for (first = 0; first < 256; first++)
            for (second = 0; second < 256; second++)
                show(first, second);
    fflush(stdout);
    __builtin_trap();
}
"#;

/// The native program.
fn native(folder: &Path, text: &str) -> std::path::PathBuf {
    let (source, native) = (folder.join("native.c"), folder.join("native"));
    // The state that a helper keeps begins anew with each run.
    let text = text.replace("static int calls;", "");
    let chosen = "static int calls, sides;\n\
        static int choose(int n, int holds) { return sides |= 1 << (2 * n + holds), holds; }\n\
        #define CHOOSE(n, condition, one, other) (choose(n, !!(condition)) ? (one) : (other))\n";
    let text = format!("{chosen}{}", text.replace("int main(void)", "int program(void)"));
    fs::write(&source, format!("{text}{}", HARNESS.replace("RESET", "calls = 0;"))).unwrap();
    let done = Command::new("clang").args(["-w", "-O1", "-fwrapv", "-o"]).arg(&native).arg(&source).status().unwrap();
    assert!(done.success(), "{text}");
    native
}

type Set = BTreeSet<String>;

/// Paths, and sides of choices.
fn taken(output: &[u8]) -> (Set, Set) {
    String::from_utf8_lossy(output).lines().map(str::to_owned).partition(|line| !line.starts_with("side"))
}

/// What goes wrong in the function under test, by line and kind, if something is done there that may; and what the mode said.
fn faults(folder: &Path, mode: &[&str]) -> (Set, Value) {
    let out = folder.join("out");
    let mut command = symcrete();
    command.args(["cover", "--json", "--no-replay", "-D", "FAULTS", "--time", "120", "--mode"]).args(mode);
    let shown = run(command.arg("--out").arg(&out).arg(folder.join("program.c")), b"");
    let said: Value = serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{shown:?}"));
    fs::remove_dir_all(&out).unwrap();
    let findings = said["findings"].as_array().unwrap();
    (findings.iter().map(|finding| format!("{} {}", finding["line"], finding["kind"])).collect(), said)
}

/// What the tests of a mode take, and what the mode said.
fn explored(folder: &Path, native: &Path, mode: &[&str]) -> ((Set, Set), Value) {
    let out = folder.join("out");
    let mut command = symcrete();
    command.args(["cover", "--json", "--no-replay", "--every-path", "--time", "120", "--mode"]).args(mode);
    let shown = run(command.arg("--out").arg(&out).arg(folder.join("program.c")), b"");
    let said: Value = serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{shown:?}"));
    let mut inputs = String::new();
    for test in fs::read_dir(out.join("tests")).unwrap() {
        let test: Value = serde_json::from_slice(&fs::read(test.unwrap().path()).unwrap()).unwrap();
        let bytes = test["inputs"][0]["bytes"].as_str().unwrap_or("0000");
        let byte = |at: usize| u8::from_str_radix(&bytes[at..at + 2], 16).unwrap();
        let _ = writeln!(inputs, "{} {}", byte(0), byte(2));
    }
    let shown = run(Command::new(native).arg("given"), inputs.as_bytes());
    fs::remove_dir_all(&out).unwrap();
    (taken(&shown.stdout), said)
}

#[test]
fn lazy_expansion_finds_the_paths_of_concolic_testing() {
    let given = std::env::var("SYMCRETE_SEED").ok().and_then(|text| text.parse::<u64>().ok());
    let count = if std::env::var_os("SYMCRETE_FULL").is_some() { 200 } else { 20 };
    let seeds = given.map_or(0..count, |seed| seed..seed + 1);
    let (mut compared, mut all, mut wrong, mut doubts, mut iterations) = (0, 0, 0, 0, [0, 0]);
    for seed in seeds {
        let folder = tempfile::tempdir().unwrap();
        let text = program(seed);
        if given.is_some() {
            println!("{text}");
        }
        fs::write(folder.path().join("program.c"), &text).unwrap();
        let native = native(folder.path(), &text);
        let (truth, _) = taken(&run(&mut Command::new(&native), b"").stdout);
        let ((concolic, sides), said) = explored(folder.path(), &native, &["concolic"]);
        if said["exhausted"] != true {
            continue;
        }
        assert_eq!(concolic, truth, "seed {seed}: concolic testing, {said}\n{text}");
        let ((lazy, of_lazy), lazy_said) = explored(folder.path(), &native, &["lazy", "--no-abstract", "test"]);
        assert_eq!(lazy, truth, "seed {seed}: lazy expansion, {lazy_said}\n{text}");
        let lost: Vec<&String> = sides.difference(&of_lazy).collect();
        assert!(lost.is_empty(), "seed {seed}: lazy expansion lost {lost:?}, {lazy_said}\n{text}");
        let ((faulty, _), (of_lazy, lazy_faults)) =
            (faults(folder.path(), &["concolic"]), faults(folder.path(), &["lazy", "--no-abstract", "test"]));
        let undecided = lazy_faults["stats"]["lazy"]["suspicions"]["open"].as_array().unwrap().len();
        let lost: Vec<&String> = faulty.difference(&of_lazy).collect();
        assert!(lost.len() <= undecided, "seed {seed}: lazy expansion lost {lost:?}, {lazy_faults}\n{text}");
        assert!(of_lazy.is_subset(&faulty), "seed {seed}: {of_lazy:?} is not {faulty:?}\n{text}");
        doubts += undecided;
        wrong += faulty.len();
        compared += 1;
        all += truth.len();
        for (sum, said) in iterations.iter_mut().zip([&said, &lazy_said]) {
            *sum += said["stats"]["iterations"].as_u64().unwrap();
        }
    }
    println!(
        "{compared} programs, {all} paths, {wrong} faults, {doubts} places in doubt; iterations: {} concolic, {} lazy",
        iterations[0], iterations[1]
    );
    assert!(given.is_some() || compared * 10 >= count * 8, "concolic testing finished on {compared} programs only");
}
