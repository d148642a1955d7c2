//! A unit test in Rust, to be pasted into a suite. Programs are started; functions of Rust are called, functions of C
//! through `extern "C"`.

use std::fmt::Write as _;

use crate::test::{Call, EntryKind, Input, Origin, Pointer, TestCase};
use crate::value::{Shape, decimal, shape};

/// What calls of C stand in. Here as a word that is written, and nowhere as one that is meant.
const UNSAFE: &str = "unsafe";

/// The file for the test of this number.
pub fn to_bytes(test: &TestCase, number: usize) -> Vec<u8> {
    let summary = format!("Calls {}; ends: {}.", test.entry, test.ends).replace('\n', " ");
    let mut text = format!("// A unit test that Symcrete wrote. {summary}\n");
    for covered in &test.covers {
        let lines: Vec<_> = covered.lines.iter().map(u32::to_string).collect();
        let _ = writeln!(text, "// First to cover {}:{}.", covered.file, lines.join(","));
    }
    text.push_str("#[test]\n");
    let body = match test.kind {
        EntryKind::Program | EntryKind::Function if test.inputs_from(Origin::Call).next().is_some() => {
            Err("the program asks for its inputs while it runs; replay the JSON test")
        }
        EntryKind::Program => Ok(run_program(test, number)),
        EntryKind::Fuzzer => Ok(call_fuzzer(test)),
        EntryKind::Function => call_function(test),
    };
    let body = body.unwrap_or_else(|reason| {
        let _ = writeln!(text, "#[ignore = \"{reason}\"]");
        String::new()
    });
    let _ = write!(text, "fn test_{number:06}() {{\n{body}}}\n");
    text.into_bytes()
}

fn byte_string(bytes: &[u8]) -> String {
    let escaped: String = bytes.iter().flat_map(|&byte| std::ascii::escape_default(byte)).map(char::from).collect();
    format!("b\"{escaped}\"")
}

fn run_program(test: &TestCase, number: usize) -> String {
    let mut text = String::from("    use std::env;\n    use std::io::Write as _;\n");
    let name = format!("symcrete-test-{number:06}-{{}}");
    let _ = writeln!(text, "    let folder = env::temp_dir().join(format!({name:?}, std::process::id()));");
    text.push_str("    std::fs::create_dir_all(&folder).unwrap();\n");
    for file in &test.files {
        let bytes = byte_string(&file.bytes.0);
        let _ = writeln!(text, "    std::fs::write(folder.join({:?}), {bytes}).unwrap();", file.name);
    }
    text.push_str("    // PROGRAM names the program in the environment.\n");
    text.push_str("    let mut command = std::process::Command::new(env::var_os(\"PROGRAM\").unwrap());\n");
    text.push_str("    command.current_dir(&folder).stdin(std::process::Stdio::piped());\n");
    for argument in &test.arguments {
        let word = byte_string(&argument.0);
        let _ =
            writeln!(text, "    command.arg(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes({word}));");
    }
    let stdin = test.stdin.as_ref().map_or(&[][..], |stdin| &stdin.0);
    text.push_str("    let mut child = command.spawn().unwrap();\n");
    let _ = writeln!(text, "    let _ = child.stdin.take().unwrap().write_all({});", byte_string(stdin));
    text.push_str("    let _status = child.wait().unwrap();\n    std::fs::remove_dir_all(&folder).unwrap();\n");
    text
}

fn call_fuzzer(test: &TestCase) -> String {
    let bytes = test.fuzzer_data();
    format!(
        "    {UNSAFE} extern \"C\" {{\n        fn LLVMFuzzerTestOneInput(data: *const u8, size: usize) -> i32;\n    }}\n    let data = {};\n    \
         {UNSAFE} {{ LLVMFuzzerTestOneInput(data.as_ptr(), data.len()) }};\n",
        byte_string(&bytes)
    )
}

fn call_function(test: &TestCase) -> Result<String, &'static str> {
    let is_rust = test.program.iter().any(|file| file.ends_with(".rs"));
    let mut text = String::new();
    if test.inputs_from(Origin::Global).next().is_some() {
        return Err("the test sets a global variable of C");
    }
    let objects = || test.objects.iter().enumerate().filter(|(index, _)| test.is_pointed_to(*index));
    if objects().next().is_some() {
        text.push_str("    #[repr(align(16))]\n    struct Aligned<const N: usize>([u8; N]);\n");
    }
    for (index, object) in objects() {
        let _ = writeln!(
            text,
            "    let mut object_{index} = Aligned(*{}); // {}",
            byte_string(&object.bytes),
            object.of_type
        );
        let _ = writeln!(text, "    let pointer_{index} = object_{index}.0.as_mut_ptr();");
    }
    for (index, object) in objects() {
        for pointer in &object.pointers {
            let to = pointer_to(pointer);
            let _ =
                writeln!(text, "    {UNSAFE} {{ pointer_{index}.add({}).cast::<*mut u8>().write({to}) }};", pointer.at);
        }
    }
    for call in test.all_calls() {
        one_call(&mut text, &call, is_rust)?;
    }
    Ok(text)
}

fn pointer_to(pointer: &Pointer) -> String {
    match pointer.object {
        None => "std::ptr::null_mut()".to_owned(),
        Some(object) => format!("pointer_{object}.wrapping_offset({})", pointer.offset),
    }
}

fn one_call(text: &mut String, call: &Call, is_rust: bool) -> Result<(), &'static str> {
    let mut types = Vec::new();
    let mut values = Vec::new();
    for (index, input) in call.inputs.iter().enumerate() {
        let (of_type, value) = parameter(input).ok_or("a parameter is a struct that C passes by value")?;
        types.push(format!("parameter_{index}: {of_type}"));
        values.push(value);
    }
    let (function, values) = (&call.function, values.join(", "));
    if is_rust {
        let _ = writeln!(text, "    let _ = {function}({values});");
        return Ok(());
    }
    let _ = writeln!(text, "    {UNSAFE} extern \"C\" {{\n        fn {function}({});\n    }}", types.join(", "));
    let _ = writeln!(text, "    {UNSAFE} {{ {function}({values}) }};");
    Ok(())
}

/// The type that C's parameter has in Rust, and the value.
fn parameter(input: &Input) -> Option<(String, String)> {
    let bytes = input.known_bytes()?;
    let number = |signed: bool| {
        let of_type = format!("{}{}", if signed { 'i' } else { 'u' }, 8 * bytes.len());
        (of_type, decimal(&input.of_type, &bytes))
    };
    Some(match shape(&input.of_type) {
        Shape::Bool => ("bool".to_owned(), (bytes.first() != Some(&0)).to_string()),
        Shape::Character { signed } | Shape::Integer { signed, .. } => number(signed),
        Shape::Float { size: 4 } => {
            let bits = u32::from_le_bytes(bytes.try_into().ok()?);
            ("f32".to_owned(), format!("f32::from_bits(0x{bits:x}) /* {} */", input.value))
        }
        Shape::Float { size: 8 } => {
            let bits = u64::from_le_bytes(bytes.try_into().ok()?);
            ("f64".to_owned(), format!("f64::from_bits(0x{bits:x}) /* {} */", input.value))
        }
        Shape::Pointer => {
            let target = input.pointers.first().map_or("std::ptr::null_mut()".to_owned(), pointer_to);
            ("*mut u8".to_owned(), target)
        }
        _ => return None,
    })
}
