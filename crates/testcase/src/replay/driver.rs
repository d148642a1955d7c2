//! The C that calls the functions under test. It includes the source, so that static functions and types are visible;
//! functions of bitcode are called through prototypes. Text only: nothing is compiled here.

use std::fmt::Write as _;
use std::path::Path;

use super::build::{Function, Parameter};
use crate::value::{Shape, shape};

/// The driver's own sources, compiled beside every program.
pub const RUNTIME: &[(&str, &str)] = &[
    ("replay.h", include_str!("../../../../runtime/replay/replay.h")),
    ("test.c", include_str!("../../../../runtime/replay/test.c")),
    ("process.c", include_str!("../../../../runtime/replay/process.c")),
    ("scrub.c", include_str!("../../../../runtime/replay/scrub.c")),
    ("intrinsics.c", include_str!("../../../../runtime/replay/intrinsics.c")),
];

/// What is linked to programs that call this function, and to no others.
pub const SIZES: (&str, &str, &str) =
    ("klee_get_obj_size", "sizes.c", include_str!("../../../../runtime/replay/sizes.c"));

/// The name of the program's own `main` where the driver has one.
pub const ORIGINAL_MAIN: &str = "symcrete_original_main";

/// A unit of functions that are called from one generated file.
pub struct Unit<'a> {
    /// The source to include; without one, prototypes.
    pub source: Option<&'a Path>,
    pub is_cpp: bool,
    pub functions: Vec<&'a Function>,
    pub globals: Vec<&'a Parameter>,
}

/// The file for one unit: `symcrete_replay_unit_N`, which makes a call if it knows the function, and sets the globals
/// it knows.
pub fn unit(unit: &Unit, number: usize) -> String {
    let mut text = String::from("#define main symcrete_original_main\n");
    if let Some(source) = unit.source {
        let _ = writeln!(text, "#include {}", crate::bytes::quoted(source.as_os_str().as_encoded_bytes()));
    }
    // Not the headers of the driver: the program may have macros of any name.
    let linkage = if unit.is_cpp { "extern \"C\" " } else { "extern " };
    let prototypes = [
        "void *symcrete_replay_parameter(unsigned, __SIZE_TYPE__)",
        "void symcrete_replay_global(const char *, void *, __SIZE_TYPE__)",
    ];
    text.push_str("#undef main\n");
    for prototype in prototypes {
        let _ = writeln!(text, "{linkage}{prototype};");
    }
    for function in unit.functions.iter().filter(|_| unit.source.is_none()) {
        let types: Vec<_> = function.parameters.iter().map(|parameter| prototype_type(&parameter.of_type)).collect();
        let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
        let _ = writeln!(text, "extern void {}({types});", callee(function));
    }
    let _ = writeln!(
        text,
        "{linkage}void symcrete_replay_globals_{number}(void);\n{linkage}int symcrete_replay_unit_{number}(const char *);"
    );
    let _ = writeln!(text, "void symcrete_replay_globals_{number}(void)\n{{");
    for global in &unit.globals {
        let name = &global.name;
        let _ = writeln!(text, "    symcrete_replay_global({:?}, (void *)&{name}, sizeof {name});", name);
    }
    let _ = writeln!(text, "}}\nint symcrete_replay_unit_{number}(const char *function)\n{{");
    for function in &unit.functions {
        let arguments: Vec<_> = (0..)
            .zip(&function.parameters)
            .map(|(index, parameter)| argument(index, parameter, unit.source.is_none()))
            .collect();
        let _ = writeln!(text, "    if (__builtin_strcmp(function, {:?}) == 0) {{", function.name);
        let _ =
            writeln!(text, "        (void){}({});\n        return 1;\n    }}", callee(function), arguments.join(", "));
    }
    text.push_str("    return 0;\n}\n");
    text
}

/// The name that a function has in the executable: the program's own `main` had to make room.
fn callee(function: &Function) -> &str {
    if function.name == "main" { ORIGINAL_MAIN } else { crate::test::without_file(&function.name) }
}

