//! What a register holds: a machine word as long as it can, something rarer otherwise.

use std::rc::Rc;

use crate::Bits;

/// The content of one register.
///
/// Integers of up to 64 bits, pointers, and half, bfloat, float and double are a `Word`: their bits, zero-extended.
/// Everything wider (i128, x87 long double, fp128) is `Wide`. A value of which some bits were never written is
/// `Partial`; no other code path needs to look at definedness.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Word(u64),
    Wide(Rc<Bits>),
    Partial(Rc<Partial>),
}

/// A value with bits that nobody wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    /// The bits, as the machine would find them; zero where undefined.
    pub bits: Bits,
    /// One where the bit is undefined. Same width as `bits`; never all zero.
    pub undefined: Bits,
    /// Where the undefined bits came from, as numbered by the executor (0: unknown).
    pub origin: u32,
}

const _: () = assert!(size_of::<Value>() == 16);
