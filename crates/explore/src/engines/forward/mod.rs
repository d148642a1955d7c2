//! Forward symbolic execution: runs a pending path to its next fork, asks the solver which ways on there are, and lets a strategy
//! choose what runs next. One explorer belongs to one thread; what it has in common with others is in `workers`.

mod failures;

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use symcrete_exec::coverage::{Coverage, Mark};
use symcrete_exec::opaque::RETURNED;
use symcrete_exec::step::symbolic::Note;
use symcrete_exec::{Alternative, Choice, Ended, Executor, Fork, Question, State, Then};
use symcrete_expr::dag::Op;
use symcrete_expr::{Expr, Value};
use symcrete_ir::{Block, CallGraph, FuncId, LocId};
use symcrete_solver::{Answer, Chain, LATEST, Reason};

use crate::drive::onward::Onward;
use crate::engines::concolic::{LongRuns, Untried};
use crate::engines::engine::{Engine, Turn};
use crate::local_search::candidate::Candidate;
use crate::path::Path;
use crate::path::aside::Aside;
use crate::path::board::{Board, Pending};
use crate::path::distance::Place;
use crate::path::limits::PathLimits;
use crate::path::memory::Budget;
use crate::path::packing::Unpacker;
use crate::path::saved::Saved;
use crate::path::strategy::{Branch, Frontier, PathId, Random};
use crate::report::partition::Kept;
use crate::report::{Mismatch, PathReport, Uninitialised};
use crate::session::coverage::Tally;
use crate::session::saturation::Saturation;
use crate::session::sides::Tries;
use crate::session::stop::Stop;
use crate::session::targets::{Reached, Targets, graph_is_complete};
use failures::Failures;

/// What may be set.
#[derive(Clone, Debug)]
pub struct Config {
    /// Instructions that a path may execute before others get a turn. Default: a million.
    pub slice: u64,
    /// Where paths are given up; they count as partial.
    pub limits: PathLimits,
    /// Bytes that states and expressions of one worker may take before states are put aside. Default: 2 GiB.
    pub memory: usize,
    /// How many workers the process has. Default: one.
    pub workers: usize,
    /// Whether paths are reported that end well and add nothing to what the suite covers. Default: yes.
    pub every_path: bool,
    /// Keep the conditions of all paths, for [`Explorer::partition`]. Default: no.
    pub keep_conditions: bool,
    /// Forks of a path at one branch after which it goes both ways as one there, if they only compute; `None`: it never does.
    /// Default: 12.
    pub join_after: Option<u32>,
    /// What the search is for, if it is not for everything: it goes where these are near, and gives up paths that cannot come to them.
    pub targets: Targets,
    /// Whether paths are given up that cannot come to a target. Default: yes.
    pub prune: bool,
    /// Default: forward.
    pub mode: Mode,
    /// Whether concolic runs keep only what is linear of their conditions. Default: no.
    pub simplifies: bool,
    /// Whether the search ends some work after all code is covered, though paths are pending. Default: no.
    pub ends_when_covered: bool,
}

/// How the program is explored.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// Paths fork where inputs decide.
    #[default]
    Forward,
    /// Whole runs, one after the other.
    Concolic,
    /// Abstract paths, each made a path of the program afterwards.
    Lazy,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            slice: 1_000_000,
            limits: PathLimits::default(),
            memory: 2 << 30,
            workers: 1,
            every_path: true,
            keep_conditions: false,
            join_after: Some(12),
            targets: Targets::default(),
            prune: true,
            mode: Mode::default(),
            simplifies: false,
            ends_when_covered: false,
        }
    }
}

/// How many paths there were, by what became of them.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Came to the program's own end.
    pub completed: u64,
    /// Ended in a bug of the program.
    pub failed: u64,
    /// Ended at a limit of ours or the user's.
    pub partial: u64,
    /// Ended by an assumption of the program.
    pub discarded: u64,
    pub forks: u64,
    pub instructions: u64,
    /// Straight lines between two places where inputs decide, or from there to the end of a path.
    pub segments: u64,
    /// Executions of the program, or of a function in its context, from beginning to end; where paths fork, nobody counts.
    pub iterations: u64,
    /// Runs that left the way that was foreseen.
    pub divergences: u64,
    /// Conditions of which only a part was kept.
    pub simplified: u64,
    /// The sum of a hash of the decisions of each path that is over: two searches with the same sum came to the same paths, in whatever
    /// order.
    pub digest: u64,
}

