//! Instructions and their operands. Operators, flags and predicates are in `operators`.

use std::sync::Arc;

use cranelift_entity::packed_option::PackedOption;

use super::operators::{
    ArithmeticFlags, BinaryOperator, CastOperator, ElementPointerFlags, FastMath, FloatPredicate, IntegerPredicate,
    ReadModifyWriteOperator,
};
use super::{AttributeListId, BlockId, ConstantId, LocationId, MetadataId, ResultId, TypeId};

/// An operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// A constant, addresses of globals included.
    Constant(ConstantId),
    /// An argument of the function, counted from zero.
    Argument(u32),
    /// What an instruction of the function made.
    Result(ResultId),
    /// Metadata, passed to intrinsics.
    Metadata(MetadataId),
}

/// An instruction.
#[derive(Debug, Clone)]
pub struct Instruction {
    /// What it does.
    pub kind: InstructionKind,
    /// The type of its result, `void` if it makes none.
    pub ty: TypeId,
    /// The number of its result, if it makes one.
    pub result: PackedOption<ResultId>,
    /// Where it comes from.
    pub location: PackedOption<LocationId>,
}

/// All instructions.
#[derive(Debug, Clone)]
pub enum InstructionKind {
    /// Float negation.
    Negate {
        /// A float or a vector of them.
        operand: Value,
        /// Fast-math flags.
        fast: FastMath,
    },
    /// Arithmetic on integers or floats, or vectors of them.
    Binary {
        /// What is done.
        operator: BinaryOperator,
        /// Left operand, of the type of the result.
        left: Value,
        /// Right operand, of the type of the result.
        right: Value,
        /// `nuw`, `nsw`, `exact`, `disjoint`, fast-math flags.
        flags: ArithmeticFlags,
    },
    /// A conversion to the type of the result.
    Cast {
        /// Which conversion.
        operator: CastOperator,
        /// What is converted; types fit the conversion.
        operand: Value,
        /// `nneg` of `zext` and `uitofp`.
        non_negative: bool,
        /// `nuw`, `nsw` of `trunc`, fast-math flags.
        flags: ArithmeticFlags,
    },
    /// Address arithmetic. A vector among base and indices makes the result a vector.
    ElementPointer {
        /// The type that the first index counts.
        source_type: TypeId,
        /// A pointer or vector of pointers.
        base: Value,
        /// Integers or vectors of them; those that select a structure's field are constants in range.
        indices: Box<[Value]>,
        /// `inbounds`, `nusw`, `nuw`.
        flags: ElementPointerFlags,
    },
    /// One of two values.
    Select {
        /// An `i1`, or a vector of them.
        condition: Value,
        /// The value if it is true.
        if_true: Value,
        /// The value if it is false.
        if_false: Value,
        /// Fast-math flags.
        fast: FastMath,
    },
    /// An element of a vector.
    ExtractElement {
        /// The vector.
        vector: Value,
        /// An integer; out of range gives poison.
        index: Value,
    },
    /// A vector with one element replaced.
    InsertElement {
        /// The vector.
        vector: Value,
        /// The new element.
        element: Value,
        /// An integer; out of range gives poison.
        index: Value,
    },
    /// Elements picked from two vectors of one type.
    ShuffleVector {
        /// First vector.
        left: Value,
        /// Second vector.
        right: Value,
        /// For each element of the result its place in left followed by right, `None` for any value.
        mask: Box<[Option<u32>]>,
    },
    /// Comparison of integers or pointers, or of vectors of them.
    IntegerCompare {
        /// How to compare.
        predicate: IntegerPredicate,
        /// Left operand.
        left: Value,
        /// Right operand, of the same type.
        right: Value,
        /// `samesign`.
        same_sign: bool,
    },
    /// Comparison of floats or vectors of them.
    FloatCompare {
        /// How to compare.
        predicate: FloatPredicate,
        /// Left operand.
        left: Value,
        /// Right operand, of the same type.
        right: Value,
        /// Fast-math flags.
        fast: FastMath,
    },
    /// Chooses by the block that control came from.
    Phi {
        /// One entry for each edge into the block.
        incoming: Box<[(Value, BlockId)]>,
        /// Fast-math flags.
        fast: FastMath,
    },
    /// Makes a stack object and yields its address.
    Alloca {
        /// Type of the object.
        allocated_type: TypeId,
        /// How many of them in a row: an integer.
        count: Value,
        /// Alignment in bytes, if the file says one.
        alignment: Option<u64>,
        /// An argument block of old Windows code.
        in_alloca: bool,
        /// A register in disguise, of Swift.
        swift_error: bool,
    },
    /// Reads memory.
    Load {
        /// Where.
        pointer: Value,
        /// Alignment in bytes, if the file says one.
        alignment: Option<u64>,
        /// `volatile`.
        volatile: bool,
        /// Set if atomic.
        atomic: Option<Atomic>,
    },
    /// Writes memory.
    Store {
        /// Where.
        pointer: Value,
        /// What.
        value: Value,
        /// Alignment in bytes, if the file says one.
        alignment: Option<u64>,
        /// `volatile`.
        volatile: bool,
        /// Set if atomic.
        atomic: Option<Atomic>,
    },
    /// A memory fence.
    Fence(Atomic),
    /// `cmpxchg`: yields the old value and whether it was exchanged, as a structure.
    CompareExchange(Box<CompareExchange>),
    /// `atomicrmw`: yields the old value.
    ReadModifyWrite(Box<ReadModifyWrite>),
    /// A call.
    Call(Box<Call>),
    /// The next variable argument, of the type of the result.
    VariableArgument {
        /// Pointer to the `va_list`.
        list: Value,
    },
    /// A part of an array or structure value.
    ExtractValue {
        /// The whole.
        aggregate: Value,
        /// At least one index, all in range.
        indices: Box<[u32]>,
    },
    /// An array or structure value with one part replaced.
    InsertValue {
        /// The whole.
        aggregate: Value,
        /// The new part.
        value: Value,
        /// At least one index, all in range.
        indices: Box<[u32]>,
    },
    /// Its operand, with undefined parts settled.
    Freeze {
        /// Any value.
        operand: Value,
    },
    /// Where an exception arrives.
    LandingPad {
        /// Whether clean-up code follows even if no clause fits.
        cleanup: bool,
        /// In order.
        clauses: Box<[LandingPadClause]>,
    },
    /// Windows exception handling: the pads, by kind. Arguments and parents are not needed by anyone yet.
    CleanupPad {
        /// The pad around it, a token.
        parent: Value,
        /// What the personality routine needs.
        arguments: Box<[Value]>,
    },
    /// A handler of a `CatchSwitch`.
    CatchPad {
        /// The `CatchSwitch`, a token.
        parent: Value,
        /// What the personality routine needs.
        arguments: Box<[Value]>,
    },

