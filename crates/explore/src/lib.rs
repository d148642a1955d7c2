//! Who decides where a path goes on. For now there is one way: a single concrete run.
#![forbid(unsafe_code)]

pub mod concrete;
