//! Building expressions. Every function here returns the simplest equal expression that the rules in `simplify/` know.

use super::arena::{Arena, FunctionId, Variable};
use super::facts::{self, Facts};
use super::node::{Expr, FloatOperation, Node, Op, Rounding};
use super::simplify;
use crate::{Bits, FloatKind};
use cranelift_entity::EntityRef;

/// How much work the rules may do for one expression that is asked for. Rules make expressions simpler and so end by themselves;
/// this bounds how far they reach into large ones.
const STEPS: u32 = 400;
/// How deep rules may call each other.
const DEPTH: u32 = 60;

#[derive(Default)]
pub(super) struct Effort {
    depth: u32,
    steps: u32,
    /// How often a bound was met.
    pub(super) exhausted: u64,
}

impl Arena {
    /// Whether rules may be tried now; then `end` comes after.
    #[inline]
    fn begin(&mut self) -> bool {
        if !self.simplifies {
            return false;
        }
        if self.effort.depth == 0 {
            self.effort.steps = STEPS;
        }
        if self.effort.steps == 0 || self.effort.depth == DEPTH {
            self.effort.exhausted += 1;
            return false;
        }
        self.effort.steps -= 1;
        self.effort.depth += 1;
        true
    }

    fn end(&mut self) {
        self.effort.depth -= 1;
    }

    /// The node, if it is there; what the rules make of it; or else a new one. A node that is there was not to be simplified.
    #[inline]
    fn make(&mut self, node: Node, rules: impl FnOnce(&mut Arena) -> Option<Expr>) -> Expr {
        if let Some(found) = self.find(&node) {
            return found;
        }
        if self.begin() {
            let simpler = rules(self);
            self.end();
            if let Some(simpler) = simpler {
                return simpler;
            }
        }
        let facts = facts::of_node(self, &node);
        match facts.known() {
            Some(bits) if self.simplifies && node.width <= 64 && !node.op.is_array() => self.word(node.width, bits),
            _ => self.intern(node, facts),
        }
    }

    /// A constant of up to 64 bits; bits beyond the width are cut off.
    #[inline]
    pub fn word(&mut self, width: u32, bits: u64) -> Expr {
        if width > 64 {
            return self.constant(&Bits::from_u64(width, bits));
        }
        let bits = crate::word::truncate(width, bits);
        let node = Node { op: Op::Constant, width, a: bits as u32, b: (bits >> 32) as u32, c: 0 };
        self.intern(node, Facts::constant(width, bits))
    }

    pub fn boolean(&mut self, value: bool) -> Expr {
        self.word(1, u64::from(value))
    }

    /// A constant of any width.
    pub fn constant(&mut self, bits: &Bits) -> Expr {
        if bits.width() <= 64 {
            return self.word(bits.width(), bits.low_u64());
        }
        let at = self.wide.intern(bits, Bits::clone);
        self.intern(Node { op: Op::Constant, width: bits.width(), a: at, b: 0, c: 0 }, Facts::top(64))
    }

    /// The variable of this key; an array if it has an index width.
    pub fn variable(&mut self, variable: Variable) -> Expr {
        let a = self.intern_variable(variable).as_u32();
        let op = if variable.index_width == 0 { Op::Variable } else { Op::ArrayVariable };
        let node = Node { op, width: variable.width, a, b: variable.index_width, c: 0 };
        self.intern(node, Facts::top(variable.width))
    }

    /// Operands in the order in which they are kept: constants second, else by their numbers.
    #[inline]
    fn in_order(&self, op: Op, a: Expr, b: Expr) -> (Expr, Expr) {
        if !self.simplifies || !op.is_commutative() {
            return (a, b);
        }
        let key = |expr: Expr| (self.node(expr).op == Op::Constant, expr);
        if key(b) < key(a) { (b, a) } else { (a, b) }
    }

    /// And, Or, Xor, Add, Sub, Mul, divisions, shifts: operands of one width.
    pub fn binary(&mut self, op: Op, a: Expr, b: Expr) -> Expr {
        debug_assert_eq!(self.width(a), self.width(b), "{op:?}");
        let (a, b) = self.in_order(op, a, b);
        let node = Node { op, width: self.width(a), a: a.as_u32(), b: b.as_u32(), c: 0 };
        self.make(node, |arena| simplify::binary(arena, op, a, b))
    }

    /// Equal, UnsignedLess and the like: operands of one width, a result of one bit.
    pub fn compare(&mut self, op: Op, a: Expr, b: Expr) -> Expr {
        debug_assert_eq!(self.width(a), self.width(b), "{op:?}");
        let (a, b) = self.in_order(op, a, b);
        let node = Node { op, width: 1, a: a.as_u32(), b: b.as_u32(), c: 0 };
        self.make(node, |arena| simplify::compare(arena, op, a, b))
    }

