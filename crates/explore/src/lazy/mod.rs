//! Lazy expansion, after Majumdar and Sen, "LATEST: Lazy Dynamic Test Input Generation" (2007): the paths of the function under test are explored
//! without the paths of what it calls (`abstraction.rs`), and each is then made a path of the program by looking into calls on demand
//! (`concretise.rs`). What calls may change, `effects` says.

mod abstraction;
mod behind;
mod choice;
mod concretise;
mod dead_ends;
mod doomed;
mod effects;
mod expansion;
mod leaves;
mod noted;
mod other_sides;
mod plainly;
mod put_off;
mod scripts;

use std::hash::BuildHasher;
use std::rc::Rc;

use cranelift_entity::EntitySet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use symcrete_exec::Ended;
use symcrete_exec::coverage::{Coverage, Mark};
use symcrete_expr::dag::VariableSets;
use symcrete_ir::{BlockData, CallGraph, FuncId, Function, Inst, Returns};
use symcrete_solver::Random;

use crate::forward::Explorer;
use crate::path::Path;
use crate::report;
use abstraction::{Abstract, Came, Standing};
use behind::Asked;
use concretise::{Concretised, Wanted, in_order};
use effects::AllEffects;
use expansion::{Shared, SharedKnown};
use noted::Context;
use scripts::Scripts;

/// What may be set.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The function with which the program begins for its user.
    pub entry: Option<FuncId>,
    /// Only calls of these are passed over; `None`: all on whose way inputs decide.
    pub only: Option<Vec<FuncId>>,
    /// Calls of these are never passed over.
    pub never: Vec<FuncId>,
    /// Whether nothing is executed before the entry that could have taken addresses.
    pub is_whole: bool,
    /// Of all that is random.
    pub seed: u64,
}

/// How far it is.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub abstract_paths: u64,
    /// Those of them that paths of the program take, those that none takes, and those of which nobody could tell.
    pub concretised: u64,
    pub refuted: u64,
    pub open: u64,
    /// Paths through called functions that were looked at.
    pub expansions: u64,
    /// Paths that were known from other calls and did.
    pub reused: u64,
    /// Goals on what calls leave that were answered from behind.
    pub answered_behind: u64,
    /// Ends that hang on what a call gives: only the calls that tests make were looked at.
    pub suspicions: u64,
    /// Sides of branches that no solver could decide.
    pub undecided: u64,
}

/// What became of functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Functions {
    /// Those that were under test beside the entry: asked for, or because nothing could be said of what they leave.
    pub followed: Vec<FuncId>,
    /// Those that were passed over by what is under test.
    pub passed_over: Vec<FuncId>,
    /// Those of which nobody can say what they change.
    pub unbounded: Vec<FuncId>,
}

impl Counts {
    /// What was not decided.
    pub fn left_open(&self) -> u64 {
        self.open + self.undecided
    }
}

/// What is allowed for one abstract path at first.
const ALLOWANCE: u64 = 100;

/// After so many ends of abstract paths they go on in any order, and now and then with any that waits: always taking the first way on and going back the
/// least, long inputs would be filled with whatever may be repeated before anything else is seen. Unless so many wait.
const ENDS: u64 = 512;
const MOST_WAITING: usize = 4096;

/// A function whose calls cannot be passed over: what they leave is needed as it is.
pub struct Lost {
    function: FuncId,
}

