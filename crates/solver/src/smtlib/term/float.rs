//! Operations on floats. The DAG computes as the machine does; where SMT-LIB differs or leaves the result open, it is built around.
//!
//! What SMT-LIB leaves open is a function of the arguments all the same. So the sign of the lesser of two zeros is a variable for each
//! operation, format and order of the zeros, and a conversion that does not fit is an element of an array variable.

use symcrete_expr::dag::{FloatOperation, Op, Rounding, Variable};
use symcrete_expr::float::convert::from_unsigned;
use symcrete_expr::{Arena, Bits, Expr, FloatKind};

use super::real::Real;
use super::{Application, Applied, Misuse, Term, float_kind, width};
use crate::smtlib::error::Problem;
use crate::smtlib::value;

/// The inputs of variables that stand for what SMT-LIB leaves open; those that a script declares count from 0.
const OPEN_ZERO: u32 = u32::MAX;
const OPEN_SIGNED: u32 = u32::MAX - 1;
const OPEN_UNSIGNED: u32 = u32::MAX - 2;

/// The widest integers that are converted.
pub(super) const MOST_CONVERTED_BITS: u32 = 128;

pub(super) fn apply(arena: &mut Arena, application: &Application, reals: &[Real]) -> Applied {
    let name = application.name;
    if let Some((kind, bits)) = special(arena, application)? {
        return Ok(Some(Term::Float(kind, bits)));
    }
    if let Some(answer) = arithmetic(arena, application)? {
        return Ok(Some(answer));
    }
    let term = match name {
        "fp" => from_parts(arena, application)?,
        "to_fp" => convert(arena, application, reals, true)?,
        "to_fp_unsigned" => convert(arena, application, reals, false)?,
        "fp.to_sbv" => to_integer(arena, application, true)?,
        "fp.to_ubv" => to_integer(arena, application, false)?,
        "fp.abs" | "fp.neg" => {
            let &[Term::Float(kind, a)] = application.arguments else { return Err(Misuse::Arguments) };
            let sign = Bits::from_u128(kind.bits(), kind.sign_mask());
            let bits = if name == "fp.abs" {
                let mask = arena.constant(&sign.not());
                arena.binary(Op::And, a, mask)
            } else {
                let mask = arena.constant(&sign);
                arena.binary(Op::Xor, a, mask)
            };
            Term::Float(kind, bits)
        }
        "fp.min" | "fp.max" => {
            let &[Term::Float(kind, a), Term::Float(other, b)] = application.arguments else {
                return Err(Misuse::Arguments);
            };
            if kind != other {
                return Err(Misuse::Arguments);
            }
            Term::Float(kind, extreme(arena, kind, a, b, name == "fp.min"))
        }
        "fp.eq" | "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq" => chained(arena, application)?,
        "fp.rem" => return Err(Problem::Unsupported("remainders of floats (fp.rem)").into()),
        "fp.to_real" => return Err(Problem::Unsupported("reals (fp.to_real)").into()),
        _ => return classified(arena, application),
    };
    Ok(Some(term))
}

/// `(_ +oo 8 24)` and its like.
fn special(arena: &mut Arena, application: &Application) -> Result<Option<(FloatKind, Expr)>, Misuse> {
    if !matches!(application.name, "+oo" | "-oo" | "+zero" | "-zero" | "NaN") {
        return Ok(None);
    }
    let [exponent, significand] = application.indices()?;
    let kind = float_kind(exponent, significand)?;
    let pattern = match application.name {
        "+oo" => kind.infinity(false),
        "-oo" => kind.infinity(true),
        "+zero" => kind.zero(false),
        "-zero" => kind.zero(true),
        _ => nan(kind),
    };
    Ok(Some((kind, pattern_of(arena, kind, pattern))))
}

/// The NaN that is written where one is needed.
fn nan(kind: FloatKind) -> u128 {
    kind.infinity(false) | kind.quiet_bit()
}

