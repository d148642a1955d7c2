//! Text to parenthesised lists, one command at a time. What they mean is not known here.
//!
//! Nothing recurses: the depth of a script is limited by memory alone.

use std::rc::Rc;

use super::error::{Error, Place, Problem};

/// The number of an atom or a list in its tree.
pub(super) type NodeId = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Symbol,
    Keyword,
    Numeral,
    Decimal,
    Hexadecimal,
    Binary,
    String,
    List,
}

#[derive(Clone, Copy)]
struct Node {
    kind: Kind,
    /// Where it begins, marks included.
    start: u32,
    /// Bytes of the text; of an atom without its marks (`|`, `"`, `#x`, `:`).
    from: u32,
    to: u32,
    /// Of a list: where its children begin, and how many they are.
    first: u32,
    count: u32,
}

/// One command.
pub(super) struct Tree {
    text: Rc<str>,
    nodes: Vec<Node>,
    children: Vec<NodeId>,
    root: NodeId,
}

impl Tree {
    pub fn root(&self) -> NodeId {
        self.root
    }

    pub fn kind(&self, node: NodeId) -> Kind {
        self.nodes[node as usize].kind
    }

    /// The children of a list; an atom has none.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        let Node { first, count, .. } = self.nodes[node as usize];
        &self.children[first as usize..(first + count) as usize]
    }

    /// What an atom says, without its marks.
    pub fn atom(&self, node: NodeId) -> &str {
        let Node { kind, from, to, .. } = self.nodes[node as usize];
        if kind == Kind::List { "" } else { &self.text[from as usize..to as usize] }
    }

    /// The name, if this is a symbol.
    pub fn symbol(&self, node: NodeId) -> Option<&str> {
        (self.kind(node) == Kind::Symbol).then(|| self.atom(node))
    }

    /// The text of a node as it was written, with single spaces.
    pub fn source(&self, node: NodeId) -> String {
        let Node { kind, from, to, .. } = self.nodes[node as usize];
        let text = &self.text[from as usize..to as usize];
        match kind {
            Kind::List => without_comments(text),
            Kind::Symbol if text.bytes().all(is_symbol_byte) && !text.is_empty() => text.to_owned(),
            Kind::Symbol => format!("|{text}|"),
            Kind::String => format!("\"{text}\""),
            Kind::Hexadecimal => format!("#x{text}"),
            Kind::Binary => format!("#b{text}"),
            Kind::Keyword => format!(":{text}"),
            Kind::Numeral | Kind::Decimal => text.to_owned(),
        }
    }

    pub fn error(&self, node: NodeId, problem: Problem) -> Error {
        Error { place: Place::of(&self.text, self.nodes[node as usize].start as usize), problem }
    }
}

/// A list as it was written, its white space and comments each a single space.
fn without_comments(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = match next {
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '|' | '"' => rest[1..].find(next).map_or(rest.len(), |end| end + 2),
            _ => next.len_utf8(),
        };
        if next == ';' || next.is_whitespace() {
            if !result.ends_with([' ', '(']) {
                result.push(' ');
            }
        } else {
            if next == ')' && result.ends_with(' ') {
                result.pop();
            }
            result.push_str(&rest[..length]);
        }
        rest = &rest[length..];
    }
    result
}

fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}

/// Reads commands one after the other.
pub(super) struct Reader {
    text: Rc<str>,
    at: usize,
}

impl Reader {
    pub fn new(text: &str) -> Result<Reader, Error> {
        if u32::try_from(text.len()).is_err() {
            return Err(Error { place: Place { line: 1, column: 1 }, problem: Problem::TooLarge });
        }
        Ok(Reader { text: text.into(), at: 0 })
    }

