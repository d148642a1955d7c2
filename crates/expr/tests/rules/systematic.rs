//! All expressions of two operations over a few variables and constants: where the rules make something else of one, that it is equal is
//! proved. In small widths by trying every value, in larger ones by the solver.

use std::collections::BTreeSet;
use std::rc::Rc;

use symcrete_expr::Bits;
use symcrete_expr::dag::{Arena, Evaluator, Model};

use crate::shape::{BINARY, COMPARISONS, Shape};
use crate::smt::Proofs;

fn constant(width: u32, number: i64) -> Shape {
    Shape::Constant(Bits::from_u64(64, number as u64).trunc(width))
}

/// Variables 0 and 1, and constants at which something changes.
fn atoms(width: u32) -> Vec<Shape> {
    let mut numbers: Vec<i64> = vec![0, 1, 2, 5, -1, -2, 1 << (width - 1), (1 << (width - 1)) - 1];
    numbers.iter_mut().for_each(|number| *number &= (1 << width) - 1);
    numbers.sort_unstable();
    numbers.dedup();
    let variables = [Shape::Variable(0, width), Shape::Variable(1, width)];
    variables.into_iter().chain(numbers.into_iter().map(|number| constant(width, number))).collect()
}

fn is_constant(shape: &Shape) -> bool {
    matches!(shape, Shape::Constant(_))
}

/// Operations on given operands that have the width of these; `p` is a bit to choose by.
fn applied(width: u32, a: &Shape, b: &Shape, shapes: &mut Vec<Shape>) {
    if is_constant(a) && is_constant(b) {
        return;
    }
    for op in BINARY {
        shapes.push(Shape::Binary(op, a.clone().into(), b.clone().into()));
    }
    shapes.push(Shape::Ite(Shape::Variable(2, 1).into(), a.clone().into(), b.clone().into()));
    if width > 1 {
        let low = width / 2;
        let (high_part, low_part) =
            (Shape::Extract(a.clone().into(), low, width - low), Shape::Extract(b.clone().into(), 0, low));
        shapes.push(Shape::Concat(high_part.into(), low_part.into()));
    }
}

fn unary(width: u32, a: &Shape, shapes: &mut Vec<Shape>) {
    shapes.push(Shape::Not(a.clone().into()));
    if width > 1 {
        let part = || Box::new(Shape::Extract(a.clone().into(), 0, width - 1));
        shapes.push(Shape::ZeroExtend(part(), width));
        shapes.push(Shape::SignExtend(part(), width));
        let high = || Box::new(Shape::Extract(a.clone().into(), 1, width - 1));
        shapes.push(Shape::ZeroExtend(high(), width));
        shapes.push(Shape::SignExtend(high(), width));
    }
}

/// Expressions of two operations, and comparisons of one with an atom.
fn shapes(width: u32) -> Vec<Shape> {
    let atoms = atoms(width);
    let mut inner = Vec::new();
    for a in &atoms {
        if !is_constant(a) {
            unary(width, a, &mut inner);
        }
        for b in &atoms {
            applied(width, a, b, &mut inner);
        }
    }
    let mut all = Vec::new();
    for a in &inner {
        unary(width, a, &mut all);
        for b in &atoms {
            applied(width, a, b, &mut all);
            applied(width, b, a, &mut all);
            for op in COMPARISONS {
                all.push(Shape::Compare(op, a.clone().into(), b.clone().into()));
                all.push(Shape::Compare(op, b.clone().into(), a.clone().into()));
            }
        }
    }
    all
}

/// Tries all values of the variables.
fn check_all_values(width: u32, step: usize) {
    for shape in shapes(width).into_iter().step_by(step) {
        let (mut with_rules, mut without_rules) = (Arena::new(), Arena::without_rules());
        let (simple, plain) = (shape.build(&mut with_rules), shape.build(&mut without_rules));
        for values in 0..1u64 << (2 * width + 1) {
            let value = |number: u32, width_of: u32| {
                let bits = if number == 2 { values >> (2 * width) } else { values >> (number * width) };
                Bits::from_u64(width_of, bits)
            };
            let word = |arena: &Arena, expr| {
                let mut model = Model::default();
                for (id, variable) in arena.variables().iter() {
                    model.set(id, value(variable.input, variable.width));
                }
                Evaluator::new(Rc::new(model)).word(arena, expr)
            };
            let (first, second) = (word(&without_rules, plain), word(&with_rules, simple));
            assert_eq!(
                first,
                second,
                "{values:#b}: {} became {}",
                without_rules.display(plain),
                with_rules.display(simple)
            );
        }
    }
}

#[test]
fn every_value_of_few_bits() {
    check_all_values(1, 1);
    check_all_values(2, 1);
    check_all_values(3, 3);
}

/// Every `step`th expression.
fn prove(width: u32, step: usize, hard: bool) {
    let mut proofs = Proofs::default();
    let mut seen = BTreeSet::new();
    for shape in shapes(width).into_iter().step_by(step) {
        let (mut with_rules, mut without_rules) = (Arena::new(), Arena::without_rules());
        let (simple, plain) = (shape.build(&mut with_rules), shape.build(&mut without_rules));
        let (before, after) = (without_rules.display(plain).to_string(), with_rules.display(simple).to_string());
        let is_hard = ["*", "/", "%"].iter().any(|sign| before.contains(sign));
        if before != after && (hard || !is_hard) && seen.insert((before.clone(), after.clone())) {
            proofs.equal(&format!("{before} became {after}"), (&without_rules, plain), (&with_rules, simple));
        }
    }
    assert!(proofs.len() > 300, "{}", proofs.len());
    proofs.run();
}

#[test]
fn three_bits() {
    prove(3, 17, true);
}

#[test]
fn eight_bits() {
    prove(8, 29, false);
}

#[test]
fn thirty_two_bits() {
    prove(32, 43, false);
}
