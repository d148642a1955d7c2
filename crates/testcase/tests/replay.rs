//! Native replays with the machine's clang: every kind of entry, every kind of ending, coverage.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use symcrete_sandbox::{Launcher, Policy};
use symcrete_testcase::{
    Build, Call, Ends, Entry, Error, File, Format, Function, Input, NativeEnd, Object, Outcome, Parameter, Place,
    Pointer, Replayed, Replayer, Source, TestCase, Text, suite,
};

/// The first clang of the machine: the plain name, then by version. SYMCRETE_TEST_CLANG names another.
fn clang() -> PathBuf {
    if let Some(named) = std::env::var_os("SYMCRETE_TEST_CLANG") {
        return named.into();
    }
    let names = ["clang".to_owned()].into_iter().chain((14..=22).map(|version| format!("clang-{version}")));
    let folders = ["/usr/local/bin", "/usr/bin"];
    let mut all = names.flat_map(|name| folders.map(|folder| Path::new(folder).join(&name)));
    all.find(|path| path.is_file()).expect("a clang")
}

/// The best sandbox of this machine.
fn sandbox() -> Result<Policy, String> {
    static CHOSEN: OnceLock<Result<Policy, String>> = OnceLock::new();
    let choose = || {
        let program = env!("CARGO_BIN_EXE_replay-supervisor").into();
        let launcher = Launcher { program, arguments: vec![symcrete_sandbox::SUPERVISOR.into()] };
        let chosen = Policy::choose(launcher, std::env::var_os("HOME").as_deref().map(Path::new));
        chosen.map(|(policy, _)| policy).map_err(|refused| refused.to_string())
    };
    CHOSEN.get_or_init(choose).clone()
}

/// A program in a directory of its own.
struct Program {
    folder: tempfile::TempDir,
    name: &'static str,
}

impl Program {
    fn new(name: &'static str, text: &str) -> Program {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), text).unwrap();
        Program { folder, name }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }

    fn build(&self) -> Build {
        let mut build = Build::new(clang(), vec![Source::new(self.path())]);
        build.limits.time = Duration::from_secs(5);
        build.sandbox = sandbox();
        build
    }

    fn replayer(&self) -> Replayer {
        Replayer::new(self.build()).unwrap_or_else(|error| panic!("{error}\n{}", error.output().unwrap_or_default()))
    }

    fn of_entry(&self, entry: Entry) -> Replayer {
        let build = Build { entry, ..self.build() };
        Replayer::new(build).unwrap_or_else(|error| panic!("{error}\n{}", error.output().unwrap_or_default()))
    }
}

fn int(name: &str, value: i32) -> Input {
    Input::new(name, "int", value.to_le_bytes().to_vec())
}

fn program(inputs: Vec<Input>, ends: Ends) -> TestCase {
    TestCase { inputs, ends, ..TestCase::of_program() }
}

#[track_caller]
fn confirmed(replayed: &Replayed) {
    assert_eq!(replayed.outcome, Outcome::Confirmed, "{}", String::from_utf8_lossy(&replayed.stderr));
}

#[track_caller]
fn diverged(replayed: &Replayed, words: &str) {
    match &replayed.outcome {
        Outcome::Diverged { got, .. } if got.contains(words) => {}
        other => panic!("{other:?} does not say {words}"),
    }
}

#[test]
fn klee_program_and_its_coverage() {
    let source = Program::new(
        "klee.c",
        "#include <assert.h>\n\
         #include <stddef.h>\n\
         void klee_make_symbolic(void *, size_t, const char *);\n\
         void klee_assume(unsigned long);\n\
         int klee_range(int, int, const char *);\n\
         int main(void) {\n\
         \x20 int x;\n\
         \x20 char s[3];\n\
         \x20 klee_make_symbolic(&x, sizeof x, \"x\");\n\
         \x20 klee_make_symbolic(s, sizeof s, \"s\");\n\
         \x20 klee_assume(x > 0);\n\
         \x20 if (s[0] == 'a')\n\
         \x20   assert(x != 7);\n\
         \x20 if (x == 9)\n\
         \x20   return klee_range(1, 5, \"r\") + klee_range(0, 1, \"one\") + klee_range(0, 1, \"two\");\n\
         \x20 return 2;\n\
         }\n",
    );
    let replayer = source.replayer();
    let inputs = |x, s: &[u8]| vec![int("x", x), Input::new("s", "char[3]", s.to_vec())];
    let tests = [
        program(inputs(1, b"b\0\0"), Ends::exit(2)),
        program([inputs(9, b"b\0\0"), vec![int("r_1", 3), int("two", 0)]].concat(), Ends::exit(3)),
        program(inputs(7, b"a\0\0"), Ends::of("assertion-failed").at("klee.c", 13)),
        program(inputs(0, b"b\0\0"), Ends::exit(2)),
        program(inputs(9, b"b\0\0"), Ends::exit(3)),
        program(vec![int("y", 1)], Ends::exit(2)),
        program(vec![int("x", 1), int("s", 1)], Ends::exit(2)),
        program(inputs(7, b"a\0\0"), Ends::of("assertion-failed").at("klee.c", 15)),
        program(inputs(1, b"b\0\0"), Ends::exit(4)),
    ];
    let replayed = replayer.run_all(&tests, 2);
    replayed[..3].iter().for_each(confirmed);
    diverged(&replayed[3], "klee_assume");
    confirmed(&replayer.run(&program(inputs(0, b"b\0\0"), Ends::of("discarded"))));
    diverged(&replayed[4], "one more input, r");
    diverged(&replayed[5], "asks for the input x, and the next one of the test is y");
    diverged(&replayed[6], "asks for 3 bytes");
    diverged(&replayed[7], "a failed assertion at");
    diverged(&replayed[8], "exit with status 2");
    let coverage = replayer.coverage().unwrap();
    assert_eq!(coverage.files.len(), 1, "{coverage:?}");
    assert_eq!(coverage.lines().covered, coverage.lines().total);
    assert_eq!((coverage.functions().covered, coverage.functions().total), (1, 1));
    // The crashing test alone executed the assertion: its counters are not lost.
    assert!(coverage.count("klee.c", 13).unwrap() > 0);
    assert!(coverage.branches().covered >= 4, "{:?}", coverage.branches());
}

