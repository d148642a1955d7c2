//! The layer itself: terms of each sort, levels, assumptions, values, limits, refusals.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::*;

fn is_satisfiable(context: &mut Context, solver: Solver) -> bool {
    match context.check(solver, &[], Limits::default()) {
        Outcome::Satisfiable => true,
        Outcome::Unsatisfiable => false,
        Outcome::Stopped(stop) => panic!("{stop:?}"),
    }
}

#[test]
fn levels_and_values() {
    let mut context = Context::new();
    let solver = context.new_solver(Options { preprocess: false, ..Options::default() });
    let x = context.fresh(Sort::Bits(32));
    let (two, ten) = (context.bits(32, &[2]), context.bits(32, &[10]));
    let product = context.term(Kind::BitsMul, &[x, two]);
    let is_ten = context.term(Kind::Equal, &[product, ten]);
    let large = context.term(Kind::BitsULess, &[ten, x]);
    context.assert(solver, is_ten);
    assert!(is_satisfiable(&mut context, solver));
    context.push(solver);
    context.assert(solver, large);
    assert!(is_satisfiable(&mut context, solver));
    // The other half of the numbers whose double is ten.
    assert_eq!(context.bits_value(solver, x), [0x8000_0005]);
    context.push(solver);
    let five = context.bits(32, &[5]);
    let is_five = context.term(Kind::Equal, &[x, five]);
    context.assert(solver, is_five);
    assert!(!is_satisfiable(&mut context, solver));
    context.pop(solver, 2);
    assert_eq!(context.check(solver, &[is_five], Limits::default()), Outcome::Satisfiable);
    assert_eq!(context.bits_value(solver, x), [5]);
}

#[test]
fn assumptions_that_contradict() {
    let mut context = Context::new();
    let solver = context.new_solver(Options { unsatisfiable_assumptions: true, ..Options::default() });
    let [a, b] = [(); 2].map(|()| context.fresh(Sort::Boolean));
    let not_a = context.term(Kind::Not, &[a]);
    context.assert(solver, not_a);
    assert_eq!(context.check(solver, &[a, b], Limits::default()), Outcome::Unsatisfiable);
    assert!(context.is_unsatisfiable_assumption(solver, a));
    assert!(!context.is_unsatisfiable_assumption(solver, b));
    assert_eq!(context.check(solver, &[b], Limits::default()), Outcome::Satisfiable);
    assert_eq!(context.bits_value(solver, b), [1]);
}

#[test]
fn wide_values_and_arrays() {
    let mut context = Context::new();
    let solver = context.new_solver(Options::default());
    let wide = context.fresh(Sort::Bits(200));
    let limbs = [0x0123_4567_89ab_cdef, u64::MAX, 1 << 63, 0xa5];
    let value = context.bits(200, &limbs);
    let same = context.term(Kind::Equal, &[wide, value]);
    context.assert(solver, same);
    let zero = context.bits(8, &[0]);
    let zeros = context.constant_array(16, 8, zero);
    let array = context.fresh(Sort::Array(16, 8));
    let (index, element) = (context.bits(16, &[300]), context.bits(8, &[7]));
    let stored = context.term(Kind::Store, &[zeros, index, element]);
    let same = context.term(Kind::Equal, &[array, stored]);
    context.assert(solver, same);
    assert!(is_satisfiable(&mut context, solver));
    assert_eq!(context.bits_value(solver, wide), limbs);
    let array = context.array_value(solver, array);
    assert_eq!(array.default, [0]);
    assert_eq!(array.entries, [(vec![300], vec![7])]);
}

#[test]
fn floats_of_every_format() {
    for (exponent, significand) in [(5, 11), (8, 8), (8, 24), (11, 53), (15, 64), (15, 113)] {
        let mut context = Context::new();
        let solver = context.new_solver(Options { preprocess: false, ..Options::default() });
        let x = context.fresh(Sort::Float(exponent, significand));
        let mode = context.rounding(Rounding::NearestEven);
        let sum = context.term(Kind::FloatAdd, &[mode, x, x]);
        let three = context.bits(8, &[3]);
        let three = context.term_indexed(Kind::FloatFromSigned, &[mode, three], &[exponent, significand]);
        let equal = context.term(Kind::FloatEqual, &[sum, three]);
        context.assert(solver, equal);
        assert!(is_satisfiable(&mut context, solver));
        // One and a half: the exponent of one, and the first bit behind the hidden one.
        let bits = context.bits_value(solver, x);
        let bit = |at: u32| bits[(at / 64) as usize] >> (at % 64) & 1 == 1;
        let ones: Vec<u32> = (0..exponent + significand).filter(|at| bit(*at)).collect();
        assert_eq!(ones, (significand - 2..significand + exponent - 2).collect::<Vec<_>>());
    }
}

/// A product of two primes, too hard to be found at once.
fn hard(context: &mut Context) -> Solver {
    let solver = context.new_solver(Options::default());
    let [a, b] = [(); 2].map(|()| context.fresh(Sort::Bits(64)));
    let product = context.term(Kind::BitsMul, &[a, b]);
    let number = context.bits(64, &[3_037_000_493 * 3_037_000_453]);
    let equal = context.term(Kind::Equal, &[product, number]);
    context.assert(solver, equal);
    let (one, limit) = (context.bits(64, &[1]), context.bits(64, &[1 << 32]));
    for factor in [a, b] {
        for (low, high) in [(one, factor), (factor, limit)] {
            let bound = context.term(Kind::BitsULess, &[low, high]);
            context.assert(solver, bound);
        }
    }
    solver
}

#[test]
fn limits_hold() {
    let mut context = Context::new();
    let solver = hard(&mut context);
    let interrupt = Arc::new(AtomicBool::new(true));
    let limits = Limits { interrupt: Some(interrupt), ..Limits::default() };
    assert_eq!(context.check(solver, &[], limits), Outcome::Stopped(Stop::Interrupt));
    let limits = Limits { deadline: Some(Instant::now() + Duration::from_millis(50)), ..Limits::default() };
    assert_eq!(context.check(solver, &[], limits), Outcome::Stopped(Stop::Deadline));
    let limits = Limits { polls: Some(100), ..Limits::default() };
    assert_eq!(context.check(solver, &[], limits), Outcome::Stopped(Stop::Polls));
    context.delete_solver(solver);
}

#[test]
#[should_panic(expected = "Bitwuzla refuses")]
fn a_refusal_is_a_panic() {
    let mut context = Context::new();
    let (a, b) = (context.fresh(Sort::Bits(8)), context.fresh(Sort::Bits(9)));
    context.term(Kind::BitsAdd, &[a, b]);
}

#[test]
fn a_context_moves_to_another_thread() {
    let mut context = Context::new();
    let solver = hard(&mut context);
    let outcome = std::thread::spawn(move || {
        let refusal = std::panic::catch_unwind(|| Context::new().bits(0, &[1]));
        assert!(refusal.is_err());
        context.check(solver, &[], Limits { polls: Some(10), ..Limits::default() })
    });
    assert_eq!(outcome.join().unwrap(), Outcome::Stopped(Stop::Polls));
}
