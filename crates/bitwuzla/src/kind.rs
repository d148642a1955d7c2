//! What terms are made of: the operators of SMT-LIB that callers use, by their numbers in the library that is linked.

use crate::ffi::constants;

macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident: $($(#[$variant_doc:meta])* $variant:ident = $constant:ident),* $(,)?) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        pub enum $name {
            $($(#[$variant_doc])* $variant),*
        }

        impl $name {
            pub(crate) fn number(self) -> u32 {
                match self {
                    $($name::$variant => constants::$constant),*
                }
            }
        }
    };
}

kinds! {
    /// Operators. Those named `Float…` that round take a rounding mode first.
    Kind:
    And = BITWUZLA_KIND_AND,
    Or = BITWUZLA_KIND_OR,
    Not = BITWUZLA_KIND_NOT,
    Equal = BITWUZLA_KIND_EQUAL,
    Distinct = BITWUZLA_KIND_DISTINCT,
    Implies = BITWUZLA_KIND_IMPLIES,
    Ite = BITWUZLA_KIND_ITE,
    Select = BITWUZLA_KIND_ARRAY_SELECT,
    Store = BITWUZLA_KIND_ARRAY_STORE,
    BitsNot = BITWUZLA_KIND_BV_NOT,
    BitsAnd = BITWUZLA_KIND_BV_AND,
    BitsOr = BITWUZLA_KIND_BV_OR,
    BitsXor = BITWUZLA_KIND_BV_XOR,
    BitsNeg = BITWUZLA_KIND_BV_NEG,
    BitsAdd = BITWUZLA_KIND_BV_ADD,
    BitsSub = BITWUZLA_KIND_BV_SUB,
    BitsMul = BITWUZLA_KIND_BV_MUL,
    BitsUDiv = BITWUZLA_KIND_BV_UDIV,
    BitsSDiv = BITWUZLA_KIND_BV_SDIV,
    BitsURem = BITWUZLA_KIND_BV_UREM,
    BitsSRem = BITWUZLA_KIND_BV_SREM,
    BitsShl = BITWUZLA_KIND_BV_SHL,
    BitsLShr = BITWUZLA_KIND_BV_SHR,
    BitsAShr = BITWUZLA_KIND_BV_ASHR,
    BitsULess = BITWUZLA_KIND_BV_ULT,
    BitsULessEqual = BITWUZLA_KIND_BV_ULE,
    BitsSLess = BITWUZLA_KIND_BV_SLT,
    BitsSLessEqual = BITWUZLA_KIND_BV_SLE,
    /// The high part first.
    BitsConcat = BITWUZLA_KIND_BV_CONCAT,
    /// Indices: the highest and the lowest bit.
    BitsExtract = BITWUZLA_KIND_BV_EXTRACT,
    /// Index: by how many bits.
    BitsZeroExtend = BITWUZLA_KIND_BV_ZERO_EXTEND,
    /// Index: by how many bits.
    BitsSignExtend = BITWUZLA_KIND_BV_SIGN_EXTEND,
    FloatAdd = BITWUZLA_KIND_FP_ADD,
    FloatSub = BITWUZLA_KIND_FP_SUB,
    FloatMul = BITWUZLA_KIND_FP_MUL,
    FloatDiv = BITWUZLA_KIND_FP_DIV,
    FloatSquareRoot = BITWUZLA_KIND_FP_SQRT,
    FloatMultiplyAdd = BITWUZLA_KIND_FP_FMA,
    FloatRoundToIntegral = BITWUZLA_KIND_FP_RTI,
    FloatNeg = BITWUZLA_KIND_FP_NEG,
    FloatAbs = BITWUZLA_KIND_FP_ABS,
    FloatEqual = BITWUZLA_KIND_FP_EQUAL,
    FloatLess = BITWUZLA_KIND_FP_LT,
    FloatLessEqual = BITWUZLA_KIND_FP_LEQ,
    FloatIsNan = BITWUZLA_KIND_FP_IS_NAN,
    FloatIsInfinite = BITWUZLA_KIND_FP_IS_INF,
    FloatIsZero = BITWUZLA_KIND_FP_IS_ZERO,
    FloatIsNegative = BITWUZLA_KIND_FP_IS_NEG,
    /// Indices of all conversions to floats: bits of the exponent, and of the significand with its hidden one.
    FloatFromPattern = BITWUZLA_KIND_FP_TO_FP_FROM_BV,
    FloatFromFloat = BITWUZLA_KIND_FP_TO_FP_FROM_FP,
    FloatFromSigned = BITWUZLA_KIND_FP_TO_FP_FROM_SBV,
    FloatFromUnsigned = BITWUZLA_KIND_FP_TO_FP_FROM_UBV,
    /// Index: the width of the result.
    FloatToSigned = BITWUZLA_KIND_FP_TO_SBV,
    /// Index: the width of the result.
    FloatToUnsigned = BITWUZLA_KIND_FP_TO_UBV,
}

kinds! {
    /// How float operations round.
    Rounding:
    NearestEven = BITWUZLA_RM_RNE,
    NearestAway = BITWUZLA_RM_RNA,
    Up = BITWUZLA_RM_RTP,
    Down = BITWUZLA_RM_RTN,
    Zero = BITWUZLA_RM_RTZ,
}