    // Terminators.
    /// Returns from the function.
    Return {
        /// The result; `None` exactly if the function returns `void`.
        value: Option<Value>,
    },
    /// Jumps.
    Branch {
        /// Where to.
        target: BlockId,
    },
    /// Jumps to one of two blocks.
    ConditionalBranch {
        /// An `i1`.
        condition: Value,
        /// Where to if it is true.
        if_true: BlockId,
        /// Where to if it is false.
        if_false: BlockId,
    },
    /// Jumps by the value of an integer.
    Switch {
        /// The integer.
        value: Value,
        /// Where to if no case fits.
        default: BlockId,
        /// Constants of the type of the value (`Integer`, `WideInteger` or `Null`), all different, and where to.
        cases: Box<[(ConstantId, BlockId)]>,
    },
    /// Jumps to a block address.
    IndirectBranch {
        /// The address.
        address: Value,
        /// Where it may lead.
        targets: Box<[BlockId]>,
    },
    /// A call that may throw.
    Invoke {
        /// The call.
        call: Box<Call>,
        /// Where to when it returns.
        normal: BlockId,
        /// Where to when it throws.
        unwind: BlockId,
    },
    /// `asm goto`.
    CallBranch {
        /// The call of inline assembly.
        call: Box<Call>,
        /// Where to when it falls through.
        default: BlockId,
        /// Where it may jump.
        indirect: Box<[BlockId]>,
    },
    /// Goes on throwing.
    Resume {
        /// What the landing pad made.
        value: Value,
    },
    /// Windows exception handling: leaves a clean-up pad.
    CleanupReturn {
        /// The pad, a token.
        pad: Value,
        /// The next pad; `None`: the caller.
        unwind: Option<BlockId>,
    },
    /// Windows exception handling: leaves a handler.
    CatchReturn {
        /// The pad, a token.
        pad: Value,
        /// Where to.
        target: BlockId,
    },
    /// Windows exception handling: chooses a handler.
    CatchSwitch {
        /// The pad around it, a token.
        parent: Value,
        /// Blocks that begin with a `CatchPad`.
        handlers: Box<[BlockId]>,
        /// Where to if none fits; `None`: the caller.
        unwind: Option<BlockId>,
    },
    /// Control never gets here.
    Unreachable,
}

