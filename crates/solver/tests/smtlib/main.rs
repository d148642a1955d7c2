//! Scripts with the output that they must give: each `.smt2` file here ends with its expected output in comments, one line each,
//! after the line `; expect`.
#![allow(clippy::unwrap_used)]

mod functions;
mod printed;

use std::fs;
use std::path::Path;

use symcrete_solver::smtlib::{Outcome, Script};
use symcrete_solver::{Chain, Config, Limits};

fn script<'a>() -> Script<'a> {
    Script::new(Chain::new(Config::default()), Limits::default).with_functions(functions::resolve)
}

fn run(text: &str) -> (Vec<String>, Outcome) {
    let mut lines = Vec::new();
    let mut script = script();
    let outcome = script.run(text, &mut |line: &str| lines.push(line.to_owned()));
    assert!(script.chain().take_errors().is_empty(), "a wrong model");
    (lines.iter().flat_map(|line| line.lines()).map(str::to_owned).collect(), outcome)
}

#[test]
fn scripts_give_the_expected_output() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/smtlib");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "smt2"));
    files.sort();
    assert!(files.len() > 5);
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let (_, expected) =
            text.split_once("; expect\n").unwrap_or_else(|| panic!("{}: nothing expected", path.display()));
        let expected: Vec<&str> = expected.lines().map(|line| line.strip_prefix("; ").unwrap_or("")).collect();
        let (lines, _) = run(&text);
        assert_eq!(lines, expected, "{}", path.display());
    }
}

/// The message of the error that ends the script.
fn error(text: &str) -> String {
    let (lines, outcome) = run(text);
    let error = outcome.error.unwrap_or_else(|| panic!("no error: {lines:?}")).to_string();
    assert!(lines.last().unwrap().starts_with("(error "), "{lines:?}");
    error
}

