//! What the functions of glibc's libm may give. The manual promises the ranges of sines, cosines, hyperbolic and
//! inverse functions, and errors of a few units in the last place ("Errors in Math Functions": at most 4 for those
//! listed here on x86-64); where a function is monotone, its values at the bounds, widened by `SLACK` units for the
//! errors of both, are bounds.

use std::hint::black_box;

use symcrete_expr::Bits;
use symcrete_expr::dag::Function;

use super::number::{Interval, Precision};

/// Units in the last place that monotone functions are trusted with, and more than twice the documented errors.
const SLACK: u32 = 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Name {
    Sine,
    Cosine,
    Exponential,
    BinaryExponential,
    ExponentialLessOne,
    Logarithm,
    BinaryLogarithm,
    DecimalLogarithm,
    LogarithmOfOneMore,
    HyperbolicSine,
    HyperbolicCosine,
    HyperbolicTangent,
    ArcSine,
    ArcCosine,
    ArcTangent,
    ArcTangentOfTwo,
    CubeRoot,
    SquareRoot,
    Hypotenuse,
    Power,
    Absolute,
}

/// A function of the library, for one kind of floats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    pub name: Name,
    pub precision: Precision,
}

pub(super) const NAMES: [(&str, Name); 21] = [
    ("sin", Name::Sine),
    ("cos", Name::Cosine),
    ("exp", Name::Exponential),
    ("exp2", Name::BinaryExponential),
    ("expm1", Name::ExponentialLessOne),
    ("log", Name::Logarithm),
    ("log2", Name::BinaryLogarithm),
    ("log10", Name::DecimalLogarithm),
    ("log1p", Name::LogarithmOfOneMore),
    ("sinh", Name::HyperbolicSine),
    ("cosh", Name::HyperbolicCosine),
    ("tanh", Name::HyperbolicTangent),
    ("asin", Name::ArcSine),
    ("acos", Name::ArcCosine),
    ("atan", Name::ArcTangent),
    ("atan2", Name::ArcTangentOfTwo),
    ("cbrt", Name::CubeRoot),
    ("sqrt", Name::SquareRoot),
    ("hypot", Name::Hypotenuse),
    ("pow", Name::Power),
    ("fabs", Name::Absolute),
];

impl Known {
    /// The function, if it is the library's: by its name, and because it computes what the library does. A program
    /// may have a function of its own that is called like one of them.
    pub fn recognise(function: &Function, width: u32, arguments: &[u32]) -> Option<Known> {
        let find = |text: &str| NAMES.iter().find(|(known, _)| *known == text).map(|(_, name)| *name);
        let (name, precision) = match find(&function.name) {
            Some(name) => (name, Precision::Double),
            None => (find(function.name.strip_suffix('f')?)?, Precision::Single),
        };
        let known = Known { name, precision };
        let fits = arguments.len() == known.arguments()
            && arguments.iter().chain([&width]).all(|width| Precision::of_width(*width) == Some(precision));
        (fits && known.agrees(function, width)).then_some(known)
    }

    pub(super) fn arguments(self) -> usize {
        match self.name {
            Name::ArcTangentOfTwo | Name::Hypotenuse | Name::Power => 2,
            _ => 1,
        }
    }

    /// Whether the function gives the library's bits for a few numbers.
    fn agrees(self, function: &Function, width: u32) -> bool {
        const SAMPLES: [f64; 8] = [0.7310, -0.2890, 1.3710, -2.9170, 17.1370, 0.001_37, -301.7, 1.0e9];
        let samples = SAMPLES.into_iter().zip(SAMPLES.into_iter().cycle().skip(3));
        samples.into_iter().all(|(x, y)| {
            let (x, y) = (self.precision.round(x), self.precision.round(y));
            let arguments: Vec<Bits> = [x, y]
                .iter()
                .take(self.arguments())
                .map(|number| Bits::from_u64(width, self.precision.to_bits(*number) as u64))
                .collect();
            let bits = (function.evaluate)(&arguments, width).low_u64();
            let given = match self.precision {
                Precision::Double => f64::from_bits(bits),
                Precision::Single => f64::from(f32::from_bits(bits as u32)),
            };
            let expected = self.host(black_box(x), black_box(y));
            given == expected || (given.is_nan() && expected.is_nan())
        })
    }

