//! Random programs and graphs for the tests of this crate. Same seed, same program.

#![allow(clippy::unwrap_used)]

use cranelift_entity::EntityRef;

use crate::debug::{Loc, SourceFile, Variable};
use crate::inst::{AddressTerm, CallData, Callee, SwitchTable};
use crate::parse::parse;
use crate::{
    BinaryOp, Block, BlockData, Body, CastOp, Cfg, Dominators, Edge, EdgeId, FloatKind, FuncId, Inst, IntPredicate,
    LocId, Operand, Program, Reg, Terminator, Type, WrapFlags,
};

/// The body of the first function of a text.
pub(crate) fn body_of(text: &str) -> Body {
    parse(text).unwrap().functions[FuncId::from_u32(0)].body.take().unwrap()
}

/// A small generator of pseudo-random numbers (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// A body of up to `max_blocks` empty blocks with arbitrary edges between them; conditions are register 0.
pub(crate) fn random_graph_body(random: &mut Random, max_blocks: usize) -> Body {
    let mut body = Body::default();
    let condition = body.registers.push(Type::BOOL);
    let blocks = 2 + random.below(max_blocks - 1);
    for block in 0..blocks {
        let source = Block::new(block);
        let mut edge = |random: &mut Random| {
            // Mostly near by, so that graphs are deep.
            let near = (block + random.below(4)).saturating_sub(1);
            let target = if random.one_in(3) { random.below(blocks) } else { near };
            let target = Block::new(target.clamp(1, blocks - 1));
            body.edges.push(Edge { source, target, args: Vec::new(), overlaps: false })
        };
        let terminator = match random.below(8) {
            0 => Terminator::Return(Vec::new()),
            1 | 2 => Terminator::Jump(edge(random)),
            3 => {
                let cases = vec![(1, edge(random)), (2, edge(random)), (7, edge(random))];
                let default = edge(random);
                let table = body.switches.push(SwitchTable { cases, default });
                Terminator::Switch { value: condition.into(), ty: Type::BOOL, table }
            }
            _ => Terminator::Branch { condition: condition.into(), if_true: edge(random), if_false: edge(random) },
        };
        let params = if block == 0 { vec![condition] } else { Vec::new() };
        let (insts, locs) = (Vec::new(), Vec::new());
        body.blocks.push(BlockData { params, insts, locs, terminator, terminator_loc: LocId::NOWHERE });
    }
    body
}

const WORD_TYPES: [Type; 2] = [Type::I32, Type::float(FloatKind::Single)];
const LONG_TYPES: [Type; 3] = [Type::I64, Type::POINTER, Type::DOUBLE];
const BYTE_TYPES: [Type; 1] = [Type::I8];
const BOOL_TYPES: [Type; 1] = [Type::BOOL];

/// A variable in memory, and the types it is accessed at.
#[derive(Copy, Clone)]
struct Slot {
    address: Reg,
    types: &'static [Type],
    volatile: bool,
    escapes: bool,
}

struct Generator<'a> {
    random: &'a mut Random,
    program: Program,
    body: Body,
    slots: Vec<Slot>,
    locs: Vec<LocId>,
    observe: FuncId,
    /// The registers that may be read now.
    visible: Vec<Reg>,
}

/// A program with one function `@f` of random instructions on variables in memory, over a random graph, and an external
/// `@observe` that it calls. Addresses are told apart by the number of bytes of their alloca.
pub(crate) fn random_program(random: &mut Random) -> Program {
    let text = "function @f(i1, i32, i64) -> (i32, i64) {
        bb0(r0: i1, r1: i32, r2: i64):
          return r1, r2
        }
        function @observe(...)";
    let mut program = parse(text).unwrap();
    let file = program.debug.files.push(SourceFile { name: "f.c".into(), directory: String::new() });
    let mut locs = vec![LocId::NOWHERE];
    for (line, column) in [(0, 0), (1, 1), (1, 2), (2, 1), (3, 1), (4, 7), (5, 1)] {
        for function in ["f", "g"] {
            let loc = Loc { file, line, column, function: function.into(), inlined_at: None };
            locs.push(program.debug.loc(loc));
        }
    }
    let body = random_graph_body(random, 12);
    let observe = FuncId::from_u32(1);
    let mut generator = Generator { random, program, body, slots: Vec::new(), locs, observe, visible: Vec::new() };
    generator.fill();
    let Generator { mut program, mut body, .. } = generator;
    body.mark_overlaps();
    program.functions[FuncId::from_u32(0)].body = Some(body);
    program
}