#[test]
fn errors_say_where_and_what() {
    for (text, expected) in [
        ("(assert true", "1:1: this parenthesis is never closed"),
        ("\n  )", "2:3: there is nothing open that this parenthesis could close"),
        ("(echo \"a", "1:7: this string has no end"),
        ("(assert |a)", "1:9: this quoted symbol has no end"),
        ("(assert #q1)", "1:9: the character '#' means nothing here"),
        ("(assert \u{e9})", "1:9: the character 'é' means nothing here"),
        ("check-sat", "1:1: a command is a list that begins with its name"),
        ("(frobnicate)", "1:1: `frobnicate` is not a command of SMT-LIB, or not one that is supported"),
        ("(assert x)", "1:9: `x` is not declared"),
        ("(assert #x01)", "1:9: this is of sort (_ BitVec 8), where Bool is expected"),
        ("(declare-const a Bool)(declare-const a Bool)", "1:38: `a` is declared already"),
        ("(declare-const a (_ BitVec 0))", "1:18: a width of 0 bits is not supported (1 to 65536 are)"),
        (
            "(declare-const a (_ BitVec 99999999999))",
            "1:18: a width of 99999999999 bits is not supported (1 to 65536 are)",
        ),
        ("(assert (= #x1 #x11))", "1:9: `=` cannot be applied to (_ BitVec 4), (_ BitVec 8)"),
        ("(assert (bvult #x1))", "1:9: `bvult` cannot be applied to (_ BitVec 4)"),
        ("(assert (= #b1 ((_ extract 9 3) #xff)))", "1:16: `extract` cannot have these indices"),
        ("(assert (= #b1 (_ bv4 2)))", "1:16: the number does not fit into 2 bits"),
        (
            "(assert (= #x1 ((_ repeat 1000000) #x1)))",
            "1:16: a width of 4000000 bits is not supported (1 to 65536 are)",
        ),
        ("(pop 1)", "1:1: there are only 0 levels to pop"),
        (
            "(declare-fun f (Bool) Bool)",
            "1:17: functions that are declared without a body take and give vectors and floats, not Bool",
        ),
        (
            "(declare-fun f (Float64) Float64)",
            "1:14: `f` is declared without a body, and no function of that name is known; \
             `:pure \"sin\"` at the end says that it is `sin`",
        ),
        ("(declare-fun f (Float64) Float64 :pure \"g\")", "1:14: no function `g` is known"),
        (
            "(declare-fun f (Float64) Float64 :impure \"sin\")",
            "1:34: nothing more, or :pure \"name\", is expected here",
        ),
        (
            "(declare-fun fabs (Float32) Float64)",
            "1:14: the function `fabs` takes a float and gives such a float, which is not what is declared here",
        ),
        (
            "(declare-fun fabs (Float64) Float64)(assert (= #x1 (fabs #x1)))",
            "1:52: `fabs` cannot be applied to (_ BitVec 4)",
        ),
        ("(declare-fun fabs (Float64) Float64)(declare-const fabs Bool)", "1:52: `fabs` is declared already"),
        ("(assert (forall ((x Bool)) x))", "1:9: quantifiers are not supported"),
        (
            "(declare-const r Real)",
            "1:18: `Real` is not a sort that is supported (there are Bool, BitVec, FloatingPoint, RoundingMode, and Array of vectors)",
        ),
        ("(assert (let ((x)) x))", "1:15: (let ((name value) ...) term) is expected here"),
        ("(assert ())", "1:9: a term is expected here"),
        ("(assert (() true))", "1:10: the name of an operation is expected here"),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn hostile_scripts_are_refused_and_crash_nothing() {
    let depth = 100_000;
    error(&"(".repeat(depth));
    error(&")".repeat(depth));
    error(&format!("{}{}", "(".repeat(depth), ")".repeat(depth)));
    error(&format!("(assert {}{})", "(".repeat(depth), ")".repeat(depth)));
    error(&format!("(assert {}x{})", "(not ".repeat(depth), ")".repeat(depth)));
    error(&format!("(declare-const a {}Bool{})", "(Array ".repeat(depth), ")".repeat(depth)));
    error(&format!("(assert {}x{})", "(let ((y true)) ".repeat(depth), ")".repeat(depth)));
    error(&format!("(assert (= #x0 (_ bv{} 4)))", "9".repeat(1_000_000)));
    error("(define-fun f ((x (_ BitVec 8))) (_ BitVec 8) (f x))");
    error("(declare-const a (_ BitVec 60000))(assert (bvumulo a a))");
    error("(declare-const a (_ BitVec 60000))(assert (= a (bvmul a a)))");
    error("(declare-const a (_ BitVec 60000))(assert (= a (bvsmod a a)))");
}

#[test]
fn depth_alone_is_no_error() {
    let depth = 100_000;
    let (lines, outcome) =
        run(&format!("(declare-const x Bool)(assert {}x{})(check-sat)", "(not ".repeat(depth), ")".repeat(depth)));
    assert!(outcome.error.is_none());
    assert_eq!(lines, ["sat"]);
    let text = format!(
        "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(assert (= #x07 {}x{}))(check-sat)",
        "(bvxor y (bvadd #x01 ".repeat(depth / 2),
        "))".repeat(depth / 2)
    );
    assert_eq!(run(&text).0, ["sat"]);
    let nested = format!("(assert {}x{})(check-sat)", "(let ((x (not x))) ".repeat(depth), ")".repeat(depth));
    assert_eq!(run(&format!("(declare-const x Bool){nested}")).0, ["sat"]);
}

#[test]
fn definitions_that_double_are_applied_once_for_each_argument() {
    let mut text =
        String::from("(declare-const a (_ BitVec 8))(define-fun f0 ((x (_ BitVec 8))) (_ BitVec 8) (bvadd x #x01))\n");
    for at in 1..200 {
        let before = at - 1;
        text += &format!(
            "(define-fun f{at} ((x (_ BitVec 8))) (_ BitVec 8) (bvxor (f{before} x) (bvnot (f{before} x))))\n"
        );
    }
    text += "(assert (= #xff (f199 a)))(check-sat)";
    assert_eq!(run(&text).0, ["sat"]);
}

/// What Z3 says of the same scripts, where it is there.
#[test]
fn z3_reads_the_same_in_the_scripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/smtlib");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "smt2"));
    for path in files {
        let Ok(output) = std::process::Command::new("z3").arg("-T:20").arg(&path).output() else { return };
        let words = |lines: Vec<String>| -> Vec<String> {
            lines.into_iter().filter(|line| ["sat", "unsat"].contains(&line.as_str())).collect()
        };
        let theirs = String::from_utf8_lossy(&output.stdout);
        // Older versions lack some operations, and none knows what declared functions are.
        if theirs.contains("unknown constant") || theirs.contains("invalid function declaration") {
            continue;
        }
        let theirs = theirs.lines().map(str::to_owned).collect();
        let (ours, outcome) = run(&fs::read_to_string(&path).unwrap());
        if outcome.error.is_none() {
            assert_eq!(words(ours), words(theirs), "{}", path.display());
        }
    }
}
