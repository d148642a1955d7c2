//! Gates over literals: each once, with constants folded away while they are built. What the clauses of a gate are is in
//! `instance`; vectors of literals are in `vector`.

use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::Not;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// The output of a gate or its complement.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Literal(u32);

impl Literal {
    pub(super) const FALSE: Literal = Literal(0);
    pub(super) const TRUE: Literal = Literal(1);

    fn new(gate: usize) -> Literal {
        Literal((gate as u32) << 1)
    }

    pub(super) fn constant(value: bool) -> Literal {
        Literal(u32::from(value))
    }

    pub(super) fn is_constant(self) -> bool {
        self.gate() == 0
    }

    /// The number of the gate.
    pub(super) fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn positive(self) -> Literal {
        Literal(self.0 & !1)
    }

    /// The complement if `negate`.
    pub(super) fn flipped(self, negate: bool) -> Literal {
        Literal(self.0 ^ u32::from(negate))
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        self.flipped(true)
    }
}

/// What the bits of an input stand for, where something must hold of them.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Owner {
    /// Bits of a variable: anything goes.
    Nobody,
    /// Clauses that hold whenever these bits are looked at: the number of an obligation.
    Obligation(u32),
    /// The element of an array at some index: the number of a read.
    Read(u32),
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Gate {
    Constant,
    Input(Owner),
    And(Literal, Literal),
    /// A conjunction of more than two: the place and the length of its operands in the list of operands.
    AndMany(u32, u32),
    Xor(Literal, Literal),
    /// The sum bit of a full adder.
    Xor3(Literal, Literal, Literal),
    /// The carry of a full adder.
    Majority(Literal, Literal, Literal),
    Ite(Literal, Literal, Literal),
}

const _: () = assert!(size_of::<Gate>() == 16);

/// A clause of up to three literals that an obligation consists of; unused places are false.
pub(super) type SmallClause = [Literal; 3];

pub(super) struct Gates {
    gates: Vec<Gate>,
    unique: HashTable<u32>,
    operands: Vec<Literal>,
    obligations: Vec<Vec<SmallClause>>,
}

fn hash_gate(gate: &Gate, operands: &[Literal]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    match *gate {
        Gate::AndMany(start, length) => operands[start as usize..][..length as usize].hash(&mut hasher),
        _ => gate.hash(&mut hasher),
    }
    hasher.finish()
}

impl Gates {
    pub(super) fn new() -> Gates {
        Gates { gates: vec![Gate::Constant], unique: HashTable::new(), operands: Vec::new(), obligations: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(super) fn gate(&self, number: usize) -> Gate {
        self.gates[number]
    }

    /// The operands of a conjunction of many.
    pub(super) fn operands(&self, start: u32, length: u32) -> &[Literal] {
        &self.operands[start as usize..][..length as usize]
    }

    pub(super) fn obligation(&self, number: u32) -> &[SmallClause] {
        &self.obligations[number as usize]
    }

    /// The number is that of the inputs' owner. The clauses are given later, when the inputs exist.
    pub(super) fn new_obligation(&mut self) -> u32 {
        self.obligations.push(Vec::new());
        (self.obligations.len() - 1) as u32
    }

    pub(super) fn oblige(&mut self, obligation: u32, clause: SmallClause) {
        if !clause.contains(&Literal::TRUE) {
            self.obligations[obligation as usize].push(clause);
        }
    }

    pub(super) fn input(&mut self, owner: Owner) -> Literal {
        self.gates.push(Gate::Input(owner));
        Literal::new(self.gates.len() - 1)
    }

    fn intern(&mut self, gate: Gate) -> Literal {
        let (gates, operands) = (&self.gates, &self.operands);
        let hash = hash_gate(&gate, operands);
        if let Some(found) = self.unique.find(hash, |&other| gates[other as usize] == gate) {
            return Literal::new(*found as usize);
        }
        self.insert(gate, hash)
    }

    fn insert(&mut self, gate: Gate, hash: u64) -> Literal {
        let number = self.gates.len();
        self.gates.push(gate);
        let (gates, operands) = (&self.gates, &self.operands);
        self.unique.insert_unique(hash, number as u32, |&other| hash_gate(&gates[other as usize], operands));
        Literal::new(number)
    }

    pub(super) fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        match a {
            Literal::FALSE => Literal::FALSE,
            Literal::TRUE => b,
            _ if a == b => a,
            _ if a == !b => Literal::FALSE,
            _ => self.intern(Gate::And(a, b)),
        }
    }

    pub(super) fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    pub(super) fn and_many(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        let mut all: SmallVec<[Literal; 64]> =
            literals.into_iter().filter(|&literal| literal != Literal::TRUE).collect();
        all.sort_unstable();
        all.dedup();
        // Complements are neighbours after sorting.
        if all.first() == Some(&Literal::FALSE) || all.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Literal::FALSE;
        }
        match all[..] {
            [] => return Literal::TRUE,
            [a] => return a,
            [a, b] => return self.and(a, b),
            _ => {}
        }
        let start = self.operands.len() as u32;
        let gate = Gate::AndMany(start, all.len() as u32);
        self.operands.extend_from_slice(&all);
        let hash = hash_gate(&gate, &self.operands);
        let same = |&other: &u32| match self.gates[other as usize] {
            Gate::AndMany(start, length) => self.operands[start as usize..][..length as usize] == all[..],
            _ => false,
        };
        if let Some(found) = self.unique.find(hash, same) {
            let found = Literal::new(*found as usize);
            self.operands.truncate(start as usize);
            return found;
        }
        self.insert(gate, hash)
    }

