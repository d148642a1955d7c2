//! The pending paths of one session, and the strategy that chooses among them. The contract between session and
//! strategies is here.

use std::collections::BTreeMap;

use cranelift_entity::SecondaryMap;

use super::{Branch, Metrics, PathId, Strategy};

/// The contract: a path is added once, or comes into being by a fork; it is pending until it forks or is removed; only
/// pending paths fork, are updated and removed. A selected path stays pending: what became of it is told before the
/// next choice.
pub struct Frontier {
    strategy: Box<dyn Strategy>,
    /// Where each pending path stands in the list of its depth.
    standing: SecondaryMap<PathId, Option<Standing>>,
    by_depth: BTreeMap<u32, Vec<PathId>>,
    pending: usize,
}

#[derive(Copy, Clone)]
struct Standing {
    depth: u32,
    slot: u32,
}

impl Frontier {
    pub fn new(strategy: Box<dyn Strategy>) -> Self {
        Frontier { strategy, standing: SecondaryMap::new(), by_depth: BTreeMap::new(), pending: 0 }
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
        self.by_depth.first_key_value().and_then(|(_, paths)| paths.first().copied())
    }

    /// Up to `count` of the `eligible` paths to put aside when memory is short, the least promising first.
    pub fn least_promising(&self, count: usize, eligible: impl Fn(PathId) -> bool) -> Vec<PathId> {
        self.strategy.ranking().into_iter().filter(|path| eligible(*path)).take(count).collect()
    }

    pub fn len(&self) -> usize {
        self.pending
    }

    pub fn is_empty(&self) -> bool {
        self.pending == 0
    }

    pub fn contains(&self, path: PathId) -> bool {
        self.standing[path].is_some()
    }

    fn enter(&mut self, path: PathId, metrics: &mut dyn Metrics) {
        assert!(!self.contains(path), "{path} is pending already");
        let depth = metrics.depth(path);
        let paths = self.by_depth.entry(depth).or_default();
        self.standing[path] = Some(Standing { depth, slot: paths.len() as u32 });
        paths.push(path);
        self.pending += 1;
    }

    fn leave(&mut self, path: PathId) {
        let standing = self.standing[path].take();
        assert!(standing.is_some(), "{path} is not pending");
        self.pending -= 1;
        let Some(Standing { depth, slot }) = standing else { return };
        let Some(paths) = self.by_depth.get_mut(&depth) else { return };
        paths.swap_remove(slot as usize);
        if let Some(moved) = paths.get(slot as usize) {
            self.standing[*moved] = standing;
        }
        if paths.is_empty() {
            self.by_depth.remove(&depth);
        }
    }
}
