//! What a comparison needs of one of its sides.

use symcrete_expr::dag::{FloatOperation, Node, Op};
use symcrete_expr::word::{mask, sign_bit, sign_extend, truncate};
use symcrete_expr::{Expr, FloatKind};

use super::{Descent, Inverter};

/// How the sides of a comparison are ordered.
#[derive(Clone, Copy)]
enum Order {
    Signed(u32),
    Unsigned(u32),
    Float(FloatKind),
}

impl Order {
    fn place(self, value: u64) -> Option<i128> {
        match self {
            Order::Signed(width) => Some(sign_extend(width, value).into()),
            Order::Unsigned(_) => Some(value.into()),
            Order::Float(kind) => super::floats::place(kind, value).map(i128::from),
        }
    }

    /// The value at a place, if there is one.
    fn at(self, place: i128) -> Option<u64> {
        match self {
            Order::Signed(width) => {
                let half = i128::from(sign_bit(width));
                (-half..half).contains(&place).then(|| truncate(width, place as u64))
            }
            Order::Unsigned(width) => (0..=i128::from(mask(width))).contains(&place).then_some(place as u64),
            Order::Float(kind) => super::floats::at(kind, i64::try_from(place).ok()?),
        }
    }

    fn width(self) -> u32 {
        match self {
            Order::Signed(width) | Order::Unsigned(width) => width,
            Order::Float(kind) => kind.bits(),
        }
    }
}

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
        let (order, choices): (Order, &[Wanted]) = match (node.op, wanted) {
            (Op::Equal, true) => (Order::Unsigned(width), &[Equal]),
            (Op::Equal, false) => (Order::Unsigned(width), &[Less, Greater]),
            (Op::UnsignedLess, true) => (Order::Unsigned(width), &[Less]),
            (Op::UnsignedLess, false) => (Order::Unsigned(width), &[Greater, Equal]),
            (Op::UnsignedLessEqual, true) => (Order::Unsigned(width), &[Less, Equal]),
            (Op::UnsignedLessEqual, false) => (Order::Unsigned(width), &[Greater]),
            (Op::SignedLess, true) => (Order::Signed(width), &[Less]),
            (Op::SignedLess, false) => (Order::Signed(width), &[Greater, Equal]),
            (Op::SignedLessEqual, true) => (Order::Signed(width), &[Less, Equal]),
            (Op::SignedLessEqual, false) => (Order::Signed(width), &[Greater]),
            (Op::Float(operation, kind, _), _) => match (operation, wanted) {
                (FloatOperation::Equal, true) => (Order::Float(kind), &[Equal]),
                (FloatOperation::Equal, false) => (Order::Float(kind), &[Less, Greater]),
                (FloatOperation::Less, true) => (Order::Float(kind), &[Less]),
                (FloatOperation::Less, false) => (Order::Float(kind), &[Greater, Equal]),
                (_, true) => (Order::Float(kind), &[Less, Equal]),
                (_, false) => (Order::Float(kind), &[Greater]),
            },
            _ => return None,
        };
        let wanted = *self.random.one_of(choices);
        let sides: [Expr; 2] = [node.first(), node.second()];
        self.one_operand(descent, sides, |this, at| {
            let fixed = order.place(this.value(sides[1 - at])?)?;
            // Seen from the other side, less is greater.
            let direction = match (wanted, at) {
                (Equal, _) => return order.at(fixed),
                (Less, 0) | (Greater, 1) => -1,
                _ => 1,
            };
            let step = match this.random.below(3) {
                0 => 1,
                _ => 1 + (i128::from(this.random.bits()) >> (64 - this.random.below(order.width().into()))),
            };
            order.at(fixed + direction * step).or_else(|| order.at(fixed + direction))
        })
    }
}
