//! Several strategies that choose in turns. Each sees everything that happens to pending paths, whoever chose them.

use rustc_hash::FxHashMap;

use super::{Branch, Metrics, PathId, Strategy};

pub struct Interleaved {
    members: Vec<Box<dyn Strategy>>,
    turn: usize,
}

impl Interleaved {
    /// The first member chooses first. There is at least one.
    pub fn new(members: Vec<Box<dyn Strategy>>) -> Self {
        assert!(!members.is_empty(), "nobody to choose");
        Interleaved { members, turn: 0 }
    }
}

impl Strategy for Interleaved {
    fn add(&mut self, path: PathId, history: &[Branch], metrics: &mut dyn Metrics) {
        self.members.iter_mut().for_each(|member| member.add(path, history, metrics));
    }

    fn fork(&mut self, parent: PathId, children: &[(PathId, Branch)], metrics: &mut dyn Metrics) {
        self.members.iter_mut().for_each(|member| member.fork(parent, children, metrics));
    }

    fn update(&mut self, path: PathId, metrics: &mut dyn Metrics) {
        self.members.iter_mut().for_each(|member| member.update(path, metrics));
    }

    fn remove(&mut self, path: PathId) {
        self.members.iter_mut().for_each(|member| member.remove(path));
    }

    fn select(&mut self, metrics: &mut dyn Metrics) -> Option<PathId> {
        let member = self.turn;
        self.turn = (self.turn + 1) % self.members.len();
        self.members[member].select(metrics)
    }

    fn chosen(&mut self, path: PathId) {
        self.members.iter_mut().for_each(|member| member.chosen(path));
    }

    /// By the sum of the places that a path has with the members.
    fn ranking(&self) -> Vec<PathId> {
        let mut places: FxHashMap<PathId, u64> = FxHashMap::default();
        for member in &self.members {
            for (place, path) in (0..).zip(member.ranking()) {
                *places.entry(path).or_default() += place;
            }
        }
        let mut paths: Vec<(u64, PathId)> = places.into_iter().map(|(path, place)| (place, path)).collect();
        paths.sort_unstable();
        paths.into_iter().map(|(_, path)| path).collect()
    }
}
