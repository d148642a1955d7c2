//! What a function may change when it is called, itself and through all that it calls: which bytes behind its parameters, which variables,
//! and what else. Section 4.2 of the paper on lazy expansion keeps side effects by executing again; here they become fresh values, all of them,
//! which takes a bound on where they can be. Found in the text of the program once, and made addresses at a call.

use std::collections::BTreeSet;

use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;
use symcrete_exec::external::Deed;
use symcrete_exec::{Executor, Image, State};
use symcrete_expr::Value;
use symcrete_ir::{
    Block, Body, Call, CallGraph, Callee, FuncId, GlobalId, Inst, Intrinsic, Operand, OperandKind, Reg, Terminator,
    Type,
};

/// What an address is made from.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Base {
    Parameter(u32),
    Global(GlobalId),
    /// Memory of the function itself, or memory that it made: nobody else knows of it.
    Own,
    /// Whatever was read from memory, or came from a call.
    Elsewhere,
}

/// Bytes of the object behind a base: so many from an offset on, or the whole object.
type Extent = Option<(i64, u64)>;

/// What a function may do.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Effects {
    writes: BTreeSet<(Base, Extent)>,
    /// Objects that it reads, by what leads there.
    reads: BTreeSet<Base>,
    /// It writes where pointers lead that it finds in memory.
    follows_pointers: bool,
    /// It reads where they lead.
    reads_pointers: bool,
    /// It makes memory or frees it.
    pub allocates: bool,
    /// It asks the world outside, or changes what that tells.
    pub asks_world: bool,
    pub gives_inputs: bool,
    pub prints: bool,
    /// It may end the program.
    pub may_end: bool,
    /// It may go on elsewhere than behind its call, or does what nobody knows.
    pub is_unknown: bool,
    /// Variables that it or what it calls names.
    globals: BTreeSet<GlobalId>,
}

pub struct AllEffects {
    effects: FxHashMap<FuncId, Effects>,
    /// Variables by their addresses, rising: address, size, number.
    globals: Vec<(u64, u64, GlobalId)>,
}

/// Bytes that a call may change, one value for each.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    pub address: u64,
    pub bytes: u32,
}

/// More bytes than that are not made fresh.
const MOST_BYTES: u64 = 4096;

/// More objects than that are not looked through.
const MOST_OBJECTS: usize = 256;

impl AllEffects {
    pub fn new(image: &Image, graph: &CallGraph) -> AllEffects {
        let globals = image.program.globals.iter().map(|(id, global)| (image.global_address(id), global.size, id));
        let mut globals: Vec<(u64, u64, GlobalId)> = globals.collect();
        globals.sort_unstable_by_key(|(address, ..)| *address);
        let mut all = AllEffects { effects: FxHashMap::default(), globals };
        for (function, data) in image.program.functions.iter() {
            let effects = if data.body.is_some() { Effects::default() } else { all.of_external(image, function) };
            all.effects.insert(function, effects);
        }
        for component in graph.components() {
            loop {
                let mut changed = false;
                for function in component {
                    let Some(body) = &image.program.functions[*function].body else { continue };
                    let effects = Reader::new(&all, image, graph, *function, body).effects();
                    changed |= effects != all.effects[function];
                    all.effects.insert(*function, effects);
                }
                if !changed {
                    break;
                }
            }
        }
        all
    }

    pub fn of(&self, function: FuncId) -> &Effects {
        &self.effects[&function]
    }

    fn of_external(&self, image: &Image, function: FuncId) -> Effects {
        let data = &image.program.functions[function];
        let mut effects = Effects::default();
        let Some(deed) = image.deed(function) else { return Effects { is_unknown: true, ..effects } };
        let errno = image.program.globals.iter().find(|(_, global)| global.name == "__symcrete_errno");
        match deed {
            Deed::GivesInputs => effects.gives_inputs = true,
            Deed::AsksWorld => effects.asks_world = true,
            Deed::Ends => effects.may_end = true,
            Deed::Jumps => effects.is_unknown = true,
            Deed::Allocates => effects.allocates = true,
            Deed::Prints => effects.prints = true,
            Deed::Computes | Deed::Nothing => {}
        }
        let pointers = data.params.iter().enumerate().filter(|(_, param)| param.ty == Type::POINTER);
        effects.reads.extend(pointers.map(|(at, _)| Base::Parameter(at as u32)));
        effects.reads_pointers |= data.variadic;
        if matches!(deed, Deed::GivesInputs | Deed::AsksWorld | Deed::Computes) {
            let pointers = data.params.iter().enumerate().filter(|(_, param)| param.ty == Type::POINTER);
            effects.writes.extend(pointers.map(|(at, _)| (Base::Parameter(at as u32), None)));
        }
        if let (Deed::AsksWorld | Deed::Computes | Deed::Prints | Deed::Allocates, Some((errno, _))) = (deed, errno) {
            effects.writes.insert((Base::Global(errno), None));
        }
        effects
    }

