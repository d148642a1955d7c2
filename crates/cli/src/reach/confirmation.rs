//! Whether the real program executes a target on the inputs that were found: asked of its counters.

use std::time::Duration;

use symcrete_testcase::{Build, Coverage, Outcome, Replayer, TestCase};

use super::result::Shown;
use super::target::{Target, Wanted};
use crate::cover::replaying::Replayed;

/// What the real program did.
#[derive(Clone, Debug)]
pub enum Confirmation {
    /// It executed the target.
    Executed,
    /// It did not, or something else went wrong.
    Refuted(String),
    /// It could not be asked.
    NotAsked(String),
}

/// How long a program may run at first: most come to a target at once, and what they do behind it nobody waits for.
const FIRST_LOOK: Duration = Duration::from_secs(2);

/// The build for the first look.
pub fn hasty(mut build: Build) -> Build {
    build.limits.time = build.limits.time.min(FIRST_LOOK);
    build
}

/// What is known of a test that the engine says comes to the target. A run that is not seen to execute it, because it took too long or the
/// counters have other lines than the machine code, is repeated with more time, and counters for the lines of the machine code.
pub fn of_test(build: &Build, target: &Target, shown: &Shown, replayed: Option<&Replayed>) -> Confirmation {
    let Some(replayed) = replayed else { return Confirmation::NotAsked("--no-replay".to_owned()) };
    let diverged = replayed.diverged.iter().find(|(number, ..)| *number == shown.number);
    let is_line = matches!(target.wanted, Wanted::Line { .. });
    let count = replayed.coverage.as_ref().ok().and_then(|coverage| count(coverage, target));
    if is_line && count.is_some_and(|count| count > 0) {
        return Confirmation::Executed;
    }
    if let Some((_, reason)) = replayed.not_replayed.iter().find(|(not, _)| *not == shown.number) {
        return Confirmation::NotAsked(reason.clone());
    }
    if diverged.is_none() && !is_line {
        return match &replayed.coverage {
            Ok(_) => Confirmation::Executed,
            Err(reason) => Confirmation::NotAsked(not_counted(reason)),
        };
    }
    match super::result::read(&shown.path) {
        Some(test) => exactly(build, target, test),
        None => Confirmation::NotAsked(format!("{} cannot be read again", shown.path.display())),
    }
}

/// Runs the test on a build that counts lines of the machine code.
fn exactly(build: &Build, target: &Target, mut test: TestCase) -> Confirmation {
    if test.ends.kind == "unfinished" {
        // Such a test is given a moment only.
        test.ends.kind = "unknown".to_owned();
    }
    let replayer = match Replayer::new(Build { by_line: true, ..build.clone() }) {
        Ok(replayer) => replayer,
        Err(error) => return Confirmation::NotAsked(error.in_one_line()),
    };
    let outcome = replayer.run(&test).outcome;
    let counted = replayer.coverage();
    let is_line = matches!(target.wanted, Wanted::Line { .. });
    match (counted.as_ref().map(|coverage| count(coverage, target)), outcome) {
        (_, Outcome::NotReplayed { reason }) => Confirmation::NotAsked(reason),
        (Ok(Some(1..)), _) if is_line => Confirmation::Executed,
        (_, Outcome::Diverged { expected, got }) => Confirmation::Refuted(format!(
            "an input was found, but the real program does something else: expected {expected}, got {got}"
        )),
        (_, Outcome::Confirmed) if !is_line => Confirmation::Executed,
        (Ok(Some(_)), _) => {
            Confirmation::Refuted("an input was found, but the real program does not execute the line".to_owned())
        }
        (Ok(None), _) => Confirmation::NotAsked(not_counted("it counts nothing for this line")),
        (Err(reason), _) => Confirmation::NotAsked(not_counted(reason)),
    }
}

fn not_counted(reason: &str) -> String {
    format!("what it executes could not be counted: {reason}")
}

fn count(coverage: &Coverage, target: &Target) -> Option<u64> {
    coverage.count(&target.file, target.line)
}
