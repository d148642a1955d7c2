//! Native replay beside the search: a thread compiles the program once and runs each test as it comes.

use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use symcrete_testcase::{Build, Coverage, Outcome, Replayer, TestCase};

use super::tests::Suite;
use crate::progress::Display;
use crate::report::plural;

pub struct Replaying {
    sender: Sender<(usize, TestCase)>,
    stop: Arc<AtomicBool>,
    /// How many tests were given to the thread, and how many it is done with.
    given: AtomicUsize,
    done: Arc<AtomicUsize>,
    thread: JoinHandle<Done>,
}

/// What the thread found out.
struct Done {
    tests: Vec<(usize, TestCase, Outcome)>,
    coverage: Result<Coverage, String>,
}

/// All tests, replayed.
pub struct Replayed {
    /// Numbers of tests that did what they claim.
    pub confirmed: BTreeSet<usize>,
    /// Numbers of tests that did something else, with what was expected and what came.
    pub diverged: Vec<(usize, String, String)>,
    /// Where those lie that were set apart.
    pub apart: Vec<(usize, PathBuf)>,
    /// Numbers of tests that could not be replayed, and why.
    pub not_replayed: Vec<(usize, String)>,
    pub coverage: Result<Coverage, String>,
    pub errors: Vec<String>,
}

/// What replay says of one test.
pub enum Fate {
    Confirmed,
    Diverged {
        reason: String,
        /// Where the test lies now.
        moved: Option<PathBuf>,
    },
    NotReplayed(String),
}

impl Replayed {
    pub fn fate(&self, number: usize) -> Fate {
        if self.confirmed.contains(&number) {
            return Fate::Confirmed;
        }
        if let Some((_, expected, got)) = self.diverged.iter().find(|(diverged, ..)| *diverged == number) {
            let moved = self.apart.iter().find(|(apart, _)| *apart == number).map(|(_, path)| path.clone());
            return Fate::Diverged { reason: format!("expected {expected}, got {got}"), moved };
        }
        let not = self.not_replayed.iter().find(|(not, _)| *not == number);
        Fate::NotReplayed(not.map_or("the replay broke down".to_owned(), |(_, reason)| reason.clone()))
    }
}

/// Why tests are left over when the replay is stopped.
pub const TIME_IS_UP: &str = "the replay time was up";
const INTERRUPTED: &str = "the replay was interrupted";

/// A bug: its kind and its place.
type Bug = (String, Option<String>, Option<u32>);

fn bug(test: &TestCase) -> Option<Bug> {
    let ends = &test.ends;
    (!ends.is_normal()).then(|| (ends.kind.clone(), ends.file.clone(), ends.line))
}

/// The next test, in case that the time is short: one for each bug first, then those that cover what no other does.
fn next(
    tests: &Receiver<(usize, TestCase)>,
    waiting: &mut VecDeque<(usize, TestCase)>,
    shown: &mut BTreeSet<Bug>,
) -> Option<(usize, TestCase)> {
    if waiting.is_empty() {
        waiting.extend(tests.recv().ok());
    }
    waiting.extend(tests.try_iter());
    let shows_more = |(_, test): &(usize, TestCase)| bug(test).is_some_and(|bug| !shown.contains(&bug));
    let covers_more = |(_, test): &(usize, TestCase)| !test.covers.is_empty();
    let urgent = waiting.iter().position(shows_more).or_else(|| waiting.iter().position(covers_more));
    let next = waiting.remove(urgent.unwrap_or(0))?;
    shown.extend(bug(&next.1));
    Some(next)
}

impl Replaying {
    pub fn start(mut build: Build) -> Replaying {
        let (sender, tests) = mpsc::channel::<(usize, TestCase)>();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let done_count = Arc::new(AtomicUsize::new(0));
        let counter = done_count.clone();
        build.stop = stop.clone();
        let thread = std::thread::spawn(move || {
            let replayer = Replayer::new(build).map_err(|error| error.in_one_line());
            let mut done = Vec::new();
            let (mut waiting, mut shown) = (VecDeque::new(), BTreeSet::new());
            while let Some((number, test)) = next(&tests, &mut waiting, &mut shown) {
                let outcome = match &replayer {
                    Err(error) => Outcome::not_replayed(error.clone()),
                    Ok(_) if stopped.load(Ordering::Relaxed) => Outcome::not_replayed(TIME_IS_UP),
                    Ok(replayer) => match replayer.run(&test).outcome {
                        // It was broken off.
                        Outcome::NotReplayed { .. } if stopped.load(Ordering::Relaxed) => {
                            Outcome::not_replayed(TIME_IS_UP)
                        }
                        outcome => outcome,
                    },
                };
                done.push((number, test, outcome));
                counter.fetch_add(1, Ordering::Relaxed);
            }
            done.sort_by_key(|(number, ..)| *number);
            let coverage = replayer.and_then(|replayer| replayer.coverage());
            Done { tests: done, coverage }
        });
        Replaying { sender, stop, given: AtomicUsize::new(0), done: done_count, thread }
    }

    pub fn add(&self, number: usize, test: TestCase) {
        self.given.fetch_add(1, Ordering::Relaxed);
        // The thread ends only when nothing more can come.
        let _ = self.sender.send((number, test));
    }

    /// Waits for the rest; after an interrupt, or when the patience is at its end, not for long.
    pub fn finish(
        self,
        suite: &mut Suite,
        interrupt: &AtomicBool,
        patience: Option<Duration>,
        display: &mut Display,
    ) -> Replayed {
        drop(self.sender);
        let given = self.given.into_inner();
        let began = Instant::now();
        while !self.thread.is_finished() {
            if interrupt.load(Ordering::Relaxed) || patience.is_some_and(|patience| began.elapsed() >= patience) {
                self.stop.store(true, Ordering::Relaxed);
            }
            let done = self.done.load(Ordering::Relaxed);
            display.show(|| format!("{done} of {given} test{} run natively", plural(given)));
            std::thread::sleep(Duration::from_millis(2));
        }
        display.clear();
        let mut replayed = Replayed {
            confirmed: BTreeSet::new(),
            diverged: Vec::new(),
            apart: Vec::new(),
            not_replayed: Vec::new(),
            coverage: Err("the replay broke down".to_owned()),
            errors: Vec::new(),
        };
        let Ok(done) = self.thread.join() else { return replayed };
        replayed.coverage = done.coverage;
        for (number, mut test, outcome) in done.tests {
            let diverged = matches!(outcome, Outcome::Diverged { .. });
            match outcome {
                Outcome::Confirmed => {
                    replayed.confirmed.insert(number);
                    test.replayed = Some(true);
                }
                Outcome::Diverged { expected, got } => {
                    test.replayed = Some(false);
                    test.reason = Some(format!("expected {expected}, got {got}"));
                    replayed.diverged.push((number, expected, got));
                }
                Outcome::NotReplayed { mut reason } => {
                    if reason == TIME_IS_UP && interrupt.load(Ordering::Relaxed) {
                        reason = INTERRUPTED.to_owned();
                    }
                    test.replayed = Some(false);
                    test.reason = Some(reason.clone());
                    replayed.not_replayed.push((number, reason));
                }
            }
            match suite.settle(number, &test, diverged) {
                Ok(moved) => replayed.apart.extend(moved.map(|path| (number, path))),
                Err(error) => replayed.errors.push(error.to_string()),
            }
        }
        replayed
    }
}
