//! What terms of a script stand for: sorts, and expressions of the arena. How lists become terms is in `translate`.

mod bits;
mod core;
mod declared;
mod float;
mod real;
mod sorts;
mod translate;

use symcrete_expr::dag::Rounding;
use symcrete_expr::{Arena, Expr, FloatKind};

use super::error::Problem;
use super::value;

pub(super) use declared::Callee;
pub(super) use sorts::numeral;
pub(super) use translate::{Translator, mismatch};

/// The widest vector that a script may have.
pub(super) const MOST_BITS: u32 = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sort {
    Boolean,
    Bits(u32),
    Float(FloatKind),
    Rounding,
    Array {
        index: u32,
        element: u32,
    },
    /// Of literals that a conversion to a float takes.
    Real,
}

impl std::fmt::Display for Sort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Sort::Boolean => f.write_str("Bool"),
            Sort::Bits(width) => f.write_str(&value::bits_sort(width)),
            Sort::Float(kind) => f.write_str(&value::float_sort(kind)),
            Sort::Rounding => f.write_str("RoundingMode"),
            Sort::Array { index, element } => f.write_str(&value::array_sort(index, element)),
            Sort::Real => f.write_str("Real"),
        }
    }
}

/// The meaning of a term. Floats are their bits, any NaN standing for the one that SMT-LIB has; those of x87's format always have
/// the leading bit that their exponent says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Term {
    Boolean(Expr),
    Bits(Expr),
    Float(FloatKind, Expr),
    Rounding(Rounding),
    /// Every element is that of the array, exclusive-or the offset: so are arrays that are constant and not zero.
    Array {
        array: Expr,
        offset: Option<Expr>,
    },
    /// The number of a real literal in the translator.
    Real(u32),
}

impl Term {
    pub fn sort(self, arena: &Arena) -> Sort {
        match self {
            Term::Boolean(_) => Sort::Boolean,
            Term::Bits(expr) => Sort::Bits(arena.width(expr)),
            Term::Float(kind, _) => Sort::Float(kind),
            Term::Rounding(_) => Sort::Rounding,
            Term::Array { array, .. } => Sort::Array { index: arena.index_width(array), element: arena.width(array) },
            Term::Real(_) => Sort::Real,
        }
    }
}

/// An application that does not make sense. The name of what is applied is known further up.
#[derive(Debug)]
pub(super) enum Misuse {
    /// These arguments are not for this.
    Arguments,
    Indices,
    Problem(Problem),
}

impl From<Problem> for Misuse {
    fn from(problem: Problem) -> Misuse {
        Misuse::Problem(problem)
    }
}

/// `None`: there is no such operation.
pub(super) type Applied = Result<Option<Term>, Misuse>;

/// What is applied, to what.
pub(super) struct Application<'a> {
    pub name: &'a str,
    pub indices: &'a [u64],
    pub arguments: &'a [Term],
}

impl Application<'_> {
    /// All arguments as vectors, if there are as many as wanted.
    fn bits<const COUNT: usize>(&self) -> Result<[Expr; COUNT], Misuse> {
        let all: Vec<Expr> = self.all_bits()?;
        all.try_into().map_err(|_| Misuse::Arguments)
    }

    fn all_bits(&self) -> Result<Vec<Expr>, Misuse> {
        let bits = |term: &Term| if let Term::Bits(expr) = term { Some(*expr) } else { None };
        self.arguments.iter().map(bits).collect::<Option<Vec<Expr>>>().ok_or(Misuse::Arguments)
    }

    fn all_booleans(&self) -> Result<Vec<Expr>, Misuse> {
        let boolean = |term: &Term| if let Term::Boolean(expr) = term { Some(*expr) } else { None };
        self.arguments.iter().map(boolean).collect::<Option<Vec<Expr>>>().ok_or(Misuse::Arguments)
    }

    fn indices<const COUNT: usize>(&self) -> Result<[u64; COUNT], Misuse> {
        self.indices.try_into().map_err(|_| Misuse::Indices)
    }
}

/// A width, if it is one that is supported.
pub(super) fn width(bits: u64) -> Result<u32, Problem> {
    u32::try_from(bits).ok().filter(|width| (1..=MOST_BITS).contains(width)).ok_or(Problem::Width(bits))
}

/// The kind of float with this many bits of exponent and significand.
pub(super) fn float_kind(exponent: u64, significand: u64) -> Result<FloatKind, Problem> {
    let wanted = |kind: &FloatKind| {
        let (own_exponent, own_significand) = value::float_format(*kind);
        (u64::from(own_exponent), u64::from(own_significand)) == (exponent, significand)
    };
    FloatKind::ALL.into_iter().find(wanted).ok_or(Problem::FloatFormat { exponent, significand })
}
