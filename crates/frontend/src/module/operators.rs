//! Operators, predicates and flags, which instructions and constant expressions share.

/// Binary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    UnsignedDivide,
    SignedDivide,
    UnsignedRemainder,
    SignedRemainder,
    ShiftLeft,
    LogicalShiftRight,
    ArithmeticShiftRight,
    And,
    Or,
    Xor,
    FloatAdd,
    FloatSubtract,
    FloatMultiply,
    FloatDivide,
    FloatRemainder,
}

/// Conversions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CastOperator {
    Truncate,
    ZeroExtend,
    SignExtend,
    FloatToUnsigned,
    FloatToSigned,
    UnsignedToFloat,
    SignedToFloat,
    FloatTruncate,
    FloatExtend,
    PointerToInteger,
    IntegerToPointer,
    Bitcast,
    AddressSpaceCast,
    /// Like `PointerToInteger`, without exposing provenance.
    PointerToAddress,
}

/// What `atomicrmw` computes from the old value and its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ReadModifyWriteOperator {
    Exchange,
    Add,
    Subtract,
    And,
    Nand,
    Or,
    Xor,
    SignedMaximum,
    SignedMinimum,
    UnsignedMaximum,
    UnsignedMinimum,
    FloatAdd,
    FloatSubtract,
    FloatMaximumNumber,
    FloatMinimumNumber,
    IncrementWrap,
    DecrementWrap,
    SubtractIfGreater,
    SubtractSaturating,
    FloatMaximum,
    FloatMinimum,
    FloatMaximumNumberIeee,
    FloatMinimumNumberIeee,
}

/// Integer comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntegerPredicate {
    Equal,
    NotEqual,
    UnsignedGreater,
    UnsignedGreaterOrEqual,
    UnsignedLess,
    UnsignedLessOrEqual,
    SignedGreater,
    SignedGreaterOrEqual,
    SignedLess,
    SignedLessOrEqual,
}

/// Float comparisons, by the outcomes that make them true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FloatPredicate {
    /// True if the operands are equal.
    pub equal: bool,
    /// True if the left one is greater.
    pub greater: bool,
    /// True if the left one is less.
    pub less: bool,
    /// True if one of them is not a number.
    pub unordered: bool,
}

/// Flags of integer and float arithmetic; those that do not apply are unset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ArithmeticFlags {
    /// `nuw`.
    pub no_unsigned_wrap: bool,
    /// `nsw`.
    pub no_signed_wrap: bool,
    /// `exact`, of divisions and right shifts.
    pub exact: bool,
    /// `disjoint`, of `or`.
    pub disjoint: bool,
    /// Of float operations.
    pub fast: FastMath,
}

/// Flags of address arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ElementPointerFlags {
    /// `inbounds`.
    pub inbounds: bool,
    /// `nusw`, implied by `inbounds`.
    pub no_unsigned_signed_wrap: bool,
    /// `nuw`.
    pub no_unsigned_wrap: bool,
}

/// Fast-math flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FastMath(pub u8);

impl FastMath {
    /// `nnan`.
    pub const NO_NANS: u8 = 1 << 1;
    /// `ninf`.
    pub const NO_INFINITIES: u8 = 1 << 2;
    /// `nsz`.
    pub const NO_SIGNED_ZEROS: u8 = 1 << 3;
    /// `arcp`.
    pub const ALLOW_RECIPROCAL: u8 = 1 << 4;
    /// `contract`.
    pub const ALLOW_CONTRACT: u8 = 1 << 5;
    /// `afn`.
    pub const APPROXIMATE_FUNCTIONS: u8 = 1 << 6;
    /// `reassoc`.
    pub const ALLOW_REASSOCIATION: u8 = 1 << 7;
    /// All of them: `fast`.
    pub const FAST: u8 = 0xfe;

    /// Whether all the given flags are set.
    pub fn contains(self, flags: u8) -> bool {
        self.0 & flags == flags
    }
}
