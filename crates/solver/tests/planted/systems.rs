//! Systems of constraints: with a solution that was there first, without any promise, and without any solution.

use std::rc::Rc;

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use symcrete_expr::dag::{Evaluator, FloatOperation, FunctionId, Op, Rounding, Variable, VariableId, post_order};
use symcrete_expr::{Arena, Bits, Expr, FloatKind, Model};
use symcrete_solver::Random;

use crate::contradictions;
use crate::expressions::{Expressions, Flavour, Type};

pub struct System {
    /// As it was drawn; nothing is simplified.
    pub plain: Arena,
    pub constraints: Vec<Expr>,
    /// The same, simplified while built, with the same numbers of variables.
    pub arena: Arena,
    pub simplified: Vec<Expr>,
    /// For systems that have one by the way they were made.
    pub solution: Option<Rc<Model>>,
}

impl System {
    fn new(plain: Arena, constraints: Vec<Expr>, solution: Option<Rc<Model>>) -> System {
        let mut arena = Arena::new();
        for variable in plain.variables().values() {
            arena.variable(*variable);
        }
        let simplified = copied(&plain, &mut arena, &constraints);
        System { plain, constraints, arena, simplified, solution }
    }

    /// The system of some of the constraints.
    pub fn only(&self, kept: &[usize]) -> Vec<Expr> {
        kept.iter().map(|at| self.simplified[*at]).collect()
    }
}

/// Expressions in another arena, which may have other rules.
fn copied(from: &Arena, to: &mut Arena, roots: &[Expr]) -> Vec<Expr> {
    let mut copies: FxHashMap<Expr, Expr> = FxHashMap::default();
    for expr in post_order(from, roots.iter().copied(), &mut EntitySet::new()) {
        let node = from.node(expr);
        let operands: Vec<Expr> = from.operands(expr).iter().map(|operand| copies[operand]).collect();
        let copy = match (node.op, operands.as_slice()) {
            (Op::Constant, _) => to.constant(&from.as_constant(expr).unwrap()),
            (Op::Variable | Op::ArrayVariable, _) => to.variable(from.variables()[VariableId::from_u32(node.a)]),
            (Op::Call, _) => {
                let function = to.add_function(from.function(FunctionId::from_u32(node.a)).clone());
                to.call(function, node.width, &operands)
            }
            (Op::Table, _) => to.table(node.c, node.width, &operands),
            (Op::Float(operation, kind, rounding), _) => to.float(operation, kind, rounding, node.width, &operands),
            (Op::FloatConvert(own, other, rounding), [a]) => to.float_convert(own, other, rounding, *a),
            (Op::Not, [a]) => to.not(*a),
            (Op::Extract, [a]) => to.extract(*a, node.b, node.width),
            (Op::ZeroExtend, [a]) => to.zero_extend(*a, node.width),
            (Op::SignExtend, [a]) => to.sign_extend(*a, node.width),
            (Op::Concat, [a, b]) => to.concat(*a, *b),
            (Op::Select, [a, b]) => to.select(*a, *b),
            (Op::Store, [array, index, new]) => to.store(*array, *index, *new),
            (Op::Ite | Op::ArrayIte, [condition, a, b]) => to.ite(*condition, *a, *b),
            (op, [a, b]) if op.is_comparison() => to.compare(op, *a, *b),
            (op, [a, b]) => to.binary(op, *a, *b),
            (op, _) => unreachable!("{op:?}"),
        };
        copies.insert(expr, copy);
    }
    roots.iter().map(|root| copies[root]).collect()
}

/// The same number gives the same kind of system to all generators.
fn begin(random: &mut Random) -> Expressions<'_> {
    let mut some = |one_in: u64| random.below(one_in) == 0;
    let floats = some(2);
    let dense = some(3);
    let flavour = Flavour { products: some(2), divisions: some(4), tables: some(3), floats, calls: some(3), dense };
    let count = random.below(4) + 1;
    let mut expressions = Expressions::new(random, flavour);
    for input in 0..count as u32 {
        let ty = match expressions.random.below(if floats { 8 } else { 4 }) {
            at @ 0..=3 => Type::Bits(crate::expressions::WIDTHS[at as usize]),
            4 | 5 => Type::Float(FloatKind::Single),
            _ => Type::Float(FloatKind::Double),
        };
        let variable = Variable { input, offset: 0, width: ty.width(), index_width: 0 };
        let expr = expressions.arena.variable(variable);
        expressions.variables.push((expr, ty));
    }
    expressions
}

/// Constraints that a random assignment satisfies.
pub fn planted(seed: u64) -> System {
    let mut random = Random::new(seed);
    let mut expressions = begin(&mut random);
    let mut model = Model::default();
    for (variable, ty) in expressions.variables.clone() {
        let value = solution_value(&mut expressions, ty);
        model.set(expressions.arena.variable_of(variable).unwrap(), value);
    }
    let solution = Rc::new(model);
    let constraints = (0..expressions.random.below(8) + 1)
        .map(|_| {
            let operations = size(&mut expressions);
            satisfied(&mut expressions, &solution, operations)
        })
        .collect();
    System::new(expressions.arena, constraints, Some(solution))
}

