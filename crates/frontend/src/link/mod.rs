//! Several modules into one program: who defines what, what is needed of the runtime, in which order things are lowered.

mod ifunc;
mod resolve;
mod structors;
mod symbols;

use symcrete_ir::{FuncId, GlobalId as IrGlobalId, Initialiser, Layout, Program};

pub(crate) use symbols::Symbols;

use crate::Error;
use crate::lower::debug::Files;
use crate::lower::function::lower_function;
use crate::lower::layout::{DataLayout, is_32_bit_x86};
use crate::lower::types::Types;
use crate::lower::{Lowering, Problem, Unit, UnitCache, UnitIndex};
use crate::module::{GlobalId, GlobalKind, Linkage, Module, Value};
use structors::When;

/// What a global stands for in the program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Target {
    Function(FuncId),
    /// A variable and an offset into it.
    Variable(IrGlobalId, i64),
    /// A fixed address; 0 for weak references to nothing.
    Absolute(u64),
}

/// A definition that is still to be lowered.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Work {
    Function {
        function: FuncId,
        unit: UnitIndex,
        global: GlobalId,
    },
    Ifunc {
        function: FuncId,
        unit: UnitIndex,
        global: GlobalId,
    },
    /// What stands in the text beside a function.
    Text {
        function: FuncId,
        unit: UnitIndex,
        global: GlobalId,
    },
    Variable {
        variable: IrGlobalId,
        unit: UnitIndex,
        global: GlobalId,
    },
}

/// A decoded module and where it comes from.
pub(crate) struct Part<'a> {
    pub name: &'a str,
    pub module: Module,
    pub runtime: bool,
    pub file_bytes: u64,
}

/// What the runtime always contributes, whether or not the program names it.
const RUNTIME_ROOTS: [&str; 4] = ["__symcrete_start", "atexit", "exit", "__symcrete_flush_all"];

/// Links and lowers modules.
pub(crate) fn link(parts: &[Part]) -> Result<Program, Error> {
    let units: Vec<Unit> = parts.iter().map(make_unit).collect::<Result<_, _>>()?;
    let main = units.iter().find(|unit| !unit.runtime).or(units.first()).ok_or(Error::NoInput)?;
    if let Some(other) = units.iter().find(|unit| unit.types.pointer_bits != main.types.pointer_bits) {
        return Err(Error::PointerWidths {
            first: main.name.to_owned(),
            first_bits: main.types.pointer_bits,
            second: other.name.to_owned(),
            second_bits: other.types.pointer_bits,
        });
    }
    let layout = Layout { triple: main.module.triple.clone(), pointer_bits: main.types.pointer_bits };
    let mut lowering = Lowering {
        units: &units,
        caches: units.iter().map(UnitCache::new).collect(),
        program: Program::new(layout),
        symbols: Symbols::new(&units)?,
        files: Files::default(),
        work: Vec::new(),
    };
    add_definitions(&mut lowering)?;
    add_roots(&mut lowering)?;
    lower_all(&mut lowering)?;
    Ok(lowering.program)
}

fn make_unit<'a>(part: &'a Part<'a>) -> Result<Unit<'a>, Error> {
    let file_problem = |problem| Error::in_file(part.name, problem);
    let module = &part.module;
    let data = check_target(part.name, module)?;
    let types = Types::new(&module.types, data).map_err(file_problem)?;
    Ok(Unit { name: part.name, module, runtime: part.runtime, file_bytes: part.file_bytes, types })
}

/// The data layout of a module for a machine that we can stand in for.
pub(crate) fn check_target(file: &str, module: &Module) -> Result<DataLayout, Error> {
    let triple = module.triple.as_str();
    let is_x86 = triple.starts_with("x86_64") || triple.starts_with("amd64") || is_32_bit_x86(triple);
    let foreign = || Error::ForeignTarget { file: file.to_owned(), target: target_name(triple) };
    if !is_x86 && !triple.is_empty() {
        return Err(foreign());
    }
    let data = DataLayout::parse(&module.data_layout, triple).map_err(|problem| Error::in_file(file, problem))?;
    if data.little_endian { Ok(data) } else { Err(foreign()) }
}

fn target_name(triple: &str) -> String {
    match triple {
        "" => "a big-endian machine".to_owned(),
        _ => triple.chars().take(100).collect(),
    }
}

