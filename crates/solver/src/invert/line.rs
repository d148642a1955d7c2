//! Numbers of all kinds as places on a line, in their order.

use symcrete_expr::dag::NumberKind;
use symcrete_expr::float;
use symcrete_expr::word::{mask, sign_bit, sign_extend, truncate};
use symcrete_expr::{Bits, FloatKind};

/// Numbers of one kind and width, of up to 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    Signed(u32),
    Unsigned(u32),
    Float(FloatKind),
}

/// Where a function of floats is looked at first, on both sides of zero.
const SAMPLES: [f64; 30] = [
    0.0, 1e-300, 1e-100, 1e-30, 1e-12, 1e-6, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0, 1.3, 1.7, 2.2, 3.0, 4.0, 5.0,
    7.0, 10.0, 20.0, 50.0, 100.0, 700.0, 1e4, 1e9, 1e30, 1e300,
];

impl Line {
    /// The line of a declared kind; without one, numbers of a float's width are floats.
    pub fn new(width: u32, declared: Option<NumberKind>) -> Option<Line> {
        match (declared, width) {
            (Some(NumberKind::Float(kind)), _) if kind.bits() <= 64 && kind.bits() == width => Some(Line::Float(kind)),
            (Some(NumberKind::Signed), 1..=64) => Some(Line::Signed(width)),
            (Some(NumberKind::Unsigned), 1..=64) => Some(Line::Unsigned(width)),
            (None, 32) => Some(Line::Float(FloatKind::Single)),
            (None, 64) => Some(Line::Float(FloatKind::Double)),
            (None, 1..=63) => Some(Line::Signed(width)),
            _ => None,
        }
    }

    pub fn width(self) -> u32 {
        match self {
            Line::Signed(width) | Line::Unsigned(width) => width,
            Line::Float(kind) => kind.bits(),
        }
    }

    /// Both zeros are at 0; `None` for what is no number.
    pub fn place(self, value: u64) -> Option<i128> {
        match self {
            Line::Signed(width) => Some(sign_extend(width, value).into()),
            Line::Unsigned(_) => Some(value.into()),
            Line::Float(kind) if kind.is_nan(value.into()) => None,
            Line::Float(kind) => {
                let magnitude = i128::from(value & !(kind.sign_mask() as u64));
                Some(if kind.is_negative(value.into()) { -magnitude } else { magnitude })
            }
        }
    }

    /// The value at a place, if there is one.
    pub fn at(self, place: i128) -> Option<u64> {
        match self {
            Line::Signed(width) => {
                let half = i128::from(sign_bit(width));
                (-half..half).contains(&place).then(|| truncate(width, place as u64))
            }
            Line::Unsigned(width) => (0..=i128::from(mask(width))).contains(&place).then_some(place as u64),
            Line::Float(kind) => {
                let magnitude = place.unsigned_abs();
                let sign = if place < 0 { kind.sign_mask() } else { 0 };
                (magnitude <= kind.infinity(false)).then_some((magnitude | sign) as u64)
            }
        }
    }

    pub fn bits(self, value: u64) -> Bits {
        Bits::from_u64(self.width(), value)
    }

    /// Places where a function is looked at first: over all scales, and around a place.
    pub fn samples(self, around: Option<i128>) -> Vec<i128> {
        let mut places = Vec::new();
        match self {
            Line::Float(kind) => {
                let place = |number: f64| self.place(float::word::convert(FloatKind::Double, kind, number.to_bits()));
                places.extend(SAMPLES.iter().flat_map(|sample| [*sample, -*sample]).filter_map(place));
                // Functions that go up and down have roots around what is there already.
                if let Some(value) = around.and_then(|place| self.at(place)) {
                    let value = f64::from_bits(float::word::convert(kind, FloatKind::Double, value));
                    let near = [-6.0, -4.5, -3.0, -1.5, 0.0, 1.5, 3.0, 4.5, 6.0];
                    places.extend(near.iter().filter_map(|offset| place(value + offset)));
                }
            }
            Line::Signed(width) | Line::Unsigned(width) => {
                for middle in [Some(0), around].into_iter().flatten() {
                    places.push(middle);
                    for power in 0..width {
                        places.extend([middle + (1i128 << power), middle - (1i128 << power)]);
                    }
                }
            }
        }
        places.retain(|place| self.at(*place).is_some());
        places.sort_unstable();
        places.dedup();
        places
    }
}
