//! Undefined behaviour that a check found, in the words of UndefinedBehaviorSanitizer. Operands that depend on inputs stay expressions until
//! somebody has a model of the path.

use smallvec::SmallVec;
use symcrete_expr::float::convert;
use symcrete_expr::{Expr, FloatKind};

/// A check that failed, and on what.
#[derive(Clone, Debug, PartialEq)]
pub struct Undefined {
    pub check: Check,
    pub operands: SmallVec<[Operand; 3]>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    pub value: Known,
    pub ty: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    Bits(u128),
    Open(Expr),
}

/// How the bits of an operand are to be read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Integer {
        bits: u32,
        signed: bool,
    },
    Float(FloatKind),
    Pointer,
    /// Of a type that the compiler does not describe.
    Unknown,
}

/// What was checked; types as the compiler writes them, in quotes.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// An access, by what it does; its alignment.
    Access {
        what: &'static str,
        ty: String,
        align: u64,
    },
    Alignment {
        ty: String,
    },
    /// `+`, `-` or `*`.
    Arithmetic {
        operator: char,
        ty: String,
        signed: bool,
    },
    Negation {
        ty: String,
        signed: bool,
    },
    Division {
        ty: String,
    },
    Shift {
        ty: String,
        bits: u32,
    },
    Index {
        ty: String,
    },
    LocalIndex,
    Unreachable,
    MissingReturn,
    ArrayBound,
    FloatCast {
        to: String,
    },
    InvalidValue {
        ty: String,
    },
    Builtin {
        name: &'static str,
    },
    NullReturned,
    NullArgument {
        number: u32,
    },
    PointerArithmetic,
    FunctionType {
        ty: String,
        function: String,
    },
    Conversion {
        from: String,
        to: String,
    },
    /// A check of which only the name is known.
    Other {
        name: String,
    },
}

impl Undefined {
    pub fn new(check: Check, operands: impl IntoIterator<Item = Operand>) -> Undefined {
        Undefined { check, operands: operands.into_iter().collect() }
    }