/// What an explorer tells.
pub enum Event {
    Path(PathReport),
    Mismatch(Mismatch),
    /// The run of a path's inputs takes so long that nobody knows whether it ends as the path did.
    NotConfirmed(Ended),
    Uninitialised(Uninitialised),
    /// Bits that nobody wrote entered an expression as zeros: no harm is done, but what is said of all paths is said of those with zeros only.
    UnwrittenTakenAsZero(Uninitialised),
    /// The arguments of a call were fixed, at this place.
    Concretised {
        function: String,
        loc: LocId,
    },
    /// A function that is said to be pure is not, in words.
    NotPure(String),
    /// Paths leave out inputs for which this function does not return.
    AssumedToReturn(String),
    /// A decision string does not fit the program, which is a mistake of ours: the paths behind it are not explored.
    Lost {
        decisions: Vec<u8>,
    },
}

/// A side of a fork that the chain could not decide: the decisions that lead there, the last one included.
#[derive(Clone, Debug, PartialEq)]
pub struct Parked {
    pub decisions: Vec<u8>,
    pub depth: u32,
    /// How often it was tried again.
    pub tries: u32,
}

/// What is said of a path that was running when the search was stopped.
pub const STOPPED: &str = "still running when the search was stopped";

/// Instructions after which a running path is looked at; fewer where it may have come to a target, behind which nobody waits for it.
const SLICE: u64 = 100_000;
const SLICE_TO_TARGET: u64 = 10_000;

/// With fewer paths than this to choose among, strategies get some back that they had no room for.
const FEW: usize = 64;

/// How often an undecided side is tried again, each time with eight times the budget.
const TRIES: u32 = 3;

impl Counts {
    /// Paths of the program that are over.
    pub fn paths(&self) -> u64 {
        self.completed + self.failed + self.partial
    }

    pub fn add(&mut self, other: &Counts) {
        self.completed += other.completed;
        self.failed += other.failed;
        self.partial += other.partial;
        self.discarded += other.discarded;
        self.forks += other.forks;
        self.instructions += other.instructions;
        self.segments += other.segments;
        self.iterations += other.iterations;
        self.divergences += other.divergences;
        self.simplified += other.simplified;
        self.digest = self.digest.wrapping_add(other.digest);
    }
}

pub struct Explorer {
    pub executor: Executor,
    pub chain: Chain,
    pub(crate) stop: Stop,
    pub config: Config,
    pub counts: Counts,
    /// What the tests so far execute, those of the concrete runs included.
    pub(crate) suite: Coverage,
    pub(crate) frontier: Frontier,
    pub(crate) board: Board,
    pub(crate) budget: Budget,
    pub(crate) roots: Vec<State>,
    parked: Vec<Parked>,
    pub(crate) kept: Option<Kept>,
    pub(crate) flagged: FxHashSet<LocId>,
    taken_as_zero: FxHashSet<LocId>,
    /// Instructions of runs that looked for uses of what nobody wrote.
    pub(crate) looked: u64,
    pub(crate) tries: Tries,
    pub(crate) saturation: Saturation,
    failures: Failures,
    /// Which targets the tests come to, and to which nothing can.
    pub(crate) reached: Reached,
    pub(crate) refuted: Vec<bool>,
    /// Inputs of concrete runs, for those who look for a target.
    pub(crate) runs: Vec<Candidate>,
    /// The ends of blocks from which somebody knows a way to a target, and paths that came there and were not looked at since.
    pub(crate) meeting_places: FxHashSet<(FuncId, Block)>,
    pub(crate) arrived: Vec<Path>,
    /// Of the latest concolic run.
    pub(crate) latest_inputs: Rc<symcrete_expr::Model>,
    pub(crate) untried: FxHashMap<Untried, PathId>,
    pub(crate) long_runs: LongRuns,
    /// Paths that cannot come to a target, by the graph, are not followed.
    prunes: bool,
    /// Whether the graph tells which paths those are.
    pub(crate) knows_ways: bool,
    /// Errors in which paths ended that might come to a target if the real program continues behind them.
    pub(crate) survivable: BTreeSet<(LocId, &'static str)>,
    /// Chooses what comes back from the reserve.
    pub(crate) reserve_random: Random,
    events: Vec<Event>,
    /// Marks of coverage that the distances know of, and the blocks that were executed by then.
    marks: u64,
    blocks: Tally,
}

/// Why an explorer stopped running a path.
enum Step {
    /// It is pending again.
    Pending(Box<Path>),
    Forked(Vec<(Box<Path>, u32)>, Place),
    Over,
}

/// Where a decision string leads.
pub(crate) enum Followed {
    /// Without a model; over, if the last decision ends it.
    To(Box<Path>, Option<Ended>),
    /// Somebody wants to stop.
    Stopped,
    /// It does not fit the program.
    Nowhere,
}

/// What a fork leads to, one for each alternative that is open.
struct Way {
    path: Box<Path>,
    direction: u32,
}

/// Forward symbolic execution of what is pending in the session.
pub struct Forward;

impl Engine for Forward {
    /// One path to its next fork; or an undecided side is tried again.
    fn turn(&mut self, explorer: &mut Explorer) -> Turn {
        let stop = explorer.stop.clone();
        let mut stops = || stop.is_set();
        if explorer.step(&mut stops) || explorer.retry(&mut stops) { Turn::Progress } else { Turn::Done }
    }

