//! The value that bytes mean under a C type, for people to read, and back. Little-endian, as on x86-64.

use rustc_apfloat::Float as _;
use rustc_apfloat::ieee::{Half, X87DoubleExtended};

use crate::bytes::{quoted, to_hex, unquoted};

/// What a type's text says about its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Bool,
    Character {
        signed: bool,
    },
    /// With its size on x86-64, where the text tells.
    Integer {
        signed: bool,
        size: Option<usize>,
    },
    Float {
        size: usize,
    },
    Array {
        element: String,
        count: usize,
    },
    Pointer,
    Other,
}

/// Longer arrays of numbers are shown as bytes.
const MOST_ELEMENTS: usize = 64;

pub fn shape(of_type: &str) -> Shape {
    let of_type = plain(of_type);
    if of_type.ends_with('*') || of_type.ends_with('&') || of_type.contains("(*") {
        return Shape::Pointer;
    }
    if let Some((element, rest)) = of_type.split_once('[') {
        let Some((count, inner)) = rest.split_once(']') else { return Shape::Other };
        let element = format!("{}{}", element.trim(), inner);
        return count.trim().parse().map_or(Shape::Other, |count| Shape::Array { element, count });
    }
    let integer = |signed, size| Shape::Integer { signed, size: Some(size) };
    match of_type.as_str() {
        "bool" | "_Bool" => Shape::Bool,
        "char" | "signed char" => Shape::Character { signed: true },
        "unsigned char" | "uchar" => Shape::Character { signed: false },
        "int8_t" | "i8" => integer(true, 1),
        "uint8_t" | "u8" => integer(false, 1),
        "short" | "short int" | "signed short" | "int16_t" | "i16" => integer(true, 2),
        "unsigned short" | "short unsigned int" | "unsigned short int" | "uint16_t" | "u16" | "ushort" | "char16_t" => {
            integer(false, 2)
        }
        "int" | "signed" | "signed int" | "int32_t" | "i32" | "wchar_t" => integer(true, 4),
        "unsigned" | "unsigned int" | "uint32_t" | "u32" | "uint" | "char32_t" => integer(false, 4),
        "long" | "long int" | "signed long" | "long long" | "long long int" | "int64_t" | "i64" | "ssize_t"
        | "isize" | "ptrdiff_t" | "intptr_t" | "loff_t" | "off_t" => integer(true, 8),
        "unsigned long"
        | "long unsigned int"
        | "unsigned long int"
        | "unsigned long long"
        | "long long unsigned int"
        | "unsigned long long int"
        | "uint64_t"
        | "u64"
        | "size_t"
        | "usize"
        | "uintptr_t"
        | "ulong" => integer(false, 8),
        "__int128" | "signed __int128" | "i128" => integer(true, 16),
        "unsigned __int128" | "u128" => integer(false, 16),
        "_Float16" | "__fp16" | "half" | "f16" => Shape::Float { size: 2 },
        "float" | "f32" => Shape::Float { size: 4 },
        "double" | "f64" => Shape::Float { size: 8 },
        "long double" => Shape::Float { size: 16 },
        named if named.starts_with("enum ") => Shape::Integer { signed: true, size: None },
        _ => Shape::Other,
    }
}

/// A type without qualifiers and needless blanks.
pub fn plain(of_type: &str) -> String {
    let words = of_type.split_whitespace();
    let kept = words.filter(|word| !matches!(*word, "const" | "volatile" | "restrict" | "__restrict" | "register"));
    kept.collect::<Vec<_>>().join(" ")
}

/// What a person reads: `-3`, `'a'`, `0.1`, `"text"`, `{1, 2}`, or all the bytes after `0x` where the type says
/// nothing.
pub fn of_bytes(of_type: &str, bytes: &[u8]) -> String {
    match shape(of_type) {
        Shape::Bool if bytes.len() == 1 && bytes[0] < 2 => (bytes[0] == 1).to_string(),
        Shape::Character { signed } if bytes.len() == 1 => character(bytes[0], signed),
        Shape::Integer { signed, size } if size.is_none_or(|size| size == bytes.len()) => {
            integer(bytes, signed).unwrap_or_else(|| digits(bytes))
        }
        // Of a long double, ten bytes count and the rest fills it up.
        Shape::Float { size } if size == bytes.len() || size == 16 && matches!(bytes.len(), 10 | 12) => float(bytes),
        Shape::Pointer if bytes.iter().all(|&byte| byte == 0) => "null".to_owned(),
        // An address, as debuggers write it: the most significant byte first.
        Shape::Pointer => unsigned(bytes).map_or_else(|| digits(bytes), |address| format!("{address:#x}")),
        Shape::Array { element, count } => array(&element, count, bytes),
        _ => digits(bytes),
    }
}

