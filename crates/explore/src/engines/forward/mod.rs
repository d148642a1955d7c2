//! Forward symbolic execution: runs a pending path to its next fork, asks the solver which ways on there are, and lets a strategy
//! choose what runs next.

mod failures;

pub use crate::session::config::{Config, Mode};
pub use crate::session::event::Event;

use std::ops::ControlFlow;
use std::rc::Rc;

use smallvec::SmallVec;
use symcrete_exec::opaque::RETURNED;
use symcrete_exec::pause::{Pause, Pauses};
use symcrete_exec::{Alternative, Ended, Executor, Fork, Question, State, Then};
use symcrete_expr::dag::Op;
use symcrete_expr::{Expr, Value};
use symcrete_solver::{Answer, LATEST, Reason};

use crate::drive::follow::Followed;
use crate::drive::{self, Decide, drive};
use crate::engines::engine::{Engine, Turn};
use crate::path::board::Pending;
use crate::path::decisions::decide;
use crate::path::distance::Place;
use crate::path::strategy::{Branch, PathId};
use crate::path::{Parked, Path};
use crate::session::Session;
use crate::session::machine::place;
use failures::Failures;

/// Instructions after which a running path is looked at; fewer where it may have come to a target, behind which nobody waits for it.
const SLICE: u64 = 100_000;
const SLICE_TO_TARGET: u64 = 10_000;

/// Why the engine stopped running a path.
enum Step {
    /// It is pending again.
    Pending(Box<Path>),
    Forked(Vec<(Box<Path>, u32)>, Place),
    Over,
}

/// What a fork leads to, one for each alternative that is open.
struct Way {
    path: Box<Path>,
    direction: u32,
}

/// Forward symbolic execution of what is pending in the session.
#[derive(Default)]
pub struct Forward {
    failures: Failures,
}

impl Engine for Forward {
    /// One path to its next fork; or an undecided side is tried again.
    fn turn(&mut self, session: &mut Session) -> Turn {
        let stop = session.stop.clone();
        let mut stops = || stop.is_set();
        if self.step(session, &mut stops) || session.retry(&mut stops) { Turn::Progress } else { Turn::Done }
    }

    fn leave(&mut self, session: &mut Session, is_stopped: bool) {
        if is_stopped {
            session.report_unfinished();
        }
    }
}

/// A path that is executed to its next fork.
struct Running<'a> {
    engine: &'a mut Forward,
    /// Nothing only while it is decided about.
    path: Option<Box<Path>>,
    /// Instructions at which its turn ends.
    limit: u64,
    /// What was covered before the latest instructions.
    marks: u64,
    stop: &'a mut dyn FnMut() -> bool,
}

impl Running<'_> {
    fn path(&mut self) -> &mut Path {
        self.path.as_mut().expect("it is not decided about")
    }

    fn take(&mut self) -> Box<Path> {
        self.path.take().expect("it is not decided about")
    }

    fn pending(&mut self) -> Step {
        Step::Pending(self.take())
    }

    fn finish(&mut self, session: &mut Session, ended: Ended) -> Step {
        session.finish(self.path(), ended);
        Step::Over
    }

    /// Goes on if only one way is open.
    fn forked(&mut self, came: Result<Step, Box<Path>>) -> drive::Step<Step> {
        match came {
            Ok(Step::Pending(same)) => {
                self.path = Some(same);
                ControlFlow::Continue(())
            }
            Ok(step) => ControlFlow::Break(step),
            Err(interrupted) => ControlFlow::Break(Step::Pending(interrupted)),
        }
    }
}