#[test]
fn verifier_program_with_untyped_values() {
    let source = Program::new(
        "verifier.c",
        "extern int __VERIFIER_nondet_int(void);\n\
         extern unsigned char __VERIFIER_nondet_uchar(void);\n\
         extern double __VERIFIER_nondet_double(void);\n\
         extern void __VERIFIER_assume(int);\n\
         extern void reach_error(void);\n\
         int main(void) {\n\
         \x20 int x = __VERIFIER_nondet_int();\n\
         \x20 double d = __VERIFIER_nondet_double();\n\
         \x20 __VERIFIER_assume(d > 0.0);\n\
         \x20 if (x == -5 && __VERIFIER_nondet_uchar() == 200 && d == 0.5)\n\
         \x20   reach_error();\n\
         \x20 return 1;\n\
         }\n",
    );
    let replayer = source.replayer();
    let typed = || {
        vec![
            int("__VERIFIER_nondet_int", -5),
            Input::new("__VERIFIER_nondet_double#1", "double", 0.5f64.to_le_bytes().to_vec()),
            Input::new("", "unsigned char", vec![200]),
        ]
    };
    confirmed(&replayer.run(&program(typed(), Ends::of("error-reached"))));
    confirmed(&replayer.run(&program(typed(), Ends::of("reported"))));
    let text = b"<testcase><input>-5</input><input>5e-1</input><input>200</input></testcase>";
    let read = symcrete_testcase::format::testcomp::from_bytes(text, Path::new("t.xml")).unwrap().unwrap();
    let replayed = replayer.run(&TestCase { ends: Ends::of("error-reached"), ..read.clone() });
    confirmed(&replayed);
    confirmed(&replayer.run(&read));
    let wrong = vec![Input::new("__VERIFIER_nondet_uint", "unsigned", vec![0; 4])];
    diverged(&replayer.run(&program(wrong, Ends::exit(1))), "__VERIFIER_nondet_int");
    let none = vec![int("", 1), Input::new("", "double", (-1f64).to_le_bytes().to_vec())];
    diverged(&replayer.run(&program(none, Ends::exit(1))), "__VERIFIER_assume");
}

#[test]
fn own_intrinsics_in_cpp() {
    let source = Program::new(
        "own.cpp",
        "#include <symcrete.h>\n\
         #include <stdexcept>\n\
         int main() {\n\
         \x20 bool b = symcrete_bool(\"b\");\n\
         \x20 unsigned c = symcrete_choice(3, \"c\");\n\
         \x20 float f = symcrete_float(\"f\");\n\
         \x20 symcrete_assume(f == f);\n\
         \x20 if (b && c == 2) { symcrete_target(); symcrete_int(\"later\"); }\n\
         \x20 if (c == 1) throw std::runtime_error(\"no\");\n\
         \x20 symcrete_assert(f < 1);\n\
         \x20 return 0;\n\
         }\n",
    );
    let replayer = source.replayer();
    let inputs = |b: u8, c: i32, f: f32| {
        let float = Input::new("f", "float", f.to_le_bytes().to_vec());
        vec![Input::new("b", "_Bool", vec![b]), int("c", c), float]
    };
    confirmed(&replayer.run(&program(inputs(1, 2, 0.0), Ends::of("target-reached"))));
    confirmed(&replayer.run(&program(inputs(0, 1, 0.0), Ends::of("uncaught-exception"))));
    confirmed(&replayer.run(&program(inputs(0, 0, 2.0), Ends::of("assertion-failed").at("own.cpp", 10))));
    confirmed(&replayer.run(&program(inputs(0, 0, 0.5), Ends::exit(0))));
    diverged(&replayer.run(&program(inputs(0, 0, f32::NAN), Ends::exit(0))), "symcrete_assume");
    diverged(&replayer.run(&program(inputs(0, 3, 0.0), Ends::exit(0))), "symcrete_choice");
    assert!(replayer.coverage().unwrap().files.iter().all(|file| file.path.ends_with("own.cpp")));
}