pub struct Lazy {
    config: Config,
    graph: Rc<CallGraph>,
    returns: Rc<Returns>,
    effects: AllEffects,
    /// Functions whose calls may be passed over, those that ask the world, and both.
    candidates: Rc<EntitySet<FuncId>>,
    outside: EntitySet<FuncId>,
    outside_set: Rc<EntitySet<FuncId>>,
    paused: Rc<EntitySet<FuncId>>,
    /// Functions that are under test beside the entry: found out, or asked for.
    followed: FxHashSet<FuncId>,
    /// Functions whose calls are not passed over because what they leave is needed as it is. Those that call them may be.
    lost: FxHashSet<FuncId>,
    passed_over: FxHashSet<FuncId>,
    unbounded: FxHashSet<FuncId>,
    has_begun: bool,
    has_forked: bool,
    /// Whether it was tried to follow all paths.
    has_tried_all: bool,
    pending: Vec<Abstract>,
    /// How many abstract paths had ended when one was last taken up that had waited the longest.
    turned: u64,
    random: Random,
    /// Paths that ended where others went on.
    ended: Vec<(Abstract, Ended)>,
    /// Paths that take more than was allowed, which are looked at last; and what is allowed now for each, in questions to the solver.
    postponed: Vec<(Abstract, Ended)>,
    /// Beginnings of paths of which it takes as long to say whether they are real.
    put_off: Vec<Abstract>,
    allowance: u64,
    spent: u64,
    /// How often more was allowed.
    round: u32,
    /// How often it was asked whether the program begins as an abstract path does, and how often that came to nothing.
    asked: (u64, u64),
    /// Paths through functions, by the context of their calls.
    expansions: FxHashMap<Context, Shared>,
    known: FxHashMap<Context, SharedKnown>,
    /// How many paths through functions were met at once, at most: found, or under way.
    paths: FxHashMap<FuncId, usize>,
    /// Ways through functions that did before.
    scripts: Scripts,
    /// What became of goals that were handed to the backward search.
    asked_behind: FxHashMap<FuncId, Asked>,
    names: u32,
    /// Calls for whose former contents something stands.
    formers: u32,
    variables: VariableSets,
    /// Whether a question was put off that hangs on calls to come, since work on an abstract path began: then failures prove nothing.
    has_put_off: bool,
    /// How often sides of choices were looked for.
    side_tries: FxHashMap<Mark, u64>,
    /// Inputs that were told: what begins anew finds them again.
    told: FxHashSet<u64>,
    /// What was executed without being a run of a test.
    scratch: Coverage,
    /// What the solver may spend on one question, if it is not the usual.
    effort: Option<u64>,
    pub counts: Counts,
}

impl Lazy {
    pub fn new(explorer: &Explorer, config: Config) -> Lazy {
        let image = &explorer.executor.image;
        let graph = Rc::new(CallGraph::new(&image.program));
        let returns = Rc::new(effects::returns(image, &graph));
        let effects = AllEffects::new(graph.clone(), returns.clone());
        let outside = effects::outside(image);
        let random = Random::new(config.seed);
        let mut lazy = Lazy {
            followed: config.never.iter().copied().collect(),
            config,
            graph,
            returns,
            effects,
            candidates: Rc::default(),
            outside_set: Rc::new(outside.clone()),
            outside,
            paused: Rc::default(),
            lost: FxHashSet::default(),
            passed_over: FxHashSet::default(),
            unbounded: FxHashSet::default(),
            has_begun: false,
            has_forked: false,
            has_tried_all: false,
            pending: Vec::new(),
            turned: 0,
            random,
            ended: Vec::new(),
            postponed: Vec::new(),
            put_off: Vec::new(),
            allowance: ALLOWANCE,
            spent: 0,
            round: 0,
            asked: (0, 0),
            expansions: FxHashMap::default(),
            known: FxHashMap::default(),
            paths: FxHashMap::default(),
            scripts: Scripts::default(),
            asked_behind: FxHashMap::default(),
            names: 0,
            formers: 0,
            variables: VariableSets::default(),
            has_put_off: false,
            side_tries: FxHashMap::default(),
            told: FxHashSet::default(),
            scratch: Coverage::new(image),
            effort: None,
            counts: Counts::default(),
        };
        lazy.find_candidates(explorer);
        lazy
    }

    /// Functions whose calls may be passed over: all but those under test, and those that may call them, because what is under test would
    /// be passed over with them; but those that only compute, whose calls the executor may leave out; and but those of the program that never
    /// come back: what is under test goes on in them, as in a loop that reads commands.
    fn find_candidates(&mut self, explorer: &Explorer) {
        let program = &explorer.executor.image.program;
        let mut under_test: Vec<FuncId> = self.followed.iter().copied().collect();
        under_test.extend(self.config.entry);
        let mut candidates = EntitySet::new();
        let mut paused = self.outside.clone();
        self.config.entry.into_iter().for_each(|entry| {
            paused.insert(entry);
        });
        for (function, data) in program.functions.iter().filter(|(_, data)| data.body.is_some()) {
            let is_wanted = match &self.config.only {
                Some(only) => only.contains(&function),
                None => true,
            };
            let reached = self.graph.reachable_from([function]);
            let holds_test = under_test.iter().any(|tested| reached.contains(*tested));
            let can_be = has_ways(data) && !data.variadic && !self.outside.contains(function);
            let comes_back = data.runtime || self.config.only.is_some() || self.returns.may(function);
            if is_wanted && !holds_test && can_be && comes_back && !self.lost.contains(&function) {
                candidates.insert(function);
                paused.insert(function);
            }
        }
        (self.candidates, self.paused) = (Rc::new(candidates), Rc::new(paused));
    }

    /// What became of functions, each list in their order.
    pub fn functions(&self) -> Functions {
        let sorted = |set: &FxHashSet<FuncId>| {
            let mut list: Vec<FuncId> = set.iter().copied().collect();
            list.sort_unstable();
            list
        };
        let followed = sorted(&self.followed.union(&self.lost).copied().collect());
        let passed_over = sorted(&self.passed_over);
        Functions { followed, passed_over, unbounded: sorted(&self.unbounded) }
    }

