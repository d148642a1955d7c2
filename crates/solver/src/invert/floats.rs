//! Operations on floats. A guess comes from the inverse operation, which rounds as well; the exact operand, if there is one, is a few
//! floats away.

use symcrete_expr::dag::{FloatOperation, Node, Rounding, semantics};
use symcrete_expr::word::truncate;
use symcrete_expr::{Expr, FloatKind, float};

use super::line::Line;
use super::{Descent, Inverter};

/// How many numbers on each side of a guess are tried.
const NEAR: i128 = 4;

/// Of a guess and the numbers around it, the one for which the function gives the target, or else comes nearest to it.
pub fn refine(guess: (Line, u64), target: (Line, u64), function: impl Fn(u64) -> u64) -> Option<u64> {
    let middle = guess.0.place(guess.1)?;
    let wanted = target.0.place(target.1)?;
    let mut best: Option<(u128, u64)> = None;
    for distance in 0..=NEAR {
        for candidate in [middle - distance, middle + distance] {
            let Some(value) = guess.0.at(candidate) else { continue };
            let result = function(value);
            if result == target.1 {
                return Some(value);
            }
            let missed = target.0.place(result).map_or(u128::MAX, |place| place.abs_diff(wanted));
            if best.is_none_or(|(least, _)| missed < least) {
                best = Some((missed, value));
            }
        }
    }
    best.map(|(_, value)| value)
}

impl Inverter<'_> {
    pub(super) fn float(
        &mut self,
        descent: &mut Descent,
        expr: Expr,
        node: &Node,
        (operation, kind, rounding): (FloatOperation, FloatKind, Rounding),
        target: u64,
    ) -> Option<()> {
        use FloatOperation::*;
        if kind.bits() > 64 {
            return None;
        }
        let operand_width = self.arena.width(node.first());
        let apply = move |operands: [u64; 3]| {
            let operands = operands.map(u128::from);
            semantics::float::operation(operation, kind, rounding, node.width, operand_width, operands) as u64
        };
        let operands = self.arena.operands(expr);
        let values: Vec<u64> = operands.iter().map(|operand| self.value(*operand)).collect::<Option<_>>()?;
        match operation {
            Add | Sub | Mul | Div | Rem if operands[0] == operands[1] => {
                let guess = match operation {
                    Add => float::word::div(kind, target, number(kind, 2.0)),
                    Mul => float::word::sqrt(kind, target),
                    _ => return None,
                };
                let guess = if self.random.once_in(2) { guess } else { float::word::neg(kind, guess) };
                let found =
                    refine((Line::Float(kind), guess), (Line::Float(kind), target), |value| apply([value, value, 0]))?;
                self.number(descent, operands[0], found)
            }
            Add | Sub | Mul | Div | Rem => {
                let pair = [operands[0], operands[1]];
                self.one_operand(descent, pair, |this, at| {
                    let other = values[1 - at];
                    let guess = this.guess(operation, kind, at, other, target)?;
                    refine((Line::Float(kind), guess), (Line::Float(kind), target), |value| match at {
                        0 => apply([value, other, 0]),
                        _ => apply([other, value, 0]),
                    })
                })
            }
            MultiplyAdd => self.multiply_add(descent, kind, &operands, &values, target, apply),
            SquareRoot => {
                let guess = float::word::mul(kind, target, target);
                let found =
                    refine((Line::Float(kind), guess), (Line::Float(kind), target), |value| apply([value, 0, 0]))?;
                self.number(descent, operands[0], found)
            }
            RoundToIntegral => self.number(descent, operands[0], target),
            ToSigned | ToUnsigned => {
                let guess = match operation {
                    ToSigned => float::word::from_signed(kind, target, node.width),
                    _ => float::word::from_unsigned(kind, target),
                };
                (apply([guess, 0, 0]) == target).then_some(())?;
                self.number(descent, operands[0], guess)
            }
            FromSigned | FromUnsigned => {
                let guess = match operation {
                    FromSigned => float::word::to_signed(kind, target, operand_width),
                    _ => float::word::to_unsigned(kind, target, operand_width),
                };
                self.number(descent, operands[0], truncate(operand_width, guess))
            }
            Equal | Less | LessEqual => self.condition(descent, expr, target != 0),
        }
    }

    fn guess(&mut self, operation: FloatOperation, kind: FloatKind, at: usize, other: u64, target: u64) -> Option<u64> {
        use FloatOperation::*;
        Some(match (operation, at) {
            (Add, _) => float::word::sub(kind, target, other),
            (Sub, 0) => float::word::add(kind, target, other),
            (Sub, _) => float::word::sub(kind, other, target),
            (Mul, _) => float::word::div(kind, target, other),
            (Div, 0) => float::word::mul(kind, target, other),
            (Div, _) => float::word::div(kind, other, target),
            // A rest stays one when the divisor is added to it.
            (Rem, 0) => {
                let times = number(kind, self.random.below(8) as f64);
                let signed = float::word::copysign(kind, float::word::abs(kind, other), target);
                float::word::add(kind, target, float::word::mul(kind, times, signed))
            }
            (Rem, _) => float::word::sub(kind, other, target),
            _ => return None,
        })
    }

    fn multiply_add(
        &mut self,
        descent: &mut Descent,
        kind: FloatKind,
        operands: &[Expr],
        values: &[u64],
        target: u64,
        apply: impl Fn([u64; 3]) -> u64,
    ) -> Option<()> {
        let changeable: Vec<usize> = (0..3).filter(|at| self.may_change(operands[*at])).collect();
        if changeable.is_empty() {
            return None;
        }
        let at = *self.random.one_of(&changeable);
        let guess = match at {
            2 => float::word::sub(kind, target, float::word::mul(kind, values[0], values[1])),
            _ => float::word::div(kind, float::word::sub(kind, target, values[2]), values[1 - at]),
        };
        let found = refine((Line::Float(kind), guess), (Line::Float(kind), target), |value| {
            let mut all = [values[0], values[1], values[2]];
            all[at] = value;
            apply(all)
        })?;
        self.number(descent, operands[at], found)
    }

    /// Between kinds of floats.
    pub(super) fn conversion(
        &mut self,
        descent: &mut Descent,
        node: &Node,
        from: FloatKind,
        to: FloatKind,
        target: u64,
    ) -> Option<()> {
        if from.bits() > 64 || to.bits() > 64 {
            return None;
        }
        self.number(descent, node.first(), float::word::convert(to, from, target))
    }
}

/// A double as a number of another kind.
pub fn number(kind: FloatKind, value: f64) -> u64 {
    float::word::convert(FloatKind::Double, kind, value.to_bits())
}
