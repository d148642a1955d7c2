//! Search-based testing beside the symbolic search: climbs to sides of branches that no test takes. A concrete run tells how far its
//! branch was from going the other way; inputs are changed, and what comes nearer is kept. That finds what paths are too many to
//! enumerate and conditions too hard to solve: states that long computations build up.
//!
//! Climbs take turns with the symbolic search, fewer the less they come nearer to anything. Runs and instructions are counted, never
//! time, so that the same seed climbs the same way.

mod ascent;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use symcrete_exec::Class;
use symcrete_exec::distance::Side;
use symcrete_ir::{Block, EdgeId, Terminator};

use crate::drive::trials::Trials;
use crate::engines::engine::{Engine, Turn};
use crate::local_search::candidate::Candidate;
use crate::local_search::moves::Moves;
use crate::local_search::{constants, is_nearer};
use crate::path::packing::Unpacker;
use crate::path::strategy::Random;
use crate::report::Finder;
use crate::report::summary::Progress;
use crate::session::Session;
use crate::session::event::Event;
use ascent::{Ascent, RUN};

#[derive(Clone, Debug)]
pub struct Config {
    /// Instructions that one run may take. Default: 200,000.
    pub budget: u64,
    /// Runs that come no nearer before an attempt is given up. Default: 64.
    pub patience: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config { budget: 200_000, patience: 64 }
    }
}

/// Instructions that climbs may execute for what the symbolic search does: for a step of it, for a query that a decision procedure is
/// asked, and for one that it or all of them could not decide. That makes a few per cent of the time.
const FOR_STEP: u64 = 2;
const FOR_QUERY: u64 = 25;
const FOR_UNDECIDED: u64 = 50_000;
/// How much more than that they may execute where queries are not decided: at the beginning, and when they come nearer to something.
const HOPE: f64 = 8.0;
const MOST_HOPE: f64 = 32.0;
const HOPE_AFTER_SUCCESS: f64 = 1.5;
const HOPE_AFTER_FAILURE: f64 = 0.9;
/// What a turn needs at least, and what can be saved up.
const LEAST_ALLOWANCE: f64 = 100_000.0;
const MOST_ALLOWANCE: f64 = 4_000_000.0;
/// Inputs of tests that are remembered, and of these that are kept for each side.
const MOST_TESTS: usize = 64;
const MOST_NEAREST: usize = 4;
/// Tests that are run again where a new side can be climbed to.
const LATEST_TESTS: usize = 8;
/// Sides that are climbed to at a time.
const MOST_GOALS: usize = 1024;
/// Attempts of one turn, however well they go.
const MOST_ATTEMPTS: usize = 64;

pub struct Climb {
    config: Config,
    random: Random,
    moves: Option<Moves>,
    trials: Trials,
    /// Sides that a climb took first.
    reached: u64,
    /// Instructions that may be executed now, and how many times the usual is added to them.
    allowance: f64,
    hope: f64,
    /// Queries that decision procedures were asked and could not decide when the allowance was last raised.
    asked: u64,
    undecided: u64,
    /// Inputs of tests, the newest last; those from `measured` on were not run here so far.
    tests: Vec<Candidate>,
    measured: usize,
    goals: BTreeMap<Side, Goal>,
    /// Marks of the suite for which the goals were looked up.
    marks: u64,
}

/// A side that is to be taken.
#[derive(Default)]
struct Goal {
    /// The inputs that came nearest, and how near.
    nearest: Vec<(f64, Candidate)>,
    /// Attempts that did not come nearer, since one last did.
    failures: u32,
    attempts: u32,
}

impl Climb {
    pub fn new(config: Config, seed: u64) -> Climb {
        Climb {
            config,
            random: Random::new(seed ^ 0xC11B),
            moves: None,
            trials: Trials::of(Finder::Climb),
            reached: 0,
            allowance: 0.0,
            hope: HOPE,
            asked: 0,
            undecided: 0,
            tests: Vec::new(),
            measured: 0,
            goals: BTreeMap::new(),
            marks: 0,
        }
    }

    /// For what the symbolic search did since the last call.
    fn raise_allowance(&mut self, session: &Session) {
        let statistics = session.machine.chain.statistics();
        let asked = statistics.backends.iter().map(|backend| backend.queries).sum();
        // The first one is only to say quickly what is easy.
        let gave_up: u64 = statistics.backends.iter().skip(1).map(|backend| backend.unknown).sum();
        let undecided = statistics.unknown + gave_up;
        let usual = FOR_STEP + FOR_QUERY * (asked - self.asked);
        let hopeful = FOR_UNDECIDED * (undecided - self.undecided);
        (self.asked, self.undecided) = (asked, undecided);
        self.allowance = (self.allowance + usual as f64 + hopeful as f64 * self.hope).min(MOST_ALLOWANCE);
    }

