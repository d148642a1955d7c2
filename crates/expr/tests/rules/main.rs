//! The rules of the expression DAG: each proved by an SMT solver, and all of them together against direct computation on random
//! expressions.
#![allow(clippy::unwrap_used)]

mod derived;
mod differential;
mod floats;
mod random;
mod shape;
mod smt;
mod systematic;
mod table;
