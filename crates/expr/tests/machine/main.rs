//! Every operation against the machine: LLVM functions of one instruction each are compiled by clang without
//! optimisation and run natively on special and random operands; our results must be the same, bit for bit.
#![allow(clippy::unwrap_used)]

mod conversions;
mod floats;
mod harness;
mod integers;
mod operands;