    /// The operands that depend on inputs.
    pub fn exprs(&self) -> impl Iterator<Item = Expr> + '_ {
        self.operands.iter().filter_map(|operand| match operand.value {
            Known::Open(expr) => Some(expr),
            Known::Bits(_) => None,
        })
    }

    /// The same for inputs that make the operands these.
    pub fn evaluated(&self, mut evaluate: impl FnMut(Expr) -> u128) -> Undefined {
        let operand = |operand: &Operand| match operand.value {
            Known::Open(expr) => Operand { value: Known::Bits(evaluate(expr)), ty: operand.ty },
            Known::Bits(_) => operand.clone(),
        };
        Undefined { check: self.check.clone(), operands: self.operands.iter().map(operand).collect() }
    }

    /// A short name for tables and JSON.
    pub fn name(&self) -> &'static str {
        match &self.check {
            Check::Access { .. } => match self.bits(0) {
                Some(0) => "null-dereference",
                Some(address) if self.is_aligned(address) => "out-of-bounds",
                _ => "misaligned-access",
            },
            Check::Alignment { .. } => "misaligned-access",
            Check::Arithmetic { signed: true, .. } | Check::Negation { signed: true, .. } => "signed-overflow",
            Check::Arithmetic { .. } | Check::Negation { .. } => "unsigned-overflow",
            Check::Division { .. } if self.is_by_minus_one() => "division-overflow",
            Check::Division { .. } => "division-by-zero",
            Check::Shift { .. } => "bad-shift",
            Check::Index { .. } | Check::LocalIndex => "out-of-bounds",
            Check::Unreachable | Check::MissingReturn => "unreachable",
            Check::ArrayBound => "bad-array-bound",
            Check::FloatCast { .. } => "float-cast-overflow",
            Check::InvalidValue { .. } => "invalid-value",
            Check::Builtin { .. } => "bad-builtin-argument",
            Check::NullReturned | Check::NullArgument { .. } => "unexpected-null",
            Check::PointerArithmetic => "pointer-overflow",
            Check::FunctionType { .. } => "function-type-mismatch",
            Check::Conversion { .. } => "implicit-conversion",
            Check::Other { name } => match name.as_str() {
                "add-overflow" | "sub-overflow" | "mul-overflow" | "negate-overflow" => "signed-overflow",
                "divrem-overflow" => "division-by-zero",
                "shift-out-of-bounds" => "bad-shift",
                "out-of-bounds" => "out-of-bounds",
                "vla-bound-not-positive" => "bad-array-bound",
                _ => "undefined-behaviour",
            },
        }
    }

    /// What the sanitizer would say.
    pub fn words(&self) -> String {
        let [a, b] = [0, 1].map(|at| self.operands.get(at).map_or_else(String::new, Operand::text));
        match &self.check {
            Check::Access { what, ty, align } => match self.bits(0) {
                Some(0) => format!("{what} null pointer of type {ty}"),
                Some(address) if self.is_aligned(address) => {
                    format!("{what} address {a} with insufficient space for an object of type {ty}")
                }
                _ => format!("{what} misaligned address {a} for type {ty}, which requires {align} byte alignment"),
            },
            Check::Alignment { ty } => format!("assumption of {b} byte alignment for pointer of type {ty} failed"),
            Check::Arithmetic { operator, ty, signed } => {
                let sign = if *signed { "signed" } else { "unsigned" };
                format!("{sign} integer overflow: {a} {operator} {b} cannot be represented in type {ty}")
            }
            Check::Negation { ty, signed: true } => format!(
                "negation of {a} cannot be represented in type {ty}; cast to an unsigned type to negate this value to itself"
            ),
            Check::Negation { ty, .. } => format!("negation of {a} cannot be represented in type {ty}"),
            Check::Division { ty } if self.is_by_minus_one() => {
                format!("division of {a} by -1 cannot be represented in type {ty}")
            }
            Check::Division { .. } => "division by zero".to_owned(),
            Check::Shift { ty, bits } => self.shift(ty, *bits),
            Check::Index { ty } => format!("index {a} out of bounds for type {ty}"),
            Check::LocalIndex => "access out of bounds".to_owned(),
            Check::Unreachable => "execution reached an unreachable program point".to_owned(),
            Check::MissingReturn => {
                "execution reached the end of a value-returning function without returning a value".to_owned()
            }
            Check::ArrayBound => format!("variable length array bound evaluates to non-positive value {a}"),
            Check::FloatCast { to } => format!("{a} is outside the range of representable values of type {to}"),
            Check::InvalidValue { ty } => format!("load of value {a}, which is not a valid value for type {ty}"),
            Check::Builtin { name: "assume" } => "assumption is violated during execution".to_owned(),
            Check::Builtin { name } => format!("passing zero to {name}, which is not a valid argument"),
            Check::NullReturned => "null pointer returned from function declared to never return null".to_owned(),
            Check::NullArgument { number } => {
                format!("null pointer passed as argument {number}, which is declared to never be null")
            }
            Check::PointerArithmetic => self.pointer_arithmetic(),
            Check::FunctionType { ty, function } => {
                format!("call to function {function} through pointer to incorrect function type {ty}")
            }
            Check::Conversion { from, to } => {
                let [before, after] = [0, 1].map(|at| self.operands.get(at).map_or_else(String::new, Operand::shape));
                format!(
                    "implicit conversion from type {from} of value {a} ({before}) to type {to} changed the value to {b} ({after})"
                )
            }
            Check::Other { name } => format!("ubsan: {name}"),
        }
    }

    fn bits(&self, at: usize) -> Option<u128> {
        match self.operands.get(at)?.value {
            Known::Bits(bits) => Some(bits),
            Known::Open(_) => None,
        }
    }

    fn is_aligned(&self, address: u128) -> bool {
        match self.check {
            Check::Access { align, .. } => address.is_multiple_of(u128::from(align.max(1))),
            _ => true,
        }
    }

    fn is_by_minus_one(&self) -> bool {
        self.operands.get(1).is_some_and(|divisor| divisor.number() == Some(-1))
    }

    fn shift(&self, ty: &str, bits: u32) -> String {
        let [a, b] = [0, 1].map(|at| self.operands.get(at).map_or_else(String::new, Operand::text));
        let [value, amount] = [0, 1].map(|at| self.operands.get(at).and_then(Operand::number));
        match (value, amount) {
            (_, Some(amount)) if amount < 0 => format!("shift exponent {b} is negative"),
            (_, Some(amount)) if amount < i128::from(bits) && value.is_some_and(|value| value < 0) => {
                format!("left shift of negative value {a}")
            }
            (_, Some(amount)) if amount < i128::from(bits) => {
                format!("left shift of {a} by {b} places cannot be represented in type {ty}")
            }
            _ if ty.is_empty() => format!("shift exponent {b} is too large for a {bits}-bit type"),
            _ => format!("shift exponent {b} is too large for {bits}-bit type {ty}"),
        }
    }

    fn pointer_arithmetic(&self) -> String {
        let [a, b] = [0, 1].map(|at| self.operands.get(at).map_or_else(String::new, Operand::text));
        match (self.bits(0), self.bits(1)) {
            (Some(0), Some(0)) => "applying zero offset to null pointer".to_owned(),
            (Some(0), Some(result)) => format!("applying non-zero offset {} to null pointer", result as i64),
            (Some(_), Some(0)) => format!("applying non-zero offset to non-null pointer {a} produced null pointer"),
            (Some(base), Some(result)) if (base as i64 >= 0) == (result as i64 >= 0) => match base > result {
                true => format!("addition of unsigned offset to {a} overflowed to {b}"),
                false => format!("subtraction of unsigned offset from {a} overflowed to {b}"),
            },
            _ => format!("pointer index expression with base {a} overflowed to {b}"),
        }
    }
}

