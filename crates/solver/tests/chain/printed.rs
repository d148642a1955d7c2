//! Printed queries: Z3 reads all of them, they mean the same when we read them again, and they stay short.

use std::rc::Rc;

use symcrete_expr::dag::{Evaluator, FloatOperation, Function, Op, Rounding, Variable};
use symcrete_expr::{Arena, Bits, Expr, FloatKind, Model};
use symcrete_solver::smtlib::{self, Script};
use symcrete_solver::{Chain, Config, Limits};

use crate::support::formulas::Formulas;
use crate::support::{Random, variable, variables, z3};

/// Our own answer to a script.
fn own_answer(script: &str) -> String {
    let mut lines = Vec::new();
    let mut run = Script::new(Chain::new(Config::default()), Limits::default);
    run.run(script, &mut |line: &str| lines.push(line.to_owned()));
    lines.join("\n")
}

#[test]
fn what_is_printed_is_read_as_the_same() {
    for seed in 0..40 {
        let mut random = Random(seed);
        let mut arena = Arena::new();
        let variables = variables(&mut arena, 3, [4, 8, 32][seed as usize % 3]);
        let mut formulas = Formulas { random: &mut random, variables, division: false };
        let constraints: Vec<Expr> = (0..5).map(|_| formulas.condition(&mut arena, 4)).collect();
        let mut chain = Chain::new(Config::default());
        let said = crate::support::verdict(&chain.solve(&mut arena, &constraints));
        let script = smtlib::print(&arena, &constraints);
        assert_eq!(own_answer(&script), said, "{script}");
    }
}

#[test]
fn shared_nodes_are_printed_once() {
    let mut arena = Arena::without_rules();
    let mut value = variable(&mut arena, 0, 32);
    for _ in 0..1_000 {
        value = arena.binary(Op::Mul, value, value);
    }
    let one = arena.word(32, 1);
    let constraint = arena.compare(Op::Equal, value, one);
    let script = smtlib::print(&arena, &[constraint]);
    assert!(script.len() < 100_000, "{}", script.len());
}

#[test]
fn deep_and_wide_queries_are_printed() {
    let mut arena = Arena::without_rules();
    let bytes = variables(&mut arena, 200, 8);
    let mut sum = bytes[0];
    for step in 0..100_000 {
        sum = arena.binary(Op::Add, sum, bytes[step % bytes.len()]);
    }
    let table = arena.table(32, 8, &bytes);
    let index = arena.variable(Variable { input: 900, offset: 4, width: 32, index_width: 0 });
    let element = arena.select(table, index);
    let constraint = arena.compare(Op::UnsignedLess, sum, element);
    let script = smtlib::print(&arena, &[constraint]);
    let deepest = script.lines().map(nesting).max();
    assert!(deepest < Some(120), "{deepest:?}");
}

fn nesting(line: &str) -> usize {
    let step = |(depth, most): (usize, usize), character| match character {
        '(' => (depth + 1, most.max(depth + 1)),
        ')' => (depth - 1, most),
        _ => (depth, most),
    };
    line.chars().fold((0, 0), step).1
}

/// Fixes the operands of every float operation and asks for the result that the evaluator gives, and for any other. Where SMT-LIB
/// says what the machine does, the first is possible and the second is not.
#[test]
fn float_operations_mean_the_same_to_z3() {
    let mut random = Random(3);
    let mut printed = Vec::new();
    for kind in [FloatKind::Half, FloatKind::Single, FloatKind::Double, FloatKind::X87, FloatKind::BFloat] {
        for _ in 0..6 {
            for query in float_queries(&mut random, kind) {
                printed.push(query);
            }
        }
    }
    z3::confirm(&printed);
}

