//! Removes pure instructions that nobody reads, and the markers that no line needs.

use cranelift_entity::EntityRef;

use super::places::Places;
use crate::inst::{BinaryOp, CastOp};
use crate::{Block, Body, Inst, Operand, Reg};

/// Turns pure instructions whose result is never read into markers.
pub(super) fn remove_unread(body: &mut Body) {
    let mut uses = vec![0u32; body.registers.len()];
    let mut pure: Vec<Option<(Block, u32)>> = vec![None; body.registers.len()];
    let mut count = |operand: Operand| {
        if let Some(register) = operand.as_reg() {
            uses[register.index()] += 1;
        }
    };
    for (block, data) in body.blocks.iter() {
        for (at, inst) in data.insts.iter().enumerate() {
            body.visit_operands(inst, &mut count);
            if let Some(dst) = inst.dst().filter(|_| is_pure(inst)) {
                pure[dst.index()] = Some((block, at as u32));
            }
        }
        body.visit_terminator_operands(&data.terminator, &mut count);
    }
    body.edges.values().flat_map(|edge| &edge.args).for_each(|arg| count(*arg));
    let mut unread: Vec<Reg> = body.registers.keys().filter(|register| uses[register.index()] == 0).collect();
    while let Some(register) = unread.pop() {
        let Some((block, at)) = pure[register.index()] else { continue };
        let inst = std::mem::replace(&mut body.blocks[block].insts[at as usize], Inst::Marker);
        body.visit_operands(&inst, |operand| {
            if let Some(read) = operand.as_reg() {
                uses[read.index()] -= 1;
                if uses[read.index()] == 0 {
                    unread.push(read);
                }
            }
        });
    }
}

/// Whether an instruction does nothing but compute its result. What may be reported as a finding (a division, a shift too
/// far, a signed overflow, a float too large for an integer, an access to memory) is not pure even if nobody reads it.
fn is_pure(inst: &Inst) -> bool {
    match inst {
        Inst::Binary { op, flags, .. } => {
            matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
                && !flags.no_signed_wrap()
        }
        Inst::Cast { op, .. } => !matches!(op, CastOp::FloatToSigned | CastOp::FloatToUnsigned),
        Inst::FloatBinary { .. }
        | Inst::FloatNegate { .. }
        | Inst::IntCompare { .. }
        | Inst::FloatCompare { .. }
        | Inst::Select { .. }
        | Inst::Address { .. }
        | Inst::Freeze { .. }
        | Inst::Copy { .. } => true,
        Inst::Load { .. } | Inst::Store { .. } | Inst::Alloca { .. } | Inst::Call { .. } | Inst::Marker => false,
    }
}

/// Keeps a marker only if nothing else in its block, and no marker before it, stands at the same file, line and column.
pub(super) fn drop_needless_markers(body: &mut Body, places: &mut Places) {
    for data in body.blocks.values_mut() {
        if !data.insts.contains(&Inst::Marker) {
            continue;
        }
        places.next_block();
        places.see(data.terminator_loc);
        for (inst, loc) in data.insts.iter().zip(&data.locs) {
            if *inst != Inst::Marker {
                places.see(*loc);
            }
        }
        let mut kept = 0;
        for at in 0..data.insts.len() {
            if data.insts[at] != Inst::Marker || places.see(data.locs[at]) {
                data.insts[kept] = data.insts[at];
                data.locs[kept] = data.locs[at];
                kept += 1;
            }
        }
        data.insts.truncate(kept);
        data.locs.truncate(kept);
    }
}
