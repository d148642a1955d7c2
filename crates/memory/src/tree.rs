//! A persistent ordered map from granule numbers to values: a B+tree whose nodes are shared between copies and copied
//! on the way down to a change. Knows nothing of memory.
//!
//! Copying a tree is two reference counts. A change after that copies one node for each level, a few hundred bytes
//! each; a change to nodes that nobody else holds copies nothing. Keys mostly arrive in ascending order and often
//! leave again soon (locals of a function), so the leaf with the greatest keys is kept beside the tree.

use std::rc::Rc;

use crate::row::{Entries, Row};
use crate::walk::Walker;

/// Entries in a leaf and in a branch. Small, because a node is what a change copies after a fork.
const LEAF: usize = 8;
const BRANCH: usize = 16;

type Leaf<V> = Row<V, LEAF>;

/// The key of a child is no greater than any key in it, and greater than any key in the child before it. No child is
/// empty. All leaves are at the same depth.
type Branch<V> = Row<Node<V>, BRANCH>;

enum Node<V> {
    Leaf(Rc<Leaf<V>>),
    Branch(Rc<Branch<V>>),
}

impl<V> Clone for Node<V> {
    fn clone(&self) -> Self {
        match self {
            Node::Leaf(leaf) => Node::Leaf(leaf.clone()),
            Node::Branch(branch) => Node::Branch(branch.clone()),
        }
    }
}

/// What does not fit into a node any more: a node to stand to its right, and the key there.
type Overflow<V> = Option<(u32, Node<V>)>;

pub struct Tree<V> {
    root: Option<Node<V>>,
    /// The leaf with the greatest keys. May be empty.
    tail: Option<Rc<Leaf<V>>>,
    /// All keys in `tail` are at least this, all others are less.
    tail_from: u32,
}

impl<V> Clone for Tree<V> {
    fn clone(&self) -> Self {
        Tree { root: self.root.clone(), tail: self.tail.clone(), tail_from: self.tail_from }
    }
}

impl<V> Default for Tree<V> {
    fn default() -> Self {
        Tree { root: None, tail: None, tail_from: 0 }
    }
}

impl<V> Tree<V> {
    /// The entry with the greatest key that is no greater than `key`.
    #[inline]
    pub fn floor(&self, key: u32) -> Option<(u32, &V)> {
        if key >= self.tail_from
            && let Some(found) = self.tail.as_ref().and_then(|tail| tail.floor(key))
        {
            return Some(found);
        }
        self.root.as_ref()?.floor(key)
    }

    pub fn get(&self, key: u32) -> Option<&V> {
        self.floor(key).filter(|(found, _)| *found == key).map(|(_, value)| value)
    }

    /// All entries with keys of at least `from`, in order.
    pub fn iter_from(&self, from: u32) -> Iter<'_, V> {
        let mut iter = Iter { row: Entries::default(), branches: Vec::new(), tail: Entries::default() };
        if let Some(tail) = &self.tail {
            iter.tail = Entries::from(tail, from);
        }
        if let Some(root) = &self.root {
            iter.descend(root, from);
        }
        iter
    }

    pub fn iter(&self) -> Iter<'_, V> {
        self.iter_from(0)
    }

    /// Hands every value to `each`, except those in nodes that the walker does not enter.
    pub fn walk<W: Walker>(&self, walker: &mut W, each: &mut impl FnMut(&mut W, &V)) {
        self.root.iter().for_each(|root| root.walk(walker, each));
        self.tail.iter().for_each(|tail| walk_leaf(tail, walker, each));
    }
}

fn walk_leaf<V, W: Walker>(leaf: &Rc<Leaf<V>>, walker: &mut W, each: &mut impl FnMut(&mut W, &V)) {
    if walker.enter(leaf) {
        leaf.items.iter().flatten().for_each(|value| each(walker, value));
    }
}

