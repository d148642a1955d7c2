//! The cheapest exact backend: constraints that only put values in order, such as sorting and searching make. Values are inputs
//! and constants; everything else is for others. How an order is found is in `graph`.

mod graph;

use rustc_hash::FxHashMap;
use symcrete_expr::dag::{Op, VariableId};
use symcrete_expr::{Arena, Bits, Expr, Model};

use self::graph::{Bound, Found, Graph};
use super::Backend;
use crate::answer::{Answer, Limits, Reason};

/// Decides queries of `<`, `<=`, `==` and `!=` between inputs and constants of one width and one sign.
#[derive(Default)]
pub struct Order {
    /// The terms of a query, and the constraints that are about them. Empty between queries.
    terms: Vec<Expr>,
    numbers: FxHashMap<Expr, u32>,
    owners: FxHashMap<VariableId, u32>,
}

/// What a constraint says of two terms.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Relation {
    Less,
    LessEqual,
    Equal,
    Different,
}

/// Terms wider than this are rare, and their values would not fit.
const WIDEST: u32 = 64;

impl Order {
    pub fn new() -> Order {
        Order::default()
    }

    /// The order that the constraints ask for. `None` if one of them is about something else.
    fn graph(&mut self, arena: &Arena, constraints: &[Expr]) -> Option<(Graph, bool, u32)> {
        let mut graph = Graph::default();
        let mut sign = None;
        let mut common_width = None;
        // What was asked for stands last, and is what the others were not asked for before.
        for &constraint in constraints.iter().rev() {
            let (relation, left, right, signed) = relation(arena, constraint)?;
            let width = arena.width(left);
            if width > WIDEST || *common_width.get_or_insert(width) != width {
                return None;
            }
            if signed.is_some_and(|signed| *sign.get_or_insert(signed) != signed) {
                return None;
            }
            let (left, right) = (self.term(arena, left)?, self.term(arena, right)?);
            match relation {
                Relation::Less => graph.less(left, right),
                Relation::LessEqual => graph.less_equal(left, right),
                Relation::Equal => {
                    graph.less_equal(left, right);
                    graph.less_equal(right, left);
                }
                Relation::Different => graph.different(left, right),
            }
        }
        Some((graph, sign.unwrap_or(false), common_width?))
    }

