//! What can be told of a constraint by looking through its expression once: whether it can be encoded at all, its variables, and
//! about how many gates it takes.

use symcrete_expr::dag::{Arena, Expr, Op};

pub(super) struct Inspection {
    /// Nothing else is filled in if this is false.
    pub(super) expressible: bool,
    /// Variables, arrays among them, in the order of their numbers.
    pub(super) variables: Box<[Expr]>,
    /// About how many gates it takes.
    pub(super) size: u64,
}

/// Looks through expressions without visiting one twice.
#[derive(Default)]
pub(super) struct Inspector {
    /// The number of the last inspection that saw an expression.
    seen: Vec<u32>,
    inspections: u32,
    stack: Vec<Expr>,
}

impl Inspector {
    pub(super) fn inspect(&mut self, arena: &Arena, root: Expr) -> Inspection {
        self.begin(arena);
        let mut variables = Vec::new();
        let mut size = 0_u64;
        self.push(root);
        while let Some(expr) = self.stack.pop() {
            let node = arena.node(expr);
            match node.op {
                Op::Float(..) | Op::FloatConvert(..) | Op::Call => {
                    self.stack.clear();
                    return Inspection { expressible: false, variables: Box::default(), size: 0 };
                }
                Op::Variable | Op::ArrayVariable => variables.push(expr),
                Op::Constant => continue,
                _ => {}
            }
            size = size.saturating_add(gates(arena, expr));
            for operand in arena.operands(expr) {
                self.push(operand);
            }
        }
        variables.sort_unstable();
        Inspection { expressible: true, variables: variables.into(), size }
    }

    fn begin(&mut self, arena: &Arena) {
        if self.inspections == u32::MAX {
            self.seen.clear();
            self.inspections = 0;
        }
        self.inspections += 1;
        if self.seen.len() < arena.capacity() {
            self.seen.resize(arena.capacity(), 0);
        }
    }

    fn push(&mut self, expr: Expr) {
        let seen = &mut self.seen[expr.as_u32() as usize];
        if *seen != self.inspections {
            *seen = self.inspections;
            self.stack.push(expr);
        }
    }
}

/// Products, quotients and remainders of two values that are not constant.
fn is_hard(arena: &Arena, expr: Expr) -> bool {
    let node = arena.node(expr);
    let constant = |expr: Expr| arena.node(expr).op == Op::Constant;
    match node.op {
        Op::Mul => !constant(node.first()) && !constant(node.second()),
        Op::UDiv | Op::SDiv | Op::URem | Op::SRem => !constant(node.second()),
        _ => false,
    }
}

/// About how many gates a node takes, beside its operands.
pub(super) fn gates(arena: &Arena, expr: Expr) -> u64 {
    let node = arena.node(expr);
    let width = u64::from(node.width);
    match node.op {
        Op::Variable | Op::And | Op::Or | Op::Xor | Op::Ite => width,
        Op::Add | Op::Sub => 2 * width,
        Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem if is_hard(arena, expr) => 2 * width * width,
        Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem => 8 * width,
        Op::Shl | Op::LShr | Op::AShr if arena.node(node.second()).op != Op::Constant => 6 * width,
        Op::Equal | Op::UnsignedLess | Op::UnsignedLessEqual | Op::SignedLess | Op::SignedLessEqual => {
            u64::from(arena.width(node.first()))
        }
        Op::Store | Op::ArrayIte | Op::Select => 2 * width,
        Op::Table => width * arena.elements(expr).len() as u64,
        _ => 0,
    }
}
