//! Native replay beside the search: a thread compiles the program once and runs each test as it comes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use symcrete_testcase::{Build, Coverage, Outcome, Replayer, TestCase};

use super::tests::Suite;

pub struct Replaying {
    sender: Sender<(usize, TestCase)>,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Done>,
}

/// What the thread found out.
struct Done {
    tests: Vec<(usize, TestCase, Outcome)>,
    coverage: Result<Coverage, String>,
}

/// All tests, replayed.
pub struct Replayed {
    pub confirmed: usize,
    /// Numbers of tests that did something else, with what was expected and what came.
    pub diverged: Vec<(usize, String, String)>,
    /// Numbers of tests that could not be replayed, and why.
    pub not_replayed: Vec<(usize, String)>,
    pub coverage: Result<Coverage, String>,
    pub errors: Vec<String>,
}

impl Replaying {
    pub fn start(mut build: Build) -> Replaying {
        let (sender, tests) = mpsc::channel::<(usize, TestCase)>();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        build.stop = stop.clone();
        let thread = std::thread::spawn(move || {
            let replayer = Replayer::new(build).map_err(|error| error.in_one_line());
            let mut done = Vec::new();
            for (number, test) in tests {
                let outcome = match &replayer {
                    _ if stopped.load(Ordering::Relaxed) => {
                        Outcome::not_replayed("there was no time left; `symcrete replay` does that")
                    }
                    Ok(replayer) => replayer.run(&test).outcome,
                    Err(error) => Outcome::not_replayed(error.clone()),
                };
                done.push((number, test, outcome));
            }
            let coverage = replayer.and_then(|replayer| replayer.coverage());
            Done { tests: done, coverage }
        });
        Replaying { sender, stop, thread }
    }

    pub fn add(&self, number: usize, test: TestCase) {
        // The thread ends only when nothing more can come.
        let _ = self.sender.send((number, test));
    }

    /// Waits for the rest; after an interrupt, or when the patience is at its end, not for long.
    pub fn finish(self, suite: &mut Suite, interrupt: &AtomicBool, patience: Option<Duration>) -> Replayed {
        drop(self.sender);
        let began = Instant::now();
        while !self.thread.is_finished() {
            if interrupt.load(Ordering::Relaxed) || patience.is_some_and(|patience| began.elapsed() >= patience) {
                self.stop.store(true, Ordering::Relaxed);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let mut replayed = Replayed {
            confirmed: 0,
            diverged: Vec::new(),
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
                    replayed.confirmed += 1;
                    test.replayed = Some(true);
                }
                Outcome::Diverged { expected, got } => {
                    test.replayed = Some(false);
                    test.reason = Some(format!("expected {expected}, got {got}"));
                    replayed.diverged.push((number, expected, got));
                }
                Outcome::NotReplayed { reason } => {
                    test.replayed = Some(false);
                    test.reason = Some(reason.clone());
                    replayed.not_replayed.push((number, reason));
                }
            }
            if let Err(error) = suite.settle(number, &test, diverged) {
                replayed.errors.push(error.to_string());
            }
        }
        replayed
    }
}
