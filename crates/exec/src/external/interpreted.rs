//! Functions of libm that are arithmetic and bit patterns: as expressions that a solver can look into. Each gives the
//! very bits that the library gives; a test compares them.

use smallvec::SmallVec;
use symcrete_expr::dag::{FloatOperation, Op, Rounding};
use symcrete_expr::{Bits, Expr, FloatKind, Value};
use symcrete_ir::{Intrinsic, Type};

use crate::libm::Part;
use crate::step::symbolic::Symbolic;

/// Functions that are intrinsics too, by their names without `f` or `l`.
const INTRINSICS: &[(&str, Intrinsic)] = &[
    ("sqrt", Intrinsic::Sqrt),
    ("fabs", Intrinsic::FloatAbs),
    ("copysign", Intrinsic::CopySign),
    ("floor", Intrinsic::Floor),
    ("ceil", Intrinsic::Ceil),
    ("trunc", Intrinsic::Truncate),
    ("round", Intrinsic::Round),
    ("roundeven", Intrinsic::RoundEven),
    ("rint", Intrinsic::RoundCurrent),
    ("nearbyint", Intrinsic::RoundCurrent),
    ("fma", Intrinsic::FusedMultiplyAdd),
];

/// Functions that leave errno alone, whatever they are given.
const NEVER_FAIL: &[&str] = &[
    "fabs",
    "copysign",
    "floor",
    "ceil",
    "trunc",
    "round",
    "roundeven",
    "rint",
    "nearbyint",
    "fmin",
    "fmax",
    "modf",
    "frexp",
];

/// A name without its suffix, and the kind of float that the suffix stands for.
fn stem(name: &str) -> impl Iterator<Item = (&str, FloatKind)> {
    let suffixed = |suffix: &str, kind| name.strip_suffix(suffix).map(|stem| (stem, kind));
    let single = suffixed("f", FloatKind::Single);
    [Some((name, FloatKind::Double)), single, suffixed("l", FloatKind::X87)].into_iter().flatten()
}

pub(super) fn never_fails(name: &str) -> bool {
    stem(name).any(|(stem, _)| NEVER_FAIL.contains(&stem))
}

/// What a function gives in one place, if it is known. Integers have as many bits as the library gives.
pub(super) fn part(symbolic: &mut Symbolic, name: &str, arguments: &[Expr], part: Part) -> Option<Expr> {
    let names: SmallVec<[(&str, FloatKind); 3]> = stem(name).collect();
    names.into_iter().find_map(|(stem, kind)| match part {
        Part::Result => result(symbolic, stem, kind, arguments),
        Part::Output(0) => output(symbolic, stem, kind, arguments),
        _ => None,
    })
}

fn result(symbolic: &mut Symbolic, stem: &str, kind: FloatKind, arguments: &[Expr]) -> Option<Expr> {
    use FloatOperation::{LessEqual, Rem, Sub};
    let x = *arguments.first()?;
    let y = arguments.get(1).copied().unwrap_or(x);
    if let Some((_, intrinsic)) = INTRINSICS.iter().find(|(known, _)| *known == stem) {
        let ty = Type::float(ir_kind(kind)?);
        let values: SmallVec<[Value; 3]> = arguments.iter().map(|argument| Value::Expr(*argument)).collect();
        let value = symbolic.intrinsic(*intrinsic, ty, 64, &values, Some(ty)).into_iter().next()?;
        return Some(symbolic.expr(kind.bits(), &value));
    }
    let (arena, nearest, bits) = (&mut *symbolic.arena, Rounding::NearestEven, kind.bits());
    Some(match stem {
        "fmod" => arena.float(Rem, kind, nearest, bits, &[x, y]),
        "fmin" | "fmax" => extreme(symbolic, kind, stem == "fmin", x, y),
        "fdim" => {
            let (difference, zero) = (arena.float(Sub, kind, nearest, bits, &[x, y]), arena.word(bits, 0));
            let not_more = arena.float(LessEqual, kind, nearest, 1, &[x, y]);
            arena.ite(not_more, zero, difference)
        }
        "lround" | "llround" => to_integer(symbolic, kind, Rounding::NearestAway, x),
        "lrint" | "llrint" => to_integer(symbolic, kind, nearest, x),
        "ldexp" | "scalbn" | "scalbln" => return scaled(symbolic, kind, x, y),
        "modf" => {
            let whole = arena.float(FloatOperation::RoundToIntegral, kind, Rounding::Zero, bits, &[x]);
            let rest = arena.float(Sub, kind, nearest, bits, &[x, whole]);
            // What is left of an infinity is zero.
            let (infinite, zero) = (arena.float_is_class(kind, x, INFINITIES), arena.word(bits, 0));
            let rest = arena.ite(infinite, zero, rest);
            let (signed, nan) = (arena.float_copysign(kind, rest, x), arena.float_is_nan(kind, x));
            arena.ite(nan, whole, signed)
        }
        "frexp" if kind != FloatKind::X87 => fraction(symbolic, kind, x).0,
        "nextafter" if kind != FloatKind::X87 => next_after(symbolic, kind, x, y),
        _ => return None,
    })
}

