//! What came of a search, for people and as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use symcrete_exec::coverage::Mark;
use symcrete_explore::coverage::by_file;
use symcrete_explore::meter::Counts;
use symcrete_explore::report::Mismatch;
use symcrete_explore::strategy;
use symcrete_explore::workers::{Progress, Stopped, Summary};
use symcrete_ir::{FuncId, LocId};
use symcrete_testcase::Finding;
use symcrete_testcase::replay::{FileCoverage, Tally};

use super::findings::Settled;
use super::replaying::{Replayed, TIME_IS_UP};
use super::report_file;
use super::setup::{ConcretisedCall, CoverSetup, LimitPlace};
use super::uncovered::{FileLines, Uncovered};
use crate::coverage::{CoverageTable, FileLine, shortened};
use crate::documents::{self, CoverDocument};
use crate::error::Error;
use crate::report::plural;

pub struct CoverResult<'a> {
    pub summary: Summary,
    pub setup: &'a CoverSetup,
    pub tests: usize,
    /// Tests that are written without the C or Rust that was asked for.
    pub left_out: usize,
    pub findings: Settled,
    pub warnings: Vec<String>,
    pub mismatches: Vec<Mismatch>,
    /// Decision strings that do not fit the program.
    pub lost: Vec<Vec<u8>>,
    pub replayed: Option<Replayed>,
    /// Some path was given an input.
    pub has_inputs: bool,
    /// The search was stopped and can be resumed.
    pub to_go_on: bool,
    pub compile_time: Duration,
    pub replay_time: Duration,
    pub out: &'a Path,
}