/// The value as C's own literals, decimal for every integer: what the formats of other tools want.
pub fn decimal(of_type: &str, bytes: &[u8]) -> String {
    match shape(of_type) {
        Shape::Bool => integer(bytes, false).unwrap_or_else(|| digits(bytes)),
        Shape::Character { signed } => integer(bytes, signed).unwrap_or_else(|| digits(bytes)),
        Shape::Float { .. } => of_bytes(of_type, bytes),
        Shape::Integer { signed, .. } => integer(bytes, signed).unwrap_or_else(|| digits(bytes)),
        // Without a known type a number of a usual size is a signed one.
        _ => integer(bytes, true).unwrap_or_else(|| digits(bytes)),
    }
}

fn digits(bytes: &[u8]) -> String {
    format!("0x{}", to_hex(bytes))
}

fn character(byte: u8, signed: bool) -> String {
    match byte {
        b'\'' => "'\\''".to_owned(),
        b'\\' => "'\\\\'".to_owned(),
        b' '..=b'~' => format!("'{}'", char::from(byte)),
        _ if signed => (byte as i8).to_string(),
        _ => byte.to_string(),
    }
}

fn unsigned(bytes: &[u8]) -> Option<u128> {
    let mut wide = [0; 16];
    wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
    (!bytes.is_empty()).then_some(u128::from_le_bytes(wide))
}

fn integer(bytes: &[u8], signed: bool) -> Option<String> {
    let value = unsigned(bytes)?;
    if !signed {
        return Some(value.to_string());
    }
    let unused = 128 - 8 * bytes.len() as u32;
    Some((((value << unused) as i128) >> unused).to_string())
}

fn array(element: &str, count: usize, bytes: &[u8]) -> String {
    let size = bytes.len().checked_div(count).unwrap_or(0);
    let is_text = size == 1
        && matches!(shape(element), Shape::Character { .. } | Shape::Integer { size: Some(1), .. })
        && bytes.len() == count;
    if is_text {
        // As in C, the rest of the array is zeros.
        let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        return quoted(&bytes[..end]);
    }
    if size == 0 || size * count != bytes.len() || count > MOST_ELEMENTS || shape(element) == Shape::Other {
        return digits(bytes);
    }
    let elements: Vec<_> = bytes.chunks(size).map(|chunk| of_bytes(element, chunk)).collect();
    format!("{{{}}}", elements.join(", "))
}

/// The shortest decimal that reads back to the same bits; other NaNs than the usual one with all their bits.
fn float(bytes: &[u8]) -> String {
    let Some(bits) = unsigned(bytes) else { return digits(bytes) };
    let (is_nan, usual, finite) = match bytes.len() {
        2 => {
            let value = Half::from_bits(bits);
            (value.is_nan(), 0x7e00, with_point(value.to_string()))
        }
        4 => {
            let value = f32::from_bits(bits as u32);
            (value.is_nan(), 0x7fc0_0000, format!("{value:?}"))
        }
        8 => {
            let value = f64::from_bits(bits as u64);
            (value.is_nan(), 0x7ff8_0000_0000_0000, format!("{value:?}"))
        }
        _ => {
            let bits = bits & ((1 << 80) - 1);
            let value = X87DoubleExtended::from_bits(bits);
            let not_a_number = value.is_nan() || !is_valid_extended(bits);
            (not_a_number, 0x7fff_c000_0000_0000_0000, with_point(value.to_string()))
        }
    };
    match is_nan {
        true if bits == usual => "nan".to_owned(),
        true => format!("nan(0x{bits:x})"),
        false => finite.to_lowercase(),
    }
}

/// x87 knows patterns that are no numbers: those without the explicit leading bit.
fn is_valid_extended(bits: u128) -> bool {
    let exponent = bits >> 64 & 0x7fff;
    exponent == 0 || bits >> 63 & 1 == 1
}

fn with_point(text: String) -> String {
    let is_number = text.chars().all(|character| character.is_ascii_digit() || character == '-');
    if is_number { format!("{text}.0") } else { text }
}

