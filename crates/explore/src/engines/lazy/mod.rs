//! Lazy expansion, after Majumdar and Sen, "LATEST: Lazy Dynamic Test Input Generation" (2007): the paths of the function under test are explored
//! without the paths of what it calls (`abstraction.rs`), and each is then made a path of the program by looking into calls on demand
//! (`concretise.rs`). What calls may change, `effects` says.

mod abstraction;
mod arrivals;
mod behind;
mod beside;
mod choice;
mod concretise;
mod dead_ends;
mod deeper;
mod doomed;
mod expansion;
mod groups;
mod leaves;
mod long;
mod noted;
mod order;
mod other_sides;
mod plainly;
mod put_off;
mod reasons;
mod scripts;
mod suspicions;

use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::rc::Rc;

use cranelift_entity::EntitySet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use symcrete_exec::coverage::{Coverage, Mark};
use symcrete_exec::{Class, Ended, Executor, State};
use symcrete_expr::dag::VariableSets;
use symcrete_ir::{BlockData, CallGraph, FuncId, Function, Inst, LocId, Returns};

use crate::engines::engine::{Engine, Turn};
use crate::path::Path;
use crate::report;
use crate::report::summary::{Progress, Summary};
use crate::session::Session;
use abstraction::{Abstract, Came, Standing};
use behind::Asked;
use beside::Beside;
use concretise::{Concretised, Until, Wanted, in_order};
use deeper::Deeper;
use expansion::{Shared, SharedKnown};
use noted::Context;
use order::Order;
use put_off::Later;
use scripts::Scripts;
use suspicions::Suspicions;
use symcrete_effects::{self as effects, AllEffects, Effects};

pub use reasons::{Functions, Reason};

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
    /// Whether to go on below the function under test where no test executes all code.
    pub deeper: bool,
    /// Whether all paths have a test there.
    pub every_path: bool,
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
    /// Faults of accesses and divisions that would happen with something that a call might give; those that do, those that never do, and the
    /// iterations that it took to tell.
    pub suspicions: u64,
    pub suspicions_real: u64,
    pub suspicions_refuted: u64,
    pub suspicion_iterations: u64,
    /// Abstract paths and iterations below the function under test, for code that no test had executed.
    pub deeper_paths: u64,
    pub deeper_iterations: u64,
    /// Paths that were followed as forward search does.
    pub whole_paths: u64,
    /// Sides of branches that no solver could decide.
    pub undecided: u64,
}

impl Counts {
    /// What was not decided.
    pub fn left_open(&self) -> u64 {
        self.open + self.undecided
    }
}

/// What is allowed for one abstract path at first.
const ALLOWANCE: u64 = 100;

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
    order: Order,
    /// Paths that ended where others went on.
    ended: Vec<(Abstract, Ended)>,
    /// Paths that take more than was allowed.
    later: Later,
    /// What is allowed for the path at hand, in questions to the solver, what was asked for it, and how often more was allowed.
    allowance: u64,
    spent: u64,
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
    suspicions: Suspicions,
    /// Whether one of them is looked at: there are many, and most are none, so that all that the solver does for it is charged.
    is_suspecting: bool,
    /// Places in doubt of layers above.
    doubtful: BTreeSet<LocId>,
    deeper: Deeper,
    beside: Beside,
    /// What became of goals that were handed to the backward search.
    asked_behind: FxHashMap<FuncId, Asked>,
    names: u32,
    /// Calls for whose former contents something stands.
    formers: u32,
    variables: VariableSets,
    /// Whether a question was put off that depends on calls to come, since work on an abstract path began: then failures prove nothing.
    has_put_off: bool,
    /// How often sides of choices were looked for.
    side_tries: FxHashMap<Mark, u64>,
    /// Inputs that were told: what begins anew finds them again.
    told: FxHashSet<u64>,
    /// Whether something took too long for now, since work on an abstract path began.
    was_long: bool,
    /// Paths that took long, by the function in which they were.
    long: Vec<(FuncId, Path)>,
    /// What was executed without being a run of a test.
    scratch: Coverage,
    /// What the solver may spend on one question, if it is not the usual.
    effort: Option<u64>,
    pub counts: Counts,
}

