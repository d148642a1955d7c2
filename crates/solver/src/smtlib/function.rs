//! What a script may say of functions that it declares without a body: their names are looked up by whoever runs the
//! script.

use symcrete_expr::FloatKind;
use symcrete_expr::dag::Function;

use super::term::Sort;
use super::value;

/// The sort of what a declared function takes or gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueSort {
    Bits(u32),
    Float(FloatKind),
}

impl std::fmt::Display for ValueSort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            ValueSort::Bits(width) => f.write_str(&value::bits_sort(width)),
            ValueSort::Float(kind) => f.write_str(&value::float_sort(kind)),
        }
    }
}

impl ValueSort {
    pub(super) fn of(sort: Sort) -> Option<ValueSort> {
        match sort {
            Sort::Bits(width) => Some(ValueSort::Bits(width)),
            Sort::Float(kind) => Some(ValueSort::Float(kind)),
            Sort::Boolean | Sort::Rounding | Sort::Array { .. } | Sort::Real => None,
        }
    }

    pub fn width(self) -> u32 {
        match self {
            ValueSort::Bits(width) => width,
            ValueSort::Float(kind) => kind.bits(),
        }
    }
}

/// What a script declares.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    /// That of the symbol, or the one that the script gives it with `:pure`.
    pub name: &'a str,
    /// At least one.
    pub parameters: &'a [ValueSort],
    pub result: ValueSort,
}

/// Why a declared function is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unresolved {
    Name,
    /// There is one of this name, but it `takes` and `gives` something else, as this says.
    Sorts(String),
}

/// Finds the functions that scripts declare. It computes on bits, whatever the sorts.
pub type Resolver<'a> = dyn Fn(&Signature) -> Result<Function, Unresolved> + 'a;

/// How a remainder of floats (`fmod` of C) is written, which SMT-LIB does not have: a function that every script may
/// declare.
pub(super) fn remainder_name(kind: FloatKind) -> String {
    let (exponent, significand) = value::float_format(kind);
    format!("frem_{exponent}_{significand}")
}

/// The kind of float that a function of this name computes remainders of.
pub(super) fn remainder(signature: &Signature) -> Option<FloatKind> {
    let ValueSort::Float(kind) = signature.result else { return None };
    let fits = signature.name == remainder_name(kind) && *signature.parameters == [signature.result; 2];
    fits.then_some(kind)
}