/// The bytes that a value means under a type; `None` where the type's size or the value's form is unknown.
pub fn to_bytes(of_type: &str, value: &str) -> Option<Vec<u8>> {
    let value = value.trim();
    match shape(of_type) {
        Shape::Bool => match value {
            "true" => Some(vec![1]),
            "false" => Some(vec![0]),
            _ => integer_bytes(value, 1),
        },
        Shape::Character { .. } => integer_bytes(value, 1),
        Shape::Integer { size, .. } => integer_bytes(value, size.unwrap_or(4)),
        Shape::Float { size } => float_bytes(value, size),
        Shape::Pointer if matches!(value, "null" | "NULL") => Some(vec![0; 8]),
        Shape::Pointer => integer_bytes(value, 8),
        Shape::Array { element, count } => array_bytes(&element, count, value),
        Shape::Other => value.strip_prefix("0x").and_then(crate::bytes::from_hex),
    }
}

fn array_bytes(element: &str, count: usize, value: &str) -> Option<Vec<u8>> {
    if let Some(mut text) = unquoted(value) {
        text.resize(count, 0);
        return Some(text);
    }
    if let Some(list) = value.strip_prefix('{').and_then(|list| list.strip_suffix('}')) {
        if list.trim().is_empty() {
            return (count == 0).then(Vec::new);
        }
        let parts: Option<Vec<_>> = list.split(',').map(|part| to_bytes(element, part)).collect();
        let parts = parts?;
        return (parts.len() == count).then(|| parts.concat());
    }
    value.strip_prefix("0x").and_then(crate::bytes::from_hex)
}

fn integer_bytes(value: &str, size: usize) -> Option<Vec<u8>> {
    let number = parse_integer(value)?;
    let bits = 8 * size as u32;
    if bits < 128 {
        let limit = 1i128 << bits;
        if number >= limit || number < -(limit / 2) {
            return None;
        }
    }
    Some(number.to_le_bytes()[..size].to_vec())
}

/// Decimal, hexadecimal or octal, with C's suffixes, or a character between quotes.
fn parse_integer(value: &str) -> Option<i128> {
    if let Some(inside) = value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        let inside = if inside == "\"" { "\\\"" } else { inside };
        let bytes = unquoted(&format!("\"{inside}\""))?;
        return (bytes.len() == 1).then(|| i128::from(bytes[0] as i8));
    }
    match value {
        "true" => return Some(1),
        "false" => return Some(0),
        _ => {}
    }
    let (negative, text) = match value.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, value.strip_prefix('+').unwrap_or(value)),
    };
    let magnitude = if let Some(hexadecimal) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        u128::from_str_radix(hexadecimal.trim_end_matches(['u', 'U', 'l', 'L']), 16).ok()?
    } else {
        let text = text.trim_end_matches(['u', 'U', 'l', 'L']);
        let octal = text.len() > 1 && text.starts_with('0');
        u128::from_str_radix(text, if octal { 8 } else { 10 }).ok()?
    };
    let magnitude = magnitude as i128;
    Some(if negative { magnitude.wrapping_neg() } else { magnitude })
}

fn float_bytes(value: &str, size: usize) -> Option<Vec<u8>> {
    if let Some(bits) = value.strip_prefix("nan(0x").and_then(|rest| rest.strip_suffix(')')) {
        let bits = u128::from_str_radix(bits, 16).ok()?;
        return Some(bits.to_le_bytes()[..size].to_vec());
    }
    let text = value.trim_end_matches(['f', 'F', 'l', 'L']);
    let text = if value.to_lowercase().ends_with("inf") || text.starts_with("0x") { value } else { text };
    let wide = match (size, value.to_lowercase().as_str()) {
        (2, "nan") => 0x7e00,
        (4, "nan") => 0x7fc0_0000,
        (8, "nan") => 0x7ff8_0000_0000_0000,
        (_, "nan") => 0x7fff_c000_0000_0000_0000,
        (2, _) => text.parse::<Half>().ok()?.to_bits(),
        (4, _) => {
            u128::from(parse_hexadecimal_or(text)?.map_or_else(|| text.parse().ok(), |f| Some(f as f32))?.to_bits())
        }
        (8, _) => u128::from(parse_hexadecimal_or(text)?.map_or_else(|| text.parse().ok(), Some)?.to_bits()),
        _ => parse_extended(text)?.to_bits(),
    };
    Some(wide.to_le_bytes()[..size].to_vec())
}

fn parse_extended(text: &str) -> Option<X87DoubleExtended> {
    match text {
        "inf" => Some(X87DoubleExtended::INFINITY),
        "-inf" => Some(-X87DoubleExtended::INFINITY),
        _ => text.parse().ok(),
    }
}