fn float_queries(random: &mut Random, kind: FloatKind) -> Vec<(String, &'static str)> {
    use FloatOperation::*;
    let mut arena = Arena::without_rules();
    let variables: Vec<Expr> = (0..3).map(|number| variable(&mut arena, number, kind.bits())).collect();
    let integer = variable(&mut arena, 9, 24);
    let mut fixed = Vec::new();
    let mut model = Model::default();
    for variable in variables.iter().chain([&integer]) {
        let value = if variable == &integer {
            Bits::from_u64(24, random.next())
        } else {
            Bits::from_u128(kind.bits(), float(random, kind))
        };
        model.set(arena.variable_of(*variable).unwrap(), value.clone());
        let value = arena.constant(&value);
        fixed.push(arena.compare(Op::Equal, *variable, value));
    }
    let mut evaluator = Evaluator::new(Rc::new(model));
    let mut results = Vec::new();
    for operation in [Add, Sub, Mul, Div, SquareRoot, MultiplyAdd, RoundToIntegral, Equal, Less, LessEqual] {
        let width = if operation.is_comparison() { 1 } else { kind.bits() };
        let operands = &variables[..operation.operands()];
        results.push(arena.float(operation, kind, Rounding::NearestEven, width, operands));
    }
    for width in [8, 32, 64] {
        results.push(arena.float(ToSigned, kind, Rounding::Zero, width, &variables[..1]));
    }
    results.push(arena.float(ToUnsigned, kind, Rounding::Zero, 32, &variables[..1]));
    for operation in [FromSigned, FromUnsigned] {
        results.push(arena.float(operation, kind, Rounding::NearestEven, kind.bits(), &[integer]));
    }
    let other = if kind == FloatKind::Double { FloatKind::Single } else { FloatKind::Double };
    results.push(arena.float_convert(kind, other, Rounding::NearestEven, variables[0]));
    let mut queries = Vec::new();
    for result in results {
        let value = evaluator.value(&arena, result);
        let constant = arena.constant(&value);
        let equal = arena.compare(Op::Equal, result, constant);
        let different = arena.not(equal);
        queries.push((smtlib::print(&arena, &[&fixed[..], &[equal]].concat()), "sat"));
        let is_float = arena.width(result) >= 16 && matches!(arena.node(result).op, Op::FloatConvert(..))
            || matches!(arena.node(result).op, Op::Float(operation, ..) if !operation.is_comparison());
        let kind_of_result = if matches!(arena.node(result).op, Op::FloatConvert(..)) { other } else { kind };
        let nan = is_float && value.width() == kind_of_result.bits() && kind_of_result.is_nan(value.low_u128());
        // Any NaN is as good as another to SMT-LIB.
        if !nan {
            queries.push((smtlib::print(&arena, &[&fixed[..], &[different]].concat()), "unsat"));
        }
    }
    queries
}

/// A pattern that an operation could meet: ordinary numbers, special ones, and any bits at all.
fn float(random: &mut Random, kind: FloatKind) -> u128 {
    let any = (u128::from(random.next()) << 64 | u128::from(random.next())) & kind.mask();
    match random.below(8) {
        0 => kind.infinity(random.chance(2)),
        1 => kind.zero(random.chance(2)),
        2 => kind.largest(false),
        3 => any,
        _ => {
            symcrete_expr::float::convert::from_signed(kind, u128::from(random.below(2_000)), 16)
                ^ (any & kind.sign_mask())
        }
    }
}

#[test]
fn calls_and_what_smtlib_cannot_say_are_left_open() {
    let mut arena = Arena::new();
    let a = variable(&mut arena, 0, 64);
    let function = arena.add_function(Function {
        name: "sin".to_owned(),
        evaluate: Rc::new(|arguments: &[Bits], _| arguments[0].clone()),
    });
    let called = arena.call(function, 64, &[a]);
    let rest = arena.float(FloatOperation::Rem, FloatKind::Double, Rounding::NearestEven, 64, &[called, a]);
    let seven = arena.word(64, 7);
    let constraint = arena.compare(Op::Equal, rest, seven);
    let script = smtlib::print(&arena, &[constraint]);
    assert!(script.contains("stands for sin("), "{script}");
    assert!(script.contains("stands for fmod("), "{script}");
    z3::confirm(&[(script, "sat")]);
}
