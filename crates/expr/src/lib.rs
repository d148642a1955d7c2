//! Values and what each operation does to them. The expression DAG will stand on these constants; no solver is known here.
#![forbid(unsafe_code)]

pub mod bits;
pub mod float;
pub mod partial;
pub mod value;
pub mod word;

pub use bits::Bits;
pub use float::FloatKind;
pub use value::{Partial, Value};
