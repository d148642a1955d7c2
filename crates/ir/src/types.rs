//! The scalar types, in two bytes.

/// The type of a register or constant: an integer of 1 to 32,767 bits, a float, or a pointer.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type(u16);

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    Int(u16),
    Float(FloatKind),
    Pointer,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum FloatKind {
    Half,
    BFloat,
    Single,
    Double,
    /// x87's 80-bit extended precision: C's `long double` on x86.
    X87,
    Quad,
}

impl FloatKind {
    pub const ALL: [FloatKind; 6] =
        [FloatKind::Half, FloatKind::BFloat, FloatKind::Single, FloatKind::Double, FloatKind::X87, FloatKind::Quad];

    pub const fn bits(self) -> u16 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Single => 32,
            FloatKind::Double => 64,
            FloatKind::X87 => 80,
            FloatKind::Quad => 128,
        }
    }
}

impl Type {
    const FLOAT: u16 = 0x8000;
    const POINTER_TAG: u16 = 0xC000;
    pub const MAX_INT_BITS: u16 = 0x7FFF;

    pub const POINTER: Type = Type(Self::POINTER_TAG);
    pub const BOOL: Type = Type(1);
    pub const I8: Type = Type(8);
    pub const I32: Type = Type(32);
    pub const I64: Type = Type(64);
    pub const SINGLE: Type = Type::float(FloatKind::Single);
    pub const DOUBLE: Type = Type::float(FloatKind::Double);

    pub const fn int(bits: u16) -> Type {
        assert!(bits >= 1 && bits <= Self::MAX_INT_BITS);
        Type(bits)
    }

    pub const fn float(kind: FloatKind) -> Type {
        Type(Self::FLOAT | kind as u16)
    }

    #[inline(always)]
    pub const fn kind(self) -> TypeKind {
        if self.0 < Self::FLOAT {
            TypeKind::Int(self.0)
        } else if self.0 == Self::POINTER_TAG {
            TypeKind::Pointer
        } else {
            TypeKind::Float(FloatKind::ALL[(self.0 & 7) as usize])
        }
    }

    pub const fn is_int(self) -> bool {
        self.0 < Self::FLOAT
    }

    /// The width of a type that is known to be an integer.
    #[inline(always)]
    pub const fn int_bits(self) -> u16 {
        debug_assert!(self.is_int());
        self.0
    }

    pub const fn is_pointer(self) -> bool {
        self.0 == Self::POINTER_TAG
    }

    pub const fn float_kind(self) -> Option<FloatKind> {
        match self.kind() {
            TypeKind::Float(kind) => Some(kind),
            _ => None,
        }
    }

    /// Width in bits; a pointer has the width of the target's pointers.
    #[inline(always)]
    pub const fn bits(self, pointer_bits: u16) -> u16 {
        match self.kind() {
            TypeKind::Int(bits) => bits,
            TypeKind::Float(kind) => kind.bits(),
            TypeKind::Pointer => pointer_bits,
        }
    }

    /// How many bytes a load or store of this type touches.
    #[inline(always)]
    pub const fn store_bytes(self, pointer_bits: u16) -> u32 {
        (self.bits(pointer_bits) as u32).div_ceil(8)
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind() {
            TypeKind::Int(bits) => write!(f, "i{bits}"),
            TypeKind::Pointer => f.write_str("ptr"),
            TypeKind::Float(kind) => f.write_str(match kind {
                FloatKind::Half => "half",
                FloatKind::BFloat => "bfloat",
                FloatKind::Single => "float",
                FloatKind::Double => "double",
                FloatKind::X87 => "x87",
                FloatKind::Quad => "quad",
            }),
        }
    }
}

impl std::fmt::Debug for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