    fn global_at(&self, address: u64) -> Option<(GlobalId, u64)> {
        let at = self.globals.partition_point(|(begin, ..)| *begin <= address).checked_sub(1)?;
        let (begin, size, global) = self.globals[at];
        (address - begin < size.max(1)).then_some((global, address - begin))
    }

    /// Where pointers begin that a function may follow.
    pub fn roots<'a>(
        &'a self,
        executor: &'a Executor,
        state: &State,
        function: FuncId,
    ) -> impl Iterator<Item = u64> + 'a {
        let globals = self.of(function).globals.iter().map(|global| executor.image.global_address(*global));
        executor.arguments(state).into_iter().flatten().chain(globals)
    }

    /// The bytes that a call may change before which a path stands, each once. `None` if they have no bound. `earlier`: where calls began to
    /// follow pointers of which the path knows no longer what they left.
    pub fn cells(&self, executor: &Executor, state: &State, function: FuncId, earlier: &[u64]) -> Option<Vec<Cell>> {
        let effects = self.of(function);
        if effects.is_unknown {
            return None;
        }
        let arguments = executor.arguments(state);
        // Address and size.
        let mut stretches: BTreeSet<(u64, u64)> = BTreeSet::new();
        for (base, extent) in &effects.writes {
            let address = match base {
                Base::Parameter(at) => match arguments.get(*at as usize) {
                    Some(Some(0)) | None => continue,
                    Some(word) => (*word)?,
                },
                Base::Global(global) => executor.image.global_address(*global),
                Base::Own | Base::Elsewhere => continue,
            };
            let Some(info) = object_at(state, address) else { continue };
            if info.read_only {
                continue;
            }
            match *extent {
                Some((offset, bytes)) => {
                    let begin = address.wrapping_add(offset as u64);
                    if begin >= info.base && begin - info.base + bytes <= info.size {
                        stretches.insert((begin, bytes));
                    }
                }
                None => {
                    stretches.insert((info.base, info.size));
                }
            }
        }
        if effects.follows_pointers {
            let params = &executor.image.program.functions[function].params;
            let is_lost =
                |(param, word): (&symcrete_ir::Param, &Option<u64>)| param.ty == Type::POINTER && word.is_none();
            if params.iter().zip(&arguments).any(is_lost) {
                return None;
            }
            let roots = self.roots(executor, state, function).chain(earlier.iter().copied());
            stretches.extend(reachable(state, roots, false)?);
        }
        let total: u64 = stretches.iter().map(|(_, bytes)| bytes).sum();
        (total <= MOST_BYTES).then(|| cells(&stretches))
    }
}

/// Whether all that a function does is in its results and in the memory that it changes.
impl Effects {
    pub fn is_contained(&self) -> bool {
        !(self.is_unknown || self.allocates || self.asks_world || self.gives_inputs || self.prints)
    }
}

impl AllEffects {
    /// The objects that a call may read before which a path stands: address and size. `None` if that has no bound.
    pub fn readable(&self, executor: &Executor, state: &State, function: FuncId) -> Option<Vec<(u64, u64)>> {
        let effects = self.of(function);
        let arguments = executor.arguments(state);
        let mut objects = BTreeSet::new();
        for base in &effects.reads {
            let address = match base {
                Base::Parameter(at) => match arguments.get(*at as usize) {
                    None => continue,
                    Some(word) => (*word)?,
                },
                Base::Global(global) => executor.image.global_address(*global),
                Base::Own | Base::Elsewhere => continue,
            };
            if let Some(info) = object_at(state, address) {
                objects.insert((info.base, info.size));
            }
        }
        if effects.reads_pointers {
            let params = &executor.image.program.functions[function].params;
            let is_lost =
                |(param, word): (&symcrete_ir::Param, &Option<u64>)| param.ty == Type::POINTER && word.is_none();
            if params.iter().zip(&arguments).any(is_lost) {
                return None;
            }
            objects.extend(reachable(state, self.roots(executor, state, function), true)?);
        }
        let total: u64 = objects.iter().map(|(_, bytes)| bytes).sum();
        (total <= 4 * MOST_BYTES).then(|| objects.into_iter().collect())
    }
}

