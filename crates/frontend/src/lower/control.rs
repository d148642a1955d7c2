//! Control flow: phis as block parameters, terminators, edges and their arguments.

use cranelift_entity::EntityRef;
use symcrete_ir::{Block, Edge, EdgeId, Operand, SwitchTable, Terminator, Type};

use super::function::{FunctionLowering, is_phi};
use super::lanes::Arithmetic;
use super::{Result, malformed, unsupported};
use crate::module::{BlockId, ConstantId, Instruction, InstructionKind, Value};

impl FunctionLowering<'_, '_> {
    /// A phi becomes parameters of its block; what they get is filled in when all values are there.
    pub fn phi(&mut self, instruction: &Instruction) -> Result<()> {
        let (lowered, params) = self.fresh(instruction.ty)?;
        self.body.blocks[self.block].params.extend(params);
        self.define_lowered(instruction, lowered);
        Ok(())
    }

    pub fn terminator(&mut self, instruction: &Instruction) -> Result<()> {
        use InstructionKind as Kind;
        let terminator = match &instruction.kind {
            Kind::Return { value } => {
                let operands = value.map_or(Ok(Vec::new()), |value| self.list(value))?;
                Terminator::Return(operands)
            }
            Kind::Branch { target } => Terminator::Jump(self.edge(*target)?),
            Kind::ConditionalBranch { condition, if_true, if_false } => {
                let condition = self.scalar(*condition)?;
                if self.type_of(condition) != Type::BOOL {
                    return Err(malformed("a branch on something that is no truth value"));
                }
                Terminator::Branch { condition, if_true: self.edge(*if_true)?, if_false: self.edge(*if_false)? }
            }
            Kind::Switch { value, default, cases } => self.switch(*value, *default, cases)?,
            Kind::IndirectBranch { address, targets } => {
                let address = self.scalar(*address)?;
                let targets = self.edges(targets)?;
                Terminator::IndirectJump { address, targets }
            }
            Kind::Invoke { call, normal, unwind } => match self.invoke(instruction, call)? {
                Some(call) => Terminator::Invoke { call, normal: self.edge(*normal)?, unwind: self.edge(*unwind)? },
                // What became plain instructions cannot throw.
                None => Terminator::Jump(self.edge(*normal)?),
            },
            Kind::Resume { value } => Terminator::Resume(self.list(*value)?),
            Kind::Unreachable => Terminator::Unreachable,
            Kind::CallBranch { .. } => return self.unsupported_terminator(instruction, "inline assembly that jumps"),
            _ => return self.unsupported_terminator(instruction, "the handling of a Windows exception"),
        };
        self.set_terminator(terminator);
        Ok(())
    }

    fn set_terminator(&mut self, terminator: Terminator) {
        let block = &mut self.body.blocks[self.block];
        block.terminator = terminator;
        block.terminator_loc = self.location;
    }

    /// A terminator that ends the path when it is reached; the analyses still see where it leads.
    pub fn unsupported_terminator(&mut self, instruction: &Instruction, what: &str) -> Result<()> {
        let undefined = self.undefined_list(instruction.ty)?;
        self.define(instruction, &undefined)?;
        let mut targets = Vec::new();
        instruction.kind.for_each_successor(|target| targets.push(target));
        let terminator = Terminator::Unsupported { what: what.into(), successors: self.edges(&targets)? };
        self.set_terminator(terminator);
        Ok(())
    }

    fn edges(&mut self, targets: &[BlockId]) -> Result<Vec<EdgeId>> {
        targets.iter().map(|target| self.edge(*target)).collect()
    }

    /// A new edge from the current block.
    fn edge(&mut self, target: BlockId) -> Result<EdgeId> {
        if target.index() == 0 {
            return Err(malformed("a jump to the entry of a function"));
        }
        self.spend(1)?;
        let target = Block::from_u32(target.as_u32());
        Ok(self.body.edges.push(Edge { source: self.block, target, args: Vec::new(), overlaps: false }))
    }

