//! Symcretic backward execution (Dinges and Agha, "Targeted test input generation using symbolic-concrete backward execution"): from a
//! target against the flow of control, until every way to it contradicts itself, which is a proof that nothing leads there, or one comes
//! to where the program begins. Then the concrete phase looks for inputs along its trace; if it finds none, the search goes on with the
//! next.

mod along;
mod callers;
mod counters;
mod goal;
mod heap;
mod invariants;
mod meeting;
mod memory;
mod merge;
mod phase_two;
mod prover;
mod search;
mod seed;
mod shape;
mod trace;
pub mod within;

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use symcrete_exec::Image;
use symcrete_exec::coverage::Mark;
use symcrete_exec::summary::Called;
use symcrete_ir::{Block, CallGraph, FuncId, LocId};
use symcrete_solver::{Limits, Solver};

use crate::drive::trials::Trials;
use crate::engines::engine::{Engine, Turn};
use crate::report::Finder;
use crate::report::summary::{BackwardProgress, Progress, Summary};
use crate::session::Session;
use crate::session::meter::INSTRUCTIONS_OF_QUERY;
use crate::session::targets::Targets;
use phase_two::PhaseTwo;
use prover::Prover;
use search::Search;

#[derive(Clone, Debug)]
pub struct Config {
    /// Pieces of paths that are looked at, for each target. Default: 2,000.
    pub segments: u64,
    /// Default: ten seconds for each target.
    pub time: Duration,
    /// Calls that are looked into at a time. Default: 8.
    pub depth: usize,
    /// Calls of a function from inside itself that are looked into. Default: 3.
    pub recursion: usize,
    /// How often loops are gone through, where leaving them to the concrete phase did not help. Default: 8.
    pub rounds: usize,
    /// Whether what loops do to counters is summed up in one step. Default: yes.
    pub summaries: bool,
    /// Default: the exact solvers, with little effort for each question.
    pub solver: symcrete_solver::Config,
    /// Whether it goes on when all paths forward were followed, because that proves nothing. Default: no.
    pub goes_beyond: bool,
    pub phase_two: phase_two::Config,
}

impl Default for Config {
    fn default() -> Self {
        let limits = Limits { effort: 10_000, time: Duration::from_millis(200), ..Limits::default() };
        let solver = symcrete_solver::Config { solver: Solver::Smt, limits, ..symcrete_solver::Config::default() };
        Config {
            segments: 2_000,
            time: Duration::from_secs(10),
            depth: 8,
            recursion: 3,
            rounds: 8,
            summaries: true,
            solver,
            goes_beyond: false,
            phase_two: phase_two::Config::default(),
        }
    }
}

/// Where paths begin.
#[derive(Copy, Clone, Debug)]
pub struct Entry {
    pub function: FuncId,
    /// What calls it in our name.
    pub start: FuncId,
    /// Whether variables still have their initial values there.
    pub is_beginning: bool,
}

/// What came of the search for one target.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// No input comes to the target.
    pub refuted: bool,
    /// The concrete phase found an input.
    pub found: bool,
    pub segments: u64,
    /// The most choices that were under way at a time.
    pub depth: usize,
    /// Ways from the beginning to the target for which inputs were looked for, and runs of the program for that.
    pub traces: u64,
    pub evaluations: u64,
    /// What those runs took.
    pub evaluation_time: Duration,
    /// Ways that came to what cannot be crossed, or to a bound.
    pub blocked: u64,
    /// The branches on ways that were refuted: where the contradictions are.
    pub branches: Vec<LocId>,
    /// What the search relied on besides branches.
    pub facts: Vec<Fact>,
    /// The branch that kept the nearest run from the target, and how far it was from being taken.
    pub nearest: Option<(LocId, f64)>,
    pub time: Duration,
}

/// Something that a proof may rest on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fact {
    /// The counters of the loop that begins here were summed up.
    Counters(LocId),
    /// Conditions that the loop that begins here keeps, by induction.
    Invariants(LocId),
    /// What this function gives depends on its arguments alone, as the user says.
    Pure(FuncId),
}