    fn climb(&mut self, session: &mut Session, stop: &AtomicBool) {
        for _ in 0..MOST_ATTEMPTS {
            self.look_up_goals(session);
            self.measure_tests(session, stop);
            if self.allowance <= 0.0 || stop.load(Ordering::Relaxed) {
                return;
            }
            let Some(side) = self.choose() else {
                // There is nothing to save it for.
                self.allowance = 0.0;
                return;
            };
            let mut work = 0;
            let came_nearer = self.attempt(session, side, stop, &mut work);
            self.allowance -= work as f64;
            self.hope = match came_nearer {
                true => (self.hope * HOPE_AFTER_SUCCESS).min(MOST_HOPE),
                false => (self.hope * HOPE_AFTER_FAILURE).max(1.0),
            };
        }
    }

    /// The goal that was not tried for longest, where trying did not fail more often than elsewhere.
    fn choose(&self) -> Option<Side> {
        let open = self.goals.iter().filter(|(_, goal)| !goal.nearest.is_empty());
        open.min_by_key(|(_, goal)| (goal.failures, goal.attempts)).map(|(side, _)| *side)
    }

    /// Finds the sides that are not covered.
    fn look_up_goals(&mut self, session: &Session) {
        if self.marks == session.suite.covered.marks() {
            return;
        }
        self.marks = session.suite.covered.marks();
        let open = open_sides(session);
        self.goals.retain(|side, _| open.binary_search(side).is_ok());
        let known = self.goals.len();
        for side in open {
            self.goals.entry(side).or_default();
        }
        if self.goals.len() > known {
            self.measured = self.measured.min(self.tests.len().saturating_sub(LATEST_TESTS));
        }
    }

    /// Finds out how near new tests come to the sides that are not covered.
    fn measure_tests(&mut self, session: &mut Session, stop: &AtomicBool) {
        if self.tests.is_empty() {
            self.tests.extend((0..session.roots().len()).map(Candidate::unknown));
        }
        if self.measured == self.tests.len() || self.goals.is_empty() {
            return;
        }
        let surplus = self.tests.len().saturating_sub(MOST_TESTS);
        self.tests.drain(..surplus);
        self.measured = self.measured.saturating_sub(surplus);
        let sides: Vec<Side> = self.goals.keys().copied().collect();
        session.machine.executor.watch(&sides);
        while self.measured < self.tests.len() && self.allowance > 0.0 && !stop.load(Ordering::Relaxed) {
            let test = self.tests[self.measured].clone();
            self.measured += 1;
            let mut work = RUN;
            let supply = Rc::new(test.clone());
            let trial = self.trials.run(session, test.root, supply, self.config.budget, &mut work);
            self.allowance -= work as f64;
            let distances: Vec<f64> = session.machine.executor.take_distances().collect();
            let Some(trial) = trial else { continue };
            let given = test.given(&trial.state);
            if given.layout.variables.is_empty() {
                continue;
            }
            for (goal, distance) in self.goals.values_mut().zip(distances) {
                goal.add(distance, &given);
            }
        }
    }

