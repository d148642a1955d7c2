//! The part of a unit test in C that answers a program which asks for its inputs while it runs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::bytes::quoted;
use crate::test::{Input, Origin, TestCase};
use crate::value::plain;

/// What all such tests share, beside the functions that return a value of a type.
const SHARED: &str = "\
#ifndef SYMCRETE_INPUTS /* Several tests may stand in one file. */
#define SYMCRETE_INPUTS
struct symcrete_input { const char *bytes; size_t size; };

/* These are weak, since other files of the suite may have them as well, or the program its own. */
__attribute__((weak)) const struct symcrete_input *symcrete_next_input = NULL;

__attribute__((weak)) void symcrete_diverge(const char *words)
{
    fputs(words, stderr);
    _Exit(121); /* Not abort, which a program may be expected to call. */
}

__attribute__((weak)) void symcrete_take(void *to, size_t size)
{
    if (!symcrete_next_input->bytes || symcrete_next_input->size != size)
        symcrete_diverge(\"The program asks for another input than the test has.\\n\");
    memcpy(to, symcrete_next_input++->bytes, size);
}

__attribute__((weak)) void klee_make_symbolic(void *to, size_t size, const char *name)
{
    (void)name;
    symcrete_take(to, size);
}

__attribute__((weak)) void symcrete_make_symbolic(void *to, size_t size, const char *name)
{
    (void)name;
    symcrete_take(to, size);
}

__attribute__((weak)) void klee_assume(size_t condition)
{
    if (!condition)
        symcrete_diverge(\"The program assumes what does not hold.\\n\");
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
    klee_make_symbolic(&value, sizeof value, name);
    return value;
}

__attribute__((weak)) int klee_range(int begin, int end, const char *name)
{
    (void)begin, (void)end;
    return klee_int(name);
}

__attribute__((weak)) int symcrete_range(int low, int high, const char *name)
{
    (void)low, (void)high;
    return klee_int(name);
}

__attribute__((weak)) unsigned int symcrete_choice(unsigned int count, const char *name)
{
    (void)count;
    return (unsigned int)klee_int(name);
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

__attribute__((weak)) unsigned klee_is_symbolic(size_t value)
{
    (void)value;
    return 0;
}

__attribute__((weak)) void klee_silent_exit(int status)
{
    exit(status);
}

__attribute__((weak)) void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    (void)suffix;
    fprintf(stderr, \"%s:%d: %s\\n\", file, line, message);
    abort();
}

__attribute__((weak)) void symcrete_target(void)
{
}

__attribute__((weak)) void symcrete_assertion_failed(const char *expression, const char *file, unsigned int line,
                                                     const char *function)
{
    fprintf(stderr, \"%s:%u: %s: Assertion `%s' failed.\\n\", file, line, function, expression);
    abort();
}
#endif

";

/// Definitions of the functions by which programs ask for inputs.
pub fn define(text: &mut String, test: &TestCase) {
    text.push_str(SHARED);
    let mut defined = BTreeSet::new();
    for input in test.inputs_from(Origin::Call) {
        let verifier = input.name.strip_prefix("__VERIFIER_nondet_").map(|kind| {
            let kind: String = kind.chars().take_while(char::is_ascii_alphanumeric).collect();
            (format!("__VERIFIER_nondet_{kind}"), "void")
        });
        let own = symcrete_name(&input.of_type).map(|name| (format!("symcrete_{name}"), "const char *name"));
        for (function, parameter) in verifier.into_iter().chain(own) {
            if defined.insert(function.clone()) {
                define_one(text, &function, parameter, &plain(&input.of_type));
            }
        }
    }
}

fn define_one(text: &mut String, function: &str, parameter: &str, of_type: &str) {
    let unused = if parameter == "void" { "" } else { "    (void)name;\n" };
    let guard = format!("SYMCRETE_HAS_{}", function.trim_start_matches('_'));
    let _ = writeln!(
        text,
        "#ifndef {guard}\n#define {guard}\n__attribute__((weak)) {of_type} {function}({parameter})\n{{\n    {of_type} value;\n\
         {unused}    symcrete_take(&value, sizeof value);\n    return value;\n}}\n#endif\n"
    );
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

/// The inputs of this test, in the order in which the program asks.
pub fn set_inputs(text: &mut String, test: &TestCase) {
    text.push_str("    static const struct symcrete_input inputs[] = {\n");
    for input in test.inputs_from(Origin::Call) {
        let bytes = input.known_bytes().unwrap_or_default();
        let _ = writeln!(text, "        {{{}, {}}}, /* {} */", quoted(&bytes), bytes.len(), words(input));
    }
    text.push_str("        {NULL, 0},\n    };\n    symcrete_next_input = inputs;\n");
}

fn words(input: &Input) -> String {
    format!("{} = {}", input.name, input.value).replace("*/", "* /").replace("/*", "/ *")
}
