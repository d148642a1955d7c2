//! Every float operation of every kind on fixed operands: the machine's result and no other. The SymFPU inside Bitwuzla is older than
//! the one that Bitwuzla was made for, and two of the formats are experimental there.
//!
//! The operands are fixed by constraints on the incremental solver, which does not look through them: what is tested is the circuit
//! for all operands. The solver for single queries computes with constants instead, by other code.

use std::rc::Rc;

use symcrete_expr::dag::{Evaluator, FloatOperation, Op, Rounding};
use symcrete_expr::float::convert;
use symcrete_expr::{Arena, Bits, Expr, FloatKind, Model};
use symcrete_solver::backend::bitwuzla::{Bitwuzla, Mode};

use crate::random::Random;
use crate::{differs, equals, expect_sat, expect_unsat, variable};

const MODES: [Rounding; 5] =
    [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

/// Patterns at the edges of a format: zeros, the smallest and the largest numbers, those next to one, infinities, NaNs.
fn edges(kind: FloatKind) -> Vec<u128> {
    let one = kind.one();
    let least_normal = match kind.stores_leading_bit() {
        true => 1 << kind.fraction_bits() | 1 << (kind.fraction_bits() - 1),
        false => 1 << kind.fraction_bits(),
    };
    let positive = [
        0,
        1,
        2,
        3,
        least_normal - 1 - (u128::from(kind.stores_leading_bit()) << (kind.fraction_bits() - 1)),
        least_normal,
        least_normal + 1,
        one - 1,
        one,
        one + 1,
        kind.largest(false),
        kind.largest(false) - 1,
        kind.infinity(false),
        kind.infinity(false) | kind.quiet_bit(),
    ];
    let negative = positive.map(|pattern| pattern | kind.sign_mask());
    positive.into_iter().chain(negative).collect()
}

impl Random {
    fn float(&mut self, kind: FloatKind, edges: &[u128]) -> u128 {
        let pattern = u128::from(self.word()) << 64 | u128::from(self.word());
        let mut pattern = pattern & kind.mask();
        match self.below(8) {
            0 | 1 => return self.pick(edges),
            // Near one another, so that sums cancel and products stay in range.
            2..=5 => {
                let spread = self.word() % (2 * u64::from(kind.precision()));
                let exponent = (kind.max_exponent() as u64 + spread).saturating_sub(u64::from(kind.precision()));
                let exponent = u128::from(exponent.clamp(1, u64::from(kind.exponent_field_max()) - 1));
                pattern &= kind.fraction_mask() | kind.sign_mask();
                pattern |= exponent << kind.fraction_bits();
            }
            // Few significant bits.
            6 => pattern &= !(kind.fraction_mask() >> self.below(kind.fraction_bits() as usize)),
            _ => {}
        }
        if kind.stores_leading_bit() && kind.exponent_field(pattern) != 0 && self.below(30) != 0 {
            pattern |= 1 << 63;
        }
        pattern
    }
}

/// One operation on variables, asked again and again.
struct Bench {
    arena: Arena,
    variables: Vec<Expr>,
    /// The kinds of operands that are floats.
    kinds: Vec<Option<FloatKind>>,
    result: Expr,
    /// The kind of the result if that is a float.
    result_kind: Option<FloatKind>,
    backend: Bitwuzla,
    folding: Bitwuzla,
    name: String,
}

impl Bench {
    fn new(
        name: String,
        operands: &[(u32, Option<FloatKind>)],
        result_kind: Option<FloatKind>,
        make: impl FnOnce(&mut Arena, &[Expr]) -> Expr,
    ) -> Bench {
        let mut arena = Arena::without_rules();
        let variables: Vec<Expr> =
            (0..).zip(operands).map(|(input, (width, _))| variable(&mut arena, input, *width)).collect();
        let result = make(&mut arena, &variables);
        let kinds = operands.iter().map(|(_, kind)| *kind).collect();
        let (backend, folding) = (Bitwuzla::new(Mode::Incremental), Bitwuzla::new(Mode::Single));
        Bench { arena, variables, kinds, result, result_kind, backend, folding, name }
    }

    /// The result is what the evaluator says, and cannot be anything else.
    fn case(&mut self, operands: &[Bits], thoroughly: bool) {
        if self.is_left_open(operands) {
            return;
        }
        let arena = &mut self.arena;
        let mut model = Model::default();
        let mut constraints = Vec::new();
        for (variable, value) in self.variables.iter().zip(operands) {
            constraints.push(equals(arena, *variable, value));
            model.set(arena.variable_of(*variable).unwrap(), value.clone());
        }
        let expected = Evaluator::new(Rc::new(model)).value(arena, self.result);
        let what = format!("{} {operands:x?} = {expected:x}", self.name);
        let nan_kind = self.result_kind.filter(|kind| kind.is_nan(expected.low_u128()));
        let has_nan_operand =
            self.kinds.iter().zip(operands).any(|(kind, bits)| kind.is_some_and(|kind| kind.is_nan(bits.low_u128())));
        let wrong = match nan_kind {
            // Only that it is a NaN.
            Some(kind) if has_nan_operand => {
                let rounding = Rounding::NearestEven;
                arena.float(FloatOperation::Equal, kind, rounding, 1, &[self.result, self.result])
            }
            _ => differs(arena, self.result, &expected),
        };
        constraints.push(wrong);
        expect_unsat(&mut self.backend, arena, &constraints, &what);
        if thoroughly {
            expect_unsat(&mut self.folding, arena, &constraints, &what);
            *constraints.last_mut().unwrap() = equals(arena, self.result, &expected);
            expect_sat(&mut self.backend, arena, &constraints, &what);
        }
    }

    /// Conversions to integers by the compiler's library, of what does not fit there.
    fn is_left_open(&self, operands: &[Bits]) -> bool {
        let node = self.arena.node(self.result);
        let Op::Float(FloatOperation::ToSigned | FloatOperation::ToUnsigned, kind, _) = node.op else { return false };
        let pattern = operands[0].low_u128();
        match kind {
            FloatKind::Quad => kind.is_nan(pattern),
            _ if node.width <= 64 => false,
            FloatKind::Half => kind.is_nan(pattern),
            _ => {
                let is_large = kind.exponent_field(pattern) as i32 >= kind.max_exponent() + 127;
                is_large || kind.is_negative(pattern) || kind.is_nan(pattern)
            }
        }
    }

    fn random_cases(&mut self, random: &mut Random, count: usize) {
        let edges: Vec<Vec<u128>> = self.kinds.iter().map(|kind| kind.map(edges).unwrap_or_default()).collect();
        for number in 0..count {
            let operands: Vec<Bits> = (0..self.kinds.len())
                .map(|at| match self.kinds[at] {
                    Some(kind) => Bits::from_u128(kind.bits(), random.float(kind, &edges[at])),
                    None => random.bits(self.arena.width(self.variables[at])),
                })
                .collect();
            self.case(&operands, number % 4 == 0);
        }
    }
}

fn arithmetic(kind: FloatKind, operation: FloatOperation, rounding: Rounding) -> Bench {
    let operands = vec![(kind.bits(), Some(kind)); operation.operands()];
    let is_truth = operation.is_comparison();
    let width = if is_truth { 1 } else { kind.bits() };
    let result_kind = (!is_truth).then_some(kind);
    let name = format!("{operation:?} {kind:?} {rounding:?}");
    Bench::new(name, &operands, result_kind, |arena, operands| arena.float(operation, kind, rounding, width, operands))
}

fn all_arithmetic(kind: FloatKind, operations: &[FloatOperation], count: usize) {
    let mut random = Random::new(kind.bits().into());
    for operation in operations {
        let modes = match operation {
            FloatOperation::Equal | FloatOperation::Less | FloatOperation::LessEqual => &MODES[..1],
            _ => &MODES[..],
        };
        for rounding in modes {
            // The mode that programs use is tested most.
            let count = if *rounding == Rounding::NearestEven { count } else { count / 4 };
            arithmetic(kind, *operation, *rounding).random_cases(&mut random, count);
        }
    }
}

const CHEAP: [FloatOperation; 7] = [
    FloatOperation::Add,
    FloatOperation::Sub,
    FloatOperation::Mul,
    FloatOperation::RoundToIntegral,
    FloatOperation::Equal,
    FloatOperation::Less,
    FloatOperation::LessEqual,
];
const COSTLY: [FloatOperation; 3] = [FloatOperation::SquareRoot, FloatOperation::Div, FloatOperation::MultiplyAdd];

#[test]
fn half() {
    all_arithmetic(FloatKind::Half, &CHEAP, 400);
    all_arithmetic(FloatKind::Half, &COSTLY, 300);
}

#[test]
fn bfloat() {
    all_arithmetic(FloatKind::BFloat, &CHEAP, 300);
    all_arithmetic(FloatKind::BFloat, &COSTLY, 200);
}

#[test]
fn single() {
    all_arithmetic(FloatKind::Single, &CHEAP, 200);
    all_arithmetic(FloatKind::Single, &COSTLY, 60);
}

#[test]
fn double() {
    all_arithmetic(FloatKind::Double, &CHEAP, 40);
    all_arithmetic(FloatKind::Double, &COSTLY, 8);
}

#[test]
fn x87() {
    all_arithmetic(FloatKind::X87, &CHEAP, 40);
    all_arithmetic(FloatKind::X87, &COSTLY, 8);
}

#[test]
fn quad() {
    all_arithmetic(FloatKind::Quad, &CHEAP, 16);
    all_arithmetic(FloatKind::Quad, &COSTLY, 4);
}

/// Cheap ones get more cases.
fn cost(kind: FloatKind) -> usize {
    match kind {
        FloatKind::Half | FloatKind::BFloat | FloatKind::Single => 1,
        FloatKind::Double => 2,
        FloatKind::X87 | FloatKind::Quad => 4,
    }
}

#[test]
fn between_kinds() {
    let mut random = Random::new(1);
    for from in FloatKind::ALL {
        for to in FloatKind::ALL {
            for rounding in MODES {
                let name = format!("{from:?} to {to:?} {rounding:?}");
                let mut bench = Bench::new(name, &[(from.bits(), Some(from))], Some(to), |arena, operands| {
                    arena.float_convert(from, to, rounding, operands[0])
                });
                // Numbers of the larger kind that the smaller one has, or nearly has.
                let near: Vec<u128> = edges(to).into_iter().map(|edge| convert::convert(to, from, edge)).collect();
                for pattern in &near {
                    let moved = [*pattern, pattern.wrapping_add(1), pattern.wrapping_sub(1)];
                    let moved = random.pick(&moved) & from.mask();
                    bench.case(&[Bits::from_u128(from.bits(), moved)], false);
                }
                bench.random_cases(&mut random, 30 / cost(from).max(cost(to)));
            }
        }
    }
}

const WIDTHS: [u32; 12] = [1, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, 128];

#[test]
fn from_integers() {
    let mut random = Random::new(2);
    for kind in FloatKind::ALL {
        let precision = kind.precision();
        for width in WIDTHS.into_iter().chain(precision - 2..precision + 4) {
            for operation in [FloatOperation::FromSigned, FloatOperation::FromUnsigned] {
                for rounding in [Rounding::NearestEven, random.pick(&MODES)] {
                    let name = format!("{operation:?} {width} {kind:?} {rounding:?}");
                    let mut bench = Bench::new(name, &[(width, None)], Some(kind), |arena, operands| {
                        arena.float(operation, kind, rounding, kind.bits(), operands)
                    });
                    bench.random_cases(&mut random, 24 / cost(kind));
                }
            }
        }
    }
}

#[test]
fn to_integers() {
    let mut random = Random::new(3);
    for kind in FloatKind::ALL {
        let precision = kind.precision();
        for width in WIDTHS.into_iter().chain(precision - 2..precision + 4) {
            for operation in [FloatOperation::ToSigned, FloatOperation::ToUnsigned] {
                let name = format!("{operation:?} {kind:?} {width}");
                let rounding = Rounding::Zero;
                let mut bench = Bench::new(name, &[(kind.bits(), Some(kind))], None, |arena, operands| {
                    arena.float(operation, kind, rounding, width, operands)
                });
                bench.limits_of_integers(&mut random, kind, width);
                bench.random_cases(&mut random, 24 / cost(kind));
            }
        }
    }
}

impl Bench {
    /// Around the numbers that just fit and just do not.
    fn limits_of_integers(&mut self, random: &mut Random, kind: FloatKind, width: u32) {
        for power in [0, width - 1, width, 31, 32, 63, 64] {
            let limit = convert::from_unsigned(kind, 1u128.checked_shl(power).unwrap_or(u128::MAX));
            for sign in [0, kind.sign_mask()] {
                let moved = [limit, limit.wrapping_add(1), limit.wrapping_sub(1)];
                let pattern = (random.pick(&moved) | sign) & kind.mask();
                self.case(&[Bits::from_u128(kind.bits(), pattern)], false);
            }
        }
    }
}