/// The backward search for several targets, which takes turns with others.
pub struct Backward<'a> {
    image: &'a Image,
    graph: &'a CallGraph,
    entry: Entry,
    config: Config,
    /// Those that are not done, the next one last.
    pending: Vec<usize>,
    current: Option<Current<'a>>,
    /// Those that came to nothing, but know the ends of ways.
    given_up: Vec<Current<'a>>,
    phase_two: PhaseTwo,
    /// Runs on inputs with which paths forward met goals, and goals that such paths know of.
    met: Trials,
    meetings: usize,
    outcomes: Vec<Outcome>,
    work: u64,
    segments: u64,
    /// The work at which its turn ends, if that is under way.
    limit: u64,
    /// Whether nobody else has anything to do.
    is_alone: bool,
}

/// The target that is searched for now.
struct Current<'a> {
    number: usize,
    prover: Prover<'a>,
    search: Search,
}

/// What the search may do before others get a turn at all, and at a time from then on, in questions to the solver and what takes about as
/// long.
const HEAD_START: u64 = 2_000;
const TURN: u64 = 20;

/// Pieces of paths that it may look at before the search forward, and how many of those of the search forward each one more needs. Most of
/// what it finds or refutes at all takes few.
const FIRST_PIECES: u64 = 8;
const FORWARD_PIECES: u64 = 3;

/// After this long, others may say how far things are. Nothing else depends on it.
const BREATH: Duration = Duration::from_millis(100);

/// How many times longer a run may be than others where the directions met.
const MEETING: u64 = 100;