/// Numbers everything that the program's own modules define, in the order of the files.
fn add_definitions(lowering: &mut Lowering) -> Result<(), Error> {
    let units = lowering.units;
    for (index, unit) in units.iter().enumerate().filter(|(_, unit)| !unit.runtime) {
        for (id, global) in unit.module.globals.iter() {
            let is_description = global.name.starts_with("llvm.") || global.section.as_deref() == Some("llvm.metadata");
            if global.is_declaration() || is_description {
                continue;
            }
            let is_chosen = match global.linkage {
                Linkage::Internal | Linkage::Private => true,
                Linkage::AvailableExternally | Linkage::Appending => false,
                _ if global.name.is_empty() => true,
                _ => {
                    let definition = lowering.symbols.definition(&global.name);
                    definition.is_some_and(|definition| (definition.unit, definition.global) == (index, id))
                }
            };
            if is_chosen {
                lowering.materialise(index, id).map_err(|problem| Error::in_symbol(unit, id, problem))?;
            }
        }
    }
    Ok(())
}

fn add_roots(lowering: &mut Lowering) -> Result<(), Error> {
    let units = lowering.units;
    for root in RUNTIME_ROOTS {
        if let Some(definition) = lowering.symbols.definition(root) {
            let made = lowering.materialise(definition.unit, definition.global);
            made.map_err(|problem| Error::in_symbol(&units[definition.unit], definition.global, problem))?;
        }
    }
    let in_file = |(unit, problem): (UnitIndex, Problem)| Error::in_file(units[unit].name, problem);
    lowering.program.constructors = lowering.structors(When::Before).map_err(in_file)?;
    lowering.program.destructors = lowering.structors(When::After).map_err(in_file)?;
    Ok(())
}

/// Lowers what is on the list until nothing new is referred to.
fn lower_all(lowering: &mut Lowering) -> Result<(), Error> {
    let units = lowering.units;
    let mut next = 0;
    while let Some(work) = lowering.work.get(next).copied() {
        next += 1;
        match work {
            Work::Function { function, unit, global } => lower_function(lowering, function, unit, global)
                .map_err(|failure| Error::in_function(&units[unit], global, failure))?,
            Work::Ifunc { function, unit, global } => lowering
                .lower_ifunc(function, unit, global)
                .map_err(|problem| Error::in_symbol(&units[unit], global, problem))?,
            Work::Text { function, unit, global } => lower_text(lowering, function, unit, global)
                .map_err(|problem| Error::in_symbol(&units[unit], global, problem))?,
            Work::Variable { variable, unit, global } => lower_variable(lowering, variable, unit, global)
                .map_err(|problem| Error::in_symbol(&units[unit], global, problem))?,
        }
    }
    Ok(())
}

/// The data before and behind the address of a function that says what type it has.
fn lower_text(lowering: &mut Lowering, function: FuncId, unit: UnitIndex, global: GlobalId) -> Result<(), Problem> {
    let module = lowering.units[unit].module;
    let Some(source) = module.globals[global].function() else { return Ok(()) };
    let mut data = Vec::new();
    for (constant, is_before) in [(source.prologue, false), (source.prefix, true)] {
        let Some(constant) = constant else { continue };
        let size = lowering.units[unit].types.layout(module.constants[constant].ty)?.size;
        let start = if is_before { -(size as i64) } else { 0 };
        data.push((start, lowering.initialiser(unit, constant, size)?));
    }
    let mut bytes = Vec::new();
    for element in module.metadata.elements(source.signature).iter().flatten() {
        let Some(Value::Constant(constant)) = module.metadata.value(*element) else { return Ok(()) };
        let number = lowering.constant_scalar(unit, constant)?;
        let number = number.as_const().and_then(|number| lowering.known_word(number)).unwrap_or(0);
        bytes.extend((number as u32).to_le_bytes());
    }
    if !bytes.is_empty() {
        data.push((-(bytes.len() as i64), Initialiser { bytes, relocations: Vec::new() }));
    }
    lowering.program.functions[function].text_data = data;
    Ok(())
}

fn lower_variable(
    lowering: &mut Lowering,
    variable: IrGlobalId,
    unit: UnitIndex,
    global: GlobalId,
) -> Result<(), Problem> {
    let GlobalKind::Variable(source) = &lowering.units[unit].module.globals[global].kind else { return Ok(()) };
    let size = lowering.program.globals[variable].size;
    let initialiser = match source.initializer {
        Some(constant) => Some(lowering.initialiser(unit, constant, size)?),
        None => None,
    };
    let debug = lowering.global_debug(unit, global);
    let target = &mut lowering.program.globals[variable];
    target.initialiser = initialiser;
    target.debug = debug;
    Ok(())
}
