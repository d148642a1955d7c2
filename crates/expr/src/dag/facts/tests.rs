//! Facts contain every value that they must: for sets of operands, all results of every operation.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::dag::node::Op;
use crate::dag::semantics::word;

const OPERATIONS: [Op; 13] = [
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

/// The best facts of a set of values.
fn abstracted(width: u32, values: &[u64]) -> Facts {
    values.iter().map(|value| Facts::constant(width, *value)).reduce(|a, b| a.join(&b)).unwrap()
}

/// The values of a set that is given by its bits.
fn members(set: u64) -> Vec<u64> {
    (0..64).filter(|value| set >> value & 1 == 1).collect()
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A few values that have something in common.
    fn values(&mut self, width: u32) -> Vec<u64> {
        let base = self.next() >> (self.next() % u64::from(width));
        let spread = self.next() >> (self.next() % 64);
        let offset = |random: &mut Random| match random.next() % 3 {
            0 => base.wrapping_add(random.next() & spread),
            1 => base ^ random.next() & spread,
            _ => base.wrapping_sub(random.next() % 16),
        };
        (0..1 + self.next() % 6).map(|_| truncate(width, offset(self))).collect()
    }
}

fn check_unary(width: u32, values: &[u64]) {
    let facts = abstracted(width, values);
    for &value in values {
        assert!(facts.contains(width, value));
        assert!(facts.refined(width).contains(width, value));
        assert!(wordops::not(width, facts).contains(width, truncate(width, !value)));
    }
    for low in 0..width {
        for cut in 1..=width - low {
            let result = transfer::extract(facts, low, cut);
            for &value in values {
                let expected = truncate(cut, value >> low);
                assert!(result.contains(cut, expected), "{values:?} from {low} to {cut}: {result:?}");
            }
        }
    }
    for wider in [width, (width + 3).min(64), 64] {
        let result = transfer::sign_extended(facts, width, wider);
        assert!(values.iter().all(|value| result.contains(wider, crate::word::sign_extend_to(width, wider, *value))));
        let result = transfer::zero_extended(facts, width, wider);
        assert!(values.iter().all(|value| result.contains(wider, *value)));
    }
}

fn check_binary(width: u32, first: &[u64], second: &[u64]) {
    let (a, b) = (abstracted(width, first), abstracted(width, second));
    let joined = (2 * width <= 64).then(|| transfer::concat(a, b, 2 * width, width));
    for op in OPERATIONS {
        let facts = wordops::binary(op, width, a, b);
        for &x in first {
            for &y in second {
                let result = word::binary(op, width, x, y);
                assert!(facts.contains(width, result), "{op:?} of {x} and {y}, width {width}: {facts:?}, {a:?}, {b:?}");
            }
        }
    }
    for &x in first {
        for &y in second {
            assert!(joined.is_none_or(|joined| joined.contains(2 * width, x << width | y)), "{x} {y} {joined:?}");
            for op in [Op::Equal, Op::UnsignedLess, Op::UnsignedLessEqual, Op::SignedLess, Op::SignedLessEqual] {
                let outcome = word::binary(op, width, x, y) != 0;
                assert!(transfer::decided(op, a, b).is_none_or(|decided| decided == outcome), "{op:?} {x} {y}");
            }
            assert!(!a.excludes(&b) || x != y);
        }
    }
}

#[test]
fn every_pair_of_sets_of_two_bits() {
    for first in 1..1 << 4 {
        check_unary(2, &members(first));
        for second in 1..1 << 4 {
            check_binary(2, &members(first), &members(second));
        }
    }
    for first in [1, 2, 3] {
        for second in [1, 2, 3] {
            check_binary(1, &members(first), &members(second));
        }
    }
}

#[test]
fn every_pair_of_sets_of_three_bits() {
    for first in 1..1 << 8 {
        check_unary(3, &members(first));
        for second in 1..1 << 8 {
            check_binary(3, &members(first), &members(second));
        }
    }
}

#[test]
fn many_sets_of_four_bits() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for _ in 0..30_000 {
        let mut set = || members((random.next() & random.next() & 0xffff).max(1));
        let (first, second) = (set(), set());
        check_unary(4, &first);
        check_binary(4, &first, &second);
    }
}

#[test]
fn random_sets_of_more_bits() {
    let mut random = Random(77);
    for round in 0..40_000 {
        let width = [8, 12, 16, 31, 32, 33, 63, 64][round % 8];
        let (first, second) = (random.values(width), random.values(width));
        check_binary(width, &first, &second);
        // Counts of shifts are small.
        let counts: Vec<u64> = second.iter().map(|value| value % u64::from(width)).collect();
        check_binary(width, &first, &counts);
        if round % 16 < 8 {
            check_unary(width, &first);
        }
    }
}

/// The facts that make comparisons of program values cheap are really found.
#[test]
fn precise_where_it_counts() {
    let byte = Facts::range(32, 0, 255);
    let sum = wordops::binary(Op::Add, 32, byte, Facts::constant(32, truncate(32, -48i64 as u64)));
    assert_eq!((sum.signed_min, sum.signed_max), (-48, 207));
    let product = wordops::binary(Op::Mul, 32, byte, Facts::constant(32, 4));
    assert_eq!((product.min, product.max, product.zeros & 3), (0, 1020, 3));
    assert_eq!(wordops::binary(Op::LShr, 32, Facts::top(32), Facts::constant(32, 24)).max, 255);
    assert_eq!(wordops::binary(Op::URem, 32, Facts::top(32), Facts::constant(32, 10)).max, 9);
    let remainder = wordops::binary(Op::SRem, 32, Facts::top(32), Facts::constant(32, 10));
    assert_eq!((remainder.signed_min, remainder.signed_max), (-9, 9));
    let halves = wordops::binary(Op::SDiv, 32, Facts::top(32), Facts::constant(32, 2));
    assert_eq!((halves.signed_min, halves.signed_max), (-(1 << 30), (1 << 30) - 1));
}
