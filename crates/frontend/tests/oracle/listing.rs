//! The text of `llvm-dis`, cut into its parts.

use std::collections::BTreeMap;

/// A whole listing.
#[derive(Default)]
pub struct Listing {
    pub triple: String,
    pub data_layout: String,
    pub source_file: String,
    /// Names and definitions of structures.
    pub types: Vec<(String, String)>,
    /// Lines that define variables, aliases and ifuncs.
    pub variables: Vec<String>,
    pub functions: Vec<TextFunction>,
    /// Metadata nodes by number.
    pub nodes: BTreeMap<u32, String>,
}

/// A function.
#[derive(Default)]
pub struct TextFunction {
    /// The line with `define` or `declare`.
    pub header: String,
    pub blocks: Vec<TextBlock>,
    /// Lines with debug records.
    pub records: Vec<String>,
}

/// A basic block.
#[derive(Default)]
pub struct TextBlock {
    /// One line for each instruction, however many it had.
    pub instructions: Vec<String>,
}

impl Listing {
    pub fn parse(text: &str) -> Listing {
        let mut listing = Listing::default();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let quoted = || line.split_once('"').map_or(String::new(), |(_, rest)| rest.trim_end_matches('"').into());
            if line.starts_with("target triple") {
                listing.triple = quoted();
            } else if line.starts_with("target datalayout") {
                listing.data_layout = quoted();
            } else if line.starts_with("source_filename") {
                listing.source_file = quoted();
            } else if line.starts_with("define ") {
                let mut function = TextFunction { header: line.to_string(), ..TextFunction::default() };
                function.parse_body(&mut lines);
                listing.functions.push(function);
            } else if line.starts_with("declare ") {
                listing.functions.push(TextFunction { header: line.to_string(), ..TextFunction::default() });
            } else if line.starts_with('@') {
                listing.variables.push(line.to_string());
            } else if let Some((name, definition)) = line.split_once(" = type ") {
                listing.types.push((name.to_string(), definition.to_string()));
            } else if let Some((number, node)) = line.strip_prefix('!').and_then(|line| line.split_once(" = "))
                && let Ok(number) = number.parse()
            {
                listing.nodes.insert(number, node.to_string());
            }
        }
        listing
    }

    /// The node that a text attaches as debug information.
    fn debug_node(&self, text: &str) -> Option<&str> {
        let (_, rest) = text.rsplit_once("!dbg !")?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        self.nodes.get(&digits.parse().ok()?).map(String::as_str)
    }

    /// Line and column of an instruction.
    pub fn location(&self, instruction: &str) -> String {
        let Some(node) = self.debug_node(instruction) else { return "none".to_string() };
        format!("{}:{}", field(node, "line").unwrap_or("0"), field(node, "column").unwrap_or("0"))
    }

    /// Name and line of a function.
    pub fn subprogram(&self, header: &str) -> String {
        let Some(node) = self.debug_node(header) else { return "none".to_string() };
        format!("{} {}", field(node, "name").unwrap_or(""), field(node, "line").unwrap_or("0"))
    }
}

impl TextFunction {
    /// Reads lines up to the closing brace.
    fn parse_body<'t>(&mut self, lines: &mut impl Iterator<Item = &'t str>) {
        let mut started = false;
        for line in lines {
            if line == "}" {
                return;
            }
            let indentation = line.len() - line.trim_start().len();
            let content = line.trim_start();
            if content.is_empty() || content.starts_with(';') {
                continue;
            }
            if content.starts_with("#dbg_") {
                self.records.push(content.to_string());
            } else if indentation == 0 {
                // A label. That of the entry may be left out.
                self.blocks.push(TextBlock::default());
                started = true;
            } else {
                if !started {
                    self.blocks.push(TextBlock::default());
                    started = true;
                }
                let Some(block) = self.blocks.last_mut() else { continue };
                let continuation = indentation > 2 || content == "]" || content.starts_with("], !");
                match block.instructions.last_mut().filter(|_| continuation) {
                    Some(instruction) => {
                        instruction.push(' ');
                        instruction.push_str(content);
                    }
                    None => block.instructions.push(content.to_string()),
                }
            }
        }
    }
}

/// A field of a node such as `!DILocation(line: 3, column: 5)`. Texts lose their quotes.
pub fn field<'t>(node: &'t str, name: &str) -> Option<&'t str> {
    let key = format!("{name}: ");
    // A key stands after the opening parenthesis or after a comma and a space.
    let start = node.match_indices(&key).map(|(at, _)| at).find(|&at| {
        at > 0
            && (node[..at].ends_with('(') || node[..at].ends_with(", "))
            && node[..at].matches('"').count().is_multiple_of(2)
    })?;
    let rest = &node[start + key.len()..];
    if let Some(text) = rest.strip_prefix('"') {
        return text.split_once('"').map(|(text, _)| text);
    }
    rest.split([',', ')']).next()
}
