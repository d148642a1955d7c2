//! Operations on bit-vectors.

use symcrete_expr::dag::Op;
use symcrete_expr::{Arena, Bits, Expr};

use super::{Application, Applied, Misuse, Term, width};
use crate::smtlib::error::Problem;

/// Circuits of products and quotients grow with the square of the width, so wide vectors cannot have them.
const MOST_MULTIPLIED_BITS: u32 = 1 << 12;

pub(super) fn apply(arena: &mut Arena, application: &Application) -> Applied {
    if let Some(op) = arithmetic(application.name) {
        return folded(arena, application, op).map(Some);
    }
    if let Some((op, swapped)) = comparison(application.name) {
        let [a, b] = same_width(arena, application)?;
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        return Ok(Some(Term::Boolean(arena.compare(op, a, b))));
    }
    let bits = match application.name {
        "bvnot" => {
            let [a] = application.bits()?;
            arena.not(a)
        }
        "bvneg" => {
            let [a] = application.bits()?;
            negated(arena, a)
        }
        "bvsub" | "bvudiv" | "bvsdiv" | "bvurem" | "bvsrem" | "bvsmod" | "bvshl" | "bvlshr" | "bvashr" => {
            let [a, b] = same_width(arena, application)?;
            if application.name.contains("div") || application.name.contains("rem") || application.name == "bvsmod" {
                can_be_multiplied(arena.width(a))?;
            }
            match application.name {
                "bvsmod" => modulo(arena, a, b),
                name => arena.binary(binary(name), a, b),
            }
        }
        "bvnand" | "bvnor" | "bvxnor" => {
            let [a, b] = same_width(arena, application)?;
            let op = match application.name {
                "bvnand" => Op::And,
                "bvnor" => Op::Or,
                _ => Op::Xor,
            };
            let positive = arena.binary(op, a, b);
            arena.not(positive)
        }
        "bvcomp" => {
            let [a, b] = same_width(arena, application)?;
            arena.compare(Op::Equal, a, b)
        }
        "concat" => concatenated(arena, &application.all_bits()?)?,
        _ => match indexed(arena, application)? {
            Some(bits) => bits,
            None => return overflow(arena, application),
        },
    };
    Ok(Some(Term::Bits(bits)))
}

/// Operations that take any number of operands, from the left.
fn arithmetic(name: &str) -> Option<Op> {
    Some(match name {
        "bvand" => Op::And,
        "bvor" => Op::Or,
        "bvxor" => Op::Xor,
        "bvadd" => Op::Add,
        "bvmul" => Op::Mul,
        _ => return None,
    })
}

fn binary(name: &str) -> Op {
    match name {
        "bvsub" => Op::Sub,
        "bvudiv" => Op::UDiv,
        "bvsdiv" => Op::SDiv,
        "bvurem" => Op::URem,
        "bvsrem" => Op::SRem,
        "bvshl" => Op::Shl,
        "bvlshr" => Op::LShr,
        _ => Op::AShr,
    }
}

/// And whether the operands change places.
fn comparison(name: &str) -> Option<(Op, bool)> {
    Some(match name {
        "bvult" => (Op::UnsignedLess, false),
        "bvule" => (Op::UnsignedLessEqual, false),
        "bvugt" => (Op::UnsignedLess, true),
        "bvuge" => (Op::UnsignedLessEqual, true),
        "bvslt" => (Op::SignedLess, false),
        "bvsle" => (Op::SignedLessEqual, false),
        "bvsgt" => (Op::SignedLess, true),
        "bvsge" => (Op::SignedLessEqual, true),
        _ => return None,
    })
}

fn same_width(arena: &Arena, application: &Application) -> Result<[Expr; 2], Misuse> {
    let [a, b] = application.bits()?;
    if arena.width(a) == arena.width(b) { Ok([a, b]) } else { Err(Misuse::Arguments) }
}

fn folded(arena: &mut Arena, application: &Application, op: Op) -> Result<Term, Misuse> {
    let operands = application.all_bits()?;
    let (first, rest) = operands.split_first().filter(|(_, rest)| !rest.is_empty()).ok_or(Misuse::Arguments)?;
    if rest.iter().any(|operand| arena.width(*operand) != arena.width(*first)) {
        return Err(Misuse::Arguments);
    }
    if op == Op::Mul {
        can_be_multiplied(arena.width(*first))?;
    }
    Ok(Term::Bits(rest.iter().fold(*first, |a, b| arena.binary(op, a, *b))))
}

fn can_be_multiplied(width: u32) -> Result<(), Problem> {
    match width <= MOST_MULTIPLIED_BITS {
        true => Ok(()),
        false => Err(Problem::Unsupported("products, quotients and remainders of more than 4096 bits")),
    }
}

fn zero(arena: &mut Arena, width: u32) -> Expr {
    arena.constant(&Bits::zero(width))
}

fn negated(arena: &mut Arena, a: Expr) -> Expr {
    let zero = zero(arena, arena.width(a));
    arena.binary(Op::Sub, zero, a)
}

fn sign(arena: &mut Arena, a: Expr) -> Expr {
    arena.extract(a, arena.width(a) - 1, 1)
}

/// The remainder with the sign of the divisor: that with the sign of the dividend, moved by the divisor where the signs differ.
fn modulo(arena: &mut Arena, a: Expr, b: Expr) -> Expr {
    let remainder = arena.binary(Op::SRem, a, b);
    let zero = zero(arena, arena.width(a));
    let none = arena.compare(Op::Equal, remainder, zero);
    let (left, right) = (sign(arena, remainder), sign(arena, b));
    let same_sign = arena.compare(Op::Equal, left, right);
    let fine = arena.binary(Op::Or, none, same_sign);
    let moved = arena.binary(Op::Add, remainder, b);
    arena.ite(fine, remainder, moved)
}

