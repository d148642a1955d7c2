//! What can be checked only when a function or module is complete.

use cranelift_entity::{EntityRef, SecondaryMap};

use crate::module::{
    BlockId, ConstantId, ConstantKind, FunctionBody, GlobalKind, InstructionKind, MAXIMUM_CONSTANT_PARTS,
    MAXIMUM_NESTING, Module,
};

use super::Problem;

/// Whether phis list exactly the edges into their block, and nothing jumps to the entry.
pub(super) fn check_phis(body: &FunctionBody) -> Result<(), Problem> {
    let has_phis = |block: BlockId| {
        let first = &body.instructions[body.blocks[block].first];
        matches!(first.kind, InstructionKind::Phi { .. })
    };
    // The sources of the edges into each block that has phis. Blocks are visited in order, so each list is sorted.
    let mut sources: SecondaryMap<BlockId, Vec<BlockId>> = SecondaryMap::new();
    let mut entry_reached = false;
    for block in body.blocks.keys() {
        body.terminator(block).kind.for_each_successor(|target| {
            entry_reached |= target.index() == 0;
            if has_phis(target) {
                sources[target].push(block);
            }
        });
    }
    if entry_reached {
        return Err(Problem::Invalid("a jump to the entry of a function"));
    }
    let mut incoming_blocks = Vec::new();
    for block in body.blocks.keys().filter(|&block| has_phis(block)) {
        for (_, instruction) in body.instructions_of(block) {
            let InstructionKind::Phi { incoming, .. } = &instruction.kind else { break };
            incoming_blocks.clear();
            incoming_blocks.extend(incoming.iter().map(|edge| edge.1));
            incoming_blocks.sort_unstable();
            if incoming_blocks != sources[block] {
                return Err(Problem::Invalid("a phi that does not list the edges into its block"));
            }
        }
    }
    Ok(())
}

/// Whether constants (and aliases, which stand for constants) form no cycle and nest and expand within bounds.
pub(super) fn check_constants(module: &Module) -> Result<(), Problem> {
    #[derive(Clone, Copy)]
    enum State {
        New,
        /// Its operands are being looked at.
        Open,
        Done {
            nesting: u32,
            parts: u64,
        },
    }
    let mut states = vec![State::New; module.constants.len()];
    // Constants to visit; `true`: all operands have been.
    let mut work: Vec<(ConstantId, bool)> = Vec::new();
    for root in module.constants.keys() {
        work.push((root, false));
        while let Some((id, operands_done)) = work.pop() {
            if !operands_done {
                match states[id.index()] {
                    State::Done { .. } => continue,
                    // What is above it on the stack was reached from it.
                    State::Open => return Err(Problem::Invalid("a constant that contains itself")),
                    State::New => {}
                }
                states[id.index()] = State::Open;
                work.push((id, true));
                for_each_operand(module, id, |operand| {
                    if !matches!(states[operand.index()], State::Done { .. }) {
                        work.push((operand, false));
                    }
                });
                continue;
            }
            let (mut nesting, mut parts) = (1u32, 1u64);
            for_each_operand(module, id, |operand| {
                if let State::Done { nesting: depth, parts: count } = states[operand.index()] {
                    nesting = nesting.max(depth.saturating_add(1));
                    parts = parts.saturating_add(count);
                }
            });
            if nesting > MAXIMUM_NESTING || parts > MAXIMUM_CONSTANT_PARTS {
                return Err(Problem::Unsupported("a constant that nests too deeply"));
            }
            states[id.index()] = State::Done { nesting, parts };
        }
    }
    Ok(())
}

fn for_each_operand(module: &Module, id: ConstantId, mut visit: impl FnMut(ConstantId)) {
    match &module.constants[id].kind {
        ConstantKind::Aggregate(elements) => elements.iter().for_each(|&element| visit(element)),
        ConstantKind::Expression(expression) => expression.for_each_operand(visit),
        ConstantKind::Global(global) => {
            if let GlobalKind::Alias(alias) | GlobalKind::Ifunc(alias) = &module.globals[*global].kind {
                visit(alias.target);
            }
        }
        _ => {}
    }
}