impl CoverResult<'_> {
    pub fn status(&self) -> u8 {
        match self.summary.stopped {
            _ if self.has_lost_its_way() && self.setup.pure.is_empty() => 101,
            _ if !self.summary.wrong_models.is_empty() || !self.summary.failures.is_empty() => 101,
            Some(Stopped::Interrupted) => 130,
            _ if !self.findings.confirmed.is_empty() => 1,
            _ => 0,
        }
    }

    /// Paths and the runs of their inputs differ, or decisions do not fit the program.
    fn has_lost_its_way(&self) -> bool {
        !self.mismatches.is_empty() || !self.lost.is_empty()
    }

    /// No inputs were left out by calls of functions that nobody looks into.
    fn leaves_nothing_out(&self) -> bool {
        self.setup.concretised().is_empty()
            && self.setup.assumed().is_empty()
            && self.setup.float_environment().is_none()
    }

    /// Where functions were said to be pure, that is the likeliest reason for paths that lost their way.
    fn doubts(&self) -> Option<String> {
        let count = self.mismatches.len() + self.lost.len();
        if count == 0 || self.setup.pure.is_empty() {
            return None;
        }
        let names: Vec<String> = self.setup.pure.iter().map(|name| format!("`{name}`")).collect();
        Some(format!(
            "the inputs of {count} path{} do something else than the path did; is one of the functions that are said to be \
             pure ({}) not?",
            plural(count),
            names.join(", ")
        ))
    }

    pub fn print(&self, as_json: bool, stats: bool) -> Result<(), Error> {
        if as_json {
            println!("{}", documents::json(&self.document()));
        } else {
            print!("{}", crate::report::printable(&self.text()));
        }
        if stats {
            eprint!("{}", self.solver_text());
        }
        for failure in &self.summary.failures {
            eprintln!("symcrete: internal error: {failure}; please report it with the program");
        }
        if !self.setup.pure.is_empty() {
            return self.print_wrong_models();
        }
        for mismatch in self.mismatches.iter().take(5) {
            eprintln!("symcrete: internal error: a path and its concrete run end differently: {mismatch:?}");
        }
        for decisions in self.lost.iter().take(5) {
            let decisions = symcrete_testcase::bytes::to_hex(decisions);
            eprintln!(
                "symcrete: internal error: the decisions {decisions} do not fit the program; what follows them is unexplored"
            );
        }
        self.print_wrong_models()
    }

    fn print_wrong_models(&self) -> Result<(), Error> {
        let folder = self.out.join("internal-errors");
        for (number, wrong) in self.summary.wrong_models.iter().enumerate() {
            let path = folder.join(format!("wrong-model-{}.smt2", number + 1));
            let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, &wrong.query));
            written.map_err(|source| Error::Write { path: path.clone(), source })?;
            eprintln!(
                "symcrete: internal error: {} gave a wrong model; please report it with the query, {}",
                wrong.backend,
                path.display()
            );
        }
        Ok(())
    }

    /// From native runs if they could be counted, and else from the engine.
    fn coverage(&self) -> CoverageTable {
        if let Some(Replayed { coverage: Ok(coverage), .. }) = &self.replayed {
            return CoverageTable::of_replay(coverage);
        }
        let counted_by = match &self.replayed {
            Some(Replayed { coverage: Err(reason), .. }) => format!("the engine: {reason}"),
            _ => "the engine".to_owned(),
        };
        by_engine(self.setup, &self.summary.covered, counted_by)
    }

    /// The report in the output directory, as it stays.
    pub fn write_report(&self) -> Result<(), Error> {
        let status = self.summary.stopped.map_or("complete", reason);
        report_file::write(self.out, status, documents::json(&self.document()))
    }

    /// The lines that were not executed, by whom the table was counted.
    fn uncovered(&self) -> Uncovered {
        let program = &self.setup.program;
        let files: Vec<FileLines> = match &self.replayed {
            Some(Replayed { coverage: Ok(coverage), .. }) => coverage.files.iter().map(lines_of_replay).collect(),
            _ => {
                let path = |name: &str| {
                    let file = program.debug.files.values().find(|file| file.name == name);
                    file.map_or_else(|| name.into(), |file| Path::new(&file.directory).join(name))
                };
                let lines = |(name, file): (String, symcrete_explore::coverage::FileCoverage)| FileLines {
                    path: path(&name),
                    name,
                    lines: file.lines,
                    starts: Vec::new(),
                };
                by_file(program, &self.summary.covered).into_iter().map(lines).collect()
            }
        };
        Uncovered::new(program, &self.setup.roots(), &files)
    }

    fn document(&self) -> CoverDocument {
        let progress = &self.summary.progress;
        let counts = &progress.counts;
        let uncovered = self.uncovered();
        let (findings, unconfirmed) = self.findings.documents();
        let limit = |((file, line, function, what), count): (&LimitPlace, &u64)| documents::Limit {
            file: file.clone(),
            line: *line,
            function: function.clone(),
            what: what.clone(),
            count: *count,
        };
        let call = |((file, line, function), count): (&ConcretisedCall, &u64)| documents::Call {
            file: file.clone(),
            line: *line,
            function: function.clone(),
            count: *count,
        };
        CoverDocument {
            version: documents::VERSION,
            tests: self.tests,
            only_as_json: self.left_out,
            paths: paths(counts),
            exhausted: self.summary.exhausted
                && counts.partial == 0
                && self.leaves_nothing_out()
                && counts.simplified + counts.divergences == 0
                && progress.lazy.left_open() == 0
                && self.doubtful().is_empty(),
            assumed_to_return: self.setup.assumed(),
            taken_for_granted: self.setup.assumptions(),
            stopped: self.summary.stopped.map(reason),
            undecided: self.summary.undecided.len(),
            pending: self.summary.pending,
            coverage: documents::Coverage {
                uncovered: Some(uncovered.lines()),
                unreached_functions: Some(uncovered.unreached_functions()),
                ..self.coverage().document()
            },
            findings,
            unconfirmed,
            warnings: self.warnings.iter().cloned().chain(self.doubts()).collect(),
            concretised: self.setup.concretised().iter().map(call).collect(),
            limits: self.setup.limits().iter().map(limit).collect(),
            replay: self.replayed.as_ref().map(replay_document),
            stats: self.stats_document(),
        }
    }

    fn stats_document(&self) -> documents::CoverStats {
        let progress = &self.summary.progress;
        let counts = &progress.counts;
        documents::CoverStats {
            instructions: counts.instructions,
            segments: counts.segments,
            iterations: counts.iterations,
            divergences: counts.divergences,
            simplified: counts.simplified,
            lazy: self.lazy_document(),
            concrete_runs: progress.concrete_runs,
            climbed: progress.climbed,
            forks: counts.forks,
            queries: progress.queries,
            solver_s: rounded(progress.solver_time),
            time_s: rounded(self.summary.time),
            stopping_s: rounded(self.summary.stopping),
            compile_s: rounded(self.compile_time),
            replay_s: rounded(self.replay_time),
            peak_mib: peak_mib(),
            state_bytes: progress.state_bytes,
            most_states: progress.most_states,
            path_digest: format!("{:016x}", counts.digest),
        }
    }

    fn lazy_document(&self) -> documents::LazyStats {
        let lazy = &self.summary.progress.lazy;
        let open = self.doubtful().into_iter().map(|(file, line)| documents::Place { file, line });
        documents::LazyStats {
            abstract_paths: lazy.abstract_paths,
            concretised: lazy.concretised,
            refuted: lazy.refuted,
            open: lazy.open,
            expansions: lazy.expansions,
            reused: lazy.reused,
            answered_backward: lazy.answered_behind,
            suspicions: documents::Suspicions {
                all: lazy.suspicions,
                real: lazy.suspicions_real,
                refuted: lazy.suspicions_refuted,
                iterations: lazy.suspicion_iterations,
                open: open.collect(),
            },
            undecided: lazy.undecided,
            whole_paths: lazy.whole_paths,
            deeper: documents::Deeper { paths: lazy.deeper_paths, iterations: lazy.deeper_iterations },
            functions: self.summary.functions.as_ref().map(|functions| self.functions_document(functions)),
        }
    }

    fn functions_document(&self, functions: &symcrete_explore::lazy::Functions) -> documents::LazyFunctions {
        let name = |function: &FuncId| self.setup.program.functions[*function].source_name().to_owned();
        let names = |list: &[FuncId]| list.iter().map(name).collect();
        let overruled = functions.overruled.iter();
        let overruled = overruled.map(|(function, reason)| documents::Overruled {
            function: name(function),
            why: reason.words().to_string(),
        });
        documents::LazyFunctions {
            entry: self.setup.entry_name().to_owned(),
            followed: names(&functions.followed),
            deeper: names(&functions.deeper),
            needed: names(&functions.needed),
            passed_over: names(&functions.passed_over),
            unbounded: names(&functions.unbounded),
            never_called: names(&functions.never_called),
            follows_all: functions.follows_all,
            leaves_out: functions.leaves_out,
            overruled: overruled.collect(),
        }
    }

    fn text(&self) -> String {
        let mut text = self.coverage().text();
        text.push_str(&self.uncovered().text(self.setup.entry_name()));
        text.push('\n');
        self.findings.text(&mut text, &self.setup.program);
        for warning in self.warnings.iter().chain(&self.doubts()) {
            let _ = writeln!(text, "warning: {warning}");
        }
        for ((file, line, function), count) in &self.setup.concretised() {
            let calls = if *count == 1 { "call" } else { "calls" };
            let _ = writeln!(
                text,
                "{file}:{line}: the arguments of `{function}` were fixed in {count} {calls}; their other values were not \
                 followed"
            );
        }
        let came_far = self.summary.progress.counts.paths() > 0 && self.setup.limits().is_empty();
        if !self.has_inputs && self.summary.exhausted && came_far {
            let _ = writeln!(text, "note: the program was given no inputs; {}", self.setup.how_to_give_inputs());
        }
        for ((file, line, _, what), count) in &self.setup.limits() {
            let were = if *count == 1 { "path was" } else { "paths were" };
            let _ = writeln!(text, "{}{count} {were} not followed further: {what}", before_message(file, *line));
        }
        self.runs_text(&mut text);
        let _ = writeln!(text, "{}", self.closing());
        if self.summary.stopped.is_none() && self.has_inputs {
            for assumption in self.setup.assumptions() {
                let _ = writeln!(text, "note: {assumption}");
            }
        }
        if self.left_out > 0 {
            let (count, is) = (self.left_out, if self.left_out == 1 { "is" } else { "are" });
            let _ = writeln!(
                text,
                "note: {count} test{} {is} not written as C or Rust: the program changes files outside of its directory there \
                 (`note` in the JSON says which)",
                plural(count)
            );
        }
        if self.to_go_on {
            let _ = writeln!(text, "to go on: symcrete cover --resume {}", self.out.display());
        }
        if let Some(replayed) = &self.replayed {
            self.replay_text(&mut text, replayed);
            let _ = writeln!(text, "(the replay after the search took {:.2} s)", self.replay_time.as_secs_f64());
        }
        text
    }

    /// What concolic testing and lazy expansion did beside following paths.
    fn runs_text(&self, text: &mut String) {
        let progress = &self.summary.progress;
        let divergences = progress.counts.divergences;
        if divergences > 0 {
            let runs = if divergences == 1 { "run" } else { "runs" };
            let _ = writeln!(text, "{divergences} {runs} diverged: what was so in one run was not so in the next");
        }
        let simplified = progress.counts.simplified;
        if simplified > 0 {
            let _ = writeln!(
                text,
                "{simplified} condition{} kept only in part: what is not linear was a number of the run",
                if simplified == 1 { " was" } else { "s were" }
            );
        }
        let lazy = &progress.lazy;
        if self.summary.functions.is_some() {
            let behind = match lazy.answered_behind {
                0 => String::new(),
                count => format!(", {count} goal{} answered backward", plural(count as usize)),
            };
            let _ = writeln!(
                text,
                "lazy expansion: {} abstract path{}, {} concretised, {} refuted; {} path{} through calls looked at, {} reused{behind}; {} iteration{}",
                lazy.abstract_paths,
                plural(lazy.abstract_paths as usize),
                lazy.concretised,
                lazy.refuted,
                lazy.expansions,
                plural(lazy.expansions as usize),
                lazy.reused,
                progress.counts.iterations,
                plural(progress.counts.iterations as usize),
            );
            if lazy.whole_paths > 0 {
                let (paths, s) = (lazy.whole_paths, plural(lazy.whole_paths as usize));
                let _ = writeln!(
                    text,
                    "beside it, for code that no test executed: {paths} whole path{s}, as forward search follows them"
                );
            }
        } else if progress.counts.iterations > 0 {
            let iterations = progress.counts.iterations as usize;
            let _ = writeln!(text, "concolic testing: {iterations} run{}", plural(iterations));
        }
        if let Some(functions) = &self.summary.functions {
            self.functions_text(text, functions);
        }
        if lazy.suspicions > 0 {
            let (real, refuted, more) = (lazy.suspicions_real, lazy.suspicions_refuted, lazy.suspicion_iterations);
            // Paths that are still pending may come there otherwise.
            let so_far = if self.summary.stopped.is_some() { " so far" } else { "" };
            let _ = writeln!(
                text,
                "possible faults that depend on what callees return: {}, of which {real} {} and {refuted} {} ruled out{so_far}; {more} more iteration{}",
                lazy.suspicions,
                if real == 1 { "happens" } else { "happen" },
                if refuted == 1 { "is" } else { "are" },
                plural(more as usize),
            );
        }
        for (file, line) in self.doubtful() {
            let _ = writeln!(text, "{file}:{line}: possible fault: depends on what callees return (undecided)");
        }
    }

    /// Lines under test that may go wrong with what calls give, and nobody knows.
    fn doubtful(&self) -> BTreeSet<(String, u32)> {
        let places = self.summary.functions.iter().flat_map(|functions| &functions.doubtful);
        let line = |loc: &LocId| {
            let (file, line, _) = self.setup.loc(*loc);
            (file, line)
        };
        places.map(line).collect()
    }

    /// What was under test, and what was passed over.
    fn functions_text(&self, text: &mut String, functions: &symcrete_explore::lazy::Functions) {
        let own = |function: &&FuncId| !self.setup.program.functions[**function].runtime;
        let name = |function: &FuncId| format!("`{}`", self.setup.program.functions[*function].source_name());
        let names = |list: &[FuncId]| list.iter().filter(own).map(name).collect::<Vec<String>>().join(", ");
        let mut under_test = vec![format!("`{}`", self.setup.entry_name())];
        under_test.extend(functions.followed.iter().filter(own).map(name));
        let _ = write!(text, "under test: {}", under_test.join(", "));
        let deeper = names(&functions.deeper);
        if !deeper.is_empty() {
            let _ = write!(text, "; then, for code that no test had executed, {deeper}");
            let lazy = &self.summary.progress.lazy;
            if lazy.deeper_iterations > 0 {
                let (paths, iterations) = (lazy.deeper_paths, lazy.deeper_iterations);
                let (s, es) = (plural(paths as usize), plural(iterations as usize));
                let more = if functions.leaves_out { "; there are more, which are left out" } else { "" };
                let _ = write!(text, " ({paths} more abstract path{s}, {iterations} more iteration{es}{more})");
            }
        }
        // Those of the library, too: what is done wrong with them is the program's.
        let passed_over = functions.passed_over.iter().filter(|function| !functions.deeper.contains(function));
        let passed_over: Vec<String> = passed_over.map(name).collect();
        if !passed_over.is_empty() {
            let _ = write!(text, "; looked into on demand: {}", passed_over.join(", "));
        }
        text.push('\n');
        if functions.follows_all {
            text.push_str(
                "(all paths of the program were followed beside it, so faults inside of calls are told as well)\n",
            );
        } else if !functions.passed_over.is_empty() {
            let _ = writeln!(
                text,
                "(not every fault inside of what {} call{} is looked for; --no-abstract NAME puts a function under test, too)",
                under_test.join(", "),
                if under_test.len() == 1 { "s" } else { "" },
            );
        }
        let always = functions.unbounded.iter().filter(|function| !functions.passed_over.contains(function));
        let unbounded = names(&always.copied().collect::<Vec<FuncId>>());
        if !unbounded.is_empty() {
            let _ = writeln!(text, "always looked into, because no bound was found for what they change: {unbounded}");
        }
        let needed = names(&functions.needed);
        if !needed.is_empty() {
            let _ = writeln!(text, "always looked into, because what they leave is needed as it is: {needed}");
        }
        if functions.passed_over.is_empty() && !(unbounded.is_empty() && needed.is_empty()) {
            text.push_str(
                "note: no call was passed over, so each path of the program has a test; --mode forward keeps those that cover \
                 something new\n",
            );
        }
        for (function, reason) in &functions.overruled {
            let _ = writeln!(text, "note: {} is in --abstract and was followed: {}", name(function), reason.words());
        }
        for function in &functions.never_called {
            let _ = writeln!(text, "note: {} is named to lazy expansion, and nothing called it", name(function));
        }
    }

    /// Whether lazy expansion was done with the function under test, and had come to what it calls.
    fn is_below(&self) -> bool {
        let is_deeper = self.summary.functions.as_ref().is_some_and(|functions| !functions.deeper.is_empty());
        is_deeper && self.summary.progress.lazy.left_open() == 0 && self.summary.undecided.is_empty()
    }

    /// The last word: how much was done and whether it was all.
    fn closing(&self) -> String {
        let counts = &self.summary.progress.counts;
        let paths = counts.paths();
        let what = match self.summary.stopped {
            Some(Stopped::Interrupted) => "interrupted".to_owned(),
            Some(Stopped::Time) if self.is_below() => {
                "stopped: every path of the function under test that inputs lead to has a test; below it, the time is up".to_owned()
            }
            Some(Stopped::Time) => "stopped: the time is up".to_owned(),
            Some(Stopped::Paths) => "stopped: there are as many paths as --max-paths allows".to_owned(),
            Some(Stopped::Steps) => "stopped: the instructions are used up".to_owned(),
            Some(Stopped::Covered) => {
                let pending = self.summary.pending + self.summary.undecided.len();
                let were = if pending == 1 { "path was" } else { "paths were" };
                format!("done: all code is covered; {pending} {were} not followed (--every-path follows them)")
            }
            None if !self.summary.failures.is_empty() || !self.lost.is_empty() => {
                "broke off, by a mistake of Symcrete's own".to_owned()
            }
            None if !self.summary.undecided.is_empty() => {
                let count = self.summary.undecided.len();
                format!("done, but {count} side{} of a branch could not be decided", plural(count))
            }
            None if !self.setup.concretised().is_empty() => {
                "done, but arguments of calls were fixed, and what follows from other values is not known".to_owned()
            }
            None if !self.setup.assumed().is_empty() => {
                let names: Vec<String> = self.setup.assumed().iter().map(|name| format!("`{name}`")).collect();
                format!("done, but only for inputs for which {} returns", names.join(" and "))
            }
            None if self.setup.float_environment().is_some() => {
                "done, but not as floats are computed natively".to_owned()
            }
            None if self.summary.progress.lazy.left_open() > 0 => {
                let count = self.summary.progress.lazy.left_open();
                let paths = if count == 1 { "path" } else { "paths" };
                format!(
                    "done, but of {count} {paths} of the function under test nobody could tell whether inputs lead there"
                )
            }
            None if counts.simplified + counts.divergences > 0 => {
                "incomplete: some branch conditions were approximated".to_owned()
            }
            None if counts.partial > 0 => "done, but not all paths came to their end".to_owned(),
            None if paths == 0 && counts.discarded > 0 => {
                "done, but no input satisfies the assumptions that the program makes".to_owned()
            }
            None if !self.doubtful().is_empty() => {
                "done: every path of the function under test that inputs lead to has a test, but perhaps for those that end in a fault at the \
                 places named above"
                    .to_owned()
            }
            None if self.summary.progress.lazy.suspicions_real > 0 => {
                "done: every path of the function under test that inputs lead to has a test; of those that end in a fault, \
                 one for each fault"
                    .to_owned()
            }
            None if self.summary.functions.is_some() => {
                "done: every path of the function under test that inputs lead to has a test".to_owned()
            }
            None => "done: every path was followed to its end".to_owned(),
        };
        let findings = self.findings.confirmed.len();
        let unconfirmed = match self.findings.unconfirmed.len() {
            0 => String::new(),
            count => format!(", {count} not confirmed"),
        };
        let below = if self.summary.progress.lazy.deeper_paths > 0 { " with those below it" } else { "" };
        format!(
            "{what}; {paths} path{}{below}, {} test{} in {}, {findings} finding{}{unconfirmed}, {:.2} s",
            plural(paths as usize),
            self.tests,
            plural(self.tests),
            self.out.display(),
            plural(findings),
            self.summary.time.as_secs_f64(),
        )
    }

    fn replay_text(&self, text: &mut String, replayed: &Replayed) {
        let confirmed = replayed.confirmed.len();
        let total = confirmed + replayed.diverged.len() + replayed.not_replayed.len();
        if total == 0 {
            return;
        }
        if confirmed == total {
            let _ = match total {
                1 => writeln!(text, "the test did natively what it claims"),
                _ => writeln!(text, "all {total} tests did natively what they claim"),
            };
            return;
        }
        let _ = match (replayed.diverged.len(), confirmed) {
            (0, 0) => writeln!(text, "none of {total} tests was replayed"),
            (0, 1) => writeln!(text, "one of {total} tests was replayed, and did natively what it claims"),
            (0, confirmed) => {
                writeln!(
                    text,
                    "all of the {confirmed} tests that were replayed, of {total}, did natively what they claim"
                )
            }
            (_, confirmed) => writeln!(text, "{confirmed} of {total} tests did natively what they claim"),
        };
        for (number, expected, got) in replayed.diverged.iter().take(10) {
            let _ = writeln!(text, "  test {number} diverged: expected {expected}, got {got}");
        }
        let mut reasons: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, reason) in &replayed.not_replayed {
            reasons.entry(reason).or_default().push(*number);
        }
        for (reason, numbers) in reasons {
            let _ = match numbers[..] {
                _ if reason == TIME_IS_UP => writeln!(
                    text,
                    "not replayed: {} test{}, {reason}; symcrete replay {} replays them",
                    numbers.len(),
                    plural(numbers.len()),
                    self.out.display()
                ),
                [number] => writeln!(text, "  test {number} was not replayed: {reason}"),
                _ => writeln!(text, "  {} tests were not replayed: {reason}", numbers.len()),
            };
        }
    }

    fn solver_text(&self) -> String {
        let mut text = String::new();
        for statistics in &self.summary.solver {
            let _ = writeln!(text, "{}", crate::solve::statistics_text(statistics, self.summary.time));
        }
        text
    }
}

