//! The functions by which programs ask for inputs and say what they assume: KLEE's, SV-COMP's and Symcrete's own.

use std::ops::RangeInclusive;

use symcrete_expr::Value;
use symcrete_expr::dag::Op;

use symcrete_memory::{Kind, Site};

use super::{Context, Row};
use crate::inputs::InputKind;
use crate::opaque::{ANSWERED, Outcome};
use crate::outcome::{Alternative, Ended, Fact, Fork, Then};
use crate::step::Stop;

type Answer = Result<Option<Value>, Stop>;

pub const TABLE: &[Row] = &[
    ("klee_make_symbolic", make_symbolic),
    ("symcrete_make_symbolic", make_symbolic),
    ("klee_assume", assume),
    ("symcrete_assume", assume),
    ("__VERIFIER_assume", assume),
    ("klee_range", range),
    ("klee_int", int),
    ("klee_choose", klee_choose),
    ("klee_is_replay", zero),
    ("__VERIFIER_nondet_memory", nondet_memory),
    ("__VERIFIER_atomic_begin", nothing),
    ("__VERIFIER_atomic_end", nothing),
    ("klee_is_symbolic", is_symbolic),
    ("symcrete_is_symbolic", is_symbolic),
    ("klee_prefer_cex", prefer),
    ("klee_posix_prefer_cex", prefer),
    ("klee_open_merge", nothing),
    ("klee_close_merge", nothing),
    ("klee_merge", nothing),
    ("klee_mark_global", nothing),
    ("klee_print_expr", nothing),
    ("klee_print_range", nothing),
    ("klee_stack_trace", nothing),
    ("klee_set_forking", nothing),
    ("klee_alias_function", nothing),
    ("klee_check_memory_access", check_memory_access),
    ("klee_get_obj_size", object_size),
    ("klee_warning", nothing),
    ("klee_warning_once", nothing),
    ("klee_report_error", report_error),
    ("klee_silent_exit", silent_exit),
    ("klee_abort", abort),
    ("klee_get_value_i32", get_value),
    ("klee_get_value_i64", get_value),
    ("klee_get_valuef", get_value),
    ("klee_get_valued", get_value),
    ("klee_get_valuel", get_value),
    ("klee_get_valuell", get_value),
    ("symcrete_target", nothing),
    (crate::opaque::declared::MARKER, nothing),
    (crate::opaque::domains::MARKER, nothing),
    ("symcrete_assertion_failed", assertion_failed),
    ("symcrete_choice", choice),
    ("__symcrete_fuzzer_size", fuzzer_size),
    ("__symcrete_fuzzer_data", fuzzer_data),
    ("symcrete_range", own_range),
    ("reach_error", reach_error),
    ("__VERIFIER_error", reach_error),
];

