//! `symcrete cover`: a test suite that covers the program. Exploration runs on threads of its own, native replay on another; here they
//! are set up, watched, and brought together in a result.

pub mod findings;
mod metadata;
mod partition;
mod progress;
pub mod replaying;
mod report_file;
pub mod result;
mod resume;
pub mod setup;
pub mod tests;
mod typedefs;
mod uncovered;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use symcrete_exec::Class;
use symcrete_exec::coverage::Mark;
use symcrete_explore::checkpoint::{self, Checkpoint};
use symcrete_explore::forward::{self, Event};
use symcrete_explore::limits::PathLimits;
use symcrete_explore::report::{Mismatch, PathReport, STOPPED};
use symcrete_explore::saved::Saved;
use symcrete_explore::strategy;
use symcrete_explore::workers::{self, Message, Options, Progress, QueryLog, Stopped as Stopping, Summary};
use symcrete_explore::{burst, climb};
use symcrete_solver::LoggedQuery;

use crate::args::cover::Exploring;
use crate::args::explore::{Calls, LimitArgs, OutputArgs};
use crate::args::{Command, CoverArgs, ExploreArgs};
use crate::error::Error;
use crate::progress::Display;
use crate::report;
use crate::settings::{self, Parsed, Trouble};
use findings::{Findings, Settled};
use replaying::Replaying;
use result::CoverResult;
use resume::{Header, Stopped};
use setup::CoverSetup;
use tests::Suite;

/// Covers; the exit status is 0 if all is well, 1 if the program has bugs, 130 after an interrupt.
pub fn run(command: &CoverArgs) -> Result<u8, Error> {
    if command.common.search.search.as_deref() == Some("help") {
        print!("{}", result::strategies());
        return Ok(0);
    }
    let Some(folder) = &command.suite.resume else { return search(command, None) };
    let stopped = Stopped::open(folder)?;
    match settings::parse(&stopped.arguments(command)?) {
        Ok(Parsed::Args(args)) => match &args.command {
            Command::Cover(command) => search(command, Some(stopped)),
            _ => Err(Error::Internal("the command of the search that was stopped is another one".to_owned())),
        },
        // The earlier command would have printed, too.
        Ok(Parsed::Print(_)) => Ok(0),
        Err(Trouble::File(error)) => Err(error),
        Err(Trouble::Words(error)) => {
            Err(Error::Usage(format!("the flags do not fit those of the search that was stopped: {error}")))
        }
    }
}

