//! Which constraints are linear (section 3.2 of the Concolic Walk paper): those that are `sum of a*x ~ b` once machine numbers are taken
//! for real ones. Whether they hold is still asked of the machine's numbers.

use rustc_hash::FxHashMap;
use symcrete_expr::dag::{FloatOperation, Node, Op};
use symcrete_expr::word::sign_extend;
use symcrete_expr::{Arena, Expr, FloatKind, float};

use super::coordinate::Coordinate;

/// How the sum is compared with the bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    Less,
    LessEqual,
    Equal,
    Different,
}

/// `terms ~ bound`, over coordinates.
#[derive(Clone, Debug)]
pub struct Linear {
    pub terms: Vec<(usize, f64)>,
    pub relation: Relation,
    pub bound: f64,
}

/// A sum of multiples of coordinates and a constant.
#[derive(Clone, Default)]
struct Sum {
    terms: FxHashMap<usize, f64>,
    constant: f64,
}

impl Sum {
    fn constant(constant: f64) -> Sum {
        Sum { constant, ..Sum::default() }
    }

    fn plus(mut self, other: &Sum, factor: f64) -> Sum {
        for (coordinate, multiple) in &other.terms {
            *self.terms.entry(*coordinate).or_default() += factor * multiple;
        }
        self.constant += factor * other.constant;
        self
    }

    fn times(&self, factor: f64) -> Sum {
        Sum::default().plus(self, factor)
    }

    fn as_constant(&self) -> Option<f64> {
        self.terms.values().all(|multiple| *multiple == 0.0).then_some(self.constant)
    }
}

/// Reads constraints as linear ones.
pub struct Reader<'a> {
    arena: &'a Arena,
    coordinates: FxHashMap<Expr, usize>,
    known: FxHashMap<(Expr, Option<FloatKind>), Option<Sum>>,
}

/// Sums that are nested deeper are not looked through.
const DEPTH: u32 = 300;

