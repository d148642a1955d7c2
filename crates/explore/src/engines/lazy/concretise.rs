//! Concretisation (section 4 of the paper on lazy expansion): an abstract path becomes one of the program, call by call. The program is executed
//! along it with real states; where it comes to a call that was passed over, a path through the called function is taken (`expansion.rs`)
//! whose results and effects agree with all conditions of the rest: what was fresh is replaced by what that path leaves. Then the calls
//! on that path are next. If none agrees, the call before is given another path.
//!
//! The paper executes again for every attempt, because its stores know nothing of side effects (section 4.2). Here all that a call may change
//! is fresh, so that conditions behind it say all; and real states are kept with the calls before which they stand, so that what two
//! abstract paths have in common is executed once.

use std::ops::ControlFlow;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use symcrete_exec::pause::{Pause, Pauses, Site};
use symcrete_exec::step::symbolic::Note;
use symcrete_exec::{Class, Ended, Fork, Outcome, Question, State};
use symcrete_expr::dag::{GatheredVariables, substitute_next};
use symcrete_expr::{Expr, Model};
use symcrete_ir::FuncId;
use symcrete_solver::{Answer, Conditions, LATEST, Reason};

use super::abstraction::{Abstract, Event, HARD, Prefix, Standing, fresh_of};
use super::choice::{Choice, Open, Stage, is_fresh};
use super::dead_ends::DeadEnds;
use super::groups::Groups;
use super::long::Way;
use super::noted::Context;
use super::{Lazy, Lost};
use crate::drive::onward::Onward;
use crate::drive::{Decide, SLICE, Step, drive};
use crate::path::Path;
use crate::path::decisions::decide;
use crate::session::Session;
use crate::session::meter::queries;

/// What fresh values turned out to be.
pub type Meanings = Rc<FxHashMap<Expr, Expr>>;

/// What fresh arrays turned out to contain.
pub type Arrays = Rc<FxHashMap<Expr, Context>>;

/// A real path before a call of an abstract path, and what the calls before it left.
pub struct Before {
    pub path: Path,
    pub meanings: Meanings,
    pub arrays: Arrays,
}

/// A real path on its way.
#[derive(Clone)]
pub struct Real {
    pub path: Path,
    /// Whether it began with the program: one that began with a call does not know all conditions that led there.
    pub is_whole: bool,
    /// What must hold as well, and speaks of calls that are still to come.
    pub goal: Rc<Vec<Expr>>,
    /// Calls of expansions around the path that come next; the next one is the last. With how much deeper they are here than there.
    pub nested: Vec<(Rc<Event>, i64)>,
    /// The next call of the abstract path.
    pub top: usize,
    /// Calls that could have been passed over and were not, since the latest that was, or since one was entered.
    pub others: u32,
    /// It goes through one of them, which returns to this activation.
    pub through: Option<u64>,
    /// Calls under way that were passed over.
    pub open: Vec<Open>,
    pub meanings: Meanings,
    pub arrays: Arrays,
}

/// What is looked for: conditions with fresh values, the calls that these come from, and values for which the conditions hold.
pub struct Wanted {
    pub conditions: Vec<Expr>,
    pub events: Vec<Rc<Event>>,
    pub model: Rc<Model>,
    pub until: Until,
}

/// How far a real path is to be followed.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Until {
    /// Behind the last of the calls.
    Calls,
    /// To its end, whatever that is.
    End,
    /// To its end, which is not that memory is accessed that a call gave back: abstract paths do not know of that.
    OwnEnd,
}

impl Wanted {
    /// Whether its calls are those of what is under test, and not of a call.
    fn is_whole(&self) -> bool {
        self.events.first().is_none_or(|event| event.level == 0)
    }

    /// The same up to one of its calls.
    pub fn up_to(&self, at: usize) -> Wanted {
        let conditions = self.conditions[..self.events[at].upto.min(self.conditions.len())].to_vec();
        Wanted { conditions, events: self.events[..=at].to_vec(), model: self.model.clone(), until: Until::Calls }
    }
}

