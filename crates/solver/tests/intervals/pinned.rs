//! Systems that hold every part of random expressions close to its value under a random assignment: whatever is
//! narrowed too far loses that assignment.

use std::rc::Rc;

use cranelift_entity::EntitySet;
use symcrete_expr::dag::{Evaluator, FloatOperation, Op, Rounding, Variable, post_order};
use symcrete_expr::{Bits, Expr, FloatKind, Model};
use symcrete_solver::{Random, smtlib};

use crate::expressions::{Expressions, Flavour, Type};
use crate::planted::is_refuted;

const KINDS: [FloatKind; 2] = [FloatKind::Single, FloatKind::Double];

fn constant(expressions: &mut Expressions, kind: FloatKind, number: f64) -> Expr {
    let bits = if kind == FloatKind::Double { number.to_bits() } else { u64::from((number as f32).to_bits()) };
    expressions.arena.word(kind.bits(), bits)
}

fn compare(expressions: &mut Expressions, operation: FloatOperation, kind: FloatKind, a: Expr, b: Expr) -> Expr {
    expressions.arena.float(operation, kind, Rounding::NearestEven, 1, &[a, b])
}

/// Something that is true of a float with this value, and of few others.
fn pin(expressions: &mut Expressions, kind: FloatKind, float: Expr, number: f64) -> Expr {
    use FloatOperation::{Equal, Less, LessEqual};
    if number.is_nan() {
        return match expressions.chance(2) {
            true => expressions.arena.float_is_nan(kind, float),
            false => {
                let equal = compare(expressions, Equal, kind, float, float);
                expressions.arena.not(equal)
            }
        };
    }
    let step = |up: bool| match (kind, up) {
        (FloatKind::Double, true) => number.next_up(),
        (FloatKind::Double, false) => number.next_down(),
        (_, true) => f64::from((number as f32).next_up()),
        (_, false) => f64::from((number as f32).next_down()),
    };
    let (above, below) = (constant(expressions, kind, step(true)), constant(expressions, kind, step(false)));
    let same = constant(expressions, kind, number);
    match expressions.random.below(9) {
        0 => compare(expressions, Equal, kind, float, same),
        1 => compare(expressions, LessEqual, kind, float, same),
        2 => compare(expressions, LessEqual, kind, same, float),
        3 if number < f64::INFINITY => compare(expressions, Less, kind, float, above),
        4 if number > f64::NEG_INFINITY => compare(expressions, Less, kind, below, float),
        5 => {
            let less = compare(expressions, Less, kind, float, same);
            expressions.arena.not(less)
        }
        6 if number < f64::INFINITY => {
            let less = compare(expressions, LessEqual, kind, above, float);
            expressions.arena.not(less)
        }
        7 => {
            let nan = expressions.arena.float_is_nan(kind, float);
            expressions.arena.not(nan)
        }
        _ => {
            let infinite = expressions.arena.float_is_class(kind, float, 0b10_0000_0100);
            if number.is_infinite() { infinite } else { expressions.arena.not(infinite) }
        }
    }
}

fn system(seed: u64) -> (Expressions<'static>, Vec<Expr>, Rc<Model>) {
    // The generator outlives the test that uses it.
    let random: &'static mut Random = Box::leak(Box::new(Random::new(seed)));
    let dense = random.below(2) == 0;
    let flavour = Flavour { products: true, divisions: true, tables: false, floats: true, calls: true, dense };
    let mut expressions = Expressions::new(random, flavour);
    let mut model = Model::default();
    for input in 0..3 {
        let ty = match expressions.random.below(4) {
            0 => Type::Bits(expressions.pick(&[8, 32, 64])),
            1 => Type::Float(FloatKind::Single),
            _ => Type::Float(FloatKind::Double),
        };
        let variable = expressions.arena.variable(Variable { input, offset: 0, width: ty.width(), index_width: 0 });
        expressions.variables.push((variable, ty));
        let value = expressions.constant(ty);
        model.set(expressions.arena.variable_of(variable).unwrap(), value);
    }
    let model = Rc::new(model);
    let roots: Vec<Expr> = (0..2)
        .map(|_| {
            let kind = expressions.pick(&KINDS);
            let operations = expressions.random.below(8) as u32 + 1;
            expressions.value(Type::Float(kind), operations)
        })
        .collect();
    let constraints = pins(&mut expressions, &model, roots);
    (expressions, constraints, model)
}

fn pins(expressions: &mut Expressions, model: &Rc<Model>, roots: Vec<Expr>) -> Vec<Expr> {
    let mut evaluator = Evaluator::new(model.clone());
    let mut constraints = Vec::new();
    let parts = post_order(&expressions.arena, roots, &mut EntitySet::new());
    for _ in 0..expressions.random.below(8) {
        let (a, b) = (expressions.pick(&parts), expressions.pick(&parts));
        if let Some(relation) = relate(expressions, a, b) {
            let holds = evaluator.holds(&expressions.arena, relation);
            constraints.push(if holds { relation } else { expressions.arena.not(relation) });
        }
    }
    for expr in parts {
        let node = expressions.arena.node(expr);
        let is_value = !matches!(node.op, Op::Constant) && node.width > 1;
        if !is_value || expressions.chance(3) {
            continue;
        }
        let value = evaluator.value(&expressions.arena, expr);
        let pinned = match node.width {
            64 if !expressions.chance(6) => pin(expressions, FloatKind::Double, expr, f64::from_bits(value.low_u64())),
            32 if !expressions.chance(3) => {
                pin(expressions, FloatKind::Single, expr, f64::from(f32::from_bits(value.low_u64() as u32)))
            }
            _ => pin_integer(expressions, expr, &value),
        };
        let holds = evaluator.holds(&expressions.arena, pinned);
        constraints.push(if holds { pinned } else { expressions.arena.not(pinned) });
    }
    constraints
}

/// A comparison of two parts.
fn relate(expressions: &mut Expressions, a: Expr, b: Expr) -> Option<Expr> {
    let width = expressions.arena.width(a);
    if a == b || width == 1 || width != expressions.arena.width(b) {
        return None;
    }
    let ty = match width {
        32 if !expressions.chance(4) => Type::Float(FloatKind::Single),
        64 if !expressions.chance(4) => Type::Float(FloatKind::Double),
        _ => Type::Bits(width),
    };
    Some(expressions.comparison(ty, a, b))
}

fn pin_integer(expressions: &mut Expressions, expr: Expr, value: &Bits) -> Expr {
    let near = value.add(&Bits::from_u64(value.width(), expressions.random.below(3)));
    let near = expressions.arena.constant(&near);
    let op = expressions.pick(&crate::expressions::COMPARISONS);
    expressions.arena.compare(op, expr, near)
}

#[test]
fn what_is_held_close_to_a_solution_is_not_refuted() {
    for seed in 0..20_000 {
        let (mut expressions, mut constraints, model) = system(seed);
        let mut evaluator = Evaluator::new(model.clone());
        assert!(constraints.iter().all(|constraint| evaluator.holds(&expressions.arena, *constraint)), "seed {seed}");
        if !is_refuted(&mut expressions.arena, &constraints, 300) {
            continue;
        }
        // As few as still go wrong.
        for at in (0..constraints.len()).rev() {
            let removed = constraints.remove(at);
            if !is_refuted(&mut expressions.arena, &constraints, 300) {
                constraints.insert(at, removed);
            }
        }
        panic!("seed {seed} has a solution: {model:?}\n{}", smtlib::print(&expressions.arena, &constraints));
    }
}
