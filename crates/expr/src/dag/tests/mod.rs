//! Interning and collection. Rules, evaluation and facts of whole expressions are tested in `tests/rules/`.
#![allow(clippy::unwrap_used)]

use std::rc::Rc;

use super::*;
use crate::Bits;

fn byte(arena: &mut Arena, offset: u32) -> Expr {
    arena.variable(Variable { input: 0, offset, width: 8, index_width: 0 })
}

#[test]
fn equal_expressions_have_equal_numbers() {
    let mut arena = Arena::new();
    let (x, y) = (byte(&mut arena, 0), byte(&mut arena, 1));
    assert_eq!(arena.binary(Op::Add, x, y), arena.binary(Op::Add, y, x));
    assert_eq!(arena.binary(Op::UDiv, x, y), arena.binary(Op::UDiv, x, y));
    assert_ne!(arena.binary(Op::UDiv, x, y), arena.binary(Op::UDiv, y, x));
    let wide = Bits::from_limbs(200, &[1, 2, 3]);
    assert_eq!(arena.constant(&wide), arena.constant(&wide));
    assert_eq!(arena.table(8, 8, &[x, y]), arena.table(8, 8, &[x, y]));
    assert_ne!(arena.table(8, 8, &[x, y]), arena.table(9, 8, &[x, y]));
    assert_eq!(byte(&mut arena, 0), x);
}

#[test]
fn collection_keeps_what_is_reachable_and_reuses_numbers() {
    let mut arena = Arena::new();
    let (x, y) = (byte(&mut arena, 0), byte(&mut arena, 1));
    let index = arena.variable(Variable { input: 1, offset: 0, width: 8, index_width: 0 });
    let kept_table = arena.table(8, 8, &[x, y, x]);
    let kept = arena.select(kept_table, index);
    let wide = Bits::from_limbs(200, &[1, 2, 3]);
    let wide_variable = arena.variable(Variable { input: 2, offset: 0, width: 200, index_width: 0 });
    let wide_constant = arena.constant(&wide);
    let kept_wide = arena.binary(Op::Add, wide_variable, wide_constant);
    let before = arena.display(kept).to_string();
    let (garbage_table, garbage_wide) =
        (arena.table(8, 8, &[y, x]), arena.constant(&Bits::from_limbs(200, &[9, 9, 9])));
    let mut garbage = vec![garbage_table, garbage_wide];
    let mut chain = x;
    for _ in 0..100 {
        chain = arena.binary(Op::Mul, chain, y);
        garbage.push(chain);
    }
    let (count, generation) = (arena.len(), arena.generation());
    let freed = arena.collect([kept, kept_wide]);
    assert_eq!(freed, garbage.len());
    assert_eq!(arena.len(), count - freed);
    assert_eq!(arena.generation(), generation + 1);
    assert_eq!(arena.display(kept).to_string(), before);
    assert_eq!(arena.elements(kept_table), &[x, y, x]);
    assert_eq!(arena.as_constant(wide_constant), Some(wide.clone()));
    // What is there is still found, what is not gets old numbers.
    assert_eq!(arena.select(kept_table, index), kept);
    assert_eq!(arena.constant(&wide), wide_constant);
    let capacity = arena.capacity();
    for (at, old) in garbage.iter().enumerate() {
        let constant = arena.word(32, 1000 + at as u64);
        let new = arena.binary(Op::UDiv, constant, constant);
        assert_eq!(arena.as_word(new), Some(1));
        let _ = old;
    }
    assert_eq!(arena.capacity(), capacity.max(arena.len()));
    assert_eq!(arena.collect([kept, kept_wide]), arena.capacity() - arena.len());
    assert_eq!(arena.collect([kept, kept_wide]), 0);
}

#[test]
fn a_memo_does_not_outlive_the_numbers_that_it_is_for() {
    let mut arena = Arena::new();
    let (x, y) = (byte(&mut arena, 0), byte(&mut arena, 1));
    let mut model = Model::default();
    model.set(arena.variable_of(x).unwrap(), Bits::from_u64(8, 7));
    model.set(arena.variable_of(y).unwrap(), Bits::from_u64(8, 5));
    let mut evaluator = Evaluator::new(Rc::new(model));
    let mut sets = VariableSets::default();
    let product = arena.binary(Op::Mul, x, y);
    assert_eq!(evaluator.word(&arena, product), 35);
    let both = sets.of(&arena, product);
    assert_eq!(sets.variables(both).count(), 2);
    arena.collect([x, y]);
    let square = arena.binary(Op::Mul, x, x);
    assert_eq!(square, product, "the number is used again");
    assert_eq!(evaluator.word(&arena, square), 49);
    let one = sets.of(&arena, square);
    assert_eq!(sets.variables(one).count(), 1);
}

