//! Calls of libm: arguments as raw bits, outputs stored through pointers, errno and `signgam` as the native call left them.
//! Arguments that depend on inputs make a call node, which the evaluator of expressions really calls, unless `interpreted`
//! knows better.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};
use symcrete_expr::dag::FunctionId;
use symcrete_expr::{Arena, Bits, Expr, Value, word};
use symcrete_ir::Type;

use super::{Context, interpreted};
use crate::libm::{Function, Kind, Outcome, Parameter, Part};
use crate::opaque::Calls;
use crate::step::symbolic::Symbolic;
use crate::step::{Stop, access};

pub(super) fn call(context: &mut Context, function: &'static Function) -> Result<SmallVec<[Value; 2]>, Stop> {
    let parameters = &function.signature().parameters;
    if (0..parameters.len()).any(|at| matches!(context.value(at), Value::Expr(_))) {
        return call_symbolic(context, function);
    }
    let outcome = if parameters.contains(&Parameter::Text) {
        let address = context.word(0)?;
        let text = context.text(address, 4096)?;
        function.call_with_text(&text)
    } else {
        let mut arguments: SmallVec<[u128; 4]> = SmallVec::new();
        for (at, parameter) in parameters.iter().enumerate() {
            arguments.push(argument(context, at, *parameter)?);
        }
        function.call(&arguments)
    };
    let undefined = (0..parameters.len()).map(|at| context.value(at)).find(|value| matches!(value, Value::Partial(_)));
    finish(context, function, Given { outcome, undefined })
}

fn finish(context: &mut Context, function: &Function, given: Given) -> Result<SmallVec<[Value; 2]>, Stop> {
    store_outputs(context, function, &given)?;
    Ok(match function.signature().result {
        None => smallvec![],
        Some(kind) => smallvec![given.value(width(context, kind), given.outcome.result)],
    })
}

/// What a call gave, and an argument that was not wholly defined: then nothing of what it gave is.
struct Given {
    outcome: Outcome,
    undefined: Option<Value>,
}

impl Given {
    fn value(&self, width: u32, number: u128) -> Value {
        let bits = Bits::from_u128(width, number);
        match &self.undefined {
            Some(operand) => Value::tainted(bits, operand.origin()),
            None => Value::from_bits(bits),
        }
    }
}

/// `long` has the width of a pointer on the targets that we execute.
fn width(context: &Context, kind: Kind) -> u32 {
    match kind {
        Kind::Long => u32::from(context.executor.image.pointer_bits()),
        other => other.bits(),
    }
}

fn argument(context: &mut Context, at: usize, parameter: Parameter) -> Result<u128, Stop> {
    match parameter {
        Parameter::Value(Kind::Long) => {
            let bits = context.value(at).low_word();
            Ok(u128::from(word::sign_extend(width(context, Kind::Long), bits) as u64))
        }
        Parameter::Value(kind) => Ok(context.value(at).to_bits(kind.bits()).low_u128()),
        Parameter::Input(kind) => {
            let address = context.word(at)?;
            let bytes = context.bytes(address, u64::from(width(context, kind).div_ceil(8)))?;
            Ok(Bits::from_le_bytes(width(context, kind), &bytes).low_u128())
        }
        Parameter::Output(_) | Parameter::Text => Ok(0),
    }
}

fn store_outputs(context: &mut Context, function: &Function, given: &Given) -> Result<(), Stop> {
    let outcome = &given.outcome;
    let mut outputs = outcome.outputs.into_iter();
    for (at, parameter) in function.signature().parameters.iter().enumerate() {
        if let Parameter::Output(kind) = parameter {
            let address = context.word(at)?;
            let width = width(context, *kind);
            let value = given.value(width, outputs.next().unwrap_or(0));
            access::store_constant(&mut context.state.memory, address, width / 8, &value)?;
        }
    }
    if let (Some(sign), Some(address)) = (outcome.signgam, context.executor.image.global_named("signgam")) {
        context.state.memory.write_word(address, 4, sign as u32 as u64)?;
    }
    if outcome.errno != 0 {
        context.set_errno(outcome.errno)?;
    }
    Ok(())
}

fn call_symbolic(context: &mut Context, function: &'static Function) -> Result<SmallVec<[Value; 2]>, Stop> {
    let signature = function.signature();
    let mut arguments: SmallVec<[Expr; 4]> = SmallVec::new();
    for (at, parameter) in signature.parameters.iter().enumerate() {
        arguments.push(symbolic_argument(context, at, *parameter)?);
    }
    if context.executor.config.calls != Calls::Symbolic {
        return call_fixed(context, function, &arguments);
    }
    let node = |context: &mut Context, part: Part, width: u32| {
        let executor = &mut *context.executor;
        let mut symbolic = Symbolic { arena: &mut executor.arena, notes: &mut executor.notes };
        self::node(&mut symbolic, &executor.config, function, &arguments, (part, width))
    };
    let mut output = 0;
    for (at, parameter) in signature.parameters.iter().enumerate() {
        if let Parameter::Output(kind) = parameter {
            let (address, width) = (context.word(at)?, width(context, *kind));
            let value = Value::Expr(node(context, Part::Output(output), width));
            output += 1;
            store(context, address, width / 8, &value)?;
        }
    }
    if let (true, Some(address)) = (signature.sets_signgam, context.executor.image.global_named("signgam")) {
        let sign = Value::Expr(node(context, Part::SignGamma, 32));
        store(context, address, 4, &sign)?;
    }
    let may_fail = !interpreted::never_fails(function.name());
    if let (true, Some(address)) = (may_fail, context.executor.image.global_named("__symcrete_errno")) {
        let new = node(context, Part::Errno, 32);
        let mut symbolic = context.executor.symbolic();
        let old = access::load(&mut context.state.memory, &mut symbolic, address, Type::I32, 64)?;
        let old = symbolic.expr(32, &old);
        let zero = symbolic.equals(new, 0);
        let errno = symbolic.arena.ite(zero, old, new);
        store(context, address, 4, &Value::Expr(errno))?;
    }
    let Some(kind) = signature.result else { return Ok(smallvec![]) };
    let width = width(context, kind);
    let result = node(context, Part::Result, width);
    Ok(smallvec![context.executor.symbolic().value(result)])
}