/// Functions that return a new input: their name after the prefix, and the type that they return.
const RESULTS: &[(&str, &str)] = &[
    ("bool", "_Bool"),
    ("char", "char"),
    ("schar", "signed char"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned int"),
    ("unsigned", "unsigned int"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("llong", "long long"),
    ("ullong", "unsigned long long"),
    ("size", "unsigned long"),
    ("ldouble", "long double"),
    ("float", "float"),
    ("double", "double"),
    ("size_t", "unsigned long"),
    ("loff_t", "long long"),
    ("pointer", "void *"),
    ("pchar", "char *"),
    ("u8", "unsigned char"),
    ("u16", "unsigned short"),
    ("u32", "unsigned int"),
    ("u64", "unsigned long"),
    ("u128", "unsigned __int128"),
    ("int8", "signed char"),
    ("int16", "short"),
    ("int32", "int"),
    ("int64", "long"),
    ("int128", "__int128"),
    ("uint8", "unsigned char"),
    ("uint16", "unsigned short"),
    ("uint32", "unsigned int"),
    ("uint64", "unsigned long"),
    ("uint128", "unsigned __int128"),
    ("s8", "signed char"),
    ("s16", "short"),
    ("s32", "int"),
    ("s64", "long"),
    ("U8", "unsigned char"),
    ("U16", "unsigned short"),
    ("U32", "unsigned int"),
    ("U64", "unsigned long"),
    ("unsigned_int", "unsigned int"),
    ("unsigned_char", "unsigned char"),
    ("unsigned_short", "unsigned short"),
    ("unsigned_long", "unsigned long"),
    ("long_long", "long long"),
    ("long_double", "long double"),
    ("_Bool", "_Bool"),
    ("charp", "char *"),
    ("sector_t", "unsigned long"),
    ("pthread_t", "unsigned long"),
];

/// The type that a function returns as a new input, by its name.
pub(super) fn result_type(function: &str) -> Option<&'static str> {
    let suffix = function.strip_prefix("__VERIFIER_nondet_").or_else(|| function.strip_prefix("symcrete_"))?;
    RESULTS.iter().find(|(known, _)| *known == suffix).map(|(_, ty)| *ty)
}

/// A call that returns a new input. Symcrete's own take a name; SV-COMP's are named after what they return.
pub(super) fn new_result(context: &mut Context, function: &str, ty: &'static str) -> Answer {
    let data = &context.executor.image.body(context.state.top.function).calls[context.call];
    let result = data.result_types.first().copied();
    let Some(result) = result else { return Ok(None) };
    let named = function.starts_with("symcrete_") && !data.args.is_empty();
    let name = if named { name(context, 0)? } else { function.to_owned() };
    let width = u32::from(result.bits(context.executor.image.pointer_bits()));
    Ok(Some(input(context, &name, width, ty)))
}

/// A new input of so many bits as a value.
fn input(context: &mut Context, name: &str, width: u32, ty: &str) -> Value {
    let bytes = width.div_ceil(8);
    let cells = context.state.inputs.make(&mut context.executor.arena, name, InputKind::Result, bytes, Some(ty));
    let mut symbolic = context.executor.symbolic();
    let whole = crate::step::access::join_cells(&mut symbolic, &cells);
    let expr = symbolic.resize(whole, width, false);
    symbolic.value(expr)
}

fn name(context: &mut Context, at: usize) -> Result<String, Stop> {
    let address = context.word(at)?;
    if address == 0 {
        return Ok("input".to_owned());
    }
    Ok(String::from_utf8_lossy(&context.text(address, 256)?).into_owned())
}

fn make_symbolic(context: &mut Context) -> Answer {
    let name = name(context, 2)?;
    make_memory_symbolic(context, &name)
}

fn nondet_memory(context: &mut Context) -> Answer {
    make_memory_symbolic(context, "memory")
}

/// The type of the variable that these bytes are, all of them, as C writes it.
fn variable_type(context: &Context, address: u64, bytes: u32) -> Option<String> {
    let (allocation, _) = context.state.memory.resolve(address)?;
    let info = context.state.memory.info(allocation)?;
    let program = &context.executor.image.program;
    let ty = match info.kind {
        Kind::Stack => crate::diagnose::local_variable(&context.executor.image.program, &info)?.1.ty?,
        Kind::Global => {
            let global = program.globals.keys().find(|global| global.as_u32() == info.allocated_at.0)?;
            program.globals[global].debug.as_ref()?.ty?
        }
        _ => return None,
    };
    (info.base == address && info.size == u64::from(bytes)).then(|| program.debug.type_name(ty))
}

/// The first argument is where, the second one how many bytes.
fn make_memory_symbolic(context: &mut Context, name: &str) -> Answer {
    let (address, bytes) = (context.word(0)?, context.word(1)?);
    let bytes = u32::try_from(bytes).map_err(|_| Ended::Unsupported("an input of more than 4 GiB".to_owned()))?;
    let ty = variable_type(context, address, bytes);
    let before = context.state.inputs.clone();
    let cells = context.state.inputs.make(&mut context.executor.arena, name, InputKind::Object, bytes, ty.as_deref());
    if let Err(fault) = context.state.memory.write_cells(address, &cells) {
        context.state.inputs = before;
        return Err(fault.into());
    }
    Ok(None)
}

fn assume(context: &mut Context) -> Answer {
    let value = context.value(0);
    let Value::Expr(expr) = value else {
        return match context.word(0)? {
            0 => Err(Ended::Discarded.into()),
            _ => Ok(None),
        };
    };
    let mut symbolic = context.executor.symbolic();
    let zero = symbolic.equals(expr, 0);
    let condition = symbolic.arena.not(zero);
    require(context, condition, Ended::Discarded)
}

/// Goes on where the condition holds; where it does not the path ends so.
pub(super) fn require(context: &mut Context, condition: symcrete_expr::Expr, otherwise: Ended) -> Answer {
    let arena = &mut context.executor.arena;
    match arena.as_word(condition) {
        Some(0) => return Err(otherwise.into()),
        Some(_) => return Ok(None),
        None if context.state.known.contains(&Fact::Holds(condition)) => return Ok(None),
        None => {}
    }
    let opposite = arena.not(condition);
    Err(Stop::Fork(Fork {
        alternatives: smallvec::smallvec![
            Alternative { condition, then: Then::Know(Fact::Holds(condition)) },
            Alternative { condition: opposite, then: Then::End(Box::new(otherwise)) },
        ],
    }))
}

/// `klee_range(begin, end, name)`: an int that is not less than the one and less than the other.
fn range(context: &mut Context) -> Answer {
    let (begin, end) = (context.int(0)?, context.int(1)?);
    let name = name(context, 2)?;
    bounded(context, &name, 32, Op::SignedLessEqual, i64::from(begin)..=i64::from(end) - 1)
}

/// `symcrete_range(low, high, name)`: an int between the two, or one of them.
fn own_range(context: &mut Context) -> Answer {
    let (low, high) = (context.int(0)?, context.int(1)?);
    let name = name(context, 2)?;
    bounded(context, &name, 32, Op::SignedLessEqual, i64::from(low)..=i64::from(high))
}

/// `symcrete_choice(count, name)`: a number below the count.
fn choice(context: &mut Context) -> Answer {
    let count = i64::from(context.word(0)? as u32);
    let name = name(context, 1)?;
    bounded(context, &name, 32, Op::UnsignedLessEqual, 0..=count - 1)
}

/// `klee_choose(count)`: the same of the size of a pointer.
fn klee_choose(context: &mut Context) -> Answer {
    let count = i64::try_from(context.word(0)?).unwrap_or(i64::MAX);
    let width = u32::from(context.executor.image.pointer_bits());
    bounded(context, "klee_choose", width, Op::UnsignedLessEqual, 0..=count - 1)
}

fn zero(_: &mut Context) -> Answer {
    Ok(Some(Value::Word(0)))
}

/// A new input between two bounds.
fn bounded(context: &mut Context, name: &str, width: u32, order: Op, bounds: RangeInclusive<i64>) -> Answer {
    let ty = match (order, width) {
        (Op::SignedLessEqual, _) => "int",
        (_, 32) => "unsigned int",
        _ => "unsigned long",
    };
    let (low, high) = bounds.into_inner();
    if low > high {
        let message = format!("`{name}` should be a number from {low} to {high}, and there is none");
        return Err(Ended::Reported { message, kind: "empty-range".to_owned() }.into());
    }
    let before = context.state.inputs.clone();
    let value = input(context, name, width, ty);
    let mut symbolic = context.executor.symbolic();
    let expr = symbolic.expr(width, &value);
    let (low, high) = (symbolic.arena.word(width, low as u64), symbolic.arena.word(width, high as u64));
    let above = symbolic.arena.compare(order, low, expr);
    let below = symbolic.arena.compare(order, expr, high);
    let inside = symbolic.arena.binary(Op::And, above, below);
    match require(context, inside, Ended::Discarded) {
        Ok(_) => Ok(Some(value)),
        Err(stop) => {
            context.state.inputs = before;
            Err(stop)
        }
    }
}

/// How many bytes a fuzz target is given.
fn fuzzer_size(context: &mut Context) -> Answer {
    let most = context.executor.config.fuzzer_bytes;
    let width = u32::from(context.executor.image.pointer_bits());
    let before = context.state.inputs.clone();
    let arena = &mut context.executor.arena;
    let cells = context.state.inputs.make(arena, "size", InputKind::Length, width / 8, Some("unsigned long"));
    let mut symbolic = context.executor.symbolic();
    let expr = crate::step::access::join_cells(&mut symbolic, &cells);
    let count = symbolic.arena.word(width, most + 1);
    if symbolic.arena.as_word(expr).is_some() {
        let rest = symbolic.arena.binary(Op::URem, expr, count);
        return Ok(Some(symbolic.value(rest)));
    }
    let fits = symbolic.arena.compare(Op::UnsignedLess, expr, count);
    match require(context, fits, Ended::Discarded) {
        Ok(_) => Ok(Some(Value::Expr(expr))),
        Err(stop) => {
            context.state.inputs = before;
            Err(stop)
        }
    }
}

fn fuzzer_data(context: &mut Context) -> Answer {
    let most = context.executor.config.fuzzer_bytes;
    let (base, bytes) = match context.value(0) {
        Value::Expr(size) => (context.executor.allocate_elastic(context.state, size, most, 1, false, Site(0)), most),
        _ => {
            let bytes = context.word(0)?;
            let made = context.state.memory.allocate(bytes, 1, Kind::Heap, Site(0));
            (made.ok().map(|(_, base)| base), bytes)
        }
    };
    let base = base.ok_or(Ended::OutOfMemory { bytes })?;
    let arena = &mut context.executor.arena;
    let ty = format!("unsigned char[{bytes}]");
    let cells = context.state.inputs.make(arena, "data", InputKind::Object, bytes as u32, Some(&ty));
    context.state.memory.with_elastic_access(|memory| memory.write_cells(base, &cells))?;
    Ok(Some(Value::Word(base)))
}

fn int(context: &mut Context) -> Answer {
    let name = name(context, 0)?;
    Ok(Some(input(context, &name, 32, "int")))
}

/// Whether a value depends on inputs. A run on given inputs cannot tell: it is given the answers of the path that it confirms, and other runs
/// are of no use.
fn is_symbolic(context: &mut Context) -> Answer {
    let data = &context.executor.image.body(context.state.top.function).calls[context.call];
    let is_constant = data.args.first().is_none_or(|operand| operand.as_reg().is_none());
    let outcome = match context.state.native.supplied() {
        Some(known) => known,
        None if !is_constant && context.state.inputs.supply.is_some() => return Err(Ended::Discarded.into()),
        None => Outcome { status: ANSWERED, result: u128::from(matches!(context.value(0), Value::Expr(_))) },
    };
    context.state.native.push(outcome);
    Ok(Some(Value::Word(outcome.result as u64)))
}

/// `klee_prefer_cex(object, condition)`: inputs that satisfy the condition are better than others of the same path.
fn prefer(context: &mut Context) -> Answer {
    if let Value::Expr(expr) = context.value(1) {
        let mut symbolic = context.executor.symbolic();
        let zero = symbolic.equals(expr, 0);
        let condition = symbolic.arena.not(zero);
        std::rc::Rc::make_mut(&mut context.state.preferred).push(condition);
    }
    Ok(None)
}

fn nothing(_: &mut Context) -> Answer {
    Ok(None)
}

fn check_memory_access(context: &mut Context) -> Answer {
    let (address, bytes) = (context.word(0)?, context.word(1)?);
    let mut cells = Vec::new();
    context.state.memory.read_cells(address, bytes, &mut cells)?;
    Ok(None)
}

fn object_size(context: &mut Context) -> Answer {
    let address = context.word(0)?;
    let memory = &context.state.memory;
    let info = memory.resolve(address).and_then(|(allocation, _)| memory.info(allocation));
    match info {
        // The native run knows its own heap; of all else it is told.
        Some(info) if info.kind == Kind::Heap => Ok(Some(context.state.size_of(&info))),
        info => {
            let size = info.map_or(Value::Word(0), |info| context.state.size_of(&info));
            let result = size.as_word().unwrap_or_default().into();
            context.state.native.push(Outcome { status: ANSWERED, result });
            Ok(Some(size))
        }
    }
}

fn report_error(context: &mut Context) -> Answer {
    let (message, kind) = (name(context, 2)?, name(context, 3)?);
    Err(Ended::Reported { message, kind }.into())
}

fn silent_exit(_: &mut Context) -> Answer {
    Err(Ended::Discarded.into())
}

fn abort(_: &mut Context) -> Answer {
    Err(Ended::Aborted.into())
}

/// The value of an expression, one path for each.
fn get_value(context: &mut Context) -> Answer {
    Ok(Some(Value::Word(context.word(0)?)))
}

fn assertion_failed(context: &mut Context) -> Answer {
    let (expression, function) = (name(context, 0)?, name(context, 3)?);
    Err(Ended::AssertionFailed { expression, function }.into())
}

fn reach_error(_: &mut Context) -> Answer {
    Err(Ended::Reported { message: "reach_error() was called".to_owned(), kind: "reach-error".to_owned() }.into())
}
