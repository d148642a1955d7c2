//! Blocks of memory: `memcpy`, `memmove`, `memset`. The rest of string.h is C, in the runtime.

use symcrete_expr::Value;

use super::{Context, Row};
use crate::step::{Stop, access};

pub const TABLE: &[Row] = &[("memcpy", copy), ("memmove", copy), ("memset", set)];

/// Overlapping blocks are copied as `memmove` does, also by `memcpy`.
fn copy(context: &mut Context) -> Result<Option<Value>, Stop> {
    let (to, from, bytes) = (context.word(0)?, context.word(1)?, context.word(2)?);
    context.state.memory.copy(to, from, bytes)?;
    Ok(Some(Value::Word(to)))
}

fn set(context: &mut Context) -> Result<Option<Value>, Stop> {
    let (to, bytes) = (context.word(0)?, context.word(2)?);
    match context.value(1) {
        Value::Expr(byte) => access::fill(&mut context.state.memory, to, byte, bytes)?,
        _ => context.state.memory.fill(to, context.word(1)? as u8, bytes)?,
    }
    Ok(Some(Value::Word(to)))
}