    fn switch(&mut self, value: Value, default: BlockId, cases: &[(ConstantId, BlockId)]) -> Result<Terminator> {
        let value = self.scalar(value)?;
        let ty = self.type_of(value);
        if !ty.is_int() {
            return Err(malformed("a switch on something that is no integer"));
        }
        if ty.bits(0) > 64 {
            return Err(unsupported(format!("a switch on an integer of {} bits", ty.bits(0))));
        }
        let mut sorted = Vec::with_capacity(cases.len());
        for (constant, target) in cases {
            let constant = self.lowering.constant_scalar(self.unit_index, *constant)?.as_const();
            let bits = constant.and_then(|constant| self.lowering.known_word(constant));
            sorted.push((bits.ok_or_else(|| malformed("a case that is no number"))?, *target));
        }
        sorted.sort_by_key(|case| case.0);
        if sorted.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(malformed("a switch with two cases of one value"));
        }
        let mut edges = Vec::with_capacity(sorted.len());
        for (bits, target) in sorted {
            edges.push((bits, self.edge(target)?));
        }
        let default = self.edge(default)?;
        let table = self.body.switches.push(SwitchTable { cases: edges, default });
        Ok(Terminator::Switch { value, ty, table })
    }

    /// Gives the edges their arguments: for each phi of the target what it lists for the source.
    pub fn fill_edges(&mut self) -> Result<()> {
        let source = self.source;
        let mut into: Vec<(Block, EdgeId)> = self.body.edges.iter().map(|(id, edge)| (edge.target, id)).collect();
        into.sort_unstable();
        let mut value_from: Vec<Option<Value>> = vec![None; source.blocks.len()];
        for edges in into.chunk_by(|a, b| a.0 == b.0) {
            let target = edges[0].0;
            if self.body.blocks[target].params.is_empty() {
                continue;
            }
            let phis = source.instructions_of(BlockId::from_u32(target.as_u32()));
            for (_, phi) in phis.take_while(|(_, instruction)| is_phi(instruction)) {
                let InstructionKind::Phi { incoming, .. } = &phi.kind else { continue };
                incoming.iter().for_each(|(value, block)| value_from[block.index()] = Some(*value));
                for (_, edge) in edges {
                    let from = self.body.edges[*edge].source.index();
                    let value = value_from[from].ok_or_else(|| malformed("a phi that misses an edge"))?;
                    self.push_arguments(*edge, value)?;
                }
                incoming.iter().for_each(|(_, block)| value_from[block.index()] = None);
            }
            self.finish_edges(target, edges)?;
        }
        Ok(())
    }

    fn push_arguments(&mut self, edge: EdgeId, value: Value) -> Result<()> {
        self.spend(1)?;
        if self.unit.types.count(self.type_id(value)) == 1 {
            let operand = self.scalar(value)?;
            self.body.edges[edge].args.push(operand);
        } else {
            let operands = self.list(value)?;
            self.body.edges[edge].args.extend(operands);
        }
        Ok(())
    }

    /// Checks the arguments of all edges into a block, and notes where they must be assigned with care.
    fn finish_edges(&mut self, target: Block, edges: &[(Block, EdgeId)]) -> Result<()> {
        let params = std::mem::take(&mut self.body.blocks[target].params);
        // Parameters of one block are made together, so their registers are neighbours.
        let base = params.first().map_or(0, |param| param.index());
        if params.iter().enumerate().any(|(at, param)| param.index() != base + at) {
            return Err(malformed("phis that do not come first"));
        }
        let place_of = |operand: Operand| {
            let place = operand.as_reg()?.index().checked_sub(base)?;
            (place < params.len()).then_some(place)
        };
        for (_, edge) in edges {
            let args = &self.body.edges[*edge].args;
            let fits = args.len() == params.len()
                && args.iter().zip(&params).all(|(arg, param)| self.type_of(*arg) == self.body.registers[*param]);
            if !fits {
                return Err(malformed("a phi of different types"));
            }
            let overlaps = args.iter().enumerate().any(|(at, arg)| place_of(*arg).is_some_and(|place| place < at));
            self.body.edges[*edge].overlaps = overlaps;
        }
        self.body.blocks[target].params = params;
        Ok(())
    }
}
