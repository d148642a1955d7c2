//! Search-based testing beside the symbolic search: climbs to sides of branches that no test takes. A concrete run tells how far its
//! branch was from going the other way; inputs are changed, and what comes nearer is kept. That finds what paths are too many to
//! enumerate and conditions too hard to solve: states that long computations build up.
//!
//! Climbs take turns with the symbolic search, fewer the less they come nearer to anything. Runs and instructions are counted, never
//! time, so that the same seed climbs the same way.

mod moves;
mod trial;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use symcrete_exec::Class;
use symcrete_exec::distance::Side;
use symcrete_ir::{Block, Constant, EdgeId, Program, Terminator};

use crate::forward::{Event, Explorer};
use crate::packing::Unpacker;
use crate::strategy::Random;
use moves::{Move, Moves};
use trial::{Candidate, Trials};

#[derive(Clone, Debug)]
pub struct Config {
    /// Instructions that one run may take. Default: 200,000.
    pub budget: u64,
    /// Runs of one attempt to come nearer. Default: 100.
    pub attempt: u64,
    /// Instructions that a turn may take as long as it comes nearer to nothing; a run counts as some of itself. Default: 500,000.
    pub turn: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config { budget: 200_000, attempt: 100, turn: 500_000 }
    }
}

/// What beginning and ending a run costs, in instructions.
const RUN: u64 = 1_000;
/// Steps of the symbolic search before the first turn, and after one that came nearer to something.
const SHORTEST_PAUSE: u64 = 16;
/// After this many steps between turns that came nearer to nothing, there are no more turns.
const LONGEST_PAUSE: u64 = 1 << 20;
/// A query that nobody could decide took as long as this many steps.
const UNDECIDED: u64 = 32;
/// Inputs of tests that are remembered, and of these that are kept for each side.
const MOST_TESTS: usize = 64;
const MOST_NEAREST: usize = 4;
/// Sides that are climbed to at a time.
const MOST_GOALS: usize = 1024;
/// An attempt that leaves more than this part of the distance did not come nearer.
const NEARER: f64 = 0.99;
/// Attempts of one turn, however well they go.
const MOST_ATTEMPTS: usize = 1000;

