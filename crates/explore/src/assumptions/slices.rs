//! What a register has a part in, within one function: whether it may decide where the program goes or what memory contains.

use symcrete_exec::Image;
use symcrete_ir::{Body, Callee, EdgeId, Inst, Operand, Reg, Terminator};

use super::PRINTS;

/// Whether any of these registers has a part in a branch, in memory, in what is returned or passed on.
pub fn matters(image: &Image, body: &Body, registers: &[Reg]) -> bool {
    let mut slice: Vec<Reg> = registers.to_vec();
    let mut at = 0;
    while at < slice.len() {
        let register = slice[at];
        at += 1;
        match uses(image, body, register) {
            None => return true,
            Some(derived) => {
                for register in derived {
                    if !slice.contains(&register) {
                        slice.push(register);
                    }
                }
            }
        }
    }
    false
}

/// The registers that are computed from one; `None` if it is used for more than that.
fn uses(image: &Image, body: &Body, register: Reg) -> Option<Vec<Reg>> {
    let mut derived = Vec::new();
    let is_it = |operand: Operand| operand.as_reg() == Some(register);
    for (block, data) in body.blocks.iter() {
        for inst in &data.insts {
            let mut is_used = false;
            body.visit_operands(inst, |operand| is_used |= is_it(operand));
            if !is_used {
                continue;
            }
            match inst {
                Inst::Call { call } => match body.calls[*call].callee {
                    Callee::Direct(callee) if PRINTS.contains(&&*image.program.functions[callee].name) => {}
                    _ => return None,
                },
                Inst::Load { .. } | Inst::Store { .. } | Inst::Alloca { .. } => return None,
                inst => derived.extend(inst.dst()),
            }
        }
        let mut is_used = false;
        body.visit_terminator_operands(&data.terminator, |operand| is_used |= is_it(operand));
        if is_used {
            return None;
        }
        if let Terminator::Invoke { call, .. } = data.terminator {
            body.visit_call_operands(call, |operand| is_used |= is_it(operand));
        }
        if is_used {
            return None;
        }
        let edges: Vec<EdgeId> = body.successors(block);
        for edge in edges.iter().map(|edge| &body.edges[*edge]) {
            let params = edge.args.iter().zip(&body.blocks[edge.target].params);
            derived.extend(params.filter(|(argument, _)| is_it(**argument)).map(|(_, param)| *param));
        }
    }
    Some(derived)
}

/// Whether an address is that of a local variable of which nobody else knows: only the function itself can write it.
pub fn is_own_slot(body: &Body, address: Operand) -> bool {
    let Some(register) = address.as_reg() else { return false };
    let insts = || body.blocks.values().flat_map(|block| &block.insts);
    let definition = insts().find(|inst| inst.dst() == Some(register));
    match definition {
        Some(Inst::Alloca { .. }) => !escapes(body, register),
        Some(Inst::Address { base, .. }) if base.as_reg() != Some(register) => is_own_slot(body, *base),
        _ => false,
    }
}

/// Whether an address is used for more than loads, stores, and addresses that are not.
fn escapes(body: &Body, slot: Reg) -> bool {
    let is_it = |operand: Operand| operand.as_reg() == Some(slot);
    let mut found = false;
    for (_, data) in body.blocks.iter() {
        for inst in &data.insts {
            match inst {
                Inst::Load { .. } => {}
                Inst::Store { value, .. } => found |= is_it(*value),
                Inst::Address { dst, base, .. } if is_it(*base) => found |= escapes(body, *dst),
                inst => body.visit_operands(inst, |operand| found |= is_it(operand)),
            }
        }
        body.visit_terminator_operands(&data.terminator, |operand| found |= is_it(operand));
        if let Terminator::Invoke { call, .. } = data.terminator {
            body.visit_call_operands(call, |operand| found |= is_it(operand));
        }
    }
    found || body.edges.values().any(|edge| edge.args.iter().any(|argument| is_it(*argument)))
}
