//! What conditions say of numbers in the blocks that they lead to: behind `n < 31`, `n` is less than 31. A register is written once on the
//! way to a block that such a condition dominates, so it still is there.

use std::rc::Rc;

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use symcrete_ir::{
    BinaryOp, Block, Body, CastOp, Cfg, Dominators, EdgeId, Inst, IntPredicate, Operand, OperandKind, Reg, Terminator,
};

use super::held::{Held, Null, Object, Place, signed};
use super::store::MOST_IN_OBJECT;

/// A comparison that holds for a register, or for what is made of it in these steps.
#[derive(Copy, Clone)]
pub struct Guard {
    register: Reg,
    steps: [Option<Step>; MOST_STEPS],
    predicate: IntPredicate,
    /// Of what is compared.
    bits: u16,
    other: Operand,
}

/// How what is compared is made from a register.
#[derive(Copy, Clone)]
enum Step {
    /// From so many bits.
    ZeroExtend(u16),
    SignExtend(u16),
    /// So much is added to so many bits.
    Add(u64, u16),
}

/// Steps from a register to what is compared that are gone back over.
const MOST_STEPS: usize = 3;

/// The guards of a function.
pub struct Guards {
    of_blocks: SecondaryMap<Block, Option<Rc<[Guard]>>>,
    of_edges: FxHashMap<EdgeId, Rc<[Guard]>>,
    /// Numbers that others are compared with, and those beside them, rising: where what grows in loops comes to an end.
    pub stops: Vec<u64>,
}

/// Guards of one block beyond that are left out.
const MOST_GUARDS: usize = 32;
/// Conditions inside of conditions that are looked into.
const MOST_DEPTH: u32 = 8;

impl Guards {
    /// Of a function; `constant` says what the constants are that are numbers.
    pub fn new(body: &Body, pointer_bits: u16, constant: &dyn Fn(Operand) -> Option<u64>) -> Guards {
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(&cfg);
        let (made_by, made_in, guards) = (made_by(body), made_in(body), Guards::none());
        let mut search = Search { body, cfg, dominators, pointer_bits, constant, made_by, made_in, guards };
        for block in body.blocks.keys() {
            search.block(block, 0);
        }
        let edges: Vec<EdgeId> = body.edges.keys().collect();
        for edge in edges {
            let own = search.edge(edge, 0);
            if !own.is_empty() {
                search.guards.of_edges.insert(edge, own.into());
            }
        }
        search.guards.stops = stops(body, constant);
        search.guards
    }

    fn none() -> Guards {
        Guards { of_blocks: SecondaryMap::default(), of_edges: FxHashMap::default(), stops: Vec::new() }
    }

    /// What a register holds in a block, given what is known of it everywhere.
    pub fn in_block(&self, block: Block, register: Reg, held: Held, other: &dyn Fn(Operand) -> Held) -> Held {
        self.of_blocks[block].iter().fold(held, |held, guards| narrowed(guards, register, held, other))
    }

    /// Whether taking this edge tells anything.
    pub fn has_edge(&self, edge: EdgeId) -> bool {
        self.of_edges.contains_key(&edge)
    }

    /// The same where an edge is taken from a block.
    pub fn on_edge(&self, edge: EdgeId, register: Reg, held: Held, other: &dyn Fn(Operand) -> Held) -> Held {
        self.of_edges.get(&edge).into_iter().fold(held, |held, guards| narrowed(guards, register, held, other))
    }
}

fn narrowed(guards: &[Guard], register: Reg, mut held: Held, other: &dyn Fn(Operand) -> Held) -> Held {
    let mine = || guards.iter().filter(|guard| guard.register == register);
    // Whether a number has a sign may be told by one, and what that means for another by the next.
    for guard in mine().chain(mine()) {
        held = match held {
            Held::Number(_) | Held::Any => guard.narrowed(&held, &other(guard.other)),
            Held::Pointers { places, null } => {
                let other = other(guard.other);
                let is_null = null == Null::Itself && guard.says_other_than_null(&other);
                let null = if is_null { Null::Never } else { null };
                Held::Pointers { places: guard.narrowed_places(places, &other), null }
            }
            Held::Nothing | Held::Word(_) => return held,
        };
    }
    held
}

impl Step {
    /// How many bits it begins with.
    fn bits(self) -> u16 {
        match self {
            Step::ZeroExtend(bits) | Step::SignExtend(bits) | Step::Add(_, bits) => bits,
        }
    }

