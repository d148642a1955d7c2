//! Concolic Walk (Dinges and Agha, 2014): solves conjunctions of conditions over machine numbers and calls by search, guided by how
//! badly a valuation misses each condition. `search` is the paper's algorithm, the other files are what it uses and what goes beyond
//! it; `config` says what can be switched. A walk finds solutions and never says that there is none.

mod config;
mod coordinate;
mod kick;
mod line;
mod linear;
mod neighbours;
mod polytope;
mod problem;
mod search;

use std::rc::Rc;

use symcrete_expr::dag::Op;
use symcrete_expr::{Arena, Expr, Model};

use crate::answer::{Answer, Limits, Reason};
use crate::backend::{Backend, Role};
use crate::random::Random;

pub use config::Config;
use problem::{Point, Problem};
use search::{Effort, Place, Search};

/// Constraints with more operations than this are left to others.
const MOST_INSTRUCTIONS: usize = 200_000;
/// Steps by inversion alone before a walk.
const INVERSIONS: u32 = 60;
/// Points from which inversion alone is tried.
const INVERSION_STARTS: usize = 4;
/// Solutions that are remembered for new beginnings.
const REMEMBERED: usize = 16;

/// The walk as a stage of the chain.
#[derive(Default)]
pub struct Walk {
    config: Config,
    /// Whether only exact local solutions are tried.
    only_inversion: bool,
    queries: u64,
    /// A model that is known to satisfy most of the next query.
    hint: Option<Rc<Model>>,
    /// Newest first.
    solutions: Vec<Rc<Model>>,
    generation: u32,
}

impl Walk {
    pub fn new(config: Config) -> Walk {
        Walk { config, ..Walk::default() }
    }

    /// Exact local solutions from a few points, and no search.
    pub fn inversion(config: Config) -> Walk {
        Walk { config, only_inversion: true, ..Walk::default() }
    }

    fn search(&mut self, problem: &Problem, limits: &Limits) -> Option<Point> {
        let effort = Effort::new(limits, problem.tape.instructions().len(), problem.tape.calls());
        self.queries += 1;
        let random = Random::new(self.config.seed ^ self.queries.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let config = self.config.clone();
        let mut search = Search::new(problem, &config, random, effort);
        let mut round = 0;
        loop {
            let mut start = self.start(problem, &mut search, round);
            if (config.polytope || round % 2 == 1)
                && let Some(point) = search.polytope.point(problem, &start, &mut search.random)
            {
                start = point;
            }
            let mut start = search.evaluate(start);
            if config.inversion {
                start = by_inversion(&mut search, start);
            }
            let end = match start.is_solution() || self.only_inversion {
                true => start,
                false => search.walk(start.point),
            };
            if end.is_solution() {
                return Some(end.point);
            }
            round += 1;
            let enough = self.only_inversion && round >= INVERSION_STARTS;
            if !config.restarts || enough || search.effort.is_spent() {
                return None;
            }
        }
    }

    /// Where a walk begins: at what is known, then at what is special, then anywhere.
    fn start(&self, problem: &Problem, search: &mut Search, round: usize) -> Point {
        let known = self.hint.iter().chain(&self.solutions);
        if let Some(model) = known.take(REMEMBERED).nth(round / 2).filter(|_| round.is_multiple_of(2)) {
            return problem.point(model);
        }
        let mut point = vec![0; problem.tape.words()];
        let random = &mut search.random;
        let style = if round < 2 { 0 } else { random.below(4) };
        for coordinate in &problem.coordinates {
            let value = match style {
                0 => coordinate.nearest(random.below(5) as f64 - 1.0),
                1 => coordinate.nearest((random.normal() * 10.0).round()),
                2 => coordinate.nearest(random.normal() * 10f64.powi(random.below(8) as i32 - 3)),
                _ => u128::from(random.bits()) | u128::from(random.bits()) << 64,
            };
            coordinate.write(&mut point, value & coordinate::ones(coordinate.width));
        }
        point
    }

    fn remember(&mut self, model: &Model) {
        self.solutions.insert(0, Rc::new(model.clone()));
        self.solutions.truncate(REMEMBERED);
    }
}

/// Solves violated constraints one after the other, each exactly, as long as that leads on.
fn by_inversion(search: &mut Search, start: Place) -> Place {
    let mut here = start;
    let mut best = here.clone();
    for _ in 0..INVERSIONS {
        if here.is_solution() || search.effort.is_spent() {
            return here;
        }
        match search.solve_one(&here) {
            Some(next) => here = next,
            None => here = best.clone(),
        }
        if here.total < best.total {
            best = here.clone();
        }
    }
    best
}

impl Backend for Walk {
    fn name(&self) -> &'static str {
        if self.only_inversion { "inversion" } else { "walk" }
    }

    fn role(&self) -> Role {
        Role::Search
    }

    fn check(&mut self, arena: &mut Arena, constraints: &[Expr], limits: &Limits) -> Answer {
        if arena.generation() != self.generation {
            self.generation = arena.generation();
            self.solutions.clear();
            self.hint = None;
        }
        let constants = constraints.iter().any(|constraint| arena.node(*constraint).op == Op::Constant);
        let problem = match Problem::new(arena, constraints, self.config.metric, MOST_INSTRUCTIONS) {
            Ok(problem) if !constants && !problem.coordinates.is_empty() => problem,
            _ => return Answer::Unknown(Reason::Inexpressible),
        };
        match self.search(&problem, limits) {
            Some(point) => {
                let model = problem.model(&point);
                self.remember(&model);
                Answer::Sat(model)
            }
            None if limits.interrupted() => Answer::Unknown(Reason::Interrupted),
            None => Answer::Unknown(Reason::Limit),
        }
    }

    fn hint(&mut self, model: &Rc<Model>) {
        self.hint = Some(model.clone());
    }
}
