//! What a constraint brings with it: the variables that a model must name, the definitions that must be asserted with it, and
//! whether its term leaves open what the machine does not.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_bitwuzla::Term;
use symcrete_expr::dag::{FloatOperation, Node, Op};
use symcrete_expr::{Arena, Expr};

use super::translate::Translator;
use crate::answer::Reason;

#[derive(Default)]
pub struct Footprint {
    pub variables: Vec<Expr>,
    pub definitions: Vec<Term>,
    pub doubt: Option<Reason>,
    /// Operations, with what it takes to make gates of each, and the sum of that.
    pub operations: Vec<(Expr, u64)>,
    pub effort: u64,
}

/// Footprints of constraints that were translated.
#[derive(Default)]
pub struct Footprints {
    known: FxHashMap<Expr, Rc<Footprint>>,
}

impl Footprints {
    pub fn of(&mut self, arena: &Arena, translator: &Translator, constraint: Expr) -> Rc<Footprint> {
        let make = || Rc::new(walk(arena, translator, constraint));
        self.known.entry(constraint).or_insert_with(make).clone()
    }
}

fn walk(arena: &Arena, translator: &Translator, constraint: Expr) -> Footprint {
    let mut footprint = Footprint::default();
    let mut seen = FxHashSet::default();
    let mut pending = vec![constraint];
    while let Some(expr) = pending.pop() {
        if !seen.insert(expr) {
            continue;
        }
        if matches!(arena.node(expr).op, Op::Variable | Op::ArrayVariable) {
            footprint.variables.push(expr);
        }
        let weight = weight(arena.node(expr));
        if weight > 0 {
            footprint.operations.push((expr, weight));
            footprint.effort = footprint.effort.saturating_add(weight);
        }
        footprint.definitions.extend_from_slice(translator.definitions(expr));
        footprint.doubt = worse(footprint.doubt, translator.openness(expr));
        pending.extend(arena.operands(expr));
    }
    footprint
}

/// The effort that it takes to make gates of an operation, whatever comes after: measured in whole runs, where double products and
/// quotients took most of it.
fn weight(node: Node) -> u64 {
    use FloatOperation::{Add, Div, Mul, MultiplyAdd, Rem, SquareRoot, Sub};
    let width = u64::from(node.width);
    let Op::Float(operation, kind, _) = node.op else {
        return match node.op {
            Op::Mul => width * width / 16,
            Op::UDiv | Op::URem | Op::SDiv | Op::SRem => width * width / 4,
            Op::Add | Op::Sub | Op::Shl | Op::LShr | Op::AShr => width / 4,
            Op::Ite => width / 8,
            op if op.is_comparison() => 4,
            _ => 0,
        };
    };
    let digits = u64::from(kind.precision());
    match operation {
        Add | Sub => 60 * digits,
        Mul => 10 * digits * digits,
        MultiplyAdd => 15 * digits * digits,
        Div | SquareRoot | Rem => 30 * digits * digits,
        _ => 20 * digits,
    }
}

/// What cannot be expressed at all weighs more than bits of a NaN.
pub fn worse(a: Option<Reason>, b: Option<Reason>) -> Option<Reason> {
    match (a, b) {
        (Some(Reason::Inexpressible), _) | (_, None) => a,
        _ => b,
    }
}
