//! How far apart two values are. Plain functions, the reference for whatever computes the same in another way.

use symcrete_expr::float;
use symcrete_expr::word::{sign_extend, truncate};
use symcrete_expr::{Bits, FloatKind};

use crate::tape::View;

/// Farther than any two numbers of 64 bits are.
pub const FAR: f64 = 36_893_488_147_419_103_232.0;
/// No score by difference is larger, so that sums stay finite.
pub const MOST: f64 = 1e300;

/// Between patterns of up to 64 bits.
#[inline]
pub fn between(view: View, a: u64, b: u64) -> f64 {
    match view {
        View::Signed(width) => sign_extend(width, a).abs_diff(sign_extend(width, b)) as f64,
        View::Unsigned(_) => a.abs_diff(b) as f64,
        View::Wrapping(width) => {
            let up = truncate(width, a.wrapping_sub(b));
            up.min(truncate(width, b.wrapping_sub(a))) as f64
        }
        View::Pattern(_) => f64::from((a ^ b).count_ones()),
        View::Number(kind) => numeric(kind, a.into(), b.into()),
        View::Steps(kind) => match (ordered(kind, a), ordered(kind, b)) {
            (Some(a), Some(b)) => a.abs_diff(b) as f64,
            _ => FAR,
        },
    }
}

/// The first minus the second; not a number where one of them is none.
#[inline]
pub fn gap(view: View, a: u64, b: u64) -> f64 {
    match view {
        View::Signed(width) => sign_extend(width, a) as f64 - sign_extend(width, b) as f64,
        View::Unsigned(_) => a as f64 - b as f64,
        View::Wrapping(width) | View::Pattern(width) => sign_extend(width, truncate(width, a.wrapping_sub(b))) as f64,
        View::Number(kind) | View::Steps(kind) => number(kind, a.into()) - number(kind, b.into()),
    }
}

/// Between values of any width.
pub fn between_wide(view: View, a: &Bits, b: &Bits) -> f64 {
    match view {
        View::Number(kind) | View::Steps(kind) if kind.bits() > 64 => {
            let (a, b) = (a.low_u128(), b.low_u128());
            if let View::Number(_) = view {
                return numeric(kind, a, b);
            }
            if kind.is_nan(a) || kind.is_nan(b) {
                return FAR;
            }
            let place = |pattern: u128| match kind.is_negative(pattern) {
                true => -((pattern & !kind.sign_mask()) as i128),
                false => pattern as i128,
            };
            place(a).abs_diff(place(b)) as f64
        }
        View::Pattern(_) => {
            let differing = a.xor(b).limbs().iter().map(|limb| limb.count_ones()).sum::<u32>();
            f64::from(differing)
        }
        _ => {
            let (up, down) = (a.sub(b), b.sub(a));
            let nearer = if up.unsigned_less(&down) { up } else { down };
            as_double(&nearer)
        }
    }
}

fn as_double(bits: &Bits) -> f64 {
    bits.limbs().iter().rev().fold(0.0, |sum, limb| sum * 18_446_744_073_709_551_616.0 + *limb as f64)
}

/// The difference of two floats; huge where there is none, as of NaNs and of equal infinities.
#[inline]
fn numeric(kind: FloatKind, a: u128, b: u128) -> f64 {
    let distance = (number(kind, a) - number(kind, b)).abs();
    if distance.is_nan() { MOST } else { distance }
}

/// The value as a double, rounded where it has more digits.
#[inline]
pub fn number(kind: FloatKind, pattern: u128) -> f64 {
    match kind {
        FloatKind::Double => f64::from_bits(pattern as u64),
        FloatKind::Single => f64::from(f32::from_bits(pattern as u32)),
        _ => f64::from_bits(float::convert::convert(kind, FloatKind::Double, pattern) as u64),
    }
}

/// The place of a float among all of its kind, both zeros at 0; `None` for NaN. Of kinds of up to 64 bits.
#[inline]
pub fn ordered(kind: FloatKind, pattern: u64) -> Option<i64> {
    if kind.is_nan(pattern.into()) {
        return None;
    }
    let magnitude = (pattern & !(kind.sign_mask() as u64)) as i64;
    Some(if kind.is_negative(pattern.into()) { -magnitude } else { magnitude })
}

/// A logarithm to the base of two of one and a distance: exact at powers of two, straight lines between them.
#[inline]
pub fn logarithm(distance: f64) -> f64 {
    let bits = (1.0 + distance).to_bits().wrapping_sub(1.0f64.to_bits());
    bits as f64 * (1.0 / 4_503_599_627_370_496.0)
}

/// The score of a condition that does not hold, by Algorithm 2 of the Concolic Walk paper.
#[inline]
pub fn plain_score(distance: f64, plus_one: bool) -> f64 {
    let distance = distance.clamp(f64::MIN_POSITIVE, MOST);
    if plus_one { distance + 1.0 } else { distance }
}

/// The score of a condition that does not hold, where scales are to count the same.
#[inline]
pub fn logarithmic_score(distance: f64) -> f64 {
    1.0 + logarithm(distance)
}