/// `Some(Some(number))` for C's hexadecimal floats, `Some(None)` for other text, `None` for a broken one.
fn parse_hexadecimal_or(text: &str) -> Option<Option<f64>> {
    let unsigned = text.trim_start_matches(['-', '+']);
    if !unsigned.starts_with("0x") && !unsigned.starts_with("0X") {
        return Some(None);
    }
    let value: rustc_apfloat::ieee::Double = text.parse().ok()?;
    Some(Some(f64::from_bits(value.to_bits() as u64)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn both(of_type: &str, bytes: &[u8], text: &str) {
        assert_eq!(of_bytes(of_type, bytes), text, "{of_type} {bytes:?}");
        assert_eq!(to_bytes(of_type, text).as_deref(), Some(bytes), "{of_type} {text}");
    }

    #[test]
    fn values_read_back_to_their_bytes() {
        both("int", &(-3i32).to_le_bytes(), "-3");
        both("const unsigned  long", &u64::MAX.to_le_bytes(), "18446744073709551615");
        both("long", &i64::MIN.to_le_bytes(), "-9223372036854775808");
        both("unsigned __int128", &[0xff; 16], "340282366920938463463374607431768211455");
        both("char", b"a", "'a'");
        both("char", b"'", "'\\''");
        both("char", b"\"", "'\"'");
        both("char", &[0xff], "-1");
        both("unsigned char", &[0xff], "255");
        both("_Bool", &[1], "true");
        both("_Bool", &[7], "0x07");
        both("char[8]", b"ab\0c\0\0\0\0", "\"ab\\000c\"");
        both("int[2]", &[1, 0, 0, 0, 255, 255, 255, 255], "{1, -1}");
        both("double[2]", &[0.5f64.to_le_bytes(), 2f64.to_le_bytes()].concat(), "{0.5, 2.0}");
        both("struct s", &[1, 2, 3], "0x010203");
        both("enum color", &[2, 0, 0, 0], "2");
        both("struct s *", &[0; 8], "null");
        both("struct s *", &0x5555_0000_01a0u64.to_le_bytes(), "0x5555000001a0");
        both("int (*)(int)", &1u64.to_le_bytes(), "0x1");
        both("char *[2]", &[[0; 8], 0x1234u64.to_le_bytes()].concat(), "{null, 0x1234}");
        assert_eq!(of_bytes("char *", &0x0804_8000u32.to_le_bytes()), "0x8048000");
    }

    #[test]
    fn floats_round_trip() {
        both("double", &0.1f64.to_le_bytes(), "0.1");
        both("double", &f64::MIN_POSITIVE.to_le_bytes(), "2.2250738585072014e-308");
        both("double", &(-0.0f64).to_le_bytes(), "-0.0");
        both("float", &f32::NEG_INFINITY.to_le_bytes(), "-inf");
        both("float", &f32::from_bits(0x7fc0_0000).to_le_bytes(), "nan");
        both("float", &f32::from_bits(0xff80_0001).to_le_bytes(), "nan(0xff800001)");
        both("_Float16", &[0, 0x3c], "1.0");
        let mut tenth = "0.1".parse::<X87DoubleExtended>().unwrap().to_bits().to_le_bytes().to_vec();
        tenth.truncate(16);
        let text = of_bytes("long double", &tenth);
        assert_eq!(to_bytes("long double", &text).unwrap(), tenth, "{text}");
        assert_eq!(to_bytes("double", "0x1.8p+1"), Some(3f64.to_le_bytes().to_vec()));
        assert_eq!(to_bytes("float", "1.5f"), Some(1.5f32.to_le_bytes().to_vec()));
        assert_eq!(to_bytes("double", "words"), None);
    }

    #[test]
    fn every_double_pattern_survives() {
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..2000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bytes = bits.to_le_bytes();
            assert_eq!(to_bytes("double", &of_bytes("double", &bytes)).unwrap(), bytes);
            assert_eq!(to_bytes("float", &of_bytes("float", &bytes[..4])).unwrap(), &bytes[..4]);
        }
    }

    #[test]
    fn extended_patterns_survive() {
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..50 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bytes = bits.to_le_bytes();
            let mut extended = [0; 16];
            extended[..8].copy_from_slice(&bytes);
            extended[8..10].copy_from_slice(&bytes[3..5]);
            let text = of_bytes("long double", &extended);
            assert_eq!(to_bytes("long double", &text).unwrap(), extended, "{text}");
        }
    }

    #[test]
    fn integers_as_other_tools_write_them() {
        assert_eq!(to_bytes("int", "0x10u"), Some(vec![16, 0, 0, 0]));
        assert_eq!(to_bytes("unsigned int", "4294967295UL"), Some(vec![255; 4]));
        assert_eq!(to_bytes("char", "300"), None);
        assert_eq!(decimal("char", b"a"), "97");
        assert_eq!(decimal("unknown_t", &[0xff, 0xff]), "-1");
    }
}
