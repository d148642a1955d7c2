//! What came of a search for targets, for people and as JSON.

use std::fmt::Write as _;
use std::iter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use symcrete_exec::coverage::Mark;
use symcrete_explore::backward;
use symcrete_explore::report::{Finder, GivenInput};
use symcrete_explore::workers::{Stopped, Summary};
use symcrete_ir::LocId;
use symcrete_testcase::{EntryKind, Format, TestCase};

use super::assumed;
use super::confirmation::Confirmation;
use super::passage::{self, Part};
use super::target::{Target, Wanted};
use crate::args::ExploreArgs;
use crate::cover::result::{before_message, rounded};
use crate::cover::setup::CoverSetup;
use crate::documents::{self, Answer, ReachDocument, TargetAnswer, VerdictName};
use crate::inputs_text::inputs_text;
use crate::numbers;
use crate::report::plural;

pub struct ReachResult {
    targets: Vec<(Target, Verdict)>,
    summary: Summary,
    warnings: Vec<String>,
    compile_time: Duration,
    replay_time: Duration,
    program: Vec<PathBuf>,
    backward_segments: u64,
    /// Extensions of tests that are printed.
    printed: Vec<&'static str>,
}

/// What a search came to, from one entry.
pub struct Searched<'a> {
    /// The edges to each target.
    pub marks: &'a [Vec<Mark>],
    /// The test for each.
    pub tests: Vec<Option<Shown>>,
    pub summary: Summary,
    /// What the real program did on it, for each.
    pub confirmations: Vec<Option<Confirmation>>,
    pub warnings: Vec<String>,
    /// What forbids to believe that all paths were followed as they are.
    pub doubts: Vec<String>,
}

/// A test that comes to a target.
#[derive(Clone)]
pub struct Shown {
    pub number: usize,
    pub path: PathBuf,
    pub inputs: Vec<GivenInput>,
    pub found_by: Finder,
    /// By which branches.
    pub way: Vec<Part>,
}

pub enum Verdict {
    Reached {
        test: Shown,
        /// The real program was run on it, and executed the line; otherwise why that is not known.
        replayed: Result<(), String>,
    },
    Unreachable {
        facts: Vec<String>,
        /// Whether the backward search proved it.
        backward: bool,
    },
    Unknown {
        reasons: Vec<String>,
    },
    /// The line has no code, so there is nothing to reach.
    NoCode {
        facts: Vec<String>,
    },
}

impl ReachResult {
    pub fn new(
        args: &ExploreArgs,
        setup: &CoverSetup,
        targets: &[Target],
        searched: Searched,
        (compile_time, replay_time): (Duration, Duration),
    ) -> ReachResult {
        let Searched { marks, tests, summary, confirmations, warnings, mut doubts } = searched;
        // Where floats are computed otherwise than natively, nothing is proved.
        let is_exact = setup.float_environment().is_none();
        let proof = |at: usize| summary.backward.get(at).filter(|outcome| outcome.refuted && is_exact);
        doubts.extend(limits(setup, &summary, args));
        let is_refuted = |at: usize| {
            proof(at).is_some() || doubts.is_empty() && !marks[at].iter().any(|mark| summary.covered.contains(mark))
        };
        let verdict = |(at, target): (usize, &Target)| match &tests[at] {
            None if target.places.is_empty() => Verdict::NoCode { facts: no_code(target) },
            Some(test) => reached(test, confirmations.get(at).cloned().flatten()),
            None if is_refuted(at) && target.optimised && matches!(target.wanted, Wanted::Line { .. }) => {
                Verdict::Unknown { reasons: vec![OPTIMISED.to_owned()] }
            }
            None if is_refuted(at) => match assumed::reasons(setup, &summary, &marks[at], proof(at).is_some()) {
                assumed if !assumed.is_empty() => {
                    let first = "no path reaches it, but only under these assumptions:".to_owned();
                    Verdict::Unknown { reasons: iter::once(first).chain(assumed).collect() }
                }
                _ => match proof(at) {
                    Some(proof) => Verdict::Unreachable { facts: backward_facts(setup, proof), backward: true },
                    None => Verdict::Unreachable { facts: facts(setup, &summary), backward: false },
                },
            },
            None => {
                let assumed = match summary.exhausted {
                    true => assumed::reasons(setup, &summary, &marks[at], false),
                    false => Vec::new(),
                };
                let near = nearest(setup, &summary, at).into_iter().chain(blocked(&summary, at));
                Verdict::Unknown { reasons: doubts.iter().cloned().chain(assumed).chain(near).collect() }
            }
        };
        let verdicts: Vec<Verdict> = targets.iter().enumerate().map(verdict).collect();
        ReachResult {
            backward_segments: summary.backward.iter().map(|outcome| outcome.segments).sum(),
            targets: targets.iter().cloned().zip(verdicts).collect(),
            summary,
            warnings,
            compile_time,
            replay_time,
            program: args.files.clone(),
            printed: [(Format::C, "c"), (Format::Rust, "rust")]
                .into_iter()
                .filter(|(format, _)| args.output.formats.contains(format))
                .map(|(_, extension)| extension)
                .collect(),
        }
    }