impl<'a> Reader<'a> {
    pub fn new(arena: &'a Arena, coordinates: &[Coordinate]) -> Reader<'a> {
        let mut numbers = FxHashMap::default();
        for (at, coordinate) in coordinates.iter().enumerate() {
            numbers.entry(coordinate.expr).or_insert(at);
        }
        Reader { arena, coordinates: numbers, known: FxHashMap::default() }
    }

    /// The constraint as a linear one, if it is one.
    pub fn constraint(&mut self, constraint: Expr) -> Option<Linear> {
        let mut node = self.arena.node(constraint);
        let mut wanted = true;
        while node.op == Op::Not {
            wanted = !wanted;
            node = self.arena.node(node.first());
        }
        let (relation, kind) = match node.op {
            Op::Equal if self.arena.width(node.first()) > 1 => (Relation::Equal, None),
            Op::UnsignedLess | Op::SignedLess => (Relation::Less, None),
            Op::UnsignedLessEqual | Op::SignedLessEqual => (Relation::LessEqual, None),
            Op::Float(FloatOperation::Equal, kind, _) => (Relation::Equal, Some(kind)),
            Op::Float(FloatOperation::Less, kind, _) => (Relation::Less, Some(kind)),
            Op::Float(FloatOperation::LessEqual, kind, _) => (Relation::LessEqual, Some(kind)),
            _ => return None,
        };
        let left = self.sum(node.first(), kind, DEPTH)?;
        let right = self.sum(node.second(), kind, DEPTH)?;
        let (relation, sum) = match (relation, wanted) {
            (relation, true) => (relation, left.plus(&right, -1.0)),
            (Relation::Less, false) => (Relation::LessEqual, right.plus(&left, -1.0)),
            (Relation::LessEqual, false) => (Relation::Less, right.plus(&left, -1.0)),
            (_, false) => (Relation::Different, left.plus(&right, -1.0)),
        };
        let mut terms: Vec<(usize, f64)> = sum.terms.into_iter().filter(|(_, multiple)| *multiple != 0.0).collect();
        terms.sort_by_key(|(coordinate, _)| *coordinate);
        (!terms.is_empty()).then_some(Linear { terms, relation, bound: -sum.constant })
    }

    fn sum(&mut self, expr: Expr, kind: Option<FloatKind>, depth: u32) -> Option<Sum> {
        if depth == 0 {
            return None;
        }
        if let Some(known) = self.known.get(&(expr, kind)) {
            return known.clone();
        }
        let sum = self.read(expr, kind, depth - 1);
        self.known.insert((expr, kind), sum.clone());
        sum
    }

    fn read(&mut self, expr: Expr, kind: Option<FloatKind>, depth: u32) -> Option<Sum> {
        if let Some(coordinate) = self.coordinates.get(&expr) {
            return Some(Sum { terms: FxHashMap::from_iter([(*coordinate, 1.0)]), constant: 0.0 });
        }
        let node = self.arena.node(expr);
        if let Some(bits) = self.arena.as_constant(expr) {
            let number = match kind {
                Some(kind) => f64::from_bits(float::convert::convert(kind, FloatKind::Double, bits.low_u128()) as u64),
                None if node.width <= 64 => sign_extend(node.width, bits.low_u64()) as f64,
                None => return None,
            };
            return number.is_finite().then(|| Sum::constant(number));
        }
        match kind {
            Some(kind) => self.float(&node, kind, depth),
            None => self.integer(&node, depth),
        }
    }

    fn float(&mut self, node: &Node, kind: FloatKind, depth: u32) -> Option<Sum> {
        use FloatOperation::{Add, Div, FromSigned, FromUnsigned, Mul, Sub};
        match node.op {
            Op::Float(operation @ (Add | Sub | Mul | Div), ..) => {
                let a = self.sum(node.first(), Some(kind), depth)?;
                let b = self.sum(node.second(), Some(kind), depth)?;
                combined(operation, &a, &b)
            }
            Op::Float(FromSigned | FromUnsigned, ..) => self.sum(node.first(), None, depth),
            Op::FloatConvert(from, ..) => self.sum(node.first(), Some(from), depth),
            // The sign flipped.
            Op::Xor
                if self.arena.as_constant(node.second()).is_some_and(|bits| bits.low_u128() == kind.sign_mask()) =>
            {
                Some(self.sum(node.first(), Some(kind), depth)?.times(-1.0))
            }
            _ => None,
        }
    }

    fn integer(&mut self, node: &Node, depth: u32) -> Option<Sum> {
        let operation = match node.op {
            Op::Add => FloatOperation::Add,
            Op::Sub => FloatOperation::Sub,
            Op::Mul => FloatOperation::Mul,
            Op::SignExtend | Op::ZeroExtend => return self.sum(node.first(), None, depth),
            Op::Not => return Some(self.sum(node.first(), None, depth)?.times(-1.0).plus(&Sum::constant(1.0), -1.0)),
            Op::Shl => {
                let count = self.arena.as_word(node.second()).filter(|count| *count < 62)?;
                return Some(self.sum(node.first(), None, depth)?.times((1u64 << count) as f64));
            }
            _ => return None,
        };
        let a = self.sum(node.first(), None, depth)?;
        let b = self.sum(node.second(), None, depth)?;
        combined(operation, &a, &b)
    }
}

fn combined(operation: FloatOperation, a: &Sum, b: &Sum) -> Option<Sum> {
    match operation {
        FloatOperation::Add => Some(a.clone().plus(b, 1.0)),
        FloatOperation::Sub => Some(a.clone().plus(b, -1.0)),
        FloatOperation::Mul => match (a.as_constant(), b.as_constant()) {
            (Some(factor), _) => Some(b.times(factor)),
            (_, Some(factor)) => Some(a.times(factor)),
            _ => None,
        },
        FloatOperation::Div => b.as_constant().filter(|divisor| *divisor != 0.0).map(|divisor| a.times(1.0 / divisor)),
        _ => None,
    }
}
