//! What was answered before: exact results by the set of constraints, sets known to be contradictory, and sets known to have a model.
//! Keys are sorted lists of expressions. Everything here is bounded, and forgets in an order that does not depend on hashes.

use std::collections::VecDeque;
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use symcrete_expr::{Expr, Model};

use super::config::Config;
use crate::answer::Reason;

/// What is remembered of a set of constraints.
#[derive(Clone)]
pub(super) enum Known {
    Sat(Rc<Model>),
    Unsat,
    /// Nobody could tell with this much effort.
    Unknown(Reason, u64),
}

/// A map that forgets: when the younger half is full, it becomes the older half, and what was that is gone.
struct Forgetful<K, V> {
    young: FxHashMap<K, V>,
    old: FxHashMap<K, V>,
    /// What the younger half holds, and may hold.
    size: usize,
    half: usize,
}

impl<K: Hash + Eq, V> Forgetful<K, V> {
    fn new(capacity: usize) -> Self {
        Forgetful { young: FxHashMap::default(), old: FxHashMap::default(), size: 0, half: capacity / 2 }
    }

    fn insert(&mut self, key: K, value: V, size: usize) {
        if self.half == 0 {
            return;
        }
        if self.size + size > self.half {
            self.old = std::mem::take(&mut self.young);
            self.size = 0;
        }
        self.size += size;
        self.young.insert(key, value);
    }
}

/// Answers by the exact set of constraints.
pub(super) struct ExactResults {
    results: Forgetful<Box<[Expr]>, Known>,
}

impl ExactResults {
    pub fn get(&mut self, key: &[Expr]) -> Option<Known> {
        if let Some(known) = self.results.young.get(key) {
            return Some(known.clone());
        }
        let known = self.results.old.get(key)?.clone();
        self.insert(key, known.clone());
        Some(known)
    }

    pub fn insert(&mut self, key: &[Expr], known: Known) {
        // A model has about as many variables as there are constraints.
        self.results.insert(key.into(), known, key.len());
    }
}

/// Sets of constraints that contradict each other: any larger set does too.
pub(super) struct Contradictions {
    /// By the largest expression of the set, which is the newest and so the rarest.
    sets: Forgetful<Expr, SmallVec<[Rc<[Expr]>; 1]>>,
}

impl Contradictions {
    /// Whether a part of the set is a known contradiction.
    pub fn refutes(&self, key: &[Expr]) -> bool {
        let within = |set: &Rc<[Expr]>| is_subset(set, key);
        let known = |expr: &Expr| {
            let young = self.sets.young.get(expr).is_some_and(|sets| sets.iter().any(within));
            young || self.sets.old.get(expr).is_some_and(|sets| sets.iter().any(within))
        };
        key.iter().rev().any(known)
    }

    pub fn insert(&mut self, key: &[Expr]) {
        let Some(last) = key.last() else { return };
        let mut sets = self.sets.young.get(last).cloned().unwrap_or_default();
        /// How many sets with the same largest expression are worth looking through.
        const MOST: usize = 32;
        if sets.len() >= MOST {
            sets.remove(0);
        }
        sets.push(key.into());
        self.sets.insert(*last, sets, key.len());
    }
}

/// Sets of constraints with a model of theirs: it is a model of any smaller set.
pub(super) struct Satisfied {
    entries: VecDeque<(Box<[Expr]>, Rc<Model>)>,
    /// The number of the first entry; entries are numbered from the beginning of time.
    first: u64,
    /// The entries that each expression is in, oldest first.
    containing: FxHashMap<Expr, VecDeque<u64>>,
    /// Of all sets together.
    size: usize,
    capacity: usize,
}

impl Satisfied {
    /// The model of a set that contains this one.
    pub fn model(&self, key: &[Expr]) -> Option<Rc<Model>> {
        let lists: Option<Vec<&VecDeque<u64>>> = key.iter().map(|expr| self.containing.get(expr)).collect();
        let shortest = lists?.into_iter().min_by_key(|list| list.len())?;
        let entry = |number: &u64| &self.entries[(number - self.first) as usize];
        let found = shortest.iter().rev().map(entry).find(|(larger, _)| is_subset(key, larger));
        found.map(|(_, model)| model.clone())
    }

    pub fn insert(&mut self, key: &[Expr], model: &Rc<Model>) {
        if key.len() > self.capacity {
            return;
        }
        self.size += key.len();
        while self.size > self.capacity {
            self.forget_oldest();
        }
        let number = self.first + self.entries.len() as u64;
        for expr in key {
            self.containing.entry(*expr).or_default().push_back(number);
        }
        self.entries.push_back((key.into(), model.clone()));
    }

    fn forget_oldest(&mut self) {
        let Some((key, _)) = self.entries.pop_front() else { return };
        self.first += 1;
        self.size -= key.len();
        for expr in &key {
            if let Some(list) = self.containing.get_mut(expr) {
                list.pop_front();
                if list.is_empty() {
                    self.containing.remove(expr);
                }
            }
        }
    }
}

/// All that is keyed by expressions, to be dropped at once when their numbers change.
pub(super) struct Caches {
    pub exact: ExactResults,
    pub contradictions: Contradictions,
    pub satisfied: Satisfied,
}

impl Caches {
    pub fn new(config: &Config) -> Caches {
        Caches {
            exact: ExactResults { results: Forgetful::new(config.exact_results) },
            contradictions: Contradictions { sets: Forgetful::new(config.contradictions) },
            satisfied: Satisfied {
                entries: VecDeque::new(),
                first: 0,
                containing: FxHashMap::default(),
                size: 0,
                capacity: config.satisfied_sets,
            },
        }
    }
}

/// Whether all of a sorted list is in another one.
fn is_subset(small: &[Expr], large: &[Expr]) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut rest = large.iter();
    small.iter().all(|wanted| rest.by_ref().find(|found| *found >= wanted) == Some(wanted))
}
