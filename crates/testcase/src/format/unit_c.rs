//! A unit test in C, to be pasted into a suite. It asserts nothing: it does what Symcrete found, and says in a comment
//! what that reaches.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::bytes::quoted;
use crate::test::{Call, EntryKind, Input, Object, Origin, Pointer, TestCase};
use crate::value::{Shape, decimal, plain, shape};

/// The file for the test of this number.
pub fn to_bytes(test: &TestCase, number: usize) -> Vec<u8> {
    let mut text = format!(
        "/* A unit test that Symcrete wrote, to be included where {} is declared. */\n\
         #include <stddef.h>\n#include <stdlib.h>\n#include <string.h>\n\n",
        test.entry
    );
    let asks = test.kind != EntryKind::Fuzzer && test.inputs_from(Origin::Call).next().is_some();
    if asks {
        intrinsics(&mut text, test, number);
    }
    text.push_str(&summary(test));
    let _ = writeln!(text, "void test_{number:06}(void)\n{{");
    match test.kind {
        EntryKind::Program if asks => call_main(&mut text, test),
        EntryKind::Program => run_program(&mut text, test),
        EntryKind::Fuzzer => call_fuzzer(&mut text, test),
        EntryKind::Function => call_function(&mut text, test),
    }
    text.push_str("}\n");
    text.into_bytes()
}

/// What the test does, as a comment.
fn summary(test: &TestCase) -> String {
    let mut lines = vec![format!("Calls {}; ends: {}.", test.entry, test.ends)];
    if let Some(place) = &test.reaches {
        lines.push(format!("Reaches {}:{}.", place.file, place.line));
    }
    for covered in &test.covers {
        let numbers: Vec<_> = covered.lines.iter().map(u32::to_string).collect();
        lines.push(format!("First to cover {}:{}.", covered.file, numbers.join(",")));
    }
    format!("/* {} */\n", lines.join("\n   ").replace("*/", "* /"))
}

fn byte_list(bytes: &[u8]) -> String {
    let bytes: Vec<_> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
    bytes.join(", ")
}

/// The shell's form of a string. `printf` could not take every byte, `$'…'` is not everywhere: octal escapes for
/// `printf %b`.
fn shell_bytes(bytes: &[u8]) -> String {
    let octal: String = bytes.iter().map(|byte| format!("\\0{byte:03o}")).collect();
    format!("printf %b '{octal}'")
}

fn shell_word(bytes: &[u8]) -> String {
    let is_plain = !bytes.contains(&b'\'') && bytes.iter().all(|byte| (b' '..=b'~').contains(byte));
    match is_plain {
        true => format!("'{}'", String::from_utf8_lossy(bytes)),
        false => format!("\"$({})\"", shell_bytes(bytes)),
    }
}

fn run_program(text: &mut String, test: &TestCase) {
    let mut command = String::from("cd \"$(mktemp -d)\"");
    for file in &test.files {
        let _ = write!(command, " && {} > {}", shell_bytes(&file.bytes.0), shell_word(file.name.as_bytes()));
    }
    command.push_str(" && ");
    if let Some(stdin) = &test.stdin {
        let _ = write!(command, "{} | ", shell_bytes(&stdin.0));
    }
    command.push_str("\"$PROGRAM\"");
    for argument in &test.arguments {
        let _ = write!(command, " {}", shell_word(&argument.0));
    }
    text.push_str("    /* PROGRAM names the program in the environment. */\n");
    let _ = writeln!(text, "    int status = system({});\n    (void)status;", quoted(command.as_bytes()));
}

/// What programs call beside the functions that give them inputs.
const HELPERS: &str = "\
/* Weak, since the program may have its own. */
__attribute__((weak)) void klee_assume(size_t condition)
{
    if (!condition)
        abort();
}

__attribute__((weak)) void symcrete_assume(int condition)
{
    klee_assume(condition != 0);
}

__attribute__((weak)) void __VERIFIER_assume(int condition)
{
    klee_assume(condition != 0);
}

__attribute__((weak)) int klee_int(const char *name)
{
    int value;
    (void)name;
    take_input(&value, sizeof value);
    return value;
}

__attribute__((weak)) int klee_range(int begin, int end, const char *name)
{
    (void)begin, (void)end;
    return klee_int(name);
}

__attribute__((weak)) void klee_prefer_cex(void *object, size_t condition)
{
    (void)object, (void)condition;
}

