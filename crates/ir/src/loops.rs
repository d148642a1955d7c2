//! Natural loops: header, latches, blocks, nesting, exits; and the regions that jump into a cycle at several places, which
//! are no natural loops. Says nothing of how often a loop runs.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};

use crate::adjacency::Adjacency;
use crate::components::Components;
use crate::{Block, Cfg, Dominators, EdgeId};

/// A natural loop of a function.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

#[derive(Clone, Debug)]
pub struct Loop {
    /// The only block by which the loop is entered.
    pub header: Block,
    /// The edges back to the header; their sources are the latches.
    pub back_edges: Vec<EdgeId>,
    /// All blocks, those of inner loops included, in reverse postorder: the header first.
    pub blocks: Vec<Block>,
    /// The edges from a block inside to one outside.
    pub exits: Vec<EdgeId>,
    /// The loop around this one.
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
}

/// A cycle without a header that dominates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrreducibleRegion {
    /// By rising number.
    pub blocks: Vec<Block>,
    /// The blocks that are entered from outside the region.
    pub entries: Vec<Block>,
}

#[derive(Clone, Debug)]
pub struct Loops {
    /// Inner loops come after the loops around them.
    pub loops: PrimaryMap<LoopId, Loop>,
    pub irreducible: Vec<IrreducibleRegion>,
    innermost: SecondaryMap<Block, PackedOption<LoopId>>,
}

impl Loops {
    pub fn new(cfg: &Cfg, dominators: &Dominators) -> Self {
        let mut found = Loops {
            loops: PrimaryMap::new(),
            irreducible: irreducible_regions(cfg, dominators),
            innermost: SecondaryMap::new(),
        };
        // Reverse postorder meets an outer header before an inner one, so what is written last is the innermost loop.
        for header in cfg.reverse_postorder() {
            let is_back_edge = |edge: &&EdgeId| {
                let source = cfg.source(**edge);
                cfg.is_reachable(source) && dominators.dominates(*header, source)
            };
            let back_edges: Vec<EdgeId> = cfg.predecessors(*header).iter().filter(is_back_edge).copied().collect();
            if !back_edges.is_empty() {
                found.add(cfg, *header, back_edges);
            }
        }
        found
    }

    fn add(&mut self, cfg: &Cfg, header: Block, back_edges: Vec<EdgeId>) {
        let parent = self.innermost[header].expand();
        let depth = parent.map_or(1, |parent| self.loops[parent].depth + 1);
        let id = self.loops.next_key();
        let mut blocks = vec![header];
        self.innermost[header] = id.into();
        let mut work: Vec<Block> = back_edges.iter().map(|edge| cfg.source(*edge)).collect();
        while let Some(block) = work.pop() {
            if self.innermost[block].expand() != Some(id) {
                self.innermost[block] = id.into();
                blocks.push(block);
                work.extend(cfg.predecessor_blocks(block).filter(|before| cfg.is_reachable(*before)));
            }
        }
        blocks.sort_by_key(|block| cfg.position(*block));
        let leaves = |edge: &&EdgeId| self.innermost[cfg.target(**edge)].expand() != Some(id);
        let exits = blocks.iter().flat_map(|block| cfg.successors(*block).iter().filter(leaves)).copied().collect();
        self.loops.push(Loop { header, back_edges, blocks, exits, parent, depth });
    }

    /// The innermost loop that a block is in.
    pub fn innermost(&self, block: Block) -> Option<LoopId> {
        self.innermost[block].expand()
    }

    /// How many loops a block is in.
    pub fn depth(&self, block: Block) -> u32 {
        self.innermost(block).map_or(0, |id| self.loops[id].depth)
    }

    pub fn contains(&self, id: LoopId, block: Block) -> bool {
        let around = |inner: &LoopId| self.loops[*inner].parent;
        std::iter::successors(self.innermost(block), around).any(|around| around == id)
    }

    /// Whether an edge leads back to the header of a loop that it is in.
    pub fn is_back_edge(&self, cfg: &Cfg, edge: EdgeId) -> bool {
        let target = cfg.target(edge);
        self.innermost(target).is_some_and(|id| self.loops[id].header == target && self.contains(id, cfg.source(edge)))
    }
}

