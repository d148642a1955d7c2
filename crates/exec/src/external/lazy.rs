//! Memory behind pointers that are inputs: a pointer is null, or points to a new object, or to one of the same type that is there.
//! What an object holds is made when it is first accessed, so that a list or a tree grows as far as the program looks.

use std::collections::BTreeMap;
use std::rc::Rc;

use cranelift_entity::packed_option::ReservedValue;
use symcrete_expr::Expr;
use symcrete_expr::dag::Op;
use symcrete_ir::Call;
use symcrete_ir::debug::DebugType;
use symcrete_ir::ids::DebugTypeId;
use symcrete_memory::{AllocationId, Cell, Kind, Site};

use super::Context;
use super::inputs::require;
use super::parameters::{Contents, make_contents, size, strip, type_name};
use crate::Executor;
use crate::inputs::InputKind;
use crate::outcome::Ended;
use crate::state::State;
use crate::step::Stop;

/// The objects of one path that inputs point to.
#[derive(Clone, Default)]
pub struct LazyObjects {
    all: Rc<BTreeMap<u64, LazyObject>>,
    /// The variables of the program that are inputs, and the parameters of the function under test.
    pub parameters: Rc<Vec<Given>>,
}

/// Memory as it was given: a parameter, or what an object held at first.
#[derive(Clone, Debug)]
pub struct Given {
    pub name: Rc<str>,
    /// As C writes it.
    pub ty: Rc<str>,
    pub cells: Rc<[Cell]>,
    /// Where in it there are pointers.
    pub pointers: Rc<[u32]>,
    /// A variable of the program.
    pub global: bool,
}

#[derive(Clone, Debug)]
pub struct LazyObject {
    pub allocation: AllocationId,
    pub name: Rc<str>,
    ty: Option<DebugTypeId>,
    elements: u64,
    element_bytes: u64,
    /// What was put into it, once somebody looked.
    given: Option<Given>,
}

impl LazyObject {
    /// What it held at first; `None` if nobody looked.
    pub fn given(&self) -> Option<&Given> {
        self.given.as_ref()
    }

    pub fn bytes(&self) -> u64 {
        self.elements * self.element_bytes
    }
}

impl LazyObjects {
    /// By address.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &LazyObject)> {
        self.all.iter().map(|(base, object)| (*base, object))
    }
}

impl Given {
    pub(crate) fn visit_exprs(&self, visit: &mut impl FnMut(Expr)) {
        for cell in self.cells.iter() {
            if let Cell::Part { expr, .. } = cell {
                visit(*expr);
            }
        }
    }
}

/// How many elements an object behind a pointer has, by what they are.
#[derive(Clone, Debug)]
pub struct Elements {
    /// Characters of a string, its NUL not counted. Default: 8.
    pub characters: u64,
    /// Numbers and pointers. Default: 4.
    pub scalars: u64,
    /// Structures. Default: 1.
    pub structures: u64,
}

impl Default for Elements {
    fn default() -> Self {
        Elements { characters: 8, scalars: 4, structures: 1 }
    }
}

/// A new pointer: the variable, required to be null or the address of an object.
pub(super) fn pointer(
    context: &mut Context,
    name: &str,
    kind: InputKind,
    target: Option<DebugTypeId>,
) -> Result<Expr, Stop> {
    let bytes = context.executor.image.pointer_bytes();
    let ty = target.map(|target| format!("{} *", type_name(context, target)));
    let cells = context.state.inputs.make(&mut context.executor.arena, name, kind, bytes, ty.as_deref());
    let mut targets = vec![0];
    if let Some(base) = new_object(context, name, target)? {
        targets.extend(context.state.lazy.iter().filter(|(_, object)| object.ty == target).map(|(base, _)| base));
        if !targets.contains(&base) {
            targets.push(base);
        }
    }
    let expr = match cells.first() {
        Some(Cell::Part { expr, .. }) => *expr,
        _ => return Ok(concrete(context, &cells, &targets)),
    };
    let mut symbolic = context.executor.symbolic();
    let no = symbolic.arena.boolean(false);
    let mut domain = no;
    for target in targets {
        let equal = symbolic.equals(expr, target);
        domain = symbolic.arena.binary(Op::Or, domain, equal);
    }
    require(context, domain, Ended::Discarded)?;
    Ok(expr)
}

