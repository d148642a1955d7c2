//! The few rules about floats, proved for the formats that SMT-LIB has.

use symcrete_expr::FloatKind;
use symcrete_expr::dag::{Arena, Expr, FloatOperation, Rounding};

use crate::shape::variable;
use crate::smt::Proofs;

const KINDS: [FloatKind; 4] = [FloatKind::Half, FloatKind::BFloat, FloatKind::Single, FloatKind::Double];

type Build = fn(&mut Arena, FloatKind) -> Expr;

fn compare(arena: &mut Arena, kind: FloatKind, operation: FloatOperation, numbers: [u32; 2]) -> Expr {
    let operands = numbers.map(|number| variable(arena, number, kind.bits()));
    arena.float(operation, kind, Rounding::NearestEven, 1, &operands)
}

/// An integer of 8 bits, extended to 12.
fn from_integer(arena: &mut Arena, kind: FloatKind, operation: FloatOperation, signed: bool) -> Expr {
    let byte = variable(arena, 0, 8);
    let extended = if signed { arena.sign_extend(byte, 12) } else { arena.zero_extend(byte, 12) };
    arena.float(operation, kind, Rounding::NearestEven, kind.bits(), &[extended])
}

fn from_byte(arena: &mut Arena, kind: FloatKind, operation: FloatOperation) -> Expr {
    let byte = variable(arena, 0, 8);
    arena.float(operation, kind, Rounding::NearestEven, kind.bits(), &[byte])
}

#[test]
fn float_rules_are_proved() {
    use FloatOperation::*;
    let rules: [(&str, Build, Build); 6] = [
        ("nothing is less than itself", |a, k| compare(a, k, Less, [0, 0]), |a, _| a.boolean(false)),
        ("at most itself", |a, k| compare(a, k, LessEqual, [0, 0]), |a, k| compare(a, k, Equal, [0, 0])),
        ("order of equals", |a, k| compare(a, k, Equal, [1, 0]), |a, k| compare(a, k, Equal, [0, 1])),
        ("sign-extended integer", |a, k| from_integer(a, k, FromSigned, true), |a, k| from_byte(a, k, FromSigned)),
        ("zero-extended integer", |a, k| from_integer(a, k, FromSigned, false), |a, k| from_byte(a, k, FromUnsigned)),
        (
            "zero-extended unsigned integer",
            |a, k| from_integer(a, k, FromUnsigned, false),
            |a, k| from_byte(a, k, FromUnsigned),
        ),
    ];
    let mut proofs = Proofs::default();
    for (name, before, after) in rules {
        for kind in KINDS {
            let (mut with_rules, mut without_rules) = (Arena::new(), Arena::without_rules());
            let simple = before(&mut with_rules, kind);
            assert_eq!(simple, after(&mut with_rules, kind), "{name}");
            let (plain, restated) = (before(&mut without_rules, kind), after(&mut without_rules, kind));
            proofs.equal(name, (&without_rules, plain), (&without_rules, restated));
        }
    }
    proofs.run_with("qffp");
}

#[test]
fn conversion_to_the_same_kind_changes_no_bit() {
    let mut arena = Arena::new();
    for kind in FloatKind::ALL {
        let x = variable(&mut arena, 0, kind.bits());
        assert_eq!(arena.float_convert(kind, kind, Rounding::Down, x), x);
    }
}
