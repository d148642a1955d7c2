//! Each operation, at many widths, with variables and constants as operands.

use symcrete_expr::dag::Op;
use symcrete_expr::{Bits, Expr};

use crate::harness::Bench;

const BINARY: [Op; 13] = [
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::SDiv,
    Op::URem,
    Op::SRem,
    Op::Shl,
    Op::LShr,
    Op::AShr,
];

const COMPARISONS: [Op; 5] = [Op::Equal, Op::UnsignedLess, Op::UnsignedLessEqual, Op::SignedLess, Op::SignedLessEqual];

fn all_of(bench: &mut Bench, a: Expr, b: Expr) -> Vec<Expr> {
    let binary = BINARY.into_iter().map(|op| bench.arena.binary(op, a, b)).collect::<Vec<_>>();
    let comparisons = COMPARISONS.into_iter().map(|op| bench.arena.compare(op, a, b)).collect::<Vec<_>>();
    binary.into_iter().chain(comparisons).collect()
}

#[test]
fn every_pair_of_small_numbers() {
    for width in 1..=3 {
        let mut bench = Bench::new(u64::from(width));
        let (a, b) = (bench.variable(width), bench.variable(width));
        for (x, y) in (0..1 << width).flat_map(|x| (0..1 << width).map(move |y| (x, y))) {
            bench.plant(a, Bits::from_u64(width, x));
            bench.plant(b, Bits::from_u64(width, y));
            for expr in all_of(&mut bench, a, b) {
                bench.assert_exact(expr);
            }
        }
    }
}

#[test]
fn every_constant_beside_every_small_number() {
    for width in 1..=4 {
        let mut bench = Bench::new(10 + u64::from(width));
        let a = bench.variable(width);
        for constant in 0..1 << width {
            let b = bench.arena.word(width, constant);
            let exprs = [all_of(&mut bench, a, b), all_of(&mut bench, b, a)].concat();
            for expr in exprs {
                // Once the variable has its value, one literal for each of the others decides.
                let start = bench.random.below(1 << width) as u64;
                for value in [start, (start + 1) % (1 << width)] {
                    bench.plant(a, Bits::from_u64(width, value));
                    bench.assert_exact(expr);
                }
            }
        }
    }
}

#[test]
fn random_numbers_of_many_widths() {
    for (seed, width) in [5, 6, 7, 8, 13, 16, 17, 31, 32, 33].into_iter().enumerate() {
        let mut bench = Bench::new(100 + seed as u64);
        let (a, b) = (bench.variable(width), bench.variable(width));
        let exprs = all_of(&mut bench, a, b);
        for _ in 0..4 {
            bench.plant_anew();
            for &expr in &exprs {
                // Finding factors is not what is tested.
                let value = bench.value(expr);
                let equal = bench.is(expr, &value);
                let mut constraints = bench.fixed();
                constraints.push(equal);
                bench.assert_sat(&constraints);
                constraints.pop();
                constraints.push(bench.arena.not(equal));
                bench.assert_unsat(&constraints);
            }
        }
    }
}

#[test]
fn random_constants_of_many_widths() {
    for (seed, width) in [7, 8, 24, 32, 64, 65, 80, 128].into_iter().enumerate() {
        let mut bench = Bench::new(200 + seed as u64);
        let a = bench.variable(width);
        for _ in 0..6 {
            bench.plant_anew();
            let b = bench.constant(width);
            for expr in all_of(&mut bench, a, b) {
                bench.assert_exact(expr);
            }
        }
    }
}

#[test]
fn wide_products_and_quotients_of_known_values() {
    for (seed, width) in [64, 65, 96, 128].into_iter().enumerate() {
        let mut bench = Bench::new(300 + seed as u64);
        let (a, b) = (bench.variable(width), bench.variable(width));
        for op in [Op::Mul, Op::UDiv, Op::SRem] {
            bench.plant_anew();
            let expr = bench.arena.binary(op, a, b);
            let value = bench.value(expr);
            let equal = bench.is(expr, &value);
            let different = bench.arena.not(equal);
            let mut constraints = bench.fixed();
            constraints.push(different);
            bench.assert_unsat(&constraints);
        }
    }
}

#[test]
fn products_of_extended_numbers() {
    for signed in [false, true] {
        let mut bench = Bench::new(400);
        let (a, b) = (bench.variable(10), bench.variable(12));
        let extend = |bench: &mut Bench, expr, width| match signed {
            true => bench.arena.sign_extend(expr, width),
            false => bench.arena.zero_extend(expr, width),
        };
        let (wide_a, wide_b) = (extend(&mut bench, a, 40), extend(&mut bench, b, 40));
        for op in [Op::Mul, Op::Add, Op::SDiv, Op::URem] {
            for _ in 0..4 {
                bench.plant_anew();
                let expr = bench.arena.binary(op, wide_a, wide_b);
                bench.assert_exact(expr);
            }
        }
    }
}

#[test]
fn parts_and_choices() {
    let mut bench = Bench::new(500);
    let (a, b, c) = (bench.variable(24), bench.variable(24), bench.variable(1));
    let low = bench.arena.extract(a, 3, 11);
    let exprs = [
        low,
        bench.arena.not(a),
        bench.arena.concat(low, b),
        bench.arena.zero_extend(low, 70),
        bench.arena.sign_extend(low, 70),
        bench.arena.ite(c, a, b),
        bench.arena.sign_extend(c, 9),
    ];
    for _ in 0..10 {
        bench.plant_anew();
        for expr in exprs {
            bench.assert_exact(expr);
        }
    }
}

#[test]
fn laws_hold_for_all_values() {
    let mut bench = Bench::new(600);
    let (a, b) = (bench.variable(16), bench.variable(16));
    let arena = &mut bench.arena;
    let (sum, back) = (arena.binary(Op::Add, a, b), arena.binary(Op::Add, b, a));
    let difference = arena.binary(Op::Sub, sum, b);
    let less = arena.compare(Op::SignedLess, a, b);
    let not_less = arena.compare(Op::SignedLessEqual, b, a);
    let either = arena.binary(Op::Xor, less, not_less);
    let (quotient, rest) = (arena.binary(Op::UDiv, a, b), arena.binary(Op::URem, a, b));
    let product = arena.binary(Op::Mul, quotient, b);
    let whole = arena.binary(Op::Add, product, rest);
    let laws = [
        arena.compare(Op::Equal, sum, back),
        arena.compare(Op::Equal, difference, a),
        either,
        arena.compare(Op::UnsignedLessEqual, rest, a),
    ];
    for law in laws {
        let broken = bench.arena.not(law);
        bench.assert_unsat(&[broken]);
    }
    // The same for division: slow for a solver that does not know algebra, so for few values of the divisor.
    let (small, law) = (bench.arena.word(16, 5), bench.arena.compare(Op::Equal, whole, a));
    let (small, broken) = (bench.arena.compare(Op::UnsignedLess, b, small), bench.arena.not(law));
    bench.assert_unsat(&[small, broken]);
}