fn object_at(state: &State, address: u64) -> Option<symcrete_memory::AllocationInfo> {
    let (allocation, _) = state.memory.resolve(address)?;
    state.memory.info(allocation)
}

/// The objects to which pointers lead from these, directly or not; constant ones too, or not. `None` if there are too many, or nobody
/// knows where a pointer leads.
fn reachable(state: &State, roots: impl Iterator<Item = u64>, constants: bool) -> Option<Vec<(u64, u64)>> {
    let mut pending: Vec<u64> = roots.collect();
    let mut seen: BTreeSet<u64> = BTreeSet::new();
    let mut found = Vec::new();
    while let Some(address) = pending.pop() {
        let Some(info) = object_at(state, address) else { continue };
        if !seen.insert(info.base) {
            continue;
        }
        if seen.len() > MOST_OBJECTS {
            return None;
        }
        if constants || !info.read_only {
            found.push((info.base, info.size));
        }
        let mut contents: Vec<symcrete_memory::Cell> = Vec::new();
        state.memory.read_cells(info.base, info.size.min(MOST_BYTES), &mut contents).ok()?;
        for word in contents.chunks_exact(8) {
            let byte = |cell: &symcrete_memory::Cell| match cell {
                symcrete_memory::Cell::Byte { bits, .. } => Some(*bits),
                symcrete_memory::Cell::Part { .. } => None,
            };
            let bytes: Option<Vec<u8>> = word.iter().map(byte).collect();
            if let Some(Ok(bytes)) = bytes.map(<[u8; 8]>::try_from) {
                pending.push(u64::from_le_bytes(bytes));
            }
        }
    }
    Some(found)
}

/// Stretches of memory as values: whole numbers where they stand alone, bytes elsewhere.
fn cells(stretches: &BTreeSet<(u64, u64)>) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut done = 0u64;
    let list: Vec<(u64, u64)> = stretches.iter().copied().collect();
    for (at, (begin, bytes)) in list.iter().copied().enumerate() {
        let next = list.get(at + 1).map_or(u64::MAX, |next| next.0);
        let alone = begin >= done && begin + bytes <= next;
        if alone && matches!(bytes, 1 | 2 | 4 | 8) {
            cells.push(Cell { address: begin, bytes: bytes as u32 });
        } else {
            let from = begin.max(done);
            cells.extend((from..begin + bytes).map(|address| Cell { address, bytes: 1 }));
        }
        done = done.max(begin + bytes);
    }
    cells
}

/// Reads the text of one function.
struct Reader<'a> {
    all: &'a AllEffects,
    image: &'a Image,
    graph: &'a CallGraph,
    function: FuncId,
    body: &'a Body,
    bases: SecondaryMap<Reg, BTreeSet<Base>>,
    /// By what each register is made, where one instruction does that.
    definitions: SecondaryMap<Reg, Option<(Block, u32)>>,
}

impl<'a> Reader<'a> {
    fn new(all: &'a AllEffects, image: &'a Image, graph: &'a CallGraph, function: FuncId, body: &'a Body) -> Self {
        let mut definitions = SecondaryMap::new();
        for (block, data) in body.blocks.iter() {
            for (at, inst) in data.insts.iter().enumerate() {
                if let Some(dst) = inst.dst() {
                    definitions[dst] = Some((block, at as u32));
                }
            }
        }
        let mut reader = Reader { all, image, graph, function, body, bases: SecondaryMap::new(), definitions };
        reader.find_bases();
        reader
    }

