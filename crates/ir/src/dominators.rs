//! Dominator and post-dominator trees, queries on them in constant time, and dominance frontiers.
//!
//! The trees are found with Semi-NCA (Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems", 2005):
//! unlike the fixpoint of Cooper, Harvey and Kennedy it does not become quadratic when a long chain of blocks shares one
//! error exit, as generated C code often does.

use cranelift_entity::EntityRef;

use crate::adjacency::Adjacency;
use crate::{Block, Cfg};

const NONE: u32 = u32::MAX;

/// Which blocks every path from the entry to a block must cross. Unreachable blocks are outside the tree.
#[derive(Clone, Debug)]
pub struct Dominators {
    tree: Tree,
}

impl Dominators {
    pub fn new(cfg: &Cfg) -> Self {
        let (forward, backward) = block_graph(cfg, cfg.block_count());
        Dominators { tree: Tree::new(0, &forward, &backward) }
    }

    /// The closest block other than itself that dominates `block`; none for the entry and for unreachable blocks.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        self.tree.parent_of(block.index()).map(Block::from_u32)
    }

    /// Whether every path from the entry to `block` crosses `by`. An unreachable block is dominated by itself alone.
    #[inline]
    pub fn dominates(&self, by: Block, block: Block) -> bool {
        self.tree.contains(by.index(), block.index())
    }

    pub fn strictly_dominates(&self, by: Block, block: Block) -> bool {
        by != block && self.dominates(by, block)
    }

    /// The blocks that `block` dominates immediately.
    pub fn children(&self, block: Block) -> impl ExactSizeIterator<Item = Block> + '_ {
        self.tree.children.of(block.index()).iter().map(|child| Block::from_u32(*child))
    }

    /// How many blocks dominate `block` strictly.
    pub fn depth(&self, block: Block) -> u32 {
        self.tree.depth[block.index()]
    }

    /// For each block, the joins where its dominance ends.
    pub fn frontiers(&self, cfg: &Cfg) -> Frontiers {
        let (_, backward) = block_graph(cfg, cfg.block_count());
        self.tree.frontiers(&backward)
    }
}

/// Which blocks every path from a block to the end of the function must cross. The tree hangs from a virtual exit that
/// follows every block without successors. From a region that no path leaves (an infinite loop) one block, the last in
/// reverse postorder, counts as leading to the exit too, so that every reachable block is in the tree.
#[derive(Clone, Debug)]
pub struct PostDominators {
    tree: Tree,
    reversed_predecessors: Adjacency<u32>,
    exit: u32,
}

impl PostDominators {
    pub fn new(cfg: &Cfg) -> Self {
        let exit = cfg.block_count();
        let mut leading = reachable_pairs(cfg);
        for block in blocks_before_exit(cfg) {
            leading.push((block.as_u32(), exit as u32));
        }
        let reversed: Vec<(u32, u32)> = leading.iter().map(|(from, to)| (*to, *from)).collect();
        let predecessors = Adjacency::from_pairs(exit + 1, &leading);
        let tree = Tree::new(exit as u32, &Adjacency::from_pairs(exit + 1, &reversed), &predecessors);
        PostDominators { tree, reversed_predecessors: predecessors, exit: exit as u32 }
    }

    /// The closest block other than itself that every path from `block` to the end crosses; none if that is the exit.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        self.tree.parent_of(block.index()).filter(|parent| *parent != self.exit).map(Block::from_u32)
    }

    /// Whether every path from `block` to the end of the function crosses `by`.
    #[inline]
    pub fn post_dominates(&self, by: Block, block: Block) -> bool {
        self.tree.contains(by.index(), block.index())
    }

    /// For each block, the branches that decide whether it runs: its control dependences.
    pub fn frontiers(&self) -> Frontiers {
        self.tree.frontiers(&self.reversed_predecessors)
    }
}

/// The dominance frontier of each block.
#[derive(Clone, Debug)]
pub struct Frontiers {
    lists: Adjacency<u32>,
}

