//! Queries that no input satisfies, as programs with floats make them. Bitwuzla agrees where it decides.

use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use symcrete_expr::dag::{Evaluator, FloatOperation, Op, Rounding};
use symcrete_solver::backend::Backend;
use symcrete_solver::backend::bitwuzla::Bitwuzla;
use symcrete_solver::backend::intervals::Intervals;
use symcrete_solver::{Answer, Limits, Reason};

use crate::planted::is_refuted;
use crate::query::{DOUBLE, Query};

/// Microseconds, about.
const EFFORT: u64 = 20_000;

fn refutes(name: &str, build: impl FnOnce(&mut Query)) {
    let mut query = Query::new();
    build(&mut query);
    assert!(is_refuted(&mut query.arena, &query.constraints, EFFORT), "{name} is not refuted");
    let limits = Limits { effort: 300_000, time: Duration::from_secs(2), ..Limits::default() };
    let answer = Bitwuzla::default().check(&mut query.arena, &query.constraints, &limits);
    // What it cannot express, it leaves open.
    if let Answer::Sat(model) = answer {
        let mut evaluator = Evaluator::new(Rc::new(model));
        let solves = query.constraints.iter().all(|constraint| evaluator.holds(&query.arena, *constraint));
        assert!(!solves, "{name}: Bitwuzla has a model");
    }
}

fn does_not_refute(name: &str, build: impl FnOnce(&mut Query)) {
    let mut query = Query::new();
    build(&mut query);
    assert!(!is_refuted(&mut query.arena, &query.constraints, EFFORT), "{name} is refuted");
}

#[test]
fn squares_roots_and_magnitudes() {
    refutes("a square below zero", |q| {
        let x = q.double();
        let square = q.mul(x, x);
        q.less_than(square, 0.0);
    });
    refutes("a root of a square below zero", |q| {
        let x = q.double_of_bytes();
        let square = q.mul(x, x);
        let root = q.root(square);
        q.less_than(root, 0.0);
    });
    refutes("a magnitude below zero", |q| {
        let x = q.double_of_bytes();
        let magnitude = q.arena.float_abs(DOUBLE, x);
        q.less_than(magnitude, 0.0);
    });
    refutes("a variance below zero", |q| {
        let inputs: Vec<_> = (0..5).map(|_| q.double()).collect();
        let (count, mut sum) = (q.number(5.0), q.number(0.0));
        for x in &inputs {
            sum = q.add(sum, *x);
        }
        let mean = q.div(sum, count);
        let mut squares = q.number(0.0);
        for x in &inputs {
            let distance = q.sub(*x, mean);
            let square = q.mul(distance, distance);
            squares = q.add(squares, square);
        }
        let variance = q.div(squares, count);
        q.less_than(variance, 0.0);
    });
    refutes("a root that is no number of a sum of squares that is one", |q| {
        let (x, y) = (q.double(), q.double());
        let (first, second) = (q.mul(x, x), q.mul(y, y));
        let sum = q.add(first, second);
        let root = q.root(sum);
        q.is_number(sum);
        q.is(8, root, root);
    });
    refutes("a magnitude by choice below zero", |q| {
        let (x, zero) = (q.double(), q.number(0.0));
        let negative = q.compare(4, x, zero);
        let flipped = q.arena.float_neg(DOUBLE, x);
        let magnitude = q.arena.ite(negative, flipped, x);
        q.less_than(magnitude, 0.0);
    });
}