    /// The number of a constant, or of a term that can take every value whatever the others are.
    fn term(&mut self, arena: &Arena, expr: Expr) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&expr) {
            return Some(number);
        }
        let number = self.terms.len() as u32;
        let mut parts = vec![expr];
        while let Some(part) = parts.pop() {
            let node = arena.node(part);
            match node.op {
                Op::Constant if part == expr => {}
                Op::Concat => parts.extend([node.first(), node.second()]),
                Op::Variable => {
                    let variable = arena.variable_of(part)?;
                    if self.owners.insert(variable, number).is_some() {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        self.terms.push(expr);
        self.numbers.insert(expr, number);
        Some(number)
    }

    fn decide(&mut self, arena: &Arena, constraints: &[Expr]) -> Answer {
        let Some((mut graph, signed, width)) = self.graph(arena, constraints) else {
            return Answer::Unknown(Reason::Inexpressible);
        };
        let number = |bits: &Bits| match signed {
            true => bits.sext(128).low_u128() as i128,
            false => i128::from(bits.low_u64()),
        };
        let (least, greatest) = match signed {
            true => (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1),
            false => (0, (1_i128 << width) - 1),
        };
        let bounds: Vec<Bound> = (self.terms.iter())
            .map(|term| arena.as_constant(*term).map_or(Bound::Free, |bits| Bound::Fixed(number(&bits))))
            .collect();
        match graph.values(&bounds, least, greatest) {
            Found::Values(values) => Answer::Sat(self.model(arena, &values)),
            Found::Contradiction => Answer::Unsat,
            Found::Nothing => Answer::Unknown(Reason::Inexpressible),
        }
    }

    fn model(&self, arena: &Arena, values: &[i128]) -> Model {
        let mut model = Model::default();
        let mut parts: Vec<(Expr, Bits)> = Vec::new();
        for (&term, &value) in self.terms.iter().zip(values) {
            parts.push((term, Bits::from_u128(arena.width(term), value as u128)));
            while let Some((part, bits)) = parts.pop() {
                let node = arena.node(part);
                if node.op == Op::Concat {
                    let low = arena.width(node.second());
                    parts.push((node.second(), bits.extract(0, low)));
                    parts.push((node.first(), bits.extract(low, bits.width() - low)));
                } else if let Some(variable) = arena.variable_of(part) {
                    model.set(variable, bits);
                }
            }
        }
        model
    }
}

/// What a constraint says of two terms, and whether it takes them as signed, if that matters.
fn relation(arena: &Arena, constraint: Expr) -> Option<(Relation, Expr, Expr, Option<bool>)> {
    let node = arena.node(constraint);
    let (node, negated) = match node.op {
        Op::Not => (arena.node(node.first()), true),
        _ => (node, false),
    };
    let (relation, signed) = match node.op {
        Op::Equal => (Relation::Equal, None),
        Op::SignedLess => (Relation::Less, Some(true)),
        Op::SignedLessEqual => (Relation::LessEqual, Some(true)),
        Op::UnsignedLess => (Relation::Less, Some(false)),
        Op::UnsignedLessEqual => (Relation::LessEqual, Some(false)),
        _ => return None,
    };
    let (a, b) = (node.first(), node.second());
    Some(match (relation, negated) {
        (relation, false) => (relation, a, b, signed),
        (Relation::Less, true) => (Relation::LessEqual, b, a, signed),
        (Relation::LessEqual, true) => (Relation::Less, b, a, signed),
        (_, true) => (Relation::Different, a, b, signed),
    })
}

impl Backend for Order {
    fn name(&self) -> &'static str {
        "order"
    }

    fn check(&mut self, arena: &mut Arena, constraints: &[Expr], _limits: &Limits) -> Answer {
        self.terms.clear();
        self.numbers.clear();
        self.owners.clear();
        self.decide(arena, constraints)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::rc::Rc;

    use symcrete_expr::dag::{Evaluator, Variable};

    use super::*;

    /// Marsaglia's xorshift: the same numbers in every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % limit
        }
    }

    fn variable(arena: &mut Arena, source: u32, width: u32) -> Expr {
        arena.variable(Variable { input: source, offset: 0, width, index_width: 0 })
    }

    fn holds(arena: &Arena, model: &Model, constraints: &[Expr]) -> bool {
        let mut evaluator = Evaluator::new(Rc::new(model.clone()));
        constraints.iter().all(|constraint| evaluator.holds(arena, *constraint))
    }

    /// Three terms of two bits each, one of them in two parts, and all 64 assignments.
    fn has_solution(arena: &Arena, bits: &[Expr], constraints: &[Expr]) -> bool {
        (0..64_u64).any(|assignment| {
            let mut model = Model::default();
            let mut rest = assignment;
            for expr in bits {
                let width = arena.width(*expr);
                model.set(arena.variable_of(*expr).unwrap(), Bits::from_u64(width, rest & ((1 << width) - 1)));
                rest >>= width;
            }
            holds(arena, &model, constraints)
        })
    }

    #[test]
    fn it_agrees_with_all_assignments() {
        let mut random = Random(7);
        let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
        for round in 0..4000 {
            let mut arena = Arena::without_rules();
            let (a, b) = (variable(&mut arena, 0, 2), variable(&mut arena, 1, 2));
            let (high, low) = (variable(&mut arena, 2, 1), variable(&mut arena, 3, 1));
            let both = arena.concat(high, low);
            let constant = arena.word(2, random.below(4));
            let terms = [a, b, both, constant];
            let comparisons = match round % 2 {
                0 => [Op::SignedLess, Op::SignedLessEqual, Op::Equal],
                _ => [Op::UnsignedLess, Op::UnsignedLessEqual, Op::Equal],
            };
            let mut constraints = Vec::new();
            for _ in 0..2 + random.below(6) {
                let mut term = || terms[random.below(4) as usize];
                let (left, right) = (term(), term());
                let comparison = arena.compare(comparisons[random.below(3) as usize], left, right);
                constraints.push(if random.below(2) == 0 { arena.not(comparison) } else { comparison });
            }
            let expected = has_solution(&arena, &[a, b, high, low], &constraints);
            match Order::new().check(&mut arena, &constraints, &Limits::default()) {
                Answer::Sat(model) => {
                    assert!(holds(&arena, &model, &constraints), "round {round}: {model:?}");
                    sat += 1;
                }
                Answer::Unsat => {
                    assert!(!expected, "round {round} has a solution");
                    unsat += 1;
                }
                Answer::Unknown(_) => unknown += 1,
            }
        }
        assert!(sat > 1000 && unsat > 1000 && unknown < 200, "{sat} sat, {unsat} unsat, {unknown} unknown");
    }

    #[test]
    fn what_shares_bits_or_computes_is_for_others() {
        let mut arena = Arena::new();
        let (a, b) = (variable(&mut arena, 0, 8), variable(&mut arena, 1, 8));
        let (ab, ba) = (arena.concat(a, b), arena.concat(b, a));
        let shared = arena.compare(Op::SignedLess, ab, ba);
        let sum = arena.binary(Op::Add, a, b);
        let computed = arena.compare(Op::UnsignedLess, sum, a);
        let signed = arena.compare(Op::SignedLess, a, b);
        let unsigned = arena.compare(Op::UnsignedLess, b, a);
        for constraints in [vec![shared], vec![computed], vec![signed, unsigned]] {
            let answer = Order::new().check(&mut arena, &constraints, &Limits::default());
            assert!(matches!(answer, Answer::Unknown(Reason::Inexpressible)), "{answer:?}");
        }
    }

    #[test]
    fn a_long_chain_and_a_circle() {
        let mut arena = Arena::new();
        let terms: Vec<Expr> = (0..200).map(|source| variable(&mut arena, source, 8)).collect();
        let mut constraints = Vec::new();
        for pair in terms.windows(2) {
            constraints.push(arena.compare(Op::UnsignedLess, pair[0], pair[1]));
        }
        let mut order = Order::new();
        let Answer::Sat(model) = order.check(&mut arena, &constraints, &Limits::default()) else {
            panic!("has a solution")
        };
        assert!(holds(&arena, &model, &constraints));
        constraints.push(arena.compare(Op::UnsignedLessEqual, terms[199], terms[0]));
        assert!(matches!(order.check(&mut arena, &constraints, &Limits::default()), Answer::Unsat));
    }
}