/// The lines of a file as native runs counted them.
fn lines_of_replay(file: &FileCoverage) -> FileLines {
    FileLines {
        name: shortened(&file.path),
        path: file.path.clone(),
        lines: file.counts.iter().map(|(line, count)| (*line, *count > 0)).collect(),
        starts: file.starts.clone(),
    }
}

/// What the engine executed.
fn by_engine(setup: &CoverSetup, covered: &[Mark], counted_by: String) -> CoverageTable {
    let tally = |tally: symcrete_explore::coverage::Tally| Tally { covered: tally.covered, total: tally.total };
    let files: BTreeMap<_, _> = by_file(&setup.program, covered);
    let line = |(name, file): (String, symcrete_explore::coverage::FileCoverage)| FileLine {
        lines: tally(file.line_tally()),
        branches: tally(file.branches),
        functions: tally(file.functions),
        name,
    };
    CoverageTable { files: files.into_iter().map(line).collect(), counted_by }
}

/// What is known of a search that goes on: how far it is, what was executed, and its tests, findings and warnings.
pub fn so_far(
    setup: &CoverSetup,
    progress: &Progress,
    covered: &[Mark],
    (tests, findings, warnings): (usize, &[Finding], &[String]),
) -> Value {
    documents::json(&documents::SoFarDocument {
        version: documents::VERSION,
        tests,
        paths: paths(&progress.counts),
        exhausted: false,
        pending: progress.live + progress.aside,
        coverage: by_engine(setup, covered, "the engine".to_owned()).document(),
        findings: findings.iter().map(documents::Finding::from).collect(),
        warnings: warnings.to_vec(),
    })
}