impl<V> Node<V> {
    fn floor(&self, key: u32) -> Option<(u32, &V)> {
        let mut node = self;
        // Where to go on if everything in the child that `key` belongs to is greater than `key`.
        let mut left_neighbour: Option<&Node<V>> = None;
        loop {
            match node {
                Node::Branch(branch) => {
                    let at = branch.child(key);
                    if at > 0 {
                        left_neighbour = branch.items[at - 1].as_ref();
                    }
                    node = branch.items[at].as_ref()?;
                }
                Node::Leaf(leaf) => return leaf.floor(key).or_else(|| left_neighbour?.last()),
            }
        }
    }

    fn last(&self) -> Option<(u32, &V)> {
        let mut node = self;
        loop {
            match node {
                Node::Branch(branch) => node = branch.last()?.1,
                Node::Leaf(leaf) => return leaf.last(),
            }
        }
    }

    fn walk<W: Walker>(&self, walker: &mut W, each: &mut impl FnMut(&mut W, &V)) {
        match self {
            Node::Leaf(leaf) => walk_leaf(leaf, walker, each),
            Node::Branch(branch) => {
                if walker.enter(branch) {
                    branch.items.iter().flatten().for_each(|child| child.walk(walker, each));
                }
            }
        }
    }

    fn length(&self) -> usize {
        match self {
            Node::Leaf(leaf) => leaf.length,
            Node::Branch(branch) => branch.length,
        }
    }
}

impl<V: Clone> Tree<V> {
    /// The value with exactly this key, in nodes that no other tree shares.
    pub fn get_mut(&mut self, key: u32) -> Option<&mut V> {
        if key >= self.tail_from {
            let tail = self.tail.as_mut()?;
            let at = tail.position(key)?;
            return Rc::make_mut(tail).items[at].as_mut();
        }
        let mut node = self.root.as_mut()?;
        loop {
            match node {
                Node::Branch(branch) => {
                    let branch = Rc::make_mut(branch);
                    let at = branch.child(key);
                    node = branch.items[at].as_mut()?;
                }
                Node::Leaf(leaf) => {
                    let at = leaf.position(key)?;
                    return Rc::make_mut(leaf).items[at].as_mut();
                }
            }
        }
    }

    /// The key must be new.
    pub fn insert(&mut self, key: u32, value: V) {
        if key < self.tail_from {
            self.insert_below(|root| root.insert(key, value));
            return;
        }
        let tail = self.tail.get_or_insert_with(|| Rc::new(Row::new()));
        if tail.length < LEAF {
            let at = tail.count_up_to(key);
            Rc::make_mut(tail).insert(at, key, value);
            return;
        }
        let full = std::mem::replace(tail, Rc::new(Row::new()));
        let (first, last) = (full.keys[0], full.keys[LEAF - 1]);
        self.tail_from = last + 1;
        match &self.root {
            None => self.root = Some(Node::Leaf(full)),
            Some(_) => self.insert_below(|root| root.push_leaf(first, full)),
        }
        self.insert(key, value);
    }

    /// Does something to the root that may make it overflow; the root must exist.
    fn insert_below(&mut self, change: impl FnOnce(&mut Node<V>) -> Overflow<V>) {
        let root = self.root.get_or_insert_with(|| Node::Leaf(Rc::new(Row::new())));
        if let Some((key, right)) = change(root) {
            let mut branch = Row::new();
            branch.insert(0, 0, root.clone());
            branch.insert(1, key, right);
            *root = Node::Branch(Rc::new(branch));
        }
    }

    pub fn remove(&mut self, key: u32) -> Option<V> {
        if key >= self.tail_from {
            let tail = self.tail.as_mut()?;
            let at = tail.position(key)?;
            return Rc::make_mut(tail).remove(at);
        }
        // Looked up first, so that a miss copies nothing.
        self.get(key)?;
        let root = self.root.as_mut()?;
        let value = root.remove(key);
        if root.length() == 0 {
            self.root = None;
        } else if let Node::Branch(branch) = root
            && branch.length == 1
        {
            self.root = branch.items[0].clone();
        }
        value
    }
}

