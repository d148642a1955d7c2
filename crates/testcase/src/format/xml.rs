//! As much XML as tests need: escaping on the way out; elements, attributes, entities, comments on the way in. No
//! schema.

use std::path::Path;

use crate::error::Error;

/// Text as XML allows it inside elements and attributes. Characters that XML forbids become `?`.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\t' | '\n' | '\r' => escaped.push_str(&format!("&#{};", character as u32)),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('?'),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// An element without children.
#[derive(Debug, Default, PartialEq)]
pub struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub text: String,
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// The root element and its children. Anything nested deeper is an error, and so is a tag that nobody closes.
pub fn parse(text: &str, path: &Path) -> Result<(Element, Vec<Element>), Error> {
    let mut parser = Parser { text, position: 0, path };
    let mut open: Vec<Element> = Vec::new();
    let mut children = Vec::new();
    loop {
        parser.text_until_tag(open.last_mut())?;
        if parser.rest().is_empty() {
            return Err(parser.bad(if open.is_empty() { "it has no element" } else { "an element is not closed" }));
        }
        if parser.skip_between("<!--", "-->")? || parser.skip_between("<?", "?>")? {
            continue;
        }
        if parser.rest().starts_with("<![CDATA[") {
            let inside = parser.between("<![CDATA[", "]]>")?;
            if let Some(element) = open.last_mut() {
                element.text.push_str(inside);
            }
            continue;
        }
        if parser.skip_between("<!", ">")? {
            continue;
        }
        let closes = parser.rest().starts_with("</");
        if closes {
            let name = parser.between("</", ">")?.trim();
            if open.last().is_none_or(|element| element.name != name) {
                return Err(parser.bad(&format!("</{name}> closes nothing")));
            }
        } else {
            let (element, is_empty) = parser.start_tag()?;
            if open.len() == 2 {
                return Err(parser.bad("elements are nested too deeply for a test"));
            }
            open.push(element);
            if !is_empty {
                continue;
            }
        }
        if let Some(done) = open.pop() {
            match open.is_empty() {
                true => return Ok((done, children)),
                false => children.push(done),
            }
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    position: usize,
    path: &'a Path,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn bad(&self, reason: &str) -> Error {
        let before = &self.text[..self.position];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&character| character != '\n').count() + 1;
        Error::BadText { path: self.path.to_owned(), line, column, reason: reason.to_owned() }
    }

    fn text_until_tag(&mut self, element: Option<&mut Element>) -> Result<(), Error> {
        let length = self.rest().find('<').unwrap_or(self.rest().len());
        let text = self.unescape(&self.rest()[..length])?;
        if let Some(element) = element {
            element.text.push_str(&text);
        }
        self.position += length;
        Ok(())
    }

    fn between(&mut self, start: &str, end: &str) -> Result<&'a str, Error> {
        let rest = &self.rest()[start.len()..];
        let length = rest.find(end).ok_or_else(|| self.bad(&format!("`{start}` without `{end}`")))?;
        self.position += start.len() + length + end.len();
        Ok(&rest[..length])
    }

    fn skip_between(&mut self, start: &str, end: &str) -> Result<bool, Error> {
        let found = self.rest().starts_with(start);
        if found {
            self.between(start, end)?;
        }
        Ok(found)
    }

    fn name(&mut self) -> Result<&'a str, Error> {
        let is_name = |character: char| character.is_alphanumeric() || "-_.:".contains(character);
        let length = self.rest().find(|character| !is_name(character)).unwrap_or(self.rest().len());
        if length == 0 {
            return Err(self.bad("a name is missing"));
        }
        let name = &self.rest()[..length];
        self.position += length;
        Ok(name)
    }

    fn skip_blanks(&mut self) {
        self.position += self.rest().len() - self.rest().trim_start().len();
    }

    /// `<name a="b" …>`; the second value is true for `<name/>`.
    fn start_tag(&mut self) -> Result<(Element, bool), Error> {
        self.position += 1;
        let mut element = Element { name: self.name()?.to_owned(), ..Element::default() };
        loop {
            self.skip_blanks();
            for (end, is_empty) in [("/>", true), (">", false)] {
                if self.rest().starts_with(end) {
                    self.position += end.len();
                    return Ok((element, is_empty));
                }
            }
            let name = self.name()?.to_owned();
            self.skip_blanks();
            if !self.rest().starts_with('=') {
                return Err(self.bad("`=` is missing after an attribute"));
            }
            self.position += 1;
            self.skip_blanks();
            let quote = if self.rest().starts_with('\'') { "'" } else { "\"" };
            if !self.rest().starts_with(quote) {
                return Err(self.bad("an attribute's value must stand between quotes"));
            }
            let value = self.between(quote, quote)?;
            let value = self.unescape(value)?;
            element.attributes.push((name, value));
        }
    }

    fn unescape(&self, text: &str) -> Result<String, Error> {
        let mut plain = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find('&') {
            plain.push_str(&rest[..start]);
            let entity = rest[start + 1..].split(';').next().unwrap_or_default();
            let number = entity.strip_prefix('#').and_then(|digits| match digits.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => digits.parse().ok(),
            });
            plain.push(match (entity, number.and_then(char::from_u32)) {
                ("amp", _) => '&',
                ("lt", _) => '<',
                ("gt", _) => '>',
                ("quot", _) => '"',
                ("apos", _) => '\'',
                (_, Some(character)) => character,
                _ => return Err(self.bad(&format!("`&{entity};` is unknown"))),
            });
            rest = rest.get(start + entity.len() + 2..).ok_or_else(|| self.bad("`&` without `;`"))?;
        }
        plain.push_str(rest);
        Ok(plain)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn reads_what_others_write() {
        let text = "<?xml version='1.0'?><!DOCTYPE t PUBLIC \"a>b\" \"c\">\n<!-- <x> --><t a='1 &lt; 2'>\n<i v=\"&#65;\"> 3<![CDATA[<]]></i><i/></t>";
        // A `>` inside the quotes of a DOCTYPE is rare enough: the rest of it is text before the root.
        let (root, children) = parse(text, Path::new("x")).unwrap();
        assert_eq!(root.attribute("a"), Some("1 < 2"));
        assert_eq!(children[0].attribute("v"), Some("A"));
        assert_eq!(children[0].text, " 3<");
        assert_eq!(children.len(), 2);
    }

    #[test]
    fn says_where_it_is_wrong() {
        let complain = |text: &str| parse(text, Path::new("t.xml")).unwrap_err().to_string();
        assert_eq!(
            complain("<a>\n <b x=3/></a>"),
            "t.xml, line 2, column 7: an attribute's value must stand between quotes"
        );
        assert_eq!(complain("<a>"), "t.xml, line 1, column 4: an element is not closed");
        assert_eq!(complain("  "), "t.xml, line 1, column 3: it has no element");
        assert!(complain("<a></b></a>").ends_with("</b> closes nothing"));
        assert!(complain("<a>&what;</a>").ends_with("`&what;` is unknown"));
    }

    #[test]
    fn what_is_escaped_comes_back() {
        let text = "a<b>&\"'\n\t\u{e9}";
        let (root, _) = parse(&format!("<t>{}</t>", escape(text)), Path::new("x")).unwrap();
        assert_eq!(root.text, text);
    }
}