impl Frontiers {
    pub fn of(&self, block: Block) -> impl ExactSizeIterator<Item = Block> + '_ {
        self.lists.of(block.index()).iter().map(|other| Block::from_u32(*other))
    }
}

fn reachable_pairs(cfg: &Cfg) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for block in cfg.reverse_postorder() {
        pairs.extend(cfg.successor_blocks(*block).map(|successor| (block.as_u32(), successor.as_u32())));
    }
    pairs
}

/// The reachable part of the graph, forward and backward.
fn block_graph(cfg: &Cfg, nodes: usize) -> (Adjacency<u32>, Adjacency<u32>) {
    let forward = reachable_pairs(cfg);
    let backward: Vec<(u32, u32)> = forward.iter().map(|(from, to)| (*to, *from)).collect();
    (Adjacency::from_pairs(nodes, &forward), Adjacency::from_pairs(nodes, &backward))
}

/// The blocks that the virtual exit follows.
fn blocks_before_exit(cfg: &Cfg) -> Vec<Block> {
    let mut exits = Vec::new();
    let mut reaches_exit = vec![false; cfg.block_count()];
    let mut work = Vec::new();
    let without_successors = |block: &&Block| cfg.successors(**block).is_empty();
    let natural = cfg.reverse_postorder().iter().filter(without_successors);
    for block in natural.chain(cfg.reverse_postorder().iter().rev()) {
        if std::mem::replace(&mut reaches_exit[block.index()], true) {
            continue;
        }
        exits.push(*block);
        work.push(*block);
        while let Some(reached) = work.pop() {
            for before in cfg.predecessor_blocks(reached) {
                if cfg.is_reachable(before) && !std::mem::replace(&mut reaches_exit[before.index()], true) {
                    work.push(before);
                }
            }
        }
    }
    exits
}

/// A dominator tree over numbered nodes.
#[derive(Clone, Debug)]
struct Tree {
    parent: Vec<u32>,
    children: Adjacency<u32>,
    /// A walk of the tree numbers each node on the way in; its subtree has the numbers `enter..leave`.
    enter: Vec<u32>,
    leave: Vec<u32>,
    depth: Vec<u32>,
}

impl Tree {
    fn new(root: u32, successors: &Adjacency<u32>, predecessors: &Adjacency<u32>) -> Self {
        let nodes = successors.nodes();
        let parent = if nodes == 0 { Vec::new() } else { immediate_dominators(root, successors, predecessors) };
        let pairs: Vec<(u32, u32)> = (0..nodes as u32)
            .filter(|node| parent[*node as usize] != NONE)
            .map(|node| (parent[node as usize], node))
            .collect();
        let mut tree = Tree {
            parent,
            children: Adjacency::from_pairs(nodes, &pairs),
            enter: vec![NONE; nodes],
            leave: vec![NONE; nodes],
            depth: vec![0; nodes],
        };
        tree.number(root);
        tree
    }

    fn number(&mut self, root: u32) {
        if self.parent.is_empty() {
            return;
        }
        let mut clock = 1;
        self.enter[root as usize] = 0;
        let mut path = vec![(root as usize, 0usize)];
        while let Some((node, next)) = path.last_mut() {
            let (node, at) = (*node, *next);
            *next += 1;
            match self.children.of(node).get(at) {
                Some(&child) => {
                    let child = child as usize;
                    self.enter[child] = clock;
                    self.depth[child] = self.depth[node] + 1;
                    clock += 1;
                    path.push((child, 0));
                }
                None => {
                    self.leave[node] = clock;
                    path.pop();
                }
            }
        }
    }

    fn parent_of(&self, node: usize) -> Option<u32> {
        Some(self.parent[node]).filter(|parent| *parent != NONE)
    }

    #[inline]
    fn contains(&self, top: usize, node: usize) -> bool {
        // Outside the tree both numbers are the same, so that no interval holds them.
        top == node || (self.enter[top] <= self.enter[node] && self.enter[node] < self.leave[top])
    }