    fn error(&self, at: usize, problem: Problem) -> Error {
        Error { place: Place::of(&self.text, at), problem }
    }

    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b';' => {
                    self.at =
                        bytes[self.at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| self.at + end)
                }
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => return,
            }
        }
    }

    /// The next command, or `None` at the end.
    pub fn next_command(&mut self) -> Result<Option<Tree>, Error> {
        let mut tree = Tree { text: self.text.clone(), nodes: Vec::new(), children: Vec::new(), root: 0 };
        // The lists that are open, each with the children that it has so far.
        let mut open: Vec<(usize, Vec<NodeId>)> = Vec::new();
        loop {
            self.skip_space();
            let start = self.at;
            let node = match self.text.as_bytes().get(start) {
                None => {
                    return match open.last() {
                        Some((at, _)) => Err(self.error(*at, Problem::Unclosed)),
                        None => Ok(None),
                    };
                }
                Some(b'(') => {
                    open.push((start, Vec::new()));
                    self.at += 1;
                    continue;
                }
                Some(b')') => {
                    self.at += 1;
                    let (from, children) = open.pop().ok_or_else(|| self.error(start, Problem::NothingOpen))?;
                    let first = tree.children.len() as u32;
                    let count = children.len() as u32;
                    tree.children.extend(children);
                    Node { kind: Kind::List, start: from as u32, from: from as u32, to: self.at as u32, first, count }
                }
                Some(_) => self.atom()?,
            };
            let id = tree.nodes.len() as NodeId;
            tree.nodes.push(node);
            match open.last_mut() {
                Some((_, children)) => children.push(id),
                None => {
                    tree.root = id;
                    return Ok(Some(tree));
                }
            }
        }
    }

    fn atom(&mut self) -> Result<Node, Error> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let run = |from: usize, belongs: fn(u8) -> bool| {
            bytes[from..].iter().position(|byte| !belongs(*byte)).map_or(bytes.len(), |length| from + length)
        };
        let (kind, from, to, end) = match bytes[start] {
            b'|' => {
                let length = bytes[start + 1..].iter().position(|byte| *byte == b'|');
                let to = start + 1 + length.ok_or_else(|| self.error(start, Problem::Endless("quoted symbol")))?;
                (Kind::Symbol, start + 1, to, to + 1)
            }
            b'"' => {
                let to = self.end_of_string(start)?;
                (Kind::String, start + 1, to, to + 1)
            }
            b':' => {
                let to = run(start + 1, is_symbol_byte);
                (Kind::Keyword, start + 1, to, to)
            }
            b'#' => {
                let (kind, belongs): (Kind, fn(u8) -> bool) = match bytes.get(start + 1) {
                    Some(b'x') => (Kind::Hexadecimal, |byte| byte.is_ascii_hexdigit()),
                    Some(b'b') => (Kind::Binary, |byte| matches!(byte, b'0' | b'1')),
                    _ => return Err(self.error(start, Problem::Character('#'))),
                };
                let to = run(start + 2, belongs);
                if to == start + 2 {
                    return Err(self.error(start, Problem::Expected("a digit after #x or #b")));
                }
                (kind, start + 2, to, to)
            }
            byte if byte.is_ascii_digit() => {
                let to = run(start, |byte| byte.is_ascii_digit() || byte == b'.');
                let kind = if bytes[start..to].contains(&b'.') { Kind::Decimal } else { Kind::Numeral };
                (kind, start, to, to)
            }
            byte if is_symbol_byte(byte) => {
                let to = run(start, is_symbol_byte);
                (Kind::Symbol, start, to, to)
            }
            _ => {
                let character = self.text[start..].chars().next().unwrap_or('?');
                return Err(self.error(start, Problem::Character(character)));
            }
        };
        self.at = end;
        Ok(Node { kind, start: start as u32, from: from as u32, to: to as u32, first: 0, count: 0 })
    }

    /// The closing quote; two quotes in a row stand for one in the string.
    fn end_of_string(&self, start: usize) -> Result<usize, Error> {
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        loop {
            match (bytes.get(at), bytes.get(at + 1)) {
                (None, _) => return Err(self.error(start, Problem::Endless("string"))),
                (Some(b'"'), Some(b'"')) => at += 2,
                (Some(b'"'), _) => return Ok(at),
                _ => at += 1,
            }
        }
    }
}
