//! Which bits of a result are undefined when some bits of the operands are: as precise as is cheap, never too few.
//!
//! The bits of the result are computed as always, from what the machine would have found in the undefined places; the
//! functions here compute the mask beside it. What has no function here goes by `word::any` or `wide::any`: one
//! undefined bit makes the whole result undefined (division, float arithmetic, counting bits).

pub mod wide;
pub mod word;

#[cfg(test)]
mod tests;
