//! Values and what each operation does to them. The expression DAG will stand on these constants; no solver is known here.
#![forbid(unsafe_code)]

pub mod bits;
pub mod value;

pub use bits::Bits;
pub use value::{Partial, Value};