impl InstructionKind {
    /// Whether it ends its block.
    pub fn is_terminator(&self) -> bool {
        use InstructionKind as Kind;
        matches!(
            self,
            Kind::Return { .. }
                | Kind::Branch { .. }
                | Kind::ConditionalBranch { .. }
                | Kind::Switch { .. }
                | Kind::IndirectBranch { .. }
                | Kind::Invoke { .. }
                | Kind::CallBranch { .. }
                | Kind::Resume { .. }
                | Kind::CleanupReturn { .. }
                | Kind::CatchReturn { .. }
                | Kind::CatchSwitch { .. }
                | Kind::Unreachable
        )
    }

    /// Calls `visit` for every block it may jump to, as often as it names it.
    pub fn for_each_successor(&self, mut visit: impl FnMut(BlockId)) {
        use InstructionKind as Kind;
        match self {
            Kind::Branch { target } | Kind::CatchReturn { target, .. } => visit(*target),
            Kind::ConditionalBranch { if_true, if_false, .. } => {
                visit(*if_true);
                visit(*if_false);
            }
            Kind::Switch { default, cases, .. } => {
                visit(*default);
                cases.iter().for_each(|case| visit(case.1));
            }
            Kind::IndirectBranch { targets, .. } => targets.iter().for_each(|target| visit(*target)),
            Kind::Invoke { normal, unwind, .. } => {
                visit(*normal);
                visit(*unwind);
            }
            Kind::CallBranch { default, indirect, .. } => {
                visit(*default);
                indirect.iter().for_each(|target| visit(*target));
            }
            Kind::CleanupReturn { unwind, .. } => unwind.iter().for_each(|target| visit(*target)),
            Kind::CatchSwitch { handlers, unwind, .. } => {
                handlers.iter().chain(unwind).for_each(|target| visit(*target));
            }
            _ => {}
        }
    }

    /// Calls `visit` for every operand that is a value; blocks and cases of switches are none.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Value)) {
        use InstructionKind as Kind;
        match self {
            Kind::Negate { operand, .. } | Kind::Cast { operand, .. } | Kind::Freeze { operand } => visit(*operand),
            Kind::Binary { left, right, .. }
            | Kind::ShuffleVector { left, right, .. }
            | Kind::IntegerCompare { left, right, .. }
            | Kind::FloatCompare { left, right, .. } => [*left, *right].into_iter().for_each(visit),
            Kind::ElementPointer { base, indices, .. } => {
                visit(*base);
                indices.iter().copied().for_each(visit);
            }
            Kind::Select { condition, if_true, if_false, .. } => {
                [*condition, *if_true, *if_false].into_iter().for_each(visit);
            }
            Kind::ExtractElement { vector, index } => [*vector, *index].into_iter().for_each(visit),
            Kind::InsertElement { vector, element, index } => [*vector, *element, *index].into_iter().for_each(visit),
            Kind::Phi { incoming, .. } => incoming.iter().for_each(|edge| visit(edge.0)),
            Kind::Alloca { count: operand, .. }
            | Kind::Load { pointer: operand, .. }
            | Kind::VariableArgument { list: operand }
            | Kind::ExtractValue { aggregate: operand, .. }
            | Kind::ConditionalBranch { condition: operand, .. }
            | Kind::Switch { value: operand, .. }
            | Kind::IndirectBranch { address: operand, .. }
            | Kind::Resume { value: operand }
            | Kind::CleanupReturn { pad: operand, .. }
            | Kind::CatchReturn { pad: operand, .. }
            | Kind::CatchSwitch { parent: operand, .. } => visit(*operand),
            Kind::Store { pointer, value, .. } => [*pointer, *value].into_iter().for_each(visit),
            Kind::CompareExchange(exchange) => {
                [exchange.pointer, exchange.expected, exchange.replacement].into_iter().for_each(visit);
            }
            Kind::ReadModifyWrite(operation) => [operation.pointer, operation.value].into_iter().for_each(visit),
            Kind::Call(call) | Kind::Invoke { call, .. } | Kind::CallBranch { call, .. } => {
                call.for_each_operand(visit)
            }
            Kind::InsertValue { aggregate, value, .. } => [*aggregate, *value].into_iter().for_each(visit),
            Kind::LandingPad { clauses, .. } => clauses.iter().for_each(|clause| match clause {
                LandingPadClause::Catch(value) | LandingPadClause::Filter(value) => visit(*value),
            }),
            Kind::CleanupPad { parent, arguments } | Kind::CatchPad { parent, arguments } => {
                visit(*parent);
                arguments.iter().copied().for_each(visit);
            }
            Kind::Return { value } => value.iter().copied().for_each(visit),
            Kind::Fence(_) | Kind::Branch { .. } | Kind::Unreachable => {}
        }
    }

    /// The call, if it is one of the three kinds.
    pub fn call(&self) -> Option<&Call> {
        match self {
            InstructionKind::Call(call)
            | InstructionKind::Invoke { call, .. }
            | InstructionKind::CallBranch { call, .. } => Some(call),
            _ => None,
        }
    }
}

