//! In which order backends are asked, and what each may spend: by the shape of the query, and by who decided queries of that shape
//! before. Learning counts successes and never time, so that the same run takes the same way again.

use rustc_hash::FxHashMap;
use symcrete_expr::dag::{FloatOperation, Op};
use symcrete_expr::{Arena, Expr};

use super::Config;
use crate::answer::Limits;
use crate::backend::{Backend, Role};

/// What kind of operations a query has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// Vectors and arrays alone.
    Bits,
    /// Products and quotients of vectors too.
    Products,
    /// Floats too.
    Floats,
    /// What no exact backend knows: calls and `fmod`.
    Calls,
}

const SHAPES: usize = 4;

/// A backend that so many queries of a shape found without an answer is asked half as often from then on, until it has one.
const PATIENCE: u32 = 4;
/// Never less often than one query in 2 to the power of this.
const LEAST: u32 = 4;

/// One backend's turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub backend: usize,
    pub effort: u64,
    /// Whether it is held against the backend if it does not decide.
    pub counts: bool,
}

#[derive(Default)]
pub(super) struct Planner {
    /// The shape of everything seen, as a number.
    shapes: FxHashMap<Expr, u8>,
    /// By shape and backend: how often in a row it was asked and did not decide.
    failures: [Vec<u32>; SHAPES],
    /// By shape: how many queries there were.
    queries: [u32; SHAPES],
}

impl Planner {
    pub fn shape(&mut self, arena: &Arena, constraints: &[Expr]) -> Shape {
        let shape = constraints.iter().map(|constraint| self.shape_of(arena, *constraint)).max();
        match shape {
            Some(3) => Shape::Calls,
            Some(2) => Shape::Floats,
            Some(1) => Shape::Products,
            _ => Shape::Bits,
        }
    }

    fn shape_of(&mut self, arena: &Arena, expr: Expr) -> u8 {
        let mut pending = vec![expr];
        while let Some(next) = pending.last().copied() {
            if self.shapes.contains_key(&next) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            let mut shape = match arena.node(next).op {
                Op::Call | Op::Float(FloatOperation::Rem, ..) => 3,
                Op::Float(..) | Op::FloatConvert(..) => 2,
                Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem => 1,
                _ => 0,
            };
            arena.for_each_operand(next, |operand| match self.shapes.get(&operand) {
                Some(known) => shape = shape.max(*known),
                None => pending.push(operand),
            });
            if pending.len() == before {
                self.shapes.insert(next, shape);
                pending.pop();
            }
        }
        self.shapes.get(&expr).copied().unwrap_or(0)
    }

    /// The turns of a query. Exact backends are quick with vectors; with all else refuters and searches are. Whoever did not decide in
    /// a short turn may get a longer one.
    pub fn turns(
        &mut self,
        shape: Shape,
        backends: &[Box<dyn Backend>],
        config: &Config,
        limits: &Limits,
    ) -> Vec<Turn> {
        let query = self.queries[shape as usize];
        self.queries[shape as usize] = query.wrapping_add(1);
        let of_role =
            |role: Role| -> Vec<usize> { (0..backends.len()).filter(|at| backends[*at].role() == role).collect() };
        let [exact, listing, refuters, searches, halves] =
            [Role::Exact, Role::Listing, Role::Refuter, Role::Search, Role::Halves].map(of_role);
        let backwards: Vec<usize> = exact.iter().rev().copied().collect();
        // Before values are listed, it is seen whether that is needed.
        let quickest = &exact[..if listing.is_empty() { 0 } else { exact.len().min(2) }];
        let (short, quick, most) = (config.short_effort, config.quick_effort, limits.effort);
        let rounds: Vec<(&[usize], u64)> = match shape {
            Shape::Bits | Shape::Products => {
                let first = if shape == Shape::Products { short } else { 0 };
                vec![
                    (&listing, first),
                    (quickest, short),
                    (&listing, most),
                    (&exact, quick),
                    (&searches, short),
                    (&halves, most),
                    (&backwards, most),
                    (&searches, most / 4),
                ]
            }
            _ => vec![
                (&refuters, short / 20),
                (&listing, short),
                (&searches, short),
                (&refuters, short),
                (&listing, most),
                (&exact, quick),
                (&searches, most / 4),
                (&refuters, most / 4),
                (&halves, most),
                (&backwards, most),
            ],
        };
        let mut turns: Vec<Turn> = Vec::new();
        let first_try = most <= config.limits.effort;
        for (members, effort) in rounds {
            for backend in members {
                let effort = effort.min(most);
                if effort == 0 {
                    continue;
                }
                // A turn that is no longer than an earlier one finds nothing new.
                let longer = turns.iter().all(|turn| turn.backend != *backend || turn.effort < effort);
                let cheap = effort <= short / 20 || listing.contains(backend);
                if longer && (!first_try || cheap || self.is_worth_asking(shape, *backend, query)) {
                    let is_glance = exact.contains(backend) && effort < quick.min(most);
                    turns.push(Turn { backend: *backend, effort, counts: !is_glance });
                }
            }
        }
        turns
    }

    /// Whoever decided nothing for long is asked now and then. What had a first try already is worth asking everybody.
    fn is_worth_asking(&self, shape: Shape, backend: usize, query: u32) -> bool {
        let failures = self.failures[shape as usize].get(backend).copied().unwrap_or(0);
        query.is_multiple_of(1 << (failures / PATIENCE).min(LEAST))
    }

    /// Takes note of what became of a turn.
    pub fn learn(&mut self, shape: Shape, turn: &Turn, decided: bool) {
        if !decided && !turn.counts {
            return;
        }
        let backend = turn.backend;
        let failures = &mut self.failures[shape as usize];
        if failures.len() <= backend {
            failures.resize(backend + 1, 0);
        }
        failures[backend] = if decided { 0 } else { failures[backend].saturating_add(1) };
    }

    /// Forgets what is about expressions.
    pub fn forget(&mut self) {
        self.shapes = FxHashMap::default();
    }
}
