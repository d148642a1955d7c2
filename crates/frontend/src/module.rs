//! One decoded LLVM module as plain data: what the file says, checked, but not yet translated to `ir`.
//! Nothing here reads bits (that is `decode`) and nothing here knows `ir` (that is the lowering).
//!
//! What a reader of a `Module` may rely on, however hostile the file was:
//!
//! - Every id stored in a module is in range: types, globals, constants, metadata, blocks, results, arguments.
//! - Types are interned: two types are equal exactly if their `TypeId`s are. A type never contains itself by value;
//!   nesting is at most [`MAXIMUM_NESTING`] deep, and a type has at most [`MAXIMUM_TYPE_PARTS`] parts when every array
//!   counts as one element. The *length* of an array is not bounded: sizes need checked arithmetic.
//! - Constants are acyclic, nest at most [`MAXIMUM_NESTING`] deep and have at most [`MAXIMUM_CONSTANT_PARTS`]
//!   parts however much they share, so plain recursion over a constant ends soon and cannot overflow the stack.
//! - Operands have the types that LLVM demands of them (both sides of an addition are equal, a branch condition is
//!   `i1`, arguments match the parameters of the called function type, struct indices are constants in range…).
//! - Every basic block ends with its only terminator; phis come first and list exactly the edges into their block.
//!
//! Not checked: that a value's definition dominates its uses.

mod attributes;
mod constants;
mod functions;
mod globals;
mod instructions;
mod metadata;
mod operators;
mod types;

use cranelift_entity::{PrimaryMap, entity_impl};

pub use attributes::{Attribute, AttributeGroup, AttributeKind, AttributeList, AttributePlace};
pub use constants::{Constant, ConstantExpression, ConstantKind, InlineAssembly};
pub use functions::{Block, DebugLocation, DebugRecord, DebugRecordKind, FunctionBody};
pub use globals::{
    Alias, Comdat, ComdatSelection, Function, Global, GlobalKind, GlobalVariable, Linkage, ThreadLocalMode,
    UnnamedAddress, Visibility,
};
pub use instructions::{
    Atomic, AtomicOrdering, Call, CompareExchange, Instruction, InstructionKind, LandingPadClause, OperandBundle,
    ReadModifyWrite, SyncScope, TailKind, Value,
};
pub use metadata::{
    BasicType, CompileUnit, CompositeType, DerivedType, Enumerator, File, GlobalVariableNode, ImportedEntity, Label,
    LexicalBlock, LexicalBlockFile, LocalVariable, Location, Metadata, MetadataTable, NamedMetadata, Namespace,
    Subprogram, Subrange, SubrangeBound, SubroutineType, TemplateParameter,
};
pub use operators::{
    ArithmeticFlags, BinaryOperator, CastOperator, ElementPointerFlags, FastMath, FloatPredicate, IntegerPredicate,
    ReadModifyWriteOperator,
};
pub use types::{FloatKind, FunctionType, StructType, Type, TypeTable};

/// How deeply types and constants may nest.
pub const MAXIMUM_NESTING: u32 = 200;
/// How many parts a type may have, every array counting as one element.
pub const MAXIMUM_TYPE_PARTS: u64 = 1 << 20;
/// How many parts a constant may have when what it shares is counted as often as it is used.
pub const MAXIMUM_CONSTANT_PARTS: u64 = 1 << 26;
/// How many elements a vector may have.
pub const MAXIMUM_VECTOR_LENGTH: u32 = 1 << 16;

/// A type of the module, interned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);
entity_impl!(TypeId, "type");

/// A global variable, function, alias or ifunc, in the order of the file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "global");

/// A constant of the module, or of one of its functions: all share one table. The address of a global is one too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstantId(u32);
entity_impl!(ConstantId, "constant");

/// A comdat, which groups globals that are kept or dropped together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ComdatId(u32);
entity_impl!(ComdatId, "comdat");

/// A set of attributes of one place of a function or call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AttributeGroupId(u32);
entity_impl!(AttributeGroupId, "group");

/// All attributes of one function or call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AttributeListId(u32);
entity_impl!(AttributeListId, "attributes");

/// A metadata node or string, of the module or of one of its functions: all share one table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MetadataId(u32);
entity_impl!(MetadataId, "metadata");

/// A basic block of one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(u32);
entity_impl!(BlockId, "bb");

/// An instruction of one function, in the order of the file (blocks are contiguous).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstructionId(u32);
entity_impl!(InstructionId, "inst");

/// The value made by an instruction that makes one. Dense: a function with n such instructions uses 0 to n - 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResultId(u32);
entity_impl!(ResultId, "r");

