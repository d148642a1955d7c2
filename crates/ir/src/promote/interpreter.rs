//! A small interpreter, for tests only: it runs the instructions that `testing` generates, takes branches at random instead
//! of by their conditions, and writes down all that can be observed.

#![allow(clippy::unwrap_used)]

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

use crate::testing::Random;
use crate::{
    BinaryOp, Block, Body, Callee, CastOp, Cfg, Constant, EdgeId, FuncId, Inst, Operand, OperandKind, Program, Reg,
    Terminator, Type,
};

/// Bits, or `None` for what was never written.
pub(super) type Value = Option<u64>;

#[derive(Debug, PartialEq)]
pub(super) enum Event {
    Call(Vec<Value>),
    VolatileStore(Value),
    VolatileLoad(Value),
    /// The values of a terminator and the edge taken.
    Decision(Block, Vec<Value>, Option<EdgeId>),
}

pub(super) fn run(program: &Program, decisions: &mut Random) -> Vec<Event> {
    let body = program.functions[FuncId::from_u32(0)].body.as_ref().unwrap();
    let machine = Machine {
        program,
        body,
        registers: vec![None; body.registers.len()],
        memory: FxHashMap::default(),
        events: Vec::new(),
    };
    machine.run(decisions)
}

struct Machine<'a> {
    program: &'a Program,
    body: &'a Body,
    registers: Vec<Value>,
    memory: FxHashMap<u64, Value>,
    events: Vec<Event>,
}

const MAX_BLOCKS: usize = 60;

fn masked(ty: Type, bits: u64) -> u64 {
    bits & (u64::MAX >> (64 - ty.bits(64)))
}

impl Machine<'_> {
    fn run(mut self, decisions: &mut Random) -> Vec<Event> {
        let cfg = Cfg::new(self.body);
        for (at, param) in self.body.blocks[Block::ENTRY].params.iter().enumerate() {
            self.registers[param.index()] = Some(masked(self.body.registers[*param], 0x1234_5678_9abc_def1 << at));
        }
        let mut block = Block::ENTRY;
        for _ in 0..MAX_BLOCKS {
            let data = &self.body.blocks[block];
            data.insts.iter().for_each(|inst| self.step(inst));
            let mut values = Vec::new();
            self.body.visit_terminator_operands(&data.terminator, |operand| values.push(self.read(operand)));
            let edges = cfg.successors(block);
            let taken = (!edges.is_empty()).then(|| decisions.pick(edges));
            self.events.push(Event::Decision(block, values, taken));
            let Some(edge) = taken else {
                assert!(matches!(data.terminator, Terminator::Return(_)));
                break;
            };
            let edge = &self.body.edges[edge];
            let args: Vec<Value> = edge.args.iter().map(|arg| self.read(*arg)).collect();
            block = edge.target;
            for (param, arg) in self.body.blocks[block].params.iter().zip(args) {
                self.registers[param.index()] = arg;
            }
        }
        self.events
    }

    fn read(&self, operand: Operand) -> Value {
        match operand.kind() {
            OperandKind::Reg(register) => self.registers[register.index()],
            OperandKind::Const(constant) => match &self.program.constants[constant] {
                Constant::Word { bits, .. } => Some(*bits),
                Constant::Undefined { .. } => None,
                other => panic!("{other:?}"),
            },
        }
    }

    fn write(&mut self, register: Reg, value: Value) {
        let value = value.map(|bits| masked(self.body.registers[register], bits));
        self.registers[register.index()] = value;
    }

    fn step(&mut self, inst: &Inst) {
        match *inst {
            Inst::Binary { op, dst, lhs, rhs, .. } => {
                let apply = |lhs: u64, rhs: u64| match op {
                    BinaryOp::Add => lhs.wrapping_add(rhs),
                    BinaryOp::Mul => lhs.wrapping_mul(rhs),
                    BinaryOp::Xor => lhs ^ rhs,
                    other => panic!("{other:?}"),
                };
                let result = self.read(lhs).zip(self.read(rhs)).map(|(lhs, rhs)| apply(lhs, rhs));
                self.write(dst, result);
            }
            Inst::IntCompare { dst, lhs, rhs, .. } => {
                let result = self.read(lhs).zip(self.read(rhs)).map(|(lhs, rhs)| u64::from(lhs < rhs));
                self.write(dst, result);
            }
            Inst::Cast { op: CastOp::SignExtend, dst, src, .. } => {
                self.write(dst, self.read(src).map(|bits| bits as u32 as i32 as i64 as u64));
            }
            Inst::Cast { op: CastOp::Bitcast | CastOp::PointerToInt | CastOp::IntToPointer, dst, src, .. }
            | Inst::Copy { dst, src, .. } => self.write(dst, self.read(src)),
            Inst::Address { dst, base, offset, first_term, terms } => {
                let mut address = self.read(base).map(|base| base.wrapping_add_signed(offset.into()));
                for term in self.body.terms(first_term, terms) {
                    let index = self.read(term.index).map(|bits| i64::from(bits as u32 as i32));
                    let add = |(sum, index): (u64, i64)| sum.wrapping_add_signed(index.wrapping_mul(term.scale));
                    address = address.zip(index).map(add);
                }
                self.write(dst, address);
            }
            Inst::Alloca { dst, element_bytes, .. } => {
                let address = u64::from(element_bytes) << 32;
                self.write(dst, Some(address));
            }
            Inst::Load { dst, address, volatile, .. } => {
                let value = self.memory.get(&self.read(address).unwrap()).copied().flatten();
                if volatile {
                    self.events.push(Event::VolatileLoad(value));
                }
                self.write(dst, value);
            }
            Inst::Store { address, value, volatile, .. } => {
                let (address, value) = (self.read(address).unwrap(), self.read(value));
                if volatile {
                    self.events.push(Event::VolatileStore(value));
                }
                self.memory.insert(address, value);
            }
            Inst::Call { call } => {
                let data = &self.body.calls[call];
                assert!(matches!(data.callee, Callee::Direct(_)));
                let args = data.args.iter().map(|arg| self.read(*arg)).collect();
                self.events.push(Event::Call(args));
            }
            Inst::Marker => {}
            ref other => panic!("{other:?}"),
        }
    }
}