/// In a concrete run: the target that the bytes name, or else any.
fn concrete(context: &mut Context, cells: &[Cell], targets: &[u64]) -> Expr {
    let byte = |cell: &Cell| if let Cell::Byte { bits, .. } = cell { u64::from(*bits) } else { 0 };
    let number = cells.iter().rev().fold(0u64, |number, cell| number << 8 | byte(cell));
    let address = if targets.contains(&number) { number } else { targets[number as usize % targets.len()] };
    let width = u32::from(context.executor.image.pointer_bits());
    context.executor.arena.word(width, address)
}

/// Memory for what a pointer points to; `None` for functions and types of unknown size.
fn new_object(context: &mut Context, name: &str, target: Option<DebugTypeId>) -> Result<Option<u64>, Stop> {
    let elements = context.executor.config.elements.clone();
    let shape = target.and_then(|target| strip(context, target).cloned());
    let (count, element_bytes, terminated) = match &shape {
        // `void *` and what is only declared: bytes.
        None | Some(DebugType::Void) => (elements.characters, 1, false),
        Some(DebugType::Base { bits: 8, .. }) => (elements.characters, 1, true),
        Some(DebugType::Struct { .. } | DebugType::Union { .. }) => {
            let Some(bytes) = target.and_then(|target| size(context, target)) else { return Ok(None) };
            (elements.structures, bytes, false)
        }
        Some(DebugType::Function { .. } | DebugType::Opaque { .. }) => return Ok(None),
        Some(_) => {
            let Some(bytes) = target.and_then(|target| size(context, target)) else { return Ok(None) };
            (elements.scalars, bytes, false)
        }
    };
    let bytes = count * element_bytes + u64::from(terminated);
    let made = context.state.memory.allocate(bytes, 16, Kind::Heap, Site(0));
    let (allocation, base) = made.map_err(|_| Ended::OutOfMemory { bytes })?;
    context.state.memory.set_elastic(allocation);
    let object = LazyObject { allocation, name: name.into(), ty: target, elements: count, element_bytes, given: None };
    Rc::make_mut(&mut context.state.lazy.all).insert(base, object);
    Ok(Some(base))
}

/// Fills the object that an access met for the first time. `false` if the allocation is none of these. On `Err` nothing has
/// changed but what is known of the instruction.
pub(crate) fn fill(executor: &mut Executor, state: &mut State, allocation: AllocationId) -> Result<bool, Stop> {
    let context = &mut Context { executor, state, call: Call::reserved_value() };
    let found = context.state.lazy.iter().find(|(_, object)| object.allocation == allocation && object.given.is_none());
    let Some((base, object)) = found.map(|(base, object)| (base, object.clone())) else { return Ok(false) };
    let before = (context.state.memory.clone(), context.state.inputs.clone(), context.state.lazy.clone());
    let filled = fill_object(context, base, &object);
    if filled.is_err() {
        (context.state.memory, context.state.inputs, context.state.lazy) = before;
    }
    filled.map(|()| true)
}

fn fill_object(context: &mut Context, base: u64, object: &LazyObject) -> Result<(), Stop> {
    context.state.memory.set_rigid(object.allocation);
    let element = object.ty.map_or("char".to_owned(), |ty| type_name(context, ty));
    let shape = object.ty.and_then(|ty| strip(context, ty).cloned());
    let mut contents = Contents::default();
    if object.elements == 1 {
        contents =
            make_contents(context, &format!("*{}", object.name), InputKind::Pointee, object.ty, object.bytes() as u32)?;
    } else if matches!(shape, Some(DebugType::Pointer { .. } | DebugType::Struct { .. })) {
        for at in 0..object.elements {
            let name = format!("{}[{at}]", object.name);
            let one = make_contents(context, &name, InputKind::Pointee, object.ty, object.element_bytes as u32)?;
            contents.append(one);
        }
    } else {
        let ty = format!("{element}[{}]", object.elements);
        let (name, arena) = (format!("*{}", object.name), &mut context.executor.arena);
        let cells = context.state.inputs.make(arena, &name, InputKind::Pointee, object.bytes() as u32, Some(&ty));
        contents.cells.extend(cells);
    }
    // A string ends with a NUL.
    let size = context.state.memory.info(object.allocation).map_or(0, |info| info.size);
    contents.cells.resize(size as usize, Cell::Byte { bits: 0, undefined: 0 });
    context.state.memory.write_cells(base, &contents.cells)?;
    let many = size / object.element_bytes.max(1);
    let ty = if many == 1 { element } else { format!("{element}[{many}]") };
    if let Some(known) = Rc::make_mut(&mut context.state.lazy.all).get_mut(&base) {
        known.given = Some(contents.given(&format!("*{}", object.name), &ty));
    }
    Ok(())
}
