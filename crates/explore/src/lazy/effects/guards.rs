//! What conditions say of numbers in the blocks that they lead to: behind `n < 31`, `n` is less than 31. A register is written once on the
//! way to a block that such a condition dominates, so it still is there.

use std::rc::Rc;

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use symcrete_ir::{
    BinaryOp, Block, Body, CastOp, Cfg, Dominators, EdgeId, Inst, IntPredicate, Operand, OperandKind, Reg, Terminator,
};

use super::held::{Held, signed};

/// A comparison that holds for a register, or for what a cast makes of it.
#[derive(Copy, Clone)]
pub struct Guard {
    register: Reg,
    /// The cast, and how many bits it begins with.
    through: Option<(CastOp, u16)>,
    predicate: IntPredicate,
    bits: u16,
    other: Operand,
}

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
        let mut search =
            Search { body, cfg, dominators, pointer_bits, constant, made_by: made_by(body), guards: Guards::none() };
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

    /// The same where an edge is taken from a block.
    pub fn on_edge(&self, edge: EdgeId, register: Reg, held: Held, other: &dyn Fn(Operand) -> Held) -> Held {
        self.of_edges.get(&edge).into_iter().fold(held, |held, guards| narrowed(guards, register, held, other))
    }
}

fn narrowed(guards: &[Guard], register: Reg, mut held: Held, other: &dyn Fn(Operand) -> Held) -> Held {
    let mine = || guards.iter().filter(|guard| guard.register == register);
    // Whether a number has a sign may be told by one, and what that means for another by the next.
    for guard in mine().chain(mine()) {
        if !matches!(held, Held::Number(_) | Held::Any) {
            break;
        }
        held = guard.narrowed(&held, &other(guard.other));
    }
    held
}

impl Guard {
    /// What a register holds for which this comparison is true.
    fn narrowed(&self, held: &Held, other: &Held) -> Held {
        let bits = self.bits;
        if bits > 64 || matches!(other, Held::Nothing | Held::Pointers { .. }) {
            return held.clone();
        }
        let all = u64::MAX >> (64 - bits);
        let inner = self.through.map_or(all, |(_, from)| u64::MAX >> (64 - from));
        let (mut low, mut high) = held.bounds(self.through.map_or(bits, |(_, from)| from));
        let is_signed = matches!(self.through, Some((CastOp::SignExtend, _)));
        if is_signed && high > inner >> 1 {
            (low, high) = (0, all);
        }
        let (least, most) = other.bounds(bits);
        // Without a sign, what is not negative is less than all that is.
        let positive = all >> 1;
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
            Sgt if matches!(other, Held::Word(word) if signed(*word, bits) == -1) => high = high.min(positive),
            _ => return held.clone(),
        }
        // What is extended is the number itself if that has no sign.
        let limit = if is_signed { inner >> 1 } else { inner };
        if low > high || high > limit && is_signed {
            return held.clone();
        }
        held.within(low, high.min(limit))
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
        // What this block makes anew is not what was spoken of before it.
        let data = &self.body.blocks[block];
        let makes = |inst: &Inst, register: Reg| match inst {
            Inst::Call { call } => self.body.calls[*call].results.contains(&register),
            inst => inst.dst() == Some(register),
        };
        let is_made_here =
            |register: Reg| data.params.contains(&register) || data.insts.iter().any(|inst| makes(inst, register));
        found.extend(said.into_iter().filter(|guard| !is_made_here(guard.register)));
    }

    fn compared(&self, one: Operand, predicate: IntPredicate, bits: u16, other: Operand, found: &mut Vec<Guard>) {
        let OperandKind::Reg(register) = one.kind() else { return };
        found.push(Guard { register, through: None, predicate, bits, other });
        if let Some(Maker::Inst(Inst::Cast { op, from, src, .. })) = self.made_by.get(&register)
            && matches!(op, CastOp::ZeroExtend | CastOp::SignExtend)
            && let OperandKind::Reg(register) = src.kind()
        {
            let through = Some((*op, from.bits(self.pointer_bits)));
            found.push(Guard { register, through, predicate, bits, other });
        }
    }
}
