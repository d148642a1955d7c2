//! What a test claims against what its native run did. Pure: the runs have happened already.

use std::path::Path;

use super::coverage::is_same_file;
use super::end::NativeEnd;
use super::sanitizer::{self, Report};
use crate::test::{Ends, TestCase, is_undefined_behaviour};

/// What came of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The native program did what the test claims.
    Confirmed,
    /// It did something else.
    Diverged { expected: String, got: String },
    /// It could not be asked, or could not be seen to do it.
    NotReplayed { reason: String },
}

impl Outcome {
    /// Writes into a test what came of it.
    pub fn record(&self, test: &mut TestCase) {
        test.replayed = Some(*self == Outcome::Confirmed);
        test.reason = match self {
            Outcome::Confirmed => None,
            Outcome::Diverged { expected, got } => Some(format!("expected {expected}, got {got}")),
            Outcome::NotReplayed { reason } => Some(reason.clone()),
        };
    }

    pub fn not_replayed(reason: impl Into<String>) -> Outcome {
        Outcome::NotReplayed { reason: reason.into() }
    }
}

/// What was seen of one run.
#[derive(Debug)]
pub struct Observed {
    pub end: NativeEnd,
    pub stderr: String,
    /// The lines of the driver's report: a word and the rest.
    pub report: Vec<(String, String)>,
    /// Of a sanitized run.
    pub sanitizers: Vec<Report>,
}

impl Observed {
    fn reported(&self, word: &str) -> Option<&str> {
        self.report.iter().find(|(key, _)| key == word).map(|(_, detail)| detail.as_str())
    }

    fn died_of(&self, signals: &[i32]) -> bool {
        matches!(self.end, NativeEnd::Signal(signal) if signals.contains(&signal))
    }

    /// The run in a few words.
    pub fn words(&self) -> String {
        if let Some(detail) = self.reported("diverged") {
            return detail.to_owned();
        }
        if let Some(function) = self.reported("assumption-failed") {
            return format!("a condition of {function} that does not hold");
        }
        if let Some((file, line, text)) = assertion(&self.stderr) {
            return format!("a failed assertion at {file}:{line} ({text})");
        }
        if let Some(report) = self.sanitizers.first() {
            return report.to_string();
        }
        if let Some(function) = self.reported("error-reached") {
            return format!("{function} was called");
        }
        if let Some(words) = self.reported("reported-error") {
            return words.to_owned();
        }
        match self.reported("returned") {
            Some(_) if self.end == NativeEnd::Exited(0) => "the function returned".to_owned(),
            _ => self.end.to_string(),
        }
    }
}

/// What the plain run tells.
#[derive(Debug, PartialEq, Eq)]
pub enum Judgement {
    Done(Outcome),
    /// Native code may survive such a bug; a sanitized run must say.
    AskSanitizers,
}

const CRASH: &[i32] = &[libc::SIGSEGV, libc::SIGBUS];
const TRAP: &[i32] = &[libc::SIGILL, libc::SIGTRAP];

/// The signals by which a plain run dies of such a bug, if it usually does.
fn usual_signals(kind: &str) -> Option<&'static [i32]> {
    Some(match kind {
        "null-dereference" | "write-to-read-only" | "wild-pointer" => CRASH,
        "bad-function-pointer" => &[libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGTRAP],
        "unreachable" => TRAP,
        "trap" => &[libc::SIGILL, libc::SIGTRAP, libc::SIGABRT],
        "division-by-zero" | "division-overflow" => &[libc::SIGFPE],
        _ => return None,
    })
}

/// Whether a plain run died as such a bug usually makes it.
pub fn is_usual_signal(claim: &Ends, plain: &Observed) -> bool {
    usual_signals(&claim.kind).is_some_and(|signals| plain.died_of(signals))
}

/// What the signal of a plain run says where nobody can be asked for its place; nothing if it is another signal. `is_executed`
/// tells whether the run came by the claimed line, if that is known.
pub fn judge_by_signal(claim: &Ends, plain: &Observed, is_executed: Option<bool>) -> Option<Outcome> {
    if !is_usual_signal(claim, plain) {
        return None;
    }
    Some(match is_executed {
        Some(false) => {
            let got = format!("{}, and the line is not executed", plain.words());
            Outcome::Diverged { expected: claim.to_string(), got }
        }
        _ => Outcome::Confirmed,
    })
}