/// The result for an abstract path.
pub enum Concretised {
    Path(Box<Path>, Ended),
    /// A path of the program comes behind all of its calls.
    There,
    /// No path of the program takes it.
    Refuted,
    /// Nobody could tell.
    Open,
    /// Too many calls were given too many paths.
    Costly,
    /// It takes more than is allowed for now.
    Late,
    Lost(Lost),
    Stopped,
}

/// What a real path came to.
enum Arrived {
    End(Box<Path>, Ended),
    /// Behind the last call.
    There,
    Call(Box<Choice>),
    /// Where it was before.
    Again,
    /// Not along the abstract path, or at its end, but nobody knows what a call left that it depends on.
    Unsettled,
    /// Nowhere, with all that is allowed for it.
    Long,
    Stopped,
}

/// How a path is looked for.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Manner {
    /// One path through each call after the other, until some calls were without success.
    Hasty,
    /// One path through each call after the other.
    Patient,
    /// All paths through a call as one where they are few.
    Merging,
}

/// Answers of a solver to whether conditions can hold together.
pub enum Together {
    Yes(Rc<Model>),
    No,
    Unknown,
    Stopped,
}

/// Calls that an abstract path may pass over before somebody looks whether the program does the same, while it nearly always does; else none.
const IN_ADVANCE: usize = 3;
/// The same on a path through a call: whether it does for what is wanted of the call is seen for less where it returns.
const IN_ADVANCE_WITHIN: usize = 8;
/// Nearly always: all but one in so many.
const NEARLY: u64 = 8;

/// Calls that are given another path before all of their paths are taken as one.
const PATIENCE: usize = 32;
/// Calls within calls that were passed over. Where recursion goes deeper, it rarely comes to an end, and each step takes as much memory as all before.
const MOST_UNDER_WAY: usize = 200;
/// What the solver may spend on one question at first, or about all paths at once: about a fiftieth of a second.
pub const QUICK: u64 = 20000;
/// Paths that may be made of one by following a function.
const FEW: usize = 1000;

/// Rounds in which nothing goes back over calls before the latest that was reached.
const ONWARD: u32 = 2;

/// Questions that may be asked to take all paths through calls as one.
const MERGED_QUESTIONS: u64 = 200;

/// A search from a real path on, which can be left where it comes to a call, and taken up again.
pub struct Attempt {
    /// Calls that are given one path after the other, the latest last.
    trail: Vec<Choice>,
    /// What runs next, if not another path is to be chosen for the latest call.
    next: Option<Box<Real>>,
    pub is_open: bool,
    /// A path that was cut short or came to an access that fails, if no other is found.
    cut_short: Option<(Box<Path>, Ended)>,
    /// Calls for which no path did.
    failures: usize,
    /// What was asked about by all that failed.
    touched: GatheredVariables,
    /// Paths through its first call that leave the same, if only some of these are to be taken: before it came there, and when all were.
    groups: Option<Groups>,
}

impl Attempt {
    /// The same, taking only some of the paths through its first call that leave the same.
    pub fn grouping(self, groups: Groups) -> Attempt {
        Attempt { groups: Some(groups), ..self }
    }

    /// The number of the path that was taken through the first call; 0 if that is in no group.
    pub fn taken(&self) -> usize {
        self.trail.first().and_then(|choice| choice.groups.as_ref()).map_or(0, |groups| groups.latest)
    }

    /// What was asked about by all that failed, and paths through the first call that leave the same.
    pub fn over(self) -> (GatheredVariables, Groups) {
        (self.touched, self.groups.unwrap_or_default())
    }
}

/// The result of resuming an attempt.
pub enum Tried {
    Came(Concretised),
    /// A real path stands before the call that was named.
    Before(Box<Real>),
}

impl Lazy {
    /// Looks for a path of the program that takes an abstract one, from a real path on; to its end, or only behind the last of its calls.
    pub fn concretise(
        &mut self,
        session: &mut Session,
        begin: &Path,
        wanted: &Wanted,
        stop: &mut dyn FnMut() -> bool,
    ) -> Concretised {
        self.was_long = false;
        match self.concretise_somehow(session, begin, wanted, stop) {
            Concretised::Open if self.was_long => Concretised::Late,
            came => came,
        }
    }

