//! One node of the DAG, and the operations that there are. What they compute is in `evaluate`.

use cranelift_entity::entity_impl;

use crate::FloatKind;

/// The number of an expression in its arena.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr(u32);
entity_impl!(Expr, "e");

/// An operation and its operands. What `a`, `b` and `c` hold stands with each operation; most often expressions.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    pub op: Op,
    /// Bits of the value; for arrays, of an element.
    pub width: u32,
    pub a: u32,
    pub b: u32,
    pub c: u32,
}

const _: () = assert!(size_of::<Node>() == 20);

impl Node {
    #[inline]
    pub fn first(&self) -> Expr {
        Expr(self.a)
    }

    #[inline]
    pub fn second(&self) -> Expr {
        Expr(self.b)
    }

    #[inline]
    pub fn third(&self) -> Expr {
        Expr(self.c)
    }
}

/// Operands are `a`, `b`, `c` in order unless said otherwise. Operations on vectors are those of SMT-LIB, total ones included: an
/// unsigned division by zero gives all ones, a signed one -1, or 1 if the dividend is negative; the remainder is the dividend; a
/// shift by the width or more leaves zeros or signs.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Up to 64 bits: low half in `a`, high half in `b`. Wider: `a` is the number of the constant in the arena.
    Constant,
    /// `a` is the [`super::VariableId`].
    Variable,
    Not,
    And,
    Or,
    Xor,
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    /// Comparisons have one bit.
    Equal,
    UnsignedLess,
    UnsignedLessEqual,
    SignedLess,
    SignedLessEqual,
    /// `a` is the condition.
    Ite,
    /// `a` is the high part.
    Concat,
    /// `width` bits of `a` from bit `b` (a number) on.
    Extract,
    ZeroExtend,
    SignExtend,
    /// Element `b` of array `a`.
    Select,
    /// An array: `a` is the [`super::VariableId`], `b` the width of an index.
    ArrayVariable,
    /// An array: the elements from 0 on are the list `a` with `b` entries in the arena (see `Arena::elements`), all further ones
    /// zero; `c` is the width of an index.
    Table,
    /// An array: `a` with element `b` replaced by `c`.
    Store,
    /// An array: `a` is the condition.
    ArrayIte,
    /// A float operation on operands of this kind; comparisons have one bit.
    Float(FloatOperation, FloatKind, Rounding),
    /// From one kind of float to another.
    FloatConvert(FloatKind, FloatKind, Rounding),
    /// A call of a function without side effects: `a` is the [`super::FunctionId`], the arguments are the list `b` with `c` entries.
    Call,
}

const _: () = assert!(size_of::<Op>() == 4);

impl Op {
    /// How many of `a`, `b`, `c` are expressions. Tables and calls have lists instead.
    pub fn operands(self) -> usize {
        match self {
            Op::Constant | Op::Variable | Op::ArrayVariable | Op::Table | Op::Call => 0,
            Op::Not | Op::Extract | Op::ZeroExtend | Op::SignExtend | Op::FloatConvert(..) => 1,
            Op::Ite | Op::Store | Op::ArrayIte => 3,
            Op::Float(operation, ..) => operation.operands(),
            _ => 2,
        }
    }

    pub fn is_comparison(self) -> bool {
        matches!(self, Op::Equal | Op::UnsignedLess | Op::UnsignedLessEqual | Op::SignedLess | Op::SignedLessEqual)
    }

    /// Whether the order of two operands does not matter.
    pub fn is_commutative(self) -> bool {
        matches!(self, Op::And | Op::Or | Op::Xor | Op::Add | Op::Mul | Op::Equal)
    }

    pub fn is_array(self) -> bool {
        matches!(self, Op::ArrayVariable | Op::Table | Op::Store | Op::ArrayIte)
    }
}

/// Results are exactly those of the machine, as in `crate::float`: NaNs have signs and payloads, conversions to integers that
/// do not fit give "integer indefinite".
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum FloatOperation {
    Add,
    Sub,
    Mul,
    Div,
    /// `fmod` of C: truncated quotient.
    Rem,
    SquareRoot,
    /// `a * b + c`, rounded once.
    MultiplyAdd,
    /// To an integral float, in the direction of `Rounding`.
    RoundToIntegral,
    /// Ordered comparisons: false if an operand is NaN.
    Equal,
    Less,
    LessEqual,
    /// To an integer of the node's width, truncating.
    ToSigned,
    ToUnsigned,
    /// From an integer operand to a float of the node's width.
    FromSigned,
    FromUnsigned,
}

impl FloatOperation {
    /// How many operands it takes.
    pub fn operands(self) -> usize {
        use FloatOperation::*;
        match self {
            MultiplyAdd => 3,
            Add | Sub | Mul | Div | Rem | Equal | Less | LessEqual => 2,
            SquareRoot | RoundToIntegral | ToSigned | ToUnsigned | FromSigned | FromUnsigned => 1,
        }
    }

    pub fn is_comparison(self) -> bool {
        matches!(self, FloatOperation::Equal | FloatOperation::Less | FloatOperation::LessEqual)
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Rounding {
    NearestEven,
    NearestAway,
    Up,
    Down,
    Zero,
}
