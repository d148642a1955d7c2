//! What is certain of calls that decision procedures leave open: the same arguments give the same result, and for arguments that are at hand, the
//! result is what the function gives. Both hold whatever the query is, so that what contradicts them has no solution.

use cranelift_entity::EntitySet;
use symcrete_expr::dag::{Evaluator, Op, post_order};
use symcrete_expr::{Arena, Expr};

/// Calls of a query of which all is said; of more, nothing.
const MOST_CALLS: usize = 12;

/// The calls of a query; none if they are too many.
pub fn calls(arena: &Arena, constraints: &[Expr]) -> Vec<Expr> {
    let order = post_order(arena, constraints.iter().copied(), &mut EntitySet::new());
    let calls: Vec<Expr> = order.into_iter().filter(|expr| arena.node(*expr).op == Op::Call).collect();
    if calls.len() > MOST_CALLS { Vec::new() } else { calls }
}

/// Of each two calls of a function: if the arguments are the same, so are the results.
pub fn congruence(arena: &mut Arena, calls: &[Expr]) -> Vec<Expr> {
    let mut lemmas = Vec::new();
    for (at, one) in calls.iter().enumerate() {
        for other in &calls[at + 1..] {
            let (a, b) = (arena.node(*one), arena.node(*other));
            if (a.a, a.width, a.c) != (b.a, b.width, b.c) {
                continue;
            }
            let pairs: Vec<(Expr, Expr)> =
                arena.operands(*one).iter().copied().zip(arena.operands(*other).iter().copied()).collect();
            if pairs.iter().any(|(a, b)| arena.width(*a) != arena.width(*b)) {
                continue;
            }
            lemmas.push(implies_same(arena, &pairs, (*one, *other)));
        }
    }
    lemmas
}

/// What each call gives for the arguments that it has under an assignment.
pub fn points(arena: &mut Arena, evaluator: &mut Evaluator, calls: &[Expr]) -> Vec<Expr> {
    let mut lemmas = Vec::new();
    for call in calls {
        let operands = arena.operands(*call);
        let mut pairs = Vec::new();
        for operand in operands {
            let value = evaluator.value(arena, operand);
            pairs.push((operand, arena.constant(&value)));
        }
        let result = evaluator.value(arena, *call);
        let result = arena.constant(&result);
        lemmas.push(implies_same(arena, &pairs, (*call, result)));
    }
    lemmas
}

fn implies_same(arena: &mut Arena, pairs: &[(Expr, Expr)], results: (Expr, Expr)) -> Expr {
    let mut differs = arena.boolean(false);
    for (a, b) in pairs {
        let same = arena.compare(Op::Equal, *a, *b);
        let other = arena.not(same);
        differs = arena.binary(Op::Or, differs, other);
    }
    let same = arena.compare(Op::Equal, results.0, results.1);
    arena.binary(Op::Or, differs, same)
}