#[test]
fn functions_are_called_by_the_evaluator() {
    let mut arena = Arena::new();
    let product = Function {
        name: "product".to_string(),
        evaluate: Rc::new(|arguments, width| arguments[0].mul(&arguments[1]).trunc(width)),
    };
    let function = arena.add_function(product.clone());
    assert_eq!(arena.add_function(product), function);
    let (x, six) = (byte(&mut arena, 0), arena.word(8, 6));
    let call = arena.call(function, 4, &[x, six]);
    let mut model = Model::default();
    model.set(arena.variable_of(x).unwrap(), Bits::from_u64(8, 7));
    assert_eq!(Evaluator::new(Rc::new(model)).word(&arena, call), 42 & 15);
    let folded = arena.call(function, 4, &[six, six]);
    assert_eq!(arena.as_word(folded), Some(36 & 15));
    assert_eq!(arena.display(call).to_string(), "product(i0[0]:8, 6:8):4");
}

#[test]
fn models() {
    let mut model = Model::default();
    let id = VariableId::from_u32;
    for number in [5, 0, 9, 1, 5] {
        model.set(id(number), Bits::from_u64(32, u64::from(number) + 1));
    }
    assert_eq!(model.values().map(|(id, _)| id.as_u32()).collect::<Vec<_>>(), [0, 1, 5, 9]);
    assert_eq!(model.get(id(9)), Some(&Bits::from_u64(32, 10)));
    assert_eq!(model.get(id(2)), None);
    assert_eq!(model.word(id(2)), 0);
    let mut other = Model::default();
    other.set(id(2), Bits::from_u64(8, 3));
    other.set(id(5), Bits::from_u64(32, 50));
    model.merge(&other);
    assert_eq!(model.word(id(5)), 50);
    assert_eq!(model.values().count(), 5);
}

/// Rules end by themselves, long before their bound, and do not copy what they look at.
#[test]
fn hashes_stay_small() {
    let mut arena = Arena::new();
    let mut hash = arena.word(32, 5381);
    for round in 0..10_000 {
        let byte = byte(&mut arena, round % 64);
        let (byte, five) = (arena.sign_extend(byte, 32), arena.word(32, 5));
        let shifted = arena.machine_shl(hash, five);
        let sum = arena.binary(Op::Add, shifted, hash);
        hash = arena.binary(if round % 2 == 0 { Op::Add } else { Op::Xor }, sum, byte);
    }
    assert_eq!(arena.effort.exhausted, 0);
    assert!(arena.len() < 65_000, "{}", arena.len());
}

/// What compilers make of conditions on bytes, and what should be left of it.
#[test]
fn code_without_optimisation() {
    let mut arena = Arena::new();
    let bytes: Vec<Expr> = (0..4).map(|offset| byte(&mut arena, offset)).collect();
    // if (c >= '0' && c <= '9') with int promotion.
    let wide = arena.sign_extend(bytes[0], 32);
    let nine = arena.word(32, u64::from(b'9'));
    let digit = arena.compare(Op::SignedLessEqual, wide, nine);
    assert_eq!(arena.display(digit).to_string(), "(i0[0]:8 <s 0x3a:8)");
    // The condition as a value, tested again: icmp ne (zext i1) 0.
    let value = arena.zero_extend(digit, 32);
    let zero = arena.word(32, 0);
    assert_eq!(arena.not_equal(value, zero), digit);
    // A word read byte by byte, compared with a constant.
    let joined = bytes.iter().copied().reduce(|low, high| arena.concat(high, low)).unwrap();
    let magic = arena.word(32, 0x464c_457f);
    let equal = arena.compare(Op::Equal, joined, magic);
    let text = arena.display(equal).to_string();
    assert_eq!(text, "((i0[3]:8 == 0x46:8) & ((i0[2]:8 == 0x4c:8) & ((i0[1]:8 == 0x45:8) & (i0[0]:8 == 0x7f:8))))");
    // Bytes assembled by shifts are the same expression.
    let mut assembled = arena.zero_extend(bytes[0], 32);
    for (at, byte) in bytes.iter().enumerate().skip(1) {
        let extended = arena.zero_extend(*byte, 32);
        let count = arena.word(32, 8 * at as u64);
        let placed = arena.machine_shl(extended, count);
        assembled = arena.binary(if at == 2 { Op::Add } else { Op::Or }, assembled, placed);
    }
    assert_eq!(assembled, joined);
    // Storing a word byte by byte and loading it gives it back.
    let extended = arena.sign_extend(bytes[1], 32);
    let sum = arena.binary(Op::Add, extended, wide);
    let parts: Vec<Expr> = (0..4).map(|at| arena.extract(sum, 8 * at, 8)).collect();
    let loaded = parts.into_iter().reduce(|low, high| arena.concat(high, low)).unwrap();
    assert_eq!(loaded, sum);
    assert_eq!(arena.effort.exhausted, 0);
}
