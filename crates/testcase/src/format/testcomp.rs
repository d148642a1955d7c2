//! The exchange format of Test-Comp: a `metadata.xml` for the suite, and a `testcase-N.xml` with one `<input>` for each
//! value that the program asks for, in that order.

use std::fmt::Write as _;
use std::path::Path;

use super::xml::{escape, parse};
use crate::error::Error;
use crate::test::{Ends, Input, TestCase};
use crate::value;

/// What `metadata.xml` says about a suite. The clock and the hash are the caller's, so that the same run writes the
/// same files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// `C` for the tasks of Test-Comp.
    pub language: String,
    pub producer: String,
    pub specification: String,
    pub program_file: String,
    /// SHA-256 of the program, in hexadecimal digits.
    pub program_hash: String,
    pub entry: String,
    /// `32bit` or `64bit`.
    pub architecture: String,
    /// As in 2026-01-31T12:00:00Z.
    pub created: String,
}

impl Default for Metadata {
    fn default() -> Metadata {
        Metadata {
            language: "C".to_owned(),
            producer: "Symcrete".to_owned(),
            specification: "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".to_owned(),
            program_file: String::new(),
            program_hash: String::new(),
            entry: "main".to_owned(),
            architecture: "64bit".to_owned(),
            created: "1970-01-01T00:00:00Z".to_owned(),
        }
    }
}

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>";

pub fn metadata_to_bytes(metadata: &Metadata) -> Vec<u8> {
    let mut text = format!(
        "{DECLARATION}\n<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \
         \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n<test-metadata>\n"
    );
    let fields = [
        ("sourcecodelang", &metadata.language),
        ("producer", &metadata.producer),
        ("specification", &metadata.specification),
        ("programfile", &metadata.program_file),
        ("programhash", &metadata.program_hash),
        ("entryfunction", &metadata.entry),
        ("architecture", &metadata.architecture),
        ("creationtime", &metadata.created),
    ];
    for (name, value) in fields {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  <{name}>{}</{name}>", escape(value));
    }
    text.push_str("</test-metadata>\n");
    text.into_bytes()
}

pub fn to_bytes(test: &TestCase) -> Vec<u8> {
    let covers_error = matches!(test.ends.kind.as_str(), "error-reached" | "target-reached") || !test.ends.is_normal();
    let attribute = if covers_error { " coversError=\"true\"" } else { "" };
    let mut text = format!(
        "{DECLARATION}\n<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
         \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase{attribute}>\n"
    );
    for input in test.inputs.iter().chain(test.calls.iter().flat_map(|call| &call.inputs)) {
        text.push_str("  <input");
        for (name, value) in [("variable", &input.name), ("type", &input.of_type)] {
            if !value.is_empty() {
                let _ = write!(text, " {name}=\"{}\"", escape(value));
            }
        }
        let value = match &input.bytes {
            Some(bytes) => value::decimal(&input.of_type, bytes),
            None => input.value.clone(),
        };
        let _ = writeln!(text, ">{}</input>", escape(&value));
    }
    text.push_str("</testcase>\n");
    text.into_bytes()
}

/// `None` for XML that describes no test (`metadata.xml`). A value without a type stays text until the program asks for
/// it.
pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Option<TestCase>, Error> {
    let text = String::from_utf8_lossy(bytes);
    let (root, children) = parse(&text, path)?;
    if root.name != "testcase" {
        return Ok(None);
    }
    let mut test = TestCase::of_program();
    for element in children.iter().filter(|element| element.name == "input") {
        let of_type = element.attribute("type").unwrap_or_default();
        let name = element.attribute("variable").unwrap_or_default();
        let value = element.text.trim();
        test.inputs.push(match value::to_bytes(of_type, value) {
            Some(bytes) => Input::new(name, of_type, bytes),
            None => Input {
                name: name.to_owned(),
                of_type: of_type.to_owned(),
                value: value.to_owned(),
                ..Input::default()
            },
        });
    }
    if root.attribute("coversError") == Some("true") {
        test.ends = Ends::of("unknown");
    }
    Ok(Some(test))
}
