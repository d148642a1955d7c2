//! Real literals, which exist to be rounded to floats: exact fractions of natural numbers.

use symcrete_expr::dag::Rounding;
use symcrete_expr::{Bits, FloatKind};

use crate::smtlib::error::Problem;

/// More digits than any double needs to be written exactly; quads of very small numbers may need more.
const MOST_DIGITS: usize = 20_000;

/// A fraction with a sign. Numbers are little-endian limbs without zeros at the top.
#[derive(Clone, Debug)]
pub(super) struct Real {
    negative: bool,
    numerator: Vec<u64>,
    /// Not zero.
    denominator: Vec<u64>,
}

/// A decimal number as limbs.
pub(super) fn limbs(digits: &str) -> Result<Vec<u64>, Problem> {
    if digits.len() > MOST_DIGITS {
        return Err(Problem::LongNumber);
    }
    let mut limbs: Vec<u64> = Vec::new();
    for digit in digits.chars() {
        let digit = digit.to_digit(10).ok_or(Problem::Expected("a decimal number"))?;
        multiply_add(&mut limbs, 10, u64::from(digit));
    }
    Ok(limbs)
}

fn multiply_add(limbs: &mut Vec<u64>, factor: u64, summand: u64) {
    let mut carry = u128::from(summand);
    for limb in limbs.iter_mut() {
        let sum = u128::from(*limb) * u128::from(factor) + carry;
        *limb = sum as u64;
        carry = sum >> 64;
    }
    if carry != 0 {
        limbs.push(carry as u64);
    }
}

fn product(a: &[u64], b: &[u64]) -> Vec<u64> {
    let width = ((a.len() + b.len()).max(1) * 64) as u32;
    trimmed(Bits::from_limbs(width, a).mul(&Bits::from_limbs(width, b)).limbs())
}

fn trimmed(limbs: &[u64]) -> Vec<u64> {
    let length = limbs.iter().rposition(|limb| *limb != 0).map_or(0, |last| last + 1);
    limbs[..length].to_vec()
}

/// How many bits a number has.
fn length(limbs: &[u64]) -> i64 {
    limbs.last().map_or(0, |top| limbs.len() as i64 * 64 - i64::from(top.leading_zeros()))
}

impl Real {
    /// From a numeral or a decimal.
    pub fn parse(text: &str) -> Result<Real, Problem> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let numerator = limbs(&[whole, fraction].concat())?;
        let mut denominator = vec![1];
        for _ in 0..fraction.len() {
            multiply_add(&mut denominator, 10, 0);
        }
        Ok(Real { negative: false, numerator, denominator })
    }

    pub fn negated(&self) -> Real {
        Real { negative: !self.negative, ..self.clone() }
    }

    /// `None` for a division by zero.
    pub fn divided(&self, divisor: &Real) -> Result<Real, Problem> {
        let long = |real: &Real| real.numerator.len() + real.denominator.len() > MOST_DIGITS / 8;
        if divisor.numerator.is_empty() || long(self) || long(divisor) {
            return Err(Problem::Unsupported("quotients that are no numbers, or too long"));
        }
        Ok(Real {
            negative: self.negative != divisor.negative,
            numerator: product(&self.numerator, &divisor.denominator),
            denominator: product(&self.denominator, &divisor.numerator),
        })
    }

    /// The pattern of the float that it is rounded to.
    pub fn round(&self, kind: FloatKind, rounding: Rounding) -> u128 {
        if self.numerator.is_empty() {
            return kind.zero(false);
        }
        let precision = i64::from(kind.precision());
        // The exponent of the number is one of two; with the smaller one the quotient may have a bit too much, which the second
        // attempt sees.
        let estimate = length(&self.numerator) - length(&self.denominator) - 1;
        [estimate, estimate + 1]
            .into_iter()
            .find_map(|exponent| self.round_at(kind, rounding, exponent, precision))
            .unwrap_or(0)
    }

    /// `None` if the number is 2^(exponent+1) or more.
    fn round_at(&self, kind: FloatKind, rounding: Rounding, exponent: i64, precision: i64) -> Option<u128> {
        let exponent = exponent.max(i64::from(kind.min_exponent()));
        let quantum = exponent - (precision - 1);
        // numerator / (denominator * 2^quantum)
        let (up, down) = ((-quantum).max(0) as u64, quantum.max(0) as u64);
        let longest = length(&self.numerator).max(length(&self.denominator)) as u64;
        let width = (longest + up + down + 2) as u32;
        let numerator = Bits::from_limbs(width, &self.numerator).shl(up);
        let denominator = Bits::from_limbs(width, &self.denominator).shl(down);
        let (quotient, remainder) = numerator.udivrem(&denominator)?;
        let significand = quotient.to_u128().filter(|quotient| quotient >> precision == 0)?;
        let half = remainder.shl(1).compare_unsigned(&denominator);
        let away = match rounding {
            Rounding::NearestEven => half.is_gt() || (half.is_eq() && significand & 1 == 1),
            Rounding::NearestAway => half.is_ge(),
            Rounding::Zero => false,
            Rounding::Up => !self.negative && !remainder.is_zero(),
            Rounding::Down => self.negative && !remainder.is_zero(),
        };
        Some(encode(kind, rounding, self.negative, exponent, significand + u128::from(away)))
    }
}

/// A significand of at most `precision` bits, or the power of two just past that, as a pattern.
fn encode(kind: FloatKind, rounding: Rounding, negative: bool, exponent: i64, significand: u128) -> u128 {
    let leading = 1 << (kind.precision() - 1);
    let carried = significand == leading << 1;
    let (exponent, significand) = if carried { (exponent + 1, leading) } else { (exponent, significand) };
    if exponent > i64::from(kind.max_exponent()) {
        let to_infinity = match rounding {
            Rounding::NearestEven | Rounding::NearestAway => true,
            Rounding::Zero => false,
            Rounding::Up => !negative,
            Rounding::Down => negative,
        };
        return if to_infinity { kind.infinity(negative) } else { kind.largest(negative) };
    }
    let field = if significand & leading == 0 { 0 } else { (exponent + i64::from(kind.max_exponent())) as u128 };
    kind.zero(negative) | field << kind.fraction_bits() | significand & kind.fraction_mask()
}
