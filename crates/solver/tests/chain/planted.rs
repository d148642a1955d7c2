//! Formulas whose answer is known by the way they were made.

use std::rc::Rc;

use symcrete_expr::dag::{Evaluator, FloatOperation, Op, Rounding};
use symcrete_expr::{Arena, Bits, Expr, FloatKind, Model};
use symcrete_solver::{Answer, Chain, Config, smtlib};

use crate::support::formulas::Formulas;
use crate::support::{Random, satisfies, variables, verdict, z3};

struct Planted {
    arena: Arena,
    variables: Vec<Expr>,
    /// Satisfied by the solution.
    constraints: Vec<Expr>,
    solution: Rc<Model>,
}

fn plant(seed: u64, width: u32, count: u32, division: bool) -> Planted {
    let mut random = Random(seed);
    let mut arena = Arena::new();
    let variables = variables(&mut arena, 4, width);
    let mut model = Model::default();
    for variable in &variables {
        let value = if random.chance(3) { random.below(16) } else { random.next() };
        model.set(arena.variable_of(*variable).unwrap(), Bits::from_u64(width, value));
    }
    let solution = Rc::new(model);
    let mut evaluator = Evaluator::new(solution.clone());
    let mut formulas = Formulas { random: &mut random, variables: variables.clone(), division };
    let mut constraints = Vec::new();
    for _ in 0..count {
        let condition = formulas.condition(&mut arena, 3);
        let holds = evaluator.holds(&arena, condition);
        constraints.push(if holds { condition } else { arena.not(condition) });
    }
    Planted { arena, variables, constraints, solution }
}

#[test]
fn what_has_a_solution_is_sat() {
    for seed in 0..60 {
        let width = [8, 16, 32, 64][seed as usize % 4];
        let Planted { mut arena, constraints, solution, .. } = plant(seed, width, 6, width <= 16);
        assert!(satisfies(&arena, &solution, constraints.iter().copied()));
        let mut chain = Chain::new(Config::default());
        match chain.solve(&mut arena, &constraints) {
            Answer::Sat(model) => assert!(satisfies(&arena, &model, constraints.iter().copied())),
            Answer::Unknown(reason) => panic!("seed {seed}: {reason:?}\n{}", smtlib::print(&arena, &constraints)),
            Answer::Unsat => panic!("seed {seed}: has a solution\n{}", smtlib::print(&arena, &constraints)),
        }
        assert!(chain.take_errors().is_empty());
    }
}

#[test]
fn what_contradicts_fixed_variables_is_unsat() {
    let mut printed = Vec::new();
    for seed in 1_000..1_060 {
        let width = [8, 16, 32, 64][seed as usize % 4];
        let Planted { mut arena, variables, mut constraints, solution } = plant(seed, width, 3, true);
        // One that the solution does not satisfy.
        let broken = constraints.remove(0);
        let broken = arena.not(broken);
        constraints.push(broken);
        for variable in variables {
            let value = solution.get(arena.variable_of(variable).unwrap()).unwrap().clone();
            let value = arena.constant(&value);
            constraints.push(arena.compare(Op::Equal, variable, value));
        }
        let mut chain = Chain::new(Config::default());
        let answer = chain.solve(&mut arena, &constraints);
        assert!(matches!(answer, Answer::Unsat), "seed {seed}: {answer:?}\n{}", smtlib::print(&arena, &constraints));
        printed.push((smtlib::print(&arena, &constraints), verdict(&answer)));
    }
    z3::confirm(&printed);
}

/// A random value of a kind of float over these variables.
fn float_value(random: &mut Random, arena: &mut Arena, kind: FloatKind, variables: &[Expr], depth: u32) -> Expr {
    use FloatOperation::*;
    if depth == 0 {
        let constant = symcrete_expr::float::convert::from_signed(kind, u128::from(random.below(64)), 8);
        return match random.chance(3) {
            true => arena.constant(&Bits::from_u128(kind.bits(), constant)),
            false => variables[random.below(variables.len() as u64) as usize],
        };
    }
    let operation = [Add, Sub, Mul, Div, SquareRoot, RoundToIntegral][random.below(6) as usize];
    let operands: Vec<Expr> =
        (0..operation.operands()).map(|_| float_value(random, arena, kind, variables, depth - 1)).collect();
    arena.float(operation, kind, Rounding::NearestEven, kind.bits(), &operands)
}

/// Comparisons of floats that hold for a solution, which is made of small numbers so that few of them are NaNs.
fn plant_floats(seed: u64, kind: FloatKind) -> Planted {
    let mut random = Random(seed);
    let mut arena = Arena::new();
    let variables = variables(&mut arena, 2, kind.bits());
    let mut model = Model::default();
    for variable in &variables {
        let value = symcrete_expr::float::convert::from_signed(kind, u128::from(random.below(200)), 8);
        model.set(arena.variable_of(*variable).unwrap(), Bits::from_u128(kind.bits(), value));
    }
    let solution = Rc::new(model);
    let mut evaluator = Evaluator::new(solution.clone());
    let mut constraints = Vec::new();
    for _ in 0..3 {
        let a = float_value(&mut random, &mut arena, kind, &variables, 2);
        let b = float_value(&mut random, &mut arena, kind, &variables, 1);
        let operation = [FloatOperation::Less, FloatOperation::LessEqual][random.below(2) as usize];
        let condition = arena.float(operation, kind, Rounding::NearestEven, 1, &[a, b]);
        let holds = evaluator.holds(&arena, condition);
        constraints.push(if holds { condition } else { arena.not(condition) });
    }
    Planted { arena, variables, constraints, solution }
}

#[test]
fn floats_with_a_solution_are_sat_and_fixed_ones_are_not_after_a_change() {
    let mut printed = Vec::new();
    for seed in 0..24 {
        let kind = [FloatKind::Half, FloatKind::Single][seed as usize % 2];
        let Planted { mut arena, variables, mut constraints, solution } = plant_floats(seed, kind);
        let mut chain = Chain::new(Config::default());
        match chain.solve(&mut arena, &constraints) {
            Answer::Sat(model) => assert!(satisfies(&arena, &model, constraints.iter().copied())),
            Answer::Unknown(reason) => panic!("seed {seed}: {reason:?}\n{}", smtlib::print(&arena, &constraints)),
            Answer::Unsat => panic!("seed {seed}: has a solution\n{}", smtlib::print(&arena, &constraints)),
        }
        let broken = constraints.remove(0);
        constraints.push(arena.not(broken));
        for variable in variables {
            let value = solution.get(arena.variable_of(variable).unwrap()).unwrap().clone();
            let value = arena.constant(&value);
            constraints.push(arena.compare(Op::Equal, variable, value));
        }
        let answer = chain.solve(&mut arena, &constraints);
        assert!(matches!(answer, Answer::Unsat), "seed {seed}: {answer:?}\n{}", smtlib::print(&arena, &constraints));
        printed.push((smtlib::print(&arena, &constraints), verdict(&answer)));
        assert!(chain.take_errors().is_empty());
    }
    z3::confirm(&printed);
}
