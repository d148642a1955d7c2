//! Calls of libm: arguments as raw bits, outputs stored through pointers, errno and `signgam` as the native call left them.

use smallvec::{SmallVec, smallvec};
use symcrete_expr::{Bits, Value, word};

use super::Context;
use crate::libm::{Function, Kind, Outcome, Parameter};
use crate::step::Stop;

pub(super) fn call(context: &mut Context, function: &'static Function) -> Result<SmallVec<[Value; 2]>, Stop> {
    let parameters = &function.signature().parameters;
    let outcome = if parameters.contains(&Parameter::Text) {
        let text = context.state.memory.read_c_string(context.word(0)?, 4096)?;
        function.call_with_text(&text)
    } else {
        let mut arguments: SmallVec<[u128; 4]> = SmallVec::new();
        for (at, parameter) in parameters.iter().enumerate() {
            arguments.push(argument(context, at, *parameter)?);
        }
        function.call(&arguments)
    };
    store_outputs(context, function, &outcome)?;
    let undefined = (0..parameters.len()).map(|at| context.value(at)).find(|value| matches!(value, Value::Partial(_)));
    Ok(match function.signature().result {
        None => smallvec![],
        Some(kind) => {
            let bits = Bits::from_u128(result_width(context, kind), outcome.result);
            smallvec![match undefined {
                Some(operand) => Value::tainted(bits, operand.origin()),
                None => Value::from_bits(bits),
            }]
        }
    })
}

/// `long` has the width of a pointer on the targets that we execute.
fn width(context: &Context, kind: Kind) -> u32 {
    match kind {
        Kind::Long => u32::from(context.executor.image.pointer_bits()),
        other => other.bits(),
    }
}

fn result_width(context: &Context, kind: Kind) -> u32 {
    width(context, kind)
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
            let mut bytes = vec![0; width(context, kind).div_ceil(8) as usize];
            context.state.memory.read_bytes(address, &mut bytes)?;
            Ok(Bits::from_le_bytes(width(context, kind), &bytes).low_u128())
        }
        Parameter::Output(_) | Parameter::Text => Ok(0),
    }
}

fn store_outputs(context: &mut Context, function: &Function, outcome: &Outcome) -> Result<(), Stop> {
    let mut outputs = outcome.outputs.into_iter();
    for (at, parameter) in function.signature().parameters.iter().enumerate() {
        if let Parameter::Output(kind) = parameter {
            let address = context.word(at)?;
            let bits = Bits::from_u128(width(context, *kind), outputs.next().unwrap_or(0));
            context.state.memory.write_bytes(address, &bits.to_le_bytes())?;
        }
    }
    if let (Some(sign), Some(address)) = (outcome.signgam, context.executor.image.global_named("signgam")) {
        context.state.memory.write_word(address, 4, sign as u32 as u64)?;
    }
    if outcome.errno != 0
        && let Some(address) = context.executor.image.global_named("__symcrete_errno")
    {
        context.state.memory.write_word(address, 4, outcome.errno as u64)?;
    }
    Ok(())
}
