//! Bitwuzla against answers that are known beforehand: what the evaluator computes must be possible, and nothing else.
#![allow(clippy::unwrap_used)]

mod floats;
mod limits;
mod opinion;
mod random;
mod vectors;

use std::rc::Rc;
use std::time::Duration;

use symcrete_expr::dag::{Evaluator, Op, Variable};
use symcrete_expr::{Arena, Bits, Expr, Model};
use symcrete_solver::backend::Backend;
use symcrete_solver::backend::bitwuzla::{Bitwuzla, Mode};
use symcrete_solver::{Answer, Limits};

const MODES: [Mode; 3] = [Mode::Incremental, Mode::Single, Mode::Both];

fn variable(arena: &mut Arena, input: u32, width: u32) -> Expr {
    arena.variable(Variable { input, offset: 0, width, index_width: 0 })
}

fn equals(arena: &mut Arena, expr: Expr, value: &Bits) -> Expr {
    let value = arena.constant(value);
    arena.compare(Op::Equal, expr, value)
}

fn differs(arena: &mut Arena, expr: Expr, value: &Bits) -> Expr {
    let equal = equals(arena, expr, value);
    arena.not(equal)
}

fn check(backend: &mut Bitwuzla, arena: &mut Arena, constraints: &[Expr]) -> Answer {
    // Ends only where something is wrong: the machine may be busy.
    let limits = Limits { effort: 200_000_000, time: Duration::from_secs(300), ..Limits::default() };
    backend.check(arena, constraints, &limits)
}

fn is_satisfied(arena: &Arena, constraints: &[Expr], model: Model) -> bool {
    let mut evaluator = Evaluator::new(Rc::new(model));
    constraints.iter().all(|constraint| evaluator.holds(arena, *constraint))
}

/// The answer is Sat with a model that holds.
fn expect_sat(backend: &mut Bitwuzla, arena: &mut Arena, constraints: &[Expr], what: &str) {
    match check(backend, arena, constraints) {
        Answer::Sat(model) => assert!(is_satisfied(arena, constraints, model), "{what}: a wrong model"),
        answer => panic!("{what}: {answer:?}"),
    }
}

fn expect_unsat(backend: &mut Bitwuzla, arena: &mut Arena, constraints: &[Expr], what: &str) {
    let answer = check(backend, arena, constraints);
    assert!(matches!(answer, Answer::Unsat), "{what}: {answer:?}");
}