pub struct Climb {
    config: Config,
    random: Random,
    moves: Option<Moves>,
    trials: Trials,
    reached: u64,
    /// Steps of the symbolic search until the next turn, and how many there will be until the one after it.
    wait: u64,
    pause: u64,
    /// Undecided queries that were counted as steps.
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
            trials: Trials::default(),
            reached: 0,
            wait: SHORTEST_PAUSE,
            pause: SHORTEST_PAUSE,
            undecided: 0,
            tests: Vec::new(),
            measured: 0,
            goals: BTreeMap::new(),
            marks: 0,
        }
    }

    pub fn runs(&self) -> u64 {
        self.trials.runs
    }

    /// Sides that a climb took first.
    pub fn reached(&self) -> u64 {
        self.reached
    }

    /// Hears of tests that others made.
    pub fn learn(&mut self, event: &Event) {
        let Event::Path(report) = event else { return };
        if report.ended.class() == Class::Finding {
            self.trials.learn_finding(&report.ended, &report.stack);
        }
        if report.covers_new {
            let root = Unpacker::new(&report.decisions).number().unwrap_or(0) as usize;
            self.tests.push(Candidate::of_test(root, &report.inputs));
        }
    }

    /// Climbs if it is time to.
    pub fn turn(&mut self, explorer: &mut Explorer, stop: &AtomicBool) {
        let undecided = explorer.chain.statistics().unknown;
        let passed = 1 + UNDECIDED * (undecided - self.undecided);
        self.undecided = undecided;
        self.wait = self.wait.saturating_sub(passed);
        if self.wait > 0 || self.pause > LONGEST_PAUSE {
            return;
        }
        let nearer = self.climb(explorer, stop);
        explorer.executor.watch(&[]);
        self.pause = if nearer { SHORTEST_PAUSE } else { self.pause * 2 };
        self.wait = self.pause;
    }

    /// One turn; whether it came nearer to something.
    fn climb(&mut self, explorer: &mut Explorer, stop: &AtomicBool) -> bool {
        let mut nearer = false;
        let mut work = 0;
        for _ in 0..MOST_ATTEMPTS {
            self.look_up_goals(explorer, stop, &mut work);
            let Some(side) = self.choose() else { break };
            let came_nearer = self.attempt(explorer, side, stop, &mut work);
            if came_nearer {
                nearer = true;
                work = 0;
            }
            if work > self.config.turn || stop.load(Ordering::Relaxed) {
                break;
            }
        }
        nearer
    }

    /// The goal that was not tried for longest, where trying did not fail more often than elsewhere.
    fn choose(&self) -> Option<Side> {
        let open = self.goals.iter().filter(|(_, goal)| !goal.nearest.is_empty());
        open.min_by_key(|(_, goal)| (goal.failures, goal.attempts)).map(|(side, _)| *side)
    }

    /// Finds the sides that are not covered, and how near tests come to them.
    fn look_up_goals(&mut self, explorer: &mut Explorer, stop: &AtomicBool, work: &mut u64) {
        if self.marks != explorer.suite.marks() {
            self.marks = explorer.suite.marks();
            let open = open_sides(explorer);
            self.goals.retain(|side, _| open.binary_search(side).is_ok());
            let known = self.goals.len();
            for side in open {
                self.goals.entry(side).or_default();
            }
            if self.goals.len() > known {
                self.measured = 0;
            }
        }
        if self.tests.is_empty() {
            self.tests.extend((0..explorer.roots().len()).map(Candidate::unknown));
        }
        if self.measured == self.tests.len() {
            return;
        }
        let surplus = self.tests.len().saturating_sub(MOST_TESTS);
        self.tests.drain(..surplus);
        self.measured = self.measured.saturating_sub(surplus);
        let sides: Vec<Side> = self.goals.keys().copied().collect();
        explorer.executor.watch(&sides);
        while self.measured < self.tests.len() && !stop.load(Ordering::Relaxed) {
            let test = self.tests[self.measured].clone();
            self.measured += 1;
            *work += RUN;
            let trial = self.trials.run(explorer, &test, self.config.budget, work);
            let distances: Vec<f64> = explorer.executor.take_distances().collect();
            let Some(trial) = trial else { continue };
            let given = Candidate::of_run(test.root, &trial.state);
            if given.layout.variables.is_empty() {
                continue;
            }
            for (goal, distance) in self.goals.values_mut().zip(distances) {
                goal.add(distance, &given);
            }
        }
    }

    /// Changes inputs for a while to come nearer to a side; whether that succeeded.
    fn attempt(&mut self, explorer: &mut Explorer, side: Side, stop: &AtomicBool, work: &mut u64) -> bool {
        let Some(goal) = self.goals.get_mut(&side) else { return false };
        goal.attempts += 1;
        let start = match goal.failures {
            0 => 0,
            _ => self.random.below(goal.nearest.len() as u64) as usize,
        };
        let other = self.random.one_of(&goal.nearest).1.clone();
        let is_shaken = goal.failures > 1 && self.random.once_in(2);
        let moves = self.moves.get_or_insert_with(|| {
            Moves::new(self.random.split(), constants(&explorer.executor.image.program))
        });
        moves.forget();
        explorer.executor.watch(&[side]);
        let (distance, from) = goal.nearest[start].clone();
        let mut ascent = Ascent {
            explorer,
            trials: &mut self.trials,
            budget: self.config.budget,
            work,
            stop,
            runs: self.config.attempt,
            distance,
            at: from,
        };
        if is_shaken {
            ascent.shake(moves);
        }
        ascent.climb(moves, &other);
        let (reached, at) = (ascent.distance, ascent.at);
        if reached == 0.0 {
            self.reached += 1;
            self.tests.push(at);
            self.goals.remove(&side);
            return true;
        }
        let nearer = reached < distance * NEARER && reached < goal.nearest[0].0 * NEARER;
        if reached <= distance {
            goal.nearest[start] = (reached, at);
            goal.nearest.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        goal.failures = if nearer { 0 } else { goal.failures + 1 };
        nearer
    }
}