/// Any at all for every other variable and more: what solvers try first would solve much.
fn solution_value(expressions: &mut Expressions, ty: Type) -> Bits {
    match ty {
        _ if !expressions.flavour.dense && expressions.chance(2) => expressions.constant(ty),
        Type::Bits(width) => Bits::from_u64(width, expressions.random.bits()),
        Type::Float(kind) => {
            let number = (expressions.random.fraction() - 0.5) * expressions.pick(&[2.0, 20.0, 1e3, 1e6, 1e12]);
            match kind {
                FloatKind::Single => Bits::from_u64(32, u64::from((number as f32).to_bits())),
                _ => Bits::from_u64(64, number.to_bits()),
            }
        }
    }
}

/// How many operations a constraint has: few most often.
fn size(expressions: &mut Expressions) -> u32 {
    let limit = expressions.pick(&[3, 3, 6, 6, 12, 25, 50]);
    expressions.random.below(limit) as u32 + 1
}

/// Something that holds under the model.
fn satisfied(expressions: &mut Expressions, model: &Rc<Model>, operations: u32) -> Expr {
    let mut evaluator = Evaluator::new(model.clone());
    let ty = expressions.some_type();
    let condition = match expressions.random.below(10) {
        0..=4 => {
            let value = expressions.value(ty, operations);
            let known = evaluator.value(&expressions.arena, value);
            return equal_to(expressions, ty, value, &known);
        }
        5 | 6 => {
            let value = expressions.value(ty, operations);
            let known = evaluator.value(&expressions.arena, value);
            let near = near(expressions, ty, &known);
            expressions.comparison(ty, value, near)
        }
        7 => {
            let (a, b) = (satisfied(expressions, model, operations / 2), expressions.condition(operations / 2));
            expressions.arena.binary(Op::Or, b, a)
        }
        _ => expressions.condition(operations),
    };
    match evaluator.holds(&expressions.arena, condition) {
        true => condition,
        false => expressions.arena.not(condition),
    }
}

/// That a value is what it is known to be; of a NaN, that it is none of the numbers.
fn equal_to(expressions: &mut Expressions, ty: Type, value: Expr, known: &Bits) -> Expr {
    let constant = expressions.arena.constant(known);
    match ty {
        Type::Float(kind) if kind.is_nan(known.low_u128()) => {
            let number =
                expressions.arena.float(FloatOperation::Equal, kind, Rounding::NearestEven, 1, &[value, value]);
            expressions.arena.not(number)
        }
        Type::Float(kind) if !expressions.chance(4) => {
            let operands = [value, constant];
            expressions.arena.float(FloatOperation::Equal, kind, Rounding::NearestEven, 1, &operands)
        }
        _ => expressions.arena.compare(Op::Equal, value, constant),
    }
}

/// A constant that is a little more or less.
fn near(expressions: &mut Expressions, ty: Type, known: &Bits) -> Expr {
    let distance = expressions.pick(&[0, 1, 2, 100]);
    let distance = Bits::from_u64(ty.width(), distance);
    let constant = if expressions.chance(2) { known.add(&distance) } else { known.sub(&distance) };
    expressions.arena.constant(&constant)
}

/// Constraints of which nobody knows whether they can hold.
pub fn arbitrary(seed: u64) -> System {
    let mut random = Random::new(seed);
    let mut expressions = begin(&mut random);
    let constraints = (0..expressions.random.below(8) + 1).map(|_| {
        let operations = size(&mut expressions);
        any(&mut expressions, operations)
    });
    let constraints = constraints.collect();
    System::new(expressions.arena, constraints, None)
}

fn any(expressions: &mut Expressions, operations: u32) -> Expr {
    if expressions.chance(2) {
        return expressions.condition(operations);
    }
    let ty = expressions.some_type();
    let value = expressions.value(ty, operations);
    let constant = expressions.constant(ty);
    let constant = expressions.arena.constant(&constant);
    expressions.comparison(ty, value, constant)
}

/// Constraints that cannot hold together, among others. Also says why.
pub fn contradictory(seed: u64) -> (System, &'static str) {
    let mut random = Random::new(seed);
    let mut expressions = begin(&mut random);
    let (why, mut constraints) = contradictions::contradiction(&mut expressions);
    for _ in 0..expressions.random.below(4) {
        let operations = size(&mut expressions);
        let place = expressions.random.below(constraints.len() as u64 + 1) as usize;
        let more = any(&mut expressions, operations);
        constraints.insert(place, more);
    }
    (System::new(expressions.arena, constraints, None), why)
}
