//! The parameters of a function under test, as inputs: made from what the debug information says of their types. Memory behind pointers
//! is made when it is first looked at (`lazy`).

use std::rc::Rc;

use smallvec::SmallVec;
use symcrete_expr::{Expr, Value};
use symcrete_ir::debug::{DebugType, Variable};
use symcrete_ir::ids::DebugTypeId;
use symcrete_ir::{FuncId, Function, Type};
use symcrete_memory::{Cell, Kind, Site};

use super::inputs::require;
use super::lazy::Given;
use super::{Context, lazy};
use crate::inputs::InputKind;
use crate::outcome::Ended;
use crate::step::{Stop, access};

/// The external function that makes the parameters has this name, and behind it the name of the function under test.
pub const PREFIX: &str = "__symcrete_parameters.";

/// The values for all scalar parameters of a function. On `Err` nothing has changed but what is known of the instruction.
pub(super) fn make(context: &mut Context, function_name: &str) -> Result<SmallVec<[Value; 2]>, Stop> {
    let before = (context.state.memory.clone(), context.state.inputs.clone(), context.state.lazy.clone());
    let made = make_all(context, function_name);
    if made.is_err() {
        (context.state.memory, context.state.inputs, context.state.lazy) = before;
    }
    made
}

fn make_all(context: &mut Context, function_name: &str) -> Result<SmallVec<[Value; 2]>, Stop> {
    make_globals(context)?;
    let program = &context.executor.image.program;
    let name = function_name.strip_prefix(PREFIX).unwrap_or(function_name);
    let Some(id) = program.function_named(name) else { return Ok(SmallVec::new()) };
    let mut values = SmallVec::new();
    let function = &program.functions[id];
    let mut scalars: Vec<Type> = function.params.iter().map(|param| param.ty).collect();
    scalars.reverse();
    if let Some(bytes) = hidden_result(context, function) {
        scalars.pop();
        values.push(Value::Word(object(context, bytes)?));
    }
    for (at, variable) in source_parameters(context, id).into_iter().enumerate() {
        if scalars.is_empty() {
            break;
        }
        let name = if variable.name.is_empty() { format!("parameter {}", at + 1) } else { variable.name.clone() };
        let by_value = context.executor.image.program.functions[id].params[values.len()].by_value;
        match (by_value, variable.ty) {
            (Some(bytes), ty) => {
                scalars.pop();
                let contents = make_contents(context, &name, InputKind::Parameter, ty, bytes as u32)?;
                let address = object(context, bytes)?;
                context.state.memory.write_cells(address, &contents.cells)?;
                values.push(Value::Word(address));
                note(context, &name, ty, &contents);
            }
            (None, Some(ty)) => {
                let bytes = size(context, ty).unwrap_or(0) as u32;
                let contents = make_contents(context, &name, InputKind::Parameter, Some(ty), bytes)?;
                take_apart(context, &contents.cells, &mut scalars, &mut values);
                note(context, &name, Some(ty), &contents);
            }
            (None, None) => untyped(context, &name, &mut scalars, &mut values),
        }
    }
    // What the debug information does not mention.
    while !scalars.is_empty() {
        let name = format!("parameter {}", values.len() + 1);
        untyped(context, &name, &mut scalars, &mut values);
    }
    Ok(values)
}

/// Variables of the program that the user wants as inputs get their values before the call.
fn make_globals(context: &mut Context) -> Result<(), Stop> {
    for global in context.executor.config.globals.clone() {
        let image = &context.executor.image;
        let (data, address) = (&image.program.globals[global], image.global_address(global));
        let (name, ty) = match &data.debug {
            Some(debug) => (debug.name.clone(), debug.ty),
            None => (data.name.clone(), None),
        };
        let bytes = data.size as u32;
        let contents = make_contents(context, &name, InputKind::Parameter, ty, bytes)?;
        context.state.memory.write_cells(address, &contents.cells)?;
        let ty = ty.map_or_else(String::new, |ty| type_name(context, ty));
        let given = Given { global: true, ..contents.given(&name, &ty) };
        Rc::make_mut(&mut context.state.lazy.parameters).push(given);
    }
    Ok(())
}

