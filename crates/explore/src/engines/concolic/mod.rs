//! Concolic testing, as DART (Godefroid, Klarlund and Sen, 2005), CUTE (Sen, Marinov and Agha, 2005) and SAGE (Godefroid, Levin and Molnar,
//! 2008) do it, and section 3 of the paper on lazy expansion sums it up: a run on one assignment of inputs, with the conditions that it
//! meets; then one of them is negated, the ones before it are kept, and the program runs again, from its beginning, on a solution.
//!
//! A negated condition is a pending path whose last condition nobody has asked for, so that any strategy of the table chooses among them:
//! `dfs` negates the last one first, as CUTE does, and `generational` takes those of the run that covered most, as SAGE does. A run that is long
//! goes on in turns (`long.rs`), and what it met by then can be negated.

mod dart;
mod long;
mod simplify;

use dart::Untried;
use long::LongRuns;

use std::ops::ControlFlow;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_exec::opaque::Calls;
use symcrete_exec::outcome::Purpose;
use symcrete_exec::pause::{Pause, Pauses};
use symcrete_exec::{Ended, Fork, Question, State};
use symcrete_expr::{Expr, Model, Value};
use symcrete_solver::{Answer, Reason};

use crate::drive::follow::Followed;
use crate::drive::{self, Decide, drive};
use crate::engines::engine::{Engine, Turn};
use crate::path::Path;
use crate::path::board::Pending;
use crate::path::decisions::Decisions;
use crate::path::decisions::decide;
use crate::path::distance::Place;
use crate::path::packing::Unpacker;
use crate::path::strategy::{Branch, PathId};
use crate::session::Session;
use crate::session::event::Event;
use crate::session::machine::place;

/// A place where a run might have gone another way.
struct Crossing {
    site: Place,
    own: u32,
    others: Vec<(u32, Box<Path>)>,
    /// Whether an earlier run came by.
    is_known: bool,
}

/// One run, from the beginning.
struct Run<'a> {
    path: Path,
    /// The decisions that it is expected to take first.
    foreseen: Unpacker<'a>,
    diverged: bool,
    crossings: Vec<Crossing>,
    /// Conditions that it met: the same ones again say nothing new.
    known: FxHashSet<Expr>,
    /// Its decisions up to the last that was open.
    firm: Decisions,
    /// What it did in this turn, and what it may do.
    spent: u64,
    allowed: u64,
}

impl<'a> Run<'a> {
    fn new(path: Path, foreseen: Unpacker<'a>) -> Run<'a> {
        Run {
            firm: path.decisions.clone(),
            path,
            foreseen,
            diverged: false,
            crossings: Vec::new(),
            known: FxHashSet::default(),
            spent: 0,
            allowed: long::TURN,
        }
    }

    /// Whether it goes where another run went before it.
    fn is_foreseen(&self) -> bool {
        !self.diverged && !self.foreseen.is_empty()
    }
}

/// The result of a run.
enum Over {
    Ended(Ended),
    /// It is the turn of others.
    Long,
    /// Somebody wants to stop.
    Stopped,
}

/// Concolic testing of what is pending in the session.
#[derive(Default)]
pub struct Concolic {
    /// Of the latest run.
    latest_inputs: Rc<Model>,
    untried: FxHashMap<Untried, PathId>,
    long_runs: LongRuns,
}

impl Engine for Concolic {
    /// One run, or a part of a long one; or an undecided side is tried again.
    fn turn(&mut self, session: &mut Session) -> Turn {
        let stop = session.stop.clone();
        let mut stops = || stop.is_set();
        session.keep_house();
        if self.go_on_with_long_run(session, &mut stops) {
            return Turn::Progress;
        }
        if let Some(id) = session.select() {
            self.run_once(session, id, &mut stops);
            return Turn::Progress;
        }
        if session.retry(&mut stops) { Turn::Progress } else { Turn::Done }
    }

