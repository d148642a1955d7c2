//! A unit test in C, to be pasted into a suite, alone or beside others. It does what Symcrete found, checks the end of a
//! whole program, and says in a comment what to expect of a function.

pub(super) mod expected;
mod intrinsics;
mod program;

use std::fmt::Write as _;

use crate::test::{Call, EntryKind, Input, Object, Origin, Pointer, TestCase};
use crate::value::{Shape, decimal, plain, shape};

/// The file for the test of this number.
pub fn to_bytes(test: &TestCase, number: usize) -> Vec<u8> {
    let asks = test.kind != EntryKind::Fuzzer && test.inputs_from(Origin::Call).next().is_some();
    let mut text = header(test, asks);
    if asks {
        intrinsics::define(&mut text, test);
    }
    if test.kind == EntryKind::Program {
        text.push_str(program::RUN);
    }
    let comment = expected::summary(test).join("\n   ").replace("*/", "* /").replace("/*", "/ *");
    let _ = writeln!(text, "/* {comment} */\nvoid test_{number:06}(void)\n{{");
    if asks {
        intrinsics::set_inputs(&mut text, test);
    }
    match test.kind {
        EntryKind::Program if asks => {
            text.push_str("    extern int program_main(int, char **);\n");
            program::run(&mut text, test, "program_main");
        }
        EntryKind::Program => program::run(&mut text, test, "NULL"),
        EntryKind::Fuzzer => call_fuzzer(&mut text, test),
        EntryKind::Function => call_function(&mut text, test),
    }
    text.push_str("}\n");
    text.into_bytes()
}

/// What stands above everything else: how to use the file, and what it needs.
fn header(test: &TestCase, asks: bool) -> String {
    let advice = match test.kind {
        EntryKind::Program if asks => "to be linked with the program, compiled with -Dmain=program_main".to_owned(),
        EntryKind::Program => "of the program that PROGRAM names in the environment".to_owned(),
        EntryKind::Fuzzer => format!("to be linked with {}", test.entry),
        EntryKind::Function => format!("to be included where {} is declared", test.entry),
    };
    let mut text = format!("/* A unit test that Symcrete wrote, {advice}. */\n");
    let mut headers = vec!["stddef.h", "stdlib.h", "string.h"];
    if asks {
        headers.push("stdio.h");
    }
    if test.kind == EntryKind::Program {
        text.push_str("#undef NDEBUG /* The checks must not vanish. */\n");
        headers.extend(["assert.h", "signal.h", "stdio.h", "sys/wait.h", "unistd.h"]);
    }
    headers.sort_unstable();
    headers.dedup();
    for name in headers {
        let _ = writeln!(text, "#include <{name}>");
    }
    text.push('\n');
    text
}

fn byte_list(bytes: &[u8]) -> String {
    let bytes: Vec<_> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
    bytes.join(", ")
}

fn call_fuzzer(text: &mut String, test: &TestCase) {
    let bytes = test.fuzzer_data();
    text.push_str("    extern int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);\n");
    let list = if bytes.is_empty() { "0".to_owned() } else { byte_list(&bytes) };
    let _ = writeln!(text, "    static const unsigned char data[] = {{{list}}};");
    let _ = writeln!(text, "    LLVMFuzzerTestOneInput(data, {});", bytes.len());
}

fn call_function(text: &mut String, test: &TestCase) {
    // An object to which nothing leads would only make compilers complain.
    let objects = || test.objects.iter().enumerate().filter(|(index, _)| test.is_pointed_to(*index));
    for (index, object) in objects() {
        declare_object(text, index, object);
    }
    for (index, object) in objects() {
        set_pointers(text, &format!("object_{index}"), &object.pointers);
    }
    for global in test.inputs_from(Origin::Global) {
        let bytes = global.known_bytes().unwrap_or_default();
        let _ = writeln!(
            text,
            "    memcpy((void *)&{}, (const unsigned char[]){{{}}}, {});",
            global.name,
            byte_list(&bytes),
            bytes.len()
        );
        set_pointers(text, &format!("((unsigned char *)&{})", global.name), &global.pointers);
    }
    let calls = test.all_calls();
    for (number, call) in calls.iter().enumerate() {
        let suffix = if calls.len() == 1 { String::new() } else { format!("_{}", number + 1) };
        make_call(text, call, &suffix);
    }
}

