//! What every operation computes, once for all: the evaluator and the folding of constants both come here. Values of up to 64 bits
//! are words; wider ones are `Bits`.

pub mod float;
pub mod wide;
pub mod word;
