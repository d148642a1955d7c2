//! The pending paths of one explorer, and the strategy that chooses among them. The contract between explorer and
//! strategies is here.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::{Branch, Metrics, PathId, Strategy};

/// The contract: a path is added once, or comes into being by a fork; it is pending until it forks or is removed; only
/// pending paths fork, are updated and removed. A selected path stays pending: what became of it is told before the
/// next choice.
pub struct Frontier {
    strategy: Box<dyn Strategy>,
    depth_of: FxHashMap<PathId, u32>,
    by_depth: BTreeSet<(u32, PathId)>,
}

impl Frontier {
    pub fn new(strategy: Box<dyn Strategy>) -> Self {
        Frontier { strategy, depth_of: FxHashMap::default(), by_depth: BTreeSet::new() }
    }

    /// A path from elsewhere: the first, one that was put aside, one that another worker gave. `history`: its
    /// branches, latest last.
    pub fn add(&mut self, path: PathId, history: &[Branch], metrics: &mut dyn Metrics) {
        self.enter(path, metrics);
        self.strategy.add(path, history, metrics);
    }

    /// A path became several, in the order of their directions; one may go on under its number. None: it has nowhere
    /// to go.
    pub fn fork(&mut self, parent: PathId, children: &[(PathId, Branch)], metrics: &mut dyn Metrics) {
        self.leave(parent);
        children.iter().for_each(|child| self.enter(child.0, metrics));
        self.strategy.fork(parent, children, metrics);
    }

    /// A path ran on without a fork, and is pending again.
    pub fn update(&mut self, path: PathId, metrics: &mut dyn Metrics) {
        debug_assert!(self.contains(path), "{path} is not pending");
        self.strategy.update(path, metrics);
    }

    /// A path ended, or is pending elsewhere.
    pub fn remove(&mut self, path: PathId) {
        self.leave(path);
        self.strategy.remove(path);
    }

    /// The path to run next.
    pub fn select(&mut self, metrics: &mut dyn Metrics) -> Option<PathId> {
        let path = self.strategy.select(metrics)?;
        debug_assert!(self.contains(path), "{path} is not pending");
        self.strategy.chosen(path);
        Some(path)
    }

    /// The path to give to another worker: one with the fewest forks behind it, as most of the tree lies below such.
    pub fn shallowest(&self) -> Option<PathId> {
        self.by_depth.first().map(|(_, path)| *path)
    }

    /// Up to `count` of the `eligible` paths to put aside when memory is short, the least promising first.
    pub fn least_promising(&self, count: usize, eligible: impl Fn(PathId) -> bool) -> Vec<PathId> {
        self.strategy.ranking().into_iter().filter(|path| eligible(*path)).take(count).collect()
    }

    pub fn len(&self) -> usize {
        self.depth_of.len()
    }

    pub fn is_empty(&self) -> bool {
        self.depth_of.is_empty()
    }

    pub fn contains(&self, path: PathId) -> bool {
        self.depth_of.contains_key(&path)
    }

    fn enter(&mut self, path: PathId, metrics: &mut dyn Metrics) {
        let depth = metrics.depth(path);
        let before = self.depth_of.insert(path, depth);
        assert!(before.is_none(), "{path} is pending already");
        self.by_depth.insert((depth, path));
    }

    fn leave(&mut self, path: PathId) {
        let depth = self.depth_of.remove(&path);
        assert!(depth.is_some(), "{path} is not pending");
        depth.map(|depth| self.by_depth.remove(&(depth, path)));
    }
}
