//! Single and double precision by the host's own arithmetic, on patterns held in words: the hot path.
//! The host's NaNs are never let out: Rust does not say which sign and payload they have, x86-64 does.

use super::Relation;

/// One module for each host type; the text is the same.
macro_rules! host_float {
    ($(#[$doc:meta])* $module:ident, $float:ident, $pattern:ident, $fraction_bits:literal) => {
        $(#[$doc])*
        pub mod $module {
            use super::Relation;

            const SIGN: u64 = 1 << ($pattern::BITS - 1);
            const QUIET: u64 = 1 << ($fraction_bits - 1);
            const INFINITY: u64 = (SIGN - 1) & !((1 << $fraction_bits) - 1);
            /// What an invalid operation gives on x86: negative, quiet, no payload.
            const DEFAULT_NAN: u64 = SIGN | INFINITY | QUIET;

            #[inline]
            fn number(pattern: u64) -> $float {
                $float::from_bits(pattern as $pattern)
            }

            #[inline]
            fn pattern(number: $float) -> u64 {
                number.to_bits() as u64
            }

            #[inline]
            pub const fn is_nan(a: u64) -> bool {
                a & !SIGN > INFINITY
            }

            #[inline]
            const fn is_signalling(a: u64) -> bool {
                is_nan(a) && a & QUIET == 0
            }

            /// The first NaN among the operands, quiet; the default one if the operation made it. Operations on fewer
            /// operands repeat one.
            #[cold]
            fn first_nan(a: u64, b: u64, c: u64) -> u64 {
                let nan = [a, b, c].into_iter().find(|&operand| is_nan(operand));
                nan.map_or(DEFAULT_NAN, |nan| nan | QUIET)
            }

            /// The host's result, unless that is a NaN.
            #[inline]
            fn settle(result: $float, a: u64, b: u64, c: u64) -> u64 {
                if result.is_nan() { first_nan(a, b, c) } else { pattern(result) }
            }

            #[inline]
            pub fn add(a: u64, b: u64) -> u64 {
                settle(number(a) + number(b), a, b, b)
            }

            #[inline]
            pub fn sub(a: u64, b: u64) -> u64 {
                settle(number(a) - number(b), a, b, b)
            }

            #[inline]
            pub fn mul(a: u64, b: u64) -> u64 {
                settle(number(a) * number(b), a, b, b)
            }

            #[inline]
            pub fn div(a: u64, b: u64) -> u64 {
                settle(number(a) / number(b), a, b, b)
            }

            /// C's `fmod`, which is exact.
            #[inline]
            pub fn rem(a: u64, b: u64) -> u64 {
                settle(number(a) % number(b), a, b, b)
            }

            /// `a * b + c`, rounded once. The library uses an instruction that looks for NaNs in its second operand first.
            #[inline]
            pub fn fma(a: u64, b: u64, c: u64) -> u64 {
                settle(number(a).mul_add(number(b), number(c)), b, a, c)
            }

            #[inline]
            pub fn sqrt(a: u64) -> u64 {
                settle(number(a).sqrt(), a, a, a)
            }

            #[inline]
            pub fn neg(a: u64) -> u64 {
                a ^ SIGN
            }

            #[inline]
            pub fn abs(a: u64) -> u64 {
                a & !SIGN
            }

            #[inline]
            pub fn copysign(a: u64, sign: u64) -> u64 {
                a & !SIGN | sign & SIGN
            }

            #[inline]
            pub fn floor(a: u64) -> u64 {
                settle(number(a).floor(), a, a, a)
            }

            #[inline]
            pub fn ceil(a: u64) -> u64 {
                settle(number(a).ceil(), a, a, a)
            }

            #[inline]
            pub fn trunc(a: u64) -> u64 {
                settle(number(a).trunc(), a, a, a)
            }

            /// Halves away from zero.
            #[inline]
            pub fn round(a: u64) -> u64 {
                settle(number(a).round(), a, a, a)
            }

            /// Halves to even. Also `rint` and `nearbyint`: the rounding mode is never changed.
            #[inline]
            pub fn roundeven(a: u64) -> u64 {
                settle(number(a).round_ties_even(), a, a, a)
            }

            #[inline]
            pub fn relation(a: u64, b: u64) -> Relation {
                let (a, b) = (number(a), number(b));
                if a < b {
                    Relation::Less
                } else if a > b {
                    Relation::Greater
                } else if a == b {
                    Relation::Equal
                } else {
                    Relation::Unordered
                }
            }

            /// LLVM's `fcmp`: whether the relation of the operands is in the set.
            #[inline]
            pub fn compare(predicate: u8, a: u64, b: u64) -> bool {
                // Without branches: which way a comparison goes is often anyone's guess.
                let (a, b) = (number(a), number(b));
                let ordered = u8::from(a == b) | u8::from(a > b) << 1 | u8::from(a < b) << 2;
                let relation = ordered | u8::from(a.is_nan() | b.is_nan()) << 3;
                predicate & relation != 0
            }

            /// `llvm.minnum` as x86-64 code has it inline: a NaN, of either sort, gives the other operand unchanged;
            /// of two zeros the first.
            #[inline]
            pub fn minnum(a: u64, b: u64) -> u64 {
                if is_nan(a) || number(b) < number(a) { b } else { a }
            }

            /// `llvm.maxnum`; see `minnum`.
            #[inline]
            pub fn maxnum(a: u64, b: u64) -> u64 {
                if is_nan(a) || number(b) > number(a) { b } else { a }
            }

            /// C's `fmin` as the library has it: a signalling NaN spoils the result; of two zeros the second.
            pub fn fmin(a: u64, b: u64) -> u64 {
                library_choice(a, b, number(a) < number(b))
            }

            /// C's `fmax`; see `fmin`.
            pub fn fmax(a: u64, b: u64) -> u64 {
                library_choice(a, b, number(a) > number(b))
            }

            #[inline]
            fn library_choice(a: u64, b: u64, prefer_first: bool) -> u64 {
                match (is_nan(a), is_nan(b)) {
                    (false, false) if prefer_first => a,
                    (false, false) => b,
                    (true, false) if !is_signalling(a) => b,
                    (false, true) if !is_signalling(b) => a,
                    _ => first_nan(a, b, b),
                }
            }

            /// `llvm.minimum` as x86-64 code has it inline: NaNs win and stay as they are, and -0 is less than +0.
            #[inline]
            pub fn minimum(a: u64, b: u64) -> u64 {
                // The processor's own minimum gives its second operand for equal ones: there the negative one belongs.
                let (first, second) = if a & SIGN != 0 { (b, a) } else { (a, b) };
                if is_nan(first) || number(first) < number(second) { first } else { second }
            }

            /// `llvm.maximum` as x86-64 code has it inline: NaNs win and stay as they are, and +0 is greater than -0.
            #[inline]
            pub fn maximum(a: u64, b: u64) -> u64 {
                let (first, second) = if a & SIGN != 0 { (a, b) } else { (b, a) };
                if is_nan(first) || number(first) > number(second) { first } else { second }
            }

            /// `cvtt…2si` into 32 bits: toward zero; out of range, the "integer indefinite".
            #[inline]
            pub fn to_signed32(a: u64) -> u32 {
                // The indefinite of 64 bits does not fit in 32 and so becomes that of 32 bits.
                i32::try_from(to_signed64(a) as i64).map_or(1 << 31, |value| value as u32)
            }

            /// `cvtt…2si` into 64 bits: toward zero; out of range, the "integer indefinite".
            #[inline]
            pub fn to_signed64(a: u64) -> u64 {
                let number = number(a);
                // Both bounds are exact; NaN fails the comparison.
                if (-9223372036854775808.0..9223372036854775808.0).contains(&number) {
                    number as i64 as u64
                } else {
                    1 << 63
                }
            }

            /// The branch-free sequence that clang emits for `u64`: the plain conversion, and where that is negative
            /// the conversion of the number less 2^63 joined to it.
            #[inline]
            pub fn to_unsigned64(a: u64) -> u64 {
                let small = to_signed64(a);
                let large = to_signed64(sub(a, pattern(9223372036854775808.0)));
                small | large & ((small as i64 >> 63) as u64)
            }

            #[inline]
            pub fn from_signed(value: i64) -> u64 {
                pattern(value as $float)
            }

            #[inline]
            pub fn from_unsigned(value: u64) -> u64 {
                pattern(value as $float)
            }
        }
    };
}

host_float!(
    /// Single precision, in the low 32 bits of a word.
    single, f32, u32, 23
);
host_float!(
    /// Double precision.
    double, f64, u64, 52
);

/// Single to double precision. A NaN keeps its sign and payload, and becomes quiet.
#[inline]
pub fn single_to_double(a: u64) -> u64 {
    if single::is_nan(a) {
        return (a >> 31) << 63 | 0x7ff8 << 48 | (a & 0x7f_ffff) << 29;
    }
    f64::from(f32::from_bits(a as u32)).to_bits()
}

/// Double to single precision. A NaN keeps its sign and the top of its payload, and becomes quiet.
#[inline]
pub fn double_to_single(a: u64) -> u64 {
    if double::is_nan(a) {
        return (a >> 63) << 31 | 0x7fc0 << 16 | a >> 29 & 0x7f_ffff;
    }
    u64::from((f64::from_bits(a) as f32).to_bits())
}