    /// How much is pending.
    pub fn pending(&self) -> usize {
        let waiting = self.pending.len() + self.ended.len() + self.postponed.len() + self.put_off.len();
        waiting + usize::from(!self.has_begun)
    }

    /// Follows one abstract path to its next fork, or makes it a path of the program. `false` if nothing is pending. What is executed on
    /// the way covers nothing: only the runs of tests do.
    pub fn step(&mut self, explorer: &mut Explorer, stop: &mut dyn FnMut() -> bool) -> bool {
        std::mem::swap(&mut explorer.executor.coverage, &mut self.scratch);
        let is_pending = self.step_aside(explorer, stop);
        std::mem::swap(&mut explorer.executor.coverage, &mut self.scratch);
        is_pending
    }

    fn step_aside(&mut self, explorer: &mut Explorer, stop: &mut dyn FnMut() -> bool) -> bool {
        if !self.has_begun {
            self.begin(explorer);
        }
        if self.is_time_for_all(explorer) {
            self.follow_all(explorer, stop);
            return true;
        }
        if let Some((along, ended)) = self.ended.pop() {
            let is_done = |side: Mark| explorer.is_covered(side);
            if along.is_dead() || along.side.is_some_and(is_done) {
                return true;
            }
            self.conclude(explorer, along, ended, stop);
            return true;
        }
        self.turn();
        let Some(along) = self.pending.pop() else { return self.take_up_postponed() };
        let begin = Path::new(explorer.roots()[0].clone(), 0);
        (self.spent, self.has_put_off) = (0, false);
        match self.is_worth_following(explorer, &begin, &along, stop) {
            Ok(true) => {}
            Ok(false) => return true,
            Err(Concretised::Lost(lost)) => {
                self.lose(explorer, lost.function);
                return true;
            }
            Err(Concretised::Late) => {
                self.put_off(explorer, along);
                return true;
            }
            Err(_) => {
                self.pending.push(along);
                return true;
            }
        }
        let came = match self.take_up(explorer, along, stop) {
            Ok(along) => self.advance(explorer, along, None, stop),
            Err(came) => came,
        };
        match came {
            Came::Forked(ways) => {
                self.has_forked = true;
                let ways = self.in_any_order(ways);
                self.pending.extend(ways.into_iter().rev());
            }
            Came::Ended(along, ended) => self.conclude(explorer, *along, ended, stop),
            Came::Lost(lost) => self.lose(explorer, lost.function),
            Came::Undecided => self.counts.undecided += 1,
            Came::Stopped(along) => self.pending.push(*along),
            Came::Back(_) => unreachable!("the program has nowhere to return to"),
        }
        true
    }

    /// Now and then any of the paths that wait is the next one.
    fn turn(&mut self) {
        let is_time = self.counts.abstract_paths >= self.turned + ENDS && self.pending.len() < MOST_WAITING;
        if let (true, Some(last)) = (is_time, self.pending.len().checked_sub(1)) {
            self.turned = self.counts.abstract_paths;
            let waiting = self.random.below(last as u64 + 1) as usize;
            self.pending.swap(waiting, last);
        }
    }

    /// Ways on in the order in which they are taken.
    fn in_any_order(&mut self, mut ways: Vec<Abstract>) -> Vec<Abstract> {
        if self.turned > 0 {
            for left in (2..=ways.len()).rev() {
                ways.swap(left - 1, self.random.below(left as u64) as usize);
            }
        }
        ways
    }

    /// All is done but what takes longer: allows more for that. `false` if there is nothing.
    fn take_up_postponed(&mut self) -> bool {
        self.allowance = self.allowance.saturating_mul(8);
        self.round += 1;
        self.ended.append(&mut self.postponed);
        self.ended.reverse();
        self.pending.append(&mut self.put_off);
        self.pending.reverse();
        !self.ended.is_empty() || !self.pending.is_empty()
    }

    fn is_late(&self) -> bool {
        self.spent > self.allowance
    }

    fn begin(&mut self, explorer: &Explorer) {
        self.has_begun = true;
        self.has_forked = false;
        self.pending.clear();
        self.ended.clear();
        self.postponed.clear();
        self.put_off.clear();
        (self.allowance, self.round, self.asked, self.turned) = (ALLOWANCE, 0, (0, 0), 0);
        self.expansions.clear();
        self.known.clear();
        self.passed_over.clear();
        let Counts { expansions, reused, answered_behind, .. } = self.counts;
        self.counts = Counts { expansions, reused, answered_behind, ..Counts::default() };
        let path = Path::new(explorer.roots()[0].clone(), 0);
        self.pending.push(Abstract::new(path, 0));
    }

