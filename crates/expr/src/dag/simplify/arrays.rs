//! Reading and writing arrays.

use crate::dag::arena::Arena;
use crate::dag::node::{Expr, Op};

/// How many stores a read looks behind.
const STORES: u32 = 1000;

/// Whether two indices are known to be the same or known to differ.
fn same_index(arena: &Arena, a: Expr, b: Expr) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    if arena.is_constant(a) && arena.is_constant(b) {
        return Some(false);
    }
    if arena.width(a) <= 64 && arena.facts(a).excludes(&arena.facts(b)) {
        return Some(false);
    }
    // Different offsets from one place.
    let base = |expr: Expr| arena.offset(expr).map_or(expr, |(base, _)| base);
    if base(a) == base(b) { Some(false) } else { None }
}

pub fn select(arena: &mut Arena, array: Expr, index: Expr) -> Option<Expr> {
    let mut at = array;
    for _ in 0..STORES {
        let node = arena.node(at);
        if node.op != Op::Store {
            break;
        }
        match same_index(arena, node.second(), index) {
            Some(true) => return Some(node.third()),
            Some(false) => at = node.first(),
            None => break,
        }
    }
    let node = arena.node(at);
    match node.op {
        Op::Table => {
            if let Some(element) = element(arena, at, index) {
                return Some(element);
            }
        }
        Op::ArrayIte if arena.is_constant(index) => {
            let (a, b) = (arena.select(node.second(), index), arena.select(node.third(), index));
            return Some(arena.ite(node.first(), a, b));
        }
        _ => {}
    }
    (at != array).then(|| arena.select(at, index))
}

/// The only element that the index can reach.
fn element(arena: &mut Arena, table: Expr, index: Expr) -> Option<Expr> {
    let width = arena.width(table);
    let (least, most) = match arena.width(index) {
        ..=64 => (arena.facts(index).min, arena.facts(index).max),
        _ => match arena.as_constant(index)?.to_u64() {
            Some(place) => (place, place),
            None => return Some(arena.zero(width)),
        },
    };
    let given = arena.elements(table);
    let count = given.len() as u64;
    if least >= count {
        return Some(arena.zero(width));
    }
    // In range: less than the length of a list.
    let reached = &given[least as usize..=most.min(count - 1) as usize];
    let first = reached[0];
    if reached.iter().any(|element| *element != first) {
        return None;
    }
    (most < count || arena.is_zero(first)).then_some(first)
}

pub fn store(arena: &mut Arena, array: Expr, index: Expr, element: Expr) -> Option<Expr> {
    let node = arena.node(array);
    if node.op == Op::Store && node.second() == index {
        return Some(arena.store(node.first(), index, element));
    }
    // What is there already.
    if arena.operands_of(Op::Select, element) == Some((array, index)) {
        return Some(array);
    }
    None
}