    fn concretise_somehow(
        &mut self,
        session: &mut Session,
        begin: &Path,
        wanted: &Wanted,
        stop: &mut dyn FnMut() -> bool,
    ) -> Concretised {
        let dead_ends = &mut DeadEnds::default();
        // From where the latest of its calls was reached by another path; then from the beginning, in case that took a wrong turn.
        let latest = wanted.events.iter().enumerate().rev();
        let known = latest.into_iter().find_map(|(at, event)| Some((at, event.real.borrow().clone()?)));
        let known = known.map(|(at, before)| (at, real_before(session, wanted, at, &before)));
        let (first, begin) = (begin, real_at(session, wanted, begin));
        if self.round < ONWARD {
            let (is_first, real) = match known {
                Some((at, real)) => (at == 0, real),
                None => (true, begin.clone()),
            };
            let effort = self.effort.replace(QUICK);
            let mut came = self.search(session, real, wanted, dead_ends, Manner::Patient, stop);
            if matches!(came, Concretised::Refuted) && !is_first {
                // A path through a call has few calls to go back over; and to put it off would be to put off all that is around it.
                came = match wanted.is_whole() {
                    true => Concretised::Late,
                    false => self.search(session, begin, wanted, dead_ends, Manner::Patient, stop),
                };
            }
            self.effort = effort;
            return match came {
                Concretised::Open if wanted.is_whole() => Concretised::Late,
                came => came,
            };
        }
        if let Some((at, real)) = known {
            match self.search(session, real, wanted, dead_ends, Manner::Hasty, stop) {
                Concretised::Costly => {}
                Concretised::Refuted | Concretised::Open if at > 0 => {}
                came => return came,
            }
        }
        if wanted.is_whole() {
            let allowance = self.allowance;
            self.allowance = self.spent + allowance.saturating_sub(self.spent) / 2;
            let came = self.search_arrivals(session, first, wanted, stop);
            self.allowance = allowance;
            match came {
                None | Some(Concretised::Open | Concretised::Late) => {}
                Some(came) => return came,
            }
        }
        match self.search(session, begin.clone(), wanted, dead_ends, Manner::Hasty, stop) {
            Concretised::Costly | Concretised::Open => {}
            came => return came,
        }
        let allowance = self.allowance;
        self.allowance = self.spent + MERGED_QUESTIONS;
        let effort = self.effort.replace(QUICK);
        let came = self.search(session, begin.clone(), wanted, dead_ends, Manner::Merging, stop);
        (self.effort, self.allowance) = (effort, allowance);
        match came {
            Concretised::Open | Concretised::Late => match self.simple_one(wanted) {
                Some(function) => Concretised::Lost(Lost { function }),
                None => self.search(session, begin, wanted, dead_ends, Manner::Patient, stop),
            },
            came => came,
        }
    }

    /// The latest function that a path passes over and that has so few paths that following it makes few paths of this one: where the calls of an
    /// abstract path hang together so much that one is hard to find that the program takes, that costs less than passing over it.
    fn simple_one(&self, wanted: &Wanted) -> Option<FuncId> {
        let mut ways: FxHashMap<FuncId, usize> = FxHashMap::default();
        for event in &wanted.events {
            let paths = self.paths.get(&event.function).copied().unwrap_or(usize::MAX);
            let all = ways.entry(event.function).or_insert(1);
            *all = all.saturating_mul(paths);
        }
        let mut latest = wanted.events.iter().rev().map(|event| event.function);
        latest.find(|function| (2..=FEW).contains(&ways[function]))
    }