    pub(super) fn or_many(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        !self.and_many(literals.into_iter().map(|literal| !literal))
    }

    pub(super) fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let negate = a.is_negated() ^ b.is_negated();
        let (a, b) = (a.positive().min(b.positive()), a.positive().max(b.positive()));
        let result = match a {
            Literal::FALSE => b,
            _ if a == b => Literal::FALSE,
            _ => self.intern(Gate::Xor(a, b)),
        };
        result.flipped(negate)
    }

    /// The sum bit of a full adder.
    pub(super) fn xor3(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        let negate = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let mut sorted = [a.positive(), b.positive(), c.positive()];
        sorted.sort_unstable();
        let [a, b, c] = sorted;
        let result = if a == b {
            c
        } else if b == c {
            a
        } else if a == Literal::FALSE {
            self.xor(b, c)
        } else {
            self.intern(Gate::Xor3(a, b, c))
        };
        result.flipped(negate)
    }

    /// The carry of a full adder: what at least two of three say.
    pub(super) fn majority(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        let mut sorted = [a, b, c];
        sorted.sort_unstable();
        let [a, b, c] = sorted;
        // Equal gates are neighbours now: alike they decide, complements leave it to the third.
        if a.gate() == b.gate() {
            return if a == b { a } else { c };
        }
        if b.gate() == c.gate() {
            return if b == c { b } else { a };
        }
        match a {
            Literal::FALSE => return self.and(b, c),
            Literal::TRUE => return self.or(b, c),
            _ => {}
        }
        // The carry of two bits that already made the incoming carry is that carry: so the sums of sign-extended numbers
        // are sign-extended.
        for (x, y, carry) in [(a, b, c), (a, c, b), (b, c, a)] {
            if self.is_majority_with(carry, x, y) {
                return carry;
            }
        }
        // A majority of complements is the complement of the majority.
        let negate = a.is_negated();
        let gate = Gate::Majority(a.flipped(negate), b.flipped(negate), c.flipped(negate));
        self.intern(gate).flipped(negate)
    }

    fn is_majority_with(&self, carry: Literal, x: Literal, y: Literal) -> bool {
        let Gate::Majority(a, b, c) = self.gates[carry.gate()] else { return false };
        let negate = carry.is_negated();
        let operands = [a.flipped(negate), b.flipped(negate), c.flipped(negate)];
        operands.contains(&x) && operands.contains(&y)
    }

    pub(super) fn ite(&mut self, condition: Literal, then: Literal, otherwise: Literal) -> Literal {
        if condition.is_negated() {
            return self.ite_positive(!condition, otherwise, then);
        }
        self.ite_positive(condition, then, otherwise)
    }

    fn ite_positive(&mut self, condition: Literal, then: Literal, otherwise: Literal) -> Literal {
        if condition == Literal::FALSE || then == otherwise {
            return otherwise;
        }
        if then == !otherwise {
            return self.xor(condition, otherwise);
        }
        if then == Literal::TRUE || then == condition {
            return self.or(condition, otherwise);
        }
        if then == Literal::FALSE || then == !condition {
            return self.and(!condition, otherwise);
        }
        if otherwise == Literal::FALSE || otherwise == condition {
            return self.and(condition, then);
        }
        if otherwise == Literal::TRUE || otherwise == !condition {
            return self.or(!condition, then);
        }
        let negate = then.is_negated();
        self.intern(Gate::Ite(condition, then.flipped(negate), otherwise.flipped(negate))).flipped(negate)
    }
}
