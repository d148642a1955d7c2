//! Replaces loads by the value last stored, stores by nothing, and copies by what they copy, walking the dominator tree.
//! What is replaced becomes a marker; `cleanup` drops those that no line needs.

use cranelift_entity::EntityRef;

use super::candidates::{Slot, Slots, conversion};
use super::placement::Placement;
use super::rewrite::{operands_mut, terminator_operands_mut};
use crate::inst::Callee;
use crate::{
    Block, Body, Call, Cfg, Const, Constant, Dominators, EdgeId, Inst, Operand, Program, Reg, Terminator, Type,
};

pub(super) fn rename(
    program: &mut Program,
    body: &mut Body,
    cfg: &Cfg,
    dominators: &Dominators,
    slots: &Slots,
    placement: &Placement,
) {
    let mut names = vec![None; slots.len()];
    for (register, variable) in body.locals.iter().rev() {
        if let Some(slot) = slots.at((*register).into()) {
            names[slot.index()] = Some(variable.name.clone().into_boxed_str());
        }
    }
    let mut renamer = Renamer {
        program,
        cfg,
        slots,
        placement,
        names,
        undefined: vec![None; slots.len()],
        current: vec![None; slots.len()],
        replaced: vec![None; body.registers.len()],
        history: Vec::new(),
        body,
    };
    renamer.walk(dominators);
    renamer.rename_unreachable();
}

struct Renamer<'a> {
    program: &'a mut Program,
    body: &'a mut Body,
    cfg: &'a Cfg,
    slots: &'a Slots,
    placement: &'a Placement,
    /// The variables' names in the source.
    names: Vec<Option<Box<str>>>,
    /// What reading each variable yields before it is written.
    undefined: Vec<Option<Const>>,
    /// The value of each variable here.
    current: Vec<Option<Operand>>,
    /// What stands for a register that no longer is; never itself a register that is replaced.
    replaced: Vec<Option<Operand>>,
    /// The values that `current` had, to be restored on the way back up the tree.
    history: Vec<(Slot, Option<Operand>)>,
}

enum Step {
    Enter(Block),
    /// Back to the length that the history had.
    Leave(usize),
}