    fn leave(&mut self, explorer: &mut Explorer, is_stopped: bool) {
        if is_stopped {
            explorer.report_unfinished();
        }
    }
}

impl Explorer {
    /// The paths begin in the given states.
    pub(crate) fn new(
        executor: Executor,
        chain: Chain,
        config: Config,
        frontier: Frontier,
        roots: Vec<State>,
        stop: Stop,
    ) -> Explorer {
        let program = &executor.image.program;
        let targets: FxHashSet<(FuncId, Block)> = config.targets.blocks(program).collect();
        let wanted = |function: FuncId, block| match targets.is_empty() {
            true => !program.functions[function].runtime,
            false => targets.contains(&(function, block)),
        };
        let board = Board::new(&executor.image, wanted);
        let (config_memory, workers) = (config.memory, config.workers.max(1));
        let kept = config.keep_conditions.then(Kept::default);
        let suite = Coverage::new(&executor.image);
        let reached = config.targets.none_reached();
        // Nothing comes to a place that does not exist.
        let refuted = config.targets.0.iter().map(Vec::is_empty).collect();
        let graph = CallGraph::new(program);
        let knows_ways =
            !targets.is_empty() && graph_is_complete(program, &graph, targets.iter().map(|(function, _)| *function));
        let prunes = config.prune && knows_ways;
        let begun = roots.iter().filter_map(|root| root.places(&executor.image).next()).map(|(function, ..)| function);
        let saturation = Saturation::new(program, &graph, begun);
        Explorer {
            executor,
            chain,
            stop,
            config,
            counts: Counts::default(),
            suite,
            budget: Budget::new(config_memory, workers),
            frontier,
            board,
            roots,
            parked: Vec::new(),
            kept,
            flagged: FxHashSet::default(),
            taken_as_zero: FxHashSet::default(),
            looked: 0,
            tries: Tries::default(),
            saturation,
            failures: Failures::default(),
            reached,
            refuted,
            runs: Vec::new(),
            meeting_places: FxHashSet::default(),
            arrived: Vec::new(),
            latest_inputs: Rc::default(),
            untried: FxHashMap::default(),
            long_runs: LongRuns::default(),
            prunes,
            knows_ways,
            survivable: BTreeSet::new(),
            reserve_random: Random::new(1),
            events: Vec::new(),
            marks: 0,
            blocks: Tally::default(),
        }
    }

    /// Whether all that the search is for was reached, or cannot be.
    pub fn is_there(&self) -> bool {
        !self.config.targets.is_empty() && self.config.targets.are_covered(&self.suite, &self.refuted)
    }

    /// Whether a target is there to which nothing comes, as was proved.
    pub(crate) fn has_refuted(&self) -> bool {
        let targets = self.config.targets.0.iter().zip(&self.refuted);
        targets.into_iter().any(|(marks, refuted)| *refuted && !marks.is_empty())
    }

    /// Makes the beginnings pending.
    pub fn begin(&mut self) {
        for root in 0..self.roots.len() {
            let path = Path::new(self.roots[root].clone(), root);
            self.add(Pending::Live(Box::new(path)));
        }
    }

    /// Goes on with a search that was stopped.
    pub fn resume(&mut self, saved: Saved) {
        self.executor.coverage.merge(saved.covered);
        self.suite.merge(saved.suite);
        self.parked.extend(saved.undecided);
        for aside in saved.frontier {
            self.add(Pending::Aside(aside));
        }
    }

    pub fn add(&mut self, pending: Pending) {
        let id = self.board.insert(pending);
        self.frontier.add(id, &[], &mut self.board.metrics(&self.executor));
    }

    pub fn events(&mut self) -> impl Iterator<Item = Event> + '_ {
        let impurities = self.executor.opaque.impurities();
        self.events.extend(impurities.into_iter().map(Event::NotPure));
        let assumed = self.executor.opaque.assumed_to_return(&self.executor.image.program);
        self.events.extend(assumed.into_iter().map(Event::AssumedToReturn));
        self.events.drain(..)
    }

    /// How many events nobody was told of yet.
    pub(crate) fn events_so_far(&self) -> usize {
        self.events.len()
    }

    /// Of the events since then, only some are told.
    pub(crate) fn keep_events(&mut self, since: usize, mut is_wanted: impl FnMut(&mut Event) -> bool) {
        let mut latest = self.events.split_off(since);
        latest.retain_mut(|event| is_wanted(event));
        self.events.append(&mut latest);
    }

    pub(crate) fn push_event(&mut self, event: Event) {
        self.events.push(event);
    }

    pub fn roots(&self) -> &[State] {
        &self.roots
    }

