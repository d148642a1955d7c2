//! Small functions whose code takes the place of a call: one block that computes and loads, and does nothing else.
//!
//! Such code can be given up at any operation, since nothing has happened: then the call itself is executed.

use cranelift_entity::EntityRef;
use symcrete_ir::{Block, Body, Call, CallData, Callee, Inst, Operand, Program, Reg, Terminator, convention};

use super::compile::{Compiler, count_uses};
use super::{Op, OpCode, Origin, Slot};

/// More instructions than this are worth a call.
const LARGEST: usize = 24;

/// Where the registers of an inlined function are: its parameters are the caller's arguments.
pub struct Inlined {
    args: Vec<Slot>,
    /// The slot of register 0.
    base: Slot,
    /// Registers that are returned stand where the caller wants them.
    results: Vec<(Reg, Slot)>,
}

impl Inlined {
    pub fn register(&self, reg: Reg) -> Slot {
        if let Some(arg) = self.args.get(reg.index()) {
            return *arg;
        }
        match self.results.iter().find(|(result, _)| *result == reg) {
            Some((_, slot)) => *slot,
            None => self.base + reg.as_u32(),
        }
    }
}

/// The body of the function that a call names, if its code may take the call's place.
pub fn candidate<'a>(program: &'a Program, data: &CallData) -> Option<&'a Body> {
    let Callee::Direct(function) = data.callee else { return None };
    let function = &program.functions[function];
    let body = function.body.as_ref()?;
    if function.variadic || !data.by_value.is_empty() || body.blocks.len() != 1 {
        return None;
    }
    let block = &body.blocks[Block::ENTRY];
    let Terminator::Return(values) = &block.terminator else { return None };
    let params_first = block.params.iter().enumerate().all(|(at, param)| param.index() == at);
    let fits = params_first && convention::agrees(data, function) && data.results.len() <= values.len();
    (fits && block.insts.len() <= LARGEST && block.insts.iter().all(only_computes)).then_some(body)
}

fn only_computes(inst: &Inst) -> bool {
    match inst {
        Inst::Binary { .. }
        | Inst::IntCompare { .. }
        | Inst::Cast { .. }
        | Inst::Select { .. }
        | Inst::Address { .. }
        | Inst::FloatBinary { .. }
        | Inst::FloatCompare { .. }
        | Inst::Freeze { .. }
        | Inst::Copy { .. } => true,
        Inst::Load { volatile, .. } => !volatile,
        Inst::FloatNegate { .. } | Inst::Store { .. } | Inst::Alloca { .. } | Inst::Call { .. } | Inst::Marker => false,
    }
}

impl<'a> Compiler<'a> {
    /// Emits the callee's code in place of the call; `None`, with nothing emitted, if that cannot be.
    pub(super) fn inline_call(&mut self, call: Call) -> Option<()> {
        let caller = self.body;
        let data = &caller.calls[call];
        let body = candidate(self.program, data)?;
        let Callee::Direct(callee) = data.callee else { return None };
        let Terminator::Return(values) = &body.blocks[Block::ENTRY].terminator else { return None };
        let result_slots: Vec<Slot> = data.results.iter().map(|result| self.register(*result)).collect();
        let inlined = Inlined {
            args: data.args.iter().map(|arg| self.slot(*arg)).collect(),
            base: self.code.first_register + caller.registers.len() as Slot,
            results: direct_results(values, &result_slots, data.args.len()),
        };
        let before = (self.code.ops.len(), self.code.conversions.len());
        let uses = std::mem::replace(&mut self.uses, count_uses(body));
        self.body = body;
        let function = std::mem::replace(&mut self.function, callee);
        self.inlined = Some(inlined);
        let done = self.inline_block(values, &result_slots);
        self.inlined = None;
        self.body = caller;
        self.function = function;
        self.uses = uses;
        if done.is_none() {
            self.code.ops.truncate(before.0);
            self.code.origins.truncate(before.0);
            self.code.conversions.truncate(before.1);
        }
        done
    }

    fn inline_block(&mut self, values: &[Operand], result_slots: &[Slot]) -> Option<()> {
        let insts = &self.body.blocks[Block::ENTRY].insts;
        let mut at = 0;
        while at < insts.len() {
            match self.join_access(&insts[at..]) {
                Some((length, op)) => {
                    self.emit(op);
                    at += length;
                }
                None => {
                    self.compile_inst(&insts[at])?;
                    at += 1;
                }
            }
        }
        for (value, result) in values.iter().zip(result_slots) {
            let a = self.slot(*value);
            if a != *result {
                self.emit(Op { code: OpCode::Move, x: 0, y: 0, dst: *result, a, b: a, c: 0 });
            }
        }
        // A call that computes nothing still is an instruction with a place of its own.
        let Origin { first, .. } = self.origin;
        if self.code.origins.last().is_none_or(|origin| origin.first != first) {
            return None;
        }
        Some(())
    }
}

/// The registers that are returned once and are not parameters: they can be computed where the result belongs.
fn direct_results(values: &[Operand], slots: &[Slot], params: usize) -> Vec<(Reg, Slot)> {
    let mut direct: Vec<(Reg, Slot)> = Vec::new();
    for (value, slot) in values.iter().zip(slots) {
        if let Some(reg) = value.as_reg()
            && reg.index() >= params
            && direct.iter().all(|(known, _)| *known != reg)
        {
            direct.push((reg, *slot));
        }
    }
    direct
}
