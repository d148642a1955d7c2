//! A unit test in Rust, to be pasted into a suite. Programs are started and their end is checked; functions of Rust are
//! called, functions of C through `extern "C"`, with a comment that says what to expect.

use std::fmt::Write as _;

use super::unit_c::expected::{Expected, expected, is_rust, summary};
use crate::test::{Call, EntryKind, Input, Origin, Pointer, TestCase};
use crate::value::{Shape, decimal, shape};

/// What calls of C stand in. Here as a word that is written, and nowhere as one that is meant.
const UNSAFE: &str = "unsafe";

/// The file for the test of this number.
pub fn to_bytes(test: &TestCase, number: usize) -> Vec<u8> {
    let mut text = String::from("// A unit test that Symcrete wrote.\n");
    for line in summary(test) {
        let _ = writeln!(text, "// {line}");
    }
    text.push_str("#[test]\n");
    let body = match test.kind {
        EntryKind::Program | EntryKind::Function if test.inputs_from(Origin::Call).next().is_some() => {
            Err("the program asks for its inputs while it runs; replay the JSON test")
        }
        EntryKind::Program => Ok(run_program(test)),
        EntryKind::Fuzzer => Ok(call_fuzzer(test)),
        EntryKind::Function => call_function(test),
    };
    let body = body.unwrap_or_else(|reason| {
        let _ = writeln!(text, "#[ignore = \"{reason}\"]");
        String::new()
    });
    // A panic that must pass through functions of C would end the process.
    let panics = test.kind == EntryKind::Function && is_rust(test) && expected(&test.ends) == Expected::Panic;
    if panics && !body.is_empty() {
        text.push_str("#[should_panic]\n");
    }
    let _ = write!(text, "fn test_{number:06}() {{\n{body}}}\n");
    text.into_bytes()
}

fn byte_string(bytes: &[u8]) -> String {
    let escaped: String = bytes.iter().flat_map(|&byte| std::ascii::escape_default(byte)).map(char::from).collect();
    format!("b\"{escaped}\"")
}

fn run_program(test: &TestCase) -> String {
    let mut text = String::from("    use std::env;\n");
    if !test.arguments.is_empty() {
        text.push_str("    use std::os::unix::ffi::OsStrExt as _;\n");
    }
    text.push_str(
        "    // PROGRAM names the program in the environment.\n    \
             let program = std::path::absolute(env::var_os(\"PROGRAM\").unwrap()).unwrap();\n    \
             assert!(program.is_file(), \"{} is no program\", program.display());\n",
    );
    text.push_str(
        "    let (process, thread) = (std::process::id(), std::thread::current().id());\n    \
             let folder = env::temp_dir().join(format!(\"symcrete-{process}-{thread:?}\"));\n",
    );
    text.push_str("    std::fs::create_dir(&folder).unwrap();\n");
    for file in &test.files {
        let bytes = byte_string(&file.bytes.0);
        let _ = writeln!(text, "    std::fs::write(folder.join({:?}), {bytes}).unwrap();", file.name);
    }
    text.push_str("    let mut command = std::process::Command::new(program);\n");
    for argument in &test.arguments {
        let _ = writeln!(text, "    command.arg(std::ffi::OsStr::from_bytes({}));", byte_string(&argument.0));
    }
    text.push_str("    command.current_dir(&folder).stdin(std::process::Stdio::piped());\n");
    text.push_str("    let mut child = command.spawn().unwrap();\n");
    let stdin = test.stdin.as_ref().map_or(&[][..], |stdin| &stdin.0);
    let _ = match stdin {
        [] => writeln!(text, "    drop(child.stdin.take());"),
        _ => writeln!(
            text,
            "    // The program need not read all of its input.\n    \
                 let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), {});",
            byte_string(stdin)
        ),
    };
    let check = check(expected(&test.ends));
    let status = if check.is_some() { "status" } else { "_status" };
    let _ = writeln!(text, "    let {status} = child.wait().unwrap();\n    std::fs::remove_dir_all(&folder).unwrap();");
    text.extend(check.map(|check| format!("    {check}\n")));
    text
}

/// The assertion on `status`.
fn check(expected: Expected) -> Option<String> {
    const SIGNAL: &str = "std::os::unix::process::ExitStatusExt::signal(&status)";
    match expected {
        Expected::Exit(Some(status)) => Some(format!("assert_eq!(status.code(), Some({status}), \"{{status}}\");")),
        Expected::Exit(None) => Some("assert!(status.code().is_some(), \"{status}\");".to_owned()),
        Expected::Signal(signal) => Some(format!("assert_eq!({SIGNAL}, Some({signal}), \"{{status}}\");")),
        Expected::Abort => Some(format!("assert_eq!({SIGNAL}, Some(6), \"{{status}}\"); // SIGABRT")),
        Expected::Panic => {
            let either = format!("status.code() == Some(101) || {SIGNAL} == Some(6)");
            Some(format!("assert!({either}, \"{{status}}\"); // SIGABRT"))
        }
        Expected::Failure => Some("assert!(!status.success());".to_owned()),
        Expected::Anything => None,
    }
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
        one_call(&mut text, &call, is_rust(test))?;
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
    let (function, values) = (call.function_name(), values.join(", "));
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