/// From the beginning, or from where an earlier run was stopped.
fn search(command: &CoverArgs, stopped: Option<Stopped>) -> Result<u8, Error> {
    let args = &command.common;
    if args.files.is_empty() {
        return Err(Error::NoProgram);
    }
    if stopped.is_some() && command.exploring.mode == Exploring::Lazy {
        return Err(Error::Usage(
            "--resume is not for --mode lazy, which always begins anew; leave it out, and give --out another folder"
                .to_owned(),
        ));
    }
    let mut options = cover_options(command)?;
    explore_as(command, &mut options)?;
    strategy::parse(&options.search, args.search.seed)?;
    let began = Instant::now();
    let setup = CoverSetup::new(args)?;
    if setup.program.functions.values().any(|function| function.name == "klee_prefer_cex") {
        // Concrete runs know nothing of what is preferred.
        (options.burst, options.climb) = (None, None);
    }
    if command.exploring.mode == Exploring::Lazy {
        options.lazy = Some(setup.lazy(&command.exploring, command.suite.every_path)?);
    }
    let saved = stopped.as_ref().map(|stopped| stopped.paths(&setup.program, setup.fingerprint())).transpose()?;
    let suite = Suite::new(&args.output, command.suite.resume.is_some())?;
    suite.describe(&metadata::metadata(args, &setup))?;
    let compile_time = began.elapsed();
    let interrupt = interrupt_flag();
    let mut cover = Cover::new(&args.output, options.forward.every_path, &setup, suite);
    if let Some(stopped) = stopped {
        cover.go_on(stopped.header)?;
    }
    keep_checkpoints(command, &mut options, &mut cover, saved.as_ref())?;
    let summary = workers::explore(&setup, &options, &interrupt, saved, |message| cover.receive(message));
    cover.display.clear();
    let explored = Instant::now();
    let to_go_on = match options.checkpoints {
        Some(_) => resume::save_end(&args.output.out, &summary, &cover.header()),
        None => Ok(false),
    };
    let patience = args.limits.replay_time.or_else(|| patience(&summary, args.limits.time));
    let replayed = cover
        .replaying
        .take()
        .map(|replaying| replaying.finish(&mut cover.suite, &interrupt, patience, &mut cover.display));
    let findings: Settled = std::mem::take(&mut cover.findings).settle(replayed.as_ref());
    if let Some(path) = &command.testing.partition {
        partition::write(path, summary.partition.as_ref())?;
    }
    let to_go_on = match to_go_on {
        // What replay said of findings is worth keeping with the rest.
        Ok(true) => {
            let mut header = cover.header();
            header.findings = findings.confirmed.iter().map(|confirmed| confirmed.finding.clone()).collect();
            header.unconfirmed.clone_from(&findings.unconfirmed);
            resume::save_end(&args.output.out, &summary, &header)
        }
        other => other,
    };
    if let Some(error) = cover.error.take().or(to_go_on.as_ref().err().map(|error| Error::Usage(error.to_string()))) {
        return Err(error);
    }
    let result = CoverResult {
        compile_time,
        replay_time: explored.elapsed(),
        tests: cover.suite.written(),
        left_out: cover.suite.left_out(),
        findings,
        warnings: cover.warnings,
        mismatches: cover.mismatches,
        lost: cover.lost,
        has_inputs: cover.has_inputs,
        replayed,
        to_go_on: to_go_on.unwrap_or(false),
        summary,
        setup: &setup,
        out: &args.output.out,
    };
    result.write_report()?;
    if !result.to_go_on {
        resume::remove(&args.output.out);
    }
    result.print(args.output.json, args.output.stats)?;
    Ok(result.status())
}

/// Sees to it that a search can go on from its latest checkpoint, or says that it cannot.
fn keep_checkpoints(
    command: &CoverArgs,
    options: &mut Options,
    cover: &mut Cover,
    saved: Option<&Saved>,
) -> Result<(), Error> {
    let out = &command.common.output.out;
    options.is_last = true;
    cover.report(&Progress::default(), &[])?;
    if command.exploring.mode == Exploring::Lazy {
        report::note(
            "--mode lazy keeps no checkpoints: if it is stopped or killed, its tests stay, and --resume is not possible",
        );
        return Ok(());
    }
    let interval = command.testing.checkpoint;
    options.checkpoints = Some(checkpoint::Config { interval, first_log: resume::next_log(out) });
    match saved {
        Some(saved) => {
            // What a run that was killed wrote after its latest checkpoint counts for nothing.
            resume::remove_logs(out, &saved.logs);
            cover.old_logs = saved.logs.iter().map(|log| out.join(&log.name)).collect();
            Ok(())
        }
        None => resume::save_beginning(out, &cover.header()),
    }
}

/// How long replay may go on when the search is over. Without a limit there is no hurry.
fn patience(summary: &Summary, limit: Option<Duration>) -> Option<Duration> {
    let limit = limit.filter(|_| summary.stopped == Some(Stopping::Time))?;
    Some((limit / 10).max(Duration::from_secs(5)))
}

fn cover_options(command: &CoverArgs) -> Result<Options, Error> {
    let mut options = options(&command.common)?;
    options.forward.every_path = command.suite.every_path;
    options.forward.keep_conditions = command.testing.partition.is_some();
    options.forward.ends_when_covered = ends_when_covered(command);
    Ok(options)
}