/// The bytes of the memory for a result that is too large for registers: its address comes before all parameters.
fn hidden_result(context: &Context, function: &Function) -> Option<u64> {
    let result = function.debug.as_ref()?.result?;
    let bytes = size(context, result)?;
    let large = matches!(strip(context, result)?, DebugType::Struct { .. } | DebugType::Union { .. });
    (large && function.results.is_empty() && function.params.first()?.ty == Type::POINTER).then_some(bytes)
}

fn source_parameters(context: &Context, function: FuncId) -> Vec<Variable> {
    let debug = &context.executor.image.program.functions[function].debug;
    debug.as_ref().map_or_else(Vec::new, |debug| debug.params.clone())
}

/// A parameter of which only the machine's type is known.
fn untyped(context: &mut Context, name: &str, scalars: &mut Vec<Type>, values: &mut SmallVec<[Value; 2]>) {
    let Some(ty) = scalars.last() else { return };
    let bytes = u32::from(ty.bits(context.executor.image.pointer_bits())).div_ceil(8);
    let cells = context.state.inputs.make(&mut context.executor.arena, name, InputKind::Parameter, bytes, None);
    take_apart(context, &cells, scalars, values);
    note(context, name, None, &Contents { cells: cells.into_vec(), pointers: Vec::new() });
}

/// Remembers a parameter for the test.
fn note(context: &mut Context, name: &str, ty: Option<DebugTypeId>, contents: &Contents) {
    let ty = ty.map_or_else(String::new, |ty| type_name(context, ty));
    Rc::make_mut(&mut context.state.lazy.parameters).push(contents.given(name, &ty));
}

/// Hands the bytes of a parameter to as many scalars as it takes, each at the next place that suits its size, as the calling
/// conventions of x86 lay structures out in registers.
fn take_apart(context: &mut Context, cells: &[Cell], scalars: &mut Vec<Type>, values: &mut SmallVec<[Value; 2]>) {
    let pointer_bits = context.executor.image.pointer_bits();
    let mut at = 0;
    while at < cells.len() || at == 0 {
        let Some(ty) = scalars.pop() else { return };
        let width = u32::from(ty.bits(pointer_bits));
        let bytes = width.div_ceil(8) as usize;
        at = at.next_multiple_of(bytes.next_power_of_two().min(8));
        let here = &cells[at.min(cells.len())..(at + bytes).min(cells.len())];
        let mut symbolic = context.executor.symbolic();
        let value = match here.is_empty() {
            true => Value::undefined(width, 0),
            false => {
                let joined = access::join_cells(&mut symbolic, here);
                let whole = symbolic.resize(joined, width, false);
                symbolic.value(whole)
            }
        };
        values.push(value);
        // A long double is followed by padding, which is no scalar of its own.
        at += match width {
            80 if pointer_bits == 32 => 12,
            80 => 16,
            _ => bytes,
        };
    }
}

/// A type without its names and qualifiers.
pub(super) fn strip<'a>(context: &'a Context, ty: DebugTypeId) -> Option<&'a DebugType> {
    let types = &context.executor.image.program.debug.types;
    let mut ty = &types[ty];
    while let DebugType::Typedef { target, .. } | DebugType::Qualified { target } = ty {
        ty = &types[(*target)?];
    }
    Some(ty)
}

/// The bytes that a type takes.
pub(super) fn size(context: &Context, ty: DebugTypeId) -> Option<u64> {
    let bits = match strip(context, ty)? {
        DebugType::Base { bits, .. }
        | DebugType::Pointer { bits, .. }
        | DebugType::Array { bits, .. }
        | DebugType::Struct { bits, .. }
        | DebugType::Union { bits, .. }
        | DebugType::Enum { bits, .. } => *bits,
        _ => return None,
    };
    Some(bits.div_ceil(8))
}

