//! Decides which blocks get a parameter for which variable: where values of different stores meet and are still read.
//!
//! Joins are found as in Sreedhar and Gao, "A Linear Time Algorithm for Placing Phi-Nodes" (POPL 1995): from the deepest
//! store upwards, edges that leave a dominator subtree end in a join. The walk keeps to blocks where the variable is live,
//! so that a variable costs no more than the part of the function it lives in.

use std::collections::BinaryHeap;

use cranelift_entity::EntityRef;

use super::candidates::{Slot, Slots};
use crate::adjacency::Adjacency;
use crate::{Block, Body, Cfg, Dominators, Inst};

/// Blocks visited and arguments added for one function, at most: a share for each piece of the function, and some more for
/// small ones. Real code stays far below; variables beyond it stay in memory, so that no input makes promotion quadratic.
const WORK_PER_PIECE: usize = 256;
const WORK_FOR_ALL: usize = 1 << 20;

pub(super) struct Placement {
    params: Adjacency<Slot>,
}

impl Placement {
    /// The variables that get a parameter of a block, in the order of these parameters.
    pub(super) fn of(&self, block: Block) -> &[Slot] {
        self.params.of(block.index())
    }
}

/// Excludes the variables for which the work would be out of proportion.
pub(super) fn place(body: &Body, cfg: &Cfg, dominators: &Dominators, slots: &mut Slots) -> Placement {
    let accesses = Accesses::gather(body, cfg, slots);
    let blocks = cfg.block_count();
    let insts: usize = body.blocks.values().map(|data| data.insts.len()).sum();
    let mut search = Search {
        cfg,
        dominators,
        budget: WORK_FOR_ALL + WORK_PER_PIECE * (blocks + body.edges.len() + insts),
        live: vec![0; blocks],
        stores: vec![0; blocks],
        placed: vec![0; blocks],
        visited: vec![0; blocks],
        stamp: 0,
        work: Vec::new(),
    };
    let mut pairs = Vec::new();
    for slot in slots.keys() {
        let (stores, reads) = (accesses.stores.of(slot.index()), accesses.early_reads.of(slot.index()));
        if stores.is_empty() || reads.is_empty() {
            continue;
        }
        match search.joins(stores, reads) {
            Some(joins) => pairs.extend(joins.into_iter().map(|block| (block.as_u32(), slot))),
            None => slots.exclude(slot),
        }
    }
    Placement { params: Adjacency::from_pairs(blocks, &pairs) }
}

/// The reachable blocks that store to each variable, and those that read it before they store to it.
struct Accesses {
    stores: Adjacency<Block>,
    early_reads: Adjacency<Block>,
}

impl Accesses {
    fn gather(body: &Body, cfg: &Cfg, slots: &Slots) -> Self {
        let (mut stores, mut early_reads) = (Vec::new(), Vec::new());
        let mut last_store = vec![None; slots.len()];
        let mut last_read = vec![None; slots.len()];
        for &block in cfg.reverse_postorder() {
            for inst in &body.blocks[block].insts {
                match *inst {
                    Inst::Load { address, .. } => {
                        if let Some(slot) = slots.at(address)
                            && last_store[slot.index()] != Some(block)
                            && last_read[slot.index()].replace(block) != Some(block)
                        {
                            early_reads.push((slot.as_u32(), block));
                        }
                    }
                    Inst::Store { address, .. } => {
                        if let Some(slot) = slots.at(address)
                            && last_store[slot.index()].replace(block) != Some(block)
                        {
                            stores.push((slot.as_u32(), block));
                        }
                    }
                    _ => {}
                }
            }
        }
        Accesses {
            stores: Adjacency::from_pairs(slots.len(), &stores),
            early_reads: Adjacency::from_pairs(slots.len(), &early_reads),
        }
    }
}

/// Sets of blocks, emptied by raising the stamp.
struct Search<'a> {
    cfg: &'a Cfg,
    dominators: &'a Dominators,
    budget: usize,
    /// The variable is read before it is stored to, from the start of the block on.
    live: Vec<u32>,
    stores: Vec<u32>,
    placed: Vec<u32>,
    visited: Vec<u32>,
    stamp: u32,
    work: Vec<Block>,
}

impl Search<'_> {
    /// The blocks that need a parameter for a variable; `None` if the budget is spent.
    fn joins(&mut self, stores: &[Block], early_reads: &[Block]) -> Option<Vec<Block>> {
        self.stamp += 1;
        stores.iter().for_each(|block| self.stores[block.index()] = self.stamp);
        self.find_live(early_reads)?;
        let mut joins = Vec::new();
        let mut roots: BinaryHeap<(u32, Block)> =
            stores.iter().map(|block| (self.dominators.depth(*block), *block)).collect();
        while let Some((depth, root)) = roots.pop() {
            let found = joins.len();
            self.leave_subtree(depth, root, &mut joins)?;
            for join in &joins[found..] {
                if self.stores[join.index()] != self.stamp {
                    roots.push((self.dominators.depth(*join), *join));
                }
            }
        }
        Some(joins)
    }

    fn spend(&mut self, work: usize) -> Option<()> {
        self.budget = self.budget.checked_sub(work)?;
        Some(())
    }

    fn find_live(&mut self, early_reads: &[Block]) -> Option<()> {
        early_reads.iter().for_each(|block| self.live[block.index()] = self.stamp);
        self.work.clear();
        self.work.extend_from_slice(early_reads);
        let cfg = self.cfg;
        while let Some(block) = self.work.pop() {
            self.spend(1 + cfg.predecessors(block).len())?;
            for before in cfg.predecessor_blocks(block) {
                let (stored, live) = (self.stores[before.index()], &mut self.live[before.index()]);
                if cfg.is_reachable(before) && stored != self.stamp && *live != self.stamp {
                    *live = self.stamp;
                    self.work.push(before);
                }
            }
        }
        Some(())
    }

    /// Adds the live joins where edges from below `root` lead out of its subtree.
    fn leave_subtree(&mut self, depth: u32, root: Block, joins: &mut Vec<Block>) -> Option<()> {
        let (cfg, dominators) = (self.cfg, self.dominators);
        self.visited[root.index()] = self.stamp;
        self.work.clear();
        self.work.push(root);
        while let Some(block) = self.work.pop() {
            self.spend(1 + cfg.successors(block).len() + dominators.children(block).len())?;
            for target in cfg.successor_blocks(block) {
                let at = target.index();
                if dominators.depth(target) <= depth && self.live[at] == self.stamp && self.placed[at] != self.stamp {
                    self.placed[at] = self.stamp;
                    joins.push(target);
                    self.spend(1 + cfg.predecessors(target).len())?;
                }
            }
            for child in dominators.children(block) {
                // Where the variable is dead on entry, the value of `root` goes no further.
                if self.live[child.index()] == self.stamp && self.visited[child.index()] != self.stamp {
                    self.visited[child.index()] = self.stamp;
                    self.work.push(child);
                }
            }
        }
        Some(())
    }
}