    /// The host's own value.
    pub(super) fn host(self, x: f64, y: f64) -> f64 {
        macro_rules! call {
            ($method:ident) => {
                match self.precision {
                    Precision::Double => x.$method(),
                    Precision::Single => f64::from((x as f32).$method()),
                }
            };
            ($method:ident, 2) => {
                match self.precision {
                    Precision::Double => x.$method(y),
                    Precision::Single => f64::from((x as f32).$method(y as f32)),
                }
            };
        }
        match self.name {
            Name::Sine => call!(sin),
            Name::Cosine => call!(cos),
            Name::Exponential => call!(exp),
            Name::BinaryExponential => call!(exp2),
            Name::ExponentialLessOne => call!(exp_m1),
            Name::Logarithm => call!(ln),
            Name::BinaryLogarithm => call!(log2),
            Name::DecimalLogarithm => call!(log10),
            Name::LogarithmOfOneMore => call!(ln_1p),
            Name::HyperbolicSine => call!(sinh),
            Name::HyperbolicCosine => call!(cosh),
            Name::HyperbolicTangent => call!(tanh),
            Name::ArcSine => call!(asin),
            Name::ArcCosine => call!(acos),
            Name::ArcTangent => call!(atan),
            Name::ArcTangentOfTwo => call!(atan2, 2),
            Name::CubeRoot => call!(cbrt),
            Name::SquareRoot => call!(sqrt),
            Name::Hypotenuse => call!(hypot, 2),
            Name::Power => call!(powf, 2),
            Name::Absolute => call!(abs),
        }
    }

    /// Units in the last place further out.
    fn slackened(self, low: f64, high: f64, nan: bool) -> Interval {
        let (mut low, mut high) = (low, high);
        for _ in 0..SLACK {
            (low, high) = (self.precision.down(low), self.precision.up(high));
        }
        Interval::new(low, high, nan)
    }

    /// The values of a function that never falls, on arguments of which the function has a value.
    fn rising(self, a: &Interval) -> Interval {
        self.slackened(self.host(a.low, a.low), self.host(a.high, a.high), a.nan)
    }

    /// A function with values only for arguments from `least` to `greatest`; others give NaN.
    fn rising_within(self, a: &Interval, least: f64, greatest: f64) -> Interval {
        let inside = a.meet(&Interval::new(least, greatest, a.nan));
        let nan = a.nan || a.low < least || a.high > greatest;
        match inside.has_numbers() {
            true => Interval { nan, ..self.rising(&inside) },
            false => Interval { nan, ..Interval::NOTHING },
        }
    }