/// The bytes of an input of a type: one input for all that is not a pointer, and one for each pointer in it.
pub(super) fn make_contents(
    context: &mut Context,
    name: &str,
    kind: InputKind,
    ty: Option<DebugTypeId>,
    bytes: u32,
) -> Result<Contents, Stop> {
    let pointers = ty.map_or_else(Vec::new, |ty| pointers(context, ty, name, 0));
    let text = ty.map(|ty| type_name(context, ty));
    let alone = pointers.len() == 1 && pointers[0].offset == 0 && bytes <= 8;
    let mut cells: Vec<Cell> = match alone {
        true => Vec::new(),
        false => {
            let made = context.state.inputs.make(&mut context.executor.arena, name, kind, bytes, text.as_deref());
            made.into_iter().collect()
        }
    };
    if let Some(ty) = ty {
        constrain(context, ty, &cells)?;
    }
    let unit = context.executor.image.pointer_bytes();
    let places = pointers.iter().map(|pointer| pointer.offset).collect();
    for pointer in pointers {
        let kind = if alone { kind } else { InputKind::Pointee };
        let expr = lazy::pointer(context, &pointer.name, kind, pointer.target)?;
        let parts = (0..unit).map(|index| Cell::Part { expr, index });
        match alone {
            true => cells = parts.collect(),
            false => cells[pointer.offset as usize..].iter_mut().zip(parts).for_each(|(cell, part)| *cell = part),
        }
    }
    Ok(Contents { cells, pointers: places })
}

/// The bytes of an input, and where there are pointers in it.
#[derive(Default)]
pub(super) struct Contents {
    pub cells: Vec<Cell>,
    pointers: Vec<u32>,
}

impl Contents {
    pub fn append(&mut self, other: Contents) {
        let offset = self.cells.len() as u32;
        self.pointers.extend(other.pointers.iter().map(|at| at + offset));
        self.cells.extend(other.cells);
    }

    pub fn given(&self, name: &str, ty: &str) -> Given {
        Given {
            name: name.into(),
            ty: ty.into(),
            cells: self.cells.clone().into(),
            pointers: self.pointers.clone().into(),
            global: false,
        }
    }
}

/// What a type promises of its values: a `_Bool` is 0 or 1.
fn constrain(context: &mut Context, ty: DebugTypeId, cells: &[Cell]) -> Result<(), Stop> {
    use symcrete_ir::debug::Encoding;
    if let (Some(DebugType::Base { encoding: Encoding::Boolean, .. }), [Cell::Part { expr, index }]) =
        (strip(context, ty), cells)
    {
        let (expr, index) = (*expr, *index);
        let mut symbolic = context.executor.symbolic();
        let byte: Expr = symbolic.byte(expr, index);
        let one = symbolic.constant_byte(1);
        let small = symbolic.arena.compare(symcrete_expr::dag::Op::UnsignedLessEqual, byte, one);
        require(context, small, Ended::Discarded)?;
    }
    Ok(())
}

/// A pointer inside an input.
struct PointerPart {
    name: String,
    offset: u32,
    target: Option<DebugTypeId>,
}

/// The pointers in a type, by their place.
fn pointers(context: &Context, ty: DebugTypeId, name: &str, offset: u32) -> Vec<PointerPart> {
    match strip(context, ty) {
        Some(DebugType::Pointer { target, .. }) => {
            vec![PointerPart { name: name.to_owned(), offset, target: *target }]
        }
        Some(DebugType::Struct { members, .. }) => {
            let members = members.clone();
            let joined = |member: &str| {
                if let Some(base) = name.strip_prefix('*') {
                    format!("{base}->{member}")
                } else {
                    format!("{name}.{member}")
                }
            };
            let inside = members.iter().filter(|member| !member.bit_field).filter_map(|member| {
                let at = offset + (member.offset_bits / 8) as u32;
                Some(pointers(context, member.ty?, &joined(&member.name), at))
            });
            inside.flatten().collect()
        }
        Some(DebugType::Array { element: Some(element), counts, .. }) => {
            let (element, count) = (*element, counts.iter().map(|count| count.unwrap_or(0)).product::<u64>());
            let Some(bytes) = size(context, element) else { return Vec::new() };
            let each = |at: u64| pointers(context, element, &format!("{name}[{at}]"), offset + (at * bytes) as u32);
            (0..count).flat_map(each).collect()
        }
        _ => Vec::new(),
    }
}

/// A type as C writes it.
pub(super) fn type_name(context: &Context, ty: DebugTypeId) -> String {
    context.executor.image.program.debug.type_name(ty)
}

/// Fresh memory of so many bytes, of which nothing is written yet.
fn object(context: &mut Context, bytes: u64) -> Result<u64, Stop> {
    let made = context.state.memory.allocate(bytes, 16, Kind::Environment, Site(0));
    Ok(made.map_err(|_| Ended::OutOfMemory { bytes })?.1)
}
