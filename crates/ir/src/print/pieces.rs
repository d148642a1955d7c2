//! Small pieces of text that can be put into format strings: lists, names, quotes.

use std::fmt::{Display, Formatter, Result, Write};

/// What a closure writes.
pub(super) struct Text<F: Fn(&mut Formatter<'_>) -> Result>(pub(super) F);

impl<F: Fn(&mut Formatter<'_>) -> Result> Display for Text<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        (self.0)(f)
    }
}

/// The items of a list, with commas between them.
pub(super) struct Listed<'a, T, F: Fn(&mut Formatter<'_>, &T) -> Result>(pub(super) &'a [T], pub(super) F);

impl<T, F: Fn(&mut Formatter<'_>, &T) -> Result> Display for Listed<'_, T, F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for (at, item) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            (self.1)(f, item)?;
        }
        Ok(())
    }
}

/// A name as it is, or in quotes if it holds anything unusual.
pub(super) struct Plain<'a>(pub(super) &'a str);

impl Display for Plain<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match !self.0.is_empty() && self.0.chars().all(is_plain) {
            true => f.write_str(self.0),
            false => write!(f, "{}", Quoted(self.0)),
        }
    }
}

/// The characters of names that stand without quotes.
pub(crate) fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '.' | '$' | '/')
}

/// The path of a file; there a dash is usual too.
pub(super) struct FilePath<'a>(pub(super) &'a str);

impl Display for FilePath<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match !self.0.is_empty() && self.0.chars().all(is_plain_in_path) {
            true => f.write_str(self.0),
            false => write!(f, "{}", Quoted(self.0)),
        }
    }
}

pub(crate) fn is_plain_in_path(character: char) -> bool {
    is_plain(character) || matches!(character, '-' | '+')
}

/// A name in quotes, with what would end them or the line escaped.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(f, "\\{character}")?,
                _ if character.is_control() => write!(f, "\\u{{{:x}}}", u32::from(character))?,
                _ => f.write_char(character)?,
            }
        }
        f.write_char('"')
    }
}