/// What goes through the only pointer that a function has.
fn output(symbolic: &mut Symbolic, stem: &str, kind: FloatKind, arguments: &[Expr]) -> Option<Expr> {
    let x = *arguments.first()?;
    let arena = &mut *symbolic.arena;
    match stem {
        "modf" => Some(arena.float(FloatOperation::RoundToIntegral, kind, Rounding::Zero, kind.bits(), &[x])),
        "frexp" if kind != FloatKind::X87 => Some(fraction(symbolic, kind, x).1),
        _ => None,
    }
}

/// Classes of floats as `is.fpclass` numbers them.
const INFINITIES: u32 = 0b10_0000_0100;
const NANS: u32 = 0b11;
const SUBNORMALS: u32 = 0b00_1001_0000;
const ZEROS: u32 = 0b00_0110_0000;

fn ir_kind(kind: FloatKind) -> Option<symcrete_ir::FloatKind> {
    match kind {
        FloatKind::Single => Some(symcrete_ir::FloatKind::Single),
        FloatKind::Double => Some(symcrete_ir::FloatKind::Double),
        FloatKind::X87 => Some(symcrete_ir::FloatKind::X87),
        _ => None,
    }
}

/// The smallest and the largest exponent of a number that is not subnormal.
fn exponents(kind: FloatKind) -> (i64, i64) {
    let most = match kind {
        FloatKind::Single => 127,
        FloatKind::Double => 1023,
        _ => 16_383,
    };
    (1 - most, most)
}

/// Of two zeros, the library's code for the x87 gives the first as the least and the second as the most.
fn extreme(symbolic: &mut Symbolic, kind: FloatKind, is_least: bool, x: Expr, y: Expr) -> Expr {
    let arena = &mut *symbolic.arena;
    let found = if is_least { arena.float_fmin(kind, x, y) } else { arena.float_fmax(kind, x, y) };
    if kind != FloatKind::X87 {
        return found;
    }
    let same = arena.float(FloatOperation::Equal, kind, Rounding::NearestEven, 1, &[x, y]);
    arena.ite(same, if is_least { x } else { y }, found)
}

fn to_integer(symbolic: &mut Symbolic, kind: FloatKind, rounding: Rounding, x: Expr) -> Expr {
    let arena = &mut *symbolic.arena;
    let whole = arena.float(FloatOperation::RoundToIntegral, kind, rounding, kind.bits(), &[x]);
    arena.float(FloatOperation::ToSigned, kind, Rounding::Zero, 64, &[whole])
}

/// Two to this power.
fn power_of_two(symbolic: &mut Symbolic, kind: FloatKind, exponent: i64) -> Expr {
    let field = (exponent + exponents(kind).1) as u128;
    let leading = if kind.stores_leading_bit() { 1 << (kind.precision() - 1) } else { 0 };
    symbolic.arena.constant(&Bits::from_u128(kind.bits(), field << kind.fraction_bits() | leading))
}

/// A product with a power of two is rounded once, as the function does; the exponent must be known, and not extreme.
fn scaled(symbolic: &mut Symbolic, kind: FloatKind, x: Expr, exponent: Expr) -> Option<Expr> {
    let width = symbolic.arena.width(exponent);
    let exponent = symcrete_expr::word::sign_extend(width, symbolic.arena.as_word(exponent)?);
    let (least, most) = exponents(kind);
    if !(least..=most).contains(&exponent) {
        return None;
    }
    let factor = power_of_two(symbolic, kind, exponent);
    let nearest = Rounding::NearestEven;
    Some(symbolic.arena.float(FloatOperation::Mul, kind, nearest, kind.bits(), &[x, factor]))
}