    /// Of targets that all have no code: nothing is searched.
    pub fn without_code(targets: Vec<Target>) -> ReachResult {
        let verdict = |target: &Target| Verdict::NoCode { facts: no_code(target) };
        ReachResult {
            targets: targets.into_iter().map(|target| (target.clone(), verdict(&target))).collect(),
            summary: Summary::default(),
            warnings: Vec::new(),
            compile_time: Duration::ZERO,
            replay_time: Duration::ZERO,
            program: Vec::new(),
            backward_segments: 0,
            printed: Vec::new(),
        }
    }

    /// What two searches, from two entries, say together.
    pub fn or(mut self, other: ReachResult) -> ReachResult {
        let pairs = self.targets.into_iter().zip(other.targets);
        let targets = pairs.map(|((target, one), (_, another))| (target, together(one, another))).collect();
        self.summary.progress.counts.add(&other.summary.progress.counts);
        self.summary.progress.queries += other.summary.progress.queries;
        self.summary.progress.concrete_runs += other.summary.progress.concrete_runs;
        self.summary.progress.solver_time += other.summary.progress.solver_time;
        self.summary.time += other.summary.time;
        self.summary.stopped = self.summary.stopped.or(other.summary.stopped);
        self.warnings.extend(other.warnings);
        self.summary.backward.extend(other.summary.backward);
        let backward_segments = self.backward_segments + other.backward_segments;
        ReachResult { targets, backward_segments, replay_time: self.replay_time + other.replay_time, ..self }
    }

    pub fn all_reached(&self) -> bool {
        self.targets.iter().all(|(_, verdict)| matches!(verdict, Verdict::Reached { .. }))
    }

    pub fn is_interrupted(&self) -> bool {
        self.summary.stopped == Some(Stopped::Interrupted)
    }

    pub fn status(&self) -> u8 {
        let any = |wanted: fn(&Verdict) -> bool| self.targets.iter().any(|(_, verdict)| wanted(verdict));
        match () {
            () if !self.summary.failures.is_empty() || !self.summary.wrong_models.is_empty() => 101,
            () if any(|verdict| matches!(verdict, Verdict::Unknown { .. })) && self.is_interrupted() => 130,
            () if any(|verdict| matches!(verdict, Verdict::Unknown { .. } | Verdict::NoCode { .. })) => 3,
            () if any(|verdict| matches!(verdict, Verdict::Unreachable { .. })) => 4,
            () => 0,
        }
    }

