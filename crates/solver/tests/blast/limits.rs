//! What the blaster does not do: floats, calls, and going on for ever.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use symcrete_expr::dag::{FloatOperation, Op, Rounding};
use symcrete_expr::{Expr, FloatKind};
use symcrete_solver::backend::Backend;
use symcrete_solver::{Answer, Limits, Reason};

use crate::harness::Bench;

/// Two factors of a product of two primes, both large.
fn factors(bench: &mut Bench) -> Vec<Expr> {
    let (a, b) = (bench.variable(64), bench.variable(64));
    let product = bench.arena.binary(Op::Mul, a, b);
    let number = bench.arena.word(64, 2_147_483_647 * 2_147_483_629);
    let (low, high) = (bench.arena.word(64, 1 << 20), bench.arena.word(64, 1 << 32));
    let mut constraints = vec![bench.arena.compare(Op::Equal, product, number)];
    for factor in [a, b] {
        constraints.push(bench.arena.compare(Op::UnsignedLess, low, factor));
        constraints.push(bench.arena.compare(Op::UnsignedLess, factor, high));
    }
    constraints
}

#[test]
fn floats_are_for_others() {
    let mut bench = Bench::new(1700);
    let (a, b) = (bench.variable(32), bench.variable(32));
    let operands = [a, b];
    let less = bench.arena.float(FloatOperation::Less, FloatKind::Single, Rounding::NearestEven, 1, &operands);
    let equal = bench.arena.compare(Op::Equal, a, b);
    assert!(matches!(bench.check(&[equal, less]), Answer::Unknown(Reason::Inexpressible)));
    assert!(!bench.blaster.expressible(&bench.arena, less));
    assert!(bench.blaster.expressible(&bench.arena, equal));
    bench.assert_sat(&[equal]);
}

#[test]
fn one_operation_may_be_too_large() {
    let mut bench = Bench::new(1800);
    let (a, b) = (bench.variable(1 << 15), bench.variable(1 << 15));
    // A thousand million gates, which nobody must begin to make.
    let quick = Limits { effort: 300_000, ..Limits::default() };
    for op in [Op::Mul, Op::UDiv, Op::SRem] {
        let result = bench.arena.binary(op, a, b);
        let equal = bench.arena.compare(Op::Equal, result, a);
        let answer = bench.blaster.check(&mut bench.arena, &[equal], &quick);
        assert!(matches!(answer, Answer::Unknown(Reason::Limit)), "{answer:?}");
    }
    let sum = bench.arena.binary(Op::Add, a, b);
    let equal = bench.arena.compare(Op::Equal, sum, a);
    assert!(matches!(bench.blaster.check(&mut bench.arena, &[equal], &quick), Answer::Sat(_)));
}

#[test]
fn effort_and_time_end_a_search() {
    let mut bench = Bench::new(1900);
    let constraints = factors(&mut bench);
    let short = Limits { effort: 20_000, ..Limits::default() };
    let answer = bench.blaster.check(&mut bench.arena, &constraints, &short);
    assert!(matches!(answer, Answer::Unknown(Reason::Limit)), "{answer:?}");
    let brief = Limits { effort: u64::MAX, time: Duration::from_millis(20), ..Limits::default() };
    let answer = bench.blaster.check(&mut bench.arena, &constraints, &brief);
    assert!(matches!(answer, Answer::Unknown(Reason::Limit)), "{answer:?}");
    let tiny = Limits { effort: 0, ..Limits::default() };
    let (a, b) = (bench.variable(64), bench.variable(64));
    let quotient = bench.arena.binary(Op::UDiv, a, b);
    let equal = bench.arena.compare(Op::Equal, quotient, a);
    let answer = bench.blaster.check(&mut bench.arena, &[equal], &tiny);
    assert!(matches!(answer, Answer::Unknown(Reason::Limit)), "{answer:?}");
    // Nothing of that is in the way of what follows.
    bench.assert_sat(&constraints[1..]);
    let opposite = bench.arena.not(constraints[1]);
    bench.assert_unsat(&[constraints[1], opposite]);
}

#[test]
fn an_interrupt_ends_a_search() {
    let mut bench = Bench::new(2000);
    let constraints = factors(&mut bench);
    let limits =
        Limits { effort: u64::MAX, time: Duration::from_secs(60), interrupt: Arc::new(AtomicBool::new(false)) };
    let interrupt = Arc::clone(&limits.interrupt);
    let answer = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            std::thread::yield_now();
            interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let answer = bench.blaster.check(&mut bench.arena, &constraints, &limits);
        waiting.join().unwrap();
        answer
    });
    assert!(matches!(answer, Answer::Unknown(Reason::Interrupted)), "{answer:?}");
}

#[test]
fn depth_is_no_limit() {
    let mut bench = Bench::new(2100);
    let (a, b) = (bench.variable(1), bench.variable(1));
    let mut deep = a;
    for _ in 0..500_000 {
        let flipped = bench.arena.not(deep);
        deep = bench.arena.binary(Op::Xor, flipped, b);
    }
    let answer = bench.check(&[deep]);
    assert!(matches!(answer, Answer::Sat(_)));
    let same = bench.arena.compare(Op::Equal, deep, a);
    let different = bench.arena.not(same);
    bench.assert_unsat(&[different]);
}

#[test]
fn no_constraints_and_constants() {
    let mut bench = Bench::new(2200);
    let (yes, no) = (bench.arena.boolean(true), bench.arena.boolean(false));
    bench.assert_sat(&[]);
    bench.assert_sat(&[yes]);
    bench.assert_unsat(&[yes, no]);
    assert_eq!(bench.blaster.core(), [no]);
    assert_eq!(bench.blaster.name(), "blast");
}
