//! Which variables an expression hangs on, remembered for every node. Which constraints belong together is in `slice`.

use rustc_hash::FxHashMap;
use symcrete_expr::dag::{Op, VariableId};
use symcrete_expr::{Arena, Expr};

/// The number of a set of variables. Equal sets have equal numbers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct SetId(u32);

const EMPTY: SetId = SetId(0);
const NOT_KNOWN: SetId = SetId(u32::MAX);

/// Sixty-four variables in a row: which group of sixty-four, and which of them.
type Block = (u32, u64);

/// Sets of variables of expressions. Variables of neighbouring bytes have neighbouring numbers, so sets are lists of blocks of bits.
pub(super) struct VariableSets {
    /// By expression.
    known: Vec<SetId>,
    sets: Vec<Box<[Block]>>,
    numbers: FxHashMap<Box<[Block]>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

impl Default for VariableSets {
    fn default() -> Self {
        let empty: Box<[Block]> = Box::default();
        let numbers = [(empty.clone(), EMPTY)].into_iter().collect();
        VariableSets { known: Vec::new(), sets: vec![empty], numbers, unions: FxHashMap::default() }
    }
}

impl VariableSets {
    /// The variables of an expression. Takes time only for nodes that were not seen before.
    pub fn of(&mut self, arena: &Arena, root: Expr) -> SetId {
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
        self.known(root).unwrap_or(EMPTY)
    }

    fn known(&self, expr: Expr) -> Option<SetId> {
        self.known.get(expr.as_u32() as usize).copied().filter(|set| *set != NOT_KNOWN)
    }

    fn remember(&mut self, expr: Expr, set: SetId) {
        let at = expr.as_u32() as usize;
        if at >= self.known.len() {
            self.known.resize((at + 1).next_power_of_two(), NOT_KNOWN);
        }
        self.known[at] = set;
    }

    fn intern_variable(&mut self, variable: Option<VariableId>) -> SetId {
        variable.map_or(EMPTY, |variable| {
            let number = variable.as_u32();
            self.intern(&[(number / 64, 1 << (number % 64))])
        })
    }

    fn intern(&mut self, blocks: &[Block]) -> SetId {
        if let Some(set) = self.numbers.get(blocks) {
            return *set;
        }
        let set = SetId(self.sets.len() as u32);
        self.sets.push(blocks.into());
        self.numbers.insert(blocks.into(), set);
        set
    }

    fn union_of_operands(&mut self, operands: &[Expr]) -> SetId {
        let sets: smallvec::SmallVec<[SetId; 3]> = operands.iter().filter_map(|operand| self.known(*operand)).collect();
        if sets.len() <= 3 {
            return sets.into_iter().fold(EMPTY, |a, b| self.union(a, b));
        }
        // Many at once, as in a table: no set in between is made.
        let mut all = Accumulated::default();
        for set in sets {
            all.add(&self.sets[set.0 as usize]);
        }
        let blocks: Vec<Block> = (0..).zip(all.words).filter(|(_, word)| *word != 0).collect();
        self.intern(&blocks)
    }

    fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == EMPTY {
            return a;
        }
        if a == EMPTY {
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

    pub fn blocks(&self, set: SetId) -> &[Block] {
        &self.sets[set.0 as usize]
    }

    /// In the order of their numbers.
    pub fn variables(&self, set: SetId) -> impl Iterator<Item = VariableId> {
        self.blocks(set).iter().flat_map(|&(group, bits)| variables_of_block(group, bits))
    }
}

fn variables_of_block(group: u32, bits: u64) -> impl Iterator<Item = VariableId> {
    (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| VariableId::from_u32(group * 64 + bit))
}

fn merged(a: &[Block], b: &[Block]) -> Vec<Block> {
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
#[derive(Default)]
pub(super) struct Accumulated {
    words: Vec<u64>,
}

impl Accumulated {
    pub fn add(&mut self, blocks: &[Block]) {
        for &(group, bits) in blocks {
            let at = group as usize;
            if at >= self.words.len() {
                self.words.resize(at + 1, 0);
            }
            self.words[at] |= bits;
        }
    }

    /// In the order of their numbers.
    pub fn variables(&self) -> impl Iterator<Item = VariableId> {
        (0..).zip(self.words.iter()).flat_map(|(group, bits)| variables_of_block(group, *bits))
    }

    pub fn meets(&self, blocks: &[Block]) -> bool {
        blocks.iter().any(|&(group, bits)| self.words.get(group as usize).is_some_and(|word| word & bits != 0))
    }
}
