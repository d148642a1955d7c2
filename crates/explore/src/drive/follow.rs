//! Executes along decision strings: paths that were put aside come back, and undecided sides are tried again.

use std::ops::ControlFlow;
use std::rc::Rc;

use symcrete_exec::pause::{Pause, Pauses};
use symcrete_exec::{Ended, Executor, Fork, Outcome, Question, State, Then};
use symcrete_expr::Expr;
use symcrete_solver::Answer;

use crate::drive::{Decide, SLICE, Step, drive};
use crate::path::Path;
use crate::path::aside::Aside;
use crate::path::board::Pending;
use crate::path::decisions::decide;
use crate::path::packing::Unpacker;
use crate::session::Session;
use crate::session::config::Config;
use crate::session::event::Event;
use crate::session::machine::{Machine, place};

/// Where a decision string leads.
pub(crate) enum Followed {
    /// Without a model; over, if the last decision ends it.
    To(Box<Path>, Option<Ended>),
    /// Somebody wants to stop.
    Stopped,
    /// It does not fit the program.
    Nowhere,
}

/// How often an undecided side is tried again, each time with eight times the budget.
const TRIES: u32 = 3;

impl Session {
    /// Tries an undecided side again, with more budget than before. `false` if there is none that is worth it.
    pub fn retry(&mut self, stop: &mut dyn FnMut() -> bool) -> bool {
        let Some(at) = self.worklist.parked.iter().position(|parked| parked.tries < TRIES) else { return false };
        let mut parked = self.worklist.parked.swap_remove(at);
        parked.tries += 1;
        let (mut path, ended) = match self.follow(&parked.decisions, stop) {
            Followed::To(path, ended) => (path, ended),
            Followed::Stopped => {
                parked.tries -= 1;
                self.worklist.parked.push(parked);
                return true;
            }
            Followed::Nowhere => {
                self.suite.events.push(Event::Lost { decisions: parked.decisions });
                return true;
            }
        };
        let constraints: Vec<Expr> = path.conditions.iter().collect();
        let mut limits = self.machine.chain.config().limits.clone();
        limits.effort = limits.effort.saturating_mul(8u64.pow(parked.tries));
        limits.time = limits.time.saturating_mul(8u32.pow(parked.tries));
        match self.machine.chain.solve_with(&mut self.machine.executor.arena, &constraints, &limits) {
            Answer::Sat(model) => {
                path.model = Rc::new(model);
                path.depth = parked.depth;
                match ended {
                    Some(ended) => self.finish(&path, ended),
                    None => self.add(Pending::Live(path)),
                }
            }
            Answer::Unsat => {}
            Answer::Unknown(_) => self.worklist.parked.push(parked),
        }
        true
    }

    /// Makes a path of one that was put aside.
    pub(crate) fn rebuild(&mut self, aside: &Aside, stop: &mut dyn FnMut() -> bool) -> Followed {
        let model = Rc::new(aside.model(&mut self.machine.executor.arena));
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
        self.machine.executor.notes.clear();
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
        let path = Path::new(self.machine.roots.get(root)?.clone(), root);
        let mut following = Following { config: &self.config, path, reader, stop };
        let ended = drive(&mut self.machine, &mut following)?;
        Some((following.path, ended))
    }

    /// Whether forks like this one are counted, to be joined when there are many.
    pub(crate) fn may_join(&self, path: &Path, fork: &Fork) -> bool {
        may_join(&self.config, &self.machine, path, fork)
    }
}

/// Whether forks like this one are counted, to be joined when there are many.
fn may_join(config: &Config, machine: &Machine, path: &Path, fork: &Fork) -> bool {
    config.join_after.is_some() && machine.executor.may_join(&path.state, fork)
}

/// A path that is executed as its decisions say.
struct Following<'a> {
    config: &'a Config,
    path: Path,
    reader: Unpacker<'a>,
    stop: &'a mut dyn FnMut() -> bool,
}

/// How the path ended, if it did; nothing if the decisions do not fit, or somebody wants to stop.
type There = Option<Option<Ended>>;

impl Following<'_> {
    /// Takes the way that was decided for, beyond those of the fork if it is the only value or both ways as one.
    fn take(
        &mut self,
        machine: &mut Machine,
        fork: &Fork,
        proposal: Option<u64>,
        only: Option<&Then>,
    ) -> Option<Step<There>> {
        let decision = self.reader.number()?;
        let (at, added) = ((decision >> 1) as usize, decision & 1 != 0);
        let path = &mut self.path;
        if let (Some(then), true) = (only, at == fork.alternatives.len()) {
            decide(&mut path.decisions, proposal, at, added);
            machine.executor.proceed(&mut path.state, then);
            return Some(ControlFlow::Continue(()));
        }
        if at == fork.alternatives.len() && proposal.is_none() {
            decide(&mut path.decisions, None, at, added);
            return machine.executor.join(&mut path.state, fork).then_some(ControlFlow::Continue(()));
        }
        let alternative = fork.alternatives.get(at)?;
        decide(&mut path.decisions, proposal, at, added);
        if added {
            path.conditions.push(&machine.executor.arena, alternative.condition);
            let may_join = may_join(self.config, machine, path, fork);
            path.count_fork(place(&path.state, &machine.executor), may_join, &self.config.limits);
        }
        match machine.executor.proceed(&mut path.state, &alternative.then) {
            Some(ended) => self.reader.is_empty().then_some(ControlFlow::Break(Some(Some(ended)))),
            None => Some(ControlFlow::Continue(())),
        }
    }
}

impl Decide<Machine> for Following<'_> {
    type End = There;

    fn running(&mut self) -> (&mut State, Option<&Pauses>) {
        (&mut self.path.state, None)
    }

    fn grant(&mut self, _: &mut Machine) -> ControlFlow<There, u64> {
        match self.reader.is_empty() {
            true => ControlFlow::Break(Some(None)),
            false => ControlFlow::Continue(SLICE),
        }
    }

    fn executed(&mut self, _: &mut Machine, _: u64, pause: Pause) -> ControlFlow<There, Pause> {
        let decides = matches!(pause, Pause::Outcome(Outcome::Fork(_) | Outcome::Ask(_)));
        if !decides && (self.stop)() { ControlFlow::Break(None) } else { ControlFlow::Continue(pause) }
    }

    fn fork(&mut self, machine: &mut Machine, fork: Fork) -> Step<There> {
        self.take(machine, &fork, None, None).unwrap_or(ControlFlow::Break(None))
    }

    fn ask(&mut self, machine: &mut Machine, question: Question) -> Step<There> {
        self.path.count_proposal();
        let Some(bits) = self.reader.number() else { return ControlFlow::Break(None) };
        let only = Executor::propose_only(&question, bits);
        let fork = machine.executor.propose(&self.path.state, &question, bits);
        self.take(machine, &fork, Some(bits), only.as_ref()).unwrap_or(ControlFlow::Break(None))
    }

    fn over(&mut self, _: &mut Machine, _: Ended) -> Step<There> {
        ControlFlow::Break(None)
    }
}
