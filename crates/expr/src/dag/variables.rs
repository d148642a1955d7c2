//! Which variables an expression depends on, remembered for every node. A read at a symbolic index depends on its whole array, because the
//! array is an operand of the read.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::arena::{Arena, VariableId};
use super::node::{Expr, Op};

/// The number of a set of variables. Equal sets have equal numbers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct VariableSet(u32);

impl VariableSet {
    pub const EMPTY: VariableSet = VariableSet(0);
}

const NOT_KNOWN: VariableSet = VariableSet(u32::MAX);

/// Sixty-four variables in a row: which group of sixty-four, and which of them.
pub type VariableBlock = (u32, u64);

/// Sets of variables of expressions. Variables of neighbouring bytes have neighbouring numbers, so sets are lists of blocks of bits.
pub struct VariableSets {
    /// By expression.
    known: Vec<VariableSet>,
    sets: Vec<Box<[VariableBlock]>>,
    numbers: FxHashMap<Box<[VariableBlock]>, VariableSet>,
    unions: FxHashMap<(VariableSet, VariableSet), VariableSet>,
    /// Of the arena, when the first expression was asked for.
    generation: u32,
}

impl Default for VariableSets {
    fn default() -> Self {
        let empty: Box<[VariableBlock]> = Box::default();
        let numbers = [(empty.clone(), VariableSet::EMPTY)].into_iter().collect();
        VariableSets { known: Vec::new(), sets: vec![empty], numbers, unions: FxHashMap::default(), generation: 0 }
    }
}

impl VariableSets {
    /// The variables of an expression. Takes time only for nodes that were not seen before.
    pub fn of(&mut self, arena: &Arena, root: Expr) -> VariableSet {
        if self.generation != arena.generation() {
            self.known.clear();
            self.generation = arena.generation();
        }
        if let Some(set) = self.known(root) {
            return set;
        }
        let mut waiting = vec![root];
        while let Some(&expr) = waiting.last() {
            if self.known(expr).is_some() {
                waiting.pop();
                continue;
            }
            let operands = arena.operands(expr);
            let before = waiting.len();
            waiting.extend(operands.iter().filter(|operand| self.known(**operand).is_none()));
            if waiting.len() == before {
                let set = match arena.node(expr).op {
                    Op::Variable | Op::ArrayVariable => self.intern_variable(arena.variable_of(expr)),
                    _ => self.union_of_operands(&operands),
                };
                self.remember(expr, set);
                waiting.pop();
            }
        }
        self.known(root).unwrap_or(VariableSet::EMPTY)
    }

    fn known(&self, expr: Expr) -> Option<VariableSet> {
        self.known.get(expr.as_u32() as usize).copied().filter(|set| *set != NOT_KNOWN)
    }

    fn remember(&mut self, expr: Expr, set: VariableSet) {
        let at = expr.as_u32() as usize;
        if at >= self.known.len() {
            self.known.resize((at + 1).next_power_of_two(), NOT_KNOWN);
        }
        self.known[at] = set;
    }

    fn intern_variable(&mut self, variable: Option<VariableId>) -> VariableSet {
        variable.map_or(VariableSet::EMPTY, |variable| {
            let number = variable.as_u32();
            self.intern(&[(number / 64, 1 << (number % 64))])
        })
    }

    fn intern(&mut self, blocks: &[VariableBlock]) -> VariableSet {
        if let Some(set) = self.numbers.get(blocks) {
            return *set;
        }
        let set = VariableSet(self.sets.len() as u32);
        self.sets.push(blocks.into());
        self.numbers.insert(blocks.into(), set);
        set
    }

    fn union_of_operands(&mut self, operands: &[Expr]) -> VariableSet {
        let sets: SmallVec<[VariableSet; 3]> = operands.iter().filter_map(|operand| self.known(*operand)).collect();
        if sets.len() <= 3 {
            return sets.into_iter().fold(VariableSet::EMPTY, |a, b| self.union(a, b));
        }
        // Many at once, as in a table: no set in between is made.
        let mut all = GatheredVariables::default();
        for set in sets {
            all.add(&self.sets[set.0 as usize]);
        }
        let blocks: Vec<VariableBlock> = (0..).zip(all.words).filter(|(_, word)| *word != 0).collect();
        self.intern(&blocks)
    }

    fn union(&mut self, a: VariableSet, b: VariableSet) -> VariableSet {
        if a == b || b == VariableSet::EMPTY {
            return a;
        }
        if a == VariableSet::EMPTY {
            return b;
        }
        let key = if a.0 < b.0 { (a, b) } else { (b, a) };
        if let Some(set) = self.unions.get(&key) {
            return *set;
        }
        let blocks = merged(&self.sets[a.0 as usize], &self.sets[b.0 as usize]);
        let set = self.intern(&blocks);
        self.unions.insert(key, set);
        set
    }

