//! What a native run shows of the end that a test claims, for unit tests in every language: what they can check, and
//! what their comments say.

use crate::test::{Ends, EntryKind, TestCase, is_undefined_behaviour};

/// How a program that is run by itself must end.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It exits, with this status where one is known.
    Exit(Option<i32>),
    /// It dies of SIGABRT.
    Abort,
    /// It dies of this signal.
    Signal(i32),
    /// It ends as Rust ends after a panic: SIGABRT or status 101.
    Panic,
    /// By a signal, or by the status of whatever caught it: a sanitizer, a handler.
    Failure,
    /// Nothing that all builds of the program have in common.
    Anything,
}

pub fn expected(ends: &Ends) -> Expected {
    match ends.kind.as_str() {
        "exit" => Expected::Exit(ends.status.map(|status| status & 0xff)),
        "abort" | "assertion-failed" | "uncaught-exception" => Expected::Abort,
        "killed" => ends.killing_signal().map_or(Expected::Failure, Expected::Signal),
        "panic" => Expected::Panic,
        "division-by-zero"
        | "division-overflow"
        | "stack-overflow"
        | "trap"
        | "null-dereference"
        | "write-to-read-only"
        | "bad-function-pointer"
        | "error-reached"
        | "reported" => Expected::Failure,
        _ => Expected::Anything,
    }
}

pub fn is_rust(test: &TestCase) -> bool {
    test.program.iter().any(|file| file.ends_with(".rs"))
}

const UNDEFINED: &str = "-fsanitize=undefined -fno-sanitize-recover=all";

/// The flags with which a build of the program reports an error of this kind.
fn sanitizer(kind: &str, is_rust: bool) -> Option<&'static str> {
    const MEMORY: &[&str] = &[
        "null-dereference",
        "out-of-bounds",
        "use-after-free",
        "use-after-return",
        "double-free",
        "invalid-free",
        "realloc-misuse",
        "wild-pointer",
        "write-to-read-only",
        "bad-function-pointer",
        "stack-overflow",
        "leak",
    ];
    match kind {
        _ if is_rust => MEMORY.contains(&kind).then_some("-Zsanitizer=address"),
        "use-after-return" => Some("-fsanitize=address (and ASAN_OPTIONS=detect_stack_use_after_return=1)"),
        "implicit-conversion" | "unsigned-overflow" => Some("-fsanitize=integer -fno-sanitize-recover=all"),
        "division-by-zero" | "division-overflow" | "unreachable" => Some(UNDEFINED),
        kind if is_undefined_behaviour(kind) => Some(UNDEFINED),
        _ => MEMORY.contains(&kind).then_some("-fsanitize=address"),
    }
}

/// The comment above a test: what it does, what to expect, and what it is for.
pub fn summary(test: &TestCase) -> Vec<String> {
    let does = match test.kind {
        EntryKind::Program => "Runs the program".to_owned(),
        _ => format!("Calls {}", test.entry),
    };
    let mut lines = vec![format!("{does}; ends: {}.", test.ends)];
    lines.extend(expectation(test));
    if let Some(place) = &test.reaches {
        lines.push(format!("Reaches {}:{}.", place.file, place.line));
    }
    for covered in &test.covers {
        let numbers: Vec<_> = covered.lines.iter().map(u32::to_string).collect();
        lines.push(format!("First to cover {}:{}.", covered.file, numbers.join(",")));
    }
    // A message may hold anything.
    lines.iter().map(|line| line.replace(['\n', '\r'], " ")).collect()
}

/// What the code of the test does not say by itself.
fn expectation(test: &TestCase) -> Option<String> {
    let kind = test.ends.kind.as_str();
    let is_program = test.kind == EntryKind::Program;
    let flags = sanitizer(kind, is_rust(test));
    let whose = if is_program { "the program" } else { "the call" };
    Some(match (expected(&test.ends), flags) {
        _ if kind == "return" => format!("The check is that {whose} returns."),
        _ if kind == "discarded" => "The program gives this input up as of no interest; nothing is checked.".to_owned(),
        _ if test.ends.is_normal() && kind != "exit" => {
            "Nothing is known about the end, and nothing checked.".to_owned()
        }
        (Expected::Exit(_), _) if is_program => return None,
        (Expected::Exit(_), _) => format!("Expect that {whose} ends the process."),
        (Expected::Signal(signal), _) => format!("Expect that {whose} dies of signal {signal}."),
        (Expected::Abort, _) => format!("Expect that {whose} dies of SIGABRT."),
        (Expected::Panic, _) => format!("Expect that {whose} panics."),
        (Expected::Failure, None) => format!("Expect that {whose} fails."),
        (Expected::Failure, Some(flags)) => {
            format!("Expect that {whose} dies of a signal; built with {flags}, it says where.")
        }
        (Expected::Anything, Some(flags)) => {
            format!("A plain build may survive this; a build with {flags} reports it.")
        }
        (Expected::Anything, None) => "How that shows outside of Symcrete is not known, and not checked.".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finding_says_what_to_expect() {
        let words = |kind: &str, entry: TestCase| summary(&TestCase { ends: Ends::of(kind), ..entry }).remove(1);
        assert_eq!(words("return", TestCase::of_function("f")), "The check is that the call returns.");
        assert_eq!(words("abort", TestCase::of_program()), "Expect that the program dies of SIGABRT.");
        let silent = words("out-of-bounds", TestCase::of_function("f"));
        assert!(silent.contains("a build with -fsanitize=address reports"), "{silent}");
        let overflow = words("signed-overflow", TestCase::of_function("f"));
        assert!(overflow.contains("-fsanitize=undefined"), "{overflow}");
    }

    #[test]
    fn messages_stay_on_their_line() {
        let ends = Ends { message: Some("a\nb".to_owned()), ..Ends::of("assertion-failed") };
        let lines = summary(&TestCase { ends, ..TestCase::of_program() });
        assert_eq!(lines[0], "Runs the program; ends: assertion-failed (a b).");
    }

    #[test]
    fn statuses_are_those_that_a_parent_sees() {
        assert_eq!(expected(&Ends::exit(-1)), Expected::Exit(Some(255)));
        assert_eq!(expected(&Ends::of("unfinished")), Expected::Anything);
    }
}
