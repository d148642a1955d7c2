//! `symcrete reach`: one input that executes a line, or the proof that none does.

mod assumed;
mod confirmation;
mod passage;
mod progress;
mod result;
mod source_lines;
mod target;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use symcrete_exec::Class;
use symcrete_exec::coverage::Mark;
use symcrete_explore::backward;
use symcrete_explore::forward::Event;
use symcrete_explore::report::PathReport;
use symcrete_explore::strategy;
use symcrete_explore::targets::Targets;
use symcrete_explore::workers::{self, Message, Setup as _};
use symcrete_ir::{CallGraph, FuncId, Linkage, Program};

use crate::args::reach::{BackwardArgs, Mode};
use crate::args::{ExploreArgs, ReachArgs};
use crate::cover::replaying::Replaying;
use crate::cover::setup::CoverSetup;
use crate::cover::tests::Suite;
use crate::error::Error;
use crate::progress::Display;
use crate::{cover, program, report};

use result::{ReachResult, Searched, Shown};
use target::{Target, Wanted};

/// Where paths are near to the target, and, for what distances do not tell, everywhere.
const SEARCH: &str = "md2u,combined";

/// Instructions that a path may execute before others get a turn, and the progress is shown.
const SLICE: u64 = 100_000;

/// How long the tests are run natively when the search is over.
const REPLAY_TIME: Duration = Duration::from_secs(30);

/// Every external function may be called.
const ANY_ENTRY: &str = "*";

/// Reaches; the exit status is 0 if all targets are reached, 4 if one is proved unreachable, 3 if there is no verdict, 130 after an
/// interrupt.
pub fn run(args: &ReachArgs) -> Result<u8, Error> {
    report::note("`reach` keeps no checkpoints: if it is stopped or killed, it begins anew");
    let mode = args.backward.mode;
    let backward = (mode == Mode::Backward).then(|| backward_config(&args.backward));
    let (wanted, args) = words(&args.common, mode)?;
    strategy::parse(args.search.search.as_deref().unwrap_or(strategy::DEFAULT), args.search.seed)?;
    let began = Instant::now();
    let program = program::load(&args.files, &args.program.compiler)?;
    let targets = find_targets(&wanted, &program)?;
    if targets.iter().all(|target| target.places.is_empty()) {
        let result = ReachResult::without_code(targets);
        result.print(args.output.json, args.output.stats);
        return Ok(result.status());
    }
    let entries = entries(&program, &args, &targets)?;
    let interrupt = cover::interrupt_flag();
    let mut suite = Suite::new(&args.output, false)?;
    let mut best: Option<ReachResult> = None;
    for (number, entry) in entries.iter().enumerate() {
        let mut args = args.clone();
        args.inputs.entry.clone_from(entry);
        args.limits.time = share(args.limits.time, began, entries.len() - number);
        let attempt = attempt(&program, &args, backward.as_ref(), &targets, &mut suite, &interrupt, began)?;
        let done = attempt.all_reached() || attempt.is_interrupted();
        best = Some(match best.take() {
            Some(before) => before.or(attempt),
            None => attempt,
        });
        if done {
            break;
        }
    }
    let Some(result) = best else { return Err(Error::NoProgram) };
    result.print(args.output.json, args.output.stats);
    Ok(result.status())
}

fn backward_config(args: &BackwardArgs) -> backward::Config {
    backward::Config { summaries: !args.no_summaries, rounds: args.rounds, ..backward::Config::default() }
}

/// What is left of the time, divided among the entries that are left.
fn share(time: Option<Duration>, began: Instant, left: usize) -> Option<Duration> {
    let share = |time: Duration| time.saturating_sub(began.elapsed()).div_f64(left as f64);
    time.map(|time| share(time).max(Duration::from_millis(100)))
}