impl Lazy {
    /// What a call may do before which a path stands.
    fn effects_of_call(&mut self, executor: &mut Executor, state: &State, function: FuncId) -> Option<Rc<Effects>> {
        let arguments = executor.call_arguments(state);
        self.effects.of_call(&executor.image, &executor.arena, state, function, &arguments)
    }

    pub fn new(session: &Session, config: Config) -> Lazy {
        let image = &session.machine.executor.image;
        let graph = Rc::new(CallGraph::new(&image.program));
        let returns = Rc::new(effects::returns(image, &graph));
        let effects = AllEffects::new(graph.clone(), returns.clone());
        let outside = effects::outside(image);
        let order = Order::new(config.seed);
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
            order,
            ended: Vec::new(),
            later: Later::default(),
            allowance: ALLOWANCE,
            spent: 0,
            round: 0,
            asked: (0, 0),
            expansions: FxHashMap::default(),
            known: FxHashMap::default(),
            paths: FxHashMap::default(),
            scripts: Scripts::default(),
            suspicions: Suspicions::default(),
            is_suspecting: false,
            doubtful: BTreeSet::new(),
            deeper: Deeper::default(),
            beside: Beside::default(),
            asked_behind: FxHashMap::default(),
            names: 0,
            formers: 0,
            variables: VariableSets::default(),
            has_put_off: false,
            side_tries: FxHashMap::default(),
            told: FxHashSet::default(),
            was_long: false,
            long: Vec::new(),
            scratch: Coverage::new(image),
            effort: None,
            counts: Counts::default(),
        };
        lazy.find_candidates(session);
        lazy
    }

    /// Functions whose calls may be passed over: all but those under test, and those that may call them, because what is under test would
    /// be passed over with them; but those that only compute, whose calls the executor may leave out; and but those of the program that never
    /// come back: what is under test goes on in them, as in a loop that reads commands.
    fn find_candidates(&mut self, session: &Session) {
        let program = &session.machine.executor.image.program;
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

    /// How much is pending.
    fn pending(&self) -> usize {
        let waiting = self.pending.len() + self.ended.len() + self.later.len();
        waiting + self.suspicions.len() + usize::from(!self.has_begun)
    }

    /// Follows one abstract path to its next fork, or makes it a path of the program. `false` if nothing is pending. What is executed on
    /// the way covers nothing: only the runs of tests do.
    fn step(&mut self, session: &mut Session, stop: &mut dyn FnMut() -> bool) -> bool {
        if self.is_time_for_whole_paths(session) {
            self.follow_whole_paths(session, stop);
            return true;
        }
        std::mem::swap(&mut session.machine.executor.coverage, &mut self.scratch);
        let is_pending = self.step_aside(session, stop);
        self.count_apart(session);
        std::mem::swap(&mut session.machine.executor.coverage, &mut self.scratch);
        if !is_pending && self.ends_with_whole_paths() {
            self.follow_whole_paths(session, stop);
            return true;
        }
        if !is_pending {
            self.leave_whole_paths(session);
        }
        is_pending
    }

    fn step_aside(&mut self, session: &mut Session, stop: &mut dyn FnMut() -> bool) -> bool {
        if !self.has_begun {
            self.begin(session);
        }
        self.leave_layer(session);
        if self.is_time_for_all(session) {
            self.follow_all(session, stop);
            return true;
        }
        if self.is_time_for_later(session) {
            self.take_up_later(session, stop);
            return true;
        }
        if let Some((along, ended)) = self.ended.pop() {
            let is_done = |side: Mark| session.suite.is_covered(side);
            if !along.is_dead() && !along.side.is_some_and(is_done) {
                self.conclude(session, along, ended, stop);
            }
            return true;
        }
        if self.is_time_to_suspect(session) {
            self.look_at_suspicion(session, stop);
            return true;
        }
        self.order.choose(self.counts.abstract_paths, &mut self.pending);
        match self.pending.pop() {
            Some(along) => self.go_on(session, along, stop),
            None => return self.go_deeper(session) || self.settle(session, stop),
        }
        true
    }

    /// Follows an abstract path to its next fork or its end, if it may be one of the program's.
    fn go_on(&mut self, session: &mut Session, along: Abstract, stop: &mut dyn FnMut() -> bool) {
        let begin = Path::new(session.roots()[0].clone(), 0);
        self.allow(along.tries);
        match self.is_worth_following(session, &begin, &along, stop) {
            Ok(true) => {}
            Ok(false) => return,
            Err(Concretised::Lost(lost)) => return self.lose(session, lost.function),
            Err(Concretised::Late) => return self.put_off(session, along, None),
            Err(_) => return self.pending.push(along),
        }
        let came = match self.take_up(session, along, stop) {
            Ok(along) => self.advance(session, along, None, stop),
            Err(came) => came,
        };
        match came {
            Came::Forked(mut ways) => {
                self.has_forked = true;
                ways.iter_mut().for_each(|way| way.tries = 0);
                self.order.sort(&mut ways);
                self.pending.extend(ways);
            }
            Came::Ended(along, ended) => self.conclude(session, *along, ended, stop),
            Came::Lost(lost) => self.lose(session, lost.function),
            Came::Undecided => self.counts.undecided += 1,
            Came::Stopped(along) => self.pending.push(*along),
            Came::Long(along) => self.later.push(*along),
            Came::Back(_) => unreachable!("the program has nowhere to return to"),
        }
    }

    /// Work on a path begins for which more was allowed so many times.
    fn allow(&mut self, tries: u32) {
        let allowance = ALLOWANCE.saturating_mul(8_u64.saturating_pow(tries));
        (self.allowance, self.round) = (allowance, tries);
        (self.spent, self.has_put_off) = (0, false);
    }

    fn is_late(&self) -> bool {
        self.spent > self.allowance
    }

    fn begin(&mut self, session: &Session) {
        self.has_begun = true;
        self.has_forked = false;
        self.pending.clear();
        self.ended.clear();
        self.later.clear();
        self.asked = (0, 0);
        self.order.restart();
        self.expansions.clear();
        self.known.clear();
        self.suspicions.restart();
        self.passed_over.clear();
        let Counts { expansions, reused, answered_behind, deeper_iterations, .. } = self.counts;
        self.counts = Counts { expansions, reused, answered_behind, deeper_iterations, ..Counts::default() };
        self.count_suspicions();
        let path = Path::new(session.roots()[0].clone(), 0);
        self.pending.push(Abstract::new(path, 0));
    }

    /// Calls of a function are not passed over any more; all begins anew.
    fn lose(&mut self, session: &Session, function: FuncId) {
        self.lost.insert(function);
        self.find_candidates(session);
        self.begin(session);
    }

    /// A function is under test from now on; all begins anew.
    fn follow(&mut self, session: &Session, function: FuncId) {
        self.followed.insert(function);
        self.find_candidates(session);
        self.begin(session);
    }

    /// An abstract path came to its end.
    fn conclude(&mut self, session: &mut Session, along: Abstract, ended: Ended, stop: &mut dyn FnMut() -> bool) {
        if ended == Ended::Discarded {
            return;
        }
        let events = along.events.in_order();
        // A function with one path and one call only prepares what that call is to do: what it calls is under test.
        let is_driver = !self.has_forked && self.pending.is_empty() && self.ended.is_empty();
        if let (true, None, [event]) = (is_driver, &self.config.only, &events[..]) {
            return self.follow(session, event.function);
        }
        if events.is_empty() {
            self.counts.abstract_paths += 1;
            session.meter.counts.iterations += 1;
            self.counts.concretised += 1;
            return self.report(session, &along.path, &ended);
        }
        let iterations = session.meter.counts.iterations;
        self.allow(along.tries);
        let begin = Path::new(session.roots()[0].clone(), 0);
        let (conditions, model) = (in_order(&along.added), along.path.model.clone());
        let until = if ended.class() == Class::Normal { Until::OwnEnd } else { Until::End };
        let wanted = Wanted { conditions, events, model, until };
        match self.concretise(session, &begin, &wanted, stop) {
            Concretised::There => unreachable!("the path was to be followed to its end"),
            Concretised::Path(path, ended) => {
                along.is_taken();
                self.counts.concretised += u64::from(along.side.is_none());
                session.meter.counts.iterations += 1;
                self.report(session, &path, &ended);
                self.add_other_sides(session, &along, &ended);
            }
            Concretised::Refuted if along.side.is_some() => {}
            Concretised::Refuted => {
                self.counts.refuted += 1;
                if let Err(Concretised::Lost(lost)) = self.cut_off(session, &begin, &along, stop) {
                    return self.lose(session, lost.function);
                }
            }
            Concretised::Open | Concretised::Costly => self.counts.open += 1,
            Concretised::Lost(lost) => return self.lose(session, lost.function),
            Concretised::Late => return self.put_off(session, along, Some(ended)),
            Concretised::Stopped => {
                session.meter.counts.iterations = iterations;
                self.ended.push((along, ended));
                return;
            }
        }
        self.counts.abstract_paths += u64::from(along.side.is_none());
        session.meter.counts.iterations += 1;
    }

    /// An abstract path is none of the program's: finds out how much of it is to blame, so that no other one begins like that.
    fn cut_off(
        &mut self,
        session: &mut Session,
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
            } else if self.is_real(session, begin, along, prefix, stop)? != Some(false) {
                break;
            }
        }
        Ok(())
    }

    /// A path of the program is over.
    fn report(&mut self, session: &mut Session, path: &Path, ended: &Ended) {
        self.note_path(session);
        let mut path = path.clone();
        path.is_pieced = true;
        path.is_extra = self.is_extra();
        let inputs = report::inputs(&mut session.machine.executor, &path.state, &path.model);
        let memory = report::memory(&mut session.machine.executor, &path.state, &path.model);
        let is_new = self.told.insert(FxBuildHasher.hash_one((&inputs, memory)));
        let ended = session.cut_short(&path, &inputs).unwrap_or_else(|| ended.clone());
        std::mem::swap(&mut session.machine.executor.coverage, &mut self.scratch);
        match is_new {
            true => session.finish(&path, ended),
            // What was to be looked for beside it may have been dropped when all began anew.
            false => session.other_sides(&path, &ended, false),
        }
        std::mem::swap(&mut session.machine.executor.coverage, &mut self.scratch);
    }
}

impl Engine for Lazy {
    fn turn(&mut self, session: &mut Session) -> Turn {
        let stop = session.stop.clone();
        if self.step(session, &mut || stop.is_set()) { Turn::Progress } else { Turn::Done }
    }

    fn leave(&mut self, session: &mut Session, _: bool) {
        self.leave_whole_paths(session);
        self.report_unfinished(session);
    }

    fn progress(&self, progress: &mut Progress) {
        progress.lazy = self.all_counts();
    }

    fn summarize(&mut self, session: &Session, summary: &mut Summary) {
        summary.dropped += self.pending();
        summary.functions = Some(self.functions(session));
    }
}

/// Whether a function does more than to compute in one block.
fn has_ways(function: &Function) -> bool {
    let Some(body) = &function.body else { return false };
    let calls = |block: &BlockData| block.insts.iter().any(|inst| matches!(inst, Inst::Call { .. }));
    body.blocks.len() > 1 || body.blocks.values().any(calls)
}