fn declare_object(text: &mut String, index: usize, object: &Object) {
    let comment = if object.of_type.is_empty() { &object.name } else { &object.of_type };
    let list = if object.bytes.is_empty() { "0".to_owned() } else { byte_list(&object.bytes) };
    let size = object.bytes.len().max(1);
    let _ = writeln!(
        text,
        "    _Alignas(16) unsigned char object_{index}[{size}] = {{{list}}}; /* {} */",
        comment.replace("*/", "* /")
    );
}

fn set_pointers(text: &mut String, base: &str, pointers: &[Pointer]) {
    for pointer in pointers {
        let target = pointer_to(pointer);
        let _ = writeln!(text, "    memcpy({base} + {}, &(void *){{{target}}}, sizeof(void *));", pointer.at);
    }
}

fn pointer_to(pointer: &Pointer) -> String {
    match (pointer.object, pointer.offset) {
        (None, _) => "0".to_owned(),
        (Some(object), 0) => format!("object_{object}"),
        (Some(object), offset) => {
            format!("object_{object} {} {}", if offset < 0 { '-' } else { '+' }, offset.unsigned_abs())
        }
    }
}

fn make_call(text: &mut String, call: &Call, suffix: &str) {
    let mut names = Vec::new();
    for (index, input) in call.inputs.iter().enumerate() {
        let usable = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let named = !input.name.is_empty()
            && input.name.chars().all(usable)
            && !input.name.starts_with(|first: char| first.is_ascii_digit());
        let name = if named { format!("{}{suffix}", input.name) } else { format!("parameter_{index}{suffix}") };
        declare_parameter(text, &name, input);
        names.push(name);
    }
    let _ = writeln!(text, "    {}({});", call.function_name(), names.join(", "));
}

fn declare_parameter(text: &mut String, name: &str, input: &Input) {
    let is_simple = !input.of_type.contains(['(', '[']);
    let of_type = if is_simple { plain(&input.of_type) } else { format!("__typeof__({})", input.of_type) };
    let bytes = input.known_bytes().unwrap_or_default();
    let number = matches!(shape(&input.of_type), Shape::Bool | Shape::Character { .. } | Shape::Integer { .. })
        && bytes.len() <= 8;
    if number && !bytes.is_empty() {
        let _ = writeln!(text, "    {of_type} {name} = {};", literal(&input.of_type, &bytes));
    } else if let (Shape::Pointer, [pointer]) = (shape(&input.of_type), input.pointers.as_slice()) {
        let _ = writeln!(text, "    {of_type} {name} = ({of_type})({});", pointer_to(pointer));
    } else {
        let _ = writeln!(text, "    {of_type} {name}; /* {} */", input.value.replace("*/", "* /"));
        let _ =
            writeln!(text, "    memcpy(&{name}, (const unsigned char[]){{{}}}, {});", byte_list(&bytes), bytes.len());
        set_pointers(text, &format!("((unsigned char *)&{name})"), &input.pointers);
    }
}

/// A literal that C reads without a warning.
fn literal(of_type: &str, bytes: &[u8]) -> String {
    let number = decimal(of_type, bytes);
    match number.as_str() {
        "-9223372036854775808" => "(-9223372036854775807L - 1)".to_owned(),
        "-2147483648" => "(-2147483647 - 1)".to_owned(),
        _ if number.parse::<i32>().is_ok() => number,
        _ if number.starts_with('-') => format!("{number}L"),
        _ if number.parse::<i64>().is_ok() => format!("{number}L"),
        _ => format!("{number}UL"),
    }
}
