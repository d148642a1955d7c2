//! Calls of libm: arguments as raw bits, outputs stored through pointers, errno and `signgam` as the native call left them.

use smallvec::{SmallVec, smallvec};
use symcrete_expr::{Bits, Value, word};

use super::Context;
use crate::libm::{Function, Kind, Outcome, Parameter};
use crate::step::{Stop, access};

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
            let mut bytes = vec![0; width(context, kind).div_ceil(8) as usize];
            context.state.memory.read_bytes(address, &mut bytes)?;
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
            access::store_bytes(&mut context.state.memory, address, width / 8, &value)?;
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
