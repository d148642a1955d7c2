//! Bytes as text: hexadecimal digits, and strings that are UTF-8 most of the time.

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes that a person would call text: a JSON string where they are UTF-8, `{"hex": "…"}` otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[schemars(with = "StringOrHex")]
pub struct Text(pub Vec<u8>);

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(text.as_bytes().to_vec())
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Text {
        Text(bytes)
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Hex {
    #[serde(with = "hex")]
    #[schemars(with = "String")]
    hex: Vec<u8>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "neither a string nor {\"hex\": \"…\"}")]
enum StringOrHex {
    String(String),
    Hex(Hex),
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Hex { hex: self.0.clone() }.serialize(serializer),
        }
    }
}

impl<'a> Deserialize<'a> for Text {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Text, D::Error> {
        Ok(match StringOrHex::deserialize(deserializer)? {
            StringOrHex::String(text) => Text(text.into_bytes()),
            StringOrHex::Hex(bytes) => Text(bytes.hex),
        })
    }
}

/// `#[serde(with = "hex")]` for bytes that are always written as hexadecimal digits.
pub mod hex {
    use super::*;

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&to_hex(bytes))
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        from_hex(&text).ok_or_else(|| D::Error::custom(format!("`{text}` is not a row of pairs of hexadecimal digits")))
    }
}

pub fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    digits.map(char::from).collect()
}

/// Pairs of digits; white space between them is welcome.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .filter(|character| !character.is_whitespace())
        .map(|character| character.to_digit(16).map(|digit| digit as u8))
        .collect();
    let digits = digits?;
    (digits.len() % 2 == 0).then(|| digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// Bytes between double quotes as C writes them. Octal escapes, since a hexadecimal one would swallow the digits that
/// follow it.
pub fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for (index, &byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            // "??" could begin a trigraph.
            b'?' if index > 0 && bytes[index - 1] == b'?' => text.push_str("\\?"),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('"');
    text
}

/// The bytes between double quotes, with C's escapes taken apart; `None` for anything else.
pub fn unquoted(text: &str) -> Option<Vec<u8>> {
    let inside = text.strip_prefix('"')?.strip_suffix('"')?.as_bytes();
    let mut bytes = Vec::with_capacity(inside.len());
    let mut rest = inside;
    while let Some((&first, after)) = rest.split_first() {
        if first == b'"' {
            return None;
        }
        if first != b'\\' {
            bytes.push(first);
            rest = after;
            continue;
        }
        let (byte, after) = escape(after)?;
        bytes.push(byte);
        rest = after;
    }
    Some(bytes)
}

/// The byte that an escape means (what follows its backslash) and what comes after it.
fn escape(text: &[u8]) -> Option<(u8, &[u8])> {
    let (&first, after) = text.split_first()?;
    let simple = match first {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'a' => 7,
        b'b' => 8,
        b'v' => 11,
        b'f' => 12,
        b'e' => 27,
        b'\\' | b'"' | b'\'' | b'?' => first,
        b'x' => {
            let digits = after.iter().take(2).take_while(|digit| digit.is_ascii_hexdigit()).count();
            let value = u8::from_str_radix(std::str::from_utf8(&after[..digits]).ok()?, 16).ok()?;
            return Some((value, &after[digits..]));
        }
        b'0'..=b'7' => {
            let digits = text.iter().take(3).take_while(|digit| (b'0'..=b'7').contains(digit)).count();
            let value = u8::from_str_radix(std::str::from_utf8(&text[..digits]).ok()?, 8).ok()?;
            return Some((value, &text[digits..]));
        }
        _ => return None,
    };
    Some((simple, after))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_byte_survives_quotes() {
        let all: Vec<u8> = (0..=255).chain([b'?', b'?', b'=', 0, b'7', b'\\', b'x']).collect();
        assert_eq!(unquoted(&quoted(&all)).unwrap(), all);
        assert_eq!(quoted(b"a\0b\n"), r#""a\000b\n""#);
        assert_eq!(unquoted(r#""\x41\7\e""#).unwrap(), b"A\x07\x1b");
        assert!(unquoted("\"a").is_none());
        assert!(unquoted(r#""\q""#).is_none());
    }

    #[test]
    fn text_is_a_string_or_digits() {
        assert_eq!(serde_json::to_string(&Text::from("a\u{e9}")).unwrap(), "\"a\u{e9}\"");
        assert_eq!(serde_json::to_string(&Text(vec![0xff, 1])).unwrap(), r#"{"hex":"ff01"}"#);
        assert_eq!(serde_json::from_str::<Text>(r#"{"hex":"FF 01"}"#).unwrap().0, [0xff, 1]);
        assert!(serde_json::from_str::<Text>("3").is_err());
        assert_eq!(from_hex("abc"), None);
    }
}
