//! Parts of the domain of a function, as somebody who knows it names them: conditions on its arguments, such as `arg1 > 3 && arg2 <= 0`.

use super::arena::Arena;
use super::node::{Expr, FloatOperation, Op, Rounding};
use crate::FloatKind;

/// How the bits of an argument are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberKind {
    Signed,
    Unsigned,
    Float(FloatKind),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    Different,
}

/// Longer operators first, since shorter ones begin them.
const COMPARISONS: [(&str, Comparison); 6] = [
    ("<=", Comparison::LessEqual),
    (">=", Comparison::GreaterEqual),
    ("==", Comparison::Equal),
    ("!=", Comparison::Different),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

/// One part: all of its conditions hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    conditions: Vec<(usize, Comparison, Bound)>,
    kinds: Vec<NumberKind>,
}

/// A number as it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bound {
    integer: Option<i128>,
    number: f64,
}

/// Why a text is no partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPartition {
    pub text: String,
    pub reason: String,
}

impl std::fmt::Display for NoPartition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "`{}` does not divide a domain: {}; write conditions such as `arg1 > 3 && arg2 <= 0.5`",
            self.text, self.reason
        )
    }
}

impl std::error::Error for NoPartition {}

impl Partition {
    /// Reads conditions on arguments, of these kinds, joined by `&&`. Arguments are `arg1`, `arg2` and so on.
    pub fn parse(text: &str, kinds: &[NumberKind]) -> Result<Partition, NoPartition> {
        let wrong = |reason: String| NoPartition { text: text.to_owned(), reason };
        let mut conditions = Vec::new();
        for condition in text.split("&&") {
            let found = COMPARISONS.iter().find_map(|(sign, comparison)| {
                condition.split_once(sign).map(|(left, right)| (left.trim(), *comparison, right.trim()))
            });
            let Some((left, comparison, right)) = found else {
                return Err(wrong(format!("`{}` compares nothing", condition.trim())));
            };
            let argument = left.strip_prefix("arg").and_then(|number| number.parse::<usize>().ok());
            let Some(argument) = argument.filter(|argument| (1..=kinds.len()).contains(argument)) else {
                return Err(wrong(format!("`{left}` is none of its {} arguments", kinds.len())));
            };
            let Ok(number) = right.parse::<f64>() else {
                return Err(wrong(format!("`{right}` is not a number")));
            };
            conditions.push((argument - 1, comparison, Bound { integer: right.parse().ok(), number }));
        }
        Ok(Partition { conditions, kinds: kinds.to_vec() })
    }

    /// The conditions about the arguments of a call; `None` if they do not fit the arguments.
    pub fn instantiate(&self, arena: &mut Arena, arguments: &[Expr]) -> Option<Expr> {
        let mut all = arena.boolean(true);
        for (argument, comparison, bound) in &self.conditions {
            let expr = *arguments.get(*argument)?;
            let condition = condition(arena, expr, self.kinds[*argument], *comparison, *bound)?;
            all = arena.binary(Op::And, all, condition);
        }
        Some(all)
    }
}

fn condition(arena: &mut Arena, a: Expr, kind: NumberKind, comparison: Comparison, bound: Bound) -> Option<Expr> {
    let width = arena.width(a);
    let constant = match kind {
        NumberKind::Float(kind) if kind.bits() == width => {
            let pattern = crate::float::convert::convert(FloatKind::Double, kind, bound.number.to_bits().into());
            crate::Bits::from_u128(width, pattern)
        }
        NumberKind::Float(_) => return None,
        _ => crate::Bits::from_u128(width, bound.integer.unwrap_or(bound.number as i128) as u128),
    };
    let b = arena.constant(&constant);
    let (first, second, strict) = match comparison {
        Comparison::Less => (a, b, true),
        Comparison::LessEqual => (a, b, false),
        Comparison::Greater => (b, a, true),
        Comparison::GreaterEqual => (b, a, false),
        Comparison::Equal | Comparison::Different => {
            let equal = match kind {
                NumberKind::Float(kind) => arena.float(FloatOperation::Equal, kind, Rounding::NearestEven, 1, &[a, b]),
                _ => arena.compare(Op::Equal, a, b),
            };
            return Some(if comparison == Comparison::Equal { equal } else { arena.not(equal) });
        }
    };
    Some(match (kind, strict) {
        (NumberKind::Float(kind), _) => {
            let operation = if strict { FloatOperation::Less } else { FloatOperation::LessEqual };
            arena.float(operation, kind, Rounding::NearestEven, 1, &[first, second])
        }
        (NumberKind::Signed, true) => arena.compare(Op::SignedLess, first, second),
        (NumberKind::Signed, false) => arena.compare(Op::SignedLessEqual, first, second),
        (NumberKind::Unsigned, true) => arena.compare(Op::UnsignedLess, first, second),
        (NumberKind::Unsigned, false) => arena.compare(Op::UnsignedLessEqual, first, second),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dag::{Model, Variable, evaluate};
    use crate::{Arena, Bits};
    use std::rc::Rc;

    #[test]
    fn conditions_are_about_the_arguments() {
        let kinds = [NumberKind::Signed, NumberKind::Float(FloatKind::Double)];
        let partition = Partition::parse("arg1 > -3 && arg2 <= 0.5", &kinds).expect("a partition");
        let mut arena = Arena::new();
        let variables = [32, 64].map(|width| Variable { input: width, offset: 0, width, index_width: 0 });
        let arguments = variables.map(|variable| arena.variable(variable));
        let condition = partition.instantiate(&mut arena, &arguments).expect("a condition");
        let holds = |integer: i32, double: f64| {
            let mut model = Model::default();
            let ids = arguments.map(|argument| arena.variable_of(argument).expect("a variable"));
            model.set(ids[0], Bits::from_u64(32, integer as u32 as u64));
            model.set(ids[1], Bits::from_u64(64, double.to_bits()));
            evaluate(&arena, &Rc::new(model), condition).low_u64() == 1
        };
        assert!(holds(-2, 0.5));
        assert!(!holds(-3, 0.5));
        assert!(!holds(0, 0.75));
    }

    #[test]
    fn what_is_no_condition_is_told() {
        let kinds = [NumberKind::Signed];
        for text in ["", "arg1", "arg2 > 1", "x > 1", "arg1 > many", "arg0 < 1"] {
            assert!(Partition::parse(text, &kinds).is_err(), "{text}");
        }
    }
}
