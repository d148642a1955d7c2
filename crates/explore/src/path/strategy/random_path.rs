//! Random path selection (KLEE, OSDI'08, section 3.4): from the root of the execution tree, a random way at each fork,
//! down to a pending path. Paths high in the tree are favoured, and a loop that forks without end gets no more than
//! its subtree's share.

use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Branch, Metrics, PathId, Random, Strategy, effort};

/// Only forks with two or more live ways are in the tree: dead subtrees are cut off, and a fork with one way left
/// gives its place to that way, which changes no probability. So the tree has fewer forks than pending paths, however
/// deep the program went; and as a path at level `n` is met with probability `2^-n` or less, the expected way down is
/// no longer than the logarithm of their number.
pub struct RandomPath {
    nodes: PrimaryMap<Node, NodeData>,
    free: Vec<Node>,
    leaf_of: FxHashMap<PathId, Node>,
    random: Random,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct Node(u32);
entity_impl!(Node, "node");

struct NodeData {
    parent: Node,
    /// Which child of its parent.
    position: u32,
    kind: Kind,
}

enum Kind {
    Pending(PathId),
    Fork(SmallVec<[Node; 2]>),
}

const _: () = assert!(size_of::<NodeData>() <= 40);

/// Never cut off; its children are the paths that came from elsewhere.
const ROOT: Node = Node(0);

impl RandomPath {
    pub fn new(random: Random) -> Self {
        let mut nodes = PrimaryMap::new();
        nodes.push(NodeData { parent: ROOT, position: 0, kind: Kind::Fork(SmallVec::new()) });
        RandomPath { nodes, free: Vec::new(), leaf_of: FxHashMap::default(), random }
    }

    fn children(&mut self, fork: Node) -> &mut SmallVec<[Node; 2]> {
        match &mut self.nodes[fork].kind {
            Kind::Fork(children) => children,
            Kind::Pending(_) => unreachable!("a pending path has no children"),
        }
    }

    fn push(&mut self, parent: Node, path: PathId) {
        let position = self.children(parent).len() as u32;
        let leaf = NodeData { parent, position, kind: Kind::Pending(path) };
        let node = match self.free.pop() {
            Some(node) => {
                self.nodes[node] = leaf;
                node
            }
            None => self.nodes.push(leaf),
        };
        self.children(parent).push(node);
        self.leaf_of.insert(path, node);
    }

    fn cut_off(&mut self, leaf: Node) {
        let NodeData { parent, position, .. } = self.nodes[leaf];
        self.free.push(leaf);
        let siblings = self.children(parent);
        siblings.swap_remove(position as usize);
        let (moved, only) = (siblings.get(position as usize).copied(), siblings.len() == 1);
        if let Some(moved) = moved {
            self.nodes[moved].position = position;
        }
        if only && parent != ROOT {
            self.give_place(parent);
        }
    }

    /// Replaces a fork by its only child.
    fn give_place(&mut self, fork: Node) {
        let heir = self.children(fork)[0];
        let NodeData { parent, position, .. } = self.nodes[fork];
        self.children(parent)[position as usize] = heir;
        (self.nodes[heir].parent, self.nodes[heir].position) = (parent, position);
        self.nodes[fork].kind = Kind::Fork(SmallVec::new());
        self.free.push(fork);
    }
}

impl Strategy for RandomPath {
    fn add(&mut self, path: PathId, _history: &[Branch], _metrics: &mut dyn Metrics) {
        self.push(ROOT, path);
    }

    fn fork(&mut self, parent: PathId, children: &[(PathId, Branch)], _metrics: &mut dyn Metrics) {
        let Some(node) = self.leaf_of.remove(&parent) else { return };
        match children {
            [] => self.cut_off(node),
            [(only, _)] => {
                self.nodes[node].kind = Kind::Pending(*only);
                self.leaf_of.insert(*only, node);
            }
            _ => {
                self.nodes[node].kind = Kind::Fork(SmallVec::with_capacity(children.len()));
                children.iter().for_each(|child| self.push(node, child.0));
            }
        }
    }

    fn remove(&mut self, path: PathId) {
        if let Some(leaf) = self.leaf_of.remove(&path) {
            self.cut_off(leaf);
        }
    }

    fn select(&mut self, _metrics: &mut dyn Metrics) -> Option<PathId> {
        let mut node = ROOT;
        loop {
            effort::step();
            match &self.nodes[node].kind {
                Kind::Pending(path) => return Some(*path),
                Kind::Fork(children) if children.is_empty() => return None,
                Kind::Fork(children) => node = children[self.random.below(children.len() as u64) as usize],
            }
        }
    }

    /// The deepest in the tree first.
    fn ranking(&self) -> Vec<PathId> {
        let (mut leaves, mut work) = (Vec::with_capacity(self.leaf_of.len()), vec![(ROOT, 0u32)]);
        while let Some((node, level)) = work.pop() {
            match &self.nodes[node].kind {
                Kind::Pending(path) => leaves.push((std::cmp::Reverse(level), *path)),
                Kind::Fork(children) => work.extend(children.iter().map(|child| (*child, level + 1))),
            }
        }
        leaves.sort_unstable();
        leaves.into_iter().map(|(_, path)| path).collect()
    }
}

#[cfg(test)]
impl RandomPath {
    /// How many nodes the tree has, for tests of its size.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.len() - self.free.len()
    }
}