    fn leave(&mut self, session: &mut Session, is_stopped: bool) {
        if is_stopped {
            session.report_unfinished();
        }
    }
}

/// A run that is executed for a turn.
struct Running<'a, 'r> {
    engine: &'a mut Concolic,
    run: &'a mut Run<'r>,
    /// What was covered before the latest instructions.
    marks: u64,
    stop: &'a mut dyn FnMut() -> bool,
}

impl Running<'_, '_> {
    fn go(&mut self, session: &mut Session, fork: &Fork, proposal: Option<u64>, says: bool) -> drive::Step<Over> {
        match self.engine.go_own_way(session, self.run, fork, proposal, says) {
            Some(ended) => ControlFlow::Break(Over::Ended(ended)),
            None => ControlFlow::Continue(()),
        }
    }
}

impl Decide for Running<'_, '_> {
    type End = Over;

    fn running(&mut self) -> (&mut State, Option<&Pauses>) {
        (&mut self.run.path.state, None)
    }

    fn grant(&mut self, session: &mut Session) -> ControlFlow<Over, u64> {
        if (self.stop)() {
            return ControlFlow::Break(Over::Stopped);
        }
        let run = &*self.run;
        let is_long = run.spent >= run.allowed || run.crossings.len() >= long::MOST_NEGATIONS;
        if is_long && !run.is_foreseen() {
            return ControlFlow::Break(Over::Long);
        }
        if let Some(ended) = session.config.limits.after_steps(&run.path) {
            return ControlFlow::Break(Over::Ended(ended));
        }
        self.marks = session.machine.executor.coverage.marks();
        let most = session.config.limits.steps.map_or(u64::MAX, |most| most - run.path.state.steps);
        ControlFlow::Continue(most.min(100_000))
    }

    fn executed(&mut self, session: &mut Session, steps: u64, pause: Pause) -> ControlFlow<Over, Pause> {
        self.run.spent += steps;
        let path = &mut self.run.path;
        if session.machine.executor.coverage.marks() != self.marks {
            path.new_at = Some(path.state.steps);
        }
        session.note(path);
        ControlFlow::Continue(pause)
    }

    fn flag(&mut self, session: &mut Session, value: &Value) {
        session.flag(&self.run.path.state, value);
    }

    fn fork(&mut self, session: &mut Session, fork: Fork) -> drive::Step<Over> {
        self.go(session, &fork, None, true)
    }

    fn ask(&mut self, session: &mut Session, question: Question) -> drive::Step<Over> {
        let run = &mut *self.run;
        run.path.count_proposal();
        if let Some(ended) = session.config.limits.after_proposal(&run.path) {
            return ControlFlow::Break(Over::Ended(ended));
        }
        let own = session.machine.word(&run.path, question.value);
        let own = session.machine.executor.answer(&question, own);
        // The same value is proposed again: another one might divide the inputs otherwise.
        let expected = if run.diverged { None } else { run.foreseen.number() };
        let bits = expected.filter(|_| !question.leaves_out()).unwrap_or(own);
        let fork = session.machine.executor.propose(&run.path.state, &question, bits);
        // For DART the number is believed, and nothing is said about what it depends on.
        let is_dart = session.machine.executor.config.calls == Calls::Dart;
        let says = !(is_dart && matches!(question.purpose, Purpose::Argument(_)));
        self.go(session, &fork, Some(bits), says)
    }

