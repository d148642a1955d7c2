//! Random numbers, random formulas, an exact backend that tries every assignment, and Z3 for a second opinion.

pub mod formulas;
pub mod z3;

use std::cell::RefCell;
use std::rc::Rc;

use symcrete_expr::dag::{Evaluator, Variable, VariableSets};
use symcrete_expr::{Arena, Bits, Expr, Model};
use symcrete_solver::backend::Backend;
use symcrete_solver::{Answer, Limits};

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn chance(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }
}

/// The variable of this number.
pub fn variable(arena: &mut Arena, number: u32, width: u32) -> Expr {
    arena.variable(Variable { input: number, offset: 0, width, index_width: 0 })
}

pub fn variables(arena: &mut Arena, count: u32, width: u32) -> Vec<Expr> {
    (0..count).map(|number| variable(arena, number, width)).collect()
}

/// Tries all assignments; for variables of a few bits in all.
#[derive(Default)]
pub struct BruteForce {
    sets: VariableSets,
}

impl Backend for BruteForce {
    fn name(&self) -> &'static str {
        "brute force"
    }

    fn check(&mut self, arena: &mut Arena, constraints: &[Expr], _limits: &Limits) -> Answer {
        let mut variables: Vec<_> = Vec::new();
        for constraint in constraints {
            let set = self.sets.of(arena, *constraint);
            variables.extend(self.sets.variables(set));
        }
        variables.sort_unstable();
        variables.dedup();
        let total: u32 = variables.iter().map(|variable| arena.variables()[*variable].width).sum();
        assert!(total <= 20, "too much to try");
        for assignment in 0..1u64 << total {
            let mut model = Model::default();
            let mut rest = assignment;
            for variable in &variables {
                let width = arena.variables()[*variable].width;
                model.set(*variable, Bits::from_u64(width, rest));
                rest >>= width;
            }
            if satisfies(arena, &model, constraints.iter().copied()) {
                return Answer::Sat(model);
            }
        }
        Answer::Unsat
    }
}

pub fn satisfies(arena: &Arena, model: &Model, constraints: impl IntoIterator<Item = Expr>) -> bool {
    let mut evaluator = Evaluator::new(Rc::new(model.clone()));
    constraints.into_iter().all(|constraint| evaluator.holds(arena, constraint))
}

/// What a scripted backend was asked.
pub type Asked = Rc<RefCell<Vec<(Vec<Expr>, u64)>>>;

/// Answers as the test says, and writes down the constraints and the effort of each question.
pub struct Scripted<F> {
    pub name: &'static str,
    pub asked: Asked,
    pub answer: F,
    pub doubt: Option<symcrete_solver::Reason>,
}

impl<F: FnMut(&mut Arena, &[Expr], &Limits) -> Answer> Backend for Scripted<F> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn check(&mut self, arena: &mut Arena, constraints: &[Expr], limits: &Limits) -> Answer {
        self.asked.borrow_mut().push((constraints.to_vec(), limits.effort));
        (self.answer)(arena, constraints, limits)
    }

    fn doubt(&self) -> Option<symcrete_solver::Reason> {
        self.doubt
    }
}

/// The word for an answer.
pub fn verdict(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}
