//! Functions: their signature, and the body as blocks of instructions joined by edges.

use cranelift_entity::{PrimaryMap, SecondaryMap};

use crate::Initialiser;
use crate::debug::FunctionDebug;
use crate::ids::SwitchId;
use crate::inst::{AddressTerm, CallData, Inst, SwitchTable, Terminator};
use crate::{Block, Call, Const, EdgeId, LocId, Operand, Reg, Type};

#[derive(Clone, Debug)]
pub struct Function {
    /// As the linker knows it; internal functions of different modules may share a name.
    pub name: String,
    pub params: Vec<Param>,
    pub results: Vec<Type>,
    pub variadic: bool,
    /// Whether a result of fewer than 32 bits is returned with its sign above it, rather than zeroes.
    pub sign_extended_result: bool,
    pub linkage: Linkage,
    /// Data that stands in the text, at these distances from the function's address: what compilers let callers look at.
    pub text_data: Vec<(i64, Initialiser)>,
    /// `None`: defined nowhere in the program, so external.
    pub body: Option<Body>,
    pub debug: Option<Box<FunctionDebug>>,
    /// Part of Symcrete's own C runtime rather than of the program under test.
    pub runtime: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// Visible to other modules: a possible entry.
    External,
    Internal,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub ty: Type,
    /// Passed in memory: the callee owns a copy of this many bytes.
    pub by_value: Option<u64>,
    /// An integer that native code gets with zeroes above it: an unsigned type, narrower than a machine word.
    pub zero_extended: bool,
}

