//! Float operations as SMT-LIB text. The DAG's floats are bit patterns: they become floats where an operation reads them, and the
//! pattern of a result is a constant that is asserted to be read as that result.

use std::fmt::Write;

use symcrete_expr::dag::{FloatOperation, Rounding};
use symcrete_expr::float::convert::from_unsigned;
use symcrete_expr::{Expr, FloatKind};

use super::{Printer, Shape, Written};
use crate::smtlib::value;

/// What the processor reads in 80 bits: a leading bit that contradicts the exponent makes a NaN, except in the smallest exponent,
/// where it makes the normal number that it says.
pub(super) const X87_FUNCTION: &str = "\
(define-fun x87 ((p (_ BitVec 80))) (_ FloatingPoint 15 64)
  (let ((s ((_ extract 79 79) p)) (e ((_ extract 78 64) p)) (lead (= ((_ extract 63 63) p) #b1)) (f ((_ extract 62 0) p)))
  (let ((small (= e #b000000000000000)))
  (ite (and small lead) (fp s #b000000000000001 f) (ite (or small lead) (fp s e f) (_ NaN 15 64))))))
";

fn mode(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::Up => "RTP",
        Rounding::Down => "RTN",
        Rounding::Zero => "RTZ",
    }
}

/// The kind that the machine computes a fused multiplication of small formats in.
fn fused_in(kind: FloatKind) -> FloatKind {
    match kind {
        FloatKind::Half => FloatKind::Double,
        FloatKind::BFloat => FloatKind::Single,
        other => other,
    }
}

fn convert(to: FloatKind, rounding: Rounding, text: &str) -> String {
    let (exponent, significand) = value::float_format(to);
    format!("((_ to_fp {exponent} {significand}) {} {text})", mode(rounding))
}

impl Printer<'_> {
    /// A node as a float of a kind.
    fn float(&mut self, expr: Expr, kind: FloatKind) -> String {
        self.floats = true;
        if self.shape(expr) == Shape::Float(kind) {
            return self.text(expr);
        }
        let bits = self.bits(expr);
        self.float_of_bits(&bits, kind)
    }

    fn float_of_bits(&mut self, bits: &str, kind: FloatKind) -> String {
        if kind == FloatKind::X87 {
            self.x87 = true;
            return format!("(x87 {bits})");
        }
        let (exponent, significand) = value::float_format(kind);
        format!("((_ to_fp {exponent} {significand}) {bits})")
    }

    /// The pattern of a float result: any that is read as it.
    pub(super) fn pattern(&mut self, expr: Expr, kind: FloatKind) -> String {
        if let Some(name) = self.patterns.get(&expr) {
            return name.clone();
        }
        let text = self.text(expr);
        let name = format!("{expr}_bits");
        let name = self.fresh(name, &value::bits_sort(kind.bits()), "the bits of a float, any of a NaN");
        let read = self.float_of_bits(&name, kind);
        let _ = writeln!(self.lines, "(assert (! (= {read} {text}) :bits {name}))");
        if kind == FloatKind::X87 {
            let nonzero = format!("(not (= ((_ extract 78 64) {name}) #b000000000000000))");
            let _ = writeln!(self.lines, "(assert (= (= ((_ extract 63 63) {name}) #b1) {nonzero}))");
        }
        self.patterns.insert(expr, name.clone());
        name
    }

    pub(super) fn write_float(
        &mut self,
        expr: Expr,
        operation: FloatOperation,
        kind: FloatKind,
        rounding: Rounding,
        operands: &[Expr],
    ) -> Written {
        self.floats = true;
        let float = |text: String| Written { text, shape: Shape::Float(kind) };
        let arithmetic = |name: &str, texts: &[String]| format!("({name} {} {})", mode(rounding), texts.join(" "));
        match operation {
            FloatOperation::FromSigned => return self.write_from_integer(kind, rounding, operands[0], "to_fp"),
            FloatOperation::FromUnsigned => {
                return self.write_from_integer(kind, rounding, operands[0], "to_fp_unsigned");
            }
            _ => {}
        }
        let texts: Vec<String> = operands.iter().map(|operand| self.float(*operand, kind)).collect();
        match operation {
            FloatOperation::Add => float(arithmetic("fp.add", &texts)),
            FloatOperation::Sub => float(arithmetic("fp.sub", &texts)),
            FloatOperation::Mul => float(arithmetic("fp.mul", &texts)),
            FloatOperation::Div => float(arithmetic("fp.div", &texts)),
            FloatOperation::SquareRoot => float(arithmetic("fp.sqrt", &texts)),
            FloatOperation::RoundToIntegral => float(arithmetic("fp.roundToIntegral", &texts)),
            FloatOperation::MultiplyAdd if fused_in(kind) != kind => {
                let wide: Vec<String> = texts.iter().map(|text| convert(fused_in(kind), rounding, text)).collect();
                float(convert(kind, rounding, &arithmetic("fp.fma", &wide)))
            }
            FloatOperation::MultiplyAdd => float(arithmetic("fp.fma", &texts)),
            FloatOperation::Rem => self.write_remainder(kind, &texts),
            FloatOperation::Equal => comparison("fp.eq", &texts),
            FloatOperation::Less => comparison("fp.lt", &texts),
            FloatOperation::LessEqual => comparison("fp.leq", &texts),
            FloatOperation::ToSigned => self.write_to_integer(expr, kind, &texts[0], true),
            FloatOperation::ToUnsigned => self.write_to_integer(expr, kind, &texts[0], false),
            FloatOperation::FromSigned | FloatOperation::FromUnsigned => float(String::new()),
        }
    }

    pub(super) fn write_conversion(
        &mut self,
        from: FloatKind,
        to: FloatKind,
        rounding: Rounding,
        operand: Expr,
    ) -> Written {
        let text = self.float(operand, from);
        Written { text: convert(to, rounding, &text), shape: Shape::Float(to) }
    }

    /// The small formats are rounded twice, as the machine's code does it.
    fn write_from_integer(&mut self, kind: FloatKind, rounding: Rounding, operand: Expr, name: &str) -> Written {
        let small = matches!(kind, FloatKind::Half | FloatKind::BFloat);
        let first = if small { FloatKind::Single } else { kind };
        let (exponent, significand) = value::float_format(first);
        let bits = self.bits(operand);
        let text = format!("((_ {name} {exponent} {significand}) {} {bits})", mode(rounding));
        let text = if small { convert(kind, rounding, &text) } else { text };
        Written { text, shape: Shape::Float(kind) }
    }

    /// Through the register that the machine converts into, which holds "integer indefinite" where the result does not fit.
    fn write_to_integer(&mut self, expr: Expr, kind: FloatKind, operand: &str, signed: bool) -> Written {
        let width = self.arena.width(expr);
        let smallest = if kind == FloatKind::X87 { 16 } else { 32 };
        // A signed register holds every value of a narrower unsigned type.
        let needed = if signed { width } else { width + 1 };
        let register = needed.next_power_of_two().max(smallest);
        let by_register = kind != FloatKind::Quad && register <= 64;
        let (register, function) = match (by_register, signed) {
            (true, _) => (register, "fp.to_sbv"),
            (false, true) => (width, "fp.to_sbv"),
            (false, false) => (width, "fp.to_ubv"),
        };
        let fits = fits(kind, operand, register, function == "fp.to_sbv");
        let converted = format!("((_ {function} {register}) RTZ {operand})");
        let (converted, otherwise) = if by_register {
            let indefinite = symcrete_expr::Bits::from_u64(register, 1 << (register - 1)).trunc(width);
            (format!("((_ extract {} 0) {converted})", width - 1), value::literal(&indefinite))
        } else {
            let why = "where the float does not fit, any value";
            (converted, self.fresh(format!("{expr}_unfit"), &value::bits_sort(width), why))
        };
        let attribute = if signed { "machine-signed" } else { "machine-unsigned" };
        let text = format!("(! (ite {fits} {converted} {otherwise}) :{attribute} {operand})");
        Written { text, shape: Shape::Bits }
    }
}

fn comparison(name: &str, texts: &[String]) -> Written {
    Written { text: format!("({name} {})", texts.join(" ")), shape: Shape::Boolean }
}

/// That the float, truncated, is an integer of this many bits.
fn fits(kind: FloatKind, operand: &str, width: u32, signed: bool) -> String {
    let exponent = if signed { width - 1 } else { width };
    let integral = format!("(fp.roundToIntegral RTZ {operand})");
    // The power may be past the largest number of the format: then it is infinity, and all finite numbers fit.
    let power = if exponent < 128 { from_unsigned(kind, 1 << exponent) } else { kind.infinity(false) };
    let unlimited = power == kind.infinity(false);
    let high = value::float_literal(kind, power);
    let low = if signed { value::float_literal(kind, power | kind.sign_mask()) } else { value::float_literal(kind, 0) };
    let at_least = if unlimited && signed { "fp.lt" } else { "fp.leq" };
    format!("(and ({at_least} {low} {integral}) (fp.lt {integral} {high}))")
}
