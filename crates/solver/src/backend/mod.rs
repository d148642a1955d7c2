//! The decision procedures behind the chain.

pub mod bitwuzla;
pub mod blast;
pub mod order;

use std::rc::Rc;

use symcrete_expr::{Arena, Expr, Model};

use crate::answer::{Answer, Limits, Reason};
use crate::chain::Solver;
use crate::walk;

/// Decides conjunctions. What it remembers between queries is its own affair, but it must forget it when
/// `Arena::generation` changes, because the numbers of expressions are then used anew.
pub trait Backend {
    fn name(&self) -> &'static str;

    /// Decides whether all constraints (of one bit each) can be one at once. A model need not be checked.
    fn check(&mut self, arena: &Arena, constraints: &[Expr], limits: &Limits) -> Answer;

    /// A model that is known to satisfy most of the next query, for whoever begins at one.
    fn hint(&mut self, _model: &Rc<Model>) {}

    /// After `Unsat`: constraints of the query that contradict each other without the rest, if that is known at no cost.
    fn core(&self) -> Option<Vec<Expr>> {
        None
    }

    /// After `Sat`: why the model may be wrong although nothing is broken, such as a NaN whose bits the query looks at.
    fn doubt(&self) -> Option<Reason> {
        None
    }
}

/// The backends that a choice stands for, in the order in which they are asked.
pub(crate) fn chosen(solver: Solver) -> Vec<Box<dyn Backend>> {
    match solver {
        Solver::Auto => vec![
            Box::new(order::Order::new()),
            Box::new(blast::Blaster::new()),
            Box::new(bitwuzla::Bitwuzla::default()),
        ],
        Solver::Blast => vec![Box::new(blast::Blaster::new())],
        Solver::Bitwuzla => vec![Box::new(bitwuzla::Bitwuzla::default())],
        Solver::Walk => vec![Box::new(walk::Walk::default())],
    }
}