impl<V: Clone> Node<V> {
    fn insert(&mut self, key: u32, value: V) -> Overflow<V> {
        match self {
            Node::Leaf(leaf) => {
                let leaf = Rc::make_mut(leaf);
                let right = leaf.insert_or_split(leaf.count_up_to(key), key, value)?;
                Some((right.keys[0], Node::Leaf(Rc::new(right))))
            }
            Node::Branch(branch) => {
                let branch = Rc::make_mut(branch);
                let at = branch.child(key);
                branch.keys[0] = branch.keys[0].min(key);
                let (key, node) = branch.items[at].as_mut()?.insert(key, value)?;
                branch_overflow(branch, at + 1, key, node)
            }
        }
    }

    /// Adds a leaf whose keys, from `key` on, are greater than all that are here.
    fn push_leaf(&mut self, key: u32, leaf: Rc<Leaf<V>>) -> Overflow<V> {
        match self {
            Node::Leaf(_) => Some((key, Node::Leaf(leaf))),
            Node::Branch(branch) => {
                let branch = Rc::make_mut(branch);
                let at = branch.length;
                let (key, node) = branch.items[at - 1].as_mut()?.push_leaf(key, leaf)?;
                branch_overflow(branch, at, key, node)
            }
        }
    }

    fn remove(&mut self, key: u32) -> Option<V> {
        match self {
            Node::Leaf(leaf) => {
                let at = leaf.position(key)?;
                Rc::make_mut(leaf).remove(at)
            }
            Node::Branch(branch) => {
                let branch = Rc::make_mut(branch);
                let at = branch.child(key);
                let child = branch.items[at].as_mut()?;
                let value = child.remove(key)?;
                if child.length() == 0 {
                    branch.remove(at);
                } else {
                    merge_around(branch, at);
                }
                Some(value)
            }
        }
    }

    /// Takes over everything in `right`, which stands at the same depth and whose keys, from `key` on, are all
    /// greater.
    fn append(&mut self, key: u32, right: Node<V>) {
        match (self, right) {
            (Node::Leaf(left), Node::Leaf(right)) => Rc::make_mut(left).append(Rc::unwrap_or_clone(right)),
            (Node::Branch(left), Node::Branch(right)) => {
                let mut right = Rc::unwrap_or_clone(right);
                right.keys[0] = key;
                Rc::make_mut(left).append(right);
            }
            _ => unreachable!("all leaves of a tree are at the same depth"),
        }
    }
}

fn branch_overflow<V>(branch: &mut Branch<V>, at: usize, key: u32, node: Node<V>) -> Overflow<V> {
    let right = branch.insert_or_split(at, key, node)?;
    Some((right.keys[0], Node::Branch(Rc::new(right))))
}

/// Merges the child at `at` with a neighbour if the two together fill no more than half a node.
fn merge_around<V: Clone>(branch: &mut Branch<V>, at: usize) {
    let capacity = match &branch.items[at] {
        Some(Node::Leaf(_)) => LEAF,
        _ => BRANCH,
    };
    let length = |at: usize| branch.items.get(at).and_then(Option::as_ref).map_or(capacity, Node::length);
    let left = if at > 0 && length(at - 1) + length(at) <= capacity / 2 {
        at - 1
    } else if length(at) + length(at + 1) <= capacity / 2 {
        at
    } else {
        return;
    };
    let key = branch.keys[left + 1];
    if let Some(right) = branch.remove(left + 1)
        && let Some(left) = &mut branch.items[left]
    {
        left.append(key, right);
    }
}

/// The entries of a tree in the order of their keys.
pub struct Iter<'a, V> {
    row: Entries<'a, V>,
    /// What is still to be visited at each level, the lowest last.
    branches: Vec<Entries<'a, Node<V>>>,
    tail: Entries<'a, V>,
}