    /// Climbs from each predecessor of a join to the join's parent (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
    /// Algorithm", section 4).
    fn frontiers(&self, predecessors: &Adjacency<u32>) -> Frontiers {
        let mut pairs = Vec::new();
        let mut last_join = vec![NONE; self.parent.len()];
        for join in 0..self.parent.len() as u32 {
            for &predecessor in predecessors.of(join as usize) {
                let mut runner = predecessor;
                while runner != self.parent[join as usize] && last_join[runner as usize] != join {
                    last_join[runner as usize] = join;
                    pairs.push((runner, join));
                    runner = self.parent[runner as usize];
                    if runner == NONE {
                        break;
                    }
                }
            }
        }
        Frontiers { lists: Adjacency::from_pairs(self.parent.len(), &pairs) }
    }
}

/// Semi-NCA. All vectors but the result are indexed by the number that a depth-first search gives a node.
struct SemiNca {
    /// The parent in the search tree; shortened paths while semidominators are computed.
    ancestor: Vec<u32>,
    semi: Vec<u32>,
    /// The node of least semidominator on the path up to `ancestor`.
    label: Vec<u32>,
    path: Vec<u32>,
}

impl SemiNca {
    /// The node with the least semidominator on the path from `node` up to, not including, the first one below `linked`.
    fn evaluate(&mut self, node: u32, linked: u32) -> u32 {
        let mut top = node;
        while self.ancestor[top as usize] != NONE && self.ancestor[top as usize] >= linked {
            self.path.push(top);
            top = self.ancestor[top as usize];
        }
        let root = self.ancestor[top as usize];
        let mut best = self.label[top as usize];
        while let Some(below) = self.path.pop() {
            let below = below as usize;
            if self.semi[best as usize] < self.semi[self.label[below] as usize] {
                self.label[below] = best;
            }
            best = self.label[below];
            self.ancestor[below] = root;
        }
        self.label[node as usize]
    }
}

/// The immediate dominator of each node; `NONE` for the root and for what it does not reach.
fn immediate_dominators(root: u32, successors: &Adjacency<u32>, predecessors: &Adjacency<u32>) -> Vec<u32> {
    let (node_of, number_of, parents) = depth_first(root, successors);
    let count = node_of.len() as u32;
    let mut dominator = parents.clone();
    let mut search =
        SemiNca { ancestor: parents, semi: (0..count).collect(), label: (0..count).collect(), path: Vec::new() };
    for number in (1..count).rev() {
        let mut semi = number;
        for &predecessor in predecessors.of(node_of[number as usize] as usize) {
            let predecessor = number_of[predecessor as usize];
            if predecessor != NONE {
                let best = search.evaluate(predecessor, number + 1);
                semi = semi.min(search.semi[best as usize]);
            }
        }
        search.semi[number as usize] = semi;
    }
    let mut result = vec![NONE; successors.nodes()];
    for number in 1..count as usize {
        let mut candidate = dominator[number];
        while candidate > search.semi[number] {
            candidate = dominator[candidate as usize];
        }
        dominator[number] = candidate;
        result[node_of[number] as usize] = node_of[candidate as usize];
    }
    result
}