/// Whether a divergence is that the program wants more inputs than the test has.
fn asks_for_more(words: &str) -> bool {
    words.starts_with("the program asks for one more input")
}

fn is_memory_error(kind: &str) -> bool {
    const KINDS: &[&str] = &[
        "out-of-bounds",
        "use-after-free",
        "use-after-return",
        "wild-pointer",
        "null-dereference",
        "write-to-read-only",
    ];
    KINDS.contains(&kind)
}

/// Judges the plain run.
pub fn judge(claim: &Ends, seen: &Observed) -> Judgement {
    let confirmed = Judgement::Done(Outcome::Confirmed);
    let diverged = || Judgement::Done(Outcome::Diverged { expected: claim.to_string(), got: seen.words() });
    if let Some(detail) = seen.reported("broken") {
        return Judgement::Done(Outcome::not_replayed(detail));
    }
    // The program goes on after a target, and may then ask for inputs that no test needs to have.
    if claim.kind == "target-reached" && seen.reported("target-reached").is_some() {
        return confirmed;
    }
    if claim.kind == "discarded" && seen.reported("assumption-failed").or(seen.reported("silent-exit")).is_some() {
        return confirmed;
    }
    // A path that was cut off had not asked for all of its inputs yet.
    if claim.kind == "unfinished" && seen.reported("diverged").is_some_and(asks_for_more) {
        return confirmed;
    }
    // A program that was built with checks of its own tells of them even where it goes on.
    if sanitizer::parse(&seen.stderr).iter().any(|report| sanitizer::shows(report, claim)) {
        return confirmed;
    }
    // An input that does not fit into its memory is none of the test's; native code may survive that and ask for it.
    if seen.reported("diverged").is_some_and(asks_for_more) && is_memory_error(&claim.kind) {
        return Judgement::AskSanitizers;
    }
    if seen.reported("diverged").is_some() || seen.reported("assumption-failed").is_some() {
        return diverged();
    }
    let is_so = match claim.kind.as_str() {
        "unknown" | "unfinished" => true,
        "discarded" => false,
        "exit" => match (seen.end, claim.status) {
            (NativeEnd::Exited(status), Some(claimed)) => status == claimed & 0xff,
            (NativeEnd::Exited(_), None) => true,
            _ => false,
        },
        "return" => seen.reported("returned").is_some() && seen.end == NativeEnd::Exited(0),
        "error-reached" => seen.reported("error-reached").is_some() || seen.died_of(&[libc::SIGABRT]),
        "reported" => seen.reported("reported-error").or(seen.reported("error-reached")).is_some(),
        "abort" | "uncaught-exception" => seen.died_of(&[libc::SIGABRT]),
        "killed" => claim.killing_signal().is_some_and(|signal| seen.died_of(&[signal])),
        "panic" => seen.died_of(&[libc::SIGABRT]) || seen.end == NativeEnd::Exited(101),
        "assertion-failed" => seen.died_of(&[libc::SIGABRT]) && is_assertion(claim, &seen.stderr),
        "stack-overflow" => seen.died_of(CRASH),
        "hang" => seen.end == NativeEnd::TimedOut,
        "crash" => matches!(seen.end, NativeEnd::Signal(_)),
        "out-of-bounds" | "use-after-free" | "use-after-return" | "double-free" | "invalid-free" | "realloc-misuse"
        | "leak" => return Judgement::AskSanitizers,
        // Natively it may crash, and not where it would be told.
        "bad-array-bound" if seen.died_of(CRASH) => true,
        // A signal does not say where; and the same bug may show by another one.
        other if usual_signals(other).is_some() => match judge_by_signal(claim, seen, None) {
            Some(outcome) if claim.line.is_none() => return Judgement::Done(outcome),
            _ => return Judgement::AskSanitizers,
        },
        kind if is_undefined_behaviour(kind) => return Judgement::AskSanitizers,
        "bad-longjmp" => match seen.end {
            NativeEnd::Signal(_) => true,
            _ => return Judgement::Done(Outcome::not_replayed("the native run survives a bad longjmp")),
        },
        other => {
            let reason = format!("how `{other}` shows in a native run is not known");
            return Judgement::Done(Outcome::not_replayed(reason));
        }
    };
    if is_so { confirmed } else { diverged() }
}

