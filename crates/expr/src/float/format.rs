//! The float formats: how wide each part is, and what a bit pattern stands for. No arithmetic here.

/// A float type, from the smallest to the largest.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum FloatKind {
    Half,
    BFloat,
    Single,
    Double,
    /// x87's 80-bit extended precision, with its leading significand bit stored: C's `long double` on x86.
    X87,
    Quad,
}

/// What a bit pattern stands for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Class {
    Zero,
    Subnormal,
    Normal,
    Infinite,
    QuietNan,
    SignallingNan,
    /// x87 only: the stored leading bit contradicts the exponent. The processor takes it for an invalid operand.
    Unsupported,
}

impl FloatKind {
    pub const ALL: [FloatKind; 6] =
        [FloatKind::Half, FloatKind::BFloat, FloatKind::Single, FloatKind::Double, FloatKind::X87, FloatKind::Quad];

    /// The size of the pattern.
    #[inline]
    pub const fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Single => 32,
            FloatKind::Double => 64,
            FloatKind::X87 => 80,
            FloatKind::Quad => 128,
        }
    }

    /// Whether the pattern is held in a machine word: then the functions of `float::word` apply.
    #[inline]
    pub const fn is_word(self) -> bool {
        self.bits() <= 64
    }

    /// Significant bits, the leading one included.
    pub const fn precision(self) -> u32 {
        match self {
            FloatKind::Half => 11,
            FloatKind::BFloat => 8,
            FloatKind::Single => 24,
            FloatKind::Double => 53,
            FloatKind::X87 => 64,
            FloatKind::Quad => 113,
        }
    }

    /// Bits below the exponent field: the precision, less the leading bit where that is not stored.
    pub const fn fraction_bits(self) -> u32 {
        if self.stores_leading_bit() { self.precision() } else { self.precision() - 1 }
    }

    pub const fn stores_leading_bit(self) -> bool {
        matches!(self, FloatKind::X87)
    }

    /// The exponent field of infinities and NaNs: all ones.
    pub const fn exponent_field_max(self) -> u32 {
        (1 << (self.bits() - 1 - self.fraction_bits())) - 1
    }

    /// The exponent of the largest finite numbers, which is also what the field is biased by.
    pub const fn max_exponent(self) -> i32 {
        (self.exponent_field_max() / 2) as i32
    }

    /// The exponent of the smallest normal number.
    pub const fn min_exponent(self) -> i32 {
        1 - self.max_exponent()
    }

    pub const fn mask(self) -> u128 {
        u128::MAX >> (128 - self.bits())
    }

    pub const fn sign_mask(self) -> u128 {
        1 << (self.bits() - 1)
    }

    pub const fn fraction_mask(self) -> u128 {
        (1 << self.fraction_bits()) - 1
    }

    /// The bit whose absence makes a NaN signalling.
    pub const fn quiet_bit(self) -> u128 {
        1 << (self.precision() - 2)
    }

    pub const fn is_negative(self, pattern: u128) -> bool {
        pattern & self.sign_mask() != 0
    }

    pub const fn exponent_field(self, pattern: u128) -> u32 {
        ((pattern & !self.sign_mask()) >> self.fraction_bits()) as u32
    }

    pub const fn zero(self, negative: bool) -> u128 {
        if negative { self.sign_mask() } else { 0 }
    }

    pub const fn infinity(self, negative: bool) -> u128 {
        let leading = if self.stores_leading_bit() { 1 << (self.precision() - 1) } else { 0 };
        self.zero(negative) | (self.exponent_field_max() as u128) << self.fraction_bits() | leading
    }

    /// What an invalid operation gives on x86: negative, quiet, no payload.
    pub const fn default_nan(self) -> u128 {
        self.infinity(true) | self.quiet_bit()
    }

    /// The largest finite number.
    pub const fn largest(self, negative: bool) -> u128 {
        let exponent = (self.exponent_field_max() as u128 - 1) << self.fraction_bits();
        self.zero(negative) | exponent | self.fraction_mask()
    }

    pub const fn one(self) -> u128 {
        let leading = if self.stores_leading_bit() { 1 << (self.precision() - 1) } else { 0 };
        (self.max_exponent() as u128) << self.fraction_bits() | leading
    }

    pub const fn class(self, pattern: u128) -> Class {
        let exponent = self.exponent_field(pattern);
        let fraction = pattern & self.fraction_mask();
        // The significand without its leading bit, stored or not.
        let below_leading = fraction & (self.fraction_mask() >> self.stores_leading_bit() as u32);
        if self.stores_leading_bit() && exponent != 0 && fraction == below_leading {
            return Class::Unsupported;
        }
        if exponent == self.exponent_field_max() {
            return match (below_leading, pattern & self.quiet_bit()) {
                (0, _) => Class::Infinite,
                (_, 0) => Class::SignallingNan,
                _ => Class::QuietNan,
            };
        }
        match (exponent, fraction) {
            (0, 0) => Class::Zero,
            (0, _) => Class::Subnormal,
            _ => Class::Normal,
        }
    }

    /// Whether the pattern is a NaN, or an x87 pattern that is treated as one.
    pub const fn is_nan(self, pattern: u128) -> bool {
        matches!(self.class(pattern), Class::QuietNan | Class::SignallingNan | Class::Unsupported)
    }

    /// What an operation makes of a NaN operand: the same, quiet. Unsupported patterns become the default NaN.
    pub const fn quieted(self, nan: u128) -> u128 {
        match self.class(nan) {
            Class::Unsupported => self.default_nan(),
            _ => nan | self.quiet_bit(),
        }
    }

    /// LLVM's `is.fpclass`: whether the pattern belongs to a class of the mask. From bit 0: signalling NaN, quiet NaN,
    /// negative infinity, normal, subnormal, zero, positive zero, subnormal, normal, infinity.
    pub const fn is_class(self, pattern: u128, mask: u32) -> bool {
        let (negative, positive) = match self.class(pattern) {
            Class::SignallingNan | Class::Unsupported => (0, 0),
            Class::QuietNan => (1, 1),
            Class::Infinite => (2, 9),
            Class::Normal => (3, 8),
            Class::Subnormal => (4, 7),
            Class::Zero => (5, 6),
        };
        let bit = if self.is_negative(pattern) { negative } else { positive };
        mask >> bit & 1 != 0
    }
}
