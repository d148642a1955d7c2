//! Which functions are pure: those that the user names, and those that the program itself says are. A declaration holds
//! for the whole program, wherever it stands.

use symcrete_ir::{Callee, Constant, FuncId, OperandKind, Program};

use super::{described, kind};

/// What `symcrete_pure` of symcrete.h calls.
pub const MARKER: &str = "symcrete_pure_function";

/// The functions that the program says are pure, in order.
pub fn marked(program: &Program) -> Vec<FuncId> {
    let Some(marker) = program.function_named(MARKER) else { return Vec::new() };
    let mut marked = Vec::new();
    let bodies = program.functions.values().filter_map(|function| function.body.as_ref());
    for data in bodies.flat_map(|body| body.calls.values()) {
        if data.callee != Callee::Direct(marker) {
            continue;
        }
        if let Some(OperandKind::Const(constant)) = data.args.first().map(|operand| operand.kind())
            && let Constant::Function(function) = program.constants[constant]
        {
            marked.push(function);
        }
    }
    marked.sort_unstable();
    marked.dedup();
    marked
}

/// Why calls of a function cannot be expressions, whatever it computes.
pub fn trouble(program: &Program, function: FuncId) -> Option<String> {
    let data = &program.functions[function];
    if data.variadic && !data.params.is_empty() {
        return Some("it takes a variable number of arguments".to_owned());
    }
    if data.params.iter().any(|param| param.by_value.is_some()) {
        return Some("it takes a structure".to_owned());
    }
    if let Some(param) = data.params.iter().find(|param| kind(param.ty).is_none()) {
        return Some(format!("it takes {}", described(param.ty)));
    }
    match data.results[..] {
        [] => Some("it returns nothing".to_owned()),
        [ty] => kind(ty).is_none().then(|| format!("it returns {}", described(ty))),
        _ => Some("it returns a structure".to_owned()),
    }
}

/// Whether the engine itself is the body of a function that has none.
pub fn is_provided(name: &str) -> bool {
    crate::external::lookup(name).is_some()
}
