//! Exact local solutions: from a condition that does not hold down to the variables, at each operation the value that one operand must
//! have so that the result is the wanted one and the other operands stay as they are. What an operation needs is in `words`, `floats`
//! and `calls`; what a comparison needs in `relations`.
//!
//! Whoever asks evaluates what comes of it: a step that has no exact answer gives the nearest that is easily found.

mod calls;
mod floats;
mod line;
mod relations;
mod words;

use smallvec::SmallVec;
use symcrete_expr::dag::{FunctionId, Op};
use symcrete_expr::{Arena, Expr};
use symcrete_tape::{Interpreter, Tape};

use crate::random::Random;
pub use words::inverse;

/// New values of variables.
pub type Changes = SmallVec<[(Expr, u64); 4]>;

/// Operations that one descent may pass.
const STEPS: u32 = 2000;

/// Looks for changes of one point.
pub struct Inverter<'a> {
    pub arena: &'a Arena,
    pub tape: &'a Tape,
    /// The values of all parts at the point.
    pub values: &'a Interpreter,
    pub random: &'a mut Random,
    /// Which expressions may be changed: those for which this holds.
    pub reaches: &'a dyn Fn(Expr) -> bool,
}

/// One descent under way.
struct Descent {
    changes: Changes,
    steps: u32,
}

impl Inverter<'_> {
    /// Changes under which the condition is likely to have the wanted value.
    pub fn satisfy(&mut self, condition: Expr, wanted: bool) -> Option<Changes> {
        let mut descent = Descent { changes: Changes::new(), steps: STEPS };
        self.condition(&mut descent, condition, wanted)?;
        (!descent.changes.is_empty()).then_some(descent.changes)
    }

    /// The value of a part of up to 64 bits.
    fn value(&self, expr: Expr) -> Option<u64> {
        let node = self.arena.node(expr);
        match node.op {
            _ if node.width > 64 || node.op.is_array() => None,
            Op::Constant => self.arena.as_word(expr),
            _ => self.tape.slot(expr).map(|slot| self.values.word(slot)),
        }
    }

    fn may_change(&self, expr: Expr) -> bool {
        self.arena.node(expr).op != Op::Constant && (self.reaches)(expr)
    }

    fn condition(&mut self, descent: &mut Descent, condition: Expr, wanted: bool) -> Option<()> {
        descent.steps = descent.steps.checked_sub(1)?;
        if self.value(condition)? == u64::from(wanted) {
            return Some(());
        }
        let node = self.arena.node(condition);
        let (a, b) = (node.first(), node.second());
        match node.op {
            Op::Variable => self.assign(descent, condition, u64::from(wanted)),
            Op::Not => self.condition(descent, a, !wanted),
            // Both, of which one at least is not so yet.
            Op::And | Op::Or if (node.op == Op::And) == wanted => {
                self.condition(descent, a, wanted)?;
                self.condition(descent, b, wanted)
            }
            Op::And | Op::Or => {
                let (first, second) = self.either(a, b);
                self.attempt(descent, |this, descent| this.condition(descent, first, wanted))
                    .or_else(|| self.condition(descent, second, wanted))
            }
            Op::Xor | Op::Equal if self.arena.width(a) == 1 => {
                let (first, second) = self.either(a, b);
                let flipped = |this: &Self, side: Expr| this.value(side).map(|value| value == 0);
                let wanted = flipped(self, first)?;
                self.attempt(descent, |this, descent| this.condition(descent, first, wanted)).or_else(|| {
                    let wanted = flipped(self, second)?;
                    self.condition(descent, second, wanted)
                })
            }
            op if op.is_comparison() => self.relation(descent, &node, wanted),
            Op::Float(operation, ..) if operation.is_comparison() => self.relation(descent, &node, wanted),
            _ => self.number(descent, condition, u64::from(wanted)),
        }
    }

    /// Two operands in the order in which they are tried: one that may not be changed last.
    fn either(&mut self, a: Expr, b: Expr) -> (Expr, Expr) {
        match (self.may_change(a), self.may_change(b)) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ if self.random.once_in(2) => (b, a),
            _ => (a, b),
        }
    }

    /// Takes back what a failed attempt wanted to change.
    fn attempt(
        &mut self,
        descent: &mut Descent,
        run: impl FnOnce(&mut Self, &mut Descent) -> Option<()>,
    ) -> Option<()> {
        let before = descent.changes.len();
        let done = run(self, descent);
        if done.is_none() {
            descent.changes.truncate(before);
        }
        done
    }

    /// Makes an expression of up to 64 bits have a value.
    fn number(&mut self, descent: &mut Descent, expr: Expr, target: u64) -> Option<()> {
        descent.steps = descent.steps.checked_sub(1)?;
        if self.value(expr)? == target {
            return Some(());
        }
        if !self.may_change(expr) {
            return None;
        }
        let node = self.arena.node(expr);
        match node.op {
            Op::Variable => self.assign(descent, expr, target),
            Op::Ite => self.choice(descent, &node, target),
            Op::Float(operation, kind, rounding) => {
                self.float(descent, expr, &node, (operation, kind, rounding), target)
            }
            Op::FloatConvert(from, to, _) => self.conversion(descent, &node, from, to, target),
            Op::Call => self.call(descent, expr, FunctionId::from_u32(node.a), target),
            Op::Select => self.element(descent, &node, target),
            op if op.is_comparison() => self.condition(descent, expr, target != 0),
            _ => self.word(descent, &node, target),
        }
    }

    fn assign(&mut self, descent: &mut Descent, variable: Expr, value: u64) -> Option<()> {
        match descent.changes.iter().find(|(known, _)| *known == variable) {
            Some((_, other)) => (*other == value).then_some(()),
            None => {
                descent.changes.push((variable, value));
                Some(())
            }
        }
    }

    /// The side that is chosen gets the value; or the other side is chosen, if it has it.
    fn choice(&mut self, descent: &mut Descent, node: &symcrete_expr::dag::Node, target: u64) -> Option<()> {
        let (condition, sides) = (node.first(), [node.third(), node.second()]);
        let holds = self.value(condition)? as usize & 1;
        let (chosen, other) = (sides[holds], sides[1 - holds]);
        if self.value(other)? == target && self.may_change(condition) {
            let switched = self.attempt(descent, |this, descent| this.condition(descent, condition, holds == 0));
            if switched.is_some() {
                return switched;
            }
        }
        let stay = !self.may_change(other) || !self.random.once_in(4);
        if stay && self.may_change(chosen) {
            let done = self.attempt(descent, |this, descent| this.number(descent, chosen, target));
            if done.is_some() {
                return done;
            }
        }
        self.number(descent, other, target)?;
        self.condition(descent, condition, holds == 0)
    }

    /// Tries to give one operand a value, computed from what the others are; the one that may be changed first.
    fn one_operand(
        &mut self,
        descent: &mut Descent,
        operands: [Expr; 2],
        mut needed: impl FnMut(&mut Self, usize) -> Option<u64>,
    ) -> Option<()> {
        let (first, _) = self.either(operands[0], operands[1]);
        let order = if first == operands[0] { [0, 1] } else { [1, 0] };
        for at in order {
            if !self.may_change(operands[at]) {
                continue;
            }
            let Some(value) = needed(self, at) else { continue };
            if self.attempt(descent, |this, descent| this.number(descent, operands[at], value)).is_some() {
                return Some(());
            }
        }
        None
    }
}