/// What `cover` and `reach` have in common.
pub fn options(args: &ExploreArgs) -> Result<Options, Error> {
    let mut solver = args.solver.solving.config(args.search.seed);
    if let Some(time) = args.solver.query_time {
        solver.limits.time = time;
        solver.limits.effort = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    }
    Ok(Options {
        jobs: args.search.jobs,
        search: args.search.search.as_deref().unwrap_or(strategy::DEFAULT).to_owned(),
        seed: args.search.seed,
        time: args.limits.time,
        steps: args.limits.budget_steps,
        paths: args.limits.max_paths,
        forward: forward::Config {
            limits: path_limits(&args.limits),
            every_path: false,
            memory: usize::try_from(args.limits.memory).unwrap_or(usize::MAX) / args.search.jobs,
            workers: args.search.jobs,
            join_after: args.search.join.unwrap_or_default().0,
            ..forward::Config::default()
        },
        solver,
        burst: (!args.research.no_burst).then(burst::Config::default),
        climb: (!args.research.no_climb).then(climb::Config::default),
        random: None,
        backward: None,
        lazy: None,
        checkpoints: None,
        is_last: false,
        scratch: Some(args.output.out.clone()),
        log: args.research.log_queries.as_deref().map(query_log).transpose()?,
    })
}

/// Paths that add no code are worth following to those only who ask for each of them.
fn ends_when_covered(args: &CoverArgs) -> bool {
    let joins_never = args.common.search.join.is_some_and(|join| join.0.is_none());
    let wants_each = args.suite.every_path || args.testing.partition.is_some() || joins_never;
    !wants_each
}

/// The modes of exploration other than the usual one. Those are for themselves: no concrete runs beside them.
fn explore_as(command: &CoverArgs, options: &mut Options) -> Result<(), Error> {
    let exploring = &command.exploring;
    let mode = match exploring.mode {
        // The baseline of DART is concolic testing with another idea of calls.
        Exploring::Forward if command.common.research.calls == Calls::Dart => Exploring::Concolic,
        mode => mode,
    };
    if exploring.simplify && mode != Exploring::Concolic {
        return Err(Error::Usage("--simplify is for --mode concolic".to_owned()));
    }
    if mode != Exploring::Forward && command.common.search.join.is_some() {
        return Err(Error::Usage("--join is for --mode forward; leave it out".to_owned()));
    }
    let names = [&exploring.abstracted, &exploring.no_abstract];
    if mode != Exploring::Lazy && (exploring.no_deeper || names.iter().any(|names| !names.is_empty())) {
        return Err(Error::Usage("--abstract, --no-abstract and --no-deeper are for --mode lazy".to_owned()));
    }
    if let Some(name) = exploring.abstracted.iter().find(|name| exploring.no_abstract.contains(name)) {
        return Err(Error::Usage(format!("`{name}` is in --abstract and in --no-abstract; it can be in one of them")));
    }
    if names.iter().any(|names| names.iter().any(String::is_empty)) {
        return Err(Error::Usage(
            "--abstract and --no-abstract take names of functions, and one of them is empty".to_owned(),
        ));
    }
    let search = &command.common.search;
    let ignored = [
        ("--search", search.search.is_some(), "which has an order of its own"),
        (
            "--max-depth",
            command.common.limits.max_depth.is_some(),
            "whose paths do not fork in calls; --max-steps and --max-loop bound them",
        ),
        ("--jobs", search.jobs > 1, "which works on one thread; leave it out"),
    ];
    if let (Exploring::Lazy, Some((flag, _, why))) = (mode, ignored.iter().find(|(_, is_given, _)| *is_given)) {
        return Err(Error::Usage(format!("{flag} is not for --mode lazy, {why}")));
    }
    match mode {
        Exploring::Forward => return Ok(()),
        Exploring::Lazy => {
            // Each path of the function under test is a test.
            options.forward.every_path = true;
            options.forward.ends_when_covered = false;
            options.forward.mode = forward::Mode::Lazy;
        }
        Exploring::Concolic => {
            options.forward.mode = forward::Mode::Concolic;
            options.forward.simplifies = exploring.simplify;
            if command.common.search.search.is_none() || command.common.research.calls == Calls::Dart {
                "dfs".clone_into(&mut options.search);
            }
        }
    }
    options.burst = None;
    options.climb = None;
    Ok(())
}

