//! Constants: numbers, aggregates, addresses of globals, constant expressions, inline assembly.

use super::{
    ArithmeticFlags, BinaryOperator, BlockId, CastOperator, ConstantId, ElementPointerFlags, FloatPredicate, GlobalId,
    IntegerPredicate, TypeId,
};

/// A constant and its type.
#[derive(Debug, Clone)]
pub struct Constant {
    /// Its type.
    pub ty: TypeId,
    /// What it is.
    pub kind: ConstantKind,
}

/// The kinds of constants.
#[derive(Debug, Clone)]
pub enum ConstantKind {
    /// The address of a global.
    Global(GlobalId),
    /// Zero, the null pointer, or an aggregate or vector of them. Integers use `Integer` unless the file says null.
    Null,
    /// Any value, each time another one.
    Undef,
    /// A value whose use is undefined behaviour.
    Poison,
    /// An integer of at most 64 bits, zero-extended.
    Integer(u64),
    /// An integer of 65 to 4096 bits: 64-bit words, least significant first, as many as the width needs.
    WideInteger(Box<[u64]>),
    /// The bits of a float of at most 64 bits.
    Float(u64),
    /// The bits of an `x86_fp80` (80 bits), `fp128` or `ppc_fp128` (first double in the low half).
    WideFloat(Box<u128>),
    /// An array, structure or vector, one constant for each element.
    Aggregate(Box<[ConstantId]>),
    /// An array or vector of integers of 8, 16, 32 or 64 bits or of floats of at most 64 bits, as little-endian
    /// bytes: exactly its image in the memory of a little-endian target. Strings are this.
    Data(Box<[u8]>),
    /// A vector whose elements are all the same `Integer`, `WideInteger`, `Float` or `WideFloat`.
    Splat(Box<ConstantKind>),
    /// The address of a basic block (`&&label`).
    BlockAddress {
        /// A function with a body.
        function: GlobalId,
        /// A block of that function.
        block: BlockId,
    },
    /// A function, or a stub for it in the same shared object.
    DsoLocalEquivalent(GlobalId),
    /// A function, without the jump table of control-flow integrity.
    NoCfi(GlobalId),
    /// Assembly text in the place of a callee.
    InlineAssembly(Box<InlineAssembly>),
    /// Something to be computed from other constants.
    Expression(Box<ConstantExpression>),
}

/// Constant expressions. Operands have the types that the instruction of the same name demands.
#[derive(Debug, Clone)]
pub enum ConstantExpression {
    /// Float negation (not written since LLVM 16).
    Negate(ConstantId),
    /// Arithmetic.
    Binary {
        /// What is done.
        operator: BinaryOperator,
        /// Left operand.
        left: ConstantId,
        /// Right operand.
        right: ConstantId,
        /// `nuw`, `nsw`, `exact`.
        flags: ArithmeticFlags,
    },
    /// A conversion to the type of the constant.
    Cast {
        /// Which conversion.
        operator: CastOperator,
        /// What is converted.
        operand: ConstantId,
    },
    /// Address arithmetic.
    ElementPointer {
        /// The type that the first index counts.
        source_type: TypeId,
        /// Where to start.
        base: ConstantId,
        /// At least one index.
        indices: Box<[ConstantId]>,
        /// `inbounds` and the like.
        flags: ElementPointerFlags,
    },
    /// One of two values.
    Select {
        /// An `i1` or a vector of them.
        condition: ConstantId,
        /// The value if it is true.
        if_true: ConstantId,
        /// The value if it is false.
        if_false: ConstantId,
    },
    /// An element of a vector.
    ExtractElement {
        /// The vector.
        vector: ConstantId,
        /// An integer.
        index: ConstantId,
    },
    /// A vector with one element replaced.
    InsertElement {
        /// The vector.
        vector: ConstantId,
        /// The new element.
        element: ConstantId,
        /// An integer.
        index: ConstantId,
    },
    /// Elements picked from two vectors.
    ShuffleVector {
        /// First vector.
        left: ConstantId,
        /// Second vector, of the same type.
        right: ConstantId,
        /// For each element of the result its place in left followed by right, `None` for any value.
        mask: Box<[Option<u32>]>,
    },
    /// Integer or pointer comparison.
    IntegerCompare {
        /// How to compare.
        predicate: IntegerPredicate,
        /// Left operand.
        left: ConstantId,
        /// Right operand.
        right: ConstantId,
    },
    /// Float comparison.
    FloatCompare {
        /// How to compare.
        predicate: FloatPredicate,
        /// Left operand.
        left: ConstantId,
        /// Right operand.
        right: ConstantId,
    },
}

impl ConstantExpression {
    /// Calls `visit` for every operand.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ConstantId)) {
        use ConstantExpression as Expression;
        match self {
            Expression::Negate(operand) | Expression::Cast { operand, .. } => visit(*operand),
            Expression::Binary { left, right, .. }
            | Expression::IntegerCompare { left, right, .. }
            | Expression::FloatCompare { left, right, .. }
            | Expression::ShuffleVector { left, right, .. } => [left, right].into_iter().for_each(|id| visit(*id)),
            Expression::ElementPointer { base, indices, .. } => {
                visit(*base);
                indices.iter().for_each(|index| visit(*index));
            }
            Expression::Select { condition, if_true, if_false } => {
                [condition, if_true, if_false].into_iter().for_each(|id| visit(*id));
            }
            Expression::ExtractElement { vector, index } => [vector, index].into_iter().for_each(|id| visit(*id)),
            Expression::InsertElement { vector, element, index } => {
                [vector, element, index].into_iter().for_each(|id| visit(*id));
            }
        }
    }
}

/// Assembly text with operand constraints.
#[derive(Debug, Clone)]
pub struct InlineAssembly {
    /// The type by which it is called, if the file says it here. The call always says it.
    pub function_type: Option<TypeId>,
    /// The text.
    pub text: String,
    /// The constraints, e.g. `=r,r,~{memory}`.
    pub constraints: String,
    /// Whether it must be kept though its result is unused.
    pub side_effects: bool,
    /// Whether it needs an aligned stack.
    pub align_stack: bool,
    /// Intel syntax instead of AT&T's.
    pub intel_syntax: bool,
    /// Whether it may throw.
    pub can_unwind: bool,
}
