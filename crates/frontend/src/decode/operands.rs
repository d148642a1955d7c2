//! Taking the numbers of a record one after the other, and the small conversions that all records share.

use super::Problem;

/// The operands of a record that have not been taken yet.
#[derive(Debug, Clone)]
pub(super) struct Operands<'r> {
    rest: &'r [u64],
}

impl<'r> Operands<'r> {
    pub fn new(values: &'r [u64]) -> Self {
        Operands { rest: values }
    }

    /// The next operand.
    pub fn take(&mut self) -> Result<u64, Problem> {
        let (first, rest) = self.rest.split_first().ok_or(Problem::MissingOperand)?;
        self.rest = rest;
        Ok(*first)
    }

    /// The next operand, if there is one.
    pub fn optional(&mut self) -> Option<u64> {
        self.take().ok()
    }

    /// The next operand, zero if there is none: how newer fields at the end of a record are read.
    pub fn or_zero(&mut self) -> u64 {
        self.optional().unwrap_or(0)
    }

    /// The next operand as a truth value.
    pub fn flag(&mut self) -> Result<bool, Problem> {
        Ok(self.take()? != 0)
    }

    /// The next operand, which must fit 32 bits.
    pub fn take_u32(&mut self) -> Result<u32, Problem> {
        to_u32(self.take()?)
    }

    /// The next operand, cut to 32 bits: for line numbers and the like, where nonsense does no harm.
    pub fn take_truncated(&mut self) -> Result<u32, Problem> {
        Ok(self.take()? as u32)
    }

    /// How many are left.
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// Whether none is left.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// All that are left.
    pub fn rest(&self) -> &'r [u64] {
        self.rest
    }

    /// The next operands, as many as asked for.
    pub fn take_many(&mut self, count: u64) -> Result<&'r [u64], Problem> {
        let count = usize::try_from(count).map_err(|_| Problem::MissingOperand)?;
        let (first, rest) = self.rest.split_at_checked(count).ok_or(Problem::MissingOperand)?;
        self.rest = rest;
        Ok(first)
    }
}

/// A number that must fit 32 bits.
pub(super) fn to_u32(value: u64) -> Result<u32, Problem> {
    u32::try_from(value).map_err(|_| Problem::Invalid("a number beyond 32 bits"))
}

/// Text stored as one character in each number. Bytes that are not UTF-8 become `\xNN`, so that names stay distinct.
pub(super) fn text(values: &[u64]) -> String {
    let bytes: Vec<u8> = values.iter().map(|&value| value as u8).collect();
    text_of_bytes(&bytes)
}

/// Text stored as bytes.
pub(super) fn text_of_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

/// A signed number stored with its sign in the lowest bit.
pub(super) fn signed(value: u64) -> i64 {
    match value {
        1 => i64::MIN,
        _ if value & 1 == 0 => (value >> 1) as i64,
        _ => ((value >> 1) as i64).wrapping_neg(),
    }
}

/// An alignment in bytes, stored as its logarithm plus one; zero is none.
pub(super) fn alignment(value: u64) -> Result<Option<u64>, Problem> {
    match value {
        0 => Ok(None),
        1..=33 => Ok(Some(1 << (value - 1))),
        _ => Err(Problem::Invalid("an alignment beyond 2^32")),
    }
}
