//! The heap: `malloc` and its family.

use smallvec::smallvec;
use symcrete_expr::dag::Op;
use symcrete_expr::{Expr, Value};
use symcrete_memory::{Access, Kind};

use super::inputs::require;
use super::{Context, Row};
use crate::inputs::InputKind;
use crate::outcome::{Alternative, Ended, Fact, Fork, Then};
use crate::step::Stop;
use crate::step::access::join_cells;

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
    let made = match may_have(context, bytes)? {
        true => context.state.memory.allocate(bytes, align, Kind::Heap, site).ok(),
        false => None,
    };
    match made {
        Some((_, base)) => Ok(base),
        None => out_of_memory(context),
    }
}

/// Whether there is so much memory.
fn may_have(context: &mut Context, bytes: u64) -> Result<bool, Stop> {
    let config = &context.executor.config;
    let limit = config.allocation_limit;
    if bytes <= limit {
        Ok(true)
    } else if config.larger_allocations_fail || bytes > largest(context) {
        Ok(false)
    } else if bytes <= NATIVE_LIMIT {
        Err(doubtful(limit).into())
    } else {
        machine_has(context).map(|()| false)
    }
}

/// What native runs are given: where more is asked for, they get none.
const NATIVE_LIMIT: u64 = 4 << 30;
/// The largest object whose size depends on inputs.
const ELASTIC_LIMIT: u64 = 2 << 30;

/// More memory than native runs are given, which the machine of somebody else may have: there the path is given up.
fn machine_has(context: &mut Context) -> Result<(), Stop> {
    let before = context.state.inputs.clone();
    let arena = &mut context.executor.arena;
    let cells = context.state.inputs.make(arena, "memory", InputKind::Machine, 1, None);
    let mut symbolic = context.executor.symbolic();
    let has = join_cells(&mut symbolic, &cells);
    let has_none = symbolic.equals(has, 0);
    let limit = context.executor.config.allocation_limit;
    match require(context, has_none, doubtful(limit)) {
        Ok(_) => Ok(()),
        Err(stop) => {
            // The instruction is executed again.
            context.state.inputs = before;
            Err(stop)
        }
    }
}

/// The largest object that there can be: the difference of two pointers must fit its type.
fn largest(context: &Context) -> u64 {
    (1 << (context.executor.image.pointer_bits() - 1)) - 1
}

fn doubtful(limit: u64) -> Ended {
    let gib = limit as f64 / f64::from(1 << 30);
    Ended::GivenUp(format!("an allocation of more than {gib} GiB, which not every machine has"))
}

fn out_of_memory(context: &mut Context) -> Result<u64, Stop> {
    context.set_errno(libc::ENOMEM)?;
    Ok(0)
}

/// How many bytes somebody wants.
enum Wanted {
    Bytes(u64),
    /// Hangs on inputs, but is at most a number.
    Elastic {
        size: Expr,
        most: u64,
    },
    /// More than there can be.
    TooMany,
}

/// A size, or the product of two, as the path knows it. Where that is not decided, there are several ways on: memory can be had; no machine has
/// so much; native runs have not; or it depends on the machine, and the path is given up.
fn wanted(context: &mut Context, factors: &[Value]) -> Result<Wanted, Stop> {
    let words: Option<Vec<u64>> = factors.iter().map(Value::as_word).collect();
    if let Some(words) = words {
        let product = words.into_iter().try_fold(1u64, u64::checked_mul);
        return Ok(product.map_or(Wanted::TooMany, Wanted::Bytes));
    }
    let config = &context.executor.config;
    let limit = config.allocation_limit.min(ELASTIC_LIMIT);
    let middle = if config.larger_allocations_fail { limit } else { NATIVE_LIMIT };
    let pointer_bits = u32::from(context.executor.image.pointer_bits());
    let largest = largest(context);
    let mut symbolic = context.executor.symbolic();
    // Wide enough for the product.
    let width = pointer_bits * factors.len() as u32;
    let mut size = symbolic.arena.word(width, 1);
    for factor in factors {
        let factor = symbolic.expr(pointer_bits, factor);
        let factor = symbolic.resize(factor, width, false);
        size = symbolic.arena.binary(Op::Mul, size, factor);
    }
    let arena = &mut *symbolic.arena;
    let [limit_expr, middle_expr, largest_expr] = [limit, middle, largest].map(|bytes| arena.word(width, bytes));
    let small = arena.compare(Op::UnsignedLessEqual, size, limit_expr);
    let huge = arena.compare(Op::UnsignedLess, largest_expr, size);
    let above = arena.compare(Op::UnsignedLess, middle_expr, size);
    let not_huge = arena.not(huge);
    let large = arena.binary(Op::And, above, not_huge);
    let known = |condition| context.state.known.contains(&Fact::Holds(condition));
    if arena.as_word(small) == Some(1) || known(small) {
        let size = arena.extract(size, 0, pointer_bits);
        let most = arena.facts(size).max.min(limit);
        return Ok(arena.as_word(size).map_or(Wanted::Elastic { size, most }, Wanted::Bytes));
    }
    if arena.as_word(huge) == Some(1) || known(huge) {
        return Ok(Wanted::TooMany);
    }
    if arena.as_word(large) == Some(1) || known(large) {
        if !context.executor.config.larger_allocations_fail {
            machine_has(context)?;
        }
        return Ok(Wanted::TooMany);
    }
    let not_small = arena.not(small);
    let not_above = arena.not(above);
    let between = arena.binary(Op::And, not_small, not_above);
    let know = |condition| Alternative { condition, then: Then::Know(Fact::Holds(condition)) };
    let mut alternatives = smallvec![know(small), know(huge), know(large)];
    if middle > limit {
        let then = Then::End(Box::new(doubtful(limit)));
        alternatives.push(Alternative { condition: between, then });
    }
    Err(Stop::Fork(Fork { alternatives }))
}