/// What a call, invoke or `asm goto` does.
#[derive(Debug, Clone)]
pub struct Call {
    /// A pointer to a function, or inline assembly.
    pub callee: Value,
    /// The type it is called by; may differ from that of the function called.
    pub function_type: TypeId,
    /// One for each parameter, of its type, then the variable ones.
    pub arguments: Box<[Value]>,
    /// Attributes of the call, its result and its arguments.
    pub attributes: Option<AttributeListId>,
    /// LLVM's number of the calling convention; 0 is C's.
    pub calling_convention: u32,
    /// Tail call marker.
    pub tail: TailKind,
    /// Fast-math flags.
    pub fast: FastMath,
    /// Operand bundles, e.g. of `llvm.assume`.
    pub bundles: Box<[OperandBundle]>,
}

impl Call {
    /// Calls `visit` for the callee, the arguments and the operands of bundles.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Value)) {
        visit(self.callee);
        self.arguments.iter().copied().for_each(&mut visit);
        self.bundles.iter().flat_map(|bundle| bundle.inputs.iter().copied()).for_each(visit);
    }
}

/// Tail call markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TailKind {
    /// No marker.
    #[default]
    None,
    /// May be a tail call.
    Tail,
    /// Must be one.
    MustTail,
    /// Must not be one.
    NoTail,
}

/// Extra operands of a call.
#[derive(Debug, Clone)]
pub struct OperandBundle {
    /// What they are for, e.g. `align`, `deopt`.
    pub tag: Arc<str>,
    /// The operands.
    pub inputs: Box<[Value]>,
}

/// `cmpxchg`.
#[derive(Debug, Clone)]
pub struct CompareExchange {
    /// Where.
    pub pointer: Value,
    /// What must be there.
    pub expected: Value,
    /// What is written then, of the same type.
    pub replacement: Value,
    /// Alignment in bytes, if the file says one.
    pub alignment: Option<u64>,
    /// `volatile`.
    pub volatile: bool,
    /// Whether it may fail without cause.
    pub weak: bool,
    /// Ordering if it succeeds.
    pub success: Atomic,
    /// Ordering if it fails.
    pub failure: AtomicOrdering,
}

/// `atomicrmw`.
#[derive(Debug, Clone)]
pub struct ReadModifyWrite {
    /// How the new value is made.
    pub operator: ReadModifyWriteOperator,
    /// Where.
    pub pointer: Value,
    /// The right operand.
    pub value: Value,
    /// Alignment in bytes, if the file says one.
    pub alignment: Option<u64>,
    /// `volatile`.
    pub volatile: bool,
    /// Ordering.
    pub atomic: Atomic,
}

/// What makes an access atomic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Atomic {
    /// How it is ordered with others.
    pub ordering: AtomicOrdering,
    /// With whom.
    pub scope: SyncScope,
}

/// A number that indexes `Module::sync_scopes`; 0 is the single thread (signal handlers), 1 the whole system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SyncScope(pub u32);

/// Orderings of atomic accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AtomicOrdering {
    /// No tearing.
    Unordered,
    /// C's relaxed.
    Monotonic,
    /// Acquire.
    Acquire,
    /// Release.
    Release,
    /// Both.
    AcquireRelease,
    /// Sequentially consistent.
    SequentiallyConsistent,
}

/// A clause of a landing pad.
#[derive(Debug, Clone)]
pub enum LandingPadClause {
    /// Catches what this type information describes; null catches all.
    Catch(Value),
    /// Lets through only the types of this array.
    Filter(Value),
}