/// A source location of one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocationId(u32);
entity_impl!(LocationId, "loc");

/// One LLVM module.
#[derive(Debug, Clone, Default)]
pub struct Module {
    /// Who wrote the bitcode, e.g. `LLVM14.0.6`. Empty if the file does not say.
    pub identification: String,
    /// The target, e.g. `x86_64-pc-linux-gnu`.
    pub triple: String,
    /// The data layout string, e.g. `e-m:e-p270:32:32-i64:64-f80:128-n8:16:32:64-S128`.
    pub data_layout: String,
    /// The name of the source file as the compiler was given it.
    pub source_file: String,
    /// Module-level assembly text.
    pub assembly: String,
    /// All types.
    pub types: TypeTable,
    /// Attribute groups, which attribute lists refer to.
    pub attribute_groups: PrimaryMap<AttributeGroupId, AttributeGroup>,
    /// Attribute lists, which functions and calls refer to.
    pub attribute_lists: PrimaryMap<AttributeListId, AttributeList>,
    /// Comdats.
    pub comdats: PrimaryMap<ComdatId, Comdat>,
    /// Global variables, functions, aliases and ifuncs.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// All constants, those of functions included.
    pub constants: PrimaryMap<ConstantId, Constant>,
    /// Debug information and other metadata.
    pub metadata: MetadataTable,
    /// The names of the synchronisation scopes of atomics, by [`SyncScope`]. Empty in files older than LLVM 6.
    pub sync_scopes: Vec<String>,
}

impl Module {
    /// The type of a value used in `body`, a function of this module.
    pub fn type_of(&self, body: &FunctionBody, value: Value) -> TypeId {
        match value {
            Value::Constant(constant) => self.constants[constant].ty,
            Value::Argument(index) => body.argument_types[index as usize],
            Value::Result(result) => body.instructions[body.results[result]].ty,
            Value::Metadata(_) => self.types.metadata_type(),
        }
    }

    /// The global whose address this constant is, if it is nothing more than that.
    pub fn global_of(&self, constant: ConstantId) -> Option<GlobalId> {
        match self.constants[constant].kind {
            ConstantKind::Global(global) => Some(global),
            _ => None,
        }
    }

    /// The function called by name, if the callee is not computed.
    pub fn direct_callee(&self, call: &Call) -> Option<GlobalId> {
        match call.callee {
            Value::Constant(constant) => self.global_of(constant),
            _ => None,
        }
    }

    /// The attributes of a place in an attribute list.
    pub fn attributes_at(
        &self,
        list: Option<AttributeListId>,
        place: AttributePlace,
    ) -> impl Iterator<Item = &Attribute> {
        let entries = list.map_or(&[][..], |list| &self.attribute_lists[list].entries);
        let first = entries.partition_point(|entry| entry.0 < place);
        let at_place = entries[first..].iter().take_while(move |entry| entry.0 == place);
        at_place.flat_map(|entry| self.attribute_groups[entry.1].attributes.iter())
    }

    /// Whether a place in an attribute list has an attribute of this kind.
    pub fn has_attribute(&self, list: Option<AttributeListId>, place: AttributePlace, kind: AttributeKind) -> bool {
        self.attributes_at(list, place).any(|attribute| attribute.kind() == Some(kind))
    }

    /// What a call of `llvm.dbg.declare`, `llvm.dbg.value`, `llvm.dbg.assign` or `llvm.dbg.label` says: before
    /// LLVM 19, such calls stood for debug records.
    pub fn debug_record_of_call(&self, call: &Call) -> Option<DebugRecordKind> {
        let name = &self.globals[self.direct_callee(call)?].name;
        let node = |index: usize| match call.arguments.get(index) {
            Some(Value::Metadata(id)) => Some(*id),
            _ => None,
        };
        let value = |index: usize| node(index).and_then(|id| self.metadata.value(id));
        match name.strip_prefix("llvm.dbg.")? {
            "label" => Some(DebugRecordKind::Label { label: node(0)? }),
            "declare" | "addr" => {
                let (variable, expression) = (node(1)?, node(2)?);
                Some(DebugRecordKind::Declare { variable, expression, address: value(0) })
            }
            "value" => Some(DebugRecordKind::Value { variable: node(1)?, expression: node(2)?, value: value(0) }),
            "assign" => Some(DebugRecordKind::Assign {
                variable: node(1)?,
                expression: node(2)?,
                value: value(0),
                address_expression: node(5)?,
                address: value(4),
            }),
            _ => None,
        }
    }
}
