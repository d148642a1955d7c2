//! The facts of a node from the facts of its operands, by operation. Arithmetic and shifts are in `wordops`.

use super::{Facts, wordops};
use crate::dag::arena::Arena;
use crate::dag::node::{Expr, Node, Op};
use crate::word::{mask, sign_extend, truncate};

/// Tables whose elements in reach are looked at one by one.
const FEW_ELEMENTS: u64 = 16;

/// What is known of a node that is made of others.
pub fn of_node(arena: &Arena, node: &Node) -> Facts {
    let width = node.width;
    if width > 64 {
        return Facts::top(width);
    }
    let known = |expr: Expr| arena.facts(expr);
    match node.op {
        Op::Constant => Facts::constant(width, u64::from(node.a) | u64::from(node.b) << 32),
        Op::Variable | Op::ArrayVariable | Op::Call | Op::Float(..) | Op::FloatConvert(..) => Facts::top(width),
        Op::Not => wordops::not(width, known(node.first())),
        Op::And
        | Op::Or
        | Op::Xor
        | Op::Add
        | Op::Sub
        | Op::Mul
        | Op::UDiv
        | Op::SDiv
        | Op::URem
        | Op::SRem
        | Op::Shl
        | Op::LShr
        | Op::AShr => wordops::binary(node.op, width, known(node.first()), known(node.second())),
        Op::Equal | Op::UnsignedLess | Op::UnsignedLessEqual | Op::SignedLess | Op::SignedLessEqual => {
            match decide(arena, node.op, node.first(), node.second()) {
                Some(outcome) => Facts::constant(1, u64::from(outcome)),
                None => Facts::top(1),
            }
        }
        Op::Ite | Op::ArrayIte => match known(node.first()).known() {
            Some(0) => known(node.third()),
            Some(_) => known(node.second()),
            None => known(node.second()).join(&known(node.third())),
        },
        Op::Concat => concat(known(node.first()), known(node.second()), width, arena.width(node.second())),
        Op::Extract if arena.width(node.first()) <= 64 => extract(known(node.first()), node.b, width),
        Op::Extract => Facts::top(width),
        Op::ZeroExtend => zero_extended(known(node.first()), arena.width(node.first()), width),
        Op::SignExtend => sign_extended(known(node.first()), arena.width(node.first()), width),
        Op::Select => select(arena, node),
        Op::Table => table(arena, node),
        Op::Store => known(node.first()).join(&known(node.third())),
    }
}

/// What the facts say of a comparison.
pub fn decide(arena: &Arena, op: Op, a: Expr, b: Expr) -> Option<bool> {
    if arena.width(a) > 64 { None } else { decided(op, arena.facts(a), arena.facts(b)) }
}

pub(super) fn decided(op: Op, x: Facts, y: Facts) -> Option<bool> {
    let less = |first: (i128, i128), second: (i128, i128)| match () {
        _ if first.1 < second.0 => Some(true),
        _ if first.0 >= second.1 => Some(false),
        _ => None,
    };
    let unsigned = |facts: Facts| (i128::from(facts.min), i128::from(facts.max));
    let signed = |facts: Facts| (i128::from(facts.signed_min), i128::from(facts.signed_max));
    match op {
        Op::Equal => match (x.known(), y.known()) {
            (Some(x), Some(y)) => Some(x == y),
            _ => x.excludes(&y).then_some(false),
        },
        Op::UnsignedLess => less(unsigned(x), unsigned(y)),
        Op::SignedLess => less(signed(x), signed(y)),
        Op::UnsignedLessEqual => less(unsigned(y), unsigned(x)).map(|less| !less),
        Op::SignedLessEqual => less(signed(y), signed(x)).map(|less| !less),
        _ => None,
    }
}

pub(super) fn zero_extended(inner: Facts, from: u32, width: u32) -> Facts {
    if from == width {
        return inner;
    }
    // None is negative then.
    let zeros = inner.zeros | (mask(width) & !mask(from));
    Facts { zeros, signed_min: inner.min as i64, signed_max: inner.max as i64, ..inner }
}

pub(super) fn sign_extended(inner: Facts, from: u32, width: u32) -> Facts {
    let high = mask(width) & !mask(from);
    let extend = |bits: u64| if crate::word::is_negative(from, bits) { bits | high } else { bits };
    // The order of unsigned numbers survives: those with the sign move up together.
    Facts {
        zeros: extend(inner.zeros),
        ones: extend(inner.ones),
        min: extend(inner.min),
        max: extend(inner.max),
        signed_min: inner.signed_min,
        signed_max: inner.signed_max,
    }
    .refined(width)
}

pub(super) fn concat(high: Facts, low: Facts, width: u32, low_width: u32) -> Facts {
    let join = |high: u64, low: u64| high << low_width | low;
    Facts {
        zeros: join(high.zeros, low.zeros),
        ones: join(high.ones, low.ones),
        min: join(high.min, low.min),
        max: join(high.max, low.max),
        signed_min: join(high.signed_min as u64, low.min) as i64,
        signed_max: join(high.signed_max as u64, low.max) as i64,
    }
    .refined(width)
}

pub(super) fn extract(inner: Facts, low: u32, width: u32) -> Facts {
    let bits = Facts::bits(width, truncate(width, inner.zeros >> low), truncate(width, inner.ones >> low));
    let above = |bits: u64| bits >> low & !mask(width);
    let mut facts = bits;
    // Numbers that agree in all bits above keep their order.
    if above(inner.min) == above(inner.max) {
        let range = Facts::range(width, truncate(width, inner.min >> low), truncate(width, inner.max >> low));
        facts = facts.meet(&range, width);
    }
    let (signed_min, signed_max) = (inner.signed_min >> low, inner.signed_max >> low);
    let fits = |number: i64| sign_extend(width, truncate(width, number as u64)) == number;
    if fits(signed_min) && fits(signed_max) {
        facts = facts.meet(&Facts::signed_range(width, signed_min, signed_max), width);
    }
    facts
}

/// Of every element of a table, those that are not given included.
fn table(arena: &Arena, node: &Node) -> Facts {
    let elements = arena.lists.get(node.a);
    let full = node.c < 32 && elements.len() as u64 >= 1 << node.c;
    let facts = elements.iter().map(|element| arena.facts(*element)).reduce(|a, b| a.join(&b));
    match facts {
        Some(facts) if full => facts,
        Some(facts) => facts.join(&Facts::constant(node.width, 0)),
        None => Facts::constant(node.width, 0),
    }
}

fn select(arena: &Arena, node: &Node) -> Facts {
    let array = arena.nodes[node.first()];
    let all = arena.facts(node.first());
    if array.op != Op::Table || arena.width(node.second()) > 64 {
        return all;
    }
    let index = arena.facts(node.second());
    if index.max - index.min >= FEW_ELEMENTS {
        return all;
    }
    let elements = arena.lists.get(array.a);
    let element = |at: u64| match elements.get(at as usize) {
        Some(element) => arena.facts(*element),
        None => Facts::constant(node.width, 0),
    };
    let reachable = (index.min..=index.max).filter(|at| index.contains(arena.width(node.second()), *at));
    reachable.map(element).reduce(|a, b| a.join(&b)).unwrap_or(all)
}
