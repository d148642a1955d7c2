//! Functions that are called with other types than their own, in words: both declarations, with their places.

use std::collections::HashSet;

use symcrete_ir::convention::Disagreement;
use symcrete_ir::ids::DebugTypeId;
use symcrete_ir::{CallData, FloatKind, Function, LocId, Program, Type, TypeKind};

/// One sentence for each function and each way in which the program's own code calls it. Pointers and integers of the same width are
/// passed alike, so they are not told apart.
pub fn warnings(program: &Program) -> Vec<String> {
    let mut told = HashSet::new();
    let own = program.disagreements.iter().filter(|found| !program.functions[found.caller].runtime);
    let matters = own.filter(|found| !is_harmless(&found.call, &program.functions[found.callee], program));
    let new = matters.filter(|found| told.insert((found.callee, called(&found.call, ""))));
    new.map(|found| sentence(program, found)).collect()
}

fn sentence(program: &Program, found: &Disagreement) -> String {
    let function = &program.functions[found.callee];
    let name = function.source_name();
    let defined = defined(program, function);
    let at = match &function.debug {
        _ if function.runtime => " in the C library".to_owned(),
        Some(debug) => match debug.file {
            Some(file) => format!(" at {}:{}", program.debug.files[file].name, debug.line),
            None => String::new(),
        },
        None => String::new(),
    };
    let call = called(&found.call, name);
    let place = place(program, found.loc);
    format!(
        "`{name}` is called as `{call}`{place}, but defined as `{defined}`{at}; \
         arguments and results are passed in registers as each side declares them"
    )
}

fn place(program: &Program, loc: LocId) -> String {
    let loc = &program.debug.locs[loc];
    match loc.line {
        0 => String::new(),
        line => format!(" at {}:{line}", program.debug.files[loc.file].name),
    }
}

/// Whether only pointers stand for integers of their width.
fn is_harmless(call: &CallData, function: &Function, program: &Program) -> bool {
    let bits = program.layout.pointer_bits;
    let alike = |a: &Type, b: &Type| {
        a == b || a.bits(bits) == b.bits(bits) && a.float_kind().is_none() && b.float_kind().is_none()
    };
    let params = &function.params;
    let counts = if function.variadic { params.len() <= call.args.len() } else { params.len() == call.args.len() };
    let by_value = params.iter().filter(|param| param.by_value.is_some()).count() == call.by_value.len();
    let results = call.result_types.is_empty()
        || call.result_types.len() == function.results.len()
            && call.result_types.iter().zip(&function.results).all(|(a, b)| alike(a, b));
    counts && by_value && results && params.iter().zip(&call.arg_types).all(|(param, ty)| alike(&param.ty, ty))
}

/// A call as C would declare the function.
fn called(call: &CallData, name: &str) -> String {
    let argument = |(at, ty): (u32, &Type)| {
        let by_value = call.by_value.iter().find(|(argument, ..)| *argument == at);
        match by_value {
            Some((_, bytes, _)) => format!("struct of {bytes} bytes"),
            None => c_type(*ty, call.sign_extended.contains(&at)),
        }
    };
    let args: Vec<String> = (0..).zip(&call.arg_types).map(argument).collect();
    declared(&results(&call.result_types, call.sign_extended_result), name, &args)
}

/// A function as its source defines it, or as C would if nothing is known of that.
fn defined(program: &Program, function: &Function) -> String {
    let name = function.source_name();
    let c_name = |ty: &Option<DebugTypeId>| ty.map_or("void".to_owned(), |ty| program.debug.type_name(ty));
    if let Some(debug) = function.debug.as_ref().filter(|debug| debug.file.is_some()) {
        let mut params: Vec<String> = debug.params.iter().map(|param| c_name(&param.ty)).collect();
        params.extend(function.variadic.then(|| "...".to_owned()));
        return declared(&c_name(&debug.result), name, &params);
    }
    let params: Vec<String> = function.params.iter().map(|param| c_type(param.ty, !param.zero_extended)).collect();
    declared(&results(&function.results, function.sign_extended_result), name, &params)
}

fn declared(result: &str, name: &str, params: &[String]) -> String {
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let space = if result.ends_with('*') { "" } else { " " };
    format!("{result}{space}{name}({params})")
}

fn results(types: &[Type], is_signed: bool) -> String {
    match types {
        [] => "void".to_owned(),
        [ty] => c_type(*ty, is_signed),
        _ => "struct".to_owned(),
    }
}

fn c_type(ty: Type, is_signed: bool) -> String {
    let name = match (ty.kind(), is_signed) {
        (TypeKind::Pointer, _) => "void *",
        (TypeKind::Float(FloatKind::Single), _) => "float",
        (TypeKind::Float(FloatKind::Double), _) => "double",
        (TypeKind::Float(FloatKind::X87), _) => "long double",
        (TypeKind::Float(FloatKind::Quad), _) => "__float128",
        (TypeKind::Float(FloatKind::Half | FloatKind::BFloat), _) => "_Float16",
        (TypeKind::Int(1), _) => "_Bool",
        (TypeKind::Int(8), true) => "signed char",
        (TypeKind::Int(8), false) => "unsigned char",
        (TypeKind::Int(16), true) => "short",
        (TypeKind::Int(16), false) => "unsigned short",
        (TypeKind::Int(32), _) => "int",
        (TypeKind::Int(64), _) => "long",
        (TypeKind::Int(128), _) => "__int128",
        (TypeKind::Int(bits), _) => return format!("_BitInt({bits})"),
    };
    name.to_owned()
}