fn pattern_of(arena: &mut Arena, kind: FloatKind, pattern: u128) -> Expr {
    arena.constant(&Bits::from_u128(kind.bits(), pattern))
}

/// Operations that round.
fn arithmetic(arena: &mut Arena, application: &Application) -> Result<Option<Term>, Misuse> {
    let operation = match application.name {
        "fp.add" => FloatOperation::Add,
        "fp.sub" => FloatOperation::Sub,
        "fp.mul" => FloatOperation::Mul,
        "fp.div" => FloatOperation::Div,
        "fp.sqrt" => FloatOperation::SquareRoot,
        "fp.fma" => FloatOperation::MultiplyAdd,
        "fp.roundToIntegral" => FloatOperation::RoundToIntegral,
        _ => return Ok(None),
    };
    let Some((Term::Rounding(rounding), operands)) = application.arguments.split_first() else {
        return Err(Misuse::Arguments);
    };
    let Some(&Term::Float(kind, _)) = operands.first() else { return Err(Misuse::Arguments) };
    let bits = |term: &Term| match term {
        Term::Float(own, bits) if *own == kind => Some(*bits),
        _ => None,
    };
    let operands = operands.iter().map(bits).collect::<Option<Vec<Expr>>>();
    let operands = operands.filter(|operands| operands.len() == operation.operands()).ok_or(Misuse::Arguments)?;
    let result = match (operation, kind) {
        (FloatOperation::MultiplyAdd, FloatKind::Half) => {
            // The machine rounds twice. A product of halves and its sum with a half are exact in a quad.
            let wide: Vec<Expr> = operands
                .iter()
                .map(|operand| arena.float_convert(kind, FloatKind::Quad, Rounding::NearestEven, *operand))
                .collect();
            let exact = arena.float(operation, FloatKind::Quad, Rounding::NearestEven, FloatKind::Quad.bits(), &wide);
            rounded_sum(arena, kind, *rounding, exact, &operands)
        }
        (FloatOperation::MultiplyAdd, FloatKind::BFloat) => {
            return Err(Problem::Unsupported("fused multiplications of floats with 8 significand bits").into());
        }
        _ => arena.float(operation, kind, *rounding, kind.bits(), &operands),
    };
    Ok(Some(Term::Float(kind, result)))
}

/// The exact sum of a product, rounded. An exact zero takes its sign from the rounding, which the quad did not know: only where the
/// sum cancels, and then only downward gives a negative one.
fn rounded_sum(arena: &mut Arena, kind: FloatKind, rounding: Rounding, exact: Expr, operands: &[Expr]) -> Expr {
    let rounded = arena.float_convert(FloatKind::Quad, kind, rounding, exact);
    if rounding != Rounding::Down {
        return rounded;
    }
    let signs: Vec<Expr> = operands.iter().map(|operand| arena.extract(*operand, kind.bits() - 1, 1)).collect();
    let product = arena.binary(Op::Xor, signs[0], signs[1]);
    let cancels = arena.binary(Op::Xor, product, signs[2]);
    let zero = is_zero(arena, FloatKind::Quad, exact);
    let minus = arena.binary(Op::And, zero, cancels);
    let minus_zero = pattern_of(arena, kind, kind.zero(true));
    arena.ite(minus, minus_zero, rounded)
}

/// Sign, exponent and fraction as vectors.
fn from_parts(arena: &mut Arena, application: &Application) -> Result<Term, Misuse> {
    let [sign, exponent, fraction] = application.bits()?;
    if arena.width(sign) != 1 {
        return Err(Misuse::Arguments);
    }
    let kind = float_kind(u64::from(arena.width(exponent)), u64::from(arena.width(fraction)) + 1)?;
    Ok(Term::Float(kind, joined(arena, kind, sign, exponent, fraction)))
}