impl Renamer<'_> {
    fn walk(&mut self, dominators: &Dominators) {
        let mut steps = vec![Step::Enter(Block::ENTRY)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(block) => {
                    steps.push(Step::Leave(self.history.len()));
                    self.enter(block);
                    steps.extend(dominators.children(block).map(Step::Enter));
                }
                Step::Leave(length) => {
                    for (slot, value) in self.history.drain(length..).rev() {
                        self.current[slot.index()] = value;
                    }
                }
            }
        }
    }

    fn enter(&mut self, block: Block) {
        let placement = self.placement;
        for &slot in placement.of(block) {
            let param = self.new_register(self.slots.ty(slot));
            self.body.blocks[block].params.push(param);
            self.assign(slot, param.into());
        }
        let mut insts = std::mem::take(&mut self.body.blocks[block].insts);
        insts.iter_mut().for_each(|inst| self.inst(inst));
        self.body.blocks[block].insts = insts;
        self.leave_block(block);
    }

    /// The terminator and the edges behind it.
    fn leave_block(&mut self, block: Block) {
        let mut terminator = std::mem::replace(&mut self.body.blocks[block].terminator, Terminator::Unreachable);
        terminator_operands_mut(&mut terminator, |operand| *operand = self.resolve(*operand));
        if let Terminator::Invoke { call, .. } = terminator {
            self.call(call);
        }
        self.body.blocks[block].terminator = terminator;
        let cfg = self.cfg;
        for &edge in cfg.successors(block) {
            self.edge(edge);
        }
    }

    fn edge(&mut self, edge: EdgeId) {
        let placement = self.placement;
        let mut args = std::mem::take(&mut self.body.edges[edge].args);
        args.iter_mut().for_each(|arg| *arg = self.resolve(*arg));
        args.extend(placement.of(self.cfg.target(edge)).iter().map(|slot| self.value(*slot)));
        self.body.edges[edge].args = args;
    }

    fn new_register(&mut self, ty: Type) -> Reg {
        self.replaced.push(None);
        self.body.registers.push(ty)
    }

    fn assign(&mut self, slot: Slot, value: Operand) {
        let before = self.current[slot.index()].replace(value);
        self.history.push((slot, before));
    }

    #[inline]
    fn resolve(&self, operand: Operand) -> Operand {
        operand.as_reg().and_then(|register| self.replaced[register.index()]).unwrap_or(operand)
    }

    fn value(&mut self, slot: Slot) -> Operand {
        match (self.current[slot.index()], self.undefined[slot.index()]) {
            (Some(value), _) => value,
            (None, Some(constant)) => constant.into(),
            (None, None) => {
                let constant = self.undefined_at(slot, self.slots.ty(slot));
                self.undefined[slot.index()] = Some(constant);
                constant.into()
            }
        }
    }

    fn undefined_at(&mut self, slot: Slot, ty: Type) -> Const {
        let variable = self.names[slot.index()].clone();
        self.program.constant(Constant::Undefined { ty, variable })
    }

    fn cast(&self, dst: Reg, from: Type, to: Type, src: Operand) -> Option<Inst> {
        let op = conversion(from, to, self.program.layout.pointer_bits)?;
        Some(Inst::Cast { op, from, to, dst, src })
    }

    fn inst(&mut self, inst: &mut Inst) {
        match *inst {
            Inst::Load { ty, dst, address, .. } => {
                if let Some(slot) = self.slots.at(address) {
                    *inst = self.load(slot, ty, dst);
                    return;
                }
            }
            Inst::Store { ty, address, value, .. } => {
                if let Some(slot) = self.slots.at(address) {
                    *inst = self.store(slot, ty, value);
                    return;
                }
            }
            Inst::Alloca { dst, .. } if self.slots.at(dst.into()).is_some() => *inst = Inst::Marker,
            Inst::Copy { dst, src, .. } => {
                self.replaced[dst.index()] = Some(self.resolve(src));
                *inst = Inst::Marker;
            }
            _ => {}
        }
        self.operands(inst);
    }

    fn operands(&mut self, inst: &mut Inst) {
        operands_mut(inst, |operand| *operand = self.resolve(*operand));
        match *inst {
            Inst::Address { first_term, terms, .. } => {
                for at in first_term as usize..first_term as usize + usize::from(terms) {
                    self.body.address_terms[at].index = self.resolve(self.body.address_terms[at].index);
                }
            }
            Inst::Call { call } => self.call(call),
            _ => {}
        }
    }

    fn load(&mut self, slot: Slot, ty: Type, dst: Reg) -> Inst {
        let stored = self.slots.ty(slot);
        let value = match self.current[slot.index()] {
            Some(value) if ty != stored => match self.cast(dst, stored, ty, value) {
                Some(cast) => return cast,
                None => self.undefined_at(slot, ty).into(),
            },
            None if ty != stored => self.undefined_at(slot, ty).into(),
            _ => self.value(slot),
        };
        self.replaced[dst.index()] = Some(value);
        Inst::Marker
    }

    fn store(&mut self, slot: Slot, ty: Type, value: Operand) -> Inst {
        let stored = self.slots.ty(slot);
        let value = self.resolve(value);
        if ty != stored {
            let register = self.new_register(stored);
            self.assign(slot, register.into());
            return self.cast(register, ty, stored, value).unwrap_or(Inst::Marker);
        }
        self.assign(slot, value);
        Inst::Marker
    }

    fn call(&mut self, call: Call) {
        let mut data = std::mem::take(&mut self.body.calls[call].args);
        data.iter_mut().for_each(|arg| *arg = self.resolve(*arg));
        self.body.calls[call].args = data;
        if let Callee::Indirect(target) = self.body.calls[call].callee {
            self.body.calls[call].callee = Callee::Indirect(self.resolve(target));
        }
    }

    /// Unreachable blocks may use registers in any order and even in circles, so their copies stay, and what they read from
    /// a promoted variable is undefined.
    fn rename_unreachable(&mut self) {
        let cfg = self.cfg;
        let unreachable: Vec<Block> = self.body.blocks.keys().filter(|block| !cfg.is_reachable(*block)).collect();
        for &block in &unreachable {
            for at in 0..self.body.blocks[block].insts.len() {
                let promoted = match self.body.blocks[block].insts[at] {
                    Inst::Load { ty, dst, address, .. } => self.slots.at(address).map(|slot| (slot, Some((ty, dst)))),
                    Inst::Store { address, .. } => self.slots.at(address).map(|slot| (slot, None)),
                    _ => None,
                };
                if let Some((slot, loaded)) = promoted {
                    self.body.blocks[block].insts[at] = Inst::Marker;
                    if let Some((ty, dst)) = loaded {
                        self.replaced[dst.index()] = Some(self.undefined_at(slot, ty).into());
                    }
                }
            }
        }
        for &block in &unreachable {
            let mut insts = std::mem::take(&mut self.body.blocks[block].insts);
            insts.iter_mut().for_each(|inst| self.operands(inst));
            self.body.blocks[block].insts = insts;
            self.leave_block(block);
        }
    }
}
