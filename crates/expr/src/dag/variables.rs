//! Which variables an expression depends on. A read at a symbolic index depends on its whole array.

use std::rc::Rc;

use cranelift_entity::{EntityRef, entity_impl, packed_option::ReservedValue};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

use super::arena::{Arena, VariableId};
use super::node::Expr;

/// A set of variables. Equal sets have equal numbers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableSet(u32);
entity_impl!(VariableSet, "s");

impl VariableSet {
    pub const EMPTY: VariableSet = VariableSet(0);
}

/// Remembers the variables of every expression that was asked for, and of its parts. Each set is there once, and so is each union.
pub struct VariableSets {
    sets: Vec<Rc<[VariableId]>>,
    index: HashTable<VariableSet>,
    unions: FxHashMap<(VariableSet, VariableSet), VariableSet>,
    /// By expression; the reserved value if it is not known.
    of: Vec<VariableSet>,
    pending: Vec<Expr>,
    generation: u32,
}

impl Default for VariableSets {
    fn default() -> VariableSets {
        let mut sets = VariableSets {
            sets: Vec::new(),
            index: HashTable::new(),
            unions: FxHashMap::default(),
            of: Vec::new(),
            pending: Vec::new(),
            generation: 0,
        };
        // The first one is the empty one.
        sets.intern(&[]);
        sets
    }
}

fn hash(variables: &[VariableId]) -> u64 {
    FxBuildHasher.hash_one(variables)
}

impl VariableSets {
    pub fn new() -> VariableSets {
        VariableSets::default()
    }

    /// The variables of an expression, in the order of their numbers.
    pub fn variables(&mut self, arena: &Arena, expr: Expr) -> Rc<[VariableId]> {
        let set = self.of(arena, expr);
        Rc::clone(&self.sets[set.index()])
    }

    /// In the order of their numbers.
    pub fn slice(&self, set: VariableSet) -> &[VariableId] {
        &self.sets[set.index()]
    }

    /// The set of the variables of an expression.
    pub fn of(&mut self, arena: &Arena, expr: Expr) -> VariableSet {
        if self.generation != arena.generation() {
            self.of.clear();
            self.generation = arena.generation();
        }
        if self.of.len() < arena.capacity() {
            self.of.resize(arena.capacity(), VariableSet::reserved_value());
        }
        if let Some(known) = self.known(expr) {
            return known;
        }
        self.pending.push(expr);
        while let Some(&next) = self.pending.last() {
            if self.known(next).is_some() || self.compute(arena, next) {
                self.pending.pop();
            }
        }
        self.of[expr.index()]
    }

    fn known(&self, expr: Expr) -> Option<VariableSet> {
        let set = self.of[expr.index()];
        (!set.is_reserved_value()).then_some(set)
    }

    /// Joins the sets of the operands; false if some were not known and have been asked for.
    fn compute(&mut self, arena: &Arena, expr: Expr) -> bool {
        let asked = self.pending.len();
        let (of, pending) = (&self.of, &mut self.pending);
        arena.for_each_operand(expr, |operand| {
            if of[operand.index()].is_reserved_value() {
                pending.push(operand);
            }
        });
        if self.pending.len() > asked {
            return false;
        }
        let mut set = match arena.variable_of(expr) {
            Some(variable) => self.intern(&[variable]),
            None => VariableSet::EMPTY,
        };
        arena.for_each_operand(expr, |operand| set = self.union(set, self.of[operand.index()]));
        self.of[expr.index()] = set;
        true
    }

    fn intern(&mut self, variables: &[VariableId]) -> VariableSet {
        let hash_of = hash(variables);
        let sets = &self.sets;
        if let Some(found) = self.index.find(hash_of, |set| *sets[set.index()] == *variables) {
            return *found;
        }
        let set = VariableSet::new(self.sets.len());
        self.sets.push(variables.into());
        let sets = &self.sets;
        self.index.insert_unique(hash_of, set, |set| hash(&sets[set.index()]));
        set
    }

    pub fn union(&mut self, a: VariableSet, b: VariableSet) -> VariableSet {
        if a == b || b == VariableSet::EMPTY {
            return a;
        }
        if a == VariableSet::EMPTY {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.unions.get(&key) {
            return *known;
        }
        let merged = merge(self.slice(a), self.slice(b));
        let set = self.intern(&merged);
        self.unions.insert(key, set);
        set
    }

    /// Whether the sets have a variable in common.
    pub fn intersect(&self, a: VariableSet, b: VariableSet) -> bool {
        if a == b {
            return a != VariableSet::EMPTY;
        }
        let (mut a, mut b) = (self.slice(a), self.slice(b));
        while let ([first_a, rest_a @ ..], [first_b, rest_b @ ..]) = (a, b) {
            match first_a.cmp(first_b) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => a = rest_a,
                std::cmp::Ordering::Greater => b = rest_b,
            }
        }
        false
    }
}

/// Of two sorted lists.
fn merge(a: &[VariableId], b: &[VariableId]) -> Vec<VariableId> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a, b);
    while let ([first_a, rest_a @ ..], [first_b, rest_b @ ..]) = (a, b) {
        merged.push(*first_a.min(first_b));
        let order = first_a.cmp(first_b);
        if order.is_le() {
            a = rest_a;
        }
        if order.is_ge() {
            b = rest_b;
        }
    }
    merged.extend_from_slice(a);
    merged.extend_from_slice(b);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dag::{Op, Variable};

    fn byte(arena: &mut Arena, offset: u32) -> Expr {
        arena.variable(Variable { input: 0, offset, width: 8, index_width: 0 })
    }

    #[test]
    fn sets_of_a_deep_chain() {
        let mut arena = Arena::without_rules();
        let bytes: Vec<Expr> = (0..10).map(|offset| byte(&mut arena, offset)).collect();
        let mut chain = bytes[0];
        for step in 0..1_000_000 {
            chain = arena.binary(if step % 2 == 0 { Op::Add } else { Op::Xor }, chain, bytes[step % 10]);
        }
        let mut sets = VariableSets::new();
        assert_eq!(sets.variables(&arena, chain).len(), 10);
        assert!(sets.sets.len() < 30);
        let (first, second) = (sets.of(&arena, bytes[0]), sets.of(&arena, bytes[1]));
        assert!(!sets.intersect(first, second));
        let both = sets.union(first, second);
        assert!(sets.intersect(both, second));
        let constant = arena.word(8, 3);
        assert_eq!(sets.of(&arena, constant), VariableSet::EMPTY);
    }
}
