//! One function body: the order of its blocks, the values met so far, emission of instructions, line markers.
//! What single instructions become is in the files beside this one.

use cranelift_entity::EntityRef;
use symcrete_ir::{Block, BlockData, Body, FuncId, Inst, LocId, Operand, Reg, Terminator, Type};

use super::debug::LocationContext;
use super::lanes::Arithmetic;
use super::order::block_order;
use super::{Lowered, Lowering, Problem, Result, Unit, UnitIndex, malformed, too_large};
use crate::module::{
    BlockId, FunctionBody, GlobalId, Instruction, InstructionKind, MetadataId, ResultId, TypeId, Value,
};

/// A function while it is being lowered.
pub(crate) struct FunctionLowering<'l, 'a> {
    pub lowering: &'l mut Lowering<'a>,
    pub unit: &'a Unit<'a>,
    pub unit_index: UnitIndex,
    /// The function in its module.
    pub global: GlobalId,
    pub source: &'a FunctionBody,
    pub body: Body,
    arguments: Vec<Lowered>,
    results: Vec<Lowered>,
    /// The operands of values that are several scalars.
    pool: Vec<Operand>,
    /// The block that instructions are emitted into.
    pub block: Block,
    insts: Vec<Inst>,
    locs: Vec<LocId>,
    markers: usize,
    pub location: LocId,
    pub locations: LocationContext,
    /// Whether the block can be reached from the entry.
    reachable: bool,
    /// Set by instructions that are no code, so that they leave no marker.
    pub no_marker: bool,
    /// Memory for library functions that return a second result by address, made at the entry when first needed.
    pub scratch: Option<Reg>,
    /// Whether the processor has fused multiplication and addition, once that was asked.
    pub fuses: Option<bool>,
    /// Allocas and the variables that live there.
    pub declared: Vec<(Reg, MetadataId)>,
    /// Variables of this function, not of what was inlined.
    pub described: Vec<MetadataId>,
}

/// Where in a function lowering failed.
pub(crate) struct Failure {
    pub problem: Problem,
    pub line: Option<u32>,
}

/// Lowers a function that has a body in its module.
pub(crate) fn lower_function<'a>(
    lowering: &mut Lowering<'a>,
    function: FuncId,
    unit_index: UnitIndex,
    global: GlobalId,
) -> std::result::Result<(), Failure> {
    let unit = &lowering.units[unit_index];
    let Some(source) = unit.module.globals[global].function().and_then(|function| function.body.as_deref()) else {
        return Ok(());
    };
    let mut this = FunctionLowering {
        lowering,
        unit,
        unit_index,
        global,
        source,
        body: Body::default(),
        arguments: Vec::new(),
        results: vec![Lowered::Unset; source.results.len()],
        pool: Vec::new(),
        block: Block::ENTRY,
        insts: Vec::new(),
        locs: Vec::new(),
        markers: 0,
        location: LocId::NOWHERE,
        locations: LocationContext::new(source),
        reachable: true,
        no_marker: false,
        scratch: None,
        fuses: None,
        declared: Vec::new(),
        described: Vec::new(),
    };
    match this.lower() {
        Ok(()) => {
            let debug = this.function_debug();
            let body = std::mem::take(&mut this.body);
            let target = &mut this.lowering.program.functions[function];
            target.body = Some(body);
            target.debug = debug;
            Ok(())
        }
        Err(problem) => {
            let line = this.lowering.program.debug.locs[this.location].line;
            Err(Failure { problem, line: (line > 0).then_some(line) })
        }
    }
}

