//! From expressions to terms. This file says which terms an expression needs and in what order they are made; what each
//! operation becomes is in `plain.rs` and `floats.rs`.
//!
//! An expression can be seen in several ways, and each of them is a term of its own: a float that only floats look at is never
//! made bits, and a condition that only conditions look at never becomes a vector.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use symcrete_bitwuzla::{Context, Kind, Rounding, Sort, Term};
use symcrete_expr::dag::{FloatOperation, Node, Op};
use symcrete_expr::{Arena, Expr, FloatKind};

use crate::answer::Reason;

/// How an expression is looked at.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum View {
    /// As a bit-vector, or as an array if it is one.
    Plain,
    /// One bit as a boolean term.
    Truth,
    /// The bits as a number of this kind.
    Float(FloatKind),
}

pub type Needs = SmallVec<[(Expr, View); 4]>;

/// Makes terms, each once.
#[derive(Default)]
pub struct Translator {
    pub context: Context,
    terms: FxHashMap<(Expr, View), Term>,
    /// What ties terms of their own to what they stand for: to be asserted wherever the expression is used.
    definitions: FxHashMap<Expr, SmallVec<[Term; 2]>>,
    /// Expressions whose terms leave open what the machine does not.
    open: FxHashMap<Expr, Reason>,
    roundings: FxHashMap<Rounding, Term>,
}

impl Translator {
    /// The boolean term of a constraint.
    pub fn constraint(&mut self, arena: &Arena, expr: Expr) -> Term {
        let mut pending = vec![(expr, View::Truth)];
        while let Some((expr, view)) = pending.last().copied() {
            if self.terms.contains_key(&(expr, view)) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            let needs = needs(arena, expr, view);
            pending.extend(needs.iter().filter(|need| !self.terms.contains_key(need)));
            if pending.len() == before {
                let term = self.make(arena, expr, view);
                self.terms.insert((expr, view), term);
                pending.pop();
            }
        }
        self.seen(expr, View::Truth)
    }

    /// A term that was made before.
    pub fn seen(&self, expr: Expr, view: View) -> Term {
        self.terms[&(expr, view)]
    }

    /// The same of what may not have been needed.
    pub fn known(&self, expr: Expr, view: View) -> Option<Term> {
        self.terms.get(&(expr, view)).copied()
    }

    pub fn definitions(&self, expr: Expr) -> &[Term] {
        self.definitions.get(&expr).map_or(&[], |definitions| definitions)
    }

    pub fn define(&mut self, expr: Expr, definition: Term) {
        self.definitions.entry(expr).or_default().push(definition);
    }

    pub fn openness(&self, expr: Expr) -> Option<Reason> {
        self.open.get(&expr).copied()
    }

    pub fn rounding(&mut self, rounding: Rounding) -> Term {
        *self.roundings.entry(rounding).or_insert_with(|| self.context.rounding(rounding))
    }

    /// A term that may be anything, which is more than the expression can be.
    pub fn leave_open(&mut self, expr: Expr, sort: Sort, reason: Reason) -> Term {
        self.open.insert(expr, reason);
        self.context.fresh(sort)
    }

    /// The term of an expression whose needs were met.
    fn make(&mut self, arena: &Arena, expr: Expr, view: View) -> Term {
        let node = arena.node(expr);
        match (view, natural(&node)) {
            (View::Plain, View::Truth) => {
                let truth = self.seen(expr, View::Truth);
                let (one, zero) = (self.context.bits(1, &[1]), self.context.bits(1, &[0]));
                self.context.term(Kind::Ite, &[truth, one, zero])
            }
            (View::Plain, View::Float(kind)) => self.bits_of_float(expr, &node, kind),
            (View::Plain, View::Plain) => self.plain(arena, expr, &node),
            (View::Truth, View::Truth) => self.truth(arena, &node),
            (View::Truth, _) => {
                let bits = self.seen(expr, View::Plain);
                let one = self.context.bits(1, &[1]);
                self.context.term(Kind::Equal, &[bits, one])
            }
            (View::Float(kind), natural) if natural == view => self.float(arena, expr, &node, kind),
            (View::Float(kind), _) => match as_float(arena, &node, kind) {
                Some(FloatForm::Ite) => self.ite(&node, view),
                Some(FloatForm::Negated(operand)) => {
                    let operand = self.seen(operand, view);
                    self.context.term(Kind::FloatNeg, &[operand])
                }
                Some(FloatForm::Absolute(operand)) => {
                    let operand = self.seen(operand, view);
                    self.context.term(Kind::FloatAbs, &[operand])
                }
                None => self.float_of_bits(expr, kind),
            },
        }
    }