pub(super) fn malloc(context: &mut Context) -> Result<Option<Value>, Stop> {
    let size = context.value(0);
    let base = new_memory(context, &[size], false)?;
    Ok(Some(Value::Word(base)))
}

fn calloc(context: &mut Context) -> Result<Option<Value>, Stop> {
    let factors = [context.value(0), context.value(1)];
    let base = new_memory(context, &factors, true)?;
    Ok(Some(Value::Word(base)))
}

fn new_memory(context: &mut Context, factors: &[Value], zero: bool) -> Result<u64, Stop> {
    let defined = factors.iter().all(|factor| matches!(factor, Value::Word(_) | Value::Expr(_)));
    let wanted = match defined {
        true => wanted(context, factors)?,
        // Bits that nobody wrote are decided first.
        false => {
            let words = (0..factors.len()).map(|at| context.word(at)).collect::<Result<Vec<u64>, Stop>>()?;
            words.into_iter().try_fold(1u64, u64::checked_mul).map_or(Wanted::TooMany, Wanted::Bytes)
        }
    };
    match wanted {
        Wanted::TooMany => out_of_memory(context),
        Wanted::Bytes(bytes) => {
            let base = allocate(context, bytes, MALLOC_ALIGNMENT)?;
            if zero && base != 0 {
                context.state.memory.fill(base, 0, bytes)?;
            }
            Ok(base)
        }
        Wanted::Elastic { size, most } => {
            let site = context.executor.traces.here(&context.executor.image, context.state);
            match context.executor.allocate_elastic(context.state, size, most, MALLOC_ALIGNMENT, zero, site) {
                Some(base) => Ok(base),
                None => out_of_memory(context),
            }
        }
    }
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
    let size = context.value(1);
    let address = context.freed(0, Access::Reallocate)?;
    if address == 0 {
        return Ok(Some(Value::Word(new_memory(context, &[size], false)?)));
    }
    let wanted = match size {
        Value::Expr(size) if !is_zero(context, size)? => wanted(context, &[Value::Expr(size)])?,
        Value::Expr(_) => Wanted::Bytes(0),
        _ => Wanted::Bytes(context.word(1)?),
    };
    let site = context.executor.traces.here(&context.executor.image, context.state);
    let (bytes, size) = match wanted {
        Wanted::Bytes(0) => {
            // glibc frees and returns null.
            context.state.memory.free(address, site)?;
            return Ok(Some(Value::Word(0)));
        }
        Wanted::Bytes(bytes) if may_have(context, bytes)? => (bytes, None),
        Wanted::Elastic { size, most } => (most, Some(size)),
        Wanted::Bytes(_) | Wanted::TooMany => return Ok(Some(Value::Word(out_of_memory(context)?))),
    };
    // Null, with the old memory left alone, where there is no room.
    let (allocation, base) = context.state.memory.reallocate(address, bytes, site)?;
    if let (Some(size), true) = (size, base != 0) {
        context.executor.make_elastic(context.state, allocation, size);
    }
    Ok(Some(Value::Word(if base == 0 { out_of_memory(context)? } else { base })))
}

/// Whether a size that depends on inputs is 0 on this path; asks if both may be.
fn is_zero(context: &mut Context, size: Expr) -> Result<bool, Stop> {
    let mut symbolic = context.executor.symbolic();
    let zero = symbolic.equals(size, 0);
    let other = symbolic.arena.not(zero);
    let known = |condition| context.state.known.contains(&Fact::Holds(condition));
    match symbolic.arena.as_word(zero) {
        Some(decided) => Ok(decided != 0),
        None if known(zero) => Ok(true),
        None if known(other) => Ok(false),
        None => {
            let know = |condition| Alternative { condition, then: Then::Know(Fact::Holds(condition)) };
            Err(Stop::Fork(Fork { alternatives: smallvec![know(zero), know(other)] }))
        }
    }
}

pub(super) fn free(context: &mut Context) -> Result<Option<Value>, Stop> {
    let address = context.freed(0, Access::Free)?;
    let site = context.executor.traces.here(&context.executor.image, context.state);
    context.state.memory.free(address, site)?;
    Ok(None)
}

fn usable_size(context: &mut Context) -> Result<Option<Value>, Stop> {
    let address = context.word(0)?;
    let memory = &context.state.memory;
    let Some((allocation, _)) = memory.usable_size(address).and_then(|_| memory.resolve(address)) else {
        return Ok(Some(Value::Word(0)));
    };
    Ok(Some(memory.info(allocation).map_or(Value::Word(0), |info| context.state.size_of(&info))))
}