impl Generator<'_> {
    fn fill(&mut self) {
        let cfg = Cfg::new(&self.body);
        let dominators = Dominators::new(&cfg);
        let entry = &mut self.body.blocks[Block::ENTRY].params;
        entry.push(self.body.registers.push(Type::I32));
        entry.push(self.body.registers.push(Type::I64));
        for block in self.body.blocks.keys().skip(1) {
            for _ in 0..self.random.below(3) {
                let ty = self.random.pick(&[Type::I32, Type::I64, Type::POINTER, Type::BOOL]);
                let param = self.body.registers.push(ty);
                self.body.blocks[block].params.push(param);
            }
        }
        let mut defined: Vec<Vec<Reg>> = vec![Vec::new(); cfg.block_count()];
        let unreachable = self.body.blocks.keys().filter(|block| !cfg.is_reachable(*block));
        for block in cfg.reverse_postorder().iter().copied().chain(unreachable.collect::<Vec<_>>()) {
            self.visible = self
                .body
                .blocks
                .keys()
                .filter(|above| *above != block)
                .filter(|above| dominators.dominates(*above, block) || *above == Block::ENTRY)
                .flat_map(|above| defined[above.index()].clone())
                .collect();
            let before = self.visible.len();
            self.visible.extend(self.body.blocks[block].params.clone());
            if block == Block::ENTRY {
                self.allocas();
            }
            for _ in 0..self.random.below(9) {
                self.instruction(block);
            }
            self.terminator(block, &cfg);
            defined[block.index()] = self.visible.split_off(before);
        }
    }

    fn allocas(&mut self) {
        for number in 0..1 + self.random.below(6) {
            let types: &'static [Type] = match self.random.below(5) {
                0 | 1 => &WORD_TYPES,
                2 | 3 => &LONG_TYPES,
                _ => self.random.pick(&[&BYTE_TYPES, &BOOL_TYPES]),
            };
            // Half of them keep to one type, the common case.
            let types = if self.random.one_in(2) { &types[..1] } else { types };
            let address = self.alloca(Block::ENTRY, 16 + number as u32);
            let (volatile, escapes) = (self.random.one_in(8), self.random.one_in(5));
            self.slots.push(Slot { address, types, volatile, escapes });
            if !self.random.one_in(4) {
                let variable = Variable { name: format!("v{number}"), ty: None, file: None, line: 0 };
                self.body.locals.push((address, variable));
            }
        }
    }

    fn alloca(&mut self, block: Block, element_bytes: u32) -> Reg {
        let count = self.program.word(Type::I64, 1).into();
        let dst = self.body.registers.push(Type::POINTER);
        self.push(block, Inst::Alloca { dst, count, element_bytes, align_log2: 4 });
        dst
    }

    fn push(&mut self, block: Block, inst: Inst) {
        let loc = self.random.pick(&self.locs);
        self.body.blocks[block].insts.push(inst);
        self.body.blocks[block].locs.push(loc);
    }

    /// A register or constant of a type.
    fn operand(&mut self, ty: Type) -> Operand {
        let fitting: Vec<Reg> = self.visible.iter().copied().filter(|reg| self.body.registers[*reg] == ty).collect();
        if !fitting.is_empty() && !self.random.one_in(4) {
            return self.random.pick(&fitting).into();
        }
        let bits = self.random.next() & (u64::MAX >> (64 - ty.bits(64)));
        self.program.word(ty, bits).into()
    }

    fn define(&mut self, block: Block, ty: Type, inst: impl FnOnce(Reg) -> Inst) {
        let dst = self.body.registers.push(ty);
        self.push(block, inst(dst));
        self.visible.push(dst);
    }

    fn instruction(&mut self, block: Block) {
        let slot = self.random.pick(&self.slots);
        let ty = self.random.pick(slot.types);
        let integer = self.random.pick(&[Type::I32, Type::I64]);
        match self.random.below(14) {
            0..4 => {
                let address = slot.address.into();
                self.define(block, ty, |dst| Inst::Load { ty, dst, address, volatile: slot.volatile });
            }
            4..8 => {
                let (address, value) = (slot.address.into(), self.operand(ty));
                self.push(block, Inst::Store { ty, address, value, volatile: slot.volatile });
            }
            8 => {
                let (lhs, rhs) = (self.operand(integer), self.operand(integer));
                let op = self.random.pick(&[BinaryOp::Add, BinaryOp::Mul, BinaryOp::Xor]);
                let flags = self.random.pick(&[WrapFlags::NONE, WrapFlags(WrapFlags::NO_SIGNED_WRAP)]);
                self.define(block, integer, |dst| Inst::Binary { op, ty: integer, flags, dst, lhs, rhs });
            }
            9 => {
                let (lhs, rhs) = (self.operand(integer), self.operand(integer));
                let predicate = IntPredicate::Ult;
                self.define(block, Type::BOOL, |dst| Inst::IntCompare { predicate, ty: integer, dst, lhs, rhs });
            }
            10 => {
                let ty = self.random.pick(&[Type::I32, Type::I64, Type::POINTER]);
                let src = self.operand(ty);
                self.define(block, ty, |dst| Inst::Copy { ty, dst, src });
            }
            11 => {
                let src = self.operand(Type::I32);
                let (op, from, to) = (CastOp::SignExtend, Type::I32, Type::I64);
                self.define(block, to, |dst| Inst::Cast { op, from, to, dst, src });
            }
            12 => self.address(block, slot),
            _ => self.observe(block, slot),
        }
    }

    fn address(&mut self, block: Block, slot: Slot) {
        let base = if slot.escapes { slot.address.into() } else { self.operand(Type::POINTER) };
        let index = self.operand(Type::I32);
        let first_term = self.body.address_terms.len() as u32;
        self.body.address_terms.push(AddressTerm { index, ty: Type::I32, scale: 4 });
        self.define(block, Type::POINTER, |dst| Inst::Address { dst, base, offset: 8, first_term, terms: 1 });
    }

    fn observe(&mut self, block: Block, slot: Slot) {
        let mut args = vec![self.operand(Type::I32), self.operand(Type::I64), self.operand(Type::BOOL)];
        let mut arg_types = vec![Type::I32, Type::I64, Type::BOOL];
        if slot.escapes {
            args.push(slot.address.into());
            arg_types.push(Type::POINTER);
        }
        let call = self.body.calls.push(CallData {
            callee: Callee::Direct(self.observe),
            args,
            arg_types,
            by_value: Vec::new(),
            results: Vec::new(),
            result_types: Vec::new(),
            fixed_args: 0,
            sign_extended: Vec::new(),
            sign_extended_result: false,
            must_tail: false,
        });
        self.push(block, Inst::Call { call });
    }

    fn terminator(&mut self, block: Block, cfg: &Cfg) {
        self.body.blocks[block].terminator_loc = self.random.pick(&self.locs);
        let replacement = match self.body.blocks[block].terminator.clone() {
            Terminator::Branch { if_true, if_false, .. } => {
                Terminator::Branch { condition: self.operand(Type::BOOL), if_true, if_false }
            }
            Terminator::Switch { table, .. } => {
                Terminator::Switch { value: self.operand(Type::I32), ty: Type::I32, table }
            }
            Terminator::Return(_) => Terminator::Return(vec![self.operand(Type::I32), self.operand(Type::I64)]),
            other => other,
        };
        self.body.blocks[block].terminator = replacement;
        for edge in cfg.successors(block) {
            self.arguments(*edge);
        }
    }

    fn arguments(&mut self, edge: EdgeId) {
        let target = self.body.edges[edge].target;
        let types: Vec<Type> = self.body.blocks[target].params.iter().map(|reg| self.body.registers[*reg]).collect();
        self.body.edges[edge].args = types.into_iter().map(|ty| self.operand(ty)).collect();
    }
}