    pub fn ite(&mut self, node: &Node, view: View) -> Term {
        let condition = self.seen(node.first(), View::Truth);
        let (a, b) = (self.seen(node.second(), view), self.seen(node.third(), view));
        self.context.term(Kind::Ite, &[condition, a, b])
    }

    /// The bits of a float result. SMT-LIB has no function for them, because a NaN has many; so they are a vector of their own,
    /// tied to the float by what that vector means.
    fn bits_of_float(&mut self, expr: Expr, node: &Node, kind: FloatKind) -> Term {
        let float = self.seen(expr, View::Float(kind));
        let (bits, meaning) = self.fresh_pattern(kind);
        let mut definition = self.context.term(Kind::Equal, &[meaning, float]);
        if let Some(rule) = self.nan_rule(node, kind, float, bits) {
            definition = self.context.term(Kind::And, &[definition, rule]);
        }
        self.define(expr, definition);
        self.open.entry(expr).or_insert(Reason::NanBits);
        bits
    }
}

/// The view in which an operation gives its result.
pub fn natural(node: &Node) -> View {
    match node.op {
        Op::Equal | Op::UnsignedLess | Op::UnsignedLessEqual | Op::SignedLess | Op::SignedLessEqual => View::Truth,
        Op::Constant | Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite if node.width == 1 => View::Truth,
        Op::Float(operation, kind, _) => match operation {
            FloatOperation::Equal | FloatOperation::Less | FloatOperation::LessEqual => View::Truth,
            FloatOperation::ToSigned | FloatOperation::ToUnsigned => View::Plain,
            _ => View::Float(kind),
        },
        Op::FloatConvert(from, to, _) if from != to => View::Float(to),
        _ => View::Plain,
    }
}

/// What bits are when they are looked at as a float, other than a pattern.
enum FloatForm {
    Ite,
    Negated(Expr),
    Absolute(Expr),
}

fn as_float(arena: &Arena, node: &Node, kind: FloatKind) -> Option<FloatForm> {
    let masked = |mask: u128| {
        let is_mask = |operand: Expr| arena.as_constant(operand).is_some_and(|bits| bits.low_u128() == mask);
        let (a, b) = (node.first(), node.second());
        if is_mask(b) { Some(a) } else { is_mask(a).then_some(b) }
    };
    match node.op {
        Op::Ite => Some(FloatForm::Ite),
        Op::Xor => masked(kind.sign_mask()).map(FloatForm::Negated),
        Op::And => masked(kind.mask() & !kind.sign_mask()).map(FloatForm::Absolute),
        _ => None,
    }
}

/// The terms that a term is made of.
fn needs(arena: &Arena, expr: Expr, view: View) -> Needs {
    let node = arena.node(expr);
    let natural = natural(&node);
    let all = |view: View| -> Needs { arena.operands(expr).iter().map(|operand| (*operand, view)).collect() };
    let ite = |view: View| -> Needs {
        [(node.first(), View::Truth), (node.second(), view), (node.third(), view)].into_iter().collect()
    };
    if view != natural {
        return match (view, natural) {
            (View::Float(kind), _) => match as_float(arena, &node, kind) {
                Some(FloatForm::Ite) => ite(view),
                Some(FloatForm::Negated(operand) | FloatForm::Absolute(operand)) => {
                    [(operand, view)].into_iter().collect()
                }
                None => [(expr, View::Plain)].into_iter().collect(),
            },
            (View::Truth, _) => [(expr, View::Plain)].into_iter().collect(),
            (View::Plain, natural) => [(expr, natural)].into_iter().collect(),
        };
    }
    match node.op {
        Op::Ite => ite(view),
        Op::ArrayIte => ite(View::Plain),
        Op::Not | Op::And | Op::Or | Op::Xor => all(view),
        Op::Equal if arena.width(node.first()) == 1 => all(View::Truth),
        // What cannot be said in SMT-LIB does not look at its operands.
        Op::Float(FloatOperation::Rem, ..) | Op::Call => Needs::new(),
        Op::Float(FloatOperation::FromSigned | FloatOperation::FromUnsigned, ..) => all(View::Plain),
        Op::FloatConvert(from, to, _) if from == to => all(View::Plain),
        Op::Float(_, kind, _) | Op::FloatConvert(kind, ..) => all(View::Float(kind)),
        // A read of a table is made of the elements, without an array.
        Op::Select if arena.node(node.first()).op == Op::Table => {
            let elements = arena.elements(node.first()).iter().copied();
            elements.chain([node.second()]).map(|part| (part, View::Plain)).collect()
        }
        _ => all(View::Plain),
    }
}
