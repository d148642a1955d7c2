//! Random choice by weight: uniform, and KLEE's non-uniform random searchers (OSDI'08, section 3.4, and its
//! documentation).

use rustc_hash::FxHashMap;

use super::roster::Roster;
use super::{Branch, Metrics, PathId, Random, Strategy, Weight};

/// Chooses each path with a probability proportional to its weight.
///
/// Weights change while paths are pending, whenever others execute or cover code. They are looked up again only for
/// the path that was drawn: since such weights only fall, accepting the drawn path with the probability `new / old`,
/// and drawing again otherwise with the new weight in place, chooses exactly as if all weights had been new. No path
/// is refused twice in one choice.
pub struct Weighted {
    weigh: Weigh,
    paths: Roster<PathId, Weight>,
    slot_of: FxHashMap<PathId, u32>,
    random: Random,
}

type Weigh = fn(PathId, &mut dyn Metrics) -> Weight;

impl Weighted {
    pub fn new(weigh: Weigh, random: Random) -> Self {
        Weighted { weigh, paths: Roster::new(), slot_of: FxHashMap::default(), random }
    }

    fn push(&mut self, path: PathId, metrics: &mut dyn Metrics) {
        let slot = self.paths.push(path, (self.weigh)(path, metrics));
        self.slot_of.insert(path, slot);
    }
}

impl Strategy for Weighted {
    fn add(&mut self, path: PathId, _history: &[Branch], metrics: &mut dyn Metrics) {
        self.push(path, metrics);
    }

    fn fork(&mut self, parent: PathId, children: &[(PathId, Branch)], metrics: &mut dyn Metrics) {
        self.remove(parent);
        children.iter().for_each(|child| self.push(child.0, metrics));
    }

    fn update(&mut self, path: PathId, metrics: &mut dyn Metrics) {
        if let Some(slot) = self.slot_of.get(&path) {
            self.paths.set(*slot, (self.weigh)(path, metrics));
        }
    }

    fn remove(&mut self, path: PathId) {
        if let Some(slot) = self.slot_of.remove(&path)
            && let Some(moved) = self.paths.remove(slot)
        {
            self.slot_of.insert(moved, slot);
        }
    }

    fn select(&mut self, metrics: &mut dyn Metrics) -> Option<PathId> {
        loop {
            let slot = self.paths.descend(|left, right| {
                // Relative to the larger half, so that neither is lost for its size alone.
                let larger = if left < right { right } else { left };
                let (left, right) = (left.relative_to(larger), right.relative_to(larger));
                self.random.fraction() * (left + right) >= left
            })?;
            let path = self.paths.items()[slot as usize];
            let (old, new) = (self.paths.summary(slot), (self.weigh)(path, metrics));
            if new == old {
                return Some(path);
            }
            self.paths.set(slot, new);
            if self.random.fraction() < new.relative_to(old) {
                return Some(path);
            }
        }
    }

    fn ranking(&self) -> Vec<PathId> {
        let mut paths: Vec<(Weight, PathId)> =
            (0..).zip(self.paths.items()).map(|(slot, path)| (self.paths.summary(slot), *path)).collect();
        paths.sort_unstable_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal).then(a.1.cmp(&b.1)));
        paths.into_iter().map(|(_, path)| path).collect()
    }
}

/// All alike.
pub(super) fn equal(_path: PathId, _metrics: &mut dyn Metrics) -> Weight {
    Weight::ONE
}

/// Each fork halves the weight. (KLEE's `depth` at the time of the subpath paper; later versions call it `rp`.)
pub(super) fn depth(path: PathId, metrics: &mut dyn Metrics) -> Weight {
    Weight::halved(metrics.depth(path))
}

/// The square of one over how often the path's instruction was executed.
pub(super) fn instruction_count(path: PathId, metrics: &mut dyn Metrics) -> Weight {
    Weight::new(inverse_square(metrics.visits(path)))
}

/// One over what its queries cost.
pub(super) fn query_cost(path: PathId, metrics: &mut dyn Metrics) -> Weight {
    Weight::new(1.0 / metrics.query_cost(path).max(1) as f64)
}

/// The square of one over the distance to uncovered code.
pub(super) fn distance(path: PathId, metrics: &mut dyn Metrics) -> Weight {
    Weight::new(closeness(path, metrics))
}

/// The same, and the square of one over the time since the path last covered something new, after a while of grace.
pub(super) fn covering_new(path: PathId, metrics: &mut dyn Metrics) -> Weight {
    /// Instructions that a path has to use what it found.
    const GRACE: u64 = 1000;
    let recency = metrics.since_new(path).map_or(0.0, |since| inverse_square(since.saturating_sub(GRACE)));
    Weight::new(recency + closeness(path, metrics))
}

fn closeness(path: PathId, metrics: &mut dyn Metrics) -> f64 {
    /// A path that can reach nothing new on its own may still be the only one left.
    const OUT_OF_REACH: u64 = 10_000;
    inverse_square(metrics.distance_to_uncovered(path).map_or(OUT_OF_REACH, u64::from))
}

fn inverse_square(value: u64) -> f64 {
    let inverse = 1.0 / value.max(1) as f64;
    inverse * inverse
}
