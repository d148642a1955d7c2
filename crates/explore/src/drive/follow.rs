//! Executes along decision strings: paths that were put aside come back, and undecided sides are tried again.

use std::rc::Rc;

use symcrete_exec::{Ended, Executor, Fork};
use symcrete_expr::Expr;
use symcrete_solver::Answer;

use crate::drive::onward::Onward;
use crate::path::Path;
use crate::path::aside::Aside;
use crate::path::board::Pending;
use crate::path::decisions::decide;
use crate::path::packing::Unpacker;
use crate::session::Session;
use crate::session::event::Event;
use crate::session::machine::place;

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
        let mut path = Path::new(self.machine.roots.get(root)?.clone(), root);
        while !reader.is_empty() {
            let mut only = None;
            let outcome = self.machine.executor.run(&mut path.state, 100_000);
            let (fork, proposal) = match Onward::after(&mut self.machine.executor, &mut path.state, outcome) {
                Onward::Fork(fork) => (fork, None),
                Onward::Ask(question) => {
                    path.count_proposal();
                    let bits = reader.number()?;
                    only = Executor::propose_only(&question, bits);
                    (self.machine.executor.propose(&path.state, &question, bits), Some(bits))
                }
                Onward::On if stop() => return None,
                Onward::On => continue,
                Onward::Over(_) => return None,
            };
            let decision = reader.number()?;
            let (at, added) = ((decision >> 1) as usize, decision & 1 != 0);
            if let (Some(then), true) = (&only, at == fork.alternatives.len()) {
                decide(&mut path.decisions, proposal, at, added);
                self.machine.executor.proceed(&mut path.state, then);
                continue;
            }
            if at == fork.alternatives.len() && proposal.is_none() {
                decide(&mut path.decisions, None, at, added);
                self.machine.executor.join(&mut path.state, &fork).then_some(())?;
                continue;
            }
            let alternative = fork.alternatives.get(at)?;
            decide(&mut path.decisions, proposal, at, added);
            if added {
                path.conditions.push(&self.machine.executor.arena, alternative.condition);
                let may_join = self.may_join(&path, &fork);
                path.count_fork(place(&path.state, &self.machine.executor), may_join, &self.config.limits);
            }
            if let Some(ended) = self.machine.executor.proceed(&mut path.state, &alternative.then) {
                return reader.is_empty().then_some((path, Some(ended)));
            }
        }
        Some((path, None))
    }

    /// Whether forks like this one are counted, to be joined when there are many.
    pub(crate) fn may_join(&self, path: &Path, fork: &Fork) -> bool {
        self.config.join_after.is_some() && self.machine.executor.may_join(&path.state, fork)
    }
}
