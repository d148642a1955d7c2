//! Walks over the DAG that do not recurse, and rebuilding parts of it.

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::arena::{Arena, FunctionId};
use super::node::{Expr, Node, Op};

/// Every part of the roots that is not in `seen`, operands before what is made of them; adds them to `seen`.
pub fn post_order(arena: &Arena, roots: impl IntoIterator<Item = Expr>, seen: &mut EntitySet<Expr>) -> Vec<Expr> {
    let mut order = Vec::new();
    // Marked are those whose operands are on the list above them.
    let mut pending: Vec<(Expr, bool)> = Vec::new();
    for root in roots {
        pending.push((root, false));
        while let Some((expr, opened)) = pending.pop() {
            if opened {
                order.push(expr);
            } else if seen.insert(expr) {
                pending.push((expr, true));
                let from = pending.len();
                arena.for_each_operand(expr, |operand| {
                    if !seen.contains(operand) {
                        pending.push((operand, false));
                    }
                });
                pending[from..].reverse();
            }
        }
    }
    order
}

impl Arena {
    /// The same operation on other operands, as many as it has; simplified.
    pub fn with_operands(&mut self, expr: Expr, operands: &[Expr]) -> Expr {
        let node = self.node(expr);
        match node.op {
            Op::Constant | Op::Variable | Op::ArrayVariable => expr,
            _ => self.rebuilt(node, operands),
        }
    }

    fn rebuilt(&mut self, node: Node, operands: &[Expr]) -> Expr {
        match (node.op, operands) {
            (Op::Table, _) => self.table(node.c, node.width, operands),
            (Op::Call, _) => self.call(FunctionId::from_u32(node.a), node.width, operands),
            (Op::Float(operation, kind, rounding), _) => self.float(operation, kind, rounding, node.width, operands),
            (Op::FloatConvert(from, to, rounding), [a]) => self.float_convert(from, to, rounding, *a),
            (Op::Not, [a]) => self.not(*a),
            (Op::Extract, [a]) => self.extract(*a, node.b, node.width),
            (Op::ZeroExtend, [a]) => self.zero_extend(*a, node.width),
            (Op::SignExtend, [a]) => self.sign_extend(*a, node.width),
            (Op::Concat, [a, b]) => self.concat(*a, *b),
            (Op::Select, [a, b]) => self.select(*a, *b),
            (Op::Ite | Op::ArrayIte, [condition, a, b]) => self.ite(*condition, *a, *b),
            (Op::Store, [array, index, element]) => self.store(*array, *index, *element),
            (op, [a, b]) if op.is_comparison() => self.compare(op, *a, *b),
            (op, [a, b]) => self.binary(op, *a, *b),
            (op, _) => unreachable!("{op:?} does not take {} operands", operands.len()),
        }
    }
}

/// An expression of one arena in another, where some of its parts are known; adds what it made to those. `None` if a variable is not
/// among them.
pub fn transplant(from: &Arena, to: &mut Arena, expr: Expr, known: &mut FxHashMap<Expr, Expr>) -> Option<Expr> {
    for part in post_order(from, [expr], &mut EntitySet::new()) {
        if known.contains_key(&part) {
            continue;
        }
        let mut node = from.node(part);
        let made = match node.op {
            Op::Variable | Op::ArrayVariable => continue,
            Op::Constant => to.constant(&from.as_constant(part)?),
            op => {
                // Of what depends on a variable that nobody knows, nothing can be made.
                let operands: Option<SmallVec<[Expr; 3]>> =
                    from.operands(part).iter().map(|operand| known.get(operand).copied()).collect();
                let Some(operands) = operands else { continue };
                if op == Op::Call {
                    node.a = to.adopt(from, FunctionId::from_u32(node.a)).as_u32();
                }
                to.rebuilt(node, &operands)
            }
        };
        known.insert(part, made);
    }
    known.get(&expr).copied()
}

/// The expression with parts replaced, wherever they occur, and simplified anew. What replaces is not searched again.
pub fn substitute(arena: &mut Arena, expr: Expr, replacements: &FxHashMap<Expr, Expr>) -> Expr {
    substitute_next(arena, expr, &mut replacements.clone())
}

/// The same for one of several expressions: `results` holds what replaces, and what became of the parts of those before.
pub fn substitute_next(arena: &mut Arena, expr: Expr, results: &mut FxHashMap<Expr, Expr>) -> Expr {
    let mut pending = vec![expr];
    while let Some(&next) = pending.last() {
        if results.contains_key(&next) {
            pending.pop();
            continue;
        }
        let operands = arena.operands(next);
        let missing = pending.len();
        pending.extend(operands.iter().filter(|operand| !results.contains_key(operand)));
        if pending.len() > missing {
            continue;
        }
        let changed: SmallVec<[Expr; 3]> = operands.iter().map(|operand| results[operand]).collect();
        let result = if changed == operands { next } else { arena.with_operands(next, &changed) };
        results.insert(next, result);
        pending.pop();
    }
    results[&expr]
}
