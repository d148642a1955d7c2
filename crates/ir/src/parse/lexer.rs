//! Lines of the text form taken apart into tokens and a comment. Knows nothing of what they mean.

use crate::error::{Error, SyntaxProblem};
use crate::print::{is_plain, is_plain_in_path};

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A keyword, type, register or block.
    Word(String),
    /// As written.
    Number(String),
    /// `@name`, with `#n` if it is there, and an offset that follows without a space.
    Name {
        key: String,
        offset: i64,
    },
    Text(String),
    Punctuation(&'static str),
}

impl Token {
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(text) | Token::Number(text) => format!("`{text}`"),
            Token::Name { key, .. } => format!("`@{key}`"),
            Token::Text(text) => format!("{text:?}"),
            Token::Punctuation(text) => format!("`{text}`"),
        }
    }
}

const PUNCTUATION: [&str; 14] = ["...", "->", "=>", "(", ")", "{", "}", "[", "]", ",", ":", "=", "|", "*"];

pub(super) struct Lexer<'a> {
    rest: &'a str,
    line: u32,
}

/// The tokens of a line and the comment behind them.
pub(super) fn tokens(text: &str, line: u32) -> Result<(Vec<Token>, Option<&str>), Error> {
    let mut lexer = Lexer { rest: text, line };
    let mut tokens = Vec::new();
    loop {
        lexer.rest = lexer.rest.trim_start();
        match lexer.rest.chars().next() {
            None => return Ok((tokens, None)),
            Some(';') => return Ok((tokens, Some(lexer.rest[1..].trim()))),
            Some(first) => tokens.push(lexer.token(first)?),
        }
    }
}

impl<'a> Lexer<'a> {
    pub(super) fn new(rest: &'a str, line: u32) -> Self {
        Lexer { rest, line }
    }

    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }

    fn error<T>(&self, problem: SyntaxProblem) -> Result<T, Error> {
        Err(Error::Syntax { line: self.line, problem })
    }

    fn token(&mut self, first: char) -> Result<Token, Error> {
        if let Some(after) = self.rest.strip_prefix('@') {
            self.rest = after;
            return self.name();
        }
        if first == '"' {
            return Ok(Token::Text(self.quoted()?));
        }
        let next_is_digit = self.rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        if first.is_ascii_digit() || (matches!(first, '-' | '+') && next_is_digit) {
            return Ok(Token::Number(self.number().to_string()));
        }
        if first.is_ascii_alphabetic() || first == '_' {
            return Ok(Token::Word(self.take_while(|c| c.is_ascii_alphanumeric() || c == '_').to_string()));
        }
        if let Some(after) = self.rest.strip_prefix('+') {
            self.rest = after;
            return Ok(Token::Punctuation("+"));
        }
        match PUNCTUATION.iter().find(|mark| self.rest.starts_with(**mark)) {
            Some(mark) => {
                self.rest = &self.rest[mark.len()..];
                Ok(Token::Punctuation(mark))
            }
            None => self.error(SyntaxProblem::Unexpected { expected: "a token", found: format!("`{first}`") }),
        }
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|next| !accept(next)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// Digits with all that may belong to them: a sign, `0x`, a fraction, an exponent with its sign.
    fn number(&mut self) -> &'a str {
        let bytes = self.rest.as_bytes();
        let hexadecimal = self.rest.trim_start_matches(['-', '+']).starts_with("0x");
        let mut end = 1;
        while let Some(&byte) = bytes.get(end) {
            let exponent_sign = matches!(byte, b'-' | b'+') && bytes[end - 1] == b'e' && !hexadecimal;
            if !(byte.is_ascii_alphanumeric() || byte == b'.' || exponent_sign) {
                break;
            }
            end += 1;
        }
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn name(&mut self) -> Result<Token, Error> {
        let mut key = self.plain_or_quoted()?;
        if let Some(after) = self.rest.strip_prefix('#') {
            self.rest = after;
            key.push('#');
            key.push_str(self.take_while(|next| next.is_ascii_digit()));
        }
        let mut offset = 0;
        if self.rest.starts_with(['+', '-']) {
            let digits = self.number();
            offset = match digits.parse() {
                Ok(offset) => offset,
                Err(_) => return self.error(SyntaxProblem::BadNumber(digits.to_string())),
            };
        }
        Ok(Token::Name { key, offset })
    }

    pub(super) fn plain_or_quoted(&mut self) -> Result<String, Error> {
        if self.rest.starts_with('"') { self.quoted() } else { Ok(self.take_while(is_plain).to_string()) }
    }

    pub(super) fn file_path(&mut self) -> Result<String, Error> {
        if self.rest.starts_with('"') { self.quoted() } else { Ok(self.take_while(is_plain_in_path).to_string()) }
    }

    fn quoted(&mut self) -> Result<String, Error> {
        let mut text = String::new();
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\\' => match characters.next() {
                    Some((_, 'u')) => {
                        let digits: String =
                            characters.by_ref().skip(1).map(|(_, next)| next).take_while(|next| *next != '}').collect();
                        match u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32) {
                            Some(escaped) => text.push(escaped),
                            None => return self.error(SyntaxProblem::BadNumber(digits)),
                        }
                    }
                    Some((_, escaped)) => text.push(escaped),
                    None => break,
                },
                _ => text.push(character),
            }
        }
        self.error(SyntaxProblem::OpenText)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_everything() {
        let (tokens, comment) = tokens("r1 = @g#2-8 -5 1e-7 0x1f + \"a\\u{a}\\\"\" ... ; note", 1).unwrap();
        assert_eq!(comment, Some("note"));
        let expected = [
            Token::Word("r1".into()),
            Token::Punctuation("="),
            Token::Name { key: "g#2".into(), offset: -8 },
            Token::Number("-5".into()),
            Token::Number("1e-7".into()),
            Token::Number("0x1f".into()),
            Token::Punctuation("+"),
            Token::Text("a\n\"".into()),
            Token::Punctuation("..."),
        ];
        assert_eq!(tokens, expected);
    }

    #[test]
    fn trouble_has_a_line() {
        let error = tokens("\"open", 3).unwrap_err();
        assert_eq!(error, Error::Syntax { line: 3, problem: SyntaxProblem::OpenText });
        assert!(tokens("é", 1).is_err());
        assert!(tokens("@f-", 1).is_err());
    }
}