    /// The bounds of what it makes of a number within bounds, without a sign. `None` if those tell nothing.
    fn forward(self, (low, high): (u64, u64)) -> Option<(u64, u64)> {
        match self {
            Step::SignExtend(bits) if high > mask(bits) >> 1 => Some((0, u64::MAX)),
            Step::ZeroExtend(_) | Step::SignExtend(_) => Some((low, high)),
            // Less than nothing is added where something is taken away.
            Step::Add(by, bits) if by > mask(bits) >> 1 => {
                let less = (mask(bits) - by) + 1;
                Some((low.checked_sub(less)?, high - less))
            }
            Step::Add(by, bits) => {
                let high = high.checked_add(by).filter(|high| *high <= mask(bits))?;
                Some((low + by, high))
            }
        }
    }

    /// The bounds of what it began with, by those of what it made.
    fn backward(self, (low, high): (u64, u64)) -> Option<(u64, u64)> {
        match self {
            Step::ZeroExtend(bits) => Some((low, high.min(mask(bits)))),
            // What is extended is the number itself if that has no sign.
            Step::SignExtend(bits) => (high <= mask(bits) >> 1).then_some((low, high)),
            Step::Add(by, bits) if by > mask(bits) >> 1 => {
                let less = (mask(bits) - by) + 1;
                Some((low.checked_add(less)?, high.saturating_add(less).min(mask(bits))))
            }
            Step::Add(by, _) => Some((low.saturating_sub(by), high.checked_sub(by)?)),
        }
    }
}

impl Guard {
    /// What a register holds for which this comparison is true.
    fn narrowed(&self, held: &Held, other: &Held) -> Held {
        if self.bits > 64 || matches!(other, Held::Nothing | Held::Pointers { .. }) {
            return held.clone();
        }
        match self.bounds(held, other.bounds(self.bits), other) {
            Some((low, high)) if low <= high => held.within(low, high),
            _ => held.clone(),
        }
    }

    fn says_other_than_null(&self, other: &Held) -> bool {
        self.predicate == IntPredicate::Ne && self.steps[0].is_none() && *other == Held::Word(0)
    }

    /// Where an address can be for which this comparison with another is true: not beyond that.
    fn narrowed_places(&self, mut places: SmallVec<[Place; 2]>, other: &Held) -> SmallVec<[Place; 2]> {
        let below = match self.predicate {
            IntPredicate::Ult => 1,
            IntPredicate::Ule | IntPredicate::Eq => 0,
            _ => return places,
        };
        let Some(most) = last_address(other).filter(|_| self.steps[0].is_none() && self.bits == 64) else {
            return places;
        };
        for (object, at) in &mut places {
            if let Object::Before(base) | Object::Constant(base) = object {
                let high = at.high.min(most.saturating_sub(below).wrapping_sub(*base) as i64);
                at.high = if at.low <= high { high } else { at.high };
            }
        }
        places
    }

    fn bounds(&self, held: &Held, (least, most): (u64, u64), other: &Held) -> Option<(u64, u64)> {
        let steps = self.steps.iter().flatten();
        let begin = held.bounds(steps.clone().next().map_or(self.bits, |step| step.bits()));
        let (mut low, mut high) = steps.clone().try_fold(begin, |bounds, step| step.forward(bounds))?;
        high = high.min(mask(self.bits));
        // Without a sign, what is not negative is less than all that is.
        let positive = mask(self.bits) >> 1;
        let (no_sign, other_no_sign) = (high <= positive, most <= positive);
        use IntPredicate::*;
        match self.predicate {
            Eq => (low, high) = (low.max(least), high.min(most)),
            Ult if most > 0 => high = high.min(most - 1),
            Ule => high = high.min(most),
            Ugt => low = low.max(least.saturating_add(1)),
            Uge => low = low.max(least),
            Slt if no_sign && other_no_sign && most > 0 => high = high.min(most - 1),
            Sle if no_sign && other_no_sign => high = high.min(most),
            Sgt if other_no_sign => (low, high) = (low.max(least + 1), high.min(positive)),
            Sge if other_no_sign => (low, high) = (low.max(least), high.min(positive)),
            Sgt if matches!(other, Held::Word(word) if signed(*word, self.bits) == -1) => high = high.min(positive),
            _ => return None,
        }
        if low > high {
            return None;
        }
        steps.rev().try_fold((low, high), |bounds, step| step.backward(bounds))
    }
}

