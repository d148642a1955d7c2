//! What takes long, or never ends: paths that go round a loop must not keep others from being looked at, and take memory only for what is new on
//! them. What they do counts as questions to the solver, of which a round allows so many for one abstract path. What takes more comes
//! again in the next round.

use super::Lazy;
use crate::path::Path;
use crate::session::Session;

/// Instructions that count as one question; a place where inputs decide counts as so many instructions.
const QUESTION: u64 = 100_000;
const DECISION: u64 = 64;

/// The part of what is allowed for an abstract path that one of its pieces may take, and what it may take at least.
const PART: u64 = 10;
const LEAST: u64 = 100;

/// Paths that are remembered to be told, if nothing comes of them.
const MOST_TOLD: usize = 16;

/// What a path does on its way.
pub struct Way {
    /// In instructions, and how many questions were charged for these.
    done: u64,
    charged: u64,
    /// What was spent when it began.
    before: u64,
}

impl Way {
    pub fn new(lazy: &Lazy) -> Way {
        Way { done: 0, charged: 0, before: lazy.spent }
    }

    /// It came to a place where somebody decides, behind some instructions.
    pub fn add(&mut self, lazy: &mut Lazy, steps: u64) {
        self.done += steps + DECISION;
        let questions = self.done / QUESTION;
        lazy.spent += questions - self.charged;
        self.charged = questions;
    }

    /// Whether it took more than is allowed for a piece: others come first.
    pub fn is_long(&self, lazy: &Lazy) -> bool {
        lazy.spent.saturating_sub(self.before) > LEAST.max(lazy.allowance / PART)
    }
}

impl Lazy {
    /// A path takes long. Of those that stand in one function, the last one is remembered.
    pub fn note_long(&mut self, session: &Session, path: &Path) {
        let places = path.state.places(&session.machine.executor.image);
        let Some((function, ..)) = places.into_iter().next() else { return };
        match self.long.iter().position(|(other, _)| *other == function) {
            Some(at) => self.long[at].1 = path.clone(),
            None if self.long.len() < MOST_TOLD => self.long.push((function, path.clone())),
            None => {}
        }
    }

    /// At the end: tells of paths that had not come to theirs, as where a call never returns, if no test executes what they do.
    pub fn report_unfinished(&mut self, session: &mut Session) {
        const MOST_STEPS: u64 = 20_000_000;
        let mut left = MOST_STEPS;
        for (_, path) in std::mem::take(&mut self.long) {
            let budget = path.state.steps.min(left);
            left -= budget;
            session.report_running(&path, budget);
        }
    }
}
