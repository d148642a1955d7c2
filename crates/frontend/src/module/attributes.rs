//! Attributes of functions, parameters, results and calls. What they mean is the lowering's business.

use super::{AttributeGroupId, TypeId};

/// The number by which a file names an attribute without text. Those that matter have names here; others keep
/// their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AttributeKind(pub u32);

macro_rules! attribute_kinds {
    ($($constant:ident = $number:literal, $name:literal;)*) => {
        impl AttributeKind {
            $(
                #[doc = concat!("`", $name, "`")]
                pub const $constant: AttributeKind = AttributeKind($number);
            )*

            /// The name in LLVM's text form, of the kinds known here.
            pub fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some($name),)*
                    _ => None,
                }
            }
        }
    };
}

attribute_kinds! {
    ALIGNMENT = 1, "align";
    ALWAYS_INLINE = 2, "alwaysinline";
    BY_VALUE = 3, "byval";
    INLINE_HINT = 4, "inlinehint";
    IN_REGISTER = 5, "inreg";
    MINIMUM_SIZE = 6, "minsize";
    NAKED = 7, "naked";
    NEST = 8, "nest";
    NO_ALIAS = 9, "noalias";
    NO_BUILTIN = 10, "nobuiltin";
    NO_CAPTURE = 11, "nocapture";
    NO_DUPLICATE = 12, "noduplicate";
    NO_INLINE = 14, "noinline";
    NO_RETURN = 17, "noreturn";
    NO_UNWIND = 18, "nounwind";
    OPTIMIZE_FOR_SIZE = 19, "optsize";
    READ_NONE = 20, "readnone";
    READ_ONLY = 21, "readonly";
    RETURNED = 22, "returned";
    RETURNS_TWICE = 23, "returns_twice";
    SIGN_EXTEND = 24, "signext";
    STACK_ALIGNMENT = 25, "alignstack";
    STRUCT_RETURN = 29, "sret";
    UNWIND_TABLE = 33, "uwtable";
    ZERO_EXTEND = 34, "zeroext";
    BUILTIN = 35, "builtin";
    COLD = 36, "cold";
    OPTIMIZE_NONE = 37, "optnone";
    IN_ALLOCA = 38, "inalloca";
    NON_NULL = 39, "nonnull";
    DEREFERENCEABLE = 41, "dereferenceable";
    DEREFERENCEABLE_OR_NULL = 42, "dereferenceable_or_null";
    CONVERGENT = 43, "convergent";
    SWIFT_SELF = 46, "swiftself";
    SWIFT_ERROR = 47, "swifterror";
    NO_RECURSE = 48, "norecurse";
    ALLOCATION_SIZE = 51, "allocsize";
    WRITE_ONLY = 52, "writeonly";
    SPECULATABLE = 53, "speculatable";
    STRICT_FLOAT = 54, "strictfp";
    IMMEDIATE_ARGUMENT = 60, "immarg";
    WILL_RETURN = 61, "willreturn";
    NO_FREE = 62, "nofree";
    NO_SYNC = 63, "nosync";
    PREALLOCATED = 65, "preallocated";
    NO_MERGE = 66, "nomerge";
    NULL_POINTER_IS_VALID = 67, "null_pointer_is_valid";
    NO_UNDEF = 68, "noundef";
    BY_REFERENCE = 69, "byref";
    MUST_PROGRESS = 70, "mustprogress";
    NO_CALLBACK = 71, "nocallback";
    HOT = 72, "hot";
    ELEMENT_TYPE = 77, "elementtype";
    ALLOCATION_ALIGNMENT = 80, "allocalign";
    ALLOCATED_POINTER = 81, "allocptr";
    ALLOCATION_KIND = 82, "allockind";
    MEMORY = 86, "memory";
    NO_FLOAT_CLASS = 87, "nofpclass";
    WRITABLE = 89, "writable";
    DEAD_ON_UNWIND = 91, "dead_on_unwind";
    RANGE = 92, "range";
    INITIALIZES = 94, "initializes";
    NO_EXTEND = 99, "noext";
    CAPTURES = 102, "captures";
    DEAD_ON_RETURN = 103, "dead_on_return";
}

/// One attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attribute {
    /// One that is there or not.
    Flag(AttributeKind),
    /// One with a number, e.g. `align 8`.
    Integer(AttributeKind, u64),
    /// One with a type, e.g. `byval(%struct.pair)`. Old files may leave the type out.
    Type(AttributeKind, Option<TypeId>),
    /// One whose values are ranges of integers (`range`, `initializes`). The ranges are not kept.
    Ranges(AttributeKind),
    /// A pair of texts, e.g. `"frame-pointer"="all"`; the value may be empty.
    Text {
        /// Left of the equals sign.
        key: String,
        /// Right of it.
        value: String,
    },
}

impl Attribute {
    /// The kind, if it is not a pair of texts.
    pub fn kind(&self) -> Option<AttributeKind> {
        match self {
            Attribute::Flag(kind)
            | Attribute::Integer(kind, _)
            | Attribute::Type(kind, _)
            | Attribute::Ranges(kind) => Some(*kind),
            Attribute::Text { .. } => None,
        }
    }
}

/// What of a function or call an attribute describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AttributePlace {
    /// The function or call itself.
    Function,
    /// Its result.
    Result,
    /// A parameter or argument, counted from zero. May be beyond the last one in odd files.
    Parameter(u32),
}

/// Attributes of one place.
#[derive(Debug, Clone, Default)]
pub struct AttributeGroup {
    /// In the order of the file.
    pub attributes: Vec<Attribute>,
}

/// Attributes of all places of one function or call.
#[derive(Debug, Clone, Default)]
pub struct AttributeList {
    /// Which group applies to which place, sorted by place; a place may occur more than once.
    pub entries: Box<[(AttributePlace, AttributeGroupId)]>,
}