impl Decide for Running<'_> {
    type End = Step;

    fn running(&mut self) -> (&mut State, Option<&Pauses>) {
        (&mut self.path().state, None)
    }

    fn grant(&mut self, session: &mut Session) -> ControlFlow<Step, u64> {
        let steps = self.path().state.steps;
        let budget = self.limit.saturating_sub(steps);
        if budget == 0 || (self.stop)() {
            return ControlFlow::Break(self.pending());
        }
        if let Some(ended) = session.config.limits.after_steps(self.path()) {
            return ControlFlow::Break(self.finish(session, ended));
        }
        self.marks = session.machine.executor.coverage.marks();
        let most = session.config.limits.steps.map_or(u64::MAX, |most| most - steps);
        let slice = if session.config.targets.is_empty() { SLICE } else { SLICE_TO_TARGET };
        ControlFlow::Continue(budget.min(slice).min(most))
    }

    fn executed(&mut self, session: &mut Session, _: u64, pause: Pause) -> ControlFlow<Step, Pause> {
        let marks = self.marks;
        let path = self.path();
        if session.machine.executor.coverage.marks() != marks {
            path.new_at = Some(path.state.steps);
            if session.suite.reached.is_new(&session.config.targets, &session.machine.executor.coverage) {
                session.report_reached(path);
                if session.is_there() {
                    return ControlFlow::Break(self.pending());
                }
            }
        }
        session.note(path);
        ControlFlow::Continue(pause)
    }

    fn flag(&mut self, session: &mut Session, value: &Value) {
        session.flag(&self.path().state, value);
    }

    fn fork(&mut self, session: &mut Session, fork: Fork) -> drive::Step<Step> {
        let path = self.path.as_mut().expect("it is not decided about");
        if self.engine.joins(session, path, &fork) {
            return ControlFlow::Continue(());
        }
        let meets = self.engine.meets(session, path);
        let path = self.take();
        let came = self.engine.fork(session, path, &fork, None, false);
        if meets {
            return ControlFlow::Break(came.unwrap_or_else(Step::Pending));
        }
        self.forked(came)
    }

    fn ask(&mut self, session: &mut Session, question: Question) -> drive::Step<Step> {
        let path = self.path.as_mut().expect("it is not decided about");
        path.count_proposal();
        if let Some(ended) = session.config.limits.after_proposal(path) {
            return ControlFlow::Break(self.finish(session, ended));
        }
        let bits = session.machine.word(path, question.value);
        let bits = session.machine.executor.answer(&question, bits);
        let fork = session.machine.executor.propose(&path.state, &question, bits);
        if let Some(then) = self.engine.only_value(session, path, &question, bits) {
            decide(&mut path.decisions, Some(bits), fork.alternatives.len(), false);
            session.machine.executor.proceed(&mut path.state, &then);
            return ControlFlow::Continue(());
        }
        if bits == u64::from(RETURNED) {
            self.engine.try_known_failures(session, path, &question);
        }
        let path = self.take();
        let came = self.engine.fork(session, path, &fork, Some(bits), question.leaves_out());
        self.forked(came)
    }

    fn over(&mut self, session: &mut Session, ended: Ended) -> drive::Step<Step> {
        ControlFlow::Break(self.finish(session, ended))
    }
}

impl Forward {
    /// Runs the path that the strategy chooses up to its next fork. `false` if nothing is pending.
    pub fn step(&mut self, session: &mut Session, stop: &mut dyn FnMut() -> bool) -> bool {
        session.keep_house();
        let Some(id) = session.select() else { return false };
        let path = match session.worklist.board.take(id) {
            Some(Pending::Live(path)) => path,
            Some(Pending::Aside(aside)) => match session.rebuild(&aside, stop) {
                Followed::To(path, None) => path,
                Followed::Stopped => {
                    session.worklist.board.put(id, Pending::Aside(aside));
                    return true;
                }
                Followed::To(_, Some(_)) | Followed::Nowhere => {
                    session.worklist.end(id);
                    session.suite.events.push(Event::Lost { decisions: aside.decisions });
                    return true;
                }
            },
            None => unreachable!("{id} was selected but is not pending"),
        };
        match self.advance(session, path, stop) {
            Step::Over => session.worklist.end(id),
            Step::Pending(path) => {
                session.worklist.board.put(id, Pending::Live(path));
                session.worklist.frontier.update(id, &mut session.worklist.board.metrics(&session.machine.executor));
            }
            Step::Forked(ways, site) => self.branch(session, id, ways, site),
        }
        true
    }

    /// The children of a path become pending in its place.
    fn branch(&mut self, session: &mut Session, parent: PathId, ways: Vec<(Box<Path>, u32)>, site: Place) {
        session.worklist.board.visit(site);
        let mut children = Vec::with_capacity(ways.len());
        for (path, direction) in ways {
            let id = session.worklist.board.insert(Pending::Live(path));
            children.push((id, Branch { site, direction }));
        }
        session.worklist.frontier.fork(
            parent,
            &children,
            &mut session.worklist.board.metrics(&session.machine.executor),
        );
        session.worklist.board.free(parent);
        let children: SmallVec<[PathId; 2]> = children.into_iter().map(|(id, _)| id).collect();
        session.dive(&children);
    }