    /// Whether a path of the program begins as an abstract one does up to a fork. `None` if nobody can tell.
    pub fn is_real(
        &mut self,
        session: &mut Session,
        begin: &Path,
        along: &Abstract,
        prefix: &Rc<Prefix>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Option<bool>, Concretised> {
        let mut conditions = in_order(&along.added);
        conditions.truncate(prefix.conditions);
        let (events, model) = (prefix.events.in_order(), along.path.model.clone());
        let wanted = Wanted { conditions, events, model, until: Until::Calls };
        match self.concretise(session, begin, &wanted, stop) {
            Concretised::Path(..) | Concretised::There => {
                let taken = std::iter::successors(Some(prefix), |prefix| prefix.parent.as_ref());
                taken.for_each(|prefix| prefix.standing.set(Standing::Real));
                Ok(Some(true))
            }
            Concretised::Refuted => {
                prefix.standing.set(Standing::Dead);
                Ok(Some(false))
            }
            Concretised::Open | Concretised::Costly => Ok(None),
            other => Err(other),
        }
    }

    /// Searches from a real path on.
    fn search(
        &mut self,
        session: &mut Session,
        real: Real,
        wanted: &Wanted,
        dead_ends: &mut DeadEnds,
        manner: Manner,
        stop: &mut dyn FnMut() -> bool,
    ) -> Concretised {
        let mut attempt = match self.attempt(session, real) {
            Ok(attempt) => attempt,
            Err(came) => return came,
        };
        match self.go_on_with(session, &mut attempt, wanted, dead_ends, (manner, None), stop) {
            Tried::Came(came) => came,
            Tried::Before(_) => unreachable!("no call was named before which to stop"),
        }
    }

    /// An attempt from a real path on, if all conditions on it can hold together.
    pub fn attempt(&mut self, session: &mut Session, mut real: Real) -> Result<Attempt, Concretised> {
        match self.together(session, &real.path.conditions, &real.goal, &real.path.model) {
            Together::Yes(model) => real.path.model = model,
            Together::No => return Err(Concretised::Refuted),
            Together::Unknown => return Err(Concretised::Open),
            Together::Stopped => return Err(Concretised::Stopped),
        }
        let mut touched = GatheredVariables::default();
        self.gather(&session.machine.executor.arena, &real.goal, &mut touched);
        let next = Some(Box::new(real));
        Ok(Attempt { trail: Vec::new(), next, is_open: false, cut_short: None, failures: 0, touched, groups: None })
    }

    /// Looks for an end of a real path on which only the calls are to be given paths in which it is.
    pub fn run_to_end(&mut self, session: &mut Session, real: Real, stop: &mut dyn FnMut() -> bool) -> Concretised {
        let event = real.open.last().map(|open| open.event.clone());
        let events = event.into_iter().cycle().take(real.top).collect();
        let wanted = Wanted { conditions: Vec::new(), events, model: real.path.model.clone(), until: Until::End };
        self.search(session, real, &wanted, &mut DeadEnds::default(), Manner::Patient, stop)
    }

    /// Goes on with an attempt, to the end or up to a call of the abstract path. Called again, it looks for another way there.
    pub fn go_on_with(
        &mut self,
        session: &mut Session,
        attempt: &mut Attempt,
        wanted: &Wanted,
        dead_ends: &mut DeadEnds,
        (manner, until): (Manner, Option<usize>),
        stop: &mut dyn FnMut() -> bool,
    ) -> Tried {
        loop {
            if let Some(real) = attempt.next.take() {
                match self.run(session, *real, wanted, stop) {
                    // Another one may be shorter.
                    Arrived::End(path, ended) if ended.class() == Class::Limit => {
                        (attempt.is_open, attempt.cut_short) = (true, Some((path, ended)));
                    }
                    Arrived::End(path, ended) if wanted.until == Until::OwnEnd && is_access(&ended) => {
                        self.tell_fault(session, &path, &ended);
                        (attempt.is_open, attempt.cut_short) = (true, Some((path, ended)));
                    }
                    Arrived::End(path, ended) => return Tried::Came(Concretised::Path(path, ended)),
                    Arrived::There => return Tried::Came(Concretised::There),
                    Arrived::Call(choice) if choice.is_top && until == Some(choice.real.top) => {
                        return Tried::Before(Box::new(choice.real));
                    }
                    Arrived::Call(choice) => {
                        self.come_to_call(session, attempt, *choice, wanted, dead_ends, manner);
                    }
                    Arrived::Again => {}
                    Arrived::Unsettled => attempt.is_open = true,
                    Arrived::Long => (attempt.is_open, self.was_long) = (true, true),
                    Arrived::Stopped => return Tried::Came(Concretised::Stopped),
                }
            }
            if (self.is_late() || attempt.trail.is_empty())
                && let Some((path, ended)) = attempt.cut_short.take()
            {
                return Tried::Came(Concretised::Path(path, ended));
            }
            if self.is_late() {
                return Tried::Came(Concretised::Late);
            }
            let Some(choice) = attempt.trail.last_mut() else {
                let is_open = attempt.is_open;
                return Tried::Came(if is_open { Concretised::Open } else { Concretised::Refuted });
            };
            match self.choose(session, choice, &mut attempt.is_open, stop) {
                Ok(Some(real)) => attempt.next = Some(Box::new(real)),
                Ok(None) => {
                    self.go_back(session, attempt, wanted, dead_ends);
                    if manner == Manner::Hasty && attempt.failures > PATIENCE {
                        return Tried::Came(Concretised::Costly);
                    }
                }
                Err(came) => return Tried::Came(came),
            }
        }
    }

    /// An attempt came to a call that was passed over.
    fn come_to_call(
        &mut self,
        session: &mut Session,
        attempt: &mut Attempt,
        mut choice: Choice,
        wanted: &Wanted,
        dead_ends: &mut DeadEnds,
        manner: Manner,
    ) {
        let arena = &mut session.machine.executor.arena;
        match self.is_dead_end(arena, dead_ends, wanted, &choice) {
            Some(dead_end) => match attempt.trail.last_mut() {
                Some(before) => {
                    before.touched.add_all(&dead_end.touched);
                    before.wish = dead_end.needs;
                }
                None => attempt.touched.add_all(&dead_end.touched),
            },
            None => {
                if manner == Manner::Merging {
                    choice.stage = Stage::Merged;
                }
                if attempt.trail.is_empty() {
                    choice.groups = attempt.groups.take();
                }
                attempt.trail.push(choice);
            }
        }
    }

    /// The latest call of an attempt has no path that does: the one before is given another.
    fn go_back(&mut self, session: &mut Session, attempt: &mut Attempt, wanted: &Wanted, dead_ends: &mut DeadEnds) {
        attempt.failures += 1;
        let Some(failed) = attempt.trail.pop() else { return };
        if !attempt.is_open && !self.has_put_off {
            self.note_dead_end(&mut session.machine.executor.arena, dead_ends, wanted, &failed);
        }
        match attempt.trail.last_mut() {
            Some(before) => {
                before.touched.add_all(&failed.touched);
                before.wish = failed.needs.or(failed.wish);
            }
            None => {
                attempt.touched.add_all(&failed.touched);
                attempt.groups = failed.groups;
            }
        }
    }

    /// Whether an abstract path may still be one of the program's: looked at only when it has passed over several calls on its own account.
    pub fn is_worth_following(
        &mut self,
        session: &mut Session,
        begin: &Path,
        along: &Abstract,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Concretised> {
        if along.is_dead() {
            return Ok(false);
        }
        let (asked, in_vain) = self.asked;
        let in_advance = match along.level {
            0 if in_vain * NEARLY > asked => 0,
            0 => IN_ADVANCE,
            _ => IN_ADVANCE_WITHIN,
        };
        match &along.prefix {
            Some(prefix) if along.in_advance() > in_advance && prefix.standing.get() == Standing::Unknown => {
                let real = self.is_real(session, begin, along, prefix, stop);
                if along.level == 0 {
                    self.asked.0 += 1;
                    self.asked.1 += u64::from(!matches!(real, Ok(Some(true))));
                }
                Ok(real? != Some(false))
            }
            _ => Ok(true),
        }
    }

    /// Whether conditions can hold beside those of a path, and inputs for which they do. The model satisfies those of the path.
    pub fn together(
        &mut self,
        session: &mut Session,
        conditions: &Conditions,
        goal: &[Expr],
        model: &Rc<Model>,
    ) -> Together {
        let arena = &mut session.machine.executor.arena;
        if goal.iter().any(|condition| arena.as_word(*condition) == Some(0)) {
            return Together::No;
        }
        let mut conditions = conditions.clone();
        let mut model = model.clone();
        // Those that hold already first: they keep what was found before.
        let mut left = Vec::new();
        for condition in goal {
            match session.machine.chain.evaluate(arena, &model, *condition).is_zero() {
                true => left.push(*condition),
                false => conditions.push(arena, *condition),
            }
        }
        // What depends on little refutes the most for the least.
        left.sort_by_cached_key(|condition| {
            let set = self.variables.of(arena, *condition);
            self.variables.variables(set).count()
        });
        for condition in left {
            if session.machine.chain.evaluate(arena, &model, condition).is_zero() {
                let is_fresh = !fresh_of(&mut self.variables, arena, condition).is_empty();
                let mut limits = session.machine.chain.config().limits.clone();
                limits.effort = self.effort.map_or(limits.effort, |effort| effort.min(limits.effort));
                // It will be asked again, so it may cost less.
                limits.effort = if is_fresh { (limits.effort / 8).min(HARD) } else { limits.effort };
                let before = queries(&session.machine.chain);
                let answer = session.machine.chain.check_with(arena, &conditions, condition, &model, &limits);
                self.spent += if self.is_suspecting { queries(&session.machine.chain) - before } else { 1 };
                match answer {
                    Answer::Sat(found) => model = Rc::new(found),
                    Answer::Unsat => return Together::No,
                    Answer::Unknown(Reason::Interrupted) => return Together::Stopped,
                    // Asked again when calls have given what it depends on.
                    Answer::Unknown(_) if is_fresh => {
                        self.has_put_off = true;
                        continue;
                    }
                    Answer::Unknown(_) => return Together::Unknown,
                }
            }
            conditions.push(arena, condition);
        }
        Together::Yes(model)
    }

    /// Whether all that a path depends on is known.
    fn is_settled(&mut self, session: &Session, real: &Real) -> bool {
        real.goal.iter().all(|condition| self.fresh_in(session, *condition).is_empty())
    }

    /// Whether all conditions of an abstract path hold for what calls left on a real path: nothing else makes it one that takes it. What nobody
    /// knows of a call holds for nothing.
    fn is_taken(&mut self, session: &mut Session, real: &Real, wanted: &Wanted) -> bool {
        let mut known = FxHashMap::clone(&real.meanings);
        wanted.conditions.iter().all(|condition| {
            let real_one = substitute_next(&mut session.machine.executor.arena, *condition, &mut known);
            let is_known = self.fresh_in(session, real_one).is_empty();
            is_known
                && !session
                    .machine
                    .chain
                    .evaluate(&session.machine.executor.arena, &real.path.model, real_one)
                    .is_zero()
        })
    }

    /// Runs a real path as its model says, up to a call that was passed over, or to its end.
    fn run(&mut self, session: &mut Session, real: Real, wanted: &Wanted, stop: &mut dyn FnMut() -> bool) -> Arrived {
        let (pauses, way) = (Pauses::default(), Way::new(self));
        let mut running = Running { lazy: self, real, wanted, pauses, way, stop };
        let place = drive(session, &mut running);
        let real = running.real;
        match place {
            At::End(ended) => Arrived::End(Box::new(real.path), ended),
            At::There => Arrived::There,
            At::Call(event, is_top, site) => Arrived::Call(Box::new(self.choice(session, real, event, is_top, site))),
            At::Again => Arrived::Again,
            At::Unsettled => Arrived::Unsettled,
            At::Long => Arrived::Long,
            At::Stopped => Arrived::Stopped,
        }
    }
}

/// A real path that is executed as its model says.
struct Running<'a> {
    lazy: &'a mut Lazy,
    real: Real,
    wanted: &'a Wanted,
    pauses: Pauses,
    way: Way,
    stop: &'a mut dyn FnMut() -> bool,
}

/// Where it stands, as `Arrived` without the path.
enum At {
    End(Ended),
    There,
    Call(Rc<Event>, bool, Site),
    Again,
    Unsettled,
    Long,
    Stopped,
}

impl Running<'_> {
    /// Whether all calls of the abstract path are behind it.
    fn is_behind(&self) -> bool {
        self.real.top == self.wanted.events.len() && self.real.nested.is_empty()
    }

