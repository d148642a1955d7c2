//! Parts of the domains of functions, which mixed solving tries one by one: as the program says with `symcrete_partition`, and as the
//! user says in a file. Like purity, a declaration holds for the whole program, wherever it stands.

use std::collections::BTreeMap;
use std::sync::Arc;

use symcrete_expr::dag::{NoPartition, NumberKind, Partition};
use symcrete_ir::{Callee, Constant, FuncId, OperandKind, Program};
use symcrete_native::Kind;

use super::parameter_kind;
use crate::libm;

/// What `symcrete_partition` of symcrete.h calls.
pub const MARKER: &str = "symcrete_partition_function";

/// By the name of the function.
pub type Partitions = BTreeMap<String, Arc<[Partition]>>;

/// Why a declaration means nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoDomain {
    Partition {
        function: String,
        wrong: NoPartition,
    },
    /// There is no such function.
    Unknown {
        function: String,
    },
    /// The function takes something else than numbers.
    NoNumbers {
        function: String,
    },
}

/// What the program says: function and condition, in order.
pub fn declared(program: &Program) -> Vec<(String, String)> {
    let Some(marker) = program.function_named(MARKER) else { return Vec::new() };
    let bodies = program.functions.values().filter_map(|function| function.body.as_ref());
    let calls = bodies.flat_map(|body| body.calls.values()).filter(|data| data.callee == Callee::Direct(marker));
    let constant = |operand: Option<&symcrete_ir::Operand>| match operand.map(|operand| operand.kind()) {
        Some(OperandKind::Const(constant)) => Some(&program.constants[constant]),
        _ => None,
    };
    let mut found = Vec::new();
    for data in calls {
        if let Some(Constant::Function(function)) = constant(data.args.first())
            && let Some(Constant::Global { global, offset: 0 }) = constant(data.args.get(1))
            && let Some(initialiser) = &program.globals[*global].initialiser
        {
            let text = initialiser.bytes.split(|byte| *byte == 0).next().unwrap_or_default();
            found.push((program.functions[*function].name.clone(), String::from_utf8_lossy(text).into_owned()));
        }
    }
    found
}

/// Makes sense of declarations.
pub fn partitions(program: &Program, declarations: &[(String, String)]) -> Result<Partitions, NoDomain> {
    let mut lists: BTreeMap<String, Vec<Partition>> = BTreeMap::new();
    for (function, text) in declarations {
        let kinds = kinds(program, function)?;
        let partition = Partition::parse(text, &kinds)
            .map_err(|wrong| NoDomain::Partition { function: function.clone(), wrong })?;
        lists.entry(function.clone()).or_default().push(partition);
    }
    Ok(lists.into_iter().map(|(name, list)| (name, list.into())).collect())
}

/// How a function reads its arguments.
fn kinds(program: &Program, name: &str) -> Result<Vec<NumberKind>, NoDomain> {
    let unknown = || NoDomain::Unknown { function: name.to_owned() };
    let known: Option<FuncId> = program.function_named(name);
    if let (Some(function), true) = (libm::function(name), known.is_none_or(|id| program.functions[id].body.is_none()))
    {
        return Ok(function.number_kinds().parameters);
    }
    let data = &program.functions[known.ok_or_else(unknown)?];
    let kinds: Option<Vec<NumberKind>> =
        data.params.iter().map(|param| parameter_kind(param).map(number_kind)).collect();
    kinds.ok_or_else(|| NoDomain::NoNumbers { function: name.to_owned() })
}

/// How a number that is passed to a function is meant.
pub(crate) fn number_kind(kind: Kind) -> NumberKind {
    use symcrete_expr::FloatKind;
    match kind {
        Kind::Integer { signed: true, .. } => NumberKind::Signed,
        Kind::Integer { signed: false, .. } => NumberKind::Unsigned,
        Kind::Single => NumberKind::Float(FloatKind::Single),
        Kind::Double => NumberKind::Float(FloatKind::Double),
        Kind::X87 => NumberKind::Float(FloatKind::X87),
    }
}
