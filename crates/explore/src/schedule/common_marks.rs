//! What all workers covered together. When they tell each other is in `workers`.

use rustc_hash::FxHashSet;
use symcrete_exec::coverage::{Coverage, Mark};

/// Marks of all workers, in the order of their coming.
#[derive(Default)]
pub(crate) struct CommonMarks {
    list: Vec<Mark>,
    listed: FxHashSet<Mark>,
}

/// What a worker and all others together know of each other's marks.
#[derive(Default)]
pub(crate) struct Acquaintance {
    /// How many of the common marks the worker has.
    common: usize,
    /// How many marks the worker had when all of them were common.
    own: u64,
}

impl CommonMarks {
    /// Afterwards both have all marks of both.
    pub fn exchange(&mut self, coverage: &Coverage, known: &mut Acquaintance) {
        if coverage.marks() != known.own {
            for mark in coverage.marked() {
                if self.listed.insert(mark) {
                    self.list.push(mark);
                }
            }
        }
        coverage.merge(self.list[known.common..].iter().copied());
        *known = Acquaintance { common: self.list.len(), own: coverage.marks() };
    }

    pub fn marks(&self) -> &[Mark] {
        &self.list
    }
}
