//! The body of one function: blocks, instructions, source locations, debug records.

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use super::{BlockId, Instruction, InstructionId, LocationId, MetadataId, ResultId, TypeId, Value};

/// A function body.
#[derive(Debug, Clone, Default)]
pub struct FunctionBody {
    /// Types of the arguments: the parameters of the function type.
    pub argument_types: Box<[TypeId]>,
    /// Names of the arguments, where the file has them; may be shorter than the list of types.
    pub argument_names: Vec<Option<Box<str>>>,
    /// At least one block; the first is the entry and has no predecessors.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// All instructions, block after block.
    pub instructions: PrimaryMap<InstructionId, Instruction>,
    /// Which instruction makes a result.
    pub results: PrimaryMap<ResultId, InstructionId>,
    /// Names of results, where the file has them.
    pub result_names: SecondaryMap<ResultId, Option<Box<str>>>,
    /// Source locations, each used by one or more instructions.
    pub locations: PrimaryMap<LocationId, DebugLocation>,
    /// Debug records (LLVM 19 and newer; older files call `llvm.dbg.*` instead), in the order of `before`.
    pub debug_records: Vec<DebugRecord>,
}

impl FunctionBody {
    /// The instructions of a block, the terminator last.
    pub fn instructions_of(&self, block: BlockId) -> impl DoubleEndedIterator<Item = (InstructionId, &Instruction)> {
        let Block { first, end, .. } = self.blocks[block];
        (first.index()..end.index()).map(|index| {
            let id = InstructionId::new(index);
            (id, &self.instructions[id])
        })
    }

    /// The terminator of a block. (Every block has at least one instruction.)
    pub fn terminator(&self, block: BlockId) -> &Instruction {
        &self.instructions[InstructionId::new(self.blocks[block].end.index() - 1)]
    }
}

/// A basic block: a range of instructions that ends with its only terminator.
#[derive(Debug, Clone)]
pub struct Block {
    /// Its label, if the file has it.
    pub name: Option<Box<str>>,
    /// Its first instruction.
    pub first: InstructionId,
    /// The one after its last.
    pub end: InstructionId,
}

/// Where in the source an instruction comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DebugLocation {
    /// Line, from 1; 0 if it belongs to no line.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// The subprogram or lexical block.
    pub scope: MetadataId,
    /// The `Location` of the call that was inlined.
    pub inlined_at: Option<MetadataId>,
    /// Whether the compiler made the code up.
    pub implicit: bool,
}

/// A debug record: it describes a variable or label at a point of the code.
#[derive(Debug, Clone)]
pub struct DebugRecord {
    /// It holds from just before this instruction on.
    pub before: InstructionId,
    /// A metadata `Location`.
    pub location: MetadataId,
    /// What it says.
    pub kind: DebugRecordKind,
}

/// What a debug record says.
#[derive(Debug, Clone, Copy)]
pub enum DebugRecordKind {
    /// The variable lives at an address, for all of its scope (`llvm.dbg.declare`).
    Declare {
        /// A `LocalVariable`.
        variable: MetadataId,
        /// An `Expression` applied to the address.
        expression: MetadataId,
        /// The address; `None` if it was optimised away.
        address: Option<Value>,
    },
    /// The variable has a value from here on (`llvm.dbg.value`).
    Value {
        /// A `LocalVariable`.
        variable: MetadataId,
        /// An `Expression` applied to the value.
        expression: MetadataId,
        /// The value; `None` if it was optimised away. A `Value::Metadata` is an `ArgumentList`.
        value: Option<Value>,
    },
    /// Both: the variable was given a value and lives at an address (`llvm.dbg.assign`).
    Assign {
        /// A `LocalVariable`.
        variable: MetadataId,
        /// An `Expression` applied to the value.
        expression: MetadataId,
        /// The value; `None` if it was optimised away.
        value: Option<Value>,
        /// An `Expression` applied to the address.
        address_expression: MetadataId,
        /// The address; `None` if it was optimised away.
        address: Option<Value>,
    },
    /// A label of the source.
    Label {
        /// A `Label`.
        label: MetadataId,
    },
}