__attribute__((weak)) void klee_warning(const char *message)
{
    (void)message;
}

__attribute__((weak)) void klee_warning_once(const char *message)
{
    (void)message;
}

";

/// Definitions of the functions by which programs ask for inputs.
fn intrinsics(text: &mut String, test: &TestCase, number: usize) {
    let inputs: Vec<&Input> = test.inputs_from(Origin::Call).collect();
    for (index, input) in inputs.iter().enumerate() {
        let bytes = input.known_bytes().unwrap_or_default();
        let name = input.name.replace("*/", "* /");
        let list = if bytes.is_empty() { "0".to_owned() } else { byte_list(&bytes) };
        let _ = writeln!(
            text,
            "static const unsigned char input_{number:06}_{index}[] = {{{list}}}; /* {name} = {} */",
            input.value.replace("*/", "* /")
        );
    }
    let _ =
        writeln!(text, "static const struct {{ size_t size; const unsigned char *bytes; }} inputs_{number:06}[] = {{");
    for (index, input) in inputs.iter().enumerate() {
        let size = input.known_bytes().map_or(0, |bytes| bytes.len());
        let _ = writeln!(text, "    {{{size}, input_{number:06}_{index}}},");
    }
    let count = inputs.len();
    let _ = writeln!(
        text,
        "}};\nstatic size_t next_input;\n\nstatic void take_input(void *to, size_t size)\n{{\n    if (next_input == {count} || \
         inputs_{number:06}[next_input].size != size)\n        abort();\n    memcpy(to, inputs_{number:06}[next_input++].bytes, size);\n}}\n"
    );
    for name in ["klee_make_symbolic", "symcrete_make_symbolic"] {
        let _ = writeln!(
            text,
            "void {name}(void *to, size_t size, const char *name)\n{{\n    (void)name;\n    take_input(to, size);\n}}\n"
        );
    }
    text.push_str(HELPERS);
    let mut defined = BTreeSet::new();
    for input in inputs {
        let verifier = input.name.strip_prefix("__VERIFIER_nondet_").map(|kind| {
            let kind: String = kind.chars().take_while(char::is_ascii_alphanumeric).collect();
            (format!("__VERIFIER_nondet_{kind}"), "void")
        });
        let own = symcrete_name(&input.of_type).map(|name| (format!("symcrete_{name}"), "const char *name"));
        for (function, parameter) in verifier.into_iter().chain(own) {
            if defined.insert(function.clone()) {
                let unused = if parameter == "void" { "" } else { "    (void)name;\n" };
                let of_type = plain(&input.of_type);
                let _ = writeln!(
                    text,
                    "{of_type} {function}({parameter})\n{{\n    {of_type} value;\n{unused}    take_input(&value, sizeof value);\n    return value;\n}}\n"
                );
            }
        }
    }
}

/// The function of symcrete.h that makes a value of a type.
fn symcrete_name(of_type: &str) -> Option<&'static str> {
    Some(match plain(of_type).as_str() {
        "_Bool" | "bool" => "bool",
        "char" => "char",
        "signed char" => "schar",
        "unsigned char" => "uchar",
        "short" => "short",
        "unsigned short" => "ushort",
        "int" => "int",
        "unsigned int" | "unsigned" => "uint",
        "long" => "long",
        "unsigned long" => "ulong",
        "long long" => "llong",
        "unsigned long long" => "ullong",
        "float" => "float",
        "double" => "double",
        "long double" => "ldouble",
        _ => return None,
    })
}

fn call_main(text: &mut String, test: &TestCase) {
    text.push_str("    /* The program, compiled with -Dmain=program_main. */\n");
    text.push_str("    extern int program_main(int argc, char **argv);\n");
    let name = test.program.first().map_or("program", String::as_str);
    let mut words = vec![format!("(char[]){{{}}}", quoted(name.as_bytes()))];
    words.extend(test.arguments.iter().map(|argument| format!("(char[]){{{}}}", quoted(&argument.0))));
    let _ = writeln!(text, "    char *arguments[] = {{{}, 0}};", words.join(", "));
    let _ = writeln!(text, "    next_input = 0;\n    program_main({}, arguments);", words.len());
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
    if test.inputs_from(Origin::Call).next().is_some() {
        text.push_str("    next_input = 0;\n");
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
    let _ = writeln!(text, "    {}({});", call.function, names.join(", "));
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