    fn over(&mut self, _: &mut Session, ended: Ended) -> drive::Step<Over> {
        ControlFlow::Break(Over::Ended(ended))
    }
}

impl Concolic {
    /// Asks for a solution of what is pending under this number, and runs the program on it.
    pub(crate) fn run_once(&mut self, session: &mut Session, id: PathId, stop: &mut dyn FnMut() -> bool) {
        let pending = match session.worklist.board.take(id) {
            Some(Pending::Live(path)) => path,
            Some(Pending::Aside(aside)) => match session.follow(&aside.decisions, stop) {
                Followed::To(mut path, _) => {
                    path.depth = aside.depth;
                    path.is_unsolved = true;
                    path
                }
                Followed::Stopped => return session.worklist.board.put(id, Pending::Aside(aside)),
                Followed::Nowhere => {
                    session.worklist.end(id);
                    return session.suite.tell(Event::Lost { decisions: aside.decisions });
                }
            },
            None => unreachable!("{id} was selected but is not pending"),
        };
        let model = match self.solution(session, &pending) {
            Answer::Sat(model) => Rc::new(model),
            Answer::Unsat => return session.worklist.end(id),
            Answer::Unknown(Reason::Interrupted) => return session.worklist.board.put(id, Pending::Live(pending)),
            Answer::Unknown(_) => {
                session.worklist.park(&pending);
                return session.worklist.end(id);
            }
        };
        self.long_runs.begin_other();
        let decisions = pending.decisions.to_bytes();
        let mut foreseen = Unpacker::new(&decisions);
        let root = foreseen.number().unwrap_or(0) as usize;
        let mut path = Path::new(session.machine.roots[root].clone(), root);
        path.model = model.clone();
        self.latest_inputs = model;
        match self.run_turn(session, id, Run::new(path, foreseen), stop) {
            Ok(spent) => {
                if !self.untried.is_empty() {
                    self.untried.remove(&dart::key(&pending));
                }
                self.long_runs.charge_others(spent);
            }
            // What was foreseen is gone through in one go, or not at all.
            Err(()) => session.worklist.board.put(id, Pending::Live(pending)),
        }
    }

