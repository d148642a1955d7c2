//! Values, what each operation does to them, and the expressions that symbolic values are. No solver is known here.
#![forbid(unsafe_code)]

pub mod bits;
pub mod dag;
pub mod float;
pub mod partial;
pub mod value;
pub mod word;

pub use bits::Bits;
pub use dag::{Arena, Expr, Model};
pub use float::FloatKind;
pub use value::{Partial, Value};