/// Targets and files, of what was typed.
fn words(args: &ExploreArgs, mode: Mode) -> Result<(Vec<Wanted>, ExploreArgs), Error> {
    let mut args = args.clone();
    let (mut wanted, mut files) = (Vec::new(), Vec::new());
    for word in std::mem::take(&mut args.files) {
        match word.to_str().and_then(Wanted::parse) {
            Some(target) => wanted.push(target),
            None => files.push(word),
        }
    }
    if files.is_empty() {
        for target in &wanted {
            if let Wanted::Line { file, .. } = target {
                let file = PathBuf::from(file);
                if let Err(source) = std::fs::metadata(&file) {
                    return Err(Error::Read { path: file, source });
                }
                if !files.contains(&file) {
                    files.push(file);
                }
            }
        }
    }
    if files.is_empty() {
        return Err(Error::NoProgram);
    }
    if wanted.is_empty() {
        wanted.push(Wanted::Marked);
    }
    args.files = files;
    if args.search.search.is_none() && mode == Mode::Backward {
        args.search.search = Some(SEARCH.to_owned());
    }
    Ok((wanted, args))
}

/// Looks for them where variables are in registers, as they will be when the program is executed.
fn find_targets(wanted: &[Wanted], program: &Program) -> Result<Vec<Target>, Error> {
    let mut promoted = program.clone();
    symcrete_ir::promote::promote(&mut promoted);
    wanted.iter().map(|wanted| wanted.find(&promoted)).collect()
}

/// The functions to call, each by its name; `None` is what is usual. Where there is no `main`, or any function may be called, those from
/// which a target can be reached, the nearest first.
fn entries(program: &Program, args: &ExploreArgs, targets: &[Target]) -> Result<Vec<Option<String>>, Error> {
    match args.inputs.entry.as_deref() {
        Some(ANY_ENTRY) => {}
        Some(name) => return Ok(vec![Some(name.to_owned())]),
        None if program::entry(program, None).is_ok() => return Ok(vec![None]),
        None => {}
    }
    let graph = CallGraph::new(program);
    let mut reaching: Vec<FuncId> =
        targets.iter().flat_map(|target| target.places.iter().map(|place| place.function)).collect();
    reaching.sort_unstable();
    reaching.dedup();
    let mut at = 0;
    while at < reaching.len() {
        for caller in graph.callers(reaching[at]) {
            if !reaching.contains(&caller) {
                reaching.push(caller);
            }
        }
        at += 1;
    }
    let is_public = |id: &&FuncId| {
        let function = &program.functions[**id];
        !function.runtime && function.body.is_some() && function.linkage != Linkage::Internal
    };
    let names: Vec<_> = reaching.iter().filter(is_public).map(|id| Some(program.functions[*id].name.clone())).collect();
    match names[..] {
        // Nobody may call it: any entry proves that.
        [] => program::entry(program, None).map(|_| vec![None]),
        _ => Ok(names),
    }
}

/// One search, from one entry.
fn attempt(
    program: &Program,
    args: &ExploreArgs,
    backward: Option<&backward::Config>,
    targets: &[Target],
    suite: &mut Suite,
    interrupt: &Arc<AtomicBool>,
    began: Instant,
) -> Result<ReachResult, Error> {
    let mut marks = Vec::new();
    let setup = CoverSetup::of_program(program.clone(), args, |program| marks = target::split(targets, program))?;
    let compile_time = began.elapsed();
    let mut options = cover::options(args)?;
    options.forward.targets = Targets(marks.clone());
    options.forward.slice = SLICE;
    options.backward = backward.map(|config| {
        let assumes = || marks.iter().any(|target| !assumed::of_paths(&setup, target).is_empty());
        let goes_beyond = !setup.assumptions().is_empty() || assumes();
        (backward::Config { goes_beyond, ..config.clone() }, setup.beginning())
    });
    options.forward.ends_when_covered = false;
    options.forward.prune = backward.is_some();
    let mut found = Found {
        setup: &setup,
        suite,
        tests: vec![None; targets.len()],
        display: Display::new(),
        replaying: (!args.output.no_replay).then(|| Replaying::start(confirmation::hasty(setup.build()))),
        warnings: setup.warnings.clone(),
        doubts: Vec::new(),
        error: None,
    };
    let summary = workers::explore(&setup, &options, interrupt, None, |message| found.receive(message));
    let Found { mut tests, replaying, warnings, doubts, error, mut display, .. } = found;
    display.clear();
    if let Some(error) = error {
        return Err(error);
    }
    show_ways(&setup, &marks, &mut tests);
    let explored = Instant::now();
    let patience = Some(args.limits.replay_time.unwrap_or(REPLAY_TIME));
    let replayed = replaying.map(|replaying| replaying.finish(suite, interrupt, patience, &mut display));
    let build = setup.build();
    let confirm = |(target, test): (&Target, &Option<Shown>)| {
        test.as_ref().map(|test| confirmation::of_test(&build, target, test, replayed.as_ref()))
    };
    let confirmations = targets.iter().zip(&tests).map(confirm).collect();
    let searched = Searched { marks: &marks, tests, summary, confirmations, warnings, doubts };
    Ok(ReachResult::new(args, &setup, targets, searched, (compile_time, explored.elapsed())))
}