    fn go(&mut self, session: &mut Session, way: Onward) -> Step<At> {
        let real = &mut self.real;
        let (condition, ended) = go_own_way(session, &mut real.path, way);
        if let Some(condition) = condition {
            let is_new = |open: &&mut Open| !open.added.iter().rev().take(LATEST).any(|known| *known == condition);
            real.open.iter_mut().filter(is_new).for_each(|open| open.added.push(condition));
        }
        let Some(ended) = ended else { return ControlFlow::Continue(()) };
        if self.is_behind() && self.lazy.is_taken(session, &self.real, self.wanted) {
            return ControlFlow::Break(At::End(ended));
        }
        let real = &self.real;
        let mut conditions = real.path.conditions.iter();
        let mut is_known = || conditions.all(|condition| self.lazy.fresh_in(session, condition).is_empty());
        if real.is_whole && is_access(&ended) && is_known() {
            self.lazy.tell_fault(session, &real.path, &ended);
        }
        ControlFlow::Break(At::Unsettled)
    }
}

impl Decide for Running<'_> {
    type End = At;

    fn running(&mut self) -> (&mut State, Option<&Pauses>) {
        (&mut self.real.path.state, Some(&self.pauses))
    }

    fn grant(&mut self, session: &mut Session) -> ControlFlow<At, u64> {
        let is_long = self.way.is_long(self.lazy) || self.real.open.len() > MOST_UNDER_WAY;
        let is_stopped = (self.stop)();
        if is_long || is_stopped {
            self.lazy.note_long(session, &self.real.path);
            return ControlFlow::Break(if is_stopped { At::Stopped } else { At::Long });
        }
        if self.is_behind() && self.real.open.is_empty() && self.wanted.until == Until::Calls {
            let is_settled = self.lazy.is_settled(session, &self.real);
            return ControlFlow::Break(if is_settled { At::There } else { At::Unsettled });
        }
        if let Some(ended) = session.config.limits.after_steps(&self.real.path) {
            return ControlFlow::Break(At::End(ended));
        }
        let real = &self.real;
        self.pauses.back_in = real.through.or(real.open.last().map(|open| open.activation));
        self.pauses.functions = if real.through.is_some() { Rc::default() } else { self.lazy.candidates.clone() };
        ControlFlow::Continue(SLICE)
    }

    fn executed(&mut self, session: &mut Session, steps: u64, pause: Pause) -> ControlFlow<At, Pause> {
        self.way.add(self.lazy, steps);
        // What was never written, the run of a test tells: a path that was put together does not know.
        session.machine.executor.notes.retain(|note| !matches!(note, Note::UndefinedInExpression { .. }));
        session.note(&mut self.real.path);
        ControlFlow::Continue(pause)
    }

    fn fork(&mut self, session: &mut Session, fork: Fork) -> Step<At> {
        self.go(session, Onward::Fork(fork))
    }

    fn ask(&mut self, session: &mut Session, question: Question) -> Step<At> {
        self.go(session, Onward::Ask(question))
    }

    fn over(&mut self, session: &mut Session, ended: Ended) -> Step<At> {
        self.go(session, Onward::Over(ended))
    }

    fn call(&mut self, session: &mut Session, function: FuncId) -> ControlFlow<At, Option<Outcome>> {
        let real = &mut self.real;
        let site = session.machine.executor.call_site(&real.path.state);
        let is_top = real.open.is_empty();
        let next = match real.open.last() {
            Some(open) => real.nested[open.outer..].last().cloned(),
            None => self.wanted.events.get(real.top).map(|event| (event.clone(), 0)),
        };
        let is_met = |(event, deeper): &(Rc<Event>, i64)| {
            let depth = i64::from(event.site.depth) + deeper;
            let is_same = event.function == function && event.others.count == real.others;
            is_same && Site { depth: depth as u32, ..event.site } == site
        };
        match next {
            Some(next) if is_met(&next) => {
                if !is_top {
                    real.nested.pop();
                }
                ControlFlow::Break(At::Call(next.0, is_top, site))
            }
            other => {
                let activation = session.machine.executor.activation(&real.path.state);
                let outcome = session.machine.executor.enter_call(&mut real.path.state);
                if outcome.is_none() {
                    // As on the abstract path: where that went through a call, nothing in it counts.
                    let enters = |(event, _): (Rc<Event>, i64)| event.others.entered.contains(&real.others);
                    real.through = (!other.is_none_or(enters)).then_some(activation);
                    real.others += 1;
                }
                ControlFlow::Continue(outcome)
            }
        }
    }

    fn back(&mut self, session: &mut Session) -> Step<At> {
        let real = &mut self.real;
        if real.through.take().is_some() {
            return ControlFlow::Continue(());
        }
        if real.open.last().is_some_and(|open| real.nested.len() > open.outer) {
            return ControlFlow::Break(At::Unsettled);
        }
        match self.lazy.leave(session, real) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(At::Again),
        }
    }
}