/// The last address that something may be, if it is none that goes round the end of memory.
fn last_address(held: &Held) -> Option<u64> {
    let inside = 0..MOST_IN_OBJECT as i64;
    match held {
        Held::Word(word) => Some(*word).filter(|word| inside.contains(&(*word as i64))),
        Held::Pointers { places, .. } => {
            let last = places.iter().map(|(object, at)| match object {
                Object::Before(base) | Object::Constant(base) => {
                    (inside.contains(&at.low) && inside.contains(&at.high)).then(|| base + at.high as u64)
                }
                Object::Constants | Object::Function(_) | Object::Made(_) => None,
            });
            last.collect::<Option<Vec<u64>>>()?.into_iter().max()
        }
        Held::Nothing | Held::Number(_) | Held::Any => None,
    }
}

/// What makes a register.
#[derive(Copy, Clone)]
enum Maker {
    Inst(Inst),
    Param(Block, usize),
}

fn made_by(body: &Body) -> FxHashMap<Reg, Maker> {
    let mut makers = FxHashMap::default();
    for (block, data) in &body.blocks {
        makers.extend(data.params.iter().enumerate().map(|(at, reg)| (*reg, Maker::Param(block, at))));
        for inst in &data.insts {
            let (Inst::IntCompare { dst, .. } | Inst::Cast { dst, .. } | Inst::Binary { dst, .. }) = inst else {
                continue;
            };
            makers.insert(*dst, Maker::Inst(*inst));
        }
    }
    makers
}

/// The blocks in which registers are made.
fn made_in(body: &Body) -> FxHashMap<Reg, Block> {
    let mut blocks = FxHashMap::default();
    for (block, data) in &body.blocks {
        blocks.extend(data.params.iter().map(|register| (*register, block)));
        for inst in &data.insts {
            match inst {
                Inst::Call { call } => blocks.extend(body.calls[*call].results.iter().map(|reg| (*reg, block))),
                inst => blocks.extend(inst.dst().map(|register| (register, block))),
            }
        }
    }
    blocks
}

fn stops(body: &Body, constant: &dyn Fn(Operand) -> Option<u64>) -> Vec<u64> {
    let mut stops = Vec::new();
    for inst in body.blocks.values().flat_map(|data| &data.insts) {
        if let Inst::IntCompare { predicate, lhs, rhs, .. } = inst
            && !matches!(predicate, IntPredicate::Eq | IntPredicate::Ne)
        {
            let numbers = [*lhs, *rhs].into_iter().filter_map(constant);
            stops.extend(numbers.flat_map(|number| [number.wrapping_sub(1), number, number.wrapping_add(1)]));
        }
    }
    stops.sort_unstable();
    stops.dedup();
    stops
}

struct Search<'a> {
    body: &'a Body,
    cfg: Cfg,
    dominators: Dominators,
    pointer_bits: u16,
    constant: &'a dyn Fn(Operand) -> Option<u64>,
    made_by: FxHashMap<Reg, Maker>,
    made_in: FxHashMap<Reg, Block>,
    guards: Guards,
}

