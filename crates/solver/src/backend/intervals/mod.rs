//! Refutes conjunctions with floats by bounds: interval constraint propagation over the expressions of a query, then
//! branch and prune. Quick where bit-blasting is slow: squares below zero, sines above one, ranges that were clamped
//! before.
//!
//! It only ever answers `Unsat`, as a proof, or `Unknown`. `program` makes steps of expressions; `number`, `forward`,
//! `backward` and `library` know floats, `integer` integers, `condition` and `choice` what depends on conditions;
//! `propagate` narrows, `order` sees orders between values, `search` splits.

mod backward;
mod choice;
mod condition;
mod forward;
mod integer;
mod library;
mod number;
mod order;
mod program;
mod propagate;
mod search;

#[cfg(test)]
mod tests;

use symcrete_expr::{Arena, Expr};

use self::order::Order;
use self::program::Flattener;
use self::propagate::State;
use super::{Backend, Role};
use crate::answer::{Answer, Limits, Reason};

/// One unit of effort is about a microsecond.
#[derive(Default)]
pub struct Intervals {
    flattener: Flattener,
    order: Order,
}

impl Intervals {
    pub fn new() -> Intervals {
        Intervals::default()
    }
}

impl Backend for Intervals {
    fn name(&self) -> &'static str {
        "intervals"
    }

    fn role(&self) -> Role {
        Role::Refuter
    }

    fn check(&mut self, arena: &mut Arena, constraints: &[Expr], limits: &Limits) -> Answer {
        let Some((steps, roots)) = self.flattener.flatten(arena, constraints) else {
            return Answer::Unknown(Reason::Inexpressible);
        };
        let state = State::new(arena, &steps);
        match search::refute(&steps, &roots, state, &mut self.order, limits) {
            Ok(()) => Answer::Unsat,
            Err(reason) => Answer::Unknown(reason),
        }
    }
}
