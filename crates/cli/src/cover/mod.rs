//! `symcrete cover`: a test suite that covers the program. Exploration runs on threads of its own, native replay on another; here they
//! are set up, watched, and brought together in a result.

mod partition;
mod progress;
mod replaying;
mod result;
mod setup;
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use symcrete_exec::Class;
use symcrete_explore::burst;
use symcrete_explore::forward::{self, Event};
use symcrete_explore::report::{Mismatch, PathReport};
use symcrete_explore::strategy;
use symcrete_explore::workers::{self, Message, Options};
use symcrete_testcase::Finding;

use crate::args::CoverArgs;
use crate::error::Error;
use progress::Display;
use replaying::Replaying;
use result::CoverResult;
use setup::CoverSetup;
use tests::Suite;

/// Covers; the exit status is 0 if all is well, 1 if the program has bugs, 130 after an interrupt.
pub fn run(args: &CoverArgs) -> Result<u8, Error> {
    if args.search == "help" {
        print!("{}", result::strategies());
        return Ok(0);
    }
    strategy::parse(&args.search, args.seed)?;
    let suite = Suite::new(args)?;
    let began = Instant::now();
    let setup = CoverSetup::new(args)?;
    let compile_time = began.elapsed();
    let interrupt = interrupt_flag();
    let mut cover = Cover {
        replaying: (!args.no_replay).then(|| Replaying::start(setup.build())),
        display: Display::new(args.json),
        findings: Vec::new(),
        seen: Default::default(),
        suite,
        setup: &setup,
        every_path: args.every_path,
        warnings: Vec::new(),
        mismatches: Vec::new(),
        lost: Vec::new(),
        error: None,
    };
    let summary = workers::explore(&setup, &options(args)?, &interrupt, None, |message| cover.receive(message));
    cover.display.clear();
    let explored = Instant::now();
    let replayed = cover.replaying.take().map(|replaying| replaying.finish(&mut cover.suite, &interrupt));
    if let Some(error) = cover.error.take() {
        return Err(error);
    }
    if let Some(path) = &args.partition {
        partition::write(path, summary.partition.as_ref())?;
    }
    let result = CoverResult {
        compile_time,
        replay_time: explored.elapsed(),
        tests: cover.suite.written(),
        findings: cover.findings,
        warnings: cover.warnings,
        mismatches: cover.mismatches,
        lost: cover.lost,
        replayed,
        summary,
        setup: &setup,
        out: &args.out,
    };
    result.print(args.json, args.stats);
    Ok(result.status())
}

fn options(args: &CoverArgs) -> Result<Options, Error> {
    let seconds = |seconds: f64| {
        Duration::try_from_secs_f64(seconds).map_err(|_| Error::Usage(format!("--time {seconds} is not a time")))
    };
    Ok(Options {
        jobs: args.jobs.max(1),
        search: args.search.clone(),
        seed: args.seed,
        time: args.time.map(seconds).transpose()?,
        steps: args.budget_steps,
        forward: forward::Config {
            depth_limit: args.max_depth,
            every_path: args.every_path,
            memory: (args.memory as usize).saturating_mul(1 << 20) / args.jobs.max(1),
            keep_conditions: args.partition.is_some(),
            ..forward::Config::default()
        },
        solver: symcrete_solver::Config { solver: args.solver, ..symcrete_solver::Config::default() },
        burst: (!args.no_burst).then(burst::Config::default),
        scratch: Some(args.out.clone()),
    })
}

/// Set by the first Ctrl-C; the second one ends the process.
fn interrupt_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let setter = flag.clone();
    // Without a handler an interrupt ends the process, as everywhere.
    let _ = ctrlc::set_handler(move || {
        if setter.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    flag
}

/// What is collected while the workers work.
struct Cover<'a> {
    setup: &'a CoverSetup,
    suite: Suite,
    replaying: Option<Replaying>,
    display: Display,
    findings: Vec<Finding>,
    seen: symcrete_testcase::finding::Seen,
    /// Uses of what was never written, in words.
    warnings: Vec<String>,
    mismatches: Vec<Mismatch>,
    /// Decision strings that do not fit the program.
    lost: Vec<Vec<u8>>,
    every_path: bool,
    /// What went wrong with our own files; the search goes on, and the error is told at the end.
    error: Option<Error>,
}

impl Cover<'_> {
    fn receive(&mut self, message: Message) {
        match message {
            Message::Event(Event::Path(report)) => {
                if let Err(error) = self.path(&report) {
                    self.error.get_or_insert(error);
                }
            }
            Message::Event(Event::Mismatch(mismatch)) => self.mismatches.push(mismatch),
            Message::Event(Event::Lost { decisions }) => self.lost.push(decisions),
            Message::Event(Event::Uninitialised(usage)) => self.warnings.push(self.setup.uninitialised(&usage)),
            Message::Tick(progress) => self.display.show(&progress, self.suite.written(), self.findings.len()),
        }
    }

    /// Keeps a test for a path that covers something new, or shows a bug that was not known.
    fn path(&mut self, report: &PathReport) -> Result<(), Error> {
        let class = report.ended.class();
        if class == Class::Limit {
            self.setup.note_limit(report);
            if !report.covers_new {
                return Ok(());
            }
        }
        let mut finding = (class == Class::Finding).then(|| self.setup.finding(report));
        let new_finding = finding.as_ref().is_some_and(|finding| self.seen.is_new(finding));
        if !(report.covers_new || new_finding || self.every_path && !report.concrete) {
            return Ok(());
        }
        let test = self.setup.test(report);
        let written = self.suite.write(&test)?;
        if let (true, Some(mut finding)) = (new_finding, finding.take()) {
            finding.test = Some(written.path.clone());
            self.findings.push(finding);
        }
        if let Some(replaying) = &self.replaying {
            replaying.add(written.number, test);
        }
        Ok(())
    }
}