/// Writes each query into a file of its own.
fn query_log(folder: &Path) -> Result<Arc<QueryLog>, Error> {
    let failed = |source| Error::Write { path: folder.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let folder = folder.to_owned();
    Ok(Arc::new(move |worker, query: &LoggedQuery| {
        let name = format!("{worker}-{:06}-{}.smt2", query.number, query.verdict);
        // A log that cannot be written must not stop the search.
        let _ = std::fs::write(folder.join(name), &query.text);
    }))
}

fn path_limits(args: &LimitArgs) -> PathLimits {
    let usual = PathLimits::default();
    PathLimits {
        depth: args.max_depth,
        steps: args.max_steps,
        loops: args.max_loop,
        values: args.max_values.unwrap_or(usual.values),
    }
}

/// What arrives so soon after the first interrupt is the same one: some programs signal a process and its group.
const SAME_INTERRUPT: Duration = Duration::from_millis(500);

/// Set by the first Ctrl-C; the second one ends the process.
pub fn interrupt_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let setter = flag.clone();
    // Without a handler an interrupt ends the process, as everywhere.
    let mut first: Option<Instant> = None;
    let _ = ctrlc::set_handler(move || {
        let since_first = first.get_or_insert_with(Instant::now).elapsed();
        if setter.swap(true, Ordering::Relaxed) && since_first >= SAME_INTERRUPT {
            crate::progress::wipe();
            std::process::exit(130);
        }
    });
    flag
}

/// What is collected while the workers work.
struct Cover<'a> {
    setup: &'a CoverSetup,
    fingerprint: u64,
    out: &'a Path,
    /// Of the run that is resumed, and its files, which go away at the first checkpoint.
    earlier: Option<Header>,
    old_logs: Vec<PathBuf>,
    suite: Suite,
    replaying: Option<Replaying>,
    display: Display,
    findings: Findings,
    /// Uses of what was never written, in words.
    warnings: Vec<String>,
    mismatches: Vec<Mismatch>,
    /// Decision strings that do not fit the program.
    lost: Vec<Vec<u8>>,
    every_path: bool,
    /// Some path was given an input.
    has_inputs: bool,
    /// What went wrong with our own files; the search goes on, and the error is told at the end.
    error: Option<Error>,
}