    /// What the function may give.
    pub fn forward(self, a: &Interval, b: &Interval) -> Interval {
        let nan = a.nan || b.nan;
        if self.name == Name::Power {
            return self.power(a, b);
        }
        if self.name == Name::Hypotenuse {
            // Infinite if one operand is, even if the other is a NaN.
            let least = |side: &Interval| if side.has_numbers() { side.magnitudes().0 } else { 0.0 };
            let legs = self.slackened(least(a).max(least(b)), f64::INFINITY, nan);
            return Interval { low: legs.low.max(0.0), ..legs };
        }
        if !a.has_numbers() || !b.has_numbers() {
            return Interval { nan, ..Interval::NOTHING };
        }
        let bounded = |interval: Interval, low: f64, high: f64| interval.meet(&Interval::new(low, high, true));
        match self.name {
            Name::Sine | Name::Cosine => match a.low == a.high && a.has_infinity() {
                true => Interval::NAN,
                false => Interval::new(-1.0, 1.0, nan || a.has_infinity()),
            },
            Name::Exponential | Name::BinaryExponential => bounded(self.rising(a), 0.0, f64::INFINITY),
            Name::Logarithm | Name::BinaryLogarithm | Name::DecimalLogarithm => {
                self.rising_within(a, 0.0, f64::INFINITY)
            }
            Name::LogarithmOfOneMore => self.rising_within(a, -1.0, f64::INFINITY),
            Name::ExponentialLessOne | Name::HyperbolicSine | Name::CubeRoot | Name::ArcTangent => self.rising(a),
            Name::HyperbolicCosine => {
                let (least, greatest) = a.magnitudes();
                bounded(self.rising(&Interval::new(least, greatest, a.nan)), 1.0, f64::INFINITY)
            }
            Name::HyperbolicTangent => bounded(self.rising(a), -1.0, 1.0),
            Name::ArcSine => self.rising_within(a, -1.0, 1.0),
            Name::ArcCosine => {
                let inside = bounded(*a, -1.0, 1.0);
                let nan = a.nan || a.low < -1.0 || a.high > 1.0;
                if !inside.has_numbers() {
                    return Interval { nan, ..Interval::NOTHING };
                }
                let values =
                    self.slackened(self.host(inside.high, inside.high), self.host(inside.low, inside.low), nan);
                Interval { low: values.low.max(0.0), ..values }
            }
            Name::ArcTangentOfTwo => {
                let pi = self.precision.round(std::f64::consts::PI);
                let low = if a.low >= 0.0 && !a.has_zero() { 0.0 } else { -pi };
                let high = if a.high <= 0.0 && !a.has_zero() { 0.0 } else { pi };
                let slack = self.slackened(low, high, nan);
                Interval {
                    low: if low == 0.0 { 0.0 } else { slack.low },
                    high: if high == 0.0 { 0.0 } else { slack.high },
                    nan,
                }
            }
            Name::SquareRoot => super::forward::square_root(self.precision, NEAREST, a),
            Name::Absolute => a.absolute(),
            Name::Hypotenuse | Name::Power => Interval::ANYTHING,
        }
    }

    /// Powers of numbers that are not negative, and even powers, are not negative. (That of a NaN and zero is one.)
    fn power(self, a: &Interval, b: &Interval) -> Interval {
        let even = b.is_point() && b.low.abs() < 1e15 && b.low % 2.0 == 0.0;
        let positive = a.has_numbers() && (a.low > 0.0 || even);
        let nothing_negative = positive || (even && !a.has_numbers());
        match nothing_negative {
            true => Interval::new(0.0, f64::INFINITY, a.nan || b.nan),
            false => Interval::ANYTHING,
        }
    }

    /// Arguments for which the function may have one of these values.
    pub fn backward(self, result: &Interval, a: &Interval, b: &Interval) -> (Interval, Interval) {
        if result.nan || !result.has_numbers() {
            return (*a, *b);
        }
        let numbers = Interval { nan: false, ..*a };
        match self.name {
            // The library gives numbers for some NaNs.
            Name::Power | Name::Hypotenuse => (*a, *b),
            Name::ArcTangentOfTwo => (numbers, Interval { nan: false, ..*b }),
            Name::Sine | Name::Cosine => {
                let greatest = self.precision.greatest();
                (numbers.meet(&Interval::new(-greatest, greatest, false)), *b)
            }
            Name::Logarithm | Name::BinaryLogarithm | Name::DecimalLogarithm => {
                (numbers.meet(&Interval::new(0.0, f64::INFINITY, false)), *b)
            }
            Name::LogarithmOfOneMore => (numbers.meet(&Interval::new(-1.0, f64::INFINITY, false)), *b),
            Name::ArcSine | Name::ArcCosine => (numbers.meet(&Interval::new(-1.0, 1.0, false)), *b),
            Name::SquareRoot => (super::backward::square_root(self.precision, result, a), *b),
            Name::Absolute => (super::backward::absolute(result, a), *b),
            _ => (numbers, *b),
        }
    }
}

const NEAREST: symcrete_expr::dag::Rounding = symcrete_expr::dag::Rounding::NearestEven;