impl Operand {
    /// The value of an integer.
    fn number(&self) -> Option<i128> {
        match (&self.value, self.ty) {
            (Known::Bits(bits), Kind::Integer { bits: width, signed: true }) if width < 128 => {
                let unused = 128 - width;
                Some((*bits << unused) as i128 >> unused)
            }
            (Known::Bits(bits), Kind::Integer { .. }) => Some(*bits as i128),
            _ => None,
        }
    }

    fn text(&self) -> String {
        let Known::Bits(bits) = self.value else { return "a symbolic value".to_owned() };
        match self.ty {
            Kind::Integer { signed: true, .. } => self.number().unwrap_or_default().to_string(),
            Kind::Integer { .. } => bits.to_string(),
            Kind::Float(kind) => general(f64::from_bits(convert::convert(kind, FloatKind::Double, bits) as u64)),
            Kind::Pointer => format!("0x{bits:012x}"),
            Kind::Unknown => "<unknown>".to_owned(),
        }
    }

    fn shape(&self) -> String {
        match self.ty {
            Kind::Integer { bits, signed } => format!("{bits}-bit, {}signed", if signed { "" } else { "un" }),
            _ => "a value".to_owned(),
        }
    }
}

/// A number as `%g` of C prints it.
fn general(number: f64) -> String {
    const DIGITS: i32 = 6;
    if !number.is_finite() {
        let sign = if number.is_sign_negative() { "-" } else { "" };
        return format!("{sign}{}", if number.is_nan() { "nan" } else { "inf" });
    }
    let scientific = format!("{number:.*e}", DIGITS as usize - 1);
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if (-4..DIGITS).contains(&exponent) {
        return trimmed(&format!("{number:.*}", (DIGITS - 1 - exponent) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i32) -> Operand {
        Operand { value: Known::Bits(u128::from(value as u32)), ty: Kind::Integer { bits: 32, signed: true } }
    }

    #[test]
    fn words_are_those_of_the_sanitizer() {
        let ty = || "'int'".to_owned();
        let shift =
            |value, amount| Undefined::new(Check::Shift { ty: ty(), bits: 32 }, [int(value), int(amount)]).words();
        let added =
            Undefined::new(Check::Arithmetic { operator: '+', ty: ty(), signed: true }, [int(i32::MAX), int(1)]);
        assert_eq!(added.words(), "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'");
        assert_eq!(added.name(), "signed-overflow");
        assert_eq!(shift(1, -3), "shift exponent -3 is negative");
        assert_eq!(shift(1, 32), "shift exponent 32 is too large for 32-bit type 'int'");
        assert_eq!(shift(-5, 1), "left shift of negative value -5");
        assert_eq!(shift(3, 31), "left shift of 3 by 31 places cannot be represented in type 'int'");
        let divided = |a, b| Undefined::new(Check::Division { ty: ty() }, [int(a), int(b)]);
        assert_eq!(divided(i32::MIN, -1).words(), "division of -2147483648 by -1 cannot be represented in type 'int'");
        assert_eq!((divided(1, 0).words().as_str(), divided(1, 0).name()), ("division by zero", "division-by-zero"));
    }

    #[test]
    fn numbers_are_written_as_in_c() {
        let texts = [
            (1e10, "1e+10"),
            (0.1, "0.1"),
            (123456.0, "123456"),
            (1234567.0, "1.23457e+06"),
            (-2.5, "-2.5"),
            (0.00001234, "1.234e-05"),
            (f64::INFINITY, "inf"),
            (0.0, "0"),
        ];
        for (number, text) in texts {
            assert_eq!(general(number), text);
        }
    }
}