/// The first one is the highest.
fn concatenated(arena: &mut Arena, parts: &[Expr]) -> Result<Expr, Misuse> {
    let (first, rest) = parts.split_first().filter(|(_, rest)| !rest.is_empty()).ok_or(Misuse::Arguments)?;
    let total: u64 = parts.iter().map(|part| u64::from(arena.width(*part))).sum();
    width(total)?;
    Ok(rest.iter().fold(*first, |high, low| arena.concat(high, *low)))
}

/// Operations with numbers in their names.
fn indexed(arena: &mut Arena, application: &Application) -> Result<Option<Expr>, Misuse> {
    let (name, known) = (application.name, ["zero_extend", "sign_extend", "rotate_left", "rotate_right", "repeat"]);
    if name != "extract" && !known.contains(&name) {
        return Ok(None);
    }
    let [a] = application.bits()?;
    let own = arena.width(a);
    if name == "extract" {
        let [high, low] = application.indices()?;
        if high < low || high >= u64::from(own) {
            return Err(Misuse::Indices);
        }
        return Ok(Some(arena.extract(a, low as u32, (high - low + 1) as u32)));
    }
    let [number] = application.indices()?;
    let bits = match name {
        "zero_extend" => {
            let wide = width(u64::from(own).saturating_add(number))?;
            arena.zero_extend(a, wide)
        }
        "sign_extend" => {
            let wide = width(u64::from(own).saturating_add(number))?;
            arena.sign_extend(a, wide)
        }
        "repeat" => {
            width(u64::from(own).saturating_mul(number))?;
            (1..number).fold(a, |high, _| arena.concat(high, a))
        }
        _ => {
            let count = (number % u64::from(own)) as u32;
            let left = if name == "rotate_left" { count } else { (own - count) % own };
            rotated_left(arena, a, left)
        }
    };
    Ok(Some(bits))
}

fn rotated_left(arena: &mut Arena, a: Expr, count: u32) -> Expr {
    let width = arena.width(a);
    if count == 0 {
        return a;
    }
    let (high, low) = (arena.extract(a, 0, width - count), arena.extract(a, width - count, count));
    arena.concat(high, low)
}

/// Whether the result does not fit: computed in as many bits as are enough, and compared.
fn overflow(arena: &mut Arena, application: &Application) -> Applied {
    let op = match application.name {
        "bvnego" => {
            let [a] = application.bits()?;
            let least = least(arena, arena.width(a));
            return Ok(Some(Term::Boolean(arena.compare(Op::Equal, a, least))));
        }
        "bvsdivo" => {
            let [a, b] = same_width(arena, application)?;
            let least = least(arena, arena.width(a));
            let minus_one = arena.constant(&Bits::ones(arena.width(a)));
            let (left, right) = (arena.compare(Op::Equal, a, least), arena.compare(Op::Equal, b, minus_one));
            return Ok(Some(Term::Boolean(arena.binary(Op::And, left, right))));
        }
        "bvusubo" => {
            let [a, b] = same_width(arena, application)?;
            return Ok(Some(Term::Boolean(arena.compare(Op::UnsignedLess, a, b))));
        }
        "bvuaddo" | "bvsaddo" => Op::Add,
        "bvumulo" | "bvsmulo" => Op::Mul,
        "bvssubo" => Op::Sub,
        _ => return Ok(None),
    };
    let signed = application.name.starts_with("bvs");
    let [a, b] = same_width(arena, application)?;
    let own = arena.width(a);
    if op == Op::Mul {
        can_be_multiplied(own)?;
    }
    let wide = width(u64::from(own) * if op == Op::Mul { 2 } else { 1 } + u64::from(op != Op::Mul))?;
    let extend =
        |arena: &mut Arena, bits| if signed { arena.sign_extend(bits, wide) } else { arena.zero_extend(bits, wide) };
    let (x, y) = (extend(arena, a), extend(arena, b));
    let exact = arena.binary(op, x, y);
    let cut = arena.extract(exact, 0, own);
    let back = extend(arena, cut);
    let fits = arena.compare(Op::Equal, back, exact);
    Ok(Some(Term::Boolean(arena.not(fits))))
}

fn least(arena: &mut Arena, width: u32) -> Expr {
    let mut bits = Bits::zero(width);
    bits.set_bit(width - 1, true);
    arena.constant(&bits)
}

/// A literal of hexadecimal or binary digits.
pub(super) fn literal(arena: &mut Arena, digits: &str, bits_each: u32) -> Result<Expr, Problem> {
    let total = width(digits.len() as u64 * u64::from(bits_each))?;
    let mut bits = Bits::zero(total);
    for (at, digit) in digits.chars().rev().enumerate() {
        let digit = digit.to_digit(16).unwrap_or(0);
        for bit in 0..bits_each {
            bits.set_bit(at as u32 * bits_each + bit, digit >> bit & 1 == 1);
        }
    }
    Ok(arena.constant(&bits))
}

/// `(_ bvN width)`: a decimal number.
pub(super) fn decimal(arena: &mut Arena, digits: &str, bits: u64) -> Result<Expr, Problem> {
    let width = width(bits)?;
    let limbs = super::real::limbs(digits)?;
    let value = Bits::from_limbs(width, &limbs);
    let fits = limbs.iter().zip(value.limbs().iter().copied().chain(std::iter::repeat(0))).all(|(a, b)| *a == b);
    if fits { Ok(arena.constant(&value)) } else { Err(Problem::DoesNotFit(width)) }
}