/// A fraction from a half to one and the power of two to multiply it with; for zero, infinities and NaN the number and
/// 0.
fn fraction(symbolic: &mut Symbolic, kind: FloatKind, x: Expr) -> (Expr, Expr) {
    let (bits, fraction_bits, most) = (kind.bits(), kind.fraction_bits(), exponents(kind).1);
    let shift = i64::from(kind.precision()) + 1;
    let factor = power_of_two(symbolic, kind, shift);
    let arena = &mut *symbolic.arena;
    let larger = arena.float(FloatOperation::Mul, kind, Rounding::NearestEven, bits, &[x, factor]);
    let subnormal = arena.float_is_class(kind, x, SUBNORMALS);
    let normal = arena.ite(subnormal, larger, x);
    let field_bits = bits - 1 - fraction_bits;
    let field = arena.extract(normal, fraction_bits, field_bits);
    let field = arena.zero_extend(field, 32);
    let (usual, for_subnormal) = (arena.word(32, (most - 1) as u64), arena.word(32, (most - 1 + shift) as u64));
    let bias = arena.ite(subnormal, for_subnormal, usual);
    let exponent = arena.binary(Op::Sub, field, bias);
    let (sign, below) = (arena.extract(normal, bits - 1, 1), arena.extract(normal, 0, fraction_bits));
    let half = arena.word(field_bits, (most - 1) as u64);
    let above = arena.concat(sign, half);
    let fraction = arena.concat(above, below);
    let special = arena.float_is_class(kind, x, INFINITIES | NANS | ZEROS);
    // A sum with itself quiets a NaN, and leaves the others as they are.
    let same = arena.float(FloatOperation::Add, kind, Rounding::NearestEven, bits, &[x, x]);
    let none = arena.word(32, 0);
    (arena.ite(special, same, fraction), arena.ite(special, none, exponent))
}

