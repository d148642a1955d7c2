//! Solutions as DART takes them, with which the paper on mixed solving compares: inputs that a condition does not speak of keep what they had in
//! the run before, and the others become as small as they can. Conditions are those of the latest run that came by, because numbers of runs
//! are in them.

use std::rc::Rc;

use symcrete_expr::dag::Op;
use symcrete_expr::{Expr, Model};
use symcrete_solver::Answer;

use super::Concolic;
use crate::path::Path;
use crate::path::board::Pending;
use crate::path::packing::Unpacker;
use crate::session::Session;

/// Where a way lies along a run: behind how many conditions, and which of the ways there.
pub type Untried = (u32, u64);

pub(super) fn key(path: &Path) -> Untried {
    let bytes = path.decisions.to_bytes();
    let mut decisions = Unpacker::new(&bytes);
    let last = std::iter::from_fn(|| decisions.number()).last();
    (path.depth, last.unwrap_or(0))
}

/// Bits beyond which a variable is not made smaller.
const WIDEST: u32 = 64;

impl Concolic {
    /// Inputs for what is pending, made from those of the latest run.
    pub(super) fn dart_solution(&mut self, session: &mut Session, pending: &Path, asked: Expr) -> Answer {
        let mut constraints: Vec<Expr> = pending.conditions.iter().collect();
        let latest: Rc<Model> = self.latest_inputs.clone();
        let arena = &session.machine.executor.arena;
        let holds =
            constraints.iter().all(|condition| !session.machine.chain.evaluate(arena, &latest, *condition).is_zero());
        constraints.push(asked);
        let answer = match holds {
            true => {
                session.machine.chain.check(&mut session.machine.executor.arena, &pending.conditions, asked, &latest)
            }
            false => session.machine.chain.solve(&mut session.machine.executor.arena, &constraints),
        };
        match answer {
            Answer::Sat(model) => Answer::Sat(self.smallest(session, &constraints, asked, model)),
            other => other,
        }
    }

    /// A run came again to where another one left a way untried: its own conditions count from here on. Only that one is pending there, because
    /// the last condition is negated first.
    pub(super) fn refresh(&mut self, session: &mut Session, untried: Box<Path>) {
        let Some(id) = self.untried.get(&key(&untried)).copied() else { return };
        if session.worklist.board.take(id).is_some() {
            session.worklist.board.put(id, Pending::Live(untried));
        }
    }

    /// Makes the variables of a condition as small as all conditions allow, one after the other.
    fn smallest(&mut self, session: &mut Session, constraints: &[Expr], about: Expr, mut model: Model) -> Model {
        let mut constraints = constraints.to_vec();
        let order = symcrete_expr::dag::post_order(&session.machine.executor.arena, [about], &mut Default::default());
        for variable in order {
            let arena = &mut session.machine.executor.arena;
            let Some(id) = arena.variable_of(variable).filter(|_| arena.width(variable) <= WIDEST) else { continue };
            let width = arena.width(variable);
            let (mut low, mut high) = (0u64, model.word(id));
            while low < high {
                let middle = low + (high - low) / 2;
                let bound = session.machine.executor.arena.word(width, middle);
                let smaller = session.machine.executor.arena.compare(Op::UnsignedLessEqual, variable, bound);
                constraints.push(smaller);
                let answer = session.machine.chain.solve(&mut session.machine.executor.arena, &constraints);
                constraints.pop();
                match answer {
                    Answer::Sat(better) => {
                        model.merge(&better);
                        high = model.word(id).min(middle);
                    }
                    _ => low = middle + 1,
                }
            }
            let least = session.machine.executor.arena.word(width, high);
            let fixed = session.machine.executor.arena.compare(Op::Equal, variable, least);
            constraints.push(fixed);
        }
        model
    }
}