    pub fn blocks(&self, set: VariableSet) -> &[VariableBlock] {
        &self.sets[set.0 as usize]
    }

    /// In the order of their numbers.
    pub fn variables(&self, set: VariableSet) -> impl Iterator<Item = VariableId> {
        self.blocks(set).iter().flat_map(|&(group, bits)| variables_of_block(group, bits))
    }
}

fn variables_of_block(group: u32, bits: u64) -> impl Iterator<Item = VariableId> {
    (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| VariableId::from_u32(group * 64 + bit))
}

fn merged(a: &[VariableBlock], b: &[VariableBlock]) -> Vec<VariableBlock> {
    let mut result = Vec::with_capacity(a.len() + b.len());
    let (mut left, mut right) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    loop {
        match (left.peek().copied(), right.peek().copied()) {
            (Some(x), Some(y)) if x.0 == y.0 => {
                result.push((x.0, x.1 | y.1));
                left.next();
                right.next();
            }
            (Some(x), Some(y)) if x.0 < y.0 => {
                result.push(x);
                left.next();
            }
            (_, Some(y)) => {
                result.push(y);
                right.next();
            }
            (Some(x), None) => {
                result.push(x);
                left.next();
            }
            (None, None) => return result,
        }
    }
}

/// A growing set of variables, against which many small ones are held.
#[derive(Clone, Default)]
pub struct GatheredVariables {
    words: Vec<u64>,
}

impl GatheredVariables {
    pub fn add(&mut self, blocks: &[VariableBlock]) {
        for &(group, bits) in blocks {
            let at = group as usize;
            if at >= self.words.len() {
                self.words.resize(at + 1, 0);
            }
            self.words[at] |= bits;
        }
    }

    pub fn add_all(&mut self, others: &GatheredVariables) {
        self.words.resize(self.words.len().max(others.words.len()), 0);
        self.words.iter_mut().zip(&others.words).for_each(|(word, other)| *word |= other);
    }

    /// In the order of their numbers.
    pub fn variables(&self) -> impl Iterator<Item = VariableId> {
        (0..).zip(self.words.iter()).flat_map(|(group, bits)| variables_of_block(group, *bits))
    }

    pub fn meets(&self, blocks: &[VariableBlock]) -> bool {
        blocks.iter().any(|&(group, bits)| self.words.get(group as usize).is_some_and(|word| word & bits != 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dag::Variable;

    fn byte(arena: &mut Arena, offset: u32) -> Expr {
        arena.variable(Variable { input: 0, offset, width: 8, index_width: 0 })
    }

    #[test]
    fn sets_of_a_deep_chain() {
        let mut arena = Arena::without_rules();
        let bytes: Vec<Expr> = (0..70).map(|offset| byte(&mut arena, offset)).collect();
        let mut chain = bytes[0];
        for step in 0..1_000_000 {
            chain = arena.binary(if step % 2 == 0 { Op::Add } else { Op::Xor }, chain, bytes[step % 70]);
        }
        let mut sets = VariableSets::default();
        let all = sets.of(&arena, chain);
        let expected: Vec<VariableId> = bytes.iter().filter_map(|byte| arena.variable_of(*byte)).collect();
        assert_eq!(sets.variables(all).collect::<Vec<_>>(), expected);
        assert!(sets.sets.len() < 200);
        let constant = arena.word(8, 3);
        assert_eq!(sets.of(&arena, constant), VariableSet::EMPTY);
    }

    #[test]
    fn gathered_variables() {
        let mut arena = Arena::new();
        let bytes: Vec<Expr> = (0..200).map(|offset| byte(&mut arena, offset)).collect();
        let mut sets = VariableSets::default();
        let of: Vec<VariableSet> = bytes.iter().map(|byte| sets.of(&arena, *byte)).collect();
        let mut gathered = GatheredVariables::default();
        gathered.add(sets.blocks(of[3]));
        gathered.add(sets.blocks(of[150]));
        for (at, set) in of.iter().enumerate() {
            assert_eq!(gathered.meets(sets.blocks(*set)), at == 3 || at == 150);
        }
        let expected: Vec<VariableId> =
            [3, 150].into_iter().filter_map(|at: usize| arena.variable_of(bytes[at])).collect();
        assert_eq!(gathered.variables().collect::<Vec<_>>(), expected);
        let sum = arena.binary(Op::Add, bytes[150], bytes[3]);
        let both = sets.of(&arena, sum);
        assert_eq!(sets.variables(both).collect::<Vec<_>>(), expected);
    }
}
