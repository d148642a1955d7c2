//! What ends a query without an answer, and what makes a model doubtful.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use symcrete_expr::dag::{FloatOperation, Function, Op, Rounding};
use symcrete_expr::{Arena, Bits, Expr, FloatKind};
use symcrete_solver::backend::Backend;
use symcrete_solver::backend::bitwuzla::{Bitwuzla, Mode};
use symcrete_solver::{Answer, Limits, Reason};

use crate::{MODES, check, equals, expect_sat, expect_unsat, variable};

/// A product of two primes.
fn hard(arena: &mut Arena) -> Vec<Expr> {
    let factors = [variable(arena, 0, 64), variable(arena, 1, 64)];
    let product = arena.binary(Op::Mul, factors[0], factors[1]);
    let mut constraints = vec![equals(arena, product, &Bits::from_u64(64, 3_037_000_493 * 3_037_000_453))];
    let (one, limit) = (arena.word(64, 1), arena.word(64, 1 << 32));
    for factor in factors {
        constraints.push(arena.compare(Op::UnsignedLess, one, factor));
        constraints.push(arena.compare(Op::UnsignedLess, factor, limit));
    }
    constraints
}

#[test]
fn effort_time_and_interrupts_end_a_query() {
    let mut arena = Arena::without_rules();
    let constraints = hard(&mut arena);
    for mode in MODES {
        let mut backend = Bitwuzla::new(mode);
        let answer = backend.check(&mut arena, &constraints, &Limits { effort: 10_000, ..Limits::default() });
        assert!(matches!(answer, Answer::Unknown(Reason::Limit)), "{answer:?}");
        let answer =
            backend.check(&mut arena, &constraints, &Limits { time: Duration::from_millis(20), ..Limits::default() });
        assert!(matches!(answer, Answer::Unknown(Reason::Limit)), "{answer:?}");
        let interrupt = Arc::new(AtomicBool::new(true));
        let answer = backend.check(&mut arena, &constraints, &Limits { interrupt, ..Limits::default() });
        assert!(matches!(answer, Answer::Unknown(Reason::Interrupted)), "{answer:?}");
        // And it is as good as new after.
        expect_sat(&mut backend, &mut arena, &constraints[1..], "after a limit");
    }
}

#[test]
fn numbers_of_expressions_are_used_anew() {
    let mut backend = Bitwuzla::new(Mode::Incremental);
    let mut arena = Arena::without_rules();
    let x = variable(&mut arena, 0, 8);
    let wanted = equals(&mut arena, x, &Bits::from_u64(8, 1));
    expect_sat(&mut backend, &mut arena, &[wanted], "before");
    arena.collect([]);
    let y = variable(&mut arena, 1, 8);
    let contradiction = arena.compare(Op::UnsignedLess, y, y);
    expect_unsat(&mut backend, &mut arena, &[contradiction], "after");
}

#[test]
fn what_cannot_be_expressed_is_doubtful() {
    let mut arena = Arena::without_rules();
    let x = variable(&mut arena, 0, 32);
    let evaluate = Rc::new(|arguments: &[Bits], _| arguments[0].add(&arguments[0]));
    let function = Function { name: "double".into(), evaluate };
    let function = arena.add_function(function);
    let call = arena.call(function, 32, &[x]);
    let odd = equals(&mut arena, call, &Bits::from_u64(32, 7));
    let mut backend = Bitwuzla::new(Mode::Both);
    assert!(matches!(check(&mut backend, &mut arena, &[odd]), Answer::Sat(_)));
    assert_eq!(backend.doubt(), Some(Reason::Inexpressible));
    // The same call twice is the same value.
    let other = equals(&mut arena, call, &Bits::from_u64(32, 8));
    expect_unsat(&mut backend, &mut arena, &[odd, other], "one call");
    let remainder = arena.float(FloatOperation::Rem, FloatKind::Single, Rounding::NearestEven, 32, &[x, x]);
    let wanted = equals(&mut arena, remainder, &Bits::from_u64(32, 1));
    assert!(matches!(check(&mut backend, &mut arena, &[wanted]), Answer::Sat(_)));
    assert_eq!(backend.doubt(), Some(Reason::Inexpressible));
}

#[test]
fn bits_of_nans_are_doubtful() {
    let mut arena = Arena::without_rules();
    let (x, y) = (variable(&mut arena, 0, 32), variable(&mut arena, 1, 32));
    let sum = arena.float(FloatOperation::Add, FloatKind::Single, Rounding::NearestEven, 32, &[x, y]);
    let mut backend = Bitwuzla::new(Mode::Both);
    let wanted = equals(&mut arena, sum, &Bits::from_u64(32, 0x7fc0_1234));
    assert!(matches!(check(&mut backend, &mut arena, &[wanted]), Answer::Sat(_)));
    assert_eq!(backend.doubt(), Some(Reason::NanBits));
    // No operation gives a NaN that signals.
    let signalling = equals(&mut arena, sum, &Bits::from_u64(32, 0x7f80_1234));
    expect_unsat(&mut backend, &mut arena, &[signalling], "signalling");
    // Where only floats look at a float, nothing is in doubt.
    let two = arena.word(32, 0x4000_0000);
    let is_two = arena.float(FloatOperation::Equal, FloatKind::Single, Rounding::NearestEven, 1, &[sum, two]);
    let mut backend = Bitwuzla::new(Mode::Both);
    expect_sat(&mut backend, &mut arena, &[is_two], "two");
    assert_eq!(backend.doubt(), None);
}