fn joined(arena: &mut Arena, kind: FloatKind, sign: Expr, exponent: Expr, fraction: Expr) -> Expr {
    let high = arena.concat(sign, exponent);
    if !kind.stores_leading_bit() {
        return arena.concat(high, fraction);
    }
    let zero = arena.word(arena.width(exponent), 0);
    let small = arena.compare(Op::Equal, exponent, zero);
    let leading = arena.not(small);
    let high = arena.concat(high, leading);
    arena.concat(high, fraction)
}

/// A float from the vector of the interchange format, which has no leading bit.
pub(super) fn from_interchange(arena: &mut Arena, kind: FloatKind, bits: Expr) -> Expr {
    if !kind.stores_leading_bit() {
        return bits;
    }
    let (exponent, significand) = value::float_format(kind);
    let sign = arena.extract(bits, exponent + significand - 1, 1);
    let field = arena.extract(bits, significand - 1, exponent);
    let fraction = arena.extract(bits, 0, significand - 1);
    joined(arena, kind, sign, field, fraction)
}

/// `to_fp` in all of its forms.
fn convert(arena: &mut Arena, application: &Application, reals: &[Real], signed: bool) -> Result<Term, Misuse> {
    let [exponent, significand] = application.indices()?;
    let kind = float_kind(exponent, significand)?;
    let bits = match *application.arguments {
        [Term::Bits(bits)] if signed && u64::from(arena.width(bits)) == exponent + significand => {
            from_interchange(arena, kind, bits)
        }
        [Term::Rounding(rounding), Term::Float(from, a)] if signed => match from == kind {
            true => a,
            false => arena.float_convert(from, kind, rounding, a),
        },
        [Term::Rounding(rounding), Term::Bits(integer)] => from_integer(arena, kind, rounding, integer, signed)?,
        [Term::Rounding(rounding), Term::Real(real)] if signed => {
            let pattern = reals[real as usize].round(kind, rounding);
            pattern_of(arena, kind, pattern)
        }
        _ => return Err(Misuse::Arguments),
    };
    Ok(Term::Float(kind, bits))
}

fn from_integer(
    arena: &mut Arena,
    kind: FloatKind,
    rounding: Rounding,
    integer: Expr,
    signed: bool,
) -> Result<Expr, Misuse> {
    let operation = if signed { FloatOperation::FromSigned } else { FloatOperation::FromUnsigned };
    let bits = arena.width(integer);
    if bits > MOST_CONVERTED_BITS {
        return Err(Problem::Unsupported("conversions of integers of more than 128 bits to floats").into());
    }
    if !matches!(kind, FloatKind::Half | FloatKind::BFloat) {
        return Ok(arena.float(operation, kind, rounding, kind.bits(), &[integer]));
    }
    // The machine rounds to these twice. Through a quad that holds the integer exactly, it is once.
    if bits > FloatKind::Quad.precision() {
        return Err(Problem::Unsupported("conversions of integers of more than 113 bits to small floats").into());
    }
    let exact = arena.float(operation, FloatKind::Quad, Rounding::NearestEven, FloatKind::Quad.bits(), &[integer]);
    Ok(arena.float_convert(FloatKind::Quad, kind, rounding, exact))
}

/// What does not fit is looked up in an array of unknown contents.
fn to_integer(arena: &mut Arena, application: &Application, signed: bool) -> Result<Term, Misuse> {
    let [bits] = application.indices()?;
    let width = width(bits)?;
    let &[Term::Rounding(rounding), Term::Float(kind, a)] = application.arguments else {
        return Err(Misuse::Arguments);
    };
    if width > MOST_CONVERTED_BITS {
        return Err(Problem::Unsupported("conversions of floats to integers of more than 128 bits").into());
    }
    let integral = arena.float(FloatOperation::RoundToIntegral, kind, rounding, kind.bits(), &[a]);
    let operation = if signed { FloatOperation::ToSigned } else { FloatOperation::ToUnsigned };
    let converted = arena.float(operation, kind, Rounding::Zero, width, &[integral]);
    let fits = fits(arena, kind, integral, width, signed);
    let is_nan = is_nan(arena, kind, a);
    let some_nan = pattern_of(arena, kind, nan(kind));
    let key = arena.ite(is_nan, some_nan, a);
    let input = if signed { OPEN_SIGNED } else { OPEN_UNSIGNED };
    let offset = rounding as u32 * 8 + kind as u32;
    let open = arena.variable(Variable { input, offset, width, index_width: kind.bits() });
    let otherwise = arena.select(open, key);
    Ok(Term::Bits(arena.ite(fits, converted, otherwise)))
}

