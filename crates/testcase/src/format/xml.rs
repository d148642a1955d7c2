//! The XML of tests: a root element and its children, without deeper nesting. `quick-xml` reads and escapes it.

use std::path::Path;

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::error::Error;

/// Text as XML allows it inside elements and attributes. Characters that XML forbids become `?`, and white space that a reader may change
/// becomes a reference.
pub fn escape(text: &str) -> String {
    let is_forbidden = |character| matches!(character, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    let escaped = quick_xml::escape::escape(text.replace(is_forbidden, "?")).into_owned();
    escaped.replace('\t', "&#9;").replace('\n', "&#10;").replace('\r', "&#13;")
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

/// The root element and its children. Anything nested deeper is an error, and so is a tag that is not closed.
pub fn parse(text: &str, path: &Path) -> Result<(Element, Vec<Element>), Error> {
    let mut reader = Reader::from_str(text);
    let mut open: Vec<Element> = Vec::new();
    let mut children = Vec::new();
    loop {
        let at = reader.buffer_position();
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => return Err(bad(text, reader.error_position(), path, error)),
        };
        let wrong = |reason: String| bad(text, at, path, reason);
        let closes = matches!(event, Event::Empty(_) | Event::End(_));
        match event {
            Event::Start(tag) | Event::Empty(tag) => {
                if open.len() == 2 {
                    return Err(wrong("elements are nested too deeply for a test".to_owned()));
                }
                open.push(element(&tag).map_err(wrong)?);
            }
            Event::Text(part) => append(&mut open, &part),
            Event::CData(part) => append(&mut open, &part),
            Event::GeneralRef(reference) => append(&mut open, &resolved(&reference).map_err(wrong)?),
            Event::Eof if open.is_empty() => return Err(wrong("it has no element".to_owned())),
            Event::Eof => return Err(wrong("an element is not closed".to_owned())),
            Event::End(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
        if closes && let Some(done) = open.pop() {
            match open.is_empty() {
                true => return Ok((done, children)),
                false => children.push(done),
            }
        }
    }
}

fn element(tag: &BytesStart) -> Result<Element, String> {
    let mut element = Element { name: tag.name().as_ref().to_owned(), ..Element::default() };
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| error.to_string())?;
        let name = attribute.key.as_ref().to_owned();
        element.attributes.push((name, value.into_owned()));
    }
    Ok(element)
}

/// The text that `&name;` or `&#number;` stands for.
fn resolved(reference: &BytesRef) -> Result<String, String> {
    if let Some(character) = reference.resolve_char_ref().map_err(|error| error.to_string())? {
        return Ok(character.into());
    }
    let name: &str = reference;
    resolve_predefined_entity(name).map(str::to_owned).ok_or_else(|| format!("`&{name};` is unknown"))
}

fn append(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}

fn bad(text: &str, at: u64, path: &Path, reason: impl ToString) -> Error {
    let before = &text.as_bytes()[..text.len().min(at as usize)];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column =
        before.iter().rev().take_while(|byte| **byte != b'\n').filter(|byte| **byte & 0xC0 != 0x80).count() + 1;
    Error::BadText { path: path.to_owned(), line, column, reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn reads_what_others_write() {
        let text = "<?xml version='1.0'?><!DOCTYPE t PUBLIC \"a>b\" \"c\">\n<!-- <x> --><t a='1 &lt; 2'>\n<i v=\"&#65;\"> 3<![CDATA[<]]></i><i/></t>";
        let (root, children) = parse(text, Path::new("x")).unwrap();
        assert_eq!(root.attribute("a"), Some("1 < 2"));
        assert_eq!(children[0].attribute("v"), Some("A"));
        assert_eq!(children[0].text, " 3<");
        assert_eq!(children.len(), 2);
    }

    #[test]
    fn says_where_it_is_wrong() {
        let complain = |text: &str| parse(text, Path::new("t.xml")).unwrap_err().to_string();
        assert_eq!(complain("<a>"), "t.xml, line 1, column 4: an element is not closed");
        assert_eq!(complain("  "), "t.xml, line 1, column 3: it has no element");
        assert!(complain("<a>\n <b x=3/></a>").starts_with("t.xml, line 2, column "));
        assert!(complain("<a></b></a>").starts_with("t.xml, line 1, column 4: "));
        assert!(complain("<a>&what;</a>").ends_with("`&what;` is unknown"));
    }

    #[test]
    fn what_is_escaped_comes_back() {
        let text = "a<b>&\"'\n\t\r\u{e9}";
        let (root, _) = parse(&format!("<t a=\"{0}\">{0}</t>", escape(text)), Path::new("x")).unwrap();
        assert_eq!((root.text.as_str(), root.attribute("a")), (text, Some(text)));
        assert_eq!(escape("\0\u{1f}\u{ffff}"), "???");
    }
}
