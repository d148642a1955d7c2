//! What a comparison needs of one of its sides.

use symcrete_expr::Expr;
use symcrete_expr::dag::{FloatOperation, Node, Op};

use super::line::Line;
use super::{Descent, Inverter};

/// What the first side is to be, compared with the second.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Less,
    Equal,
    Greater,
}

impl Inverter<'_> {
    pub(super) fn relation(&mut self, descent: &mut Descent, node: &Node, wanted: bool) -> Option<()> {
        let width = self.arena.width(node.first());
        if width > 64 {
            return None;
        }
        use Wanted::{Equal, Greater, Less};
        let (line, choices): (Line, &[Wanted]) = match (node.op, wanted) {
            (Op::Equal, true) => (Line::Unsigned(width), &[Equal]),
            (Op::Equal, false) => (Line::Unsigned(width), &[Less, Greater]),
            (Op::UnsignedLess, true) => (Line::Unsigned(width), &[Less]),
            (Op::UnsignedLess, false) => (Line::Unsigned(width), &[Greater, Equal]),
            (Op::UnsignedLessEqual, true) => (Line::Unsigned(width), &[Less, Equal]),
            (Op::UnsignedLessEqual, false) => (Line::Unsigned(width), &[Greater]),
            (Op::SignedLess, true) => (Line::Signed(width), &[Less]),
            (Op::SignedLess, false) => (Line::Signed(width), &[Greater, Equal]),
            (Op::SignedLessEqual, true) => (Line::Signed(width), &[Less, Equal]),
            (Op::SignedLessEqual, false) => (Line::Signed(width), &[Greater]),
            (Op::Float(operation, kind, _), _) => match (operation, wanted) {
                (FloatOperation::Equal, true) => (Line::Float(kind), &[Equal]),
                (FloatOperation::Equal, false) => (Line::Float(kind), &[Less, Greater]),
                (FloatOperation::Less, true) => (Line::Float(kind), &[Less]),
                (FloatOperation::Less, false) => (Line::Float(kind), &[Greater, Equal]),
                (_, true) => (Line::Float(kind), &[Less, Equal]),
                (_, false) => (Line::Float(kind), &[Greater]),
            },
            _ => return None,
        };
        let wanted = *self.random.one_of(choices);
        let sides: [Expr; 2] = [node.first(), node.second()];
        self.one_operand(descent, sides, |this, at| {
            let fixed = line.place(this.value(sides[1 - at])?)?;
            // Seen from the other side, less is greater.
            let direction = match (wanted, at) {
                (Equal, _) => return line.at(fixed),
                (Less, 0) | (Greater, 1) => -1,
                _ => 1,
            };
            let step = match this.random.below(3) {
                0 => 1,
                _ => 1 + (i128::from(this.random.bits()) >> (64 - this.random.below(line.width().into()))),
            };
            line.at(fixed + direction * step).or_else(|| line.at(fixed + direction))
        })
    }
}