/// Judges a claim by its sanitized run. `plain` is the run before; `is_executed` as in `judge_by_signal`. Bitcode is watched for
/// errors of memory only.
pub fn judge_sanitized(
    claim: &Ends,
    plain: &Observed,
    seen: &Observed,
    is_bitcode: bool,
    is_executed: Option<bool>,
) -> Outcome {
    let expected = claim.to_string();
    if seen.sanitizers.iter().any(|report| sanitizer::shows(report, claim)) {
        return Outcome::Confirmed;
    }
    if seen.reported("diverged").is_some() || seen.reported("assumption-failed").is_some() {
        return Outcome::Diverged { expected, got: seen.words() };
    }
    // What undefined behaviour of another kind comes before is no contradiction, but an error of memory is.
    let contrary =
        seen.sanitizers.iter().find(|report| report.kind != "other" && !is_undefined_behaviour(&report.kind));
    if let Some(report) = contrary {
        return Outcome::Diverged { expected, got: report.to_string() };
    }
    if let Some(outcome) = judge_by_signal(claim, plain, is_executed) {
        return outcome;
    }
    if seen.end == NativeEnd::TimedOut {
        return Outcome::Diverged { expected, got: seen.end.to_string() };
    }
    if is_bitcode && (claim.kind == "unreachable" || is_undefined_behaviour(&claim.kind)) {
        return Outcome::not_replayed("sanitizers see this only where the source is there, and not in bitcode");
    }
    if claim.kind == "leak" && seen.stderr.contains("LeakSanitizer has encountered a fatal error") {
        return Outcome::not_replayed("LeakSanitizer cannot work here (it needs ptrace)");
    }
    let has_blind_spots = matches!(
        claim.kind.as_str(),
        "out-of-bounds" | "use-after-return" | "wild-pointer" | "leak" | "write-to-read-only"
    );
    let got = format!("{}, and the sanitizers saw nothing", plain.words());
    match has_blind_spots && matches!(plain.end, NativeEnd::Exited(_)) {
        true => Outcome::not_replayed(format!("native code survives it ({got})")),
        false => Outcome::Diverged { expected, got },
    }
}

/// The file, line and expression of a failed assertion, as the C library prints it.
fn assertion(stderr: &str) -> Option<(String, u32, String)> {
    let line = stderr.lines().find(|line| line.contains("Assertion `"))?;
    let (before, after) = line.split_once("Assertion `")?;
    let expression = after.rsplit_once("' failed").map_or(after, |(expression, _)| expression);
    // "program: file.c:12: function: ", where the function of C++ has colons of its own.
    let parts: Vec<&str> = before.split(':').collect();
    let at = parts.iter().position(|part| part.parse::<u32>().is_ok())?;
    let file = parts.get(at.checked_sub(1)?)?.trim().to_owned();
    Some((file, parts[at].parse().ok()?, expression.to_owned()))
}