/// Numbers the nodes in the order of a depth-first search: the node of each number, the number of each node, and the
/// number of each number's parent.
fn depth_first(root: u32, successors: &Adjacency<u32>) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let mut node_of = vec![root];
    let mut number_of = vec![NONE; successors.nodes()];
    let mut parents = vec![NONE];
    number_of[root as usize] = 0;
    let mut path = vec![(root as usize, 0usize)];
    while let Some((node, next)) = path.last_mut() {
        let (node, at) = (*node, *next);
        *next += 1;
        match successors.of(node).get(at) {
            Some(&successor) if number_of[successor as usize] == NONE => {
                number_of[successor as usize] = node_of.len() as u32;
                node_of.push(successor);
                parents.push(number_of[node]);
                path.push((successor as usize, 0));
            }
            Some(_) => {}
            None => {
                path.pop();
            }
        }
    }
    (node_of, number_of, parents)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, random_graph_body};

    /// Every block that `by` cuts off from the roots when removed.
    fn cut_off(count: usize, roots: &[usize], edges: &[(usize, usize)], by: usize) -> Vec<bool> {
        let mut seen = vec![false; count];
        let mut work: Vec<usize> = roots.iter().copied().filter(|root| *root != by).collect();
        work.iter().for_each(|root| seen[*root] = true);
        while let Some(node) = work.pop() {
            for (_, to) in edges.iter().filter(|(from, to)| *from == node && *to != by) {
                if !std::mem::replace(&mut seen[*to], true) {
                    work.push(*to);
                }
            }
        }
        seen.iter().map(|reached| !reached).collect()
    }

    #[test]
    fn agrees_with_the_definition_on_random_graphs() {
        let mut random = Random::new(7);
        for _ in 0..400 {
            let body = random_graph_body(&mut random, 14);
            let cfg = Cfg::new(&body);
            let (dominators, post) = (Dominators::new(&cfg), PostDominators::new(&cfg));
            let count = cfg.block_count();
            let reachable = |block: usize| cfg.is_reachable(Block::new(block));
            let edges: Vec<(usize, usize)> = body
                .edges
                .values()
                .map(|edge| (edge.source.index(), edge.target.index()))
                .filter(|(from, _)| reachable(*from))
                .collect();
            let backward: Vec<(usize, usize)> = edges.iter().map(|(from, to)| (*to, *from)).collect();
            let exits: Vec<usize> = blocks_before_exit(&cfg).iter().map(|block| block.index()).collect();
            let frontiers = dominators.frontiers(&cfg);
            for by in 0..count {
                let cut = cut_off(count, &[0], &edges, by);
                let post_cut = cut_off(count, &exits, &backward, by);
                let dominates = |block: usize| dominators.dominates(Block::new(by), Block::new(block));
                for block in 0..count {
                    let both = reachable(by) && reachable(block);
                    assert_eq!(dominates(block), by == block || (both && cut[block]));
                    let expected = by == block || (both && post_cut[block]);
                    assert_eq!(post.post_dominates(Block::new(by), Block::new(block)), expected);
                    let in_frontier = reachable(by)
                        && edges.iter().any(|(from, to)| *to == block && dominates(*from))
                        && (by == block || !dominates(block));
                    assert_eq!(frontiers.of(Block::new(by)).any(|other| other.index() == block), in_frontier);
                }
            }
        }
    }

    #[test]
    fn immediate_dominators_are_the_closest() {
        let mut random = Random::new(11);
        for _ in 0..100 {
            let body = random_graph_body(&mut random, 20);
            let cfg = Cfg::new(&body);
            let dominators = Dominators::new(&cfg);
            for block in cfg.reverse_postorder() {
                let strict: Vec<Block> = cfg
                    .reverse_postorder()
                    .iter()
                    .copied()
                    .filter(|by| dominators.strictly_dominates(*by, *block))
                    .collect();
                assert_eq!(dominators.depth(*block) as usize, strict.len());
                match dominators.immediate(*block) {
                    None => assert!(strict.is_empty()),
                    Some(immediate) => {
                        assert!(strict.iter().all(|by| dominators.dominates(*by, immediate)));
                        assert!(dominators.children(immediate).any(|child| child == *block));
                    }
                }
            }
        }
    }

    #[test]
    fn infinite_loops_have_post_dominators() {
        let body = crate::testing::body_of(
            "function @f(i1) {
             bb0(r0: i1):
               branch r0, bb1, bb2
             bb1:
               jump bb1
             bb2:
               return
             }",
        );
        let post = PostDominators::new(&Cfg::new(&body));
        assert_eq!(post.immediate(Block::from_u32(1)), None);
        assert!(!post.post_dominates(Block::from_u32(2), Block::ENTRY));
        let controlled: Vec<u32> = post.frontiers().of(Block::from_u32(2)).map(|block| block.as_u32()).collect();
        assert_eq!(controlled, [0]);
    }
}