impl<'a> Backward<'a> {
    pub fn new(
        image: &'a Image,
        graph: &'a CallGraph,
        entry: Entry,
        targets: usize,
        config: Config,
        seed: u64,
    ) -> Backward<'a> {
        Backward {
            image,
            graph,
            entry,
            phase_two: PhaseTwo::new(config.phase_two.clone(), seed),
            config,
            pending: (0..targets).rev().collect(),
            current: None,
            given_up: Vec::new(),
            met: Trials::of(Finder::Meeting),
            meetings: 0,
            outcomes: vec![Outcome::default(); targets],
            work: 0,
            segments: 0,
            limit: 0,
            is_alone: false,
        }
    }

    fn all_progress(&self) -> BackwardProgress {
        let mut progress = BackwardProgress::default();
        for outcome in &self.outcomes {
            progress.segments += outcome.segments;
            progress.depth = progress.depth.max(outcome.depth);
            progress.traces += outcome.traces;
            progress.evaluations += outcome.evaluations;
            let nearest = outcome.nearest.map(|(_, distance)| distance);
            progress.nearest = progress.nearest.into_iter().chain(nearest).reduce(f64::min);
        }
        progress
    }

    /// Goes on for a while, if the others did as much since it last did. Whether its turn is not over, and it only came up for air.
    fn go_on(&mut self, session: &mut Session, stop: &AtomicBool) -> bool {
        let began = Instant::now();
        self.meet(session);
        let mut others = session.meter.work_by_backend(&session.machine.chain);
        let mut pieces = FIRST_PIECES + session.meter.counts.segments / FORWARD_PIECES;
        if self.is_alone {
            (others, pieces) = (u64::MAX - HEAD_START, u64::MAX);
        }
        if self.work >= self.limit {
            if self.work >= HEAD_START + others || self.segments >= pieces {
                return false;
            }
            self.limit = self.work + if self.work < HEAD_START { HEAD_START } else { TURN };
        }
        let limit = self.limit;
        self.limit = 0;
        let Some(mut current) = self.current.take().or_else(|| self.next(session)) else { return false };
        let number = current.number;
        let mut is_over = false;
        while self.work < limit && self.segments < pieces {
            if began.elapsed() > BREATH {
                self.limit = limit;
                break;
            }
            let segments = current.search.segments;
            let asked = current.prover.work();
            let ran = self.phase_two.work;
            if stop.load(Ordering::Relaxed) || is_reached(session, number) {
                is_over = true;
                break;
            }
            let outcome = &mut self.outcomes[number];
            if current.search.segments >= self.config.segments || outcome.time + began.elapsed() > self.config.time {
                is_over = true;
                break;
            }
            match current.search.step(&mut current.prover) {
                search::Progress::More => {}
                search::Progress::Refuted => {
                    outcome.refuted = current.prover.knows_calls;
                    session.suite.refuted[number] = outcome.refuted;
                    is_over = true;
                    break;
                }
                search::Progress::GivenUp | search::Progress::Header(_) => {
                    is_over = true;
                    break;
                }
                search::Progress::Trace(goal) => {
                    match self.phase_two.run(session, &mut current.prover, &goal, number, outcome, stop) {
                        None => {
                            outcome.found = true;
                            is_over = true;
                        }
                        Some(verdict) => current.search.learn_trace(verdict),
                    }
                }
            }
            let asked = current.prover.work() - asked;
            self.work += 1 + asked + (self.phase_two.work - ran) / INSTRUCTIONS_OF_QUERY;
            self.segments += current.search.segments - segments;
            if is_over {
                break;
            }
        }
        let outcome = &mut self.outcomes[number];
        outcome.segments = current.search.segments;
        outcome.depth = current.search.depth;
        outcome.blocked = current.search.blocked;
        outcome.time += began.elapsed();
        if is_over {
            outcome.branches = current.prover.branches.iter().copied().collect();
            outcome.branches.sort_unstable();
            outcome.facts = current.prover.facts.iter().copied().collect();
            outcome.facts.sort_unstable();
            if !outcome.refuted && !outcome.found && current.search.meetings.len() > 0 {
                self.given_up.push(current);
            }
        } else {
            self.current = Some(current);
        }
        self.limit > 0
    }

    /// Looks whether paths forward that came where this search has been can go the rest of the way.
    fn meet(&mut self, session: &mut Session) {
        let arrived = std::mem::take(&mut session.meeting.arrived);
        let known: usize = self.searches().map(|one| one.search.meetings.len()).sum();
        let is_new = known != self.meetings || !arrived.is_empty();
        for mut path in arrived {
            for one in self.given_up.iter_mut().chain(&mut self.current) {
                if is_reached(session, one.number) {
                    continue;
                }
                let met = one.search.meetings.meet(&one.prover.arena, session, &mut path);
                if let Some(candidate) = met {
                    let (root, budget) = (candidate.root, self.config.phase_two.budget * MEETING);
                    self.met.run(session, root, Rc::new(candidate), budget, &mut 0);
                }
            }
        }
        if is_new {
            self.meetings = known;
            session.meeting.places = self.searches().flat_map(|one| one.search.meetings.places()).collect();
        }
    }

    fn searches(&self) -> impl Iterator<Item = &Current<'a>> {
        self.given_up.iter().chain(&self.current)
    }

    /// Begins with another target.
    fn next(&mut self, session: &mut Session) -> Option<Current<'a>> {
        loop {
            let number = self.pending.pop()?;
            let marks = &session.config.targets.0[number];
            let blocks: Vec<(FuncId, Block)> = Targets(vec![marks.clone()]).blocks(&self.image.program).collect();
            let functions: Vec<FuncId> = blocks.iter().map(|(function, _)| *function).collect();
            let knows_calls = callers::are_known(self.image, self.graph, &self.entry, &functions);
            if is_reached(session, number) || blocks.is_empty() {
                continue;
            }
            let called = Called::new(self.image, &session.machine.executor.config);
            let mut prover = Prover::new(self.image, self.graph, self.entry, self.config.clone(), called);
            prover.knows_calls = knows_calls;
            let search = Search::new(&mut prover, &blocks);
            return Some(Current { number, prover, search });
        }
    }
}

impl Engine for Backward<'_> {
    fn turn(&mut self, session: &mut Session) -> Turn {
        let stop = session.stop.clone();
        if self.go_on(session, stop.flag()) { Turn::Progress } else { Turn::Idle }
    }

    /// Nothing is left to be done forward: goes on if that proved nothing.
    fn stays(&mut self, is_open: bool) -> bool {
        self.is_alone = (is_open || self.config.goes_beyond) && (self.current.is_some() || !self.pending.is_empty());
        self.is_alone
    }

    fn progress(&self, progress: &mut Progress) {
        progress.backward = self.all_progress();
    }

    fn summarize(&mut self, _: &Session, summary: &mut Summary) {
        summary.backward = std::mem::take(&mut self.outcomes);
    }
}

fn is_reached(session: &Session, number: usize) -> bool {
    let marks: &[Mark] = &session.config.targets.0[number];
    marks.iter().any(|mark| session.suite.covered.is_marked(*mark))
}