/// Finds out by which branches the tests come to their targets.
fn show_ways(setup: &CoverSetup, marks: &[Vec<Mark>], tests: &mut [Option<Shown>]) {
    if tests.iter().all(Option::is_none) {
        return;
    }
    let Ok((mut executor, roots)) = setup.make() else { return };
    let Some(root) = roots.first() else { return };
    for (test, marks) in tests.iter_mut().zip(marks) {
        if let Some(test) = test {
            let turns = symcrete_explore::passage::to_target(&mut executor, root, &test.inputs, marks);
            test.way = passage::parts(&executor.image.program, &turns);
        }
    }
}

/// What is collected while the search goes on.
struct Found<'a> {
    setup: &'a CoverSetup,
    suite: &'a mut Suite,
    /// For each target, what shows that it can be reached.
    tests: Vec<Option<Shown>>,
    display: Display,
    replaying: Option<Replaying>,
    warnings: Vec<String>,
    /// What forbids to believe that all paths were followed as they are.
    doubts: Vec<String>,
    error: Option<Error>,
}

impl Found<'_> {
    fn receive(&mut self, message: Message) {
        match message {
            Message::Event(Event::Path(report)) => {
                if let Err(error) = self.path(&report) {
                    self.error.get_or_insert(error);
                }
            }
            Message::Event(Event::Uninitialised(usage)) => self.doubt(self.setup.uninitialised(&usage)),
            Message::Event(Event::UnwrittenTakenAsZero(usage)) => {
                self.doubts.push(format!(
                    "{}, of which nobody wrote some bits; they were taken to be zero",
                    self.setup.value_at(&usage)
                ));
            }
            Message::Event(Event::NotConfirmed(ended)) => self.warn(crate::report::not_confirmed(&ended)),
            Message::Event(Event::NotPure(warning)) => self.warn(warning),
            Message::Event(Event::AssumedToReturn(function)) => self.setup.note_assumed(function),
            Message::Event(Event::Concretised { function, loc }) => self.setup.note_concretised(&function, loc),
            Message::Event(Event::Mismatch(_) | Event::Lost { .. }) => {
                self.doubt("a path and its concrete run differ, which is a mistake of Symcrete's own".to_owned());
            }
            Message::Checkpoint(_) => {}
            Message::Tick(progress) => self.display.show(|| progress::words(&progress)),
        }
    }

    fn doubt(&mut self, doubt: String) {
        self.doubts.push(doubt.clone());
        self.warn(doubt);
    }

    fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    fn path(&mut self, report: &PathReport) -> Result<(), Error> {
        if report.ended.class() == Class::Limit && !report.concrete {
            self.setup.note_limit(report);
        }
        if report.reaches.is_empty() {
            return Ok(());
        }
        let test = self.setup.test(report);
        let (written, _) = self.suite.write(&test)?;
        for target in &report.reaches {
            self.tests[*target].get_or_insert_with(|| Shown {
                number: written.number,
                path: written.path.clone(),
                inputs: report.inputs.clone(),
                found_by: report.found_by,
                way: Vec::new(),
            });
        }
        if let Some(replaying) = &self.replaying {
            replaying.add(written.number, test);
        }
        Ok(())
    }
}
