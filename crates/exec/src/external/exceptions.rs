//! Exceptions of C++, `operator new` and `delete`, and panics of Rust, as far as they end a program. Handlers are not executed: a throw
//! below one is beyond this version, one without any is a finding.

use symcrete_expr::Value;
use symcrete_ir::Terminator;
use symcrete_memory::{Kind, Site};

use super::{Context, Row, allocation};
use crate::outcome::Ended;
use crate::step::Stop;

pub const TABLE: &[Row] = &[
    ("_Znwm", new),
    ("_Znam", new),
    ("_Znwj", new),
    ("_Znaj", new),
    ("_ZdlPv", allocation::free),
    ("_ZdaPv", allocation::free),
    ("_ZdlPvm", allocation::free),
    ("_ZdaPvm", allocation::free),
    ("_ZdlPvj", allocation::free),
    ("_ZdaPvj", allocation::free),
    ("__cxa_allocate_exception", allocate),
    ("__cxa_throw", throw),
    ("_ZSt9terminatev", terminate),
    ("__cxa_pure_virtual", terminate),
];

/// As `malloc`, but where there is no memory it throws.
fn new(context: &mut Context) -> Result<Option<Value>, Stop> {
    match allocation::malloc(context)? {
        Some(Value::Word(0)) => Err(thrown(context, "std::bad_alloc")),
        memory => Ok(memory),
    }
}

/// Memory for an exception; whoever catches it gives it back, and nobody does here.
fn allocate(context: &mut Context) -> Result<Option<Value>, Stop> {
    let bytes = context.word(0)?;
    let made = context.state.memory.allocate(bytes, 16, Kind::Environment, Site(0));
    let (_, base) = made.map_err(|_| Ended::OutOfMemory { bytes })?;
    Ok(Some(Value::Word(base)))
}

fn throw(context: &mut Context) -> Result<Option<Value>, Stop> {
    let information = context.word(1)?;
    let image = &context.executor.image;
    let symbol = image.program.globals.iter().find(|(id, _)| image.global_address(*id) == information);
    let name = symbol.map_or_else(String::new, |(_, global)| type_of_symbol(&global.name));
    Err(thrown(context, &name))
}

fn terminate(_: &mut Context) -> Result<Option<Value>, Stop> {
    Err(Ended::Aborted.into())
}

/// What a throw comes to. Only an invoke has a handler, or something to clean up before one.
fn thrown(context: &Context, name: &str) -> Stop {
    let image = &context.executor.image;
    let handled = context.state.places(image).any(|(function, block, at)| {
        let block = &image.body(function).blocks[block];
        at as usize >= block.insts.len() && matches!(block.terminator, Terminator::Invoke { .. })
    });
    match handled {
        true => Ended::Unsupported("the handling of an exception".to_owned()).into(),
        false => Ended::UncaughtException(name.to_owned()).into(),
    }
}

/// The type that a symbol of type information is about, as the source names it where that is simple.
fn type_of_symbol(symbol: &str) -> String {
    const PLAIN: [(&str, &str); 9] = [
        ("i", "int"),
        ("j", "unsigned"),
        ("l", "long"),
        ("m", "unsigned long"),
        ("c", "char"),
        ("b", "bool"),
        ("f", "float"),
        ("d", "double"),
        ("PKc", "const char *"),
    ];
    let mangled = symbol.strip_prefix("_ZTI").unwrap_or(symbol);
    if let Some((_, name)) = PLAIN.iter().find(|(known, _)| *known == mangled) {
        return (*name).to_owned();
    }
    let (nested, mut prefix) = match mangled.strip_prefix("St") {
        Some(rest) => (rest, "std::".to_owned()),
        None => (mangled.strip_prefix('N').and_then(|inner| inner.strip_suffix('E')).unwrap_or(mangled), String::new()),
    };
    let mut rest = nested;
    while let Some(digits) = rest.find(|letter: char| !letter.is_ascii_digit()).filter(|digits| *digits > 0) {
        let Some(length) = rest[..digits].parse::<usize>().ok().filter(|length| digits + length <= rest.len()) else {
            return mangled.to_owned();
        };
        let name = &rest[digits..digits + length];
        rest = &rest[digits + length..];
        prefix += name;
        if !rest.is_empty() {
            prefix += "::";
        }
    }
    if rest.is_empty() { prefix } else { mangled.to_owned() }
}

/// Whether a function that is defined nowhere is one of those with which Rust's libraries end a program.
pub(crate) fn is_panic(name: &str) -> bool {
    let of_rust = ["_ZN3std", "_ZN4core", "_ZN5alloc", "_R"].iter().any(|prefix| name.starts_with(prefix));
    let words = ["panic", "_failed", "_fail", "capacity_overflow", "handle_alloc_error"];
    name == "rust_begin_unwind" || of_rust && words.iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_their_names() {
        let names = ["_ZTIi", "_ZTI5Error", "_ZTIN3net5ErrorE", "_ZTISt13runtime_error", "_ZTI3FooIiE"];
        let expected = ["int", "Error", "net::Error", "std::runtime_error", "3FooIiE"];
        assert_eq!(names.map(type_of_symbol), expected);
    }

    #[test]
    fn panics_are_known() {
        assert!(is_panic("_ZN4core9panicking5panic17h0123456789abcdefE"));
        assert!(is_panic("_RNvNtCsabc_4core9panicking9panic_fmt"));
        assert!(is_panic("_ZN4core6option13unwrap_failed17h0123456789abcdefE"));
        assert!(!is_panic("_ZN4core3fmt5write17h0123456789abcdefE") && !is_panic("panic"));
    }
}
