//! What is complex in a constraint (section 3.1 of the paper on mixed solving): calls, and products and quotients of unknowns. With a
//! valuation, each of these becomes the number that it is there, under the condition that its operands are what they are there.

use cranelift_entity::EntitySet;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use symcrete_expr::dag::{Evaluator, FloatOperation, Node, Op, post_order};
use symcrete_expr::{Arena, Expr};

/// Whether an operation is one that the solver of simple constraints is not asked about.
pub fn is_complex(arena: &Arena, node: &Node) -> bool {
    let unknown = |expr: Expr| arena.node(expr).op != Op::Constant;
    use FloatOperation::{Div, Mul, MultiplyAdd, Rem};
    match node.op {
        Op::Call | Op::Float(Rem, ..) => true,
        Op::Mul | Op::Float(Mul | MultiplyAdd, ..) => unknown(node.first()) && unknown(node.second()),
        Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::Float(Div, ..) => unknown(node.second()),
        _ => false,
    }
}

/// The complex operations of some constraints, operands before what is made of them.
pub fn complex_parts(arena: &Arena, constraints: &[Expr]) -> Vec<Expr> {
    let order = post_order(arena, constraints.iter().copied(), &mut EntitySet::new());
    order.into_iter().filter(|expr| is_complex(arena, &arena.node(*expr))).collect()
}

/// Takes a query apart into simple and complex constraints.
pub fn split(arena: &Arena, constraints: &[Expr]) -> (Vec<Expr>, Vec<Expr>) {
    let mut complex: FxHashSet<Expr> = FxHashSet::default();
    for expr in post_order(arena, constraints.iter().copied(), &mut EntitySet::new()) {
        let mut is = is_complex(arena, &arena.node(expr));
        arena.for_each_operand(expr, |operand| is |= complex.contains(&operand));
        if is {
            complex.insert(expr);
        }
    }
    constraints.iter().partition(|constraint| !complex.contains(constraint))
}

/// Complex constraints made simple under a valuation.
pub struct Simplified {
    pub constraints: Vec<Expr>,
    /// That the operands of what was computed are what they were: without these the result would be unsound (section 3.2).
    pub equalities: Vec<Expr>,
}

pub fn simplify(arena: &mut Arena, constraints: &[Expr], evaluator: &mut Evaluator) -> Simplified {
    let order = post_order(arena, constraints.iter().copied(), &mut EntitySet::new());
    let mut simple: FxHashMap<Expr, Expr> = FxHashMap::default();
    let mut equalities: Vec<Expr> = Vec::new();
    for expr in order {
        let operands = arena.operands(expr);
        let changed: SmallVec<[Expr; 3]> = operands.iter().map(|operand| simple[operand]).collect();
        let node = arena.node(expr);
        if !is_complex(arena, &node) {
            let result = if changed == operands { expr } else { arena.with_operands(expr, &changed) };
            simple.insert(expr, result);
            continue;
        }
        for (operand, changed) in operands.iter().zip(&changed) {
            let value = evaluator.value(arena, *operand);
            let value = arena.constant(&value);
            let equal = arena.compare(Op::Equal, *changed, value);
            if arena.as_word(equal) != Some(1) && !equalities.contains(&equal) {
                equalities.push(equal);
            }
        }
        let value = evaluator.value(arena, expr);
        let value = arena.constant(&value);
        simple.insert(expr, value);
    }
    Simplified { constraints: constraints.iter().map(|constraint| simple[constraint]).collect(), equalities }
}