    pub fn print(&self, as_json: bool, stats: bool) {
        if as_json {
            println!("{}", documents::json(&self.document()));
        } else {
            print!("{}", crate::report::printable(&self.text()));
        }
        if stats {
            for statistics in &self.summary.solver {
                eprintln!("{}", crate::solve::statistics_text(statistics, self.summary.time));
            }
        }
        for failure in &self.summary.failures {
            eprintln!("symcrete: internal error: {failure}; please report it with the program");
        }
        for wrong in &self.summary.wrong_models {
            eprintln!(
                "symcrete: internal error: {} gave a wrong model; please report it with this query:\n{}",
                wrong.backend, wrong.query
            );
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (target, verdict) in &self.targets {
            if let (Some(asked), Wanted::Line { file, .. }) = (target.moved_from, &target.wanted) {
                let _ = writeln!(text, "{file}:{asked} has no code; the next line that has some is {}", target.line);
            }
            self.one(&mut text, target, verdict);
        }
        for warning in &self.warnings {
            let _ = writeln!(text, "warning: {warning}");
        }
        text
    }

    fn one(&self, text: &mut String, target: &Target, verdict: &Verdict) {
        let seconds = self.summary.time.as_secs_f64();
        match verdict {
            Verdict::Reached { test, replayed } => {
                let _ = writeln!(text, "reached {} in {seconds:.2} s, by {}", target.title, test.found_by.name());
                if let Some(test) = read(&test.path) {
                    let inputs = inputs_text(&test);
                    let with = if inputs.is_empty() { String::new() } else { format!("with {inputs}") };
                    let _ = match (test.kind, with.is_empty()) {
                        (EntryKind::Function, true) => writeln!(text, "    by a call of `{}`", test.entry),
                        (EntryKind::Function, false) => {
                            writeln!(text, "    by a call of `{}` {with}", test.entry)
                        }
                        (_, true) => Ok(()),
                        (_, false) => writeln!(text, "    {with}"),
                    };
                }
                let _ = match replayed {
                    Ok(()) => writeln!(text, "    shown by {}, which does so natively", test.path.display()),
                    Err(reason) => {
                        writeln!(text, "    shown by {}, which was not run natively: {reason}", test.path.display())
                    }
                };
                let files: Vec<String> = self.program.iter().map(|file| file.display().to_string()).collect();
                let _ = writeln!(text, "    again: symcrete replay {} {}", test.path.display(), files.join(" "));
                if !test.way.is_empty() {
                    let _ = write!(text, "    the way there:\n{}", passage::text(&test.way, &target.file, target.line));
                }
                for extension in &self.printed {
                    let file = test.path.with_extension(extension);
                    let _ = match (std::fs::read_to_string(&file), only_in_sandbox(&test.path)) {
                        (Ok(source), _) => write!(text, "    as a unit test, {}:\n\n{source}", file.display()),
                        (Err(_), Some(reason)) => writeln!(text, "    not as a unit test: {reason}"),
                        (Err(_), None) => Ok(()),
                    };
                }
            }
            Verdict::Unreachable { facts, .. } => {
                let _ = writeln!(text, "unreachable: no input executes {} ({seconds:.2} s)", target.title);
                for fact in facts {
                    let _ = writeln!(text, "    {fact}");
                }
            }
            Verdict::NoCode { facts } => {
                let _ = writeln!(text, "{}: this line has no code", target.title);
                for fact in facts {
                    let _ = writeln!(text, "    {fact}");
                }
            }
            Verdict::Unknown { reasons } => {
                let _ = writeln!(text, "no verdict on {} after {seconds:.2} s", target.title);
                for reason in reasons {
                    let _ = writeln!(text, "    {reason}");
                }
            }
        }
    }

    fn document(&self) -> ReachDocument {
        let mut answers: Vec<TargetAnswer> =
            self.targets.iter().map(|(target, verdict)| answer(target, verdict)).collect();
        let progress = &self.summary.progress;
        let counts = &progress.counts;
        let backward = &self.summary.backward;
        let evaluations: u64 = backward.iter().map(|outcome| outcome.evaluations).sum();
        ReachDocument {
            version: documents::VERSION,
            answer: match answers.len() {
                1 => Answer::One(Box::new(answers.remove(0))),
                _ => Answer::Several { targets: answers },
            },
            warnings: self.warnings.clone(),
            stats: documents::ReachStats {
                traces: backward.iter().map(|outcome| outcome.traces).sum(),
                evaluation_s: rounded(backward.iter().map(|outcome| outcome.evaluation_time).sum()),
                segments: self.backward_segments,
                forward_segments: counts.segments,
                paths: counts.paths(),
                queries: progress.queries,
                evaluations: progress.concrete_runs + evaluations,
                instructions: counts.instructions,
                solver_s: rounded(progress.solver_time),
                time_s: rounded(self.summary.time),
                compile_s: rounded(self.compile_time),
                replay_s: rounded(self.replay_time),
            },
        }
    }
}

fn answer(target: &Target, verdict: &Verdict) -> TargetAnswer {
    let unknown = TargetAnswer {
        target: documents::TargetLine {
            file: target.file.clone(),
            line: target.line,
            asked_line: target.moved_from.unwrap_or(target.line),
        },
        verdict: VerdictName::Unknown,
        reason: None,
        found_by: None,
        inputs: None,
        test: None,
        path: None,
        replayed: None,
    };
    match verdict {
        Verdict::Reached { test, replayed } => {
            let inputs = read(&test.path).map_or(Vec::new(), |test| test.inputs);
            let input = |input: symcrete_testcase::Input| documents::ReachedInput {
                name: input.name,
                of_type: input.of_type,
                value: input.value,
            };
            TargetAnswer {
                verdict: VerdictName::Reached,
                inputs: Some(inputs.into_iter().map(input).collect()),
                test: Some(test.path.clone()),
                found_by: Some(test.found_by.name().to_owned()),
                path: Some(passage::documents(&test.way)),
                replayed: Some(replayed.is_ok()),
                reason: replayed.as_ref().err().cloned(),
                ..unknown
            }
        }
        Verdict::Unreachable { facts, backward } => TargetAnswer {
            verdict: VerdictName::Unreachable,
            found_by: Some(if *backward { "backward search" } else { "forward search" }.to_owned()),
            reason: Some(facts.join("; ")),
            ..unknown
        },
        Verdict::NoCode { facts } => TargetAnswer {
            verdict: VerdictName::NoCode,
            reason: Some(format!("this line has no code; {}", facts.join("; "))),
            ..unknown
        },
        Verdict::Unknown { reasons } => TargetAnswer { reason: Some(reasons.join("; ")), ..unknown },
    }
}

pub fn read(test: &Path) -> Option<TestCase> {
    symcrete_testcase::suite::read_tests(test).ok()?.into_iter().next().map(|(_, test)| test)
}

/// Why there is no proof for a line of optimised code.
const OPTIMISED: &str = "no path comes to what is left of the line, but the program was compiled with optimisation, which moves and removes \
                         code: -O0 gives a proof";

/// Of a line of which nothing is in the program: what has code around it.
fn no_code(target: &Target) -> Vec<String> {
    let name = |line: &u32| format!("line {line}");
    let around: Vec<String> = target.around.iter().map(name).collect();
    let mut facts = vec![format!("nearest code: {}", around.join(" and "))];
    if target.optimised {
        facts.push("the program was compiled with optimisation, which moves and removes code; -O0 keeps it".to_owned());
    }
    facts
}

/// What the real program did on a test that the engine says comes to the target.
fn reached(test: &Shown, confirmation: Option<Confirmation>) -> Verdict {
    let test = test.clone();
    match confirmation {
        Some(Confirmation::Executed) => Verdict::Reached { test, replayed: Ok(()) },
        Some(Confirmation::Refuted(reason)) => Verdict::Unknown { reasons: vec![reason] },
        Some(Confirmation::NotAsked(reason)) => Verdict::Reached { test, replayed: Err(reason) },
        None => Verdict::Reached { test, replayed: Err("nobody asked".to_owned()) },
    }
}

/// What was not followed, and what to do about it.
fn limits(setup: &CoverSetup, summary: &Summary, args: &ExploreArgs) -> Vec<String> {
    let mut doubts = Vec::new();
    let counts = &summary.progress.counts;
    let pending = summary.pending + summary.dropped;
    match summary.stopped {
        Some(Stopped::Interrupted) => doubts.push("interrupted".to_owned()),
        Some(Stopped::Time) => {
            let time = numbers::spoken_duration(args.limits.time.unwrap_or_default());
            let pending = if pending == 0 { String::new() } else { format!(", with {} pending", paths(pending)) };
            doubts.push(format!("the time is up ({time}){pending}; --time gives more"));
        }
        Some(Stopped::Steps) => doubts.push(format!("--budget-steps are used up, with {} pending", paths(pending))),
        Some(Stopped::Paths) => doubts.push(format!("--max-paths are followed, with {} pending", paths(pending))),
        // Only `cover` ends there.
        Some(Stopped::Covered) | None => {}
    }
    let undecided = summary.undecided.len();
    if undecided > 0 {
        doubts.push(format!(
            "{undecided} {} could not be decided; --query-time gives the solver more time",
            if undecided == 1 { "side of a branch" } else { "sides of branches" }
        ));
    }
    for ((file, line, _, what), count) in &setup.limits() {
        let were = if *count == 1 { "was" } else { "were" };
        let place = before_message(file, *line);
        doubts.push(format!("{place}{} {were} not followed further: {what}", paths(*count as usize)));
    }
    if counts.partial > 0 && doubts.is_empty() {
        doubts.push(format!("{} did not come to their end", paths(counts.partial as usize)));
    }
    for (file, line, function) in setup.concretised().keys() {
        doubts.push(format!("{file}:{line}: the arguments of `{function}` were fixed; other values were not followed"));
    }
    if !summary.wrong_models.is_empty() {
        doubts.push("a solver was wrong, which is a mistake of Symcrete's own".to_owned());
    }
    if !summary.exhausted && doubts.is_empty() {
        doubts.push(format!("{} left", paths(pending)));
    }
    let assumptions = setup.assumptions();
    if doubts.is_empty() && !assumptions.is_empty() {
        doubts.push("all paths were explored and none reaches it, but only under these assumptions:".to_owned());
    }
    doubts.extend(assumptions);
    for function in setup.assumed() {
        doubts.push(format!("only inputs were followed for which `{function}` returns"));
    }
    doubts
}

fn paths(count: usize) -> String {
    if count == 1 { "1 path".to_owned() } else { format!("{count} paths") }
}

/// How near the backward search came, in words.
fn nearest(setup: &CoverSetup, summary: &Summary, target: usize) -> Option<String> {
    let outcome = summary.backward.get(target)?;
    let (loc, distance) = outcome.nearest?;
    let debug = &setup.program.debug;
    let loc = &debug.locs[loc];
    (loc.line != 0).then(|| {
        let (file, line, runs) = (&debug.files[loc.file].name, loc.line, outcome.evaluations);
        let traces = if outcome.traces == 1 { "one way".to_owned() } else { format!("{} ways", outcome.traces) };
        format!(
            "{file}:{line}: of {runs} runs along {traces} to the target, the nearest missed this branch by {}",
            short(distance)
        )
    })
}

/// A number of which the size matters.
fn short(number: f64) -> String {
    match number.abs() {
        size if size != 0.0 && !(1e-3..1e9).contains(&size) => format!("{number:.1e}"),
        _ => {
            let text = format!("{number:.3}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

/// What the backward search did not follow, in words.
fn blocked(summary: &Summary, target: usize) -> Option<String> {
    match summary.backward.get(target)?.blocked {
        0 => None,
        count => {
            let times = if count == 1 { "once".to_owned() } else { format!("{count} times") };
            Some(format!(
                "going backward, the search came {times} to a loop that it had gone round often enough (--rounds), or to a call that it does not follow"
            ))
        }
    }
}

/// What the proof rests on.
fn facts(setup: &CoverSetup, summary: &Summary) -> Vec<String> {
    let paths = summary.progress.counts.paths();
    let entry = setup.entry_name();
    let variables = setup.keeps_variables().then(|| {
        "variables of the program were taken to have their initial values (--globals makes them inputs)".to_owned()
    });
    let followed = match summary.progress.counts.segments {
        0 if paths == 0 => vec![format!("no chain of calls and branches leads there from `{entry}`")],
        _ => vec![format!(
            "every path from `{entry}` that might come there was followed: {paths} came to an end, the others to contradictions"
        )],
    };
    followed.into_iter().chain(variables).collect()
}

/// What a proof by the backward search rests on.
fn backward_facts(setup: &CoverSetup, proof: &backward::Outcome) -> Vec<String> {
    const MOST: usize = 8;
    let debug = &setup.program.debug;
    let located = proof.branches.iter().map(|loc| &debug.locs[*loc]).filter(|loc| loc.line != 0);
    let mut lines: Vec<String> = located.map(|loc| format!("{}:{}", debug.files[loc.file].name, loc.line)).collect();
    lines.dedup();
    let segments = proof.segments;
    let first = format!("backward search refuted every path to it ({segments} segment{})", plural(segments as usize));
    match lines.len() {
        0 => vec![format!("no chain of calls and branches leads there from `{}`", setup.entry_name())],
        count => {
            lines.truncate(MOST);
            let more = if count > MOST { " and more" } else { "" };
            let mut facts = vec![first, format!("by the conditions of {}{more}", lines.join(", "))];
            let place = |loc: &LocId| {
                let loc = &debug.locs[*loc];
                format!("{}:{}", debug.files[loc.file].name, loc.line)
            };
            facts.extend(proof.facts.iter().map(|fact| match fact {
                backward::Fact::Counters(loc) => {
                    format!("with the counters of the loop at {} summarised for any number of iterations", place(loc))
                }
                backward::Fact::Invariants(loc) => {
                    format!("with invariants of the loop at {}, shown by induction", place(loc))
                }
                backward::Fact::Pure(function) => {
                    let name = setup.program.functions[*function].source_name();
                    format!("assuming that `{name}` is a pure function of its arguments (--pure)")
                }
            }));
            facts
        }
    }
}

/// Why a test is not written in formats that run anywhere, if it is so.
fn only_in_sandbox(path: &std::path::Path) -> Option<String> {
    let tests = symcrete_testcase::suite::read_tests(path).ok()?;
    tests.into_iter().find_map(|(_, test)| test.only_in_sandbox)
}

fn together(one: Verdict, another: Verdict) -> Verdict {
    match (one, another) {
        (none @ Verdict::NoCode { .. }, _) | (_, none @ Verdict::NoCode { .. }) => none,
        (reached @ Verdict::Reached { .. }, _) | (_, reached @ Verdict::Reached { .. }) => reached,
        (Verdict::Unreachable { mut facts, backward }, Verdict::Unreachable { facts: more, backward: other }) => {
            facts.extend(more);
            Verdict::Unreachable { facts, backward: backward && other }
        }
        (Verdict::Unknown { mut reasons }, Verdict::Unknown { reasons: more }) => {
            reasons.extend(more);
            Verdict::Unknown { reasons }
        }
        (unknown @ Verdict::Unknown { .. }, _) | (_, unknown @ Verdict::Unknown { .. }) => unknown,
    }
}
