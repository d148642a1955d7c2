//! Symcrete's own format: JSON that a person can read and edit. Unknown fields are skipped, so newer files can be read.

use std::path::Path;

use crate::error::Error;
use crate::test::{TestCase, VERSION};

pub fn to_bytes(test: &TestCase) -> Vec<u8> {
    // Plain data with string keys: serialisation into memory cannot fail.
    let mut bytes = serde_json::to_vec_pretty(test).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// Reads one test, or a list of them. `path` is for the words of an error.
pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Vec<TestCase>, Error> {
    let is_list = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
    let tests: Vec<TestCase> = match is_list {
        true => serde_json::from_slice(bytes).map_err(|error| bad(bytes, path, &error))?,
        false => vec![serde_json::from_slice(bytes).map_err(|error| bad(bytes, path, &error))?],
    };
    for test in &tests {
        check_pointers(test).map_err(|reason| Error::BadText { path: path.to_owned(), line: 1, column: 1, reason })?;
    }
    Ok(tests)
}

/// A pointer to an object that is not there would only be noticed natively.
fn check_pointers(test: &TestCase) -> Result<(), String> {
    let inputs = test.inputs.iter().chain(test.calls.iter().flat_map(|call| &call.inputs));
    let of_inputs = inputs.map(|input| (&input.name, input.bytes.as_ref().map_or(0, Vec::len), &input.pointers));
    let of_objects = test.objects.iter().map(|object| (&object.name, object.bytes.len(), &object.pointers));
    for (name, size, pointers) in of_inputs.chain(of_objects) {
        for pointer in pointers {
            if pointer.object.is_some_and(|object| object >= test.objects.len()) {
                return Err(format!("`{name}` points to an object that the test does not have"));
            }
            if pointer.at.checked_add(8).is_none_or(|end| end > size as u64) {
                return Err(format!("`{name}` has {size} bytes, and no room for a pointer at byte {}", pointer.at));
            }
        }
    }
    Ok(())
}

fn bad(bytes: &[u8], path: &Path, error: &serde_json::Error) -> Error {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let mut reason = text.strip_suffix(&place).unwrap_or(&text).to_owned();
    let version = serde_json::from_slice::<serde_json::Value>(bytes).ok();
    let version = version.and_then(|value| value.get("version").and_then(serde_json::Value::as_u64));
    if version.is_some_and(|version| version > u64::from(VERSION)) {
        reason.push_str("; a newer version of Symcrete wrote this test");
    }
    Error::BadText { path: path.to_owned(), line: error.line(), column: error.column(), reason }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::test::{Ends, Input, Object, Pointer};

    #[test]
    fn a_test_reads_well() {
        let mut test = TestCase::of_function("insert");
        test.program = vec!["tree.c".to_owned()];
        test.inputs = vec![
            Input::pointer("root", "struct node *", Some(0), 0).parameter(),
            Input::new("key", "int", vec![5, 0, 0, 0]).parameter(),
        ];
        let mut node = Object::new("root[0]", "struct node", vec![0; 16]);
        node.pointers = vec![Pointer { at: 8, object: None, offset: 0 }];
        test.objects = vec![node];
        test.ends = Ends::of("null-dereference").at("tree.c", 12);
        test.decisions = "b3".to_owned();
        let text = String::from_utf8(to_bytes(&test)).unwrap();
        assert_eq!(text, include_str!("../../tests/golden/insert.json"));
        assert_eq!(from_bytes(text.as_bytes(), Path::new("x")).unwrap(), [test]);
    }

    #[test]
    fn bad_files_name_the_place() {
        let complain = |text: &str| from_bytes(text.as_bytes(), Path::new("t.json")).unwrap_err().to_string();
        assert_eq!(
            complain("{\n \"inputs\": 3}"),
            "t.json, line 2, column 12: invalid type: integer `3`, expected a sequence"
        );
        assert_eq!(
            complain("{\"inputs\":[{\"bytes\":\"0g\"}]}"),
            "t.json, line 1, column 25: `0g` is not a row of pairs of hexadecimal digits"
        );
        assert!(complain("{\"version\": 9, \"inputs\": 3}").ends_with("a newer version of Symcrete wrote this test"));
        assert!(complain("{").contains("EOF"));
        let pointer =
            "{\"inputs\":[{\"name\":\"p\",\"bytes\":\"0000000000000000\",\"pointers\":[{\"at\":0,\"object\":1}]}]}";
        assert_eq!(complain(pointer), "t.json, line 1, column 1: `p` points to an object that the test does not have");
    }

    #[test]
    fn fields_of_the_future_are_skipped() {
        let read = from_bytes(
            b"{\"version\":2,\"colour\":\"red\",\"inputs\":[{\"name\":\"x\",\"value\":\"3\",\"hue\":1}]}",
            Path::new("x"),
        );
        let read = read.unwrap();
        assert_eq!(read[0].inputs[0].value, "3");
        assert_eq!(read[0].entry, "main");
    }
}
