//! The decision procedures behind the chain.

pub mod bitwuzla;
pub mod blast;
pub mod intervals;
pub mod listing;
pub mod order;

use std::rc::Rc;

use symcrete_expr::{Arena, Expr, Model};

use crate::answer::{Answer, Limits, Reason};
use crate::chain::{Config, Solver};
use crate::meet::Meet;
use crate::mixed::{self, Mixed};
use crate::walk::Walk;

/// What a backend is good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Decides, given the time, what it can express.
    Exact,
    /// Decides what has few values, and is soon done with what has many.
    Listing,
    /// Looks for reasons why there is no solution.
    Refuter,
    /// Looks for solutions.
    Search,
    /// Looks for solutions of what can be cut into halves, and is soon done with what cannot.
    Halves,
}

/// Decides conjunctions. What it remembers between queries is its own affair, but it must forget it when
/// `Arena::generation` changes, because the numbers of expressions are then used anew.
pub trait Backend {
    fn name(&self) -> &'static str;

    fn role(&self) -> Role {
        Role::Exact
    }

    /// Decides whether all constraints (of one bit each) can be one at once. A model need not be checked.
    fn check(&mut self, arena: &mut Arena, constraints: &[Expr], limits: &Limits) -> Answer;

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

/// The exact backends, the quickest first.
fn exact() -> Vec<Box<dyn Backend>> {
    vec![
        Box::new(order::Order::new()),
        Box::new(blast::Blaster::new()),
        Box::new(intervals::Intervals::default()),
        Box::new(bitwuzla::Bitwuzla::default()),
    ]
}

/// The backends that a choice stands for.
pub(crate) fn chosen(config: &Config) -> Vec<Box<dyn Backend>> {
    let mixed = |config: mixed::Config| -> Box<dyn Backend> { Box::new(Mixed::new(config, exact())) };
    let listing = || -> Box<dyn Backend> { Box::new(listing::Listing::default()) };
    let inversion = || -> Box<dyn Backend> { Box::new(Walk::inversion(config.walk.clone())) };
    let walk = || -> Box<dyn Backend> { Box::new(Walk::new(config.walk.clone())) };
    let meet = || -> Box<dyn Backend> { Box::new(Meet::new(config.walk.seed)) };
    match config.solver {
        Solver::Auto => {
            let mut all = exact();
            all.extend([listing(), inversion(), walk(), meet(), mixed(config.mixed.clone())]);
            all
        }
        Solver::Smt => exact().into_iter().chain([listing()]).collect(),
        Solver::Blast => vec![Box::new(blast::Blaster::new())],
        Solver::Bitwuzla => vec![Box::new(bitwuzla::Bitwuzla::default())],
        Solver::Listing => vec![listing()],
        Solver::Inversion => vec![inversion()],
        Solver::Walk => vec![walk()],
        Solver::Meet => vec![meet()],
        Solver::Mixed => vec![mixed(config.mixed.clone())],
        Solver::Concretise => vec![mixed(mixed::Config::concretising())],
    }
}
