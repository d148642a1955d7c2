//! What operations on bit-vectors, conditions and arrays become.

use symcrete_bitwuzla::{Kind, Sort, Term};
use symcrete_expr::dag::{FloatOperation, Node, Op};
use symcrete_expr::{Arena, Expr};

use super::translate::{Translator, View};
use crate::answer::Reason;

impl Translator {
    /// Of an operation that gives a vector or an array.
    pub fn plain(&mut self, arena: &Arena, expr: Expr, node: &Node) -> Term {
        match node.op {
            Op::Constant => {
                // Only constants have bits, and this is one.
                let limbs = arena.as_constant(expr).map(|bits| bits.limbs().to_vec()).unwrap_or_default();
                self.context.bits(node.width, &limbs)
            }
            Op::Variable => self.context.fresh(Sort::Bits(node.width)),
            Op::ArrayVariable => self.context.fresh(Sort::Array(node.b, node.width)),
            Op::Call => self.leave_open(expr, Sort::Bits(node.width), Reason::Inexpressible),
            // To the same kind: not even a NaN changes.
            Op::FloatConvert(..) => self.seen(node.first(), View::Plain),
            Op::Ite | Op::ArrayIte => self.ite(node, View::Plain),
            Op::Extract => self.indexed(Kind::BitsExtract, node.first(), &[node.b + node.width - 1, node.b]),
            Op::ZeroExtend => {
                self.indexed(Kind::BitsZeroExtend, node.first(), &[node.width - arena.width(node.first())])
            }
            Op::SignExtend => {
                self.indexed(Kind::BitsSignExtend, node.first(), &[node.width - arena.width(node.first())])
            }
            Op::Table => self.table(arena, expr, node),
            Op::Select if arena.node(node.first()).op == Op::Table => self.table_read(arena, node),
            Op::Float(operation, kind, _) => {
                let operand = self.seen(node.first(), View::Float(kind));
                let signed = operation == FloatOperation::ToSigned;
                self.float_to_integer(expr, operand, kind, node.width, signed)
            }
            op => {
                let operands: Vec<Term> = self.operands(arena, expr);
                self.context.term(kind_of(op), &operands)
            }
        }
    }

    fn operands(&self, arena: &Arena, expr: Expr) -> Vec<Term> {
        arena.operands(expr).iter().map(|operand| self.seen(*operand, View::Plain)).collect()
    }

    fn indexed(&mut self, kind: Kind, operand: Expr, indices: &[u32]) -> Term {
        let operand = self.seen(operand, View::Plain);
        self.context.term_indexed(kind, &[operand], indices)
    }

    /// Of an operation that gives one bit and is made of conditions, or compares.
    pub fn truth(&mut self, arena: &Arena, node: &Node) -> Term {
        let (view, kind) = match node.op {
            Op::Constant => return self.context.boolean(node.a == 1),
            Op::Ite => return self.ite(node, View::Truth),
            Op::Not => (View::Truth, Kind::Not),
            Op::And => (View::Truth, Kind::And),
            Op::Or => (View::Truth, Kind::Or),
            Op::Xor => (View::Truth, Kind::Distinct),
            Op::Equal if arena.width(node.first()) == 1 => (View::Truth, Kind::Equal),
            Op::Float(operation, kind, _) => (View::Float(kind), comparison_of(operation)),
            op => (View::Plain, kind_of(op)),
        };
        let count = node.op.operands();
        let operands = [node.first(), node.second()];
        let terms: Vec<Term> = operands[..count].iter().map(|operand| self.seen(*operand, view)).collect();
        self.context.term(kind, &terms)
    }

    fn table(&mut self, arena: &Arena, expr: Expr, node: &Node) -> Term {
        let zero = self.context.bits(node.width, &[0]);
        let mut array = self.context.constant_array(node.c, node.width, zero);
        for (index, element) in (0..).zip(arena.elements(expr)) {
            let index = self.context.bits(node.c, &[index]);
            let element = self.seen(*element, View::Plain);
            array = self.context.term(Kind::Store, &[array, index, element]);
        }
        array
    }

    /// An element of a table by a tree of choices, one level for each bit of the index. Parts whose elements are all the same
    /// need no choice.
    fn table_read(&mut self, arena: &Arena, node: &Node) -> Term {
        let table = node.first();
        let index_width = arena.index_width(table);
        let index = self.seen(node.second(), View::Plain);
        let mut level: Vec<Term> =
            arena.elements(table).iter().map(|element| self.seen(*element, View::Plain)).collect();
        level.truncate(1usize.checked_shl(index_width).unwrap_or(usize::MAX));
        let zero = self.context.bits(node.width, &[0]);
        let zero_element = arena.elements(table).iter().position(|element| arena.as_word(*element) == Some(0));
        // Equal terms are told by their numbers, so that there should be one zero only.
        let zero = zero_element.map_or(zero, |at| level[at]);
        let one = self.context.bits(1, &[1]);
        let mut bit = 0;
        while level.len() > 1 || (bit < index_width && level.first().is_some_and(|only| *only != zero)) {
            let digit = self.context.term_indexed(Kind::BitsExtract, &[index], &[bit, bit]);
            let is_one = self.context.term(Kind::Equal, &[digit, one]);
            let choose = |pair: &[Term]| match *pair {
                [low, high] if low == high => low,
                [low, high] => self.context.term(Kind::Ite, &[is_one, high, low]),
                [low] if low == zero => zero,
                [low] => self.context.term(Kind::Ite, &[is_one, zero, low]),
                _ => zero,
            };
            level = level.chunks(2).map(choose).collect();
            bit += 1;
        }
        level.first().copied().unwrap_or(zero)
    }
}

/// Operations whose operands and result are what the solver's are.
fn kind_of(op: Op) -> Kind {
    match op {
        Op::Not => Kind::BitsNot,
        Op::And => Kind::BitsAnd,
        Op::Or => Kind::BitsOr,
        Op::Xor => Kind::BitsXor,
        Op::Add => Kind::BitsAdd,
        Op::Sub => Kind::BitsSub,
        Op::Mul => Kind::BitsMul,
        Op::UDiv => Kind::BitsUDiv,
        Op::SDiv => Kind::BitsSDiv,
        Op::URem => Kind::BitsURem,
        Op::SRem => Kind::BitsSRem,
        Op::Shl => Kind::BitsShl,
        Op::LShr => Kind::BitsLShr,
        Op::AShr => Kind::BitsAShr,
        Op::Equal => Kind::Equal,
        Op::UnsignedLess => Kind::BitsULess,
        Op::UnsignedLessEqual => Kind::BitsULessEqual,
        Op::SignedLess => Kind::BitsSLess,
        Op::SignedLessEqual => Kind::BitsSLessEqual,
        Op::Concat => Kind::BitsConcat,
        Op::Select => Kind::Select,
        Op::Store => Kind::Store,
        Op::Constant
        | Op::Variable
        | Op::ArrayVariable
        | Op::Ite
        | Op::ArrayIte
        | Op::Extract
        | Op::ZeroExtend
        | Op::SignExtend
        | Op::Table
        | Op::Float(..)
        | Op::FloatConvert(..)
        | Op::Call => unreachable!("{op:?} is translated by itself"),
    }
}

fn comparison_of(operation: FloatOperation) -> Kind {
    match operation {
        FloatOperation::Equal => Kind::FloatEqual,
        FloatOperation::Less => Kind::FloatLess,
        _ => Kind::FloatLessEqual,
    }
}