#[test]
fn ranges_that_were_checked_before() {
    refutes("above what it was clamped to", |q| {
        let (x, low, high) = (q.double(), q.number(-1.0), q.number(1.0));
        let (below, above) = (q.compare(4, x, low), q.compare(2, x, high));
        let upper = q.arena.ite(above, high, x);
        let clamped = q.arena.ite(below, low, upper);
        q.more_than(clamped, 1.0);
    });
    refutes("beyond the range after a division", |q| {
        let x = q.double();
        q.at_least(x, 1.0);
        q.less_than(x, 10.0);
        let one = q.number(1.0);
        let inverse = q.div(one, x);
        q.more_than(inverse, 1.0);
    });
    refutes("a discriminant that is negative after it was not", |q| {
        let (a, b, c) = (q.double(), q.double(), q.double());
        let (square, product, four) = (q.mul(b, b), q.mul(a, c), q.number(4.0));
        let product = q.mul(four, product);
        let discriminant = q.sub(square, product);
        let zero = q.number(0.0);
        q.not_less(discriminant, zero);
        q.less(discriminant, zero);
    });
    refutes("more than a square that is not more", |q| {
        let (x, y) = (q.double(), q.double());
        let square = q.mul(y, y);
        q.not_less(x, square);
        q.less(x, square);
    });
    refutes("unordered after both were compared", |q| {
        let (x, y) = (q.double_of_bytes(), q.double_of_bytes());
        q.less(x, y);
        q.is(8, x, y);
    });
    refutes("a triangle that is none", |q| {
        let (a, b, c) = (q.double(), q.double(), q.double());
        for side in [a, b, c] {
            q.more_than(side, 0.0);
        }
        q.at_most(a, b);
        q.at_most(b, c);
        q.less(c, a);
    });
    refutes("a sum of positive numbers below one of them", |q| {
        let (x, y) = (q.double(), q.double());
        q.more_than(x, 0.0);
        q.more_than(y, 0.0);
        let sum = q.add(x, y);
        q.less(sum, y);
    });
    refutes("a part that is more than the whole", |q| {
        let (part, whole) = (q.double(), q.double());
        q.more_than(whole, 0.0);
        q.at_least(part, 0.0);
        q.at_most(part, whole);
        let share = q.div(part, whole);
        q.more_than(share, 1.0);
    });
    refutes("the minimum above one of its operands", |q| {
        let (x, y) = (q.double(), q.double());
        let is_less = q.compare(4, x, y);
        let least = q.arena.ite(is_less, x, y);
        q.is_number(x);
        q.is_number(y);
        q.less(x, least);
    });
}

#[test]
fn integers_and_floats() {
    refutes("a byte as a float above all bytes", |q| {
        let byte = q.input(8);
        let wide = q.arena.zero_extend(byte, 32);
        let float = q.float_of_int(wide);
        q.more_than(float, 255.0);
    });
    refutes("a cut number of another size", |q| {
        let x = q.double();
        q.at_least(x, 3.0);
        q.less_than(x, 7.5);
        let integer = q.int_of_float(x);
        q.integer(Op::SignedLess, integer, 3);
    });
    refutes("the floor is above", |q| {
        let x = q.double();
        let floor = q.whole(Rounding::Down, x);
        q.less(x, floor);
    });
    refutes("a temperature outside of its table", |q| {
        let celsius = q.input(32);
        q.integer(Op::SignedLess, celsius, 100);
        let minus = q.arena.word(32, (-50_i64) as u64);
        let low = q.arena.compare(Op::SignedLess, minus, celsius);
        q.constraints.push(low);
        let float = q.float_of_int(celsius);
        let (scale, offset) = (q.number(1.8), q.number(32.0));
        let scaled = q.mul(float, scale);
        let fahrenheit = q.add(scaled, offset);
        let index = q.int_of_float(fahrenheit);
        q.integer(Op::SignedLessEqual, index, (-60_i64) as u64);
    });
    refutes("infinite although finite", |q| {
        let x = q.double_of_bytes();
        q.at_least(x, -10.0);
        q.less_than(x, 10.0);
        let infinite = q.arena.float_is_class(DOUBLE, x, 0b10_0000_0100);
        q.constraints.push(infinite);
    });
    refutes("a remainder above the divisor", |q| {
        let (x, m) = (q.double(), q.number(360.0));
        let rest = q.float(FloatOperation::Rem, x, m);
        q.at_least(rest, 360.0);
    });
}

#[test]
fn functions_of_the_library() {
    refutes("a sine above two", |q| {
        let x = q.double();
        let sine = q.call("sin", f64::sin, x);
        q.more_than(sine, 2.0);
    });
    refutes("an exponential of something positive below a half", |q| {
        let x = q.double();
        q.more_than(x, 0.0);
        let power = q.call("exp", f64::exp, x);
        q.less_than(power, 0.5);
    });
    refutes("an even power below zero", |q| {
        let (x, two) = (q.double(), q.number(2.0));
        let square = q.call2("pow", f64::powf, x, two);
        q.less_than(square, 0.0);
    });
    refutes("a logarithm of a number below one above zero", |q| {
        let x = q.double();
        q.less_than(x, 0.9);
        let log = q.call("log", f64::ln, x);
        q.more_than(log, 0.0);
    });
    refutes("an arcus tangent beyond a right angle", |q| {
        let x = q.double();
        let angle = q.call("atan", f64::atan, x);
        q.more_than(angle, 1.571);
    });
    refutes("a sine and a cosine whose squares make three", |q| {
        let x = q.double();
        let (sine, cosine) = (q.call("sin", f64::sin, x), q.call("cos", f64::cos, x));
        let (first, second) = (q.mul(sine, sine), q.mul(cosine, cosine));
        let sum = q.add(first, second);
        q.more_than(sum, 2.0);
    });
    does_not_refute("a function of the program that is called like one of the library", |q| {
        let x = q.double();
        let sine = q.call("sin", |x| 3.0 * x, x);
        q.more_than(sine, 2.0);
    });
}