/// Whether a path ends because memory is not as it has to be.
fn is_access(ended: &Ended) -> bool {
    matches!(ended, Ended::Memory(_))
}

/// A real path before one of the calls of an abstract path, by which another one went there.
pub fn real_before(session: &mut Session, wanted: &Wanted, at: usize, before: &Before) -> Real {
    let mut known = FxHashMap::clone(&before.meanings);
    let arena = &mut session.machine.executor.arena;
    let rest = wanted.conditions[wanted.events[at].upto..].iter();
    let goal: Vec<Expr> = rest.map(|condition| substitute_next(arena, *condition, &mut known)).collect();
    let mut path = before.path.clone();
    path.model = with_fresh(session, &path.model, &wanted.model);
    let (meanings, arrays) = (before.meanings.clone(), before.arrays.clone());
    Real {
        path,
        is_whole: wanted.is_whole(),
        goal: Rc::new(goal),
        nested: Vec::new(),
        top: at,
        others: wanted.events[at].others.count,
        through: None,
        open: Vec::new(),
        meanings,
        arrays,
    }
}

/// The beginning of a real path.
pub fn real_at(session: &mut Session, wanted: &Wanted, begin: &Path) -> Real {
    let mut path = begin.clone();
    path.model = with_fresh(session, &path.model, &wanted.model);
    let (goal, meanings, arrays) = (Rc::new(wanted.conditions.clone()), Meanings::default(), Arrays::default());
    Real {
        path,
        is_whole: wanted.is_whole(),
        goal,
        nested: Vec::new(),
        top: 0,
        others: 0,
        through: None,
        open: Vec::new(),
        meanings,
        arrays,
    }
}

