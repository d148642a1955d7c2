//! Operations that are built out of others: what LLVM's intrinsics and casts compute, bit for bit as `exec` computes them on
//! constants with `crate::word`, `crate::bits` and `crate::float`.

mod bits;
mod floats;
mod overflow;
mod shifts;

pub use overflow::Arithmetic;