    /// What addresses are made from, until nothing is added.
    fn find_bases(&mut self) {
        let data = &self.image.program.functions[self.function];
        for (at, param) in self.body.blocks[Block::ENTRY].params.iter().enumerate() {
            let is_copy = data.params.get(at).is_some_and(|param| param.by_value.is_some());
            self.bases[*param].insert(if is_copy { Base::Own } else { Base::Parameter(at as u32) });
        }
        loop {
            let mut changed = false;
            for block in self.body.blocks.values() {
                for inst in &block.insts {
                    changed |= self.follow(inst);
                }
                if let Terminator::Invoke { call, .. } = block.terminator {
                    changed |= self.call_results(call);
                }
            }
            for edge in self.body.edges.values() {
                let params = &self.body.blocks[edge.target].params;
                for (param, arg) in params.iter().zip(&edge.args) {
                    changed |= self.add(*param, *arg);
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn follow(&mut self, inst: &Inst) -> bool {
        match inst {
            Inst::Address { dst, base, .. } => self.add(*dst, *base),
            Inst::Copy { dst, src, .. } | Inst::Freeze { dst, src, .. } | Inst::Cast { dst, src, .. } => {
                self.add(*dst, *src)
            }
            Inst::Select { dst, if_true, if_false, .. } => self.add(*dst, *if_true) | self.add(*dst, *if_false),
            Inst::Binary { dst, lhs, rhs, .. } => self.add(*dst, *lhs) | self.add(*dst, *rhs),
            Inst::Alloca { dst, .. } => self.bases[*dst].insert(Base::Own),
            Inst::Load { dst, .. } => self.bases[*dst].insert(Base::Elsewhere),
            Inst::Call { call } => self.call_results(*call),
            _ => false,
        }
    }

    fn call_results(&mut self, call: Call) -> bool {
        let data = &self.body.calls[call];
        let makes = matches!(&data.callee, Callee::Direct(callee) if self.image.deed(*callee) == Some(Deed::Allocates));
        let base = if makes { Base::Own } else { Base::Elsewhere };
        data.results.iter().fold(false, |changed, result| self.bases[*result].insert(base) | changed)
    }

    fn add(&mut self, register: Reg, from: Operand) -> bool {
        let more = self.bases_of(from);
        let before = self.bases[register].len();
        self.bases[register].extend(more);
        self.bases[register].len() != before
    }

    fn bases_of(&self, operand: Operand) -> BTreeSet<Base> {
        match operand.kind() {
            OperandKind::Reg(register) => self.bases[register].clone(),
            OperandKind::Const(constant) => {
                let global = match self.image.constant(constant) {
                    Value::Word(address) => self.all.global_at(*address),
                    _ => None,
                };
                global.map(|(global, _)| Base::Global(global)).into_iter().collect()
            }
        }
    }

    /// How far an address is from what it is made from, if constants alone say so.
    fn offset(&self, mut operand: Operand) -> Option<i64> {
        let mut offset = 0i64;
        loop {
            let register = match operand.kind() {
                OperandKind::Const(constant) => {
                    let Value::Word(address) = self.image.constant(constant) else { return None };
                    let (_, within) = self.all.global_at(*address)?;
                    return offset.checked_add(within as i64);
                }
                OperandKind::Reg(register) => register,
            };
            let definition = self.definitions[register].map(|(block, at)| &self.body.blocks[block].insts[at as usize]);
            match definition {
                Some(Inst::Address { base, offset: more, first_term, terms, .. }) => {
                    offset = offset.checked_add(i64::from(*more))?;
                    for term in self.body.terms(*first_term, *terms) {
                        let OperandKind::Const(constant) = term.index.kind() else { return None };
                        let Value::Word(bits) = self.image.constant(constant) else { return None };
                        let shift = 64 - u32::from(term.ty.int_bits()).min(64);
                        let index = ((*bits << shift) as i64) >> shift;
                        offset = offset.checked_add(index.checked_mul(term.scale)?)?;
                    }
                    operand = *base;
                }
                Some(Inst::Copy { src, .. } | Inst::Freeze { src, .. }) => operand = *src,
                Some(_) => return None,
                None => {
                    let is_parameter = self.body.blocks[Block::ENTRY].params.contains(&register);
                    return is_parameter.then_some(offset);
                }
            }
        }
    }

    fn effects(&self) -> Effects {
        let mut effects = Effects::default();
        for block in self.body.blocks.values() {
            for inst in &block.insts {
                match inst {
                    Inst::Store { ty, address, .. } => {
                        let bytes = u64::from(ty.store_bytes(self.image.pointer_bits()));
                        self.write(&mut effects, *address, Some((0, bytes)));
                    }
                    Inst::Load { address, .. } => self.read(&mut effects, *address),
                    Inst::Call { call } => self.call(&mut effects, *call),
                    _ => {}
                }
                self.body.visit_operands(inst, |operand| self.name(&mut effects, operand));
            }
            if let Terminator::Invoke { call, .. } = block.terminator {
                self.call(&mut effects, call);
            }
            self.body.visit_terminator_operands(&block.terminator, |operand| self.name(&mut effects, operand));
        }
        for edge in self.body.edges.values() {
            edge.args.iter().for_each(|argument| self.name(&mut effects, *argument));
        }
        effects
    }

    fn name(&self, effects: &mut Effects, operand: Operand) {
        if let OperandKind::Const(constant) = operand.kind()
            && let Value::Word(address) = self.image.constant(constant)
            && let Some((global, _)) = self.all.global_at(*address)
        {
            effects.globals.insert(global);
        }
    }

    /// Something behind an address is written.
    fn write(&self, effects: &mut Effects, address: Operand, extent: Extent) {
        let bases = self.bases_of(address);
        let offset = self.offset(address).filter(|_| bases.len() == 1);
        let extent = offset.and_then(|offset| extent.map(|(begin, bytes)| (offset.wrapping_add(begin), bytes)));
        if bases.is_empty() {
            effects.follows_pointers = true;
        }
        for base in bases {
            match base {
                Base::Parameter(_) | Base::Global(_) => {
                    effects.writes.insert((base, extent));
                }
                Base::Own => {}
                Base::Elsewhere => effects.follows_pointers = true,
            }
        }
    }

    /// Something behind an address is read.
    fn read(&self, effects: &mut Effects, address: Operand) {
        let bases = self.bases_of(address);
        effects.reads_pointers |= bases.is_empty() || bases.contains(&Base::Elsewhere);
        effects.reads.extend(bases.iter().filter(|base| matches!(base, Base::Parameter(_) | Base::Global(_))));
    }

    fn call(&self, effects: &mut Effects, call: Call) {
        let data = &self.body.calls[call];
        self.body.visit_call_operands(call, |operand| self.name(effects, operand));
        let callees: Vec<FuncId> = match &data.callee {
            Callee::Direct(callee) => vec![*callee],
            Callee::Indirect(_) => self.graph.candidates(self.function, call).to_vec(),
            Callee::Intrinsic(Intrinsic::MemoryCopy | Intrinsic::MemoryMove | Intrinsic::MemorySet, _) => {
                if let Some(target) = data.args.first() {
                    self.write(effects, *target, None);
                }
                if let Some(source) = data.args.get(1) {
                    self.read(effects, *source);
                }
                return;
            }
            Callee::Intrinsic(Intrinsic::VaStart | Intrinsic::VaCopy | Intrinsic::VaArg | Intrinsic::VaEnd, _) => {
                data.args.iter().for_each(|list| self.write(effects, *list, None));
                effects.reads_pointers = true;
                return;
            }
            Callee::Intrinsic(..) => return,
            Callee::Unsupported(_) => {
                effects.is_unknown = true;
                return;
            }
        };
        effects.is_unknown |= callees.is_empty();
        for callee in callees {
            let theirs = &self.all.effects[&callee];
            effects.follows_pointers |= theirs.follows_pointers;
            effects.reads_pointers |= theirs.reads_pointers;
            effects.allocates |= theirs.allocates;
            effects.prints |= theirs.prints;
            effects.asks_world |= theirs.asks_world;
            effects.gives_inputs |= theirs.gives_inputs;
            effects.may_end |= theirs.may_end;
            effects.is_unknown |= theirs.is_unknown;
            effects.globals.extend(theirs.globals.iter().copied());
            for base in &theirs.reads {
                match base {
                    Base::Parameter(at) => match data.args.get(*at as usize) {
                        Some(argument) => self.read(effects, *argument),
                        None => effects.is_unknown = true,
                    },
                    _ => {
                        effects.reads.insert(*base);
                    }
                }
            }
            for (base, extent) in &theirs.writes {
                match base {
                    Base::Parameter(at) => match data.args.get(*at as usize) {
                        Some(argument) => self.write(effects, *argument, *extent),
                        None => effects.is_unknown = true,
                    },
                    _ => {
                        effects.writes.insert((*base, *extent));
                    }
                }
            }
        }
    }
}

/// Functions that ask the world or give inputs themselves.
pub fn outside(image: &Image) -> EntitySet<FuncId> {
    let mut found = EntitySet::new();
    for (function, _) in image.program.functions.iter() {
        if matches!(image.deed(function), Some(Deed::AsksWorld | Deed::GivesInputs)) {
            found.insert(function);
        }
    }
    found
}
