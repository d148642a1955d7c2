//! Dropping the nodes that nobody needs any more. Numbers of the others stay; freed ones are given out again.

use cranelift_entity::{EntityRef, EntitySet};

use super::arena::{Arena, FREED};
use super::node::{Expr, Op};

impl Arena {
    /// Frees every node that is not part of one of the roots; returns how many. Variables keep their numbers as long as the
    /// arena lives, so that models stay valid; whoever keeps tables by expression looks at `generation`.
    pub fn collect(&mut self, roots: impl IntoIterator<Item = Expr>) -> usize {
        let (marked, wide, lists) = self.mark(roots);
        self.unique.retain(|expr| marked.contains(*expr));
        let before = self.free.len();
        self.free.clear();
        // Low numbers are taken first.
        for at in (0..self.nodes.len()).rev() {
            let expr = Expr::new(at);
            if !marked.contains(expr) {
                self.nodes[expr] = FREED;
                self.free.push(expr);
            }
        }
        self.wide.retain(&wide);
        self.lists.retain(&lists);
        self.generation += 1;
        self.free.len() - before
    }

    /// The nodes, wide constants and lists that are needed.
    fn mark(&self, roots: impl IntoIterator<Item = Expr>) -> (EntitySet<Expr>, Vec<bool>, Vec<bool>) {
        let mut marked = EntitySet::with_capacity(self.nodes.len());
        let mut wide = vec![false; self.wide.len()];
        let mut lists = vec![false; self.lists.len()];
        let mut pending: Vec<Expr> = roots.into_iter().collect();
        while let Some(expr) = pending.pop() {
            if !marked.insert(expr) {
                continue;
            }
            let node = self.nodes[expr];
            match node.op {
                Op::Constant if node.width > 64 => wide[node.a as usize] = true,
                Op::Table => lists[node.a as usize] = true,
                Op::Call => lists[node.b as usize] = true,
                _ => {}
            }
            self.for_each_operand(expr, |operand| {
                if !marked.contains(operand) {
                    pending.push(operand);
                }
            });
        }
        (marked, wide, lists)
    }

    /// An estimate of the memory that the arena holds.
    pub fn bytes(&self) -> usize {
        let nodes = self.nodes.len() * size_of::<super::Node>() + self.facts.capacity() * size_of::<super::Facts>();
        // A slot of the table is an entry and a byte of its control.
        let table = self.unique.capacity() * (size_of::<Expr>() + 1) + self.free.capacity() * size_of::<Expr>();
        let wide = self.wide.bytes(|bits| if bits.width() > 128 { bits.limbs().len() * 8 } else { 0 });
        let lists = self.lists.bytes(|list| list.len() * size_of::<Expr>());
        let variables = self.variables.len() * (2 * size_of::<super::Variable>() + 8);
        nodes + table + wide + lists + variables
    }
}
