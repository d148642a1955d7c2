//! Functions that systems call.

use std::rc::Rc;

use symcrete_expr::Bits;
use symcrete_expr::dag::Function;

/// Functions of doubles, each with the number of its arguments.
pub fn doubles() -> Vec<(Function, usize)> {
    let one = |name: &str, compute: fn(f64) -> f64| {
        let evaluate = move |arguments: &[Bits], _| Bits::from_u64(64, compute(number(&arguments[0])).to_bits());
        (Function { name: name.to_owned(), evaluate: Rc::new(evaluate) }, 1)
    };
    let power = |arguments: &[Bits], _| Bits::from_u64(64, number(&arguments[0]).powf(number(&arguments[1])).to_bits());
    vec![
        one("sin", f64::sin),
        one("cos", f64::cos),
        one("exp", f64::exp),
        one("log", f64::ln),
        one("sqrt", f64::sqrt),
        (Function { name: "pow".to_owned(), evaluate: Rc::new(power) }, 2),
    ]
}

fn number(bits: &Bits) -> f64 {
    f64::from_bits(bits.low_u128() as u64)
}

/// A function of integers that nobody can see through.
pub fn opaque() -> Function {
    let evaluate = |arguments: &[Bits], width: u32| {
        let mixed = arguments.iter().fold(0x9e37_79b9_7f4a_7c15_u64, |hash, argument| {
            (hash ^ argument.low_u128() as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(23)
        });
        Bits::from_u64(width, mixed)
    };
    Function { name: "opaque".to_owned(), evaluate: Rc::new(evaluate) }
}
