//! Things of any size that nodes refer to by a number: wide constants and lists of expressions, each kept once. When they are
//! dropped is decided in `collect`.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};

pub(super) struct Pool<T> {
    items: Vec<T>,
    index: HashTable<u32>,
    free: Vec<u32>,
    /// What stands in a slot that is not used.
    placeholder: T,
}

fn hash<Q: Hash + ?Sized>(item: &Q) -> u64 {
    FxBuildHasher.hash_one(item)
}

impl<T: Clone> Pool<T> {
    pub fn new(placeholder: T) -> Pool<T> {
        Pool { items: Vec::new(), index: HashTable::new(), free: Vec::new(), placeholder }
    }

    #[inline]
    pub fn get(&self, at: u32) -> &T {
        &self.items[at as usize]
    }

    /// The number of the item, new or known.
    pub fn intern<Q>(&mut self, item: &Q, make: impl FnOnce(&Q) -> T) -> u32
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let items = &self.items;
        let hash_of = hash(item);
        if let Some(found) = self.index.find(hash_of, |at| items[*at as usize].borrow() == item) {
            return *found;
        }
        let at = match self.free.pop() {
            Some(at) => {
                self.items[at as usize] = make(item);
                at
            }
            None => {
                self.items.push(make(item));
                (self.items.len() - 1) as u32
            }
        };
        let items = &self.items;
        self.index.insert_unique(hash_of, at, |at| hash(items[*at as usize].borrow()));
        at
    }

    /// Drops every item whose number is not marked.
    pub fn retain(&mut self, used: &[bool]) {
        let is_used = |at: u32| used.get(at as usize).copied().unwrap_or(false);
        self.index.retain(|at| is_used(*at));
        self.free.clear();
        // Low numbers are taken first.
        for at in (0..self.items.len() as u32).rev().filter(|at| !is_used(*at)) {
            self.items[at as usize] = self.placeholder.clone();
            self.free.push(at);
        }
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Memory of the pool itself and, by `size`, of what its items point to.
    pub fn bytes(&self, size: impl Fn(&T) -> usize) -> usize {
        let own = self.items.capacity() * size_of::<T>() + self.index.capacity() * 5 + self.free.capacity() * 4;
        own + self.items.iter().map(size).sum::<usize>()
    }
}
