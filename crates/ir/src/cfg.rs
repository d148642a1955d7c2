//! The control-flow graph of a body as lists of edges: successors, predecessors, reverse postorder, reachability.
//! Dominance is in `dominators`, loops in `loops`.

use cranelift_entity::EntityRef;

use crate::adjacency::Adjacency;
use crate::{Block, Body, EdgeId, Terminator};

/// The shape of a body at the time it was made. Changing instructions keeps it valid, changing edges does not.
#[derive(Clone, Debug)]
pub struct Cfg {
    successors: Adjacency<EdgeId>,
    predecessors: Adjacency<EdgeId>,
    reverse_postorder: Vec<Block>,
    /// The position of each block in the reverse postorder.
    position: Vec<u32>,
    ends: Vec<(Block, Block)>,
}

const UNREACHABLE: u32 = u32::MAX;

impl Cfg {
    /// Edges and their targets must be in range (`verify` sees to it); a body without blocks has an empty graph.
    pub fn new(body: &Body) -> Self {
        let blocks = body.blocks.len();
        let ends: Vec<(Block, Block)> = body.edges.values().map(|edge| (edge.source, edge.target)).collect();
        let mut seen = vec![false; ends.len()];
        let (mut leaving, mut entering) = (Vec::new(), Vec::new());
        for block in body.blocks.keys() {
            body.visit_successors(block, |edge| {
                // Several cases of a switch may share an edge; it counts once.
                if !std::mem::replace(&mut seen[edge.index()], true) {
                    leaving.push((block.as_u32(), edge));
                    entering.push((ends[edge.index()].1.as_u32(), edge));
                }
            });
        }
        let mut cfg = Cfg {
            successors: Adjacency::from_pairs(blocks, &leaving),
            predecessors: Adjacency::from_pairs(blocks, &entering),
            reverse_postorder: Vec::with_capacity(blocks),
            position: vec![UNREACHABLE; blocks],
            ends,
        };
        cfg.order();
        cfg
    }

    fn order(&mut self) {
        if self.position.is_empty() {
            return;
        }
        let mut seen = vec![false; self.position.len()];
        seen[Block::ENTRY.index()] = true;
        let mut path = vec![(Block::ENTRY, 0usize)];
        while let Some((block, next)) = path.last_mut() {
            let (block, at) = (*block, *next);
            *next += 1;
            match self.successors(block).get(at) {
                Some(edge) => {
                    let target = self.target(*edge);
                    if !std::mem::replace(&mut seen[target.index()], true) {
                        path.push((target, 0));
                    }
                }
                None => {
                    self.reverse_postorder.push(block);
                    path.pop();
                }
            }
        }
        self.reverse_postorder.reverse();
        for (at, block) in self.reverse_postorder.iter().enumerate() {
            self.position[block.index()] = at as u32;
        }
    }

    /// The edges that leave a block, each once, in the order of its terminator.
    #[inline]
    pub fn successors(&self, block: Block) -> &[EdgeId] {
        self.successors.of(block.index())
    }

    /// The edges that enter a block, those from unreachable blocks included.
    #[inline]
    pub fn predecessors(&self, block: Block) -> &[EdgeId] {
        self.predecessors.of(block.index())
    }

    pub fn source(&self, edge: EdgeId) -> Block {
        self.ends[edge.index()].0
    }

    pub fn target(&self, edge: EdgeId) -> Block {
        self.ends[edge.index()].1
    }

    pub fn successor_blocks(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        self.successors(block).iter().map(|edge| self.target(*edge))
    }

    pub fn predecessor_blocks(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        self.predecessors(block).iter().map(|edge| self.source(*edge))
    }

    /// How many blocks the body has, unreachable ones included.
    pub fn block_count(&self) -> usize {
        self.position.len()
    }

    /// The reachable blocks, each after all that dominate it.
    pub fn reverse_postorder(&self) -> &[Block] {
        &self.reverse_postorder
    }

    /// Where a block stands in the reverse postorder, if it is reachable.
    pub fn position(&self, block: Block) -> Option<u32> {
        Some(self.position[block.index()]).filter(|at| *at != UNREACHABLE)
    }

    pub fn is_reachable(&self, block: Block) -> bool {
        self.position[block.index()] != UNREACHABLE
    }
}

impl Body {
    /// Calls `visit` on each edge that leaves a block, as `successors` lists them, without building the list.
    pub fn visit_successors(&self, block: Block, mut visit: impl FnMut(EdgeId)) {
        match &self.blocks[block].terminator {
            Terminator::Jump(edge) => visit(*edge),
            Terminator::Branch { if_true, if_false, .. } => {
                visit(*if_true);
                visit(*if_false);
            }
            Terminator::Switch { table, .. } => {
                let table = &self.switches[*table];
                table.cases.iter().for_each(|case| visit(case.1));
                visit(table.default);
            }
            Terminator::IndirectJump { targets, .. } => targets.iter().for_each(|edge| visit(*edge)),
            Terminator::Invoke { normal, unwind, .. } => {
                visit(*normal);
                visit(*unwind);
            }
            Terminator::Unsupported { successors, .. } => successors.iter().for_each(|edge| visit(*edge)),
            Terminator::Return(_) | Terminator::Resume(_) | Terminator::Unreachable => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::body_of;

    #[test]
    fn order_and_reachability() {
        let body = body_of(
            "function @f(i1) {
             bb0(r0: i1):
               branch r0, bb2, bb1
             bb1:
               jump bb3
             bb2:
               jump bb3
             bb3:
               return
             bb4:
               jump bb3
             }",
        );
        let cfg = Cfg::new(&body);
        assert_eq!(cfg.reverse_postorder().len(), 4);
        assert_eq!(cfg.reverse_postorder()[0], Block::ENTRY);
        assert_eq!(cfg.reverse_postorder()[3], Block::from_u32(3));
        assert!(!cfg.is_reachable(Block::from_u32(4)));
        assert_eq!(cfg.position(Block::from_u32(4)), None);
        assert_eq!(cfg.predecessors(Block::from_u32(3)).len(), 3);
        assert_eq!(cfg.successor_blocks(Block::ENTRY).map(|b| b.as_u32()).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn a_shared_edge_counts_once() {
        let body = body_of(
            "function @f(i32) {
             bb0(r0: i32):
               switch i32 r0 [1 | 2 => bb1, 3 => bb2] default bb2
             bb1:
               return
             bb2:
               return
             }",
        );
        let cfg = Cfg::new(&body);
        assert_eq!(cfg.successors(Block::ENTRY).len(), 3);
        assert_eq!(cfg.predecessors(Block::from_u32(1)).len(), 1);
        assert_eq!(cfg.predecessors(Block::from_u32(2)).len(), 2);
    }
}