impl Goal {
    fn add(&mut self, distance: f64, given: &Candidate) {
        if !distance.is_finite() || self.nearest.iter().any(|(known, _)| *known == distance) {
            return;
        }
        let at = self.nearest.partition_point(|(known, _)| *known < distance);
        if at < MOST_NEAREST {
            self.nearest.insert(at, (distance, given.clone()));
            self.nearest.truncate(MOST_NEAREST);
        }
    }
}

/// A climb from one place.
struct Ascent<'a> {
    explorer: &'a mut Explorer,
    trials: &'a mut Trials,
    budget: u64,
    work: &'a mut u64,
    stop: &'a AtomicBool,
    /// How many are left.
    runs: u64,
    distance: f64,
    at: Candidate,
}

impl Ascent<'_> {
    fn is_over(&self) -> bool {
        self.runs == 0 || self.distance == 0.0 || self.stop.load(Ordering::Relaxed)
    }

    fn climb(&mut self, moves: &mut Moves, other: &Candidate) {
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
            if distance.is_nan() || distance >= before {
                return;
            }
            times *= 2.0;
        }
    }

    /// Begins elsewhere, if the branch is executed there as well.
    fn shake(&mut self, moves: &mut Moves) {
        let distance = std::mem::replace(&mut self.distance, f64::MAX);
        let at = self.at.clone();
        let shaken = moves.shake(&at);
        if self.try_bytes(shaken.bytes.to_vec()) == f64::INFINITY {
            (self.distance, self.at) = (distance, at);
        }
    }

    /// How near a run with these inputs comes. If that is not farther than before, they are where the climb goes on.
    fn try_bytes(&mut self, bytes: Vec<u8>) -> f64 {
        if bytes[..] == self.at.bytes[..] {
            self.runs -= 1;
            return self.distance;
        }
        self.runs -= 1;
        *self.work += RUN;
        let given = self.at.with(bytes);
        let trial = self.trials.run(self.explorer, &given, self.budget, self.work);
        let measured = self.explorer.executor.take_distances().next();
        let Some((trial, distance)) = trial.zip(measured) else { return f64::INFINITY };
        if distance <= self.distance {
            let at = Candidate::of_run(self.at.root, &trial.state);
            if !at.layout.variables.is_empty() {
                (self.distance, self.at) = (distance, at);
            }
        }
        distance
    }
}

/// The sides of branches of the program's own that no test takes, though tests come to the branch; in order.
fn open_sides(explorer: &Explorer) -> Vec<Side> {
    let program = &explorer.executor.image.program;
    let mut open = Vec::new();
    for (function, data) in program.functions.iter().filter(|(_, data)| !data.runtime) {
        let Some(body) = &data.body else { continue };
        if !explorer.suite.entered(function) {
            continue;
        }
        let covered = explorer.suite.blocks(program, function);
        for (block, data) in body.blocks.iter() {
            let edges: Vec<EdgeId> = match &data.terminator {
                Terminator::Branch { if_true, if_false, .. } => vec![*if_true, *if_false],
                Terminator::Switch { table, .. } => {
                    let table = &body.switches[*table];
                    table.cases.iter().map(|case| case.1).chain([table.default]).collect()
                }
                _ => continue,
            };
            if !covered[block.as_u32() as usize] {
                continue;
            }
            let is_taken = |edge: &EdgeId| explorer.suite.taken(function, *edge);
            let taken: Vec<Block> = edges.iter().copied().filter(is_taken).map(|edge| body.edges[edge].target).collect();
            let is_open = |edge: &EdgeId| !is_taken(edge) && !taken.contains(&body.edges[*edge].target);
            open.extend(edges.into_iter().filter(is_open).map(|edge| Side { function, block, edge }));
        }
    }
    open.sort_unstable();
    open.dedup_by_key(|side| (side.function, side.block, program_target(program, side)));
    open.truncate(MOST_GOALS);
    open
}

fn program_target(program: &Program, side: &Side) -> Option<Block> {
    program.functions[side.function].body.as_ref().map(|body| body.edges[side.edge].target)
}

/// The numbers that a program compares with and computes from.
fn constants(program: &Program) -> Vec<u64> {
    let words = program.constants.values().filter_map(|constant| match constant {
        Constant::Word { bits, .. } => Some(*bits),
        _ => None,
    });
    let mut list: Vec<u64> = words.collect();
    list.sort_unstable();
    list.dedup();
    list
}