const LIST: &str = "#include <string.h>\n\
    #include <stdlib.h>\n\
    struct node { int value; struct node *next; };\n\
    typedef struct { short a; double b; } pair;\n\
    int limit = 1;\n\
    static int sum(const struct node *list, int most) {\n\
    \x20 int total = 0;\n\
    \x20 for (; list && most-- > 0; list = list->next)\n\
    \x20   total += list->value;\n\
    \x20 if (total == 42) abort();\n\
    \x20 return total;\n\
    }\n\
    int takes_pair(pair p, float f, const char *name) {\n\
    \x20 if (p.a == 3 && p.b == 0.25 && f < 0 && strcmp(name, \"key\") == 0)\n\
    \x20   exit(limit);\n\
    \x20 return 0;\n\
    }\n\
    int deref(int *p) { return *p; }\n\
    void unnamed(struct { int x; } *p) { p->x = 1; }\n\
    int main(void) { return sum(0, 0); }\n";

#[test]
fn functions_with_parameters_of_every_kind() {
    let source = Program::new("list.c", LIST);
    let function = |name: &str, parameters: &[(&str, &str)]| Function {
        name: name.to_owned(),
        parameters: parameters.iter().map(|(name, of_type)| Parameter::new(name, of_type)).collect(),
        result: None,
        source: None,
    };
    let functions = vec![
        function("sum", &[("list", "const struct node *"), ("most", "int")]),
        function("takes_pair", &[("p", "pair"), ("f", "float"), ("name", "const char *")]),
        function("deref", &[("p", "int *")]),
        function("main", &[]),
        function("unnamed", &[("p", "struct nowhere")]),
    ];
    let globals = vec![Parameter::new("limit", "int")];
    let replayer = source.of_entry(Entry::Functions { functions, globals });
    // A list of two nodes that is a ring: 20 + 22, then back.
    let node = |value: u8, next| {
        let mut object = Object::new("node", "struct node", vec![value, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        object.pointers = vec![Pointer { at: 8, object: Some(next), offset: 0 }];
        object
    };
    let mut ring = TestCase::of_function("sum");
    ring.objects = vec![node(20, 1), node(22, 0)];
    ring.inputs =
        vec![Input::pointer("list", "const struct node *", Some(0), 0).parameter(), int("most", 3).parameter()];
    ring.ends = Ends::of("return");
    confirmed(&replayer.run(&ring));
    ring.inputs[1] = int("most", 2).parameter();
    ring.ends = Ends::of("abort");
    ring.reaches = Some(Place { file: "list.c".to_owned(), line: 10 });
    let replayed = replayer.run(&ring);
    confirmed(&replayed);
    assert_eq!(replayed.reached, Some(true));
    ring.reaches = Some(Place { file: "list.c".to_owned(), line: 11 });
    diverged(&replayer.run(&ring), "the line is not executed");

    let mut pair = TestCase::of_function("takes_pair");
    pair.objects = vec![Object::new("name", "char[6]", b"..key\0".to_vec())];
    let by_value = Input::new("p", "pair", [&[3, 0, 0, 0, 0, 0, 0, 0][..], &0.25f64.to_le_bytes()].concat());
    let negative = Input::new("f", "float", (-1f32).to_le_bytes().to_vec());
    let name = Input::pointer("name", "const char *", Some(0), 2);
    pair.inputs = vec![by_value.parameter(), negative.parameter(), name.parameter(), int("limit", 9).global()];
    pair.ends = Ends::exit(9);
    confirmed(&replayer.run(&pair));

    let mut null = TestCase::of_function("deref");
    null.inputs = vec![Input::pointer("p", "int *", None, 0).parameter()];
    null.ends = Ends::of("null-dereference").at("list.c", 18);
    confirmed(&replayer.run(&null));
    let mut main = TestCase::of_function("main");
    main.ends = Ends::of("return");
    confirmed(&replayer.run(&main));

    let mut calls = TestCase::of_function("sum");
    let null = || Input::pointer("p", "int *", None, 0);
    calls.calls = vec![
        Call { function: "sum".to_owned(), inputs: vec![null(), int("most", 1)] },
        Call { function: "deref".to_owned(), inputs: vec![null()] },
    ];
    calls.ends = Ends::of("null-dereference");
    confirmed(&replayer.run(&calls));
    let mut impossible = TestCase::of_function("unnamed");
    impossible.inputs = vec![int("p", 0).parameter()];
    let Outcome::NotReplayed { reason } = replayer.run(&impossible).outcome else { panic!("a type without a name") };
    assert!(reason.contains("does not compile"), "{reason}");
    let coverage = replayer.coverage().unwrap();
    assert_eq!(coverage.files.len(), 1, "{:?}", coverage.files.iter().map(|file| &file.path).collect::<Vec<_>>());
    assert!(coverage.count("list.c", 15).unwrap() > 0);
}

#[test]
fn functions_of_bitcode_by_prototype() {
    let source = Program::new(
        "plain.c",
        "int three = 4; static int hidden = 1; int half(long x, unsigned char y) { if (x == three * hidden) return 10 / y; return 1; }\nint main(void) { return 5; }\n",
    );
    let bitcode = source.folder.path().join("plain.bc");
    let done = Command::new(clang())
        .args(["-g", "-O0", "-emit-llvm", "-c", "-o"])
        .arg(&bitcode)
        .arg(source.path())
        .status()
        .unwrap();
    assert!(done.success());
    let mut build = Build::new(clang(), vec![Source::new(&bitcode)]);
    build.sandbox = sandbox();
    build.entry = Entry::function("half", &[("x", "long"), ("y", "unsigned char")]);
    if let Entry::Functions { globals, .. } = &mut build.entry {
        globals.extend([Parameter::new("three", "int"), Parameter::new("hidden", "int")]);
    }
    let replayer = Replayer::new(build.clone()).unwrap();
    let mut test = TestCase::of_function("half");
    test.inputs = vec![
        Input::new("x", "long", 3i64.to_le_bytes().to_vec()).parameter(),
        Input::new("y", "unsigned char", vec![0]).parameter(),
    ];
    test.ends = Ends::of("division-by-zero");
    diverged(&replayer.run(&test), "the function returned");
    test.inputs.push(int("three", 3).global());
    confirmed(&replayer.run(&test));
    let hidden = TestCase { inputs: [&test.inputs[..], &[int("hidden", 1).global()]].concat(), ..test.clone() };
    let Outcome::NotReplayed { reason } = replayer.run(&hidden).outcome else { panic!("a static variable of bitcode") };
    assert!(reason.contains("cannot be seen"), "{reason}");
    // Bitcode has lines, if no regions: gcov's way of counting works on it.
    let coverage = replayer.coverage().unwrap();
    assert_eq!(
        (coverage.tool.as_str(), coverage.count("plain.c", 1).is_some_and(|count| count > 0)),
        ("gcov", true),
        "{coverage:?}"
    );
    build.entry = Entry::Program;
    let replayer = Replayer::new(build).unwrap();
    confirmed(&replayer.run(&program(Vec::new(), Ends::exit(5))));
}

#[test]
fn bitcode_is_watched_for_errors_of_memory() {
    let text = "#include <stdlib.h>\nint main(int c, char **v) {\n  char *p = malloc(4);\n  free(c == 1 ? 0 : p);\n  return p[c + 3];\n}\n";
    let source = Program::new("heap.c", text);
    let bitcode = source.folder.path().join("heap.ll");
    let done = Command::new(clang())
        .args(["-g", "-O0", "-emit-llvm", "-S", "-o"])
        .arg(&bitcode)
        .arg(source.path())
        .status()
        .unwrap();
    assert!(done.success());
    let build = Build { sandbox: sandbox(), ..Build::new(clang(), vec![Source::new(&bitcode)]) };
    let replayer = Replayer::new(build).unwrap();
    let mut test = program(Vec::new(), Ends::of("out-of-bounds").at("heap.c", 5));
    confirmed(&replayer.run(&test));
    test.ends = Ends::of("double-free").at("heap.c", 5);
    diverged(&replayer.run(&test), "heap-buffer-overflow");
}

#[test]
fn many_runs_are_counted_together() {
    let source = Program::new(
        "many.c",
        "#include <unistd.h>\nint klee_int(const char *);\nint main(void) {\n  int x = klee_int(\"x\");\n  if (x & 1)\n    _exit(1);\n  return 0;\n}\n",
    );
    let replayer = source.replayer();
    let tests: Vec<_> = (0..250).map(|x| program(vec![int("x", x)], Ends::exit(x & 1))).collect();
    replayer.run_all(&tests, 2).iter().for_each(confirmed);
    let coverage = replayer.coverage().unwrap();
    assert_eq!([4, 6, 7].map(|line| coverage.count("many.c", line)), [Some(250), Some(125), Some(125)]);
    // More runs, more counts.
    confirmed(&replayer.run(&tests[1]));
    assert_eq!(replayer.coverage().unwrap().count("many.c", 6), Some(126));
}

#[test]
fn fuzzer_entry() {
    let source = Program::new(
        "fuzz.c",
        "#include <stdint.h>\n#include <stddef.h>\nint LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {\n  if (n == 3 && d[0] == 'F') __builtin_trap();\n  return 0;\n}\n",
    );
    let replayer = source.of_entry(Entry::Fuzzer);
    confirmed(&replayer.run(&TestCase { ends: Ends::of("return"), ..TestCase::of_fuzzer(b"") }));
    confirmed(&replayer.run(&TestCase { ends: Ends::of("trap"), ..TestCase::of_fuzzer(b"F\0\xff") }));
    diverged(&replayer.run(&TestCase { ends: Ends::of("trap"), ..TestCase::of_fuzzer(b"F") }), "the function returned");
    assert!(matches!(replayer.run(&TestCase::of_program()).outcome, Outcome::NotReplayed { .. }));
}

#[test]
fn arguments_input_and_files() {
    let source = Program::new(
        "world.c",
        "#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\nint main(int argc, char **argv) {\n\
         \x20 char line[16] = {0}, text[16] = {0};\n  FILE *f = fopen(\"A\", \"rb\");\n  if (f) fread(text, 1, 15, f);\n\
         \x20 int got = read(0, line, 15);\n  FILE *out = fopen(\"made\", \"w\");\n  if (out) fputs(\"x\", out);\n\
         \x20 printf(\"%s|%s|%d\\n\", argc > 1 ? argv[1] : \"\", text, got);\n\
         \x20 if (argc == 3 && argv[2][0] == (char)0xff && strcmp(text, \"in a file\") == 0 && line[0] == 'q') _exit(7);\n\
         \x20 return strcmp(argv[0], \"world\") != 0;\n}\n",
    );
    let build = Build { name: "world".to_owned(), ..source.build() };
    let replayer = Replayer::new(build).unwrap();
    let mut test = TestCase::of_program();
    test.arguments = vec![Text::from("a b"), Text(vec![0xff, 1])];
    test.stdin = Some(Text::from("quit\n"));
    test.files = vec![File { name: "A".to_owned(), bytes: Text::from("in a file") }];
    test.ends = Ends::exit(7);
    confirmed(&replayer.run(&test));
    let replayed = replayer.run(&program(Vec::new(), Ends::exit(0)));
    confirmed(&replayed);
    assert_eq!(replayed.stdout, b"||0\n");
    // _exit skips the handlers of exit, but its coverage counts.
    assert!(replayer.coverage().unwrap().count("world.c", 12).unwrap() >= 2);
    test.files[0].name = "../A".to_owned();
    assert!(matches!(replayer.run(&test).outcome, Outcome::NotReplayed { .. }));
    test.files.clear();
    test.arguments = vec![Text(vec![b'a', 0, b'b'])];
    assert!(matches!(replayer.run(&test).outcome, Outcome::NotReplayed { .. }));
}

const BUGS: &str = "#include <stdlib.h>\n\
    #include <string.h>\n\
    int klee_int(const char *);\n\
    int deep(int n) { volatile char pad[4096]; pad[0] = (char)n; return n ? deep(n + 1) + pad[0] : 0; }\n\
    int *dangling(void) { int local = 3; int *volatile p = &local; return p; }\n\
    int main(void) {\n\
    \x20 volatile int zero = 0;\n\
    \x20 char *volatile p = malloc(8);\n\
    \x20 switch (klee_int(\"which\")) {\n\
    \x20 case 0: abort();\n\
    \x20 case 1: return *(volatile int *)(long)zero;\n\
    \x20 case 2: return 10 / zero;\n\
    \x20 case 3: return deep(1);\n\
    \x20 case 4: return p[8];\n\
    \x20 case 5: free(p); return p[0];\n\
    \x20 case 6: free(p); free(p); break;\n\
    \x20 case 7: free(p + 1); break;\n\
    \x20 case 8: return *dangling();\n\
    \x20 case 9: { int x = 2147483647; x += 1 + zero; return x != 0; }\n\
    \x20 case 10: strcpy(p, \"longer than eight\"); break;\n\
    \x20 case 11: for (;;) zero = 0;\n\
    \x20 case 12: p = 0; return 0;\n\
    \x20 case 13: __builtin_trap();\n\
    \x20 case 14: { int a[4] = {0}; return a[4 + zero]; }\n\
    \x20 case 15: *(char *)\"constant\" = 'C'; break;\n\
    \x20 }\n\
    \x20 free(p);\n\
    \x20 return 0;\n\
    }\n";

#[test]
fn findings_are_confirmed() {
    let source = Program::new("bugs.c", BUGS);
    let mut build = source.build();
    build.limits.time = Duration::from_millis(1500);
    let replayer = Replayer::new(build).unwrap();
    let case = |which: i32, ends: Ends| program(vec![int("which", which)], ends);
    let at = |which: i32, kind: &str, line: u32| case(which, Ends::of(kind).at("bugs.c", line));
    let tests = [
        at(0, "abort", 10),
        at(1, "null-dereference", 11),
        at(2, "division-by-zero", 12),
        at(3, "stack-overflow", 4),
        at(4, "out-of-bounds", 14),
        at(5, "use-after-free", 15),
        at(6, "double-free", 16),
        at(7, "invalid-free", 17),
        at(8, "use-after-return", 18),
        at(9, "signed-overflow", 19),
        at(10, "out-of-bounds", 20),
        at(13, "trap", 23),
        at(14, "out-of-bounds", 24),
        at(15, "write-to-read-only", 25),
    ];
    for (test, replayed) in tests.iter().zip(replayer.run_all(&tests, 2)) {
        assert_eq!(replayed.outcome, Outcome::Confirmed, "{} {replayed:?}", test.ends);
    }
    // Leaks need ptrace, which a container may forbid.
    let leak = replayer.run(&case(12, Ends::of("leak")));
    assert!(matches!(leak.outcome, Outcome::Confirmed | Outcome::NotReplayed { .. }), "{leak:?}");
    let wrong = [
        at(4, "out-of-bounds", 15),
        at(4, "double-free", 14),
        at(16, "use-after-free", 9),
        at(0, "division-by-zero", 10),
        at(1, "null-dereference", 12),
        at(2, "division-by-zero", 11),
        at(13, "trap", 24),
        at(15, "write-to-read-only", 24),
    ];
    let words = [
        "heap-buffer-overflow",
        "heap-buffer-overflow",
        "the sanitizers saw nothing",
        "ABRT at",
        "bugs.c:11",
        "bugs.c:12",
        "bugs.c:23",
        "bugs.c:25",
    ];
    for (replayed, words) in replayer.run_all(&wrong, 2).iter().zip(words) {
        diverged(replayed, words);
    }
    let endless = replayer.run(&case(11, Ends::exit(0)));
    diverged(&endless, "still running");
    assert_eq!(endless.end, Some(NativeEnd::TimedOut));
    confirmed(&replayer.run(&case(11, Ends::of("unfinished"))));
    assert!(matches!(replayer.run(&case(0, Ends::of("weariness"))).outcome, Outcome::NotReplayed { .. }));
    // Every way of dying leaves its line covered, and the endless loop too.
    let coverage = replayer.coverage().unwrap();
    for line in [4, 10, 11, 12, 13, 16, 17, 21, 23, 25] {
        assert!(coverage.count("bugs.c", line).unwrap() > 0, "line {line}");
    }
}

#[test]
fn what_does_not_compile_is_shown() {
    let source = Program::new("bad.c", "int main(void) { return nothing; }\n");
    let error = Replayer::new(source.build()).err().unwrap();
    assert!(error.to_string().ends_with("bad.c does not compile natively"), "{error}");
    assert!(error.output().unwrap().contains("nothing"));
    let build = Build { sources: vec![Source::new("/nowhere/x.c")], ..source.build() };
    assert!(Replayer::new(build).err().unwrap().to_string().contains("/nowhere/x.c"));
    let build = Build { clang: "/nowhere/clang".into(), ..source.build() };
    assert!(Replayer::new(build).err().unwrap().to_string().contains("/nowhere/clang"));
}

/// By a process of its own: a file that this one has open for writing could not be executed while another test forks.
fn write_script(path: &Path, text: &str) {
    let written = Command::new("sh")
        .args(["-c", "printf %s \"$2\" >\"$1\" && chmod +x \"$1\"", "sh"])
        .arg(path)
        .arg(text)
        .status();
    assert!(written.unwrap().success());
}

#[test]
fn without_tools_there_are_verdicts_but_no_coverage() {
    let source = Program::new("small.c", "int main(void) { return 3; }\n");
    let alone = tempfile::tempdir().unwrap();
    // A compiler whose directory has no tools beside it.
    let wrapper = alone.path().join("clang");
    write_script(&wrapper, &format!("#!/bin/sh\nexec {} \"$@\"\n", clang().display()));
    let build = Build { clang: wrapper.clone(), search_path: vec![alone.path().to_owned()], ..source.build() };
    let replayer = Replayer::new(build.clone()).unwrap();
    confirmed(&replayer.run(&program(Vec::new(), Ends::exit(3))));
    assert!(replayer.coverage().unwrap_err().contains("llvm-cov"));
    // llvm-cov of any version is enough for lines.
    let versions = (14..=22).map(|version| format!("/usr/bin/llvm-cov-{version}"));
    if let Some(cov) = versions.into_iter().find(|path| Path::new(path).is_file()) {
        std::os::unix::fs::symlink(cov, alone.path().join("llvm-cov")).unwrap();
        lines_by_gcov(build);
    }
}

fn lines_by_gcov(build: Build) {
    let replayer = Replayer::new(build).unwrap();
    confirmed(&replayer.run(&program(Vec::new(), Ends::exit(3))));
    let coverage = replayer.coverage().unwrap();
    assert_eq!((coverage.tool.as_str(), coverage.count("small.c", 1)), ("gcov", Some(1)), "{coverage:?}");
}

#[test]
fn gcc_has_its_own_gcov() {
    if Path::new("/usr/bin/gcc").is_file() && Path::new("/usr/bin/gcov").is_file() {
        let source = Program::new("small.c", "int main(void) { return 3; }\n");
        lines_by_gcov(Build { clang: "gcc".into(), ..source.build() });
    }
}

#[test]
fn unit_tests_in_c_compile_and_run() {
    let source = Program::new("list.c", LIST);
    let mut test = TestCase::of_function("sum");
    let mut node = Object::new("node", "struct node", vec![21, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    node.pointers = vec![Pointer { at: 8, object: Some(0), offset: 0 }];
    test.objects = vec![node];
    test.inputs = vec![
        Input::pointer("list", "const struct node *", Some(0), 0).parameter(),
        int("most", 2).parameter(),
        int("limit", 4).global(),
    ];
    let text = String::from_utf8(suite::encode(&test, Format::C, 1)).unwrap();
    let file = format!(
        "#define main original_main\n#include \"list.c\"\n#undef main\n{text}int main(void) {{ test_000001(); return 0; }}\n"
    );
    let path = source.folder.path().join("unit.c");
    fs::write(&path, file).unwrap();
    let executable = source.folder.path().join("unit");
    assert!(Command::new(clang()).args(["-w", "-o"]).arg(&executable).arg(&path).status().unwrap().success());
    let status = Command::new(&executable).status().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(6));

    let asks = Program::new(
        "asks.c",
        "int __VERIFIER_nondet_int(void);\nint main(int c, char **v) { if (c != 2 || v[1][0] != 'z') return 1; __builtin_printf(\"%d\", __VERIFIER_nondet_int()); return 0; }\n",
    );
    let mut test = program(vec![int("__VERIFIER_nondet_int", -8)], Ends::exit(0));
    test.arguments = vec![Text::from("z")];
    let text = String::from_utf8(suite::encode(&test, Format::C, 2)).unwrap();
    let path = asks.folder.path().join("unit.c");
    fs::write(&path, format!("{text}int main(void) {{ test_000002(); return 0; }}\n")).unwrap();
    let object = asks.folder.path().join("asks.o");
    let executable = asks.folder.path().join("unit");
    assert!(
        Command::new(clang())
            .args(["-w", "-Dmain=program_main", "-c", "-o"])
            .arg(&object)
            .arg(asks.path())
            .status()
            .unwrap()
            .success()
    );
    assert!(
        Command::new(clang()).args(["-w", "-o"]).arg(&executable).args([&path, &object]).status().unwrap().success()
    );
    assert_eq!(Command::new(&executable).output().unwrap().stdout, b"-8");
}

#[test]
fn unit_tests_in_rust_compile_and_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = program(Vec::new(), Ends::exit(0));
    test.arguments = vec![Text::from("-"), Text::from("A"), Text(vec![0xff])];
    test.stdin = Some(Text::from("in\n"));
    test.files = vec![File { name: "A".to_owned(), bytes: Text(vec![0, 255]) }];
    let mut call = TestCase::of_function("strnlen");
    call.objects = vec![Object::new("text", "char[4]", b"ab\0\0".to_vec())];
    let count = Input::new("count", "size_t", 4u64.to_le_bytes().to_vec());
    call.inputs = vec![Input::pointer("text", "char *", Some(0), 0).parameter(), count.parameter()];
    let path = folder.path().join("unit.rs");
    fs::write(&path, [suite::encode(&test, Format::Rust, 1), suite::encode(&call, Format::Rust, 2)].concat()).unwrap();
    let executable = folder.path().join("unit");
    let mut rustc = Command::new("rustc");
    let Ok(done) =
        rustc.args(["--edition=2024", "--test", "-A", "warnings", "-o"]).arg(&executable).arg(&path).output()
    else {
        return;
    };
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let done = Command::new(&executable).env("PROGRAM", "/bin/true").output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
}

#[test]
fn rust_programs() {
    // The keyword is spelled apart: it is that of the program under test.
    let text = "KEYWORD extern \"C\" { fn symcrete_int(name: *const std::ffi::c_char) -> i32; }\n\
         fn main() {\n    let x = KEYWORD { symcrete_int(c\"x\".as_ptr()) };\n    if x == 5 { panic!(\"five\"); }\n    std::process::exit(x);\n}\n";
    let source = Program::new("main.rs", &text.replace("KEYWORD", "unsafe"));
    let mut build = source.build();
    build.sources[0].flags = vec!["--edition=2024".into()];
    let replayer = match Replayer::new(build) {
        Ok(replayer) => replayer,
        Err(Error::Start { .. }) => return,
        Err(error) => panic!("{error}\n{}", error.output().unwrap_or_default()),
    };
    confirmed(&replayer.run(&program(vec![int("x", 5)], Ends::of("panic"))));
    confirmed(&replayer.run(&program(vec![int("x", 6)], Ends::exit(6))));
    if let Ok(coverage) = replayer.coverage() {
        assert!(coverage.count("main.rs", 5).unwrap() > 0, "{coverage:?}");
        assert_eq!(coverage.files.len(), 1);
    }
}

/// Programs that would hurt whoever runs them without care.
const WILD: &str = "#include <errno.h>\n\
    #include <signal.h>\n\
    #include <stdio.h>\n\
    #include <stdlib.h>\n\
    #include <string.h>\n\
    #include <unistd.h>\n\
    int klee_int(const char *);\n\
    void symcrete_target(void);\n\
    static void ignore(int number) { (void)number; }\n\
    int main(void) {\n\
    \x20 static char block[65536];\n\
    \x20 int which = klee_int(\"which\");\n\
    \x20 if (which == 0) { memset(block, 'x', sizeof block); for (int i = 0; i < 4096; i++) fwrite(block, 1, sizeof block, stdout); return 1; }\n\
    \x20 if (which == 1) { for (int i = 1; i < 32; i++) signal(i, ignore); for (;;) pause(); }\n\
    \x20 if (which == 2) { int n = 0; while (fork() >= 0) n++; for (;;) pause(); }\n\
    \x20 if (which == 3) { if (fork() == 0) { setsid(); if (fork() == 0) for (;;) pause(); } return 3; }\n\
    \x20 if (which == 4) { if (fork() == 0) { daemon(0, 0); for (;;) pause(); } return 4; }\n\
    \x20 if (which == 5) { kill(-1, SIGKILL); kill(getppid(), SIGKILL); killpg(1, SIGKILL); return 5; }\n\
    \x20 if (which == 6) { kill(0, SIGKILL); return 0; }\n\
    \x20 if (which == 7) { chdir(\"..\"); chdir(\"/\"); fclose(stdin); fclose(stdout); for (int i = 3; i < 256; i++) close(i); return 7; }\n\
    \x20 if (which == 8) { int n = 0; while (getchar() != EOF) n++; return n; }\n\
    \x20 if (which == 9) { FILE *f = fopen(\"large\", \"w\"); memset(block, 1, sizeof block); for (;;) if (fwrite(block, 1, sizeof block, f) < sizeof block) return 9; }\n\
    \x20 if (which == 10) for (;;) symcrete_target();\n\
    \x20 if (which == 11) for (;;) if (!malloc(1 << 20)) return 11;\n\
    \x20 if (which == 12) { raise(SIGSTOP); return 0; }\n\
    \x20 return 13;\n\
    }\n";

#[test]
fn wild_programs_do_no_harm() {
    let source = Program::new("wild.c", WILD);
    let home = tempfile::tempdir().unwrap();
    let mut build = Build { scratch: Some(home.path().to_owned()), ..source.build() };
    build.limits.time = Duration::from_secs(3);
    build.limits.file_bytes = 1 << 20;
    build.limits.memory_bytes = 1 << 30;
    let replayer = Replayer::new(build).unwrap();
    let case = |which: i32, ends: Ends| program(vec![int("which", which)], ends);
    let loud = replayer.run(&case(0, Ends::exit(1)));
    confirmed(&loud);
    assert_eq!(loud.stdout.len(), 64 << 10, "256 MiB were written, and the beginning kept");
    for endless in [1, 2, 12] {
        let replayed = replayer.run(&case(endless, Ends::exit(0)));
        diverged(&replayed, "still running");
    }
    confirmed(&replayer.run(&case(3, Ends::exit(3))));
    confirmed(&replayer.run(&case(4, Ends::exit(4))));
    confirmed(&replayer.run(&case(5, Ends::exit(5))));
    diverged(&replayer.run(&case(6, Ends::exit(0))), "SIGKILL");
    confirmed(&replayer.run(&case(7, Ends::exit(7))));
    let reads = TestCase { stdin: Some(Text::from("four")), ..case(8, Ends::exit(4)) };
    confirmed(&replayer.run(&reads));
    confirmed(&replayer.run(&case(8, Ends::exit(0))));
    diverged(&replayer.run(&case(9, Ends::exit(9))), "SIGXFSZ");
    confirmed(&replayer.run(&case(10, Ends::of("target-reached"))));
    confirmed(&replayer.run(&case(11, Ends::exit(11))));
    confirmed(&replayer.run(&case(99, Ends::exit(13))));
    // Nothing is left: no process that works in the directory or was started with it, and no files of the runs.
    let mark = home.path().to_str().unwrap();
    let left: Vec<_> = fs::read_dir("/proc").unwrap().flatten().filter(|entry| is_of(&entry.path(), mark)).collect();
    assert!(left.is_empty(), "{left:?}");
    drop(replayer);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

fn is_of(process: &Path, mark: &str) -> bool {
    let environment = fs::read(process.join("environ")).unwrap_or_default();
    let is_dead = fs::read_to_string(process.join("stat")).is_ok_and(|text| text.contains(") Z "));
    !is_dead && String::from_utf8_lossy(&environment).contains(mark)
}

#[test]
fn a_replay_can_be_stopped() {
    let source = Program::new("endless.c", "int main(void) { for (;;); }\n");
    let mut build = source.build();
    build.limits.time = Duration::from_secs(3600);
    let stop = build.stop.clone();
    let replayer = Replayer::new(build).unwrap();
    let tests = [program(Vec::new(), Ends::exit(0)), program(Vec::new(), Ends::exit(1))];
    let replayed = std::thread::scope(|scope| {
        let running = scope.spawn(|| replayer.run_all(&tests, 1));
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        running.join().unwrap()
    });
    for replayed in replayed {
        let Outcome::NotReplayed { reason } = replayed.outcome else { panic!("{replayed:?}") };
        assert!(reason.contains("interrupted"), "{reason}");
    }
}

#[test]
fn a_missing_library_of_the_compiler_is_named() {
    let source = Program::new(
        "heap.c",
        "#include <stdlib.h>\nint main(int c, char **v) {\n  char *p = malloc(4);\n  return p[c + 3];\n}\n",
    );
    // A clang without its libraries: its headers alone.
    let bare = tempfile::tempdir().unwrap();
    let asked = Command::new(clang()).arg("-print-resource-dir").output().unwrap();
    let resources = PathBuf::from(String::from_utf8(asked.stdout).unwrap().trim());
    std::os::unix::fs::symlink(resources.join("include"), bare.path().join("include")).unwrap();
    let wrapper = bare.path().join("clang");
    let text = format!("#!/bin/sh\nexec {} -resource-dir={} \"$@\"\n", clang().display(), bare.path().display());
    write_script(&wrapper, &text);
    let replayer = Replayer::new(Build { clang: wrapper, ..source.build() }).unwrap();
    confirmed(&replayer.run(&program(Vec::new(), Ends::default())));
    let complaint = replayer.coverage().unwrap_err();
    assert!(complaint.contains("apt install libclang-rt-1") || complaint.contains("libclang-rt-2"), "{complaint}");
    let finding = replayer.run(&program(Vec::new(), Ends::of("out-of-bounds").at("heap.c", 4)));
    let Outcome::NotReplayed { reason } = &finding.outcome else { panic!("{finding:?}") };
    assert!(reason.contains("sanitizers") && reason.contains("apt install libclang-rt-"), "{reason}");
}