    pub fn not(&mut self, a: Expr) -> Expr {
        let node = Node { op: Op::Not, width: self.width(a), a: a.as_u32(), b: 0, c: 0 };
        self.make(node, |arena| simplify::not(arena, a))
    }

    pub fn ite(&mut self, condition: Expr, a: Expr, b: Expr) -> Expr {
        debug_assert_eq!(self.width(a), self.width(b));
        debug_assert_eq!(self.width(condition), 1);
        let op = if self.is_array(a) { Op::ArrayIte } else { Op::Ite };
        let node = Node { op, width: self.width(a), a: condition.as_u32(), b: a.as_u32(), c: b.as_u32() };
        self.make(node, |arena| simplify::ite(arena, condition, a, b))
    }

    pub fn concat(&mut self, high: Expr, low: Expr) -> Expr {
        let width = self.width(high) + self.width(low);
        let node = Node { op: Op::Concat, width, a: high.as_u32(), b: low.as_u32(), c: 0 };
        self.make(node, |arena| simplify::concat(arena, high, low))
    }

    /// `width` bits from bit `low` on.
    pub fn extract(&mut self, a: Expr, low: u32, width: u32) -> Expr {
        debug_assert!(low + width <= self.width(a));
        let node = Node { op: Op::Extract, width, a: a.as_u32(), b: low, c: 0 };
        self.make(node, |arena| simplify::extract(arena, a, low, width))
    }

    /// To a width that is not less.
    pub fn zero_extend(&mut self, a: Expr, width: u32) -> Expr {
        debug_assert!(width >= self.width(a));
        let node = Node { op: Op::ZeroExtend, width, a: a.as_u32(), b: 0, c: 0 };
        self.make(node, |arena| simplify::zero_extend(arena, a, width))
    }

    /// To a width that is not less.
    pub fn sign_extend(&mut self, a: Expr, width: u32) -> Expr {
        debug_assert!(width >= self.width(a));
        let node = Node { op: Op::SignExtend, width, a: a.as_u32(), b: 0, c: 0 };
        self.make(node, |arena| simplify::sign_extend(arena, a, width))
    }

    /// An array of these elements from 0 on, all further ones zero.
    pub fn table(&mut self, index_width: u32, element_width: u32, elements: &[Expr]) -> Expr {
        debug_assert!(elements.iter().all(|element| self.width(*element) == element_width));
        let list = self.lists.intern(elements, |elements| elements.into());
        let node = Node { op: Op::Table, width: element_width, a: list, b: elements.len() as u32, c: index_width };
        self.make(node, |_| None)
    }

    pub fn select(&mut self, array: Expr, index: Expr) -> Expr {
        debug_assert_eq!(self.index_width(array), self.width(index));
        let node = Node { op: Op::Select, width: self.width(array), a: array.as_u32(), b: index.as_u32(), c: 0 };
        self.make(node, |arena| simplify::select(arena, array, index))
    }

    pub fn store(&mut self, array: Expr, index: Expr, element: Expr) -> Expr {
        debug_assert_eq!(self.width(array), self.width(element));
        debug_assert_eq!(self.index_width(array), self.width(index));
        let width = self.width(array);
        let node = Node { op: Op::Store, width, a: array.as_u32(), b: index.as_u32(), c: element.as_u32() };
        self.make(node, |arena| simplify::store(arena, array, index, element))
    }

    /// A float operation; `width` is that of the result. Operands that it does not take are ignored by giving fewer.
    pub fn float(
        &mut self,
        operation: FloatOperation,
        kind: FloatKind,
        rounding: Rounding,
        width: u32,
        operands: &[Expr],
    ) -> Expr {
        debug_assert_eq!(operands.len(), operation.operands(), "{operation:?}");
        let operand = |at: usize| operands.get(at).map_or(0, |operand| operand.as_u32());
        let op = Op::Float(operation, kind, rounding);
        let node = Node { op, width, a: operand(0), b: operand(1), c: operand(2) };
        self.make(node, |arena| simplify::float(arena, operation, kind, rounding, width, operands))
    }

    pub fn float_convert(&mut self, from: FloatKind, to: FloatKind, rounding: Rounding, a: Expr) -> Expr {
        debug_assert_eq!(self.width(a), from.bits());
        let node = Node { op: Op::FloatConvert(from, to, rounding), width: to.bits(), a: a.as_u32(), b: 0, c: 0 };
        self.make(node, |arena| simplify::float_convert(arena, from, to, rounding, a))
    }

    pub fn call(&mut self, function: FunctionId, width: u32, arguments: &[Expr]) -> Expr {
        let list = self.lists.intern(arguments, |arguments| arguments.into());
        let count = arguments.len() as u32;
        let node = Node { op: Op::Call, width, a: function.index() as u32, b: list, c: count };
        self.make(node, |arena| simplify::call(arena, function, width, arguments))
    }
}