/// Goes the way that the model of a path says: the condition of that, if there were others, and the end of the path, if it is over.
pub fn go_own_way(session: &mut Session, path: &mut Path, way: Onward) -> (Option<Expr>, Option<Ended>) {
    let (fork, proposal) = match way {
        Onward::On => return (None, None),
        Onward::Over(ended) => return (None, Some(ended)),
        Onward::Fork(fork) => (fork, None),
        Onward::Ask(question) => {
            path.count_proposal();
            let bits =
                session.machine.chain.evaluate(&session.machine.executor.arena, &path.model, question.value).low_u64();
            let bits = session.machine.executor.answer(&question, bits);
            (session.machine.executor.propose(&path.state, &question, bits), Some(bits))
        }
    };
    let own = session.machine.own_way(path, &fork);
    let alternative = &fork.alternatives[own];
    decide(&mut path.decisions, proposal, own, true);
    path.conditions.push(&session.machine.executor.arena, alternative.condition);
    path.depth += 1;
    (Some(alternative.condition), session.machine.executor.proceed(&mut path.state, &alternative.then))
}

/// A model, with the fresh values of another one.
fn with_fresh(session: &Session, model: &Rc<Model>, other: &Rc<Model>) -> Rc<Model> {
    let arena = &session.machine.executor.arena;
    let mut model = Model::clone(model);
    for (variable, bits) in other.values().filter(|(variable, _)| is_fresh(arena, *variable)) {
        model.set(variable, bits.clone());
    }
    Rc::new(model)
}

/// The oldest first.
pub fn in_order(conditions: &Conditions) -> Vec<Expr> {
    let mut list: Vec<Expr> = conditions.iter().collect();
    list.reverse();
    list
}