/// Whether an integral float is an integer of this width.
fn fits(arena: &mut Arena, kind: FloatKind, integral: Expr, width: u32, signed: bool) -> Expr {
    let exponent = if signed { width - 1 } else { width };
    // Infinity where the power is past the largest number; then all finite numbers are below it.
    let power = if exponent < 128 { from_unsigned(kind, 1 << exponent) } else { power_of_128(kind) };
    let (high, low) = match signed {
        true => (power, power | kind.sign_mask()),
        false => (power, kind.zero(false)),
    };
    let at_least =
        if signed && power == kind.infinity(false) { FloatOperation::Less } else { FloatOperation::LessEqual };
    let (high, low) = (pattern_of(arena, kind, high), pattern_of(arena, kind, low));
    let above = compare(arena, at_least, kind, low, integral);
    let below = compare(arena, FloatOperation::Less, kind, integral, high);
    arena.binary(Op::And, above, below)
}

/// 2^128, which is not a number that a conversion takes.
fn power_of_128(kind: FloatKind) -> u128 {
    let half = from_unsigned(kind, 1 << 127);
    symcrete_expr::float::add(kind, half, half)
}

fn compare(arena: &mut Arena, operation: FloatOperation, kind: FloatKind, a: Expr, b: Expr) -> Expr {
    arena.float(operation, kind, Rounding::NearestEven, 1, &[a, b])
}

fn chained(arena: &mut Arena, application: &Application) -> Result<Term, Misuse> {
    let (operation, swapped) = match application.name {
        "fp.eq" => (FloatOperation::Equal, false),
        "fp.lt" => (FloatOperation::Less, false),
        "fp.leq" => (FloatOperation::LessEqual, false),
        "fp.gt" => (FloatOperation::Less, true),
        _ => (FloatOperation::LessEqual, true),
    };
    if application.arguments.len() < 2 {
        return Err(Misuse::Arguments);
    }
    let mut all = arena.boolean(true);
    for pair in application.arguments.windows(2) {
        let &[Term::Float(kind, a), Term::Float(other, b)] = pair else { return Err(Misuse::Arguments) };
        if kind != other {
            return Err(Misuse::Arguments);
        }
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        let holds = compare(arena, operation, kind, a, b);
        all = arena.binary(Op::And, all, holds);
    }
    Ok(Term::Boolean(all))
}

/// The lesser or the greater of two; a number rather than a NaN.
fn extreme(arena: &mut Arena, kind: FloatKind, a: Expr, b: Expr, least: bool) -> Expr {
    let (x, y) = if least { (a, b) } else { (b, a) };
    let first = compare(arena, FloatOperation::LessEqual, kind, x, y);
    let b_is_nan = is_nan(arena, kind, b);
    let take_a = arena.binary(Op::Or, first, b_is_nan);
    let a_is_nan = is_nan(arena, kind, a);
    let a_is_number = arena.not(a_is_nan);
    let take_a = arena.binary(Op::And, take_a, a_is_number);
    let chosen = arena.ite(take_a, a, b);
    // Of two zeros with different signs either is right, but always the same.
    let (a_zero, b_zero) = (is_zero(arena, kind, a), is_zero(arena, kind, b));
    let zeros = arena.binary(Op::And, a_zero, b_zero);
    let (a_sign, b_sign) = (arena.extract(a, kind.bits() - 1, 1), arena.extract(b, kind.bits() - 1, 1));
    let differ = arena.binary(Op::Xor, a_sign, b_sign);
    let open = arena.binary(Op::And, zeros, differ);
    let mut choose = |first_negative: bool| {
        let offset = kind as u32 * 4 + u32::from(least) * 2 + u32::from(first_negative);
        arena.variable(Variable { input: OPEN_ZERO, offset, width: 1, index_width: 0 })
    };
    let (minus_first, plus_first) = (choose(true), choose(false));
    let sign = arena.ite(a_sign, minus_first, plus_first);
    let rest = arena.constant(&Bits::zero(kind.bits() - 1));
    let zero = arena.concat(sign, rest);
    arena.ite(open, zero, chosen)
}