    /// Runs a path until it forks, ends, or has used up its turn.
    fn advance(&mut self, session: &mut Session, path: Box<Path>, stop: &mut dyn FnMut() -> bool) -> Step {
        let limit = path.state.steps + session.config.slice;
        if session.worklist.prunes && !session.worklist.board.may_arrive(&path, &session.machine.executor.image) {
            session.meter.counts.segments += 1;
            return Step::Over;
        }
        drive(session, &mut Running { engine: self, path: Some(path), limit, marks: 0, stop })
    }

    /// Where a path forked so often that those like it crowd everything else, it goes both ways as one, if they only compute.
    fn joins(&mut self, session: &mut Session, path: &mut Path, fork: &Fork) -> bool {
        let Some(most) = session.config.join_after else { return false };
        let crowded = path.crowds.forks(place(&path.state, &session.machine.executor)) >= most;
        let joined = crowded && session.machine.executor.join(&mut path.state, fork);
        if joined {
            decide(&mut path.decisions, None, fork.alternatives.len(), false);
        }
        joined
    }

    /// Whether a path stands where somebody wants to see it; then it is shown.
    fn meets(&mut self, session: &mut Session, path: &Path) -> bool {
        if session.meeting.places.is_empty() {
            return false;
        }
        let is_there = session.meeting.places.contains(&session.machine.executor.block_of(&path.state));
        if is_there {
            session.meeting.arrived.push(path.clone());
        }
        is_there
    }

    /// The way on from a question, if it is worth asking whether there is only one value, and there is.
    fn only_value(&mut self, session: &mut Session, path: &Path, question: &Question, bits: u64) -> Option<Then> {
        let then = Executor::propose_only(question, bits)?;
        let arena = &mut session.machine.executor.arena;
        let proposed = arena.word(arena.width(question.value), bits);
        let equal = arena.compare(Op::Equal, question.value, proposed);
        let other = arena.not(equal);
        let answer = session.machine.chain.check(arena, &path.conditions, other, &path.model);
        matches!(answer, Answer::Unsat).then_some(then)
    }

