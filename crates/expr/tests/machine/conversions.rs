//! Conversions between float kinds and between floats and integers, in and out of range.

use symcrete_expr::FloatKind::{self, BFloat, Double, Half, Quad, Single, X87};
use symcrete_expr::float::{Class, convert};

use crate::floats::{llvm_type, suffix};
use crate::harness::{Case, Operands, check};
use crate::operands::{Random, contradictory_x87, floats, integers, mask, singles};

fn cast(opcode: &str, from: &str, to: &str, operands: Vec<Operands>, ours: Box<dyn Fn(Operands) -> u128>) -> Case {
    Case {
        name: format!("{opcode} {from} to {to}"),
        result: to.to_string(),
        arguments: vec![from.to_string()],
        body: format!("%r = {opcode} {from} %a to {to}"),
        declarations: vec![],
        operands,
        ours,
    }
}

fn float_to_float(from: FloatKind, to: FloatKind) -> Case {
    let opcode = if from.bits() < to.bits() { "fpext" } else { "fptrunc" };
    let mut values = floats(from, &mut Random::new(5));
    // Numbers that lie exactly between two of the other kind, and next to those.
    for extra in floats(to, &mut Random::new(6)) {
        if from.bits() > to.bits() {
            let exact = convert::convert(to, from, extra);
            values.extend([exact + 1, exact.wrapping_sub(1) & mask(from.bits())]);
            let half = 1u128 << (from.precision() - to.precision() - 1);
            values.extend([exact | half, exact | half | 1, (exact | half) - 1]);
        }
    }
    if from == X87 {
        values.retain(|&value| from.class(value) != Class::Unsupported);
        if to.is_word() && to != Half {
            values.extend(contradictory_x87());
        }
    }
    let ours = Box::new(move |[a, ..]: Operands| convert::convert(from, to, a));
    cast(opcode, llvm_type(from), llvm_type(to), singles(&values), ours)
}

/// Widths that are registers, and some that are not.
const WIDTHS: [u32; 15] = [7, 8, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 100, 128];

fn with_integers(kind: FloatKind) -> Vec<Case> {
    let name = llvm_type(kind);
    let mut values = floats(kind, &mut Random::new(7));
    if kind == X87 {
        values.extend(contradictory_x87());
    }
    let mut cases = Vec::new();
    for width in WIDTHS {
        let integer = format!("i{width}");
        let supported: Vec<u128> = if width > 64 {
            values.iter().copied().filter(|&value| kind.class(value) != Class::Unsupported).collect()
        } else {
            values.clone()
        };
        let signed = Box::new(move |[a, ..]: Operands| convert::to_signed(kind, a, width));
        cases.push(cast("fptosi", name, &integer, singles(&supported), signed));
        let unsigned = Box::new(move |[a, ..]: Operands| convert::to_unsigned(kind, a, width));
        cases.push(cast("fptoui", name, &integer, singles(&supported), unsigned));
        let operands = singles(&integers(width, &mut Random::new(8)));
        let signed = Box::new(move |[a, ..]: Operands| convert::from_signed(kind, a, width));
        cases.push(cast("sitofp", &integer, name, operands.clone(), signed));
        let unsigned = Box::new(move |[a, ..]: Operands| convert::from_unsigned(kind, a));
        cases.push(cast("uitofp", &integer, name, operands, unsigned));
    }
    cases
}

fn saturating(kind: FloatKind) -> Vec<Case> {
    let name = llvm_type(kind);
    let values = floats(kind, &mut Random::new(9));
    let mut cases = Vec::new();
    for width in WIDTHS {
        for signed in [true, false] {
            let intrinsic = if signed { "fptosi" } else { "fptoui" };
            let function = format!("@llvm.{intrinsic}.sat.i{width}.{}", suffix(kind));
            cases.push(Case {
                name: format!("{intrinsic}.sat {name} to i{width}"),
                result: format!("i{width}"),
                arguments: vec![name.to_string()],
                body: format!("%r = call i{width} {function}({name} %a)"),
                declarations: vec![format!("i{width} {function}({name})")],
                operands: singles(&values),
                ours: Box::new(move |[a, ..]| match signed {
                    true => convert::to_signed_saturating(kind, a, width),
                    false => convert::to_unsigned_saturating(kind, a, width),
                }),
            });
        }
    }
    cases
}

#[test]
fn between_floats() {
    let mut cases = Vec::new();
    for from in [Single, Double, X87, Quad] {
        for to in [Single, Double, X87, Quad] {
            if from != to {
                cases.push(float_to_float(from, to));
            }
        }
    }
    check("between-floats", cases);
}

#[test]
fn between_floats_and_half() {
    let mut cases = Vec::new();
    for kind in [Single, Double, X87, Quad] {
        cases.push(float_to_float(kind, Half));
        cases.push(float_to_float(Half, kind));
    }
    check("between-floats-and-half", cases);
    check("from-bfloat", vec![float_to_float(BFloat, Single), float_to_float(BFloat, Double)]);
    check("to-bfloat", vec![float_to_float(Single, BFloat), float_to_float(Double, BFloat)]);
}

#[test]
fn single_and_integers() {
    check("single-and-integers", with_integers(Single));
}

#[test]
fn double_and_integers() {
    check("double-and-integers", with_integers(Double));
}

#[test]
fn x87_and_integers() {
    check("x87-and-integers", with_integers(X87));
}

#[test]
fn quad_and_integers() {
    check("quad-and-integers", with_integers(Quad));
}

#[test]
fn half_and_integers() {
    check("half-and-integers", with_integers(Half));
}

#[test]
fn saturating_to_integers() {
    check("saturating", [Single, Double, X87].into_iter().flat_map(saturating).collect());
}