/// An expression for a parameter: the memory that the test describes, read as the parameter's type.
fn argument(index: usize, parameter: &Parameter, is_prototype: bool) -> String {
    let of_type = if is_prototype { prototype_type(&parameter.of_type) } else { parameter.of_type.clone() };
    if let Some(referred) = of_type.trim_end().strip_suffix('&').map(|text| text.trim_end_matches('&')) {
        return format!("**(__typeof__({referred}) **)symcrete_replay_parameter({index}, sizeof(void *))");
    }
    format!("*(__typeof__({of_type}) *)symcrete_replay_parameter({index}, sizeof(__typeof__({of_type})))")
}

/// A type that needs no declaration: every pointer is passed alike.
fn prototype_type(of_type: &str) -> String {
    match shape(of_type) {
        Shape::Pointer | Shape::Array { .. } => "void *".to_owned(),
        Shape::Bool => "_Bool".to_owned(),
        Shape::Character { signed: true } => "signed char".to_owned(),
        Shape::Character { signed: false } => "unsigned char".to_owned(),
        Shape::Integer { signed, size } => match (signed, size.unwrap_or(4)) {
            (true, 1) => "signed char",
            (false, 1) => "unsigned char",
            (true, 2) => "short",
            (false, 2) => "unsigned short",
            (true, 8) => "long",
            (false, 8) => "unsigned long",
            (true, 16) => "__int128",
            (false, 16) => "unsigned __int128",
            (true, _) => "int",
            (false, _) => "unsigned int",
        }
        .to_owned(),
        Shape::Float { size: 2 } => "_Float16".to_owned(),
        Shape::Float { size: 4 } => "float".to_owned(),
        Shape::Float { size: 8 } => "double".to_owned(),
        Shape::Float { .. } => "long double".to_owned(),
        Shape::Other => of_type.to_owned(),
    }
}

/// Why a function of bitcode cannot be called through a prototype.
pub fn prototype_trouble(function: &Function) -> Option<String> {
    let is_unknown = |of_type: &str| shape(of_type) == Shape::Other && of_type != "void";
    let parameter = function.parameters.iter().find(|parameter| is_unknown(&parameter.of_type));
    if let Some(parameter) = parameter {
        let (name, of_type) = (&parameter.name, &parameter.of_type);
        return Some(format!("the parameter {name} of type {of_type} can only be passed where the source is there"));
    }
    let result = function.result.as_deref().filter(|result| is_unknown(result));
    result.map(|result| format!("a function that returns {result} can only be called where the source is there"))
}

/// The file with `main`, which sets globals and makes the calls of the test one after the other. `globals` are those
/// that no unit shows: known by their name alone, they must not be static.
pub fn main_file(units: usize, globals: &[&Parameter]) -> String {
    let mut text = String::from("#include \"replay.h\"\n");
    for number in 0..units {
        let _ = writeln!(text, "void symcrete_replay_globals_{number}(void);");
        let _ = writeln!(text, "int symcrete_replay_unit_{number}(const char *);");
    }
    for global in globals {
        let _ = writeln!(text, "extern char {}[] __attribute__((weak));", global.name);
    }
    text.push_str("int main(void)\n{\n");
    for global in globals {
        let _ = writeln!(text, "    symcrete_replay_global({:?}, {}, (size_t)-1);", global.name, global.name);
    }
    for number in 0..units {
        let _ = writeln!(text, "    symcrete_replay_globals_{number}();");
    }
    text.push_str("    for (unsigned i = 0; i < symcrete_replay_calls(); i++) {\n");
    text.push_str("        const char *function = symcrete_replay_begin_call(i);\n");
    for number in 0..units {
        let _ = writeln!(text, "        if (symcrete_replay_unit_{number}(function))\n            continue;");
    }
    text.push_str("        replay_report(\"broken\", \"the driver does not know the function of a call\");\n");
    text.push_str("        replay_end(120);\n    }\n    symcrete_replay_returned();\n    return 0;\n}\n");
    text
}

/// The file with `main` for a fuzzer's entry.
pub const FUZZER_MAIN: &str = r#"#include "replay.h"
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));
int main(int argc, char **argv)
{
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    if (symcrete_replay_calls() != 1) {
        replay_report("broken", "the test has no data");
        replay_end(120);
    }
    symcrete_replay_begin_call(0);
    size_t size = symcrete_replay_parameter_size(0);
    LLVMFuzzerTestOneInput(symcrete_replay_parameter(0, size), size);
    symcrete_replay_returned();
    return 0;
}
"#;
