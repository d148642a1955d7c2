//! A list whose entries carry summaries, with the joined summary of any half of it at hand: choosing an entry by its
//! share of the whole, changing one and removing one take logarithmic time.

use smallvec::{SmallVec, smallvec};

use super::effort;

/// What is known of some entries together.
pub(super) trait Summary: Copy {
    const NOTHING: Self;
    fn join(self, other: Self) -> Self;
}

/// The order of entries is that in which they came, until a removal moves the last one into the gap.
#[derive(Clone, Debug)]
pub(super) struct Roster<T, S> {
    items: SmallVec<[T; 1]>,
    /// A complete binary tree: node 1 is the root, the children of `n` are `2n` and `2n + 1`, the second half are the
    /// entries'.
    nodes: SmallVec<[S; 2]>,
}

impl<T: Copy, S: Summary> Roster<T, S> {
    pub(super) fn new() -> Self {
        Roster { items: SmallVec::new(), nodes: SmallVec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn items(&self) -> &[T] {
        &self.items
    }

    pub(super) fn summary(&self, slot: u32) -> S {
        self.nodes[self.leaves() + slot as usize]
    }

    /// The summary of all entries.
    pub(super) fn total(&self) -> S {
        self.nodes.get(1).copied().unwrap_or(S::NOTHING)
    }

    /// Returns where the new entry stands.
    pub(super) fn push(&mut self, item: T, summary: S) -> u32 {
        let slot = self.items.len();
        self.items.push(item);
        if self.items.len() > self.leaves() {
            self.resize((2 * self.leaves()).max(1));
        }
        self.set(slot as u32, summary);
        slot as u32
    }

    pub(super) fn set(&mut self, slot: u32, summary: S) {
        let mut node = self.leaves() + slot as usize;
        self.nodes[node] = summary;
        while node > 1 {
            effort::step();
            node /= 2;
            self.nodes[node] = self.nodes[2 * node].join(self.nodes[2 * node + 1]);
        }
    }

    /// Removes an entry. Returns the one that stands there now, if another one moved.
    pub(super) fn remove(&mut self, slot: u32) -> Option<T> {
        let last = self.items.len() as u32 - 1;
        let last_summary = self.summary(last);
        self.set(last, S::NOTHING);
        self.items.swap_remove(slot as usize);
        if slot != last {
            self.set(slot, last_summary);
        }
        // A quarter, not a half, so that a list which comes and goes does not resize each time.
        if self.items.len() <= self.leaves() / 4 {
            self.resize(self.leaves() / 2);
        }
        self.items.get(slot as usize).copied()
    }

    /// Goes down from the root to an entry; `right` is shown both halves and says whether to go on in the second.
    pub(super) fn descend(&self, mut right: impl FnMut(S, S) -> bool) -> Option<u32> {
        if self.items.is_empty() {
            return None;
        }
        let mut node = 1;
        while node < self.leaves() {
            effort::step();
            let (left, other) = (self.nodes[2 * node], self.nodes[2 * node + 1]);
            node = 2 * node + usize::from(right(left, other));
        }
        Some((node - self.leaves()) as u32)
    }

    fn leaves(&self) -> usize {
        self.nodes.len() / 2
    }

    fn resize(&mut self, leaves: usize) {
        let old = std::mem::take(&mut self.nodes);
        if self.items.is_empty() {
            return;
        }
        let kept = (old.len() / 2).min(leaves);
        self.nodes = smallvec![S::NOTHING; 2 * leaves];
        self.nodes[leaves..leaves + kept].copy_from_slice(&old[old.len() / 2..old.len() / 2 + kept]);
        for node in (1..leaves).rev() {
            self.nodes[node] = self.nodes[2 * node].join(self.nodes[2 * node + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::path::strategy::Random;

    impl Summary for u64 {
        const NOTHING: u64 = 0;

        fn join(self, other: u64) -> u64 {
            self + other
        }
    }

    fn at(roster: &Roster<u32, u64>, mut share: u64) -> Option<u32> {
        roster.descend(|left, _| {
            let right = share >= left;
            share -= if right { left } else { 0 };
            right
        })
    }

    #[test]
    fn any_sequence_of_changes_agrees_with_a_list() {
        let mut random = Random::new(3);
        for _ in 0..20 {
            let (mut roster, mut list) = (Roster::new(), Vec::<(u32, u64)>::new());
            let target = 1 + random.below(200);
            for number in 0..600 {
                let weight = random.below(5);
                let shrink = random.below(2 * target) < list.len() as u64;
                match random.below(3) {
                    0 if !list.is_empty() => {
                        let slot = random.below(list.len() as u64) as usize;
                        list[slot].1 = weight;
                        roster.set(slot as u32, weight);
                    }
                    _ if shrink => {
                        let slot = random.below(list.len() as u64) as usize;
                        list.swap_remove(slot);
                        assert_eq!(roster.remove(slot as u32), list.get(slot).map(|entry| entry.0));
                    }
                    _ => {
                        assert_eq!(roster.push(number, weight) as usize, list.len());
                        list.push((number, weight));
                    }
                }
                assert_eq!(roster.items(), list.iter().map(|entry| entry.0).collect::<Vec<_>>());
                let total: u64 = list.iter().map(|entry| entry.1).sum();
                assert_eq!(roster.total(), total);
                if total > 0 {
                    let share = random.below(total);
                    let mut before = 0;
                    let expected = list.iter().position(|entry| {
                        before += entry.1;
                        share < before
                    });
                    assert_eq!(at(&roster, share).unwrap() as usize, expected.unwrap());
                }
            }
            while roster.len() > 0 {
                roster.remove(0);
            }
            assert!(roster.nodes.is_empty() && at(&roster, 0).is_none());
        }
    }
}
