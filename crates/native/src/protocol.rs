//! What the caller and the helper process say to each other over a socket. A request is eight bytes, what is asked and
//! how much follows, and what follows; an answer is always as long. Several requests may be sent before the first
//! answer is read.

use crate::foreign::Arguments;
use crate::{Kind, Signature};

/// Bytes of an answer: a status, and the bits of a result.
pub(crate) const ANSWER_BYTES: usize = 24;
/// Bytes at the beginning of a request.
pub(crate) const HEAD_BYTES: usize = 8;

pub(crate) const FIND: u32 = 1;
pub(crate) const CALL: u32 = 2;

/// Statuses of answers.
pub(crate) const FINE: u64 = 0;
pub(crate) const MISSING: u64 = 1;
/// Only as the first word of a helper: so many bytes of an error message follow as the result says.
pub(crate) const TROUBLE: u64 = 2;

/// Asks for the number of a function. They are given out in order, from 0 on.
pub(crate) fn find_request(name: &str) -> Vec<u8> {
    request(FIND, name.as_bytes())
}

fn request(what: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD_BYTES + body.len());
    bytes.extend(what.to_le_bytes());
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// Asks for a call. The arguments are those of the signature, in its order.
pub(crate) fn call_request(function: u32, signature: &Signature, arguments: &[u128]) -> Vec<u8> {
    let mut body = Vec::with_capacity(8 + arguments.len() * 17);
    body.extend(function.to_le_bytes());
    body.push(signature.result.map_or(0, code));
    for (kind, bits) in signature.parameters.iter().zip(arguments) {
        body.push(code(*kind));
        body.extend(bits.to_le_bytes());
    }
    request(CALL, &body)
}

/// A kind as a byte that is not zero.
fn code(kind: Kind) -> u8 {
    match kind {
        Kind::Integer { bits, signed } => bits | if signed { 0x80 } else { 0 },
        Kind::Single => 0x41,
        Kind::Double => 0x42,
        Kind::X87 => 0x43,
    }
}

fn kind(code: u8) -> Option<Kind> {
    match code {
        0x41 => Some(Kind::Single),
        0x42 => Some(Kind::Double),
        0x43 => Some(Kind::X87),
        _ => {
            let bits = code & 0x7F;
            (1..=64).contains(&bits).then_some(Kind::Integer { bits, signed: code & 0x80 != 0 })
        }
    }
}

/// A call, as it was asked for.
pub(crate) struct Asked {
    pub function: u32,
    pub arguments: Arguments,
    pub result: Option<Kind>,
}

pub(crate) fn read_call(body: &[u8]) -> Option<Asked> {
    let (function, rest) = body.split_first_chunk::<4>()?;
    let (result, rest) = rest.split_first()?;
    let mut arguments = Arguments::default();
    let (mut integers, mut floats, mut long_doubles) = (0, 0, 0);
    for piece in rest.chunks_exact(17) {
        let (kind, bits) = (kind(piece[0])?, u128::from_le_bytes(piece[1..].try_into().ok()?));
        match kind {
            Kind::Integer { bits: width, signed } => {
                *arguments.integers.get_mut(integers)? = extend(bits as u64, width, signed);
                integers += 1;
            }
            Kind::Single | Kind::Double => {
                *arguments.floats.get_mut(floats)? = bits as u64;
                floats += 1;
            }
            Kind::X87 => {
                *arguments.long_doubles.get_mut(long_doubles)? = bits;
                long_doubles += 1;
            }
        }
    }
    Some(Asked { function: u32::from_le_bytes(*function), arguments, result: kind(*result) })
}

fn extend(bits: u64, width: u8, signed: bool) -> u64 {
    let unused = 64 - u32::from(width);
    if signed { ((bits << unused) as i64 >> unused) as u64 } else { bits << unused >> unused }
}

/// The bits of a result without what else was in its register.
pub(crate) fn cut(bits: u128, result: Option<Kind>) -> u128 {
    result.map_or(0, |kind| bits & ((1 << kind.bits()) - 1))
}

pub(crate) fn answer(status: u64, result: u128) -> [u8; ANSWER_BYTES] {
    let mut bytes = [0; ANSWER_BYTES];
    bytes[..8].copy_from_slice(&status.to_le_bytes());
    bytes[8..].copy_from_slice(&result.to_le_bytes());
    bytes
}

pub(crate) fn read_answer(bytes: &[u8; ANSWER_BYTES]) -> (u64, u128) {
    let (status, result) = bytes.split_at(8);
    let status = status.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    (status, result.iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_as_they_were_written() {
        let parameters = vec![
            Kind::Integer { bits: 8, signed: true },
            Kind::Double,
            Kind::Integer { bits: 64, signed: false },
            Kind::X87,
            Kind::Integer { bits: 16, signed: false },
            Kind::Single,
        ];
        let signature = Signature { parameters, result: Some(Kind::Single) };
        let bytes = call_request(7, &signature, &[0xFF, 1, u128::from(u64::MAX), 1 << 79, 0xFFFF, 2]);
        let asked = read_call(&bytes[HEAD_BYTES..]).expect("a call");
        assert_eq!((asked.function, asked.result), (7, Some(Kind::Single)));
        assert_eq!(asked.arguments.integers[..3], [u64::MAX, u64::MAX, 0xFFFF]);
        assert_eq!(asked.arguments.floats[..2], [1, 2]);
        assert_eq!(asked.arguments.long_doubles[0], 1 << 79);
        assert_eq!(read_answer(&answer(3, 5 << 64)), (3, 5 << 64));
    }
}