fn paths(counts: &Counts) -> documents::Paths {
    documents::Paths {
        completed: counts.completed,
        partial: counts.partial,
        failed: counts.failed,
        discarded: counts.discarded,
    }
}

fn replay_document(replayed: &Replayed) -> documents::Replay {
    let diverged = |(test, expected, got): &(usize, String, String)| documents::Diverged {
        test: *test,
        expected: expected.clone(),
        got: got.clone(),
    };
    let not = |(test, reason): &(usize, String)| documents::NotReplayed { test: *test, reason: reason.clone() };
    documents::Replay {
        confirmed: replayed.confirmed.len(),
        diverged: replayed.diverged.iter().map(diverged).collect(),
        not_replayed: replayed.not_replayed.iter().map(not).collect(),
    }
}

/// Why a search ended before all paths were followed.
fn reason(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::Interrupted => "interrupted",
        Stopped::Time => "time",
        Stopped::Steps => "steps",
        Stopped::Paths => "paths",
        Stopped::Covered => "covered",
    }
}

/// A place in front of what is said of it, if there is one.
pub fn before_message(file: &str, line: u32) -> String {
    if file.is_empty() { String::new() } else { format!("{file}:{line}: ") }
}

/// The strategies, one to a line.
pub fn strategies() -> String {
    let mut text = String::from("Names for --search; several, with commas between them, take turns.\n\n");
    let _ = writeln!(text, "Without --search: {}.\n", strategy::DEFAULT);
    for row in strategy::STRATEGIES {
        let name = format!("{}{}", row.name, row.arguments);
        let _ = writeln!(text, "  {name:<18} {}", row.summary);
    }
    text
}

pub fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

/// A figure of /proc/self/status, in MiB.
fn process_mib(key: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) / 1024
}

pub fn resident_mib() -> u64 {
    process_mib("VmRSS:")
}

fn peak_mib() -> u64 {
    process_mib("VmHWM:")
}
