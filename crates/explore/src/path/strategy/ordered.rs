//! Depth-first and breadth-first search: paths by age. Of the children of one fork, the last counts as the latest.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Branch, Metrics, PathId, Strategy};

/// Runs the path at one end of the line. A path that runs on without a fork keeps its place.
pub struct Ordered {
    latest_first: bool,
    line: BTreeMap<u64, PathId>,
    place_of: FxHashMap<PathId, u64>,
    next: u64,
}

impl Ordered {
    pub fn depth_first() -> Self {
        Self::new(true)
    }

    pub fn breadth_first() -> Self {
        Self::new(false)
    }

    fn new(latest_first: bool) -> Self {
        Ordered { latest_first, line: BTreeMap::new(), place_of: FxHashMap::default(), next: 0 }
    }

    fn push(&mut self, path: PathId) {
        self.line.insert(self.next, path);
        self.place_of.insert(path, self.next);
        self.next += 1;
    }
}

impl Strategy for Ordered {
    fn add(&mut self, path: PathId, _history: &[Branch], _metrics: &mut dyn Metrics) {
        self.push(path);
    }

    fn fork(&mut self, parent: PathId, children: &[(PathId, Branch)], _metrics: &mut dyn Metrics) {
        self.remove(parent);
        children.iter().for_each(|child| self.push(child.0));
    }

    fn remove(&mut self, path: PathId) {
        if let Some(place) = self.place_of.remove(&path) {
            self.line.remove(&place);
        }
    }

    fn select(&mut self, _metrics: &mut dyn Metrics) -> Option<PathId> {
        let end = if self.latest_first { self.line.last_key_value() } else { self.line.first_key_value() };
        end.map(|(_, path)| *path)
    }

    fn ranking(&self) -> Vec<PathId> {
        let oldest_first = self.line.values().copied();
        if self.latest_first { oldest_first.collect() } else { oldest_first.rev().collect() }
    }
}
