//! Simplification by run-time values (section 3.2 of the paper on lazy expansion): where a condition goes beyond linear integer arithmetic,
//! the symbolic evaluator falls back on what the run computed. What is solved afterwards is simpler, and no longer says all.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use symcrete_expr::dag::{Evaluator, Op, post_order};
use symcrete_expr::{Arena, Expr, Model};

/// The condition with the values of a run in place of all that is not linear.
pub fn by_values(arena: &mut Arena, model: &Rc<Model>, condition: Expr) -> Expr {
    let mut evaluator = Evaluator::new(model.clone());
    let mut simple: FxHashMap<Expr, Expr> = FxHashMap::default();
    for expr in post_order(arena, [condition], &mut Default::default()) {
        let operands: Vec<Expr> = arena.operands(expr).iter().map(|operand| simple[operand]).collect();
        let is_linear = is_linear(arena, expr, &operands);
        let kept = match is_linear {
            true => arena.with_operands(expr, &operands),
            false => {
                let value = evaluator.value(arena, expr);
                arena.constant(&value)
            }
        };
        simple.insert(expr, kept);
    }
    simple[&condition]
}

/// Whether a linear solver knows the operation, if its operands are these.
fn is_linear(arena: &Arena, expr: Expr, operands: &[Expr]) -> bool {
    let is_constant = |expr: &Expr| arena.as_constant(*expr).is_some();
    let node = arena.node(expr);
    match node.op {
        // A product with a constant, in whichever order.
        Op::Mul => operands.iter().any(is_constant),
        Op::UDiv | Op::SDiv | Op::URem | Op::SRem => operands.iter().all(is_constant),
        Op::Shl | Op::LShr | Op::AShr | Op::Select => operands.get(1).is_some_and(is_constant),
        // Bits of conditions are logic, bits of numbers are not linear unless a constant masks them.
        Op::And | Op::Or | Op::Xor => node.width == 1 || operands.iter().any(is_constant),
        Op::Call | Op::Float(..) | Op::FloatConvert(..) => false,
        _ => true,
    }
}