    /// Changes inputs for a while to come nearer to a side; whether that succeeded.
    fn attempt(&mut self, session: &mut Session, side: Side, stop: &AtomicBool, work: &mut u64) -> bool {
        let Some(goal) = self.goals.get_mut(&side) else { return false };
        goal.attempts += 1;
        let other = self.random.one_of(&goal.nearest).1.clone();
        let moves = self
            .moves
            .get_or_insert_with(|| Moves::new(self.random.split(), constants(&session.machine.executor.image.program)));
        moves.forget();
        let begin = match goal.failures {
            0 => Begin::Nearest(0),
            _ => match self.random.below(3) {
                0 => Begin::Nearest(self.random.below(goal.nearest.len() as u64) as usize),
                1 => Begin::Elsewhere(moves.shake(&other)),
                _ => Begin::Elsewhere(self.random.one_of(&self.tests).clone()),
            },
        };
        session.machine.executor.watch(&[side]);
        let (distance, at) = match &begin {
            Begin::Nearest(number) => goal.nearest[*number].clone(),
            Begin::Elsewhere(at) => (f64::INFINITY, at.clone()),
        };
        let (budget, patience) = (self.config.budget, self.config.patience);
        let trials = &mut self.trials;
        let random = self.random.split();
        let (left, mark) = (patience, distance);
        let mut ascent = Ascent { session, trials, random, budget, work, stop, patience, left, distance, mark, at };
        if let Begin::Elsewhere(at) = &begin {
            ascent.run(at.clone());
        }
        if ascent.distance != f64::INFINITY {
            ascent.climb(moves, &other);
        }
        let (reached, at) = (ascent.distance, ascent.at);
        if reached == 0.0 {
            self.reached += 1;
            self.tests.push(at);
            self.goals.remove(&side);
            return true;
        }
        let nearer = is_nearer(reached, goal.nearest[0].0);
        if let Begin::Nearest(number) = begin {
            goal.nearest.remove(number);
        }
        goal.add(reached, &at);
        goal.failures = if nearer { 0 } else { goal.failures + 1 };
        nearer
    }
}

impl Engine for Climb {
    /// Climbs if it is time to.
    fn turn(&mut self, session: &mut Session) -> Turn {
        self.raise_allowance(session);
        if self.allowance >= LEAST_ALLOWANCE {
            let stop = session.stop.clone();
            self.climb(session, stop.flag());
            session.machine.executor.watch(&[]);
        }
        Turn::Idle
    }

    /// Hears of tests that others made.
    fn notify(&mut self, event: &Event) {
        let Event::Path(report) = event else { return };
        if report.ended.class() == Class::Finding {
            self.trials.learn_finding(&report.ended, &report.stack);
        }
        if report.covers_new {
            let root = Unpacker::new(&report.decisions).number().unwrap_or(0) as usize;
            let test = Candidate::of_test(root, &report.inputs);
            if self.tests.iter().all(|known| known.root != test.root || known.bytes != test.bytes) {
                self.tests.push(test);
            }
        }
    }

    fn progress(&self, progress: &mut Progress) {
        progress.concrete_runs += self.trials.runs;
        progress.climbed += self.reached;
    }
}

impl Goal {
    fn add(&mut self, distance: f64, given: &Candidate) {
        // Those that are about equally near are likely to be about the same.
        let is_like = |known: &f64| !is_nearer(distance, *known) && !is_nearer(*known, distance);
        if !distance.is_finite() || self.nearest.iter().any(|(known, _)| *known <= distance && is_like(known)) {
            return;
        }
        self.nearest.retain(|(known, _)| !is_like(known));
        let at = self.nearest.partition_point(|(known, _)| *known < distance);
        if at < MOST_NEAREST {
            self.nearest.insert(at, (distance, given.clone()));
            self.nearest.truncate(MOST_NEAREST);
        }
    }
}

/// From where a climb begins.
enum Begin {
    /// One of the nearest inputs.
    Nearest(usize),
    /// Inputs of which nothing is known.
    Elsewhere(Candidate),
}

/// The sides of branches of the program's own that no test takes, though tests come to the branch; in order.
fn open_sides(session: &Session) -> Vec<Side> {
    let (program, suite) = (&session.machine.executor.image.program, &session.suite.covered);
    let mut open = Vec::new();
    for (function, data) in program.functions.iter().filter(|(_, data)| !data.runtime) {
        let Some(body) = &data.body else { continue };
        let covered = suite.blocks(program, function);
        for (block, data) in body.blocks.iter().filter(|(block, _)| covered[block.as_u32() as usize]) {
            let edges: Vec<EdgeId> = match &data.terminator {
                Terminator::Branch { if_true, if_false, .. } => vec![*if_true, *if_false],
                Terminator::Switch { table, .. } => {
                    let table = &body.switches[*table];
                    table.cases.iter().map(|case| case.1).chain([table.default]).collect()
                }
                _ => continue,
            };
            // Cases of a switch that lead to the same place are one side.
            let target = |edge: EdgeId| body.edges[edge].target;
            let taken = edges.iter().filter(|edge| suite.taken(function, **edge));
            let mut targets: Vec<Block> = taken.map(|edge| target(*edge)).collect();
            for edge in edges {
                if !targets.contains(&target(edge)) {
                    targets.push(target(edge));
                    open.push(Side { function, block, edge });
                }
            }
        }
    }
    open.sort_unstable();
    open.truncate(MOST_GOALS);
    open
}