impl<'a> FunctionLowering<'_, 'a> {
    fn lower(&mut self) -> Result<()> {
        self.spend(self.source.blocks.len() + self.source.results.len())?;
        for _ in self.source.blocks.keys() {
            self.body.blocks.push(BlockData {
                params: Vec::new(),
                insts: Vec::new(),
                locs: Vec::new(),
                terminator: Terminator::Unreachable,
                terminator_loc: LocId::NOWHERE,
            });
        }
        self.make_parameters()?;
        let (order, reachable) = block_order(self.source);
        for (at, block) in order.into_iter().enumerate() {
            self.reachable = at < reachable;
            self.lower_block(block)?;
        }
        self.fill_edges()?;
        self.place_scratch();
        self.record_locals();
        Ok(())
    }

    /// The scalars of the arguments become parameters of the entry.
    fn make_parameters(&mut self) -> Result<()> {
        let source = self.source;
        for ty in &source.argument_types {
            let (lowered, params) = self.fresh(*ty)?;
            self.arguments.push(lowered);
            self.body.blocks[Block::ENTRY].params.extend(params);
        }
        Ok(())
    }

    /// New registers for a value of this type.
    pub fn fresh(&mut self, ty: TypeId) -> Result<(Lowered, Vec<Reg>)> {
        if let Some(scalar) = self.unit.types.scalar(ty)? {
            let reg = self.register(scalar);
            return Ok((Lowered::One(reg.into()), vec![reg]));
        }
        let shape = self.lowering.shape(self.unit_index, ty)?;
        self.spend(shape.scalars.len())?;
        let registers: Vec<Reg> = shape.scalars.iter().map(|ty| self.register(*ty)).collect();
        let operands: Vec<Operand> = registers.iter().map(|reg| Operand::from(*reg)).collect();
        Ok((self.keep(&operands), registers))
    }

    fn lower_block(&mut self, block: BlockId) -> Result<()> {
        self.block = Block::from_u32(block.as_u32());
        let source = self.source;
        for (_, instruction) in source.instructions_of(block) {
            self.location = self.location_of(instruction.location.expand());
            if instruction.kind.is_terminator() {
                match self.terminator(instruction) {
                    Err(Problem::Unsupported(what)) => self.unsupported_terminator(instruction, &what)?,
                    done => done?,
                }
                continue;
            }
            let before = self.insts.len();
            self.no_marker = false;
            match self.instruction(instruction) {
                // What cannot be executed ends the path that gets there, not the whole run.
                Err(Problem::Unsupported(what)) => self.unsupported_call(instruction, &what)?,
                done => done?,
            }
            if self.insts.len() == before && !self.no_marker {
                self.leave_marker()?;
            }
        }
        self.drop_needless_markers();
        let data = &mut self.body.blocks[self.block];
        data.insts = std::mem::take(&mut self.insts);
        data.locs = std::mem::take(&mut self.locs);
        Ok(())
    }

    /// An instruction that became nothing must not take its line with it.
    fn leave_marker(&mut self) -> Result<()> {
        if self.lowering.program.debug.locs[self.location].line > 0 {
            self.markers += 1;
            self.emit(Inst::Marker)?;
        }
        Ok(())
    }

    /// Drops the markers of this block whose location another of its instructions has.
    fn drop_needless_markers(&mut self) {
        if std::mem::take(&mut self.markers) == 0 {
            return;
        }
        let seen = &mut self.lowering.files.seen;
        let terminator = self.body.blocks[self.block].terminator_loc;
        let mut keep = seen.begin(self.lowering.program.debug.locs.len());
        keep.insert(terminator);
        for (inst, loc) in self.insts.iter().zip(&self.locs) {
            if *inst != Inst::Marker {
                keep.insert(*loc);
            }
        }
        let mut kept = Vec::with_capacity(self.insts.len());
        for (inst, loc) in self.insts.iter().zip(&self.locs) {
            kept.push(*inst != Inst::Marker || keep.insert(*loc));
        }
        let mut flags = kept.iter();
        self.insts.retain(|_| *flags.next().unwrap_or(&true));
        let mut flags = kept.iter();
        self.locs.retain(|_| *flags.next().unwrap_or(&true));
    }

    pub fn emit(&mut self, inst: Inst) -> Result<()> {
        self.spend(1)?;
        self.insts.push(inst);
        self.locs.push(self.location);
        Ok(())
    }

    /// The instructions of the current block so far.
    pub fn current(&self) -> &[Inst] {
        &self.insts
    }

    pub fn spend(&mut self, units: usize) -> Result<()> {
        self.lowering.caches[self.unit_index].budget.spend(units as u64)
    }

    pub fn register(&mut self, ty: Type) -> Reg {
        self.body.registers.push(ty)
    }

    /// Puts the scratch memory at the head of the entry, now that all of the entry is there.
    fn place_scratch(&mut self) {
        let Some(dst) = self.scratch else { return };
        let count = self.word(Type::I32, 1);
        let entry = &mut self.body.blocks[Block::ENTRY];
        entry.insts.insert(0, Inst::Alloca { dst, count, element_bytes: 16, align_log2: 4 });
        entry.locs.insert(0, LocId::NOWHERE);
    }

    // Values.

    /// The only scalar of a value.
    pub fn scalar(&mut self, value: Value) -> Result<Operand> {
        match self.lowered(value)? {
            Lowered::One(operand) => Ok(operand),
            _ => Err(malformed("an aggregate where a scalar must be")),
        }
    }

    /// One lane of a value, or its only scalar, which stands for all lanes.
    pub fn lane(&mut self, value: Value, lane: usize) -> Result<Operand> {
        let found = match self.lowered(value)? {
            Lowered::One(operand) => Some(operand),
            Lowered::Many { start, count } if lane < count as usize => {
                self.pool_of(value).get(start as usize + lane).copied()
            }
            _ => None,
        };
        found.ok_or_else(|| malformed("vectors of different lengths"))
    }

    /// All scalars of a value.
    pub fn list(&mut self, value: Value) -> Result<Vec<Operand>> {
        match self.lowered(value)? {
            Lowered::One(operand) => Ok(vec![operand]),
            Lowered::Many { start, count } => {
                self.spend(count as usize)?;
                Ok(self.pool_of(value)[start as usize..][..count as usize].to_vec())
            }
            Lowered::Unset => Ok(Vec::new()),
        }
    }

    fn pool_of(&self, value: Value) -> &[Operand] {
        match value {
            Value::Constant(_) => &self.lowering.caches[self.unit_index].pool,
            _ => &self.pool,
        }
    }

    fn lowered(&mut self, value: Value) -> Result<Lowered> {
        let lowered = match value {
            Value::Constant(constant) => return self.lowering.constant(self.unit_index, constant),
            Value::Argument(index) => self.arguments.get(index as usize).copied().unwrap_or(Lowered::Unset),
            Value::Result(result) => self.results[result.index()],
            Value::Metadata(_) => Lowered::Many { start: 0, count: 0 },
        };
        if lowered != Lowered::Unset {
            return Ok(lowered);
        }
        if self.reachable {
            return Err(malformed("a value is used before it is made"));
        }
        // Code that nothing reaches may use what nothing makes.
        let ty = self.unit.module.type_of(self.source, value);
        let undefined = self.undefined_list(ty)?;
        Ok(self.keep(&undefined))
    }

    /// Undefined scalars for a value of this type.
    pub fn undefined_list(&mut self, ty: TypeId) -> Result<Vec<Operand>> {
        let shape = self.lowering.shape(self.unit_index, ty)?;
        self.spend(shape.scalars.len())?;
        Ok(shape.scalars.iter().map(|ty| self.lowering.undefined(*ty)).collect())
    }

    pub fn keep(&mut self, operands: &[Operand]) -> Lowered {
        if let [operand] = operands {
            return Lowered::One(*operand);
        }
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(operands);
        Lowered::Many { start, count: operands.len() as u32 }
    }

    /// Says what the result of an instruction is.
    pub fn define(&mut self, instruction: &Instruction, operands: &[Operand]) -> Result<()> {
        if operands.len() as u64 != self.unit.types.count(instruction.ty) {
            return Err(malformed("a result that does not fit its type"));
        }
        self.spend(operands.len())?;
        if self.pool.len() + operands.len() > u32::MAX as usize {
            return Err(too_large("a function"));
        }
        if let Some(result) = instruction.result.expand() {
            self.results[result.index()] = self.keep(operands);
        }
        Ok(())
    }

    pub fn define_one(&mut self, instruction: &Instruction, operand: Operand) -> Result<()> {
        if self.unit.types.count(instruction.ty) != 1 {
            return Err(malformed("a result that does not fit its type"));
        }
        if let Some(result) = instruction.result.expand() {
            self.results[result.index()] = Lowered::One(operand);
        }
        Ok(())
    }

    pub fn define_lowered(&mut self, instruction: &Instruction, lowered: Lowered) {
        if let Some(result) = instruction.result.expand() {
            self.results[result.index()] = lowered;
        }
    }

    /// Applies an operation to each lane of some values; the type of the result says how many there are.
    pub fn lanewise<const N: usize>(
        &mut self,
        instruction: &Instruction,
        values: [Value; N],
        mut each: impl FnMut(&mut Self, [Operand; N]) -> Result<Operand>,
    ) -> Result<()> {
        let count = self.unit.types.count(instruction.ty) as usize;
        if count == 1 {
            let operands = self.lanes(values, 0)?;
            let operand = each(self, operands)?;
            return self.define_one(instruction, operand);
        }
        self.spend(count)?;
        let mut results = Vec::with_capacity(count);
        for lane in 0..count {
            let operands = self.lanes(values, lane)?;
            results.push(each(self, operands)?);
        }
        self.define(instruction, &results)
    }

    fn lanes<const N: usize>(&mut self, values: [Value; N], lane: usize) -> Result<[Operand; N]> {
        let mut operands = [Operand::from(Reg::from_u32(0)); N];
        for (operand, value) in operands.iter_mut().zip(values) {
            *operand = self.lane(value, lane)?;
        }
        Ok(operands)
    }

    /// The register that holds a result, if it is one.
    pub fn known_register(&self, result: ResultId) -> Option<Reg> {
        match self.results[result.index()] {
            Lowered::One(operand) => operand.as_reg(),
            _ => None,
        }
    }

    /// The type of a value of this function.
    pub fn type_id(&self, value: Value) -> TypeId {
        self.unit.module.type_of(self.source, value)
    }
}

/// Whether an instruction is a phi; those come first in a block.
pub(crate) fn is_phi(instruction: &Instruction) -> bool {
    matches!(instruction.kind, InstructionKind::Phi { .. })
}