#[test]
fn splitting() {
    refutes("outside of one circle, inside of a smaller one", |q| {
        let (x, y) = (q.double(), q.double());
        let (first, second) = (q.mul(x, x), q.mul(y, y));
        let sum = q.add(first, second);
        q.less_than(sum, 1.0);
        q.more_than(x, 0.8);
        q.more_than(y, 0.8);
    });
    refutes("a product of two numbers below one", |q| {
        let (x, y) = (q.double(), q.double());
        q.more_than(x, 0.0);
        q.more_than(y, 0.0);
        q.less_than(x, 1.0);
        q.less_than(y, 1.0);
        let product = q.mul(x, y);
        q.less(x, product);
    });
}

#[test]
fn what_rounding_and_nan_make_possible_is_left_alone() {
    does_not_refute("a number that one more does not change", |q| {
        let (x, one) = (q.double(), q.number(1.0));
        let sum = q.add(x, one);
        q.is(1, sum, x);
    });
    does_not_refute("neither less nor more nor the same", |q| {
        let (x, y) = (q.double(), q.double());
        q.not_less(x, y);
        q.not_less(y, x);
        q.is(14, x, y);
    });
    does_not_refute("a positive number whose square is zero", |q| {
        let (x, zero) = (q.double(), q.number(0.0));
        let square = q.mul(x, x);
        q.more_than(x, 0.0);
        q.is(1, square, zero);
    });
    does_not_refute("an infinite quotient of a finite number that is not negative", |q| {
        let (x, one) = (q.double(), q.number(1.0));
        q.at_least(x, 0.0);
        let inverse = q.div(one, x);
        q.less_than(inverse, 0.0);
    });
    does_not_refute("a variance by moments below zero", |q| {
        let (x, y, half) = (q.double(), q.double(), q.number(0.5));
        let (first, second) = (q.mul(x, x), q.mul(y, y));
        let (squares, sum) = (q.add(first, second), q.add(x, y));
        let (mean_of_squares, mean) = (q.mul(squares, half), q.mul(sum, half));
        let square_of_mean = q.mul(mean, mean);
        let variance = q.sub(mean_of_squares, square_of_mean);
        q.less_than(variance, 0.0);
    });
    does_not_refute("a circle that goes through a NaN", |q| {
        let (a, b, nan) = (q.double(), q.double(), q.double());
        q.less(a, b);
        q.not_less(nan, b);
        q.not_less(a, nan);
    });
    does_not_refute("a choice under one of two conditions of which the other holds", |q| {
        let (x, y, z) = (q.double(), q.double(), q.double());
        let (zero, five, ten) = (q.number(0.0), q.number(5.0), q.number(10.0));
        q.more_than(y, 0.0);
        let (known, large, open) = (q.compare(2, y, zero), q.compare(2, x, five), q.compare(2, z, zero));
        let either = q.arena.binary(Op::Or, known, large);
        let condition = q.arena.binary(Op::And, either, open);
        let choice = q.arena.ite(condition, x, ten);
        q.less_than(choice, 3.0);
    });
}

/// `x * x - 2 x + 1.5` is at least 0.5, which takes some splits to see.
fn polynomial(q: &mut Query) {
    let (x, two, rest) = (q.double(), q.number(2.0), q.number(1.5));
    q.at_least(x, -100.0);
    q.less_than(x, 100.0);
    let (square, twice) = (q.mul(x, x), q.mul(two, x));
    let difference = q.sub(square, twice);
    let value = q.add(difference, rest);
    q.less_than(value, 0.499);
}

#[test]
fn limits_are_kept() {
    refutes("a polynomial just below its minimum", polynomial);
    let mut query = Query::new();
    polynomial(&mut query);
    let mut check = |limits: Limits| match Intervals::new().check(&mut query.arena, &query.constraints, &limits) {
        Answer::Unknown(reason) => reason,
        answer => panic!("{answer:?}"),
    };
    assert_eq!(check(Limits { effort: 0, ..Limits::default() }), Reason::Limit);
    let limits = Limits::default();
    limits.interrupt.store(true, Ordering::Relaxed);
    assert_eq!(check(limits), Reason::Interrupted);
}