    /// Calls of a function are not passed over any more; all begins anew.
    fn lose(&mut self, explorer: &Explorer, function: FuncId) {
        self.lost.insert(function);
        self.find_candidates(explorer);
        self.begin(explorer);
    }

    /// A function is under test from now on; all begins anew.
    fn follow(&mut self, explorer: &Explorer, function: FuncId) {
        self.followed.insert(function);
        self.find_candidates(explorer);
        self.begin(explorer);
    }

    /// An abstract path came to its end.
    fn conclude(&mut self, explorer: &mut Explorer, mut along: Abstract, ended: Ended, stop: &mut dyn FnMut() -> bool) {
        if ended == Ended::Discarded {
            return;
        }
        let events = along.events.in_order();
        // A function with one path and one call only prepares what that call is to do: what it calls is under test.
        let is_driver = !self.has_forked && self.pending.is_empty() && self.ended.is_empty();
        if let (true, None, [event]) = (is_driver, &self.config.only, &events[..]) {
            return self.follow(explorer, event.function);
        }
        if events.is_empty() {
            self.counts.abstract_paths += 1;
            explorer.counts.iterations += 1;
            self.counts.concretised += 1;
            return self.report(explorer, &along.path, &ended);
        }
        let iterations = explorer.counts.iterations;
        (self.spent, self.has_put_off) = (0, false);
        let begin = Path::new(explorer.roots()[0].clone(), 0);
        let (conditions, model) = (in_order(&along.added), along.path.model.clone());
        let wanted = Wanted { conditions, events, model, to_end: true };
        match self.concretise(explorer, &begin, &wanted, stop) {
            Concretised::There => unreachable!("the path was to be followed to its end"),
            Concretised::Path(path, ended) => {
                along.is_taken();
                self.counts.concretised += u64::from(along.side.is_none());
                explorer.counts.iterations += 1;
                self.report(explorer, &path, &ended);
                self.add_other_sides(explorer, &along, &ended);
            }
            Concretised::Refuted if along.side.is_some() => {}
            Concretised::Refuted => {
                self.counts.refuted += 1;
                if let Err(Concretised::Lost(lost)) = self.cut_off(explorer, &begin, &along, stop) {
                    return self.lose(explorer, lost.function);
                }
            }
            Concretised::Open | Concretised::Costly => self.counts.open += 1,
            Concretised::Lost(lost) => return self.lose(explorer, lost.function),
            Concretised::Late => {
                // Where it ended does not matter any more, and there may be many.
                along.path.state = begin.state;
                self.postponed.push((along, ended));
                return;
            }
            Concretised::Stopped => {
                explorer.counts.iterations = iterations;
                self.ended.push((along, ended));
                return;
            }
        }
        self.counts.abstract_paths += u64::from(along.side.is_none());
        explorer.counts.iterations += 1;
    }

    /// An abstract path is none of the program's: finds out how much of it is to blame, so that no other one begins like that.
    fn cut_off(
        &mut self,
        explorer: &mut Explorer,
        begin: &Path,
        along: &Abstract,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(), Concretised> {
        for prefix in along.prefixes() {
            if prefix.standing.get() != Standing::Unknown {
                break;
            }
            let is_all = prefix.conditions == along.added.len() && prefix.events.len() == along.events.len();
            if is_all {
                prefix.standing.set(Standing::Dead);
            } else if self.is_real(explorer, begin, along, prefix, stop)? != Some(false) {
                break;
            }
        }
        Ok(())
    }

    /// A path of the program is over.
    fn report(&mut self, explorer: &mut Explorer, path: &Path, ended: &Ended) {
        let mut path = path.clone();
        path.is_pieced = true;
        let inputs = report::inputs(&mut explorer.executor, &path.state, &path.model);
        let memory = report::memory(&mut explorer.executor, &path.state, &path.model);
        if !self.told.insert(FxBuildHasher.hash_one((inputs, memory))) {
            return;
        }
        std::mem::swap(&mut explorer.executor.coverage, &mut self.scratch);
        explorer.finish(&path, ended.clone());
        std::mem::swap(&mut explorer.executor.coverage, &mut self.scratch);
    }
}

/// Whether a function does more than to compute in one block.
fn has_ways(function: &Function) -> bool {
    let Some(body) = &function.body else { return false };
    let calls = |block: &BlockData| block.insts.iter().any(|inst| matches!(inst, Inst::Call { .. }));
    body.blocks.len() > 1 || body.blocks.values().any(calls)
}
