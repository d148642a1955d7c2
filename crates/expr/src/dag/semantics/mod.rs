//! What every operation computes, once for all: the evaluator and the folding of constants both come here. Values of up to 64 bits
//! are words; wider ones are `Bits`.

pub(in crate::dag) mod float;
pub(in crate::dag) mod wide;
pub(in crate::dag) mod word;