    /// Takes the ways on that inputs leave open, which are not all if the fork leaves some out. One: the path goes on
    /// (`Pending`). `Err` gives the path back as it was, because somebody wants to stop.
    fn fork(
        &mut self,
        session: &mut Session,
        mut path: Box<Path>,
        fork: &Fork,
        proposal: Option<u64>,
        leaves_out: bool,
    ) -> Result<Step, Box<Path>> {
        session.meter.counts.segments += 1;
        let site = place(&path.state, &session.machine.executor);
        let own = session.machine.own_way(&path, fork);
        let mut open: Vec<(usize, Option<Rc<symcrete_expr::Model>>)> = Vec::new();
        let mut undecided = Vec::new();
        let asked = session.machine.chain.statistics().constraints_left;
        for (at, alternative) in fork.alternatives.iter().enumerate() {
            if at == own {
                open.push((at, None));
                continue;
            }
            match session.machine.chain.check(
                &mut session.machine.executor.arena,
                &path.conditions,
                alternative.condition,
                &path.model,
            ) {
                Answer::Sat(model) => open.push((at, Some(Rc::new(model)))),
                Answer::Unsat => {}
                Answer::Unknown(Reason::Interrupted) => return Err(path),
                Answer::Unknown(_) => undecided.push(at),
            }
        }
        for (at, model) in &mut open {
            self.come_near(session, &path, &fork.alternatives[*at], model);
        }
        for at in &undecided {
            let mut decisions = path.decisions.clone();
            decide(&mut decisions, proposal, *at, true);
            session.worklist.parked.push(Parked { decisions: decisions.to_bytes(), depth: path.depth + 1, tries: 0 });
        }
        path.query_cost += session.machine.chain.statistics().constraints_left - asked;
        // If there is one way only, its condition follows from those of the path, or else may be among them.
        let is_known = |condition: Expr| path.conditions.iter().take(LATEST).any(|known| known == condition);
        let implied = open.len() == 1
            && undecided.is_empty()
            && (!leaves_out || is_known(fork.alternatives[open[0].0].condition));
        let may_join = !implied && session.may_join(&path, fork);
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
                path.conditions.push(&session.machine.executor.arena, alternative.condition);
                path.count_fork(site, may_join, &session.config.limits);
            }
            if let Some(path) = self.proceed(session, path, alternative) {
                ways.push(Way { path, direction: at as u32 });
            }
        }
        match ways.len() {
            0 => Ok(Step::Over),
            1 => Ok(Step::Pending(ways.remove(0).path)),
            _ => Ok(self.forked(session, ways, site)),
        }
    }

    /// Of the inputs with which a path ends at a wrong access, takes those that miss an object by little, if there are any.
    fn come_near(
        &mut self,
        session: &mut Session,
        path: &Path,
        alternative: &Alternative,
        model: &mut Option<Rc<symcrete_expr::Model>>,
    ) {
        let Then::Fault { near, .. } = &alternative.then else { return };
        let arena = &mut session.machine.executor.arena;
        let both = arena.binary(Op::And, alternative.condition, *near);
        let known = model.as_ref().unwrap_or(&path.model);
        if let Answer::Sat(better) = session.machine.chain.check(arena, &path.conditions, both, known) {
            *model = Some(Rc::new(better));
        }
    }

    /// A call of a pure function returns. If there are arguments for which it is known not to, a path of its own tries
    /// them.
    fn try_known_failures(&mut self, session: &mut Session, path: &Path, question: &Question) {
        let place = place(&path.state, &session.machine.executor);
        let Some((condition, known)) = session.machine.executor.known_failures(question) else { return };
        if !self.failures.is_worth_trying(place, known) {
            return;
        }
        let answer =
            session.machine.chain.check(&mut session.machine.executor.arena, &path.conditions, condition, &path.model);
        let Answer::Sat(model) = answer else { return };
        let mut path = Box::new(path.clone());
        path.model = Rc::new(model);
        let bits =
            session.machine.chain.evaluate(&session.machine.executor.arena, &path.model, question.value).low_u64();
        if bits == u64::from(RETURNED) {
            return;
        }
        self.failures.found(place);
        let fork = session.machine.executor.propose(&path.state, question, bits);
        let alternative = &fork.alternatives[0];
        decide(&mut path.decisions, Some(bits), 0, true);
        path.conditions.push(&session.machine.executor.arena, alternative.condition);
        path.depth += 1;
        if let Some(path) = self.proceed(session, path, alternative) {
            session.add(Pending::Live(path));
        }
    }

    /// There are several ways on. Some may be given up, at a limit.
    fn forked(&mut self, session: &mut Session, ways: Vec<Way>, site: Place) -> Step {
        session.meter.counts.forks += 1;
        let mut going_on = Vec::with_capacity(ways.len());
        for Way { mut path, direction } in ways {
            let limit = session.config.limits.after_fork(&path);
            path.depth += 1;
            match limit {
                Some(ended) => session.finish(&path, ended),
                None => going_on.push((path, direction)),
            }
        }
        if going_on.is_empty() { Step::Over } else { Step::Forked(going_on, site) }
    }

    /// Goes one way. `None` if the path ends there.
    fn proceed(&mut self, session: &mut Session, mut path: Box<Path>, alternative: &Alternative) -> Option<Box<Path>> {
        let marks = session.machine.executor.coverage.marks();
        let mut ended = session.machine.executor.proceed(&mut path.state, &alternative.then);
        session.note(&mut path);
        if let (Some(Ended::Memory(fault)), Then::Fault { address, .. }) = (&mut ended, &alternative.then) {
            // Where the inputs of the model lead.
            fault.address =
                session.machine.chain.evaluate(&session.machine.executor.arena, &path.model, *address).low_u64();
            if let Some((info, offset)) = &mut fault.allocation {
                *offset = fault.address.wrapping_sub(info.base) as i64;
            }
        }
        if session.machine.executor.coverage.marks() != marks {
            path.new_at = Some(path.state.steps);
        }
        match ended {
            Some(ended) => {
                session.finish(&path, ended);
                None
            }
            None => Some(path),
        }
    }
}