impl<'a> Cover<'a> {
    fn new(args: &'a OutputArgs, every_path: bool, setup: &'a CoverSetup, suite: Suite) -> Cover<'a> {
        Cover {
            fingerprint: setup.fingerprint(),
            out: &args.out,
            earlier: None,
            old_logs: Vec::new(),
            replaying: (!args.no_replay).then(|| Replaying::start(setup.build())),
            display: Display::new(),
            findings: Findings::default(),
            suite,
            setup,
            every_path,
            warnings: setup.warnings.clone(),
            mismatches: Vec::new(),
            lost: Vec::new(),
            has_inputs: false,
            error: None,
        }
    }

    /// What an earlier run found counts as found, and its tests are replayed with the new ones: coverage is that of all.
    fn go_on(&mut self, earlier: Header) -> Result<(), Error> {
        self.findings.go_on(&earlier.findings, &earlier.unconfirmed);
        earlier.warnings.iter().for_each(|warning| self.warn(warning.clone()));
        self.setup.add_limits(&earlier.limits);
        self.setup.add_concretised(&earlier.concretised);
        earlier.assumed.iter().for_each(|function| self.setup.note_assumed(function.clone()));
        for (number, test) in self.suite.earlier()? {
            self.has_inputs |= !test.inputs.is_empty();
            if let Some(replaying) = &self.replaying {
                replaying.add(number, test);
            }
        }
        self.earlier = Some(earlier);
        Ok(())
    }

    /// What is known beside the paths.
    fn header(&self) -> Header {
        let setup = self.setup;
        let mut header = Header::new(self.fingerprint).with_command_of(self.earlier.as_ref());
        (header.findings, header.unconfirmed) = self.findings.so_far();
        header.warnings.clone_from(&self.warnings);
        // What was only running goes on.
        header.assumed = setup.assumed().into_iter().collect();
        header.concretised = setup.concretised().into_iter().collect();
        header.limits = setup.limits().into_iter().filter(|((.., what), _)| what != STOPPED).collect();
        header
    }

    /// Writes down how far the search is. Files that are not needed any more go away.
    fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), Error> {
        resume::save(self.out, &checkpoint.saved, &self.header())?;
        for path in self.old_logs.drain(..).chain(checkpoint.replaced.iter().cloned()) {
            let _ = std::fs::remove_file(path);
        }
        self.report(&checkpoint.progress, &checkpoint.saved.covered)
    }

    /// Writes the report of a run that goes on.
    fn report(&self, progress: &Progress, covered: &[Mark]) -> Result<(), Error> {
        let report = result::so_far(
            self.setup,
            progress,
            covered,
            (self.suite.written(), &self.findings.so_far().0, &self.warnings),
        );
        report_file::write(self.out, report_file::INTERRUPTED, report)
    }

    fn receive(&mut self, message: Message) {
        match message {
            Message::Event(Event::Path(report)) => {
                if let Err(error) = self.path(&report) {
                    self.error.get_or_insert(error);
                }
            }
            Message::Event(Event::NotConfirmed(ended)) => self.warn(crate::report::not_confirmed(&ended)),
            Message::Event(Event::Mismatch(mismatch)) => self.mismatches.push(mismatch),
            Message::Event(Event::Lost { decisions }) => self.lost.push(decisions),
            Message::Event(Event::Uninitialised(usage)) => {
                let warning = self.setup.uninitialised(&usage);
                self.warn(warning);
            }
            Message::Event(Event::UnwrittenTakenAsZero(_)) => {}
            Message::Event(Event::NotPure(warning)) => self.warn(warning),
            Message::Event(Event::AssumedToReturn(function)) => self.setup.note_assumed(function),
            Message::Event(Event::Concretised { function, loc }) => self.setup.note_concretised(&function, loc),
            Message::Checkpoint(checkpoint) => {
                if let Err(error) = self.checkpoint(&checkpoint) {
                    self.error.get_or_insert(error);
                }
            }
            Message::Tick(progress) => {
                let (tests, findings) = (self.suite.written(), self.findings.len());
                self.display.show(|| progress::words(&progress, tests, findings));
            }
        }
    }

    fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Keeps a test for a path that covers something new, or shows a bug that was not known.
    fn path(&mut self, report: &PathReport) -> Result<(), Error> {
        let class = report.ended.class();
        self.has_inputs |= !report.inputs.is_empty();
        if class == Class::Limit && !report.concrete {
            self.setup.note_limit(report);
        }
        let finding = (class == Class::Finding).then(|| self.setup.finding(report));
        let new_finding = finding.as_ref().is_some_and(|finding| self.findings.is_new(finding));
        if !(report.covers_new || new_finding || self.every_path && !report.is_extra && class != Class::Limit) {
            return Ok(());
        }
        let test = self.setup.test(report);
        let (written, is_new) = self.suite.write(&test)?;
        if let Some(finding) = finding {
            self.findings.add(finding, written.number, written.path.clone());
        }
        if let (true, Some(replaying)) = (is_new, &self.replaying) {
            replaying.add(written.number, test);
        }
        Ok(())
    }
}