/// A part of what a call gives, and its width, as an expression.
fn node(
    symbolic: &mut Symbolic,
    config: &crate::Config,
    function: &'static Function,
    arguments: &[Expr],
    (part, width): (Part, u32),
) -> Expr {
    if let Some(known) = interpreted::part(symbolic, function.name(), arguments, part) {
        return symbolic.resize(known, width, true);
    }
    let evaluate = move |values: &[Bits], width: u32| {
        let values: SmallVec<[u128; 4]> = values.iter().map(Bits::low_u128).collect();
        Bits::from_u128(width, part.of(&function.call(&values)))
    };
    let name = part.name(function.name());
    let id = symbolic.arena.add_function(symcrete_expr::dag::Function { name, evaluate: Rc::new(evaluate) });
    if let Part::Result = part {
        describe(symbolic.arena, id, function, config);
    }
    symbolic.arena.call(id, width, arguments)
}

/// What a call with these arguments returns, wherever it stands; `None` if that depends on memory.
pub(crate) fn returned(
    symbolic: &mut Symbolic,
    config: &crate::Config,
    function: &'static Function,
    pointer_bits: u16,
    arguments: &[Expr],
) -> Option<Expr> {
    let signature = function.signature();
    let bits = |kind: Kind| if kind == Kind::Long { u32::from(pointer_bits) } else { kind.bits() };
    let result = signature.result?;
    let mut values: SmallVec<[Expr; 4]> = SmallVec::new();
    for (at, parameter) in signature.parameters.iter().enumerate() {
        let argument = *arguments.get(at)?;
        values.push(match parameter {
            Parameter::Value(kind) if symbolic.arena.width(argument) != bits(*kind) => return None,
            Parameter::Value(Kind::Long) => symbolic.resize(argument, 64, true),
            Parameter::Value(_) => argument,
            Parameter::Output(_) => symbolic.arena.word(64, 0),
            Parameter::Input(_) | Parameter::Text => return None,
        });
    }
    Some(node(symbolic, config, function, &values, (Part::Result, bits(result))))
}

/// Says of a function what helps those who look for arguments of it.
fn describe(arena: &mut Arena, id: FunctionId, function: &Function, config: &crate::Config) {
    if arena.signature(id).is_some() {
        return;
    }
    arena.set_signature(id, function.number_kinds());
    if let Some(native) = function.direct() {
        arena.set_native(id, native);
    }
    if let Some(partitions) = config.partitions.get(function.name()) {
        arena.set_partitions(id, partitions.clone());
    }
}

/// Calls with values that the arguments can have.
fn call_fixed(
    context: &mut Context,
    function: &'static Function,
    arguments: &[Expr],
) -> Result<SmallVec<[Value; 2]>, Stop> {
    let mut values: SmallVec<[u128; 4]> = SmallVec::new();
    for (at, expr) in arguments.iter().enumerate() {
        values.push(context.executor.fixed(context.state, at as u32, *expr)?);
    }
    let outcome = function.call(&values);
    let results = finish(context, function, Given { outcome, undefined: None })?;
    context.executor.note_concretised_call(context.state, function.name().to_owned());
    Ok(results)
}

fn store(context: &mut Context, address: u64, bytes: u32, value: &Value) -> Result<(), Stop> {
    Ok(access::store_bytes(&mut context.state.memory, &mut context.executor.symbolic(), address, bytes, value)?)
}

fn symbolic_argument(context: &mut Context, at: usize, parameter: Parameter) -> Result<Expr, Stop> {
    match parameter {
        Parameter::Value(Kind::Long) => {
            let (width, value) = (width(context, Kind::Long), context.value(at));
            let mut symbolic = context.executor.symbolic();
            let expr = symbolic.expr(width, &value);
            Ok(symbolic.resize(expr, 64, true))
        }
        Parameter::Value(kind) => {
            let value = context.value(at);
            Ok(context.executor.symbolic().expr(kind.bits(), &value))
        }
        Parameter::Input(kind) => {
            let (address, ty) = (context.word(at)?, Type::int(width(context, kind) as u16));
            let value = access::load(&mut context.state.memory, &mut context.executor.symbolic(), address, ty, 64)?;
            Ok(context.executor.symbolic().expr(u32::from(ty.int_bits()), &value))
        }
        Parameter::Output(_) | Parameter::Text => Ok(context.executor.arena.word(64, 0)),
    }
}
