//! What is scored: how badly a valuation misses a condition (Algorithm 2 of the Concolic Walk paper), also where
//! conditions are joined: the nearer one of an "or", the sum of an "and".

use symcrete_expr::dag::{FloatOperation, Node, Op};
use symcrete_expr::{Arena, Expr};

use crate::build::{Builder, Refused, float_comparison};
use crate::tape::{Operation, Slot, View};

/// How distances are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Metric {
    /// As in the paper: the difference of the two sides.
    Difference,
    /// In steps that the machine's numbers make (floats between, bits that differ, integers on a circle), and of these
    /// the logarithm, so that no constraint drowns the others.
    #[default]
    Steps,
}

/// Conditions may be nested deeper than this only as conditions of which it is known whether they hold.
const DEPTH: u32 = 200;

impl Builder<'_> {
    pub(crate) fn score(&mut self, condition: Expr, wanted: bool, metric: Metric) -> Result<Slot, Refused> {
        self.nested_score(condition, wanted, metric, DEPTH)
    }

    fn nested_score(&mut self, condition: Expr, wanted: bool, metric: Metric, depth: u32) -> Result<Slot, Refused> {
        if let Some(known) = self.scores.get(&(condition, wanted)) {
            return Ok(*known);
        }
        let node = self.arena.node(condition);
        let (a, b) = (node.first(), node.second());
        let booleans = |arena: &Arena| arena.width(a) == 1;
        let slot = match node.op {
            _ if depth == 0 => self.flat(condition, wanted)?,
            Op::Not => self.nested_score(a, !wanted, metric, depth - 1)?,
            Op::And | Op::Or => {
                let [a, b] = [
                    self.nested_score(a, wanted, metric, depth - 1)?,
                    self.nested_score(b, wanted, metric, depth - 1)?,
                ];
                let join = if (node.op == Op::And) == wanted { Operation::Sum } else { Operation::Minimum };
                self.push(join, a, b, 0)?
            }
            Op::Xor => self.two_ways(a, (b, b), (!wanted, wanted), metric, depth)?,
            Op::Equal if booleans(self.arena) => self.two_ways(a, (b, b), (wanted, !wanted), metric, depth)?,
            Op::Ite => self.two_ways(a, (b, node.third()), (wanted, wanted), metric, depth)?,
            op if op.is_comparison() || float_comparison(op).is_some() => {
                self.comparison(condition, &node, wanted, metric)?
            }
            _ => self.flat(condition, wanted)?,
        };
        self.scores.insert((condition, wanted), slot);
        Ok(slot)
    }

    /// Either the condition holds and the first of the two has its wanted value, or it does not and the second one has.
    fn two_ways(
        &mut self,
        condition: Expr,
        (then, otherwise): (Expr, Expr),
        wanted: (bool, bool),
        metric: Metric,
        depth: u32,
    ) -> Result<Slot, Refused> {
        let mut way = |holds: bool, expr: Expr, wanted: bool| {
            let first = self.nested_score(condition, holds, metric, depth - 1)?;
            let second = self.nested_score(expr, wanted, metric, depth - 1)?;
            self.push(Operation::Sum, first, second, 0)
        };
        let (first, second) = (way(true, then, wanted.0)?, way(false, otherwise, wanted.1)?);
        self.push(Operation::Minimum, first, second, 0)
    }

    /// Whether a condition has the wanted value, as one bit.
    fn truth(&mut self, condition: Expr, wanted: bool) -> Result<Slot, Refused> {
        let slot = self.slot(condition);
        if wanted { Ok(slot) } else { self.push(Operation::Not(1), slot, 0, 0) }
    }

    pub(crate) fn flat(&mut self, condition: Expr, wanted: bool) -> Result<Slot, Refused> {
        let truth = self.truth(condition, wanted)?;
        self.push(Operation::FlatScore, truth, 0, 0)
    }

    fn comparison(&mut self, condition: Expr, node: &Node, wanted: bool, metric: Metric) -> Result<Slot, Refused> {
        let equality = matches!(node.op, Op::Equal | Op::Float(FloatOperation::Equal, ..));
        // There is no way to be nearly different.
        if equality && !wanted {
            return self.flat(condition, wanted);
        }
        let truth = self.truth(condition, wanted)?;
        let view = view(self.arena, node, metric);
        let (a, b) = (self.slot(node.first()), self.slot(node.second()));
        let op = if view.width() > 64 { Operation::WideDistance(view) } else { Operation::Distance(view) };
        let distance = self.push(op, a, b, 0)?;
        let score = match metric {
            Metric::Difference => Operation::PlainScore { plus_one: !equality },
            Metric::Steps => Operation::LogarithmicScore,
        };
        self.push(score, truth, distance, 0)
    }

    /// The difference of the sides of a comparison.
    pub(crate) fn gap(&mut self, constraint: Expr) -> Result<Option<Slot>, Refused> {
        let mut node = self.arena.node(constraint);
        while node.op == Op::Not {
            node = self.arena.node(node.first());
        }
        let compares = node.op.is_comparison() || float_comparison(node.op).is_some();
        if !compares || self.arena.width(node.first()) > 64 {
            return Ok(None);
        }
        let view = view(self.arena, &node, Metric::Difference);
        let (a, b) = (self.slot(node.first()), self.slot(node.second()));
        self.push(Operation::Gap(view), a, b, 0).map(Some)
    }
}

/// How a comparison looks at its operands.
fn view(arena: &Arena, node: &Node, metric: Metric) -> View {
    let width = arena.width(node.first());
    match (node.op, metric) {
        (Op::Float(_, kind, _), Metric::Difference) => View::Number(kind),
        (Op::Float(_, kind, _), Metric::Steps) => View::Steps(kind),
        (Op::SignedLess | Op::SignedLessEqual, _) => View::Signed(width),
        (Op::UnsignedLess | Op::UnsignedLessEqual, _) => View::Unsigned(width),
        (_, Metric::Difference) => View::Signed(width),
        (_, Metric::Steps) if [node.first(), node.second()].iter().any(|side| is_bitwise(arena, *side)) => {
            View::Pattern(width)
        }
        (_, Metric::Steps) => View::Wrapping(width),
    }
}

/// Whether a term is made by operations on bits, so that its neighbours differ in bits and not by ones.
fn is_bitwise(arena: &Arena, expr: Expr) -> bool {
    let node = arena.node(expr);
    match node.op {
        Op::And | Op::Or | Op::Xor | Op::Not | Op::Shl | Op::LShr => true,
        Op::Extract | Op::ZeroExtend => is_bitwise(arena, node.first()),
        _ => false,
    }
}
