//! What is known of a float: bounds of the numbers that it may be, and whether it may be a NaN. Both zeros are one
//! number.

use symcrete_expr::FloatKind;

/// The kinds of floats whose values are followed. The width of a value tells which one it would be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    Single,
    Double,
}

impl Precision {
    pub fn of_kind(kind: FloatKind) -> Option<Precision> {
        match kind {
            FloatKind::Single => Some(Precision::Single),
            FloatKind::Double => Some(Precision::Double),
            _ => None,
        }
    }

    pub fn of_width(width: u32) -> Option<Precision> {
        match width {
            32 => Some(Precision::Single),
            64 => Some(Precision::Double),
            _ => None,
        }
    }

    /// The next number of this kind; infinity stays.
    #[inline]
    pub fn up(self, number: f64) -> f64 {
        match self {
            Precision::Double => number.next_up(),
            Precision::Single => f64::from((number as f32).next_up()),
        }
    }

    #[inline]
    pub fn down(self, number: f64) -> f64 {
        -self.up(-number)
    }

    /// The nearest number of this kind.
    #[inline]
    pub fn round(self, number: f64) -> f64 {
        match self {
            Precision::Double => number,
            Precision::Single => f64::from(number as f32),
        }
    }

    /// The least number of this kind that is not less.
    #[inline]
    pub fn round_up(self, number: f64) -> f64 {
        let nearest = self.round(number);
        if nearest < number { self.up(nearest) } else { nearest }
    }

    #[inline]
    pub fn round_down(self, number: f64) -> f64 {
        -self.round_up(-number)
    }

    /// The least positive number.
    #[inline]
    pub fn least(self) -> f64 {
        self.up(0.0)
    }

    /// The greatest finite number.
    #[inline]
    pub fn greatest(self) -> f64 {
        self.down(f64::INFINITY)
    }

    /// The number that has these bits, as a signed integer of the width of the kind; possibly a NaN.
    pub fn number_of_bits(self, bits: i64) -> f64 {
        match self {
            Precision::Double => f64::from_bits(bits as u64),
            Precision::Single => f64::from(f32::from_bits(bits as u32)),
        }
    }

    /// The bits of a number of this kind, as a signed integer of its width.
    pub fn to_bits(self, number: f64) -> i64 {
        match self {
            Precision::Double => number.to_bits() as i64,
            Precision::Single => i64::from((number as f32).to_bits() as i32),
        }
    }
}

/// All numbers from `low` to `high`, none if `low` is more than `high`; and NaNs of any bits, or none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
    pub nan: bool,
}