/// The neighbour in the direction of the other one.
fn next_after(symbolic: &mut Symbolic, kind: FloatKind, x: Expr, y: Expr) -> Expr {
    use FloatOperation::{Add, Equal, Less};
    let (arena, nearest, bits) = (&mut *symbolic.arena, Rounding::NearestEven, kind.bits());
    let unordered = arena.float_compare(kind, 8, x, y);
    let sum = arena.float(Add, kind, nearest, bits, &[x, y]);
    let same = arena.float(Equal, kind, nearest, 1, &[x, y]);
    let zero = arena.float_is_class(kind, x, ZEROS);
    let one = arena.word(bits, 1);
    let smallest = arena.float_copysign(kind, one, y);
    let (upward, negative) = (arena.float(Less, kind, nearest, 1, &[x, y]), arena.extract(x, bits - 1, 1));
    // Away from zero the pattern grows.
    let grows = arena.binary(Op::Xor, upward, negative);
    let (larger, smaller) = (arena.binary(Op::Add, x, one), arena.binary(Op::Sub, x, one));
    let neighbour = arena.ite(grows, larger, smaller);
    let neighbour = arena.ite(zero, smallest, neighbour);
    let neighbour = arena.ite(same, y, neighbour);
    arena.ite(unordered, sum, neighbour)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use symcrete_expr::Arena;
    use symcrete_expr::dag::{Evaluator, Model, Variable};

    use super::*;
    use crate::libm::{self, Kind, Outcome, Parameter};

    /// Numbers that repeat from run to run.
    struct Random(u64);

    impl Random {
        fn bits(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        fn below(&mut self, count: u64) -> u64 {
            self.bits() % count
        }

        /// Special values, small whole numbers and halves, and any pattern.
        fn number(&mut self, kind: Kind) -> u128 {
            let double = match self.below(5) {
                0 => [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324][self.below(8) as usize],
                1 => (self.below(64) as f64 - 32.0) / 2.0,
                2 => (self.bits() as i64 >> self.below(64)) as f64 / 4.0,
                _ => return self.pattern(kind),
            };
            match kind {
                Kind::Single => u128::from((double as f32).to_bits()),
                Kind::Double => u128::from(double.to_bits()),
                Kind::X87 => extended(double),
                Kind::Int | Kind::Long | Kind::LongLong => u128::from(self.below(8)),
            }
        }

        fn pattern(&mut self, kind: Kind) -> u128 {
            let bits = u128::from(self.bits());
            match kind {
                Kind::Single | Kind::Int => bits & 0xFFFF_FFFF,
                // Patterns that no instruction makes are left out: a number that is not subnormal has its leading bit.
                Kind::X87 => {
                    let top = u128::from(self.bits()) & 0xFFFF;
                    let leading = if top & 0x7FFF == 0 { 0 } else { 1 << 63 };
                    top << 64 | bits & !(1 << 63) | leading
                }
                _ => bits,
            }
        }
    }

    fn extended(double: f64) -> u128 {
        let value = symcrete_expr::Bits::from_u64(64, double.to_bits());
        let mut arena = Arena::new();
        let constant = arena.constant(&value);
        let wide = arena.float_convert(FloatKind::Double, FloatKind::X87, Rounding::NearestEven, constant);
        arena.as_constant(wide).expect("a constant").low_u128()
    }

    fn of(outcome: &Outcome, wanted: Part) -> u128 {
        if wanted == Part::Result { outcome.result } else { outcome.outputs[0] }
    }

    /// Compares an expression with the library on many arguments; `fixed` stands for an integer argument.
    fn compare(function: &libm::Function, wanted: Part, fixed: Option<i32>, random: &mut Random) -> bool {
        let (mut arena, mut notes) = (Arena::new(), Vec::new());
        let mut arguments = Vec::new();
        for (at, parameter) in function.signature().parameters.iter().enumerate() {
            arguments.push(match (parameter, fixed) {
                (Parameter::Value(kind @ (Kind::Int | Kind::Long)), Some(fixed)) => {
                    arena.word(kind.bits(), fixed as i64 as u64)
                }
                (Parameter::Value(kind), _) => {
                    arena.variable(Variable { input: at as u32, offset: 0, width: kind.bits(), index_width: 0 })
                }
                _ => arena.word(64, 0),
            });
        }
        let mut symbolic = Symbolic { arena: &mut arena, notes: &mut notes };
        let Some(expr) = part(&mut symbolic, function.name(), &arguments, wanted) else { return false };
        for _ in 0..4000 {
            let (mut model, mut given) = (Model::default(), Vec::new());
            for (argument, parameter) in arguments.iter().zip(&function.signature().parameters) {
                match (parameter, arena.variable_of(*argument)) {
                    (Parameter::Value(kind), Some(variable)) => {
                        given.push(random.number(*kind));
                        model.set(variable, Bits::from_u128(kind.bits(), given[given.len() - 1]));
                    }
                    _ => given.push(arena.as_word(*argument).map_or(0, u128::from)),
                }
            }
            let outcome = function.call(&given);
            let value = Evaluator::new(Rc::new(model)).value(&arena, expr).low_u128();
            let name = function.name();
            assert_eq!(value, of(&outcome, wanted), "{name} of {given:x?}: {value:#x}, {:#x}", of(&outcome, wanted));
            assert!(outcome.errno == 0 || !never_fails(name), "{name} of {given:x?} sets errno");
        }
        true
    }

    #[test]
    fn expressions_give_what_the_library_gives() {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let mut known = Vec::new();
        for function in libm::functions() {
            let takes_integer = function
                .signature()
                .parameters
                .iter()
                .any(|parameter| matches!(parameter, Parameter::Value(Kind::Int | Kind::Long)));
            let fixed: &[Option<i32>] =
                if takes_integer { &[Some(0), Some(1), Some(-3), Some(60), Some(-126), Some(127)] } else { &[None] };
            for fixed in fixed {
                if compare(function, Part::Result, *fixed, &mut random) {
                    known.push(function.name());
                }
                compare(function, Part::Output(0), *fixed, &mut random);
            }
        }
        for stem in
            ["fmod", "fmin", "fmax", "fdim", "lround", "llround", "lrint", "llrint", "modf", "floor", "sqrt", "ldexp"]
        {
            for suffix in ["", "f", "l"] {
                let name = format!("{stem}{suffix}");
                assert!(known.contains(&name.as_str()), "{name} is opaque");
            }
        }
        for name in ["frexp", "frexpf", "nextafter", "nextafterf", "scalbn", "scalbln", "fma", "copysign"] {
            assert!(known.contains(&name), "{name} is opaque");
        }
        assert!(!known.contains(&"sin") && !known.contains(&"fmodulo"));
    }
}