/// Whether the assertion that failed is the claimed one. Where nothing was printed, the abort alone must do.
fn is_assertion(claim: &Ends, stderr: &str) -> bool {
    let Some((file, line, _)) = assertion(stderr) else { return true };
    let (Some(claimed_file), Some(claimed_line)) = (&claim.file, claim.line) else { return true };
    // Some print only line 0, having no better one.
    line == 0 || claimed_line == line && is_same_file(Path::new(&file), Path::new(claimed_file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(end: NativeEnd, stderr: &str, report: &[(&str, &str)]) -> Observed {
        let report = report.iter().map(|(word, detail)| (word.to_string(), detail.to_string())).collect();
        Observed { end, stderr: stderr.to_owned(), report, sanitizers: Vec::new() }
    }

    fn is_confirmed(claim: &Ends, seen: &Observed) -> bool {
        judge(claim, seen) == Judgement::Done(Outcome::Confirmed)
    }

    #[test]
    fn endings_are_compared() {
        let exit = |status| run(NativeEnd::Exited(status), "", &[]);
        assert!(is_confirmed(&Ends::exit(3), &exit(3)));
        assert!(is_confirmed(&Ends::exit(-1), &exit(255)));
        assert!(!is_confirmed(&Ends::exit(3), &exit(4)));
        assert!(!is_confirmed(&Ends::exit(0), &run(NativeEnd::TimedOut, "", &[])));
        assert!(is_confirmed(&Ends::default(), &run(NativeEnd::TimedOut, "", &[])));
        let fpe = || run(NativeEnd::Signal(libc::SIGFPE), "", &[]);
        assert!(is_confirmed(&Ends::of("division-by-zero"), &fpe()));
        assert_eq!(judge(&Ends::of("division-by-zero").at("a.c", 3), &fpe()), Judgement::AskSanitizers);
        assert!(!is_confirmed(&Ends::of("return"), &exit(0)));
        assert_eq!(judge(&Ends::of("leak"), &exit(0)), Judgement::AskSanitizers);
        assert!(matches!(judge(&Ends::of("tiredness"), &exit(0)), Judgement::Done(Outcome::NotReplayed { .. })));
    }

    #[test]
    fn assertions_are_compared_by_place() {
        let stderr = "program: /w/a.cpp:12: int ns::f(int): Assertion `x != 0' failed.\n";
        let seen = run(NativeEnd::Signal(libc::SIGABRT), stderr, &[]);
        assert!(is_confirmed(&Ends::of("assertion-failed").at("a.cpp", 12), &seen));
        assert!(!is_confirmed(&Ends::of("assertion-failed").at("a.cpp", 13), &seen));
        assert_eq!(seen.words(), "a failed assertion at /w/a.cpp:12 (x != 0)");
    }

    #[test]
    fn crashes_are_compared_by_place_and_not_by_signal() {
        let frame = |words: &str, line: u32| {
            sanitizer::parse(&format!(
                "==7==ERROR: AddressSanitizer: {words} on unknown address 0x0\n    #0 0x5 in f /w/a.c:{line}:3\n    #1 0x5 in main /w/a.c:30:3\n"
            ))
        };
        let claim = Ends::of("null-dereference").at("a.c", 7);
        let outcome = |plain: i32, reports: Vec<Report>, is_executed: Option<bool>| {
            let plain = run(NativeEnd::Signal(plain), "", &[]);
            let seen = Observed { sanitizers: reports, ..run(NativeEnd::Exited(86), "", &[]) };
            judge_sanitized(&claim, &plain, &seen, false, is_executed)
        };
        let is_diverged = |outcome: Outcome| matches!(outcome, Outcome::Diverged { .. });
        for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGILL, libc::SIGTRAP] {
            assert_eq!(outcome(signal, frame("SEGV", 7), None), Outcome::Confirmed);
            assert_eq!(outcome(signal, frame("BUS", 7), None), Outcome::Confirmed);
            assert_eq!(outcome(signal, frame("heap-use-after-free", 7), None), Outcome::Confirmed);
            // Elsewhere, in a function that the claimed line calls, or of another kind.
            assert!(is_diverged(outcome(signal, frame("SEGV", 8), None)));
            assert!(is_diverged(outcome(signal, frame("FPE", 7), None)));
        }
        assert!(!sanitizer::shows(&frame("SEGV", 8)[0], &Ends::of("null-dereference").at("a.c", 30)));
        assert_eq!(outcome(libc::SIGSEGV, Vec::new(), Some(true)), Outcome::Confirmed);
        assert!(is_diverged(outcome(libc::SIGSEGV, Vec::new(), Some(false))));
        assert!(is_diverged(outcome(libc::SIGABRT, Vec::new(), Some(true))));
    }

    #[test]
    fn a_target_counts_even_if_inputs_run_out_later() {
        let seen = run(NativeEnd::Exited(121), "", &[("target-reached", ""), ("diverged", "one more input")]);
        assert!(is_confirmed(&Ends::of("target-reached"), &seen));
        assert!(!is_confirmed(&Ends::exit(121), &seen));
    }
}
