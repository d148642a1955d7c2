//! A few functions that scripts of these tests may declare.

use std::rc::Rc;

use symcrete_expr::{Bits, FloatKind};
use symcrete_solver::smtlib::{Signature, Unresolved, ValueSort};

/// `fabs` of floats of any kind, `pow` of doubles, `parts.0` and `parts.1` of doubles, and `opaque` of any vectors.
pub fn resolve(signature: &Signature) -> Result<symcrete_expr::dag::Function, Unresolved> {
    let double = |sort: &ValueSort| sort.width() == 64;
    let fits = match signature.name {
        "fabs" if *signature.parameters != [signature.result] => {
            return Err(Unresolved::Sorts("takes a float and gives such a float".to_owned()));
        }
        "fabs" | "opaque" => true,
        "pow" | "parts.0" | "parts.1" => signature.parameters.iter().all(double) && double(&signature.result),
        _ => false,
    };
    fits.then(|| function(signature.name)).ok_or(Unresolved::Name)
}

pub fn function(name: &str) -> symcrete_expr::dag::Function {
    let own_name = name.to_owned();
    let evaluate = move |arguments: &[Bits], width: u32| {
        let number = |at: usize| f64::from_bits(arguments[at].low_u128() as u64);
        let bits = match own_name.as_str() {
            "fabs" => {
                let kind = if width == 32 { FloatKind::Single } else { FloatKind::Double };
                symcrete_expr::float::abs(kind, arguments[0].low_u128())
            }
            "pow" => u128::from(number(0).powf(number(1)).to_bits()),
            "parts.0" => u128::from(number(0).fract().to_bits()),
            "parts.1" => u128::from(number(0).trunc().to_bits()),
            _ => arguments.iter().fold(0, |hash, argument| (hash ^ argument.low_u128()).wrapping_mul(0x9e37_79b9)),
        };
        Bits::from_u128(width, bits)
    };
    symcrete_expr::dag::Function { name: name.to_owned(), evaluate: Rc::new(evaluate) }
}