/// SMT-LIB's equality of floats: the same bits, or both NaN.
pub(super) fn identical(arena: &mut Arena, kind: FloatKind, a: Expr, b: Expr) -> Expr {
    let same = arena.compare(Op::Equal, a, b);
    let (a_is_nan, b_is_nan) = (is_nan(arena, kind, a), is_nan(arena, kind, b));
    let both = arena.binary(Op::And, a_is_nan, b_is_nan);
    arena.binary(Op::Or, same, both)
}

/// The exponent field, and the fraction below the leading bit.
fn fields(arena: &mut Arena, kind: FloatKind, a: Expr) -> (Expr, Expr) {
    let (exponent, significand) = value::float_format(kind);
    (arena.extract(a, kind.fraction_bits(), exponent), arena.extract(a, 0, significand - 1))
}

fn is_nan(arena: &mut Arena, kind: FloatKind, a: Expr) -> Expr {
    let (largest, empty) = extremes(arena, kind, a);
    let payload = arena.not(empty);
    arena.binary(Op::And, largest, payload)
}

/// Whether the exponent field is the largest, and whether the fraction is zero.
fn extremes(arena: &mut Arena, kind: FloatKind, a: Expr) -> (Expr, Expr) {
    let (field, fraction) = fields(arena, kind, a);
    let ones = arena.constant(&Bits::ones(arena.width(field)));
    let zero = arena.constant(&Bits::zero(arena.width(fraction)));
    (arena.compare(Op::Equal, field, ones), arena.compare(Op::Equal, fraction, zero))
}

fn is_small(arena: &mut Arena, kind: FloatKind, a: Expr) -> Expr {
    let (field, _) = fields(arena, kind, a);
    let zero = arena.constant(&Bits::zero(arena.width(field)));
    arena.compare(Op::Equal, field, zero)
}

fn is_zero(arena: &mut Arena, kind: FloatKind, a: Expr) -> Expr {
    let small = is_small(arena, kind, a);
    let (_, empty) = extremes(arena, kind, a);
    arena.binary(Op::And, small, empty)
}

fn classified(arena: &mut Arena, application: &Application) -> Applied {
    let name = application.name;
    let known = ["isNormal", "isSubnormal", "isZero", "isInfinite", "isNaN", "isNegative", "isPositive"];
    let Some(class) = name.strip_prefix("fp.").filter(|class| known.contains(class)) else { return Ok(None) };
    let &[Term::Float(kind, a)] = application.arguments else { return Err(Misuse::Arguments) };
    let small = is_small(arena, kind, a);
    let (largest, empty) = extremes(arena, kind, a);
    let answer = match class {
        "isZero" => arena.binary(Op::And, small, empty),
        "isSubnormal" => {
            let some = arena.not(empty);
            arena.binary(Op::And, small, some)
        }
        "isInfinite" => arena.binary(Op::And, largest, empty),
        "isNaN" => is_nan(arena, kind, a),
        "isNormal" => {
            let special = arena.binary(Op::Or, small, largest);
            arena.not(special)
        }
        _ => {
            let sign = arena.extract(a, kind.bits() - 1, 1);
            let wanted = if class == "isNegative" { sign } else { arena.not(sign) };
            let is_nan = is_nan(arena, kind, a);
            let number = arena.not(is_nan);
            arena.binary(Op::And, wanted, number)
        }
    };
    Ok(Some(Term::Boolean(answer)))
}