    /// Runs the program on, for a turn; what that cost. `Err` if somebody wants to stop before the run comes to anything of its own.
    fn run_turn(
        &mut self,
        session: &mut Session,
        id: PathId,
        mut run: Run,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<u64, ()> {
        let (tested, covered) = (session.suite.covered.marks(), session.machine.executor.coverage.marks());
        let over = drive(session, &mut Running { engine: self, run: &mut run, marks: 0, stop });
        if matches!(over, Over::Stopped) && run.is_foreseen() {
            return Err(());
        }
        let Run { path, foreseen, mut diverged, mut crossings, firm, spent, .. } = run;
        match over {
            Over::Ended(ended) => {
                session.meter.counts.iterations += 1;
                diverged |= !foreseen.is_empty();
                session.finish(&path, ended);
                // Whatever lies on its way belongs to another negation, or to none.
                session.meter.counts.divergences += u64::from(diverged);
                let gain = session.suite.covered.marks() - tested;
                self.cross_all(session, id, crossings, diverged, gain);
                session.worklist.end(id);
            }
            Over::Long | Over::Stopped => {
                self.put_off(session, id, path, diverged, firm);
                let gain = session.machine.executor.coverage.marks() - covered;
                // Where a run loops, what was met first is likelier to lead elsewhere.
                crossings.reverse();
                self.cross_all(session, id, crossings, diverged, gain);
                self.wait(session, id);
            }
        }
        Ok(spent)
    }

    /// What a run met can be negated.
    fn cross_all(&mut self, session: &mut Session, id: PathId, crossings: Vec<Crossing>, diverged: bool, gain: u64) {
        for crossing in crossings.into_iter().filter(|_| !diverged) {
            match crossing.is_known {
                true => crossing.others.into_iter().for_each(|(_, untried)| self.refresh(session, untried)),
                false => self.cross(session, id, crossing, gain),
            }
        }
    }

    /// Inputs for what is pending.
    fn solution(&mut self, session: &mut Session, pending: &Path) -> Answer {
        let arena = &mut session.machine.executor.arena;
        match pending.asked {
            _ if pending.is_unsolved => {
                let conditions: Vec<Expr> = pending.conditions.iter().chain(pending.asked).collect();
                session.machine.chain.solve(arena, &conditions)
            }
            None => Answer::Sat(Model::clone(&pending.model)),
            Some(asked) if session.machine.executor.config.calls == Calls::Dart => {
                self.dart_solution(session, pending, asked)
            }
            Some(asked) => session.machine.chain.check(arena, &pending.conditions, asked, &pending.model),
        }
    }

    /// Goes the way that the inputs of a run lead; the others are noted behind what was foreseen.
    fn go_own_way(
        &mut self,
        session: &mut Session,
        run: &mut Run,
        fork: &Fork,
        proposal: Option<u64>,
        says: bool,
    ) -> Option<Ended> {
        let own = session.machine.own_way(&run.path, fork);
        let site = place(&run.path.state, &session.machine.executor);
        let mut is_beyond = run.foreseen.is_empty();
        if let Some(decision) = run.foreseen.number().filter(|_| !run.diverged) {
            run.diverged = decision >> 1 != own as u64;
            is_beyond = false;
        }
        let conditions: Vec<Expr> = fork.alternatives.iter().map(|alternative| alternative.condition).collect();
        let conditions: Vec<Expr> =
            conditions.into_iter().map(|condition| self.spoken(session, &run.path, condition)).collect();
        let is_dart = session.machine.executor.config.calls == Calls::Dart;
        run.spent += long::DECISION;
        // What holds anyway leaves no other way. For DART, numbers of runs are in conditions, which are counted all the same.
        let says = says && (is_dart || !run.known.contains(&conditions[own]));
        let is_open = says && session.machine.executor.arena.as_word(conditions[own]).is_none();
        if is_open && (is_beyond || is_dart) && !run.diverged {
            let others = (0..fork.alternatives.len()).filter(|at| *at != own);
            let others =
                others.filter(|at| session.machine.executor.arena.as_word(conditions[*at]) != Some(0)).map(|at| {
                    let mut other = Box::new(run.path.clone());
                    decide(&mut other.decisions, proposal, at, true);
                    other.asked = Some(conditions[at]);
                    other.depth += 1;
                    other.new_at = None;
                    (at as u32, other)
                });
            let others: Vec<(u32, Box<Path>)> = others.collect();
            run.spent += others.len() as u64 * long::NEGATION;
            run.crossings.push(Crossing { site, own: own as u32, others, is_known: !is_beyond });
        }
        let path = &mut run.path;
        decide(&mut path.decisions, proposal, own, says);
        if is_open {
            run.known.insert(conditions[own]);
            run.firm = path.decisions.clone();
            path.conditions.push(&session.machine.executor.arena, conditions[own]);
            path.count_fork(site, false, &session.config.limits);
            if let Some(ended) = session.config.limits.after_fork(path) {
                return Some(ended);
            }
            path.depth += 1;
        }
        session.machine.executor.proceed(&mut path.state, &fork.alternatives[own].then)
    }

    /// A condition as it is kept: as it is, or with the values of the run for what is not linear in it.
    fn spoken(&mut self, session: &mut Session, path: &Path, condition: Expr) -> Expr {
        if !session.config.simplifies {
            return condition;
        }
        let simple = simplify::by_values(&mut session.machine.executor.arena, &path.model, condition);
        session.meter.counts.simplified += u64::from(simple != condition);
        simple
    }

    /// The other ways from a crossing become pending beside the run that went there.
    fn cross(&mut self, session: &mut Session, id: PathId, crossing: Crossing, gain: u64) {
        let Crossing { site, own, others, .. } = crossing;
        session.worklist.board.visit(site);
        session.meter.counts.forks += 1;
        let mut children = vec![(id, Branch { site, direction: own })];
        for (direction, mut path) in others {
            path.gain = gain;
            let untried = (session.machine.executor.config.calls == Calls::Dart).then(|| dart::key(&path));
            let id = session.worklist.board.insert(Pending::Live(path));
            if let Some(untried) = untried {
                self.untried.insert(untried, id);
            }
            children.push((id, Branch { site, direction }));
        }
        session.worklist.frontier.fork(id, &children, &mut session.worklist.board.metrics(&session.machine.executor));
    }
}
