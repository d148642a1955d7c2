//! `setjmp` and `longjmp`.

use std::rc::Rc;

use symcrete_expr::Value;

use super::Context;
use crate::jump::{JumpPoint, MAGIC};
use crate::outcome::Ended;
use crate::step::Stop;

type JumpRow = (&'static str, fn(&mut Context) -> Result<(), Stop>);

pub const TABLE: &[JumpRow] = &[
    ("setjmp", mark),
    ("_setjmp", mark),
    ("sigsetjmp", mark),
    ("__sigsetjmp", mark),
    ("longjmp", jump),
    ("_longjmp", jump),
    ("siglongjmp", jump),
    ("__longjmp_chk", jump),
];

/// What a `jmp_buf` holds: a magic number, the number of the place, and the activation that it belongs to.
const WORD: u64 = 8;

fn mark(context: &mut Context) -> Result<(), Stop> {
    let buffer = context.word(0)?;
    let top = &context.state.top;
    let point = JumpPoint { activation: top.activation, pc: top.pc };
    let number = context.state.jumps.mark(point);
    context.state.memory.write_word(buffer, 8, MAGIC)?;
    context.state.memory.write_word(buffer + WORD, 8, number)?;
    context.state.memory.write_word(buffer + 2 * WORD, 8, point.activation)?;
    context.executor.finish_call(context.state, context.call, [Value::Word(0)]);
    Ok(())
}

fn jump(context: &mut Context) -> Result<(), Stop> {
    let buffer = context.word(0)?;
    // `longjmp(buffer, 0)` returns 1 from `setjmp`.
    let value = match context.word(1)? {
        0 => 1,
        value => value,
    };
    let mut read = |at: u64| context.state.memory.read_word(buffer + at * WORD, 8).map(|word| word.bits());
    let (magic, number, activation) = (read(0)?, read(1)?, read(2)?);
    let point = context.state.jumps.get(number).filter(|point| magic == MAGIC && point.activation == activation);
    let point = point.ok_or(Ended::BadJump)?;
    if !context.state.frames().any(|frame| frame.activation == point.activation) {
        return Err(Ended::BadJump.into());
    }
    while context.state.top.activation != point.activation {
        context.executor.pop(context.state);
    }
    let frame = Rc::make_mut(&mut context.state.top);
    frame.pc = point.pc;
    frame.detour = None;
    if let Some(call) = context.executor.pending_call(context.state) {
        context.executor.finish_call(context.state, call, [Value::Word(value)]);
    }
    Ok(())
}