impl<'a, V> Iter<'a, V> {
    fn descend(&mut self, mut node: &'a Node<V>, from: u32) {
        loop {
            match node {
                Node::Branch(branch) => {
                    let at = branch.child(from);
                    let range = at + 1..branch.length;
                    self.branches.push(Entries { keys: &branch.keys[range.clone()], items: &branch.items[range] });
                    match &branch.items[at] {
                        Some(child) => node = child,
                        None => return,
                    }
                }
                Node::Leaf(leaf) => {
                    self.row = Entries::from(leaf, from);
                    return;
                }
            }
        }
    }
}

impl<'a, V> Iterator for Iter<'a, V> {
    type Item = (u32, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.row.next() {
                return Some(entry);
            }
            match self.branches.last_mut() {
                None => return self.tail.next(),
                Some(rest) => match rest.next() {
                    None => {
                        self.branches.pop();
                    }
                    Some((_, node)) => self.descend(node, 0),
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeMap;

    use super::*;

    fn check(tree: &Tree<u32>, model: &BTreeMap<u32, u32>) {
        let entries: Vec<(u32, u32)> = tree.iter().map(|(key, value)| (key, *value)).collect();
        assert_eq!(entries, model.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>());
    }

    /// Random changes to trees that are copies of each other; `ascending` as addresses are handed out in the first
    /// lap.
    fn run(seed: u32, ascending: bool) {
        let mut random = seed;
        let mut next = move || {
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            random
        };
        let mut worlds = vec![(Tree::default(), BTreeMap::new())];
        for step in 0..6000 {
            let which = next() as usize % worlds.len();
            if next() % 200 == 0 && worlds.len() < 4 {
                worlds.push(worlds[which].clone());
            }
            let (tree, model) = &mut worlds[which];
            let key = if ascending { step } else { next() % 3000 };
            // Grows at first, then shrinks.
            match next() % 8 {
                0..4 if next() % 6000 > step / 2 => {
                    model.entry(key).or_insert_with(|| {
                        tree.insert(key, step);
                        step
                    });
                }
                0..6 => {
                    let around = if ascending { step.saturating_sub(next() % 300) } else { key };
                    let victim = model.range(around..).next().map_or(around, |(key, _)| *key);
                    assert_eq!(tree.remove(victim), model.remove(&victim));
                }
                6 => {
                    assert_eq!(tree.get_mut(key).map(|value| std::mem::replace(value, step)), model.get(&key).copied());
                    model.entry(key).and_modify(|value| *value = step);
                }
                _ => {
                    let key = next() % 6000;
                    let floor = model.range(..=key).next_back().map(|(key, value)| (*key, value));
                    assert_eq!(tree.floor(key), floor);
                    let from = model.range(key..).next().map(|(key, value)| (*key, value));
                    assert_eq!(tree.iter_from(key).next(), from);
                }
            }
        }
        worlds.iter().for_each(|(tree, model)| check(tree, model));
    }

    #[test]
    fn agrees_with_a_standard_map() {
        for seed in 1..30 {
            run(seed, false);
            run(seed, true);
        }
    }

    #[test]
    fn empties_completely() {
        let mut tree = Tree::default();
        (0..1000).for_each(|key| tree.insert(key, key));
        (0..1000).for_each(|key| assert_eq!(tree.remove(key), Some(key)));
        assert!(tree.iter().next().is_none() && tree.floor(5000).is_none() && tree.root.is_none());
    }

    #[test]
    fn few_survivors_need_few_nodes() {
        let mut tree = Tree::default();
        (0..10_000).for_each(|key| tree.insert(key, key));
        (0..10_000).filter(|key| key % 100 != 0).for_each(|key| assert!(tree.remove(key).is_some()));
        fn leaves(node: &Node<u32>) -> usize {
            match node {
                Node::Leaf(_) => 1,
                Node::Branch(branch) => branch.items.iter().flatten().map(leaves).sum(),
            }
        }
        assert_eq!(tree.iter().count(), 100);
        assert!(tree.root.as_ref().map_or(0, leaves) <= 60);
    }
}
