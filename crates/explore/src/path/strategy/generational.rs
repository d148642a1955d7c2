//! The generational search of SAGE (Godefroid, Levin and Molnar, 2008): all that a run leaves pending is one generation, and the generation
//! of the run that covered most comes first. Within it, the earliest comes first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Branch, Metrics, PathId, Strategy};

type Standing = (Reverse<u64>, u64);

#[derive(Default)]
pub struct Generational {
    line: BTreeMap<Standing, PathId>,
    place_of: FxHashMap<PathId, Standing>,
    next: u64,
}

impl Generational {
    fn push(&mut self, path: PathId, metrics: &mut dyn Metrics) {
        let standing = (Reverse(metrics.gain(path)), self.next);
        self.line.insert(standing, path);
        self.place_of.insert(path, standing);
        self.next += 1;
    }
}

impl Strategy for Generational {
    fn add(&mut self, path: PathId, _history: &[Branch], metrics: &mut dyn Metrics) {
        self.push(path, metrics);
    }

    fn fork(&mut self, parent: PathId, children: &[(PathId, Branch)], metrics: &mut dyn Metrics) {
        self.remove(parent);
        children.iter().for_each(|child| self.push(child.0, metrics));
    }

    fn remove(&mut self, path: PathId) {
        if let Some(standing) = self.place_of.remove(&path) {
            self.line.remove(&standing);
        }
    }

    fn select(&mut self, _metrics: &mut dyn Metrics) -> Option<PathId> {
        self.line.first_key_value().map(|(_, path)| *path)
    }

    fn ranking(&self) -> Vec<PathId> {
        self.line.values().rev().copied().collect()
    }
}
