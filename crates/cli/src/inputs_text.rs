//! The inputs of a test in one line that a person can read: `code = "PK4", grams = 1`.

use symcrete_testcase::value::{Shape, shape};
use symcrete_testcase::{Input, TestCase, Text};

/// Longer texts are cut.
const LONGEST: usize = 60;
const MOST_INPUTS: usize = 8;

pub fn inputs_text(test: &TestCase) -> String {
    let mut parts: Vec<String> = test.inputs.iter().map(|input| one(test, input)).collect();
    if !test.arguments.is_empty() {
        let arguments: Vec<String> = test.arguments.iter().map(quoted).collect();
        parts.push(format!("arguments {}", arguments.join(" ")));
    }
    if let Some(stdin) = &test.stdin {
        parts.push(format!("standard input {}", quoted(stdin)));
    }
    parts.extend(test.files.iter().map(|file| format!("file {} {}", file.name, quoted(&file.bytes))));
    if parts.len() > MOST_INPUTS {
        let more = parts.len() - MOST_INPUTS;
        parts.truncate(MOST_INPUTS);
        parts.push(format!("and {more} more"));
    }
    parts.join(", ")
}

fn one(test: &TestCase, input: &Input) -> String {
    // The program may have a name of its own for a pointer's type.
    let is_word = matches!(shape(&input.of_type), Shape::Pointer | Shape::Other)
        && input.bytes.as_ref().is_none_or(|bytes| matches!(bytes.len(), 4 | 8));
    let value = match input.pointers.first() {
        // A pointer by what it points to.
        Some(pointer) if is_word && pointer.at == 0 => match pointer.object.and_then(|at| test.objects.get(at)) {
            Some(object) => object.value.clone(),
            None => "NULL".to_owned(),
        },
        _ => input.value.clone(),
    };
    format!("{} = {}", input.name, cut(value))
}

fn quoted(text: &Text) -> String {
    cut(format!("\"{}\"", text.0.escape_ascii()))
}

fn cut(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
