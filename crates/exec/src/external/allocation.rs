//! The heap: `malloc` and its family.

use smallvec::smallvec;
use symcrete_expr::dag::Op;
use symcrete_expr::{Expr, Value};
use symcrete_memory::Kind;

use super::{Context, Row};
use crate::elastic::LARGEST;
use crate::outcome::{Alternative, Fact, Fork, Then};
use crate::step::Stop;

pub const TABLE: &[Row] = &[
    ("malloc", malloc),
    ("calloc", calloc),
    ("realloc", realloc),
    ("free", free),
    ("malloc_usable_size", usable_size),
    ("__symcrete_aligned_alloc", aligned_alloc),
];

/// What glibc aligns heap memory to, on x86-64 and, since 2.26, on 32-bit x86.
const MALLOC_ALIGNMENT: u64 = 16;

/// New memory; null, and `errno` says so, where there is none.
fn allocate(context: &mut Context, bytes: u64, align: u64) -> Result<u64, Stop> {
    let site = context.executor.traces.here(&context.executor.image, context.state);
    let made = match bytes <= context.executor.config.allocation_limit {
        true => context.state.memory.allocate(bytes, align, Kind::Heap, site).ok(),
        false => None,
    };
    match made {
        Some((_, base)) => Ok(base),
        None => out_of_memory(context),
    }
}

fn out_of_memory(context: &mut Context) -> Result<u64, Stop> {
    context.set_errno(libc::ENOMEM)?;
    Ok(0)
}

/// Memory of a size that hangs on inputs, if it is not too large: then it is one path for each size.
fn allocate_elastic(context: &mut Context, size: Expr) -> Result<Option<u64>, Stop> {
    let width = context.executor.arena.width(size);
    let limit = context.executor.arena.word(width, LARGEST);
    let small = context.executor.arena.compare(Op::UnsignedLessEqual, size, limit);
    let large = context.executor.arena.not(small);
    if context.executor.arena.as_word(small) == Some(0) || context.state.known.contains(&Fact::Holds(large)) {
        return Ok(None);
    }
    if context.executor.arena.as_word(small).is_none() && !context.state.known.contains(&Fact::Holds(small)) {
        let alternative = |condition| Alternative { condition, then: Then::Know(Fact::Holds(condition)) };
        return Err(Stop::Fork(Fork { alternatives: smallvec![alternative(small), alternative(large)] }));
    }
    let most = context.executor.arena.facts(size).max.min(LARGEST);
    match context.executor.allocate_elastic(context.state, size, most, MALLOC_ALIGNMENT) {
        Some(base) => Ok(Some(base)),
        None => out_of_memory(context).map(Some),
    }
}

fn malloc(context: &mut Context) -> Result<Option<Value>, Stop> {
    if let Value::Expr(size) = context.value(0)
        && let Some(base) = allocate_elastic(context, size)?
    {
        return Ok(Some(Value::Word(base)));
    }
    let bytes = context.word(0)?;
    Ok(Some(Value::Word(allocate(context, bytes, MALLOC_ALIGNMENT)?)))
}

fn calloc(context: &mut Context) -> Result<Option<Value>, Stop> {
    let Some(bytes) = context.word(0)?.checked_mul(context.word(1)?) else {
        return Ok(Some(Value::Word(out_of_memory(context)?)));
    };
    let base = allocate(context, bytes, MALLOC_ALIGNMENT)?;
    if base != 0 {
        context.state.memory.fill(base, 0, bytes)?;
    }
    Ok(Some(Value::Word(base)))
}

fn aligned_alloc(context: &mut Context) -> Result<Option<Value>, Stop> {
    let (align, bytes) = (context.word(0)?, context.word(1)?);
    if !align.is_power_of_two() {
        return Ok(Some(Value::Word(0)));
    }
    let align = align.max(MALLOC_ALIGNMENT);
    Ok(Some(Value::Word(allocate(context, bytes, align)?)))
}

fn realloc(context: &mut Context) -> Result<Option<Value>, Stop> {
    let (address, bytes) = (context.word(0)?, context.word(1)?);
    if address == 0 {
        return Ok(Some(Value::Word(allocate(context, bytes, MALLOC_ALIGNMENT)?)));
    }
    let site = context.executor.traces.here(&context.executor.image, context.state);
    if bytes == 0 {
        // glibc frees and returns null.
        context.state.memory.free(address, site)?;
        return Ok(Some(Value::Word(0)));
    }
    if bytes > context.executor.config.allocation_limit {
        return Ok(Some(Value::Word(out_of_memory(context)?)));
    }
    // Null, with the old memory left alone, where there is no room.
    let (_, base) = context.state.memory.reallocate(address, bytes, site)?;
    Ok(Some(Value::Word(if base == 0 { out_of_memory(context)? } else { base })))
}

fn free(context: &mut Context) -> Result<Option<Value>, Stop> {
    let address = context.word(0)?;
    let site = context.executor.traces.here(&context.executor.image, context.state);
    context.state.memory.free(address, site)?;
    Ok(None)
}

fn usable_size(context: &mut Context) -> Result<Option<Value>, Stop> {
    let address = context.word(0)?;
    Ok(Some(Value::Word(context.state.memory.usable_size(address).unwrap_or(0))))
}
