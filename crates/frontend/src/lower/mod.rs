//! Decoded LLVM to `ir`: vectors and aggregates are taken apart into scalars, phis become edge arguments, intrinsics
//! an enum. Which definition a symbol means is decided in `link`; bits are read in `decode`.
//!
//! The central idea: a value of any LLVM type is a list of scalar operands. What only moves parts of values around
//! (extracting, inserting, shuffling) is a change of that list and costs nothing at run time.

pub(crate) mod assembly;
pub(crate) mod atomics;
pub(crate) mod calls;
pub(crate) mod constants;
pub(crate) mod control;
pub(crate) mod debug;
pub(crate) mod debug_types;
pub(crate) mod debug_variables;
pub(crate) mod emit;
pub(crate) mod fold;
pub(crate) mod function;
pub(crate) mod globals;
pub(crate) mod instructions;
pub(crate) mod intrinsics;
pub(crate) mod lanes;
pub(crate) mod layout;
pub(crate) mod library;
pub(crate) mod memory;
pub(crate) mod object_size;
pub(crate) mod order;
pub(crate) mod pointers;
pub(crate) mod table;
pub(crate) mod types;
pub(crate) mod vectors;

use std::rc::Rc;

use cranelift_entity::SecondaryMap;
use symcrete_ir::{Operand, Program};

use crate::link::{Symbols, Target, Work};
use crate::module::{AttributeListId, ConstantId, GlobalId, Module, TypeId};
use calls::ByValue;
use debug::{DebugCache, Files};
use table::Plan;
use types::{Shape, ShapeCache, Types};

/// Why something cannot be lowered. Where it stands is added by those who know.
#[derive(Debug)]
pub(crate) enum Problem {
    /// The file breaks a rule of LLVM.
    Malformed(String),
    /// Symcrete does not know this.
    Unsupported(String),
    /// Out of proportion to the file.
    TooLarge(String),
}

pub(crate) type Result<T> = std::result::Result<T, Problem>;

pub(crate) fn malformed(what: impl Into<String>) -> Problem {
    Problem::Malformed(what.into())
}

pub(crate) fn unsupported(what: impl Into<String>) -> Problem {
    Problem::Unsupported(what.into())
}

pub(crate) fn too_large(what: impl Into<String>) -> Problem {
    Problem::TooLarge(what.into())
}

/// What one file may still cost, so that a small hostile one cannot fill the memory.
#[derive(Debug)]
pub(crate) struct Budget {
    left: u64,
}

impl Budget {
    pub fn new(units: u64) -> Budget {
        Budget { left: units }
    }

    /// Takes from the budget.
    pub fn spend(&mut self, units: u64) -> Result<()> {
        match self.left.checked_sub(units) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(too_large("what the file describes")),
        }
    }
}

/// One module that takes part, and what never changes about it.
pub(crate) struct Unit<'a> {
    /// The file that it comes from.
    pub name: &'a str,
    pub module: &'a Module,
    /// Part of Symcrete's own runtime: used only where the program refers to it.
    pub runtime: bool,
    pub file_bytes: u64,
    pub types: Types<'a>,
}

/// The number of a unit.
pub(crate) type UnitIndex = usize;

/// What has been found out about a unit so far.
pub(crate) struct UnitCache {
    pub shapes: ShapeCache,
    pub constants: SecondaryMap<ConstantId, Lowered>,
    /// The operands of constants that are several scalars.
    pub pool: Vec<Operand>,
    /// What the globals of the module stand for in the program.
    pub targets: SecondaryMap<GlobalId, Option<Target>>,
    /// How calls of the module's intrinsics are lowered.
    pub plans: SecondaryMap<GlobalId, Option<Plan>>,
    /// Arguments passed by value, by attribute list.
    pub by_value: SecondaryMap<AttributeListId, Option<Rc<[ByValue]>>>,
    pub debug: DebugCache,
    /// Scalars and instructions.
    pub budget: Budget,
    /// Bytes of initial data.
    pub data_budget: Budget,
}

impl UnitCache {
    pub fn new(unit: &Unit) -> UnitCache {
        let file = unit.file_bytes;
        UnitCache {
            shapes: SecondaryMap::new(),
            constants: SecondaryMap::with_default(Lowered::Unset),
            pool: Vec::new(),
            targets: SecondaryMap::new(),
            plans: SecondaryMap::new(),
            by_value: SecondaryMap::new(),
            debug: DebugCache::default(),
            budget: Budget::new(file.saturating_mul(256).saturating_add(1 << 20)),
            data_budget: Budget::new(file.saturating_mul(1024).saturating_add(64 << 20).min(1 << 30)),
        }
    }
}

/// An LLVM value as scalars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Lowered {
    /// Not met yet.
    Unset,
    /// The usual case.
    One(Operand),
    /// None or several: a range of a pool of operands.
    Many { start: u32, count: u32 },
}

/// The program in the making.
pub(crate) struct Lowering<'a> {
    pub units: &'a [Unit<'a>],
    pub caches: Vec<UnitCache>,
    pub program: Program,
    pub symbols: Symbols<'a>,
    pub files: Files,
    /// Definitions that something refers to and that are still to be lowered.
    pub work: Vec<Work>,
}

impl Lowering<'_> {
    /// The scalars of a type of a unit.
    pub fn shape(&mut self, unit: UnitIndex, ty: TypeId) -> Result<Rc<Shape>> {
        let cache = &mut self.caches[unit];
        self.units[unit].types.shape(ty, &mut cache.shapes, &mut cache.budget)
    }
}
