//! The words of the text form for operations, in both directions. They are LLVM's, so that dumps read familiarly.

use crate::types::FloatKind;
use crate::{BinaryOp, CastOp, FloatOp, FloatPredicate, IntPredicate, Type};

macro_rules! words {
    ($($kind:ident { $($variant:ident = $word:literal,)+ })+) => {
        $(impl $kind {
            /// The word for this in the text form.
            pub fn mnemonic(self) -> &'static str {
                match self {
                    $($kind::$variant => $word,)+
                }
            }

            pub fn from_mnemonic(word: &str) -> Option<Self> {
                match word {
                    $($word => Some($kind::$variant),)+
                    _ => None,
                }
            }
        })+
    };
}

words! {
    BinaryOp {
        Add = "add",
        Sub = "sub",
        Mul = "mul",
        UDiv = "udiv",
        SDiv = "sdiv",
        URem = "urem",
        SRem = "srem",
        Shl = "shl",
        LShr = "lshr",
        AShr = "ashr",
        And = "and",
        Or = "or",
        Xor = "xor",
    }
    FloatOp {
        Add = "fadd",
        Sub = "fsub",
        Mul = "fmul",
        Div = "fdiv",
        Rem = "frem",
    }
    IntPredicate {
        Eq = "eq",
        Ne = "ne",
        Ugt = "ugt",
        Uge = "uge",
        Ult = "ult",
        Ule = "ule",
        Sgt = "sgt",
        Sge = "sge",
        Slt = "slt",
        Sle = "sle",
    }
    CastOp {
        Trunc = "trunc",
        ZeroExtend = "zext",
        SignExtend = "sext",
        FloatToUnsigned = "fptoui",
        FloatToSigned = "fptosi",
        UnsignedToFloat = "uitofp",
        SignedToFloat = "sitofp",
        FloatTruncate = "fptrunc",
        FloatExtend = "fpext",
        PointerToInt = "ptrtoint",
        IntToPointer = "inttoptr",
        Bitcast = "bitcast",
    }
}

impl FloatPredicate {
    pub fn from_mnemonic(word: &str) -> Option<Self> {
        (0..16).map(FloatPredicate).find(|predicate| predicate.name() == word)
    }
}

impl Type {
    /// Reads a type as `Display` writes it.
    pub fn from_mnemonic(word: &str) -> Option<Self> {
        if let Some(bits) = word.strip_prefix('i') {
            let bits: u16 = bits.parse().ok()?;
            return (1..=Type::MAX_INT_BITS).contains(&bits).then(|| Type::int(bits));
        }
        let floats = FloatKind::ALL.into_iter().map(Type::float);
        floats.chain([Type::POINTER]).find(|ty| ty.to_string() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_read_back() {
        for ty in [Type::int(1), Type::int(32767), Type::POINTER, Type::DOUBLE, Type::float(FloatKind::X87)] {
            assert_eq!(Type::from_mnemonic(&ty.to_string()), Some(ty));
        }
        for word in ["i0", "i32768", "i", "int", "ix"] {
            assert_eq!(Type::from_mnemonic(word), None);
        }
    }

    #[test]
    fn predicates_read_back() {
        for bits in 0..16 {
            assert_eq!(FloatPredicate::from_mnemonic(FloatPredicate(bits).name()), Some(FloatPredicate(bits)));
        }
    }
}
