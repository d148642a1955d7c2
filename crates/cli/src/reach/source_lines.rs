//! What the text of a source says of lines without code: whether one is blank, and may stand for the next code of its block.

/// The lines of a source, with comments taken out.
pub struct SourceLines(Vec<String>);

/// Words that begin a statement to which control comes in another way than from the line above.
const ENTERED_OTHERWISE: [&str; 4] = ["else", "case", "default", "catch"];
/// Words that begin a statement, and no declaration.
const STATEMENTS: [&str; 12] =
    ["return", "break", "continue", "goto", "else", "do", "case", "default", "delete", "throw", "typedef", "using"];

impl SourceLines {
    pub fn new(text: &str) -> SourceLines {
        SourceLines(without_comments(text).lines().map(|line| line.trim().to_owned()).collect())
    }

    pub fn count(&self) -> u32 {
        self.0.len() as u32
    }

    fn line(&self, number: u32) -> &str {
        self.0.get(number as usize - 1).map_or("", String::as_str)
    }

    /// Whether the line is blank or a comment, and `next` the first code behind it in the same block: nothing but blank lines and declarations
    /// without initial values between them, and no way to `next` that does not pass here.
    pub fn stands_for(&self, line: u32, next: u32) -> bool {
        let is_passed = |number: u32| self.line(number).is_empty() || is_declaration(self.line(number));
        self.line(line).is_empty() && (line..next).all(is_passed) && !self.is_entered_otherwise(next)
    }

    /// Whether a line begins with the end of a block, a label, or a branch of a statement that began further up.
    fn is_entered_otherwise(&self, number: u32) -> bool {
        let text = self.line(number);
        let word = first_word(text);
        let behind = text[word.len()..].trim_start();
        let is_label = !word.is_empty() && behind.starts_with(':') && !behind.starts_with("::");
        text.starts_with('}') || ENTERED_OTHERWISE.contains(&word) || is_label || text.contains("=>")
    }
}

fn first_word(text: &str) -> &str {
    text.split(|character: char| !character.is_alphanumeric() && character != '_').next().unwrap_or("")
}

/// `int x;`, `char *names[10], c;`: no value, so no code.
fn is_declaration(text: &str) -> bool {
    let Some(inner) = text.strip_suffix(';') else { return false };
    let is_plain =
        |character: char| character.is_alphanumeric() || character.is_whitespace() || "_*,[]:&<>".contains(character);
    let names = inner.split(|character: char| !character.is_alphanumeric() && character != '_');
    let is_name = |name: &&str| name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    !STATEMENTS.contains(&first_word(text)) && inner.chars().all(is_plain) && names.filter(is_name).count() >= 2
}

/// The text with comments replaced by blanks, lines kept.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            '/' if rest.starts_with("/*") => {
                let end = rest[2..].find("*/").map_or(rest.len(), |at| at + 4);
                out.push(' ');
                out.extend(rest[..end].chars().filter(|character| *character == '\n'));
                rest = &rest[end..];
                continue;
            }
            '"' => quoted(rest, '"').unwrap_or(1),
            // Neither a lifetime nor a separator of digits.
            '\'' => quoted(rest, '\'').filter(|length| *length <= LONGEST_CHARACTER).unwrap_or(1),
            other => other.len_utf8(),
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

/// Bytes of the longest character literal: `'\U0001F600'`.
const LONGEST_CHARACTER: usize = 12;

/// The length of a literal, its quotes included.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if quote == '\'' => return None,
            _ if character == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_stand_for_the_next_code_of_their_block() {
        let text = "int f(int x) {\n\n    // \" not a string\n    int y;\n    y = x; /* over\n    two lines */\n\n    \
                    switch (y) {\n    case 1:\n        y = '\"';\n\n    case 2: y = 3;\n\n    }\n#if 0\n\n    y = 4;\n#endif\n\n    y++;\n\n    \
                    {\n        y--;\n    }\n    return y;\n}\n";
        let lines = SourceLines::new(text);
        for (line, next, expected) in [
            (2, 5, true),
            (3, 5, true),
            (4, 5, false),
            (6, 8, true),
            (7, 8, true),
            (9, 10, false),
            (11, 12, false),
            (13, 14, false),
            (16, 20, false),
            (17, 20, false),
            (19, 20, true),
            (21, 23, false),
            (24, 25, false),
        ] {
            assert_eq!(lines.stands_for(line, next), expected, "line {line}: {:?}", lines.line(line));
        }
    }

    #[test]
    fn declarations_have_no_value() {
        for text in ["int y;", "char *names[10], c;", "struct node *p;", "std::vector<int> v;"] {
            assert!(is_declaration(text), "{text}");
        }
        for text in ["return y;", "y = 3;", "y;", "f(x);", "y++;", "if (x)", "int y = 3;", "goto out;", "}"] {
            assert!(!is_declaration(text), "{text}");
        }
    }
}