impl Param {
    pub fn new(ty: Type) -> Param {
        Param { ty, by_value: None, zero_extended: false }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Body {
    pub registers: PrimaryMap<Reg, Type>,
    pub blocks: PrimaryMap<Block, BlockData>,
    pub edges: PrimaryMap<EdgeId, Edge>,
    pub calls: PrimaryMap<Call, CallData>,
    pub switches: PrimaryMap<SwitchId, SwitchTable>,
    pub address_terms: Vec<AddressTerm>,
    /// The name and C type of the local variable that an alloca's register stands for, in order of the register.
    pub locals: Vec<(Reg, crate::debug::Variable)>,
    /// The local variables that promotion took out of memory, in the order they had in `locals`.
    pub promoted_locals: Vec<crate::debug::Variable>,
    /// Markers that were taken out of the blocks: where each stood (before which instruction), and its location.
    pub markers: Vec<(Block, u32, LocId)>,
    /// May come back twice from a call (`setjmp`): such a function keeps its variables in memory.
    pub calls_returns_twice: bool,
}

/// Block 0 is the entry; its parameters are those of the function. It has no predecessors.
#[derive(Clone, Debug)]
pub struct BlockData {
    /// Registers assigned on entry from the arguments of the edge taken.
    pub params: Vec<Reg>,
    pub insts: Vec<Inst>,
    /// One location for each instruction.
    pub locs: Vec<LocId>,
    pub terminator: Terminator,
    pub terminator_loc: LocId,
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub source: Block,
    pub target: Block,
    /// One argument for each parameter of the target, assigned in parallel.
    pub args: Vec<Operand>,
    /// Whether some argument is a parameter that an earlier assignment of the same edge overwrites.
    pub overlaps: bool,
}

impl Function {
    /// The name as written in the source, where the debug information tells it.
    pub fn source_name(&self) -> &str {
        match &self.debug {
            Some(debug) if !debug.name.is_empty() => &debug.name,
            _ => &self.name,
        }
    }
}

impl Body {
    pub const ENTRY: Block = Block::ENTRY;

    /// The edges that leave a block, in the order of its terminator; a switch lists its cases, then the default.
    pub fn successors(&self, block: Block) -> Vec<EdgeId> {
        match &self.blocks[block].terminator {
            Terminator::Jump(edge) => vec![*edge],
            Terminator::Branch { if_true, if_false, .. } => vec![*if_true, *if_false],
            Terminator::Switch { table, .. } => {
                let table = &self.switches[*table];
                table.cases.iter().map(|case| case.1).chain([table.default]).collect()
            }
            Terminator::IndirectJump { targets, .. } => targets.clone(),
            Terminator::Invoke { normal, unwind, .. } => vec![*normal, *unwind],
            Terminator::Unsupported { successors, .. } => successors.clone(),
            Terminator::Return(_) | Terminator::Resume(_) | Terminator::Unreachable => Vec::new(),
        }
    }

    /// Calls `visit` on each operand that an instruction reads.
    pub fn visit_operands(&self, inst: &Inst, mut visit: impl FnMut(Operand)) {
        match *inst {
            Inst::Binary { lhs, rhs, .. }
            | Inst::FloatBinary { lhs, rhs, .. }
            | Inst::IntCompare { lhs, rhs, .. }
            | Inst::FloatCompare { lhs, rhs, .. } => {
                visit(lhs);
                visit(rhs);
            }
            Inst::FloatNegate { src, .. }
            | Inst::Cast { src, .. }
            | Inst::Freeze { src, .. }
            | Inst::Copy { src, .. } => visit(src),
            Inst::Select { condition, if_true, if_false, .. } => {
                visit(condition);
                visit(if_true);
                visit(if_false);
            }
            Inst::Address { base, first_term, terms, .. } => {
                visit(base);
                self.terms(first_term, terms).iter().for_each(|term| visit(term.index));
            }
            Inst::Load { address, .. } => visit(address),
            Inst::Store { address, value, .. } => {
                visit(address);
                visit(value);
            }
            Inst::Alloca { count, .. } => visit(count),
            Inst::Call { call } => self.visit_call_operands(call, visit),
            Inst::Marker => {}
        }
    }

    pub fn visit_call_operands(&self, call: Call, mut visit: impl FnMut(Operand)) {
        let data = &self.calls[call];
        if let crate::Callee::Indirect(target) = data.callee {
            visit(target);
        }
        data.args.iter().for_each(|arg| visit(*arg));
    }

    /// Calls `visit` on each operand that a terminator reads, the arguments of its edges not included.
    pub fn visit_terminator_operands(&self, terminator: &Terminator, mut visit: impl FnMut(Operand)) {
        match terminator {
            Terminator::Branch { condition, .. } => visit(*condition),
            Terminator::Switch { value, .. } => visit(*value),
            Terminator::IndirectJump { address, .. } => visit(*address),
            Terminator::Return(values) | Terminator::Resume(values) => values.iter().for_each(|value| visit(*value)),
            Terminator::Invoke { call, .. } => self.visit_call_operands(*call, visit),
            Terminator::Jump(_) | Terminator::Unreachable | Terminator::Unsupported { .. } => {}
        }
    }

    #[inline(always)]
    pub fn terms(&self, first: u32, count: u16) -> &[AddressTerm] {
        &self.address_terms[first as usize..first as usize + count as usize]
    }

    /// The type of an operand.
    pub fn operand_type(&self, operand: Operand, constants: &PrimaryMap<Const, crate::Constant>) -> Type {
        match operand.kind() {
            crate::OperandKind::Reg(reg) => self.registers[reg],
            crate::OperandKind::Const(constant) => constants[constant].ty(),
        }
    }

    /// Takes the markers out of the blocks, so that the executor does not step over them. What covers their block and place
    /// covers them.
    pub fn set_markers_aside(&mut self) {
        for (id, block) in self.blocks.iter_mut() {
            if !block.insts.contains(&Inst::Marker) {
                continue;
            }
            let (insts, locs) = (std::mem::take(&mut block.insts), std::mem::take(&mut block.locs));
            for (inst, loc) in insts.into_iter().zip(locs) {
                if inst == Inst::Marker {
                    self.markers.push((id, block.insts.len() as u32, loc));
                } else {
                    block.insts.push(inst);
                    block.locs.push(loc);
                }
            }
        }
    }

    /// Sets `Edge::overlaps` of every edge; to be called once the edges' arguments are final.
    pub fn mark_overlaps(&mut self) {
        // Which parameter of which block a register is, so that wide edges cost no more than their length.
        let mut param_of: SecondaryMap<Reg, Option<(Block, u32)>> = SecondaryMap::with_capacity(self.registers.len());
        for (block, data) in self.blocks.iter() {
            for (at, param) in data.params.iter().enumerate() {
                param_of[*param] = Some((block, at as u32));
            }
        }
        for edge in self.edges.values_mut() {
            let overwritten = |at: usize, reg: Reg| {
                param_of[reg].is_some_and(|(block, param)| block == edge.target && (param as usize) < at)
            };
            edge.overlaps =
                edge.args.iter().enumerate().any(|(at, arg)| arg.as_reg().is_some_and(|reg| overwritten(at, reg)));
        }
    }
}