impl Search<'_> {
    /// What holds in a block: what leads there, and what holds in those that dominate it.
    fn block(&mut self, block: Block, depth: u32) -> Rc<[Guard]> {
        if let Some(known) = &self.guards.of_blocks[block] {
            return known.clone();
        }
        // Whoever asks for it meanwhile, in a loop, does without.
        self.guards.of_blocks[block] = Some(Rc::new([]));
        let mut found = match *self.cfg.predecessors(block) {
            [edge] => self.edge(edge, depth),
            _ => Vec::new(),
        };
        if let Some(above) = self.dominators.immediate(block) {
            found.extend(self.block(above, depth).iter());
        }
        found.truncate(MOST_GUARDS);
        let found: Rc<[Guard]> = found.into();
        self.guards.of_blocks[block] = Some(found.clone());
        found
    }

    /// What the branch says that takes this edge.
    fn edge(&mut self, edge: EdgeId, depth: u32) -> Vec<Guard> {
        let mut found = Vec::new();
        if let Terminator::Branch { condition, if_true, if_false } = self.body.blocks[self.cfg.source(edge)].terminator
            && if_true != if_false
        {
            self.condition(condition, edge == if_true, depth, &mut found);
        }
        found
    }

    /// What is said by a condition that holds, or does not.
    fn condition(&mut self, condition: Operand, holds: bool, depth: u32, found: &mut Vec<Guard>) {
        let OperandKind::Reg(register) = condition.kind() else { return };
        let Some(maker) = self.made_by.get(&register).copied().filter(|_| depth < MOST_DEPTH) else { return };
        match maker {
            Maker::Inst(Inst::IntCompare { predicate, ty, lhs, rhs, .. }) => {
                let predicate = if holds { predicate } else { predicate.opposite() };
                let is_zero = (self.constant)(rhs) == Some(0);
                if is_zero && matches!(predicate, IntPredicate::Eq | IntPredicate::Ne) {
                    // `x != 0` of what was made from a condition.
                    self.condition(lhs, predicate == IntPredicate::Ne, depth + 1, found);
                }
                let bits = ty.bits(self.pointer_bits);
                self.compared(lhs, predicate, bits, rhs, found);
                self.compared(rhs, predicate.mirrored(), bits, lhs, found);
            }
            Maker::Inst(Inst::Cast { op: CastOp::ZeroExtend, from, src, .. }) if from.bits(self.pointer_bits) == 1 => {
                self.condition(src, holds, depth + 1, found);
            }
            Maker::Inst(Inst::Binary { op: BinaryOp::Xor, ty, lhs, rhs, .. }) if ty.bits(self.pointer_bits) == 1 => {
                if (self.constant)(rhs) == Some(1) {
                    self.condition(lhs, !holds, depth + 1, found);
                }
            }
            Maker::Param(block, at) => self.joined(block, at, holds, depth, found),
            Maker::Inst(_) => {}
        }
    }

    /// A condition that was decided on different ways, as `a && b` is: there may be only one on which it is so.
    fn joined(&mut self, block: Block, at: usize, holds: bool, depth: u32, found: &mut Vec<Guard>) {
        let contradicts = |operand: Operand| (self.constant)(operand).is_some_and(|word| (word & 1 == 1) != holds);
        let edges = self.cfg.predecessors(block).iter().copied();
        let edges: Vec<EdgeId> = edges.filter(|edge| !contradicts(self.body.edges[*edge].args[at])).collect();
        let [edge] = edges[..] else { return };
        let mut said = self.edge(edge, depth + 1);
        self.condition(self.body.edges[edge].args[at], holds, depth + 1, &mut said);
        said.extend(self.block(self.cfg.source(edge), depth + 1).iter());
        // What is made behind this block may be made anew between the condition and here.
        let is_made_before = |guard: &Guard| {
            self.made_in.get(&guard.register).is_some_and(|at| self.dominators.strictly_dominates(*at, block))
        };
        found.extend(said.into_iter().filter(is_made_before));
    }

    fn compared(&self, one: Operand, predicate: IntPredicate, bits: u16, other: Operand, found: &mut Vec<Guard>) {
        let (mut operand, mut steps) = (one, [None; MOST_STEPS]);
        for number in 0..=MOST_STEPS {
            let OperandKind::Reg(register) = operand.kind() else { return };
            found.push(Guard { register, steps, predicate, bits, other });
            let Some((step, from)) = self.step(register).filter(|_| number < MOST_STEPS) else { return };
            steps.rotate_right(1);
            (steps[0], operand) = (Some(step), from);
        }
    }

    /// How a register is made of another, if that can be gone back over.
    fn step(&self, register: Reg) -> Option<(Step, Operand)> {
        match self.made_by.get(&register)? {
            Maker::Inst(Inst::Cast { op: CastOp::ZeroExtend, from, src, .. }) => {
                Some((Step::ZeroExtend(from.bits(self.pointer_bits)), *src))
            }
            Maker::Inst(Inst::Cast { op: CastOp::SignExtend, from, src, .. }) => {
                Some((Step::SignExtend(from.bits(self.pointer_bits)), *src))
            }
            Maker::Inst(Inst::Binary { op: BinaryOp::Add, ty, lhs, rhs, .. }) => {
                let bits = ty.bits(self.pointer_bits);
                let by = (self.constant)(*rhs).filter(|_| bits <= 64)?;
                Some((Step::Add(by, bits), *lhs))
            }
            _ => None,
        }
    }
}

fn mask(bits: u16) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}