    /// How many paths are pending.
    pub fn pending(&self) -> usize {
        self.frontier.len()
    }

    /// Gives a pending path away.
    pub fn donate(&mut self) -> Option<Aside> {
        let id = self.frontier.shallowest()?;
        let pending = self.board.take(id)?;
        self.end(id);
        Some(self.packed(pending))
    }

    /// Pending paths whose states are there, the least promising first.
    pub(crate) fn least_promising(&self, count: usize) -> Vec<PathId> {
        self.frontier.least_promising(count, |id| self.board.path(id).is_some())
    }

    fn packed(&self, pending: Pending) -> Aside {
        match pending {
            Pending::Live(path) => Aside::of(&path, &self.executor.arena),
            Pending::Aside(aside) => aside,
        }
    }

    /// A path that stands in the log of an earlier search; `false` if it makes no sense.
    pub(crate) fn adopt(&mut self, bytes: &[u8]) -> bool {
        let Some(aside) = Aside::unpack(&mut Unpacker::new(bytes)) else { return false };
        if self.has_room() || !self.board.put_in_reserve(bytes) {
            self.add(Pending::Aside(aside));
        }
        true
    }

    /// Writes down what is pending, if there is a journal that stays.
    pub(crate) fn write_down(&mut self) {
        let arena = &self.executor.arena;
        self.board.bring_up_to_date(|path| Aside::of(path, arena));
    }

    pub(crate) fn undecided(&self) -> &[Parked] {
        &self.parked
    }

    /// The same, where others may still be followed afterwards.
    pub(crate) fn forget_pending(&mut self) {
        while let Some(id) = self.frontier.shallowest() {
            self.board.take(id);
            self.end(id);
        }
        self.board.drain();
        self.parked.clear();
    }

    /// All that is pending, for another time, where there is no journal that stays.
    pub fn pack(&mut self) -> Vec<Aside> {
        let pending = self.board.drain();
        pending.into_iter().map(|pending| self.packed(pending)).collect()
    }

    /// Nobody can tell whether a path is possible: it is tried again when nothing else is left.
    pub(crate) fn park(&mut self, path: &Path) {
        self.parked.push(Parked { decisions: path.decisions.to_bytes(), depth: path.depth, tries: 0 });
    }

