//! One climb from one place: moves, of which those are kept that come nearer.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::drive::trials::Trials;
use crate::local_search::candidate::Candidate;
use crate::local_search::is_nearer;
use crate::local_search::moves::{Move, Moves};
use crate::path::strategy::Random;
use crate::session::Session;

/// What beginning and ending a run costs, in instructions.
pub const RUN: u64 = 1_000;
/// So many instructions use up patience like a run.
const LONG_RUN: u64 = 20_000;
/// One of so many runs that are as near as before is where the climb goes on.
const SIDEWAYS: u64 = 8;

/// A climb from one place.
pub struct Ascent<'a> {
    pub session: &'a mut Session,
    pub trials: &'a mut Trials,
    pub random: Random,
    pub budget: u64,
    pub work: &'a mut u64,
    pub stop: &'a AtomicBool,
    pub patience: u64,
    /// What is left of it.
    pub left: u64,
    pub distance: f64,
    /// What is nearer than this gives new patience.
    pub mark: f64,
    pub at: Candidate,
}

impl Ascent<'_> {
    fn is_over(&self) -> bool {
        self.left == 0 || self.distance == 0.0 || self.stop.load(Ordering::Relaxed)
    }

    pub fn climb(&mut self, moves: &mut Moves, other: &Candidate) {
        while !self.is_over() {
            let made = moves.propose(&self.at, other);
            let before = self.distance;
            let distance = self.try_bytes(made.apply(&self.at, 1.0));
            if distance != before {
                moves.learn(&made);
            }
            if distance < before && matches!(made, Move::Direction(_)) {
                self.go_on(&made);
            }
        }
    }

    /// Goes twice as far, as long as that helps.
    fn go_on(&mut self, made: &Move) {
        let mut times = 2.0;
        while !self.is_over() {
            let before = self.distance;
            let distance = self.try_bytes(made.apply(&self.at, times));
            if distance >= before {
                return;
            }
            times *= 2.0;
        }
    }

    /// How near a run with these inputs comes. If that is not farther than before, they are where the climb goes on.
    fn try_bytes(&mut self, bytes: Vec<u8>) -> f64 {
        self.left = self.left.saturating_sub(1);
        if bytes[..] == self.at.bytes[..] {
            return self.distance;
        }
        self.run(self.at.with(bytes))
    }

    pub fn run(&mut self, given: Candidate) -> f64 {
        let before = *self.work;
        *self.work += RUN;
        let supply = Rc::new(given.clone());
        let trial = self.trials.run(self.session, given.root, supply, self.budget, self.work);
        self.left = self.left.saturating_sub((*self.work - before) / LONG_RUN);
        let measured = self.session.machine.executor.take_distances().next();
        let Some((trial, distance)) = trial.zip(measured) else { return f64::INFINITY };
        if distance < self.distance || distance == self.distance && self.random.once_in(SIDEWAYS) {
            let at = given.given(&trial.state);
            if !at.layout.variables.is_empty() {
                (self.distance, self.at) = (distance, at);
            }
        }
        if is_nearer(self.distance, self.mark) {
            self.mark = self.distance;
            self.left = self.patience;
        }
        distance
    }
}
