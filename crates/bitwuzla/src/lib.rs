//! Bitwuzla, linked statically: a safe and thin layer over its C interface. Knows nothing of Symcrete's expressions.
//!
//! A [`Context`] holds terms and the solvers that work on them; terms and solvers are numbers that mean something in their
//! context only. What Bitwuzla refuses (terms of the wrong sort, a value where there is no model) is a bug of the caller: a panic
//! with Bitwuzla's words.

mod ffi;
mod kind;
mod values;
mod watch;

#[cfg(test)]
mod tests;

// Its C++ library is what Bitwuzla's SAT solving is linked to.
use rustsat_cadical as _;

pub use ffi::Context;
pub use kind::{Kind, Rounding};
pub use values::{ArrayValue, Limbs};
pub use watch::{Limits, Outcome, Stop};

use cranelift_entity::entity_impl;

/// A term of a [`Context`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);
entity_impl!(Term, "t");

/// A solver of a [`Context`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Solver(u32);
entity_impl!(Solver, "solver");

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    Boolean,
    /// A bit-vector of this width.
    Bits(u32),
    /// A float: bits of the exponent, and of the significand with its hidden one.
    Float(u32, u32),
    /// An array from bit-vectors of the first width to those of the second.
    Array(u32, u32),
}

/// How a solver works.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Simplification of all assertions together before they are solved. It pays for one big query; for many that grow from
    /// one another it costs more than it gives.
    pub preprocess: bool,
    /// Wide multiplications and divisions are refined step by step instead of being made bits at once.
    pub abstraction: bool,
    /// Whether [`Context::is_unsatisfiable_assumption`] may be asked.
    pub unsatisfiable_assumptions: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { preprocess: true, abstraction: true, unsatisfiable_assumptions: false }
    }
}
