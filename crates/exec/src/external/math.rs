//! Calls of libm: arguments as raw bits, outputs stored through pointers, errno and `signgam` as the native call left them. Arguments
//! that hang on inputs make a call node, which the evaluator of expressions really calls.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};
use symcrete_expr::{Bits, Expr, Value, word};
use symcrete_ir::{Intrinsic, Type};

use super::Context;
use crate::libm::{Function, Kind, Outcome, Parameter};
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
    let given = Given { outcome, undefined };
    store_outputs(context, function, &given)?;
    Ok(match function.signature().result {
        None => smallvec![],
        Some(kind) => smallvec![given.value(width(context, kind), outcome.result)],
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

/// Functions that the solver knows, by their names without `f` or `l`.
const INTERPRETED: &[(&str, Intrinsic)] = &[
    ("sqrt", Intrinsic::Sqrt),
    ("fabs", Intrinsic::FloatAbs),
    ("copysign", Intrinsic::CopySign),
    ("floor", Intrinsic::Floor),
    ("ceil", Intrinsic::Ceil),
    ("trunc", Intrinsic::Truncate),
    ("round", Intrinsic::Round),
    ("roundeven", Intrinsic::RoundEven),
    ("rint", Intrinsic::RoundCurrent),
    ("nearbyint", Intrinsic::RoundCurrent),
    ("fma", Intrinsic::FusedMultiplyAdd),
];

/// The intrinsic that computes exactly what a function of libm does, and on which floats.
fn interpreted(name: &str) -> Option<(Intrinsic, Type)> {
    use symcrete_ir::FloatKind::{Double, Single, X87};
    INTERPRETED.iter().find_map(|(base, intrinsic)| {
        let kind = match name.strip_prefix(base)? {
            "" => Double,
            "f" => Single,
            "l" => X87,
            _ => return None,
        };
        Some((*intrinsic, Type::float(kind)))
    })
}

/// What part of a call's outcome a node stands for.
#[derive(Copy, Clone)]
enum Part {
    Result,
    Output(usize),
    Errno,
    SignGamma,
}

impl Part {
    fn name(self, function: &str) -> String {
        match self {
            Part::Result => function.to_owned(),
            Part::Output(at) => format!("{function}.{at}"),
            Part::Errno => format!("{function}.errno"),
            Part::SignGamma => format!("{function}.signgam"),
        }
    }

    fn of(self, outcome: &Outcome) -> u128 {
        match self {
            Part::Result => outcome.result,
            Part::Output(at) => outcome.outputs[at],
            Part::Errno => outcome.errno as u32 as u128,
            Part::SignGamma => outcome.signgam.unwrap_or(0) as u32 as u128,
        }
    }
}

fn call_symbolic(context: &mut Context, function: &'static Function) -> Result<SmallVec<[Value; 2]>, Stop> {
    let signature = function.signature();
    let mut arguments: SmallVec<[Expr; 4]> = SmallVec::new();
    for (at, parameter) in signature.parameters.iter().enumerate() {
        arguments.push(symbolic_argument(context, at, *parameter)?);
    }
    let node = |context: &mut Context, part: Part, width: u32| {
        let evaluate = move |values: &[Bits], width: u32| {
            let values: SmallVec<[u128; 4]> = values.iter().map(Bits::low_u128).collect();
            Bits::from_u128(width, part.of(&function.call(&values)))
        };
        let arena = &mut context.executor.arena;
        let function = symcrete_expr::dag::Function { name: part.name(function.name()), evaluate: Rc::new(evaluate) };
        let id = arena.add_function(function);
        arena.call(id, width, &arguments)
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
    if let Some(address) = context.executor.image.global_named("__symcrete_errno") {
        let new = node(context, Part::Errno, 32);
        let mut symbolic = context.executor.symbolic();
        let old = access::load(&mut context.state.memory, &mut symbolic, address, Type::I32, 64)?;
        let old = symbolic.expr(32, &old);
        let zero = symbolic.equals(new, 0);
        let errno = symbolic.arena.ite(zero, old, new);
        store(context, address, 4, &Value::Expr(errno))?;
    }
    let Some(kind) = signature.result else { return Ok(smallvec![]) };
    if let Some((intrinsic, ty)) = interpreted(function.name()) {
        let values: SmallVec<[Value; 4]> = arguments.iter().map(|argument| Value::Expr(*argument)).collect();
        return Ok(context.executor.symbolic().intrinsic(intrinsic, ty, 64, &values, Some(ty)));
    }
    let width = width(context, kind);
    let result = node(context, Part::Result, width);
    Ok(smallvec![context.executor.symbolic().value(result)])
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