/// A graph is reducible if no cycle is left without its back edges; the cycles that are left are the regions.
fn irreducible_regions(cfg: &Cfg, dominators: &Dominators) -> Vec<IrreducibleRegion> {
    let mut forward = Vec::new();
    for block in cfg.reverse_postorder() {
        for successor in cfg.successor_blocks(*block) {
            if !dominators.dominates(successor, *block) {
                forward.push((block.as_u32(), successor.as_u32()));
            }
        }
    }
    let goes_forward =
        |(from, to): &(u32, u32)| cfg.position(Block::from_u32(*from)) < cfg.position(Block::from_u32(*to));
    if forward.iter().all(goes_forward) {
        return Vec::new();
    }
    let components = Components::of(&Adjacency::from_pairs(cfg.block_count(), &forward));
    let mut regions = Vec::new();
    for component in (0..components.members.nodes()).rev() {
        let members = components.members.of(component);
        if members.len() < 2 {
            continue;
        }
        let from_outside = |block: &Block| {
            let outside = |before: Block| components.of_node[before.index()] as usize != component;
            cfg.predecessor_blocks(*block).any(|before| cfg.is_reachable(before) && outside(before))
        };
        let blocks: Vec<Block> = members.iter().map(|member| Block::from_u32(*member)).collect();
        let entries = blocks.iter().copied().filter(from_outside).collect();
        regions.push(IrreducibleRegion { blocks, entries });
    }
    regions.sort_by_key(|region| region.blocks[0]);
    regions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, body_of, random_graph_body};

    fn loops_of(text: &str) -> (Cfg, Loops) {
        let cfg = Cfg::new(&body_of(text));
        let loops = Loops::new(&cfg, &Dominators::new(&cfg));
        (cfg, loops)
    }

    fn numbers(blocks: &[Block]) -> Vec<u32> {
        blocks.iter().map(|block| block.as_u32()).collect()
    }

    #[test]
    fn nested_loops() {
        let (cfg, loops) = loops_of(
            "function @f(i1) {
             bb0(r0: i1):
               jump bb1
             bb1:
               jump bb2
             bb2:
               branch r0, bb2, bb3
             bb3:
               branch r0, bb1, bb4
             bb4:
               return
             }",
        );
        assert_eq!(loops.loops.len(), 2);
        let (outer, inner) = (LoopId(0), LoopId(1));
        assert_eq!(numbers(&loops.loops[outer].blocks), [1, 2, 3]);
        assert_eq!(numbers(&loops.loops[inner].blocks), [2]);
        assert_eq!(loops.loops[inner].parent, Some(outer));
        assert_eq!(loops.depth(Block::from_u32(2)), 2);
        assert_eq!(loops.depth(Block::from_u32(4)), 0);
        assert!(loops.contains(outer, Block::from_u32(2)) && !loops.contains(inner, Block::from_u32(3)));
        let exit_targets: Vec<u32> = loops.loops[outer].exits.iter().map(|edge| cfg.target(*edge).as_u32()).collect();
        assert_eq!(exit_targets, [4]);
        assert!(loops.is_back_edge(&cfg, loops.loops[inner].back_edges[0]));
        assert!(loops.irreducible.is_empty());
    }

    #[test]
    fn a_cycle_with_two_entries_is_irreducible() {
        let (_, loops) = loops_of(
            "function @f(i1) {
             bb0(r0: i1):
               branch r0, bb1, bb2
             bb1:
               jump bb2
             bb2:
               branch r0, bb1, bb3
             bb3:
               return
             }",
        );
        assert!(loops.loops.is_empty());
        assert_eq!(loops.irreducible.len(), 1);
        assert_eq!(numbers(&loops.irreducible[0].blocks), [1, 2]);
        assert_eq!(numbers(&loops.irreducible[0].entries), [1, 2]);
    }

    #[test]
    fn headers_dominate_their_loops_and_exits_leave_them() {
        let mut random = Random::new(3);
        for _ in 0..300 {
            let cfg = Cfg::new(&random_graph_body(&mut random, 16));
            let dominators = Dominators::new(&cfg);
            let loops = Loops::new(&cfg, &dominators);
            for (id, natural) in loops.loops.iter() {
                assert!(natural.blocks.iter().all(|block| dominators.dominates(natural.header, *block)));
                assert!(natural.blocks.iter().all(|block| loops.contains(id, *block)));
                assert!(natural.exits.iter().all(|edge| !loops.contains(id, cfg.target(*edge))));
                assert!(natural.back_edges.iter().all(|edge| loops.is_back_edge(&cfg, *edge)));
                if let Some(parent) = natural.parent {
                    assert!(natural.blocks.iter().all(|block| loops.loops[parent].blocks.contains(block)));
                }
            }
            for region in &loops.irreducible {
                assert!(region.entries.len() >= 2);
            }
        }
    }
}