    /// Tries an undecided side again, with more budget than before. `false` if there is none that is worth it.
    pub fn retry(&mut self, stop: &mut dyn FnMut() -> bool) -> bool {
        let Some(at) = self.parked.iter().position(|parked| parked.tries < TRIES) else { return false };
        let mut parked = self.parked.swap_remove(at);
        parked.tries += 1;
        let (mut path, ended) = match self.follow(&parked.decisions, stop) {
            Followed::To(path, ended) => (path, ended),
            Followed::Stopped => {
                parked.tries -= 1;
                self.parked.push(parked);
                return true;
            }
            Followed::Nowhere => {
                self.events.push(Event::Lost { decisions: parked.decisions });
                return true;
            }
        };
        let constraints: Vec<Expr> = path.conditions.iter().collect();
        let mut limits = self.chain.config().limits.clone();
        limits.effort = limits.effort.saturating_mul(8u64.pow(parked.tries));
        limits.time = limits.time.saturating_mul(8u32.pow(parked.tries));
        match self.chain.solve_with(&mut self.executor.arena, &constraints, &limits) {
            Answer::Sat(model) => {
                path.model = Rc::new(model);
                path.depth = parked.depth;
                match ended {
                    Some(ended) => self.finish(&path, ended),
                    None => self.add(Pending::Live(path)),
                }
            }
            Answer::Unsat => {}
            Answer::Unknown(_) => self.parked.push(parked),
        }
        true
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Blocks of the program's own code that were executed, and all of them.
    pub fn blocks(&self) -> Tally {
        self.blocks
    }

    pub fn is_empty(&self) -> bool {
        self.frontier.is_empty()
    }

    pub fn parked(&self) -> usize {
        self.parked.len()
    }

    /// Before a path is chosen: distances learn what was covered, and memory is freed if it takes too much.
    pub(crate) fn keep_house(&mut self) {
        self.follow_coverage();
        self.keep_within_budget();
    }

    /// The pending path to go on with.
    pub(crate) fn select(&mut self) -> Option<PathId> {
        if self.board.reserved() > 0 && self.frontier.len() < FEW && !self.call_up() {
            return None;
        }
        self.choose()
    }

    /// Runs the path that the strategy chooses up to its next fork. `false` if nothing is pending.
    pub fn step(&mut self, stop: &mut dyn FnMut() -> bool) -> bool {
        self.keep_house();
        let Some(id) = self.select() else { return false };
        let path = match self.board.take(id) {
            Some(Pending::Live(path)) => path,
            Some(Pending::Aside(aside)) => match self.rebuild(&aside, stop) {
                Followed::To(path, None) => path,
                Followed::Stopped => {
                    self.board.put(id, Pending::Aside(aside));
                    return true;
                }
                Followed::To(_, Some(_)) | Followed::Nowhere => {
                    self.end(id);
                    self.events.push(Event::Lost { decisions: aside.decisions });
                    return true;
                }
            },
            None => unreachable!("{id} was selected but is not pending"),
        };
        match self.advance(path, stop) {
            Step::Over => self.end(id),
            Step::Pending(path) => {
                self.board.put(id, Pending::Live(path));
                self.frontier.update(id, &mut self.board.metrics(&self.executor));
            }
            Step::Forked(ways, site) => self.branch(id, ways, site),
        }
        true
    }

    pub(crate) fn end(&mut self, id: PathId) {
        self.frontier.remove(id);
        self.board.free(id);
    }

    /// The children of a path become pending in its place.
    fn branch(&mut self, parent: PathId, ways: Vec<(Box<Path>, u32)>, site: Place) {
        self.board.visit(site);
        let mut children = Vec::with_capacity(ways.len());
        for (path, direction) in ways {
            let id = self.board.insert(Pending::Live(path));
            children.push((id, Branch { site, direction }));
        }
        self.frontier.fork(parent, &children, &mut self.board.metrics(&self.executor));
        self.board.free(parent);
        let children: SmallVec<[PathId; 2]> = children.into_iter().map(|(id, _)| id).collect();
        self.dive(&children);
    }

    /// Runs a path until it forks, ends, or has used up its turn.
    fn advance(&mut self, mut path: Box<Path>, stop: &mut dyn FnMut() -> bool) -> Step {
        let limit = path.state.steps + self.config.slice;
        if self.prunes && !self.board.may_arrive(&path, &self.executor.image) {
            self.counts.segments += 1;
            return Step::Over;
        }
        loop {
            let budget = limit.saturating_sub(path.state.steps);
            if budget == 0 || stop() {
                return Step::Pending(path);
            }
            if let Some(ended) = self.config.limits.after_steps(&path) {
                self.finish(&path, ended);
                return Step::Over;
            }
            let (steps, marks) = (path.state.steps, self.executor.coverage.marks());
            let most = self.config.limits.steps.map_or(u64::MAX, |most| most - steps);
            let slice = if self.config.targets.is_empty() { SLICE } else { SLICE_TO_TARGET };
            let outcome = self.executor.run(&mut path.state, budget.min(slice).min(most));
            self.counts.instructions += path.state.steps - steps;
            if self.executor.coverage.marks() != marks {
                path.new_at = Some(path.state.steps);
                if self.reached.is_new(&self.config.targets, &self.executor.coverage) {
                    self.report_reached(&path);
                    if self.is_there() {
                        return Step::Pending(path);
                    }
                }
            }
            self.note(&mut path);
            match self.onward_from(&mut path.state, outcome) {
                Onward::On => {}
                Onward::Over(ended) => {
                    self.finish(&path, ended);
                    return Step::Over;
                }
                Onward::Fork(fork) if self.joins(&mut path, &fork) => {}
                Onward::Fork(fork) if self.meets(&path) => {
                    let same = self.fork(path, &fork, None, false);
                    return same.unwrap_or_else(Step::Pending);
                }
                Onward::Fork(fork) => match self.fork(path, &fork, None, false) {
                    Ok(Step::Pending(same)) => path = same,
                    Ok(step) => return step,
                    Err(interrupted) => return Step::Pending(interrupted),
                },
                Onward::Ask(question) => {
                    path.count_proposal();
                    if let Some(ended) = self.config.limits.after_proposal(&path) {
                        self.finish(&path, ended);
                        return Step::Over;
                    }
                    let bits = self.chain.evaluate(&self.executor.arena, &path.model, question.value).low_u64();
                    let bits = self.executor.answer(&question, bits);
                    let fork = self.executor.propose(&path.state, &question, bits);
                    if let Some(then) = self.only_value(&path, &question, bits) {
                        decide(&mut path.decisions, Some(bits), fork.alternatives.len(), false);
                        self.executor.proceed(&mut path.state, &then);
                        continue;
                    }
                    if bits == u64::from(RETURNED) {
                        self.try_known_failures(&path, &question);
                    }
                    match self.fork(path, &fork, Some(bits), question.leaves_out()) {
                        Ok(Step::Pending(same)) => path = same,
                        Ok(step) => return step,
                        Err(interrupted) => return Step::Pending(interrupted),
                    }
                }
            }
        }
    }

    /// Where a path forked so often that those like it crowd everything else, it goes both ways as one, if they only compute.
    fn joins(&mut self, path: &mut Path, fork: &Fork) -> bool {
        let Some(most) = self.config.join_after else { return false };
        let crowded = path.crowds.forks(place(&path.state, &self.executor)) >= most;
        let joined = crowded && self.executor.join(&mut path.state, fork);
        if joined {
            decide(&mut path.decisions, None, fork.alternatives.len(), false);
        }
        joined
    }

    /// Whether paths were not followed to their ends, or not at all.
    pub(crate) fn leaves_open(&self) -> bool {
        self.counts.partial > 0 || !self.parked.is_empty()
    }

    /// Whether a path stands where somebody wants to see it; then it is shown.
    fn meets(&mut self, path: &Path) -> bool {
        if self.meeting_places.is_empty() {
            return false;
        }
        let is_there = self.meeting_places.contains(&self.executor.block_of(&path.state));
        if is_there {
            self.arrived.push(path.clone());
        }
        is_there
    }

    /// Whether forks like this one are counted, to be joined when there are many.
    fn may_join(&self, path: &Path, fork: &Fork) -> bool {
        self.config.join_after.is_some() && self.executor.may_join(&path.state, fork)
    }

    /// The way on from a question, if it is worth asking whether there is only one value, and there is.
    fn only_value(&mut self, path: &Path, question: &Question, bits: u64) -> Option<Then> {
        let then = Executor::propose_only(question, bits)?;
        let arena = &mut self.executor.arena;
        let proposed = arena.word(arena.width(question.value), bits);
        let equal = arena.compare(Op::Equal, question.value, proposed);
        let other = arena.not(equal);
        let answer = self.chain.check(arena, &path.conditions, other, &path.model);
        matches!(answer, Answer::Unsat).then_some(then)
    }

    /// Takes the ways on that inputs leave open, which are not all if the fork leaves some out. One: the path goes on
    /// (`Pending`). `Err` gives the path back as it was, because somebody wants to stop.
    fn fork(
        &mut self,
        mut path: Box<Path>,
        fork: &Fork,
        proposal: Option<u64>,
        leaves_out: bool,
    ) -> Result<Step, Box<Path>> {
        self.counts.segments += 1;
        let site = place(&path.state, &self.executor);
        let own = self.own_way(&path, fork);
        let mut open: Vec<(usize, Option<Rc<symcrete_expr::Model>>)> = Vec::new();
        let mut undecided = Vec::new();
        let asked = self.chain.statistics().constraints_left;
        for (at, alternative) in fork.alternatives.iter().enumerate() {
            if at == own {
                open.push((at, None));
                continue;
            }
            match self.chain.check(&mut self.executor.arena, &path.conditions, alternative.condition, &path.model) {
                Answer::Sat(model) => open.push((at, Some(Rc::new(model)))),
                Answer::Unsat => {}
                Answer::Unknown(Reason::Interrupted) => return Err(path),
                Answer::Unknown(_) => undecided.push(at),
            }
        }
        for (at, model) in &mut open {
            self.come_near(&path, &fork.alternatives[*at], model);
        }
        for at in &undecided {
            let mut decisions = path.decisions.clone();
            decide(&mut decisions, proposal, *at, true);
            self.parked.push(Parked { decisions: decisions.to_bytes(), depth: path.depth + 1, tries: 0 });
        }
        path.query_cost += self.chain.statistics().constraints_left - asked;
        // If there is one way only, its condition follows from those of the path, or else may be among them.
        let is_known = |condition: Expr| path.conditions.iter().take(LATEST).any(|known| known == condition);
        let implied = open.len() == 1
            && undecided.is_empty()
            && (!leaves_out || is_known(fork.alternatives[open[0].0].condition));
        let may_join = !implied && self.may_join(&path, fork);
        let mut ways = Vec::with_capacity(open.len());
        let last = open.len() - 1;
        let mut parent = Some(path);
        for (number, (at, model)) in open.into_iter().enumerate() {
            let path = if number == last { parent.take() } else { parent.clone() };
            let Some(mut path) = path else { break };
            decide(&mut path.decisions, proposal, at, !implied);
            if let Some(model) = model {
                path.model = model;
            }
            let alternative = &fork.alternatives[at];
            if !implied {
                path.conditions.push(&self.executor.arena, alternative.condition);
                path.count_fork(site, may_join, &self.config.limits);
            }
            if let Some(path) = self.proceed(path, alternative) {
                ways.push(Way { path, direction: at as u32 });
            }
        }
        match ways.len() {
            0 => Ok(Step::Over),
            1 => Ok(Step::Pending(ways.remove(0).path)),
            _ => Ok(self.forked(ways, site)),
        }
    }

    /// Of the inputs with which a path ends at a wrong access, takes those that miss an object by little, if there are any.
    fn come_near(&mut self, path: &Path, alternative: &Alternative, model: &mut Option<Rc<symcrete_expr::Model>>) {
        let Then::Fault { near, .. } = &alternative.then else { return };
        let arena = &mut self.executor.arena;
        let both = arena.binary(Op::And, alternative.condition, *near);
        let known = model.as_ref().unwrap_or(&path.model);
        if let Answer::Sat(better) = self.chain.check(arena, &path.conditions, both, known) {
            *model = Some(Rc::new(better));
        }
    }

    /// A call of a pure function returns. If there are arguments for which it is known not to, a path of its own tries
    /// them.
    fn try_known_failures(&mut self, path: &Path, question: &Question) {
        let place = place(&path.state, &self.executor);
        let Some((condition, known)) = self.executor.known_failures(question) else { return };
        if !self.failures.is_worth_trying(place, known) {
            return;
        }
        let answer = self.chain.check(&mut self.executor.arena, &path.conditions, condition, &path.model);
        let Answer::Sat(model) = answer else { return };
        let mut path = Box::new(path.clone());
        path.model = Rc::new(model);
        let bits = self.chain.evaluate(&self.executor.arena, &path.model, question.value).low_u64();
        if bits == u64::from(RETURNED) {
            return;
        }
        self.failures.found(place);
        let fork = self.executor.propose(&path.state, question, bits);
        let alternative = &fork.alternatives[0];
        decide(&mut path.decisions, Some(bits), 0, true);
        path.conditions.push(&self.executor.arena, alternative.condition);
        path.depth += 1;
        if let Some(path) = self.proceed(path, alternative) {
            self.add(Pending::Live(path));
        }
    }

    /// There are several ways on. Some may be given up, at a limit.
    fn forked(&mut self, ways: Vec<Way>, site: Place) -> Step {
        self.counts.forks += 1;
        let mut going_on = Vec::with_capacity(ways.len());
        for Way { mut path, direction } in ways {
            let limit = self.config.limits.after_fork(&path);
            path.depth += 1;
            match limit {
                Some(ended) => self.finish(&path, ended),
                None => going_on.push((path, direction)),
            }
        }
        if going_on.is_empty() { Step::Over } else { Step::Forked(going_on, site) }
    }

    /// The alternative that the path's own model takes.
    pub(crate) fn own_way(&mut self, path: &Path, fork: &Fork) -> usize {
        let holds = |chain: &mut Chain, condition: Expr| {
            !chain.evaluate(&self.executor.arena, &path.model, condition).is_zero()
        };
        let own = fork.alternatives.iter().position(|alternative| holds(&mut self.chain, alternative.condition));
        own.expect("the alternatives of a fork leave nothing out")
    }

    /// Goes one way. `None` if the path ends there.
    fn proceed(&mut self, mut path: Box<Path>, alternative: &Alternative) -> Option<Box<Path>> {
        let marks = self.executor.coverage.marks();
        let mut ended = self.executor.proceed(&mut path.state, &alternative.then);
        self.note(&mut path);
        if let (Some(Ended::Memory(fault)), Then::Fault { address, .. }) = (&mut ended, &alternative.then) {
            // Where the inputs of the model lead.
            fault.address = self.chain.evaluate(&self.executor.arena, &path.model, *address).low_u64();
            if let Some((info, offset)) = &mut fault.allocation {
                *offset = fault.address.wrapping_sub(info.base) as i64;
            }
        }
        if self.executor.coverage.marks() != marks {
            path.new_at = Some(path.state.steps);
        }
        match ended {
            Some(ended) => {
                self.finish(&path, ended);
                None
            }
            None => Some(path),
        }
    }

    /// Makes a path of one that was put aside.
    fn rebuild(&mut self, aside: &Aside, stop: &mut dyn FnMut() -> bool) -> Followed {
        let model = Rc::new(aside.model(&mut self.executor.arena));
        let mut followed = self.follow(&aside.decisions, stop);
        if let Followed::To(path, _) = &mut followed {
            path.model = model;
            path.depth = aside.depth;
        }
        followed
    }

    /// Executes along a decision string.
    pub(crate) fn follow(&mut self, decisions: &[u8], stop: &mut dyn FnMut() -> bool) -> Followed {
        let mut stopped = false;
        let followed = self.follow_to_end(decisions, &mut || {
            stopped |= stop();
            stopped
        });
        self.executor.notes.clear();
        match followed {
            Some((path, ended)) => Followed::To(Box::new(path), ended),
            None if stopped => Followed::Stopped,
            None => Followed::Nowhere,
        }
    }

    /// `None` if the string does not fit, or somebody wants to stop.
    fn follow_to_end(&mut self, decisions: &[u8], stop: &mut dyn FnMut() -> bool) -> Option<(Path, Option<Ended>)> {
        let mut reader = Unpacker::new(decisions);
        let root = reader.number()? as usize;
        let mut path = Path::new(self.roots.get(root)?.clone(), root);
        while !reader.is_empty() {
            let mut only = None;
            let outcome = self.executor.run(&mut path.state, 100_000);
            let (fork, proposal) = match Onward::after(&mut self.executor, &mut path.state, outcome) {
                Onward::Fork(fork) => (fork, None),
                Onward::Ask(question) => {
                    path.count_proposal();
                    let bits = reader.number()?;
                    only = Executor::propose_only(&question, bits);
                    (self.executor.propose(&path.state, &question, bits), Some(bits))
                }
                Onward::On if stop() => return None,
                Onward::On => continue,
                Onward::Over(_) => return None,
            };
            let decision = reader.number()?;
            let (at, added) = ((decision >> 1) as usize, decision & 1 != 0);
            if let (Some(then), true) = (&only, at == fork.alternatives.len()) {
                decide(&mut path.decisions, proposal, at, added);
                self.executor.proceed(&mut path.state, then);
                continue;
            }
            if at == fork.alternatives.len() && proposal.is_none() {
                decide(&mut path.decisions, None, at, added);
                self.executor.join(&mut path.state, &fork).then_some(())?;
                continue;
            }
            let alternative = fork.alternatives.get(at)?;
            decide(&mut path.decisions, proposal, at, added);
            if added {
                path.conditions.push(&self.executor.arena, alternative.condition);
                let may_join = self.may_join(&path, &fork);
                path.count_fork(place(&path.state, &self.executor), may_join, &self.config.limits);
            }
            if let Some(ended) = self.executor.proceed(&mut path.state, &alternative.then) {
                return reader.is_empty().then_some((path, Some(ended)));
            }
        }
        Some((path, None))
    }

    /// The distances learn what was covered since.
    fn follow_coverage(&mut self) {
        let coverage = &self.executor.coverage;
        if coverage.marks() == self.marks {
            return;
        }
        self.marks = coverage.marks();
        self.blocks = Tally::default();
        let program = &self.executor.image.program;
        for (function, _) in program.functions.iter().filter(|(_, data)| !data.runtime && data.body.is_some()) {
            for (at, covered) in coverage.blocks(program, function).into_iter().enumerate() {
                self.blocks.count(covered);
                // A target stays one until a test comes there.
                if covered && self.config.targets.is_empty() {
                    self.board.cover(function, symcrete_ir::Block::from_u32(at as u32));
                }
            }
        }
    }

    /// The way on hangs on bits that nobody wrote: said once for each place.
    pub(crate) fn flag(&mut self, state: &State, value: &Value) {
        if self.flagged.insert(state.loc(&self.executor.image)) {
            let stack = state.stack(&self.executor.image);
            let origin = self.executor.origin_of(state, value);
            self.events.push(Event::Uninitialised(Uninitialised { stack, origin }));
        }
    }

    /// Whether a test takes this.
    pub(crate) fn is_covered(&self, mark: Mark) -> bool {
        self.suite.is_marked(mark)
    }

    pub(crate) fn note(&mut self, path: &mut Path) {
        let notes = std::mem::take(&mut self.executor.notes);
        for note in notes {
            match note {
                Note::Choice { sides, condition } => {
                    let missing = sides.iter().any(|side| !self.suite.is_marked(*side));
                    if missing && self.tries.is_open(sides) {
                        path.choices.add(sides, condition);
                    }
                }
                Note::Concretised { function, loc } => self.events.push(Event::Concretised { function, loc }),
                // Whether they decide anything, the run of its inputs tells.
                Note::UndefinedInExpression { .. } => {
                    path.may_use_unwritten = true;
                    if !self.config.targets.is_empty()
                        && self.taken_as_zero.insert(path.state.loc(&self.executor.image))
                    {
                        let stack = path.state.stack(&self.executor.image);
                        self.events.push(Event::UnwrittenTakenAsZero(Uninitialised { stack, origin: None }));
                    }
                }
            }
        }
    }
}

/// Notes what was chosen: the proposal if there was one, then the alternative and whether its condition was added.
pub(crate) fn decide(decisions: &mut crate::path::decisions::Decisions, proposal: Option<u64>, at: usize, added: bool) {
    if let Some(bits) = proposal {
        decisions.push(bits);
    }
    decisions.push((at as u64) << 1 | u64::from(added));
}

pub(crate) fn place(state: &State, executor: &Executor) -> Place {
    let mut places = state.places(&executor.image);
    let (function, block, instruction) = places.next().expect("a state has a frame");
    Place { function, block, instruction }
}

/// The status of a program whose entry returned.
pub(crate) fn returned(values: &[Value]) -> Ended {
    match values.first() {
        Some(Value::Word(status)) => Ended::Exited(*status as i32),
        _ => Ended::Exited(0),
    }
}

/// The choice for these bits, or else the one for any other.
pub(crate) fn choose(choices: &[Choice], bits: u64) -> Option<&Choice> {
    let exact = choices.iter().find(|choice| choice.value == Some(bits));
    exact.or_else(|| choices.iter().find(|choice| choice.value.is_none()))
}
