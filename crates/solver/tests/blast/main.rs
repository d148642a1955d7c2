//! The bit-blaster against the evaluator: every operation, arrays, long sequences of queries on one instance, limits.
#![allow(clippy::unwrap_used)]

mod arrays;
mod harness;
mod limits;
mod operations;
mod sequences;