impl Interval {
    pub const ANYTHING: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };
    pub const NUMBERS: Interval = Interval { nan: false, ..Interval::ANYTHING };
    pub const NOTHING: Interval = Interval { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: false };
    pub const NAN: Interval = Interval { nan: true, ..Interval::NOTHING };

    pub fn new(low: f64, high: f64, nan: bool) -> Interval {
        Interval { low, high, nan }
    }

    pub fn point(number: f64) -> Interval {
        match number.is_nan() {
            true => Interval::NAN,
            false => Interval::new(number, number, false),
        }
    }

    #[inline]
    pub fn has_numbers(&self) -> bool {
        self.low <= self.high
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        !self.has_numbers() && !self.nan
    }

    #[cfg(test)]
    pub fn contains(&self, number: f64) -> bool {
        if number.is_nan() { self.nan } else { self.low <= number && number <= self.high }
    }

    #[inline]
    pub fn has_zero(&self) -> bool {
        self.low <= 0.0 && 0.0 <= self.high
    }

    #[inline]
    pub fn has_infinity(&self) -> bool {
        self.has_numbers() && (self.low == f64::NEG_INFINITY || self.high == f64::INFINITY)
    }

    /// Whether there is only one number, zeros of both signs being one, and no NaN.
    #[inline]
    pub fn is_point(&self) -> bool {
        self.low == self.high && !self.nan
    }

    #[inline]
    pub fn meet(&self, other: &Interval) -> Interval {
        Interval { low: self.low.max(other.low), high: self.high.min(other.high), nan: self.nan && other.nan }
    }

    #[inline]
    pub fn join(&self, other: &Interval) -> Interval {
        match (self.has_numbers(), other.has_numbers()) {
            (true, true) => Interval::new(self.low.min(other.low), self.high.max(other.high), self.nan || other.nan),
            (true, false) => Interval { nan: self.nan || other.nan, ..*self },
            (false, _) => Interval { nan: self.nan || other.nan, ..*other },
        }
    }

    /// The numbers without those strictly between two others.
    pub fn outside(&self, low: f64, high: f64) -> Interval {
        let mut narrowed = *self;
        if low < high {
            if low < narrowed.low && narrowed.low < high {
                narrowed.low = high;
            }
            if low < narrowed.high && narrowed.high < high {
                narrowed.high = low;
            }
        }
        narrowed
    }

    /// Without zero, if that is a bound.
    pub fn without_zero(&self, precision: Precision) -> Interval {
        let least = precision.least();
        self.outside(-least, least)
    }

    pub fn negated(&self) -> Interval {
        Interval::new(-self.high, -self.low, self.nan)
    }

    /// The least and the greatest magnitude of a number.
    pub fn magnitudes(&self) -> (f64, f64) {
        let greatest = self.low.abs().max(self.high.abs());
        match self.has_zero() {
            true => (0.0, greatest),
            false => (self.low.abs().min(self.high.abs()), greatest),
        }
    }

    pub fn absolute(&self) -> Interval {
        if !self.has_numbers() {
            return *self;
        }
        let (least, greatest) = self.magnitudes();
        Interval::new(least, greatest, self.nan)
    }

    /// One step further on both sides: where the exact result of an operation was that was rounded to one of these,
    /// whatever the direction; also what the operation gives if it rounds in another direction than to nearest.
    #[inline]
    pub fn widened(&self, precision: Precision) -> Interval {
        match self.has_numbers() {
            true => Interval::new(precision.down(self.low), precision.up(self.high), self.nan),
            false => *self,
        }
    }

    /// Bounds that are numbers of the kind, for values that are.
    #[inline]
    pub fn fitted(&self, precision: Precision) -> Interval {
        match precision {
            Precision::Double => *self,
            Precision::Single => Interval::new(precision.round_up(self.low), precision.round_down(self.high), self.nan),
        }
    }

    /// What a float is whose bits, as a signed integer of its width, lie between two others.
    pub fn of_bits(precision: Precision, low: i64, high: i64) -> Interval {
        let infinite = precision.to_bits(f64::INFINITY);
        let negative_infinite = precision.to_bits(f64::NEG_INFINITY);
        if low >= 0 {
            // Positive floats are in the order of their bits, and NaNs above.
            let numbers = match low <= infinite {
                true => {
                    Interval::new(precision.number_of_bits(low), precision.number_of_bits(high.min(infinite)), false)
                }
                false => Interval::NOTHING,
            };
            Interval { nan: high > infinite, ..numbers }
        } else if high < 0 {
            let numbers = match low <= negative_infinite {
                true => Interval::new(
                    precision.number_of_bits(high.min(negative_infinite)),
                    precision.number_of_bits(low),
                    false,
                ),
                false => Interval::NOTHING,
            };
            Interval { nan: high > negative_infinite, ..numbers }
        } else {
            Interval::ANYTHING
        }
    }

    /// The bounds of the bits, if the float is one number or more of one sign and not zero.
    pub fn to_bits(self, precision: Precision) -> Option<(i64, i64)> {
        if self.nan || !self.has_numbers() {
            None
        } else if self.low > 0.0 {
            Some((precision.to_bits(self.low), precision.to_bits(self.high)))
        } else if self.high < 0.0 {
            Some((precision.to_bits(self.high), precision.to_bits(self.low)))
        } else {
            None
        }
    }
}
