//! What is known of functions before anything is executed: their graphs, where accesses go, and what may be written by whom.

use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_exec::Image;
use symcrete_expr::Value;
use symcrete_ir::{
    Block, Body, Call, CallGraph, Callee, Cfg, Dominators, FuncId, GlobalId, Inst, Intrinsic, Linkage, Loops, Operand,
    OperandKind, Program, Reg, Terminator, Type,
};

/// What an address is computed from.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    Global(GlobalId),
    /// Memory of the function's frame, by the register that holds its address.
    Local(Reg),
    /// Whatever a register points to.
    Pointer(Reg),
}

/// Where an access goes, as far as the text of a function tells.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Location {
    pub root: Root,
    /// `None` if it is computed.
    pub offset: Option<i64>,
}

/// What an instruction may write.
#[derive(Copy, Clone, Debug)]
pub enum Write {
    At(Location, u64),
    Global(GlobalId),
    /// Memory of the runtime, at which programs look through pointers only.
    Runtime,
    Anywhere,
}

/// The graph of one function.
pub struct Shape {
    pub cfg: Cfg,
    pub dominators: Dominators,
    pub loops: Loops,
    /// Where each register gets its value: a block, and the instruction in it unless it is one of its parameters.
    pub definitions: SecondaryMap<Reg, Option<(Block, Option<u32>)>>,
}

/// What a function may write when it is called.
#[derive(Clone, Default, PartialEq)]
struct Effects {
    globals: FxHashSet<GlobalId>,
    runtime: bool,
    anywhere: bool,
}

pub struct Shapes<'a> {
    pub image: &'a Image,
    pub graph: &'a CallGraph,
    shapes: FxHashMap<FuncId, std::rc::Rc<Shape>>,
    effects: FxHashMap<FuncId, Effects>,
    /// Globals by their addresses, rising.
    globals: Vec<(u64, u64, GlobalId)>,
    pub escapes: Escapes,
}

/// What pointers may point to: objects whose addresses are used for more than to access them.
#[derive(Default)]
pub struct Escapes {
    pub globals: FxHashSet<GlobalId>,
    pub locals: FxHashSet<(FuncId, Reg)>,
}

impl Shape {
    fn new(body: &Body) -> Shape {
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(&cfg);
        let loops = Loops::new(&cfg, &dominators);
        let mut definitions: SecondaryMap<Reg, Option<(Block, Option<u32>)>> = SecondaryMap::new();
        for (block, data) in body.blocks.iter() {
            for param in &data.params {
                definitions[*param] = Some((block, None));
            }
            for (at, inst) in data.insts.iter().enumerate() {
                match inst {
                    Inst::Call { call } => {
                        for result in &body.calls[*call].results {
                            definitions[*result] = Some((block, Some(at as u32)));
                        }
                    }
                    _ => {
                        if let Some(dst) = inst.dst() {
                            definitions[dst] = Some((block, Some(at as u32)));
                        }
                    }
                }
            }
            if let Terminator::Invoke { call, .. } = data.terminator {
                for result in &body.calls[call].results {
                    definitions[*result] = Some((block, None));
                }
            }
        }
        Shape { cfg, dominators, loops, definitions }
    }
}

impl Shape {
    /// The blocks between one and another that it dominates.
    pub fn between(&self, above: Block, block: Block) -> Vec<Block> {
        let mut between: Vec<Block> = Vec::new();
        let mut pending: Vec<Block> = self.cfg.predecessor_blocks(block).collect();
        while let Some(next) = pending.pop() {
            if next != above && next != block && self.cfg.is_reachable(next) && !between.contains(&next) {
                between.push(next);
                pending.extend(self.cfg.predecessor_blocks(next));
            }
        }
        between
    }

    /// For each block, how many edges it is from the beginning, at least.
    pub fn distances(&self) -> SecondaryMap<Block, u32> {
        let mut distances: SecondaryMap<Block, u32> = SecondaryMap::with_default(u32::MAX);
        distances[Block::ENTRY] = 0;
        let mut queue = std::collections::VecDeque::from([Block::ENTRY]);
        while let Some(block) = queue.pop_front() {
            for next in self.cfg.successor_blocks(block) {
                if distances[next] == u32::MAX {
                    distances[next] = distances[block] + 1;
                    queue.push_back(next);
                }
            }
        }
        distances
    }

    /// The loop that has a block for its header.
    pub fn loop_of(&self, header: Block) -> Option<&symcrete_ir::loops::Loop> {
        self.loops.loops.values().find(|around| around.header == header)
    }
}

impl<'a> Shapes<'a> {
    /// `is_whole`: the program begins with nothing before it. Else others may have taken addresses of what they can name.
    pub fn new(image: &'a Image, graph: &'a CallGraph, is_whole: bool) -> Shapes<'a> {
        let globals = image.program.globals.iter().map(|(id, global)| (image.global_address(id), global.size, id));
        let mut globals: Vec<(u64, u64, GlobalId)> = globals.collect();
        globals.sort_unstable_by_key(|(address, ..)| *address);
        let mut shapes = Shapes {
            image,
            graph,
            shapes: FxHashMap::default(),
            effects: FxHashMap::default(),
            globals,
            escapes: Escapes::default(),
        };
        shapes.find_effects();
        shapes.find_escapes();
        if !is_whole {
            let globals = image.program.globals.iter().filter(|(_, global)| global.linkage != Linkage::Internal);
            shapes.escapes.globals.extend(globals.map(|(id, _)| id));
        }
        shapes
    }

    pub fn program(&self) -> &'a Program {
        &self.image.program
    }

    pub fn body(&self, function: FuncId) -> &'a Body {
        self.image.body(function)
    }

    pub fn shape(&mut self, function: FuncId) -> std::rc::Rc<Shape> {
        let body = self.body(function);
        self.shapes.entry(function).or_insert_with(|| std::rc::Rc::new(Shape::new(body))).clone()
    }

    /// Where an address points; `None` for one that is no address of the program's.
    pub fn location(&mut self, function: FuncId, mut operand: Operand) -> Option<Location> {
        let body = self.body(function);
        let shape = self.shape(function);
        let mut offset = Some(0i64);
        loop {
            let register = match operand.kind() {
                OperandKind::Const(constant) => {
                    let Value::Word(address) = self.image.constant(constant) else { return None };
                    let (global, within) = self.global_at(*address)?;
                    let offset = offset.and_then(|offset| offset.checked_add(within as i64));
                    return Some(Location { root: Root::Global(global), offset });
                }
                OperandKind::Reg(register) => register,
            };
            let definition = match shape.definitions[register] {
                Some((block, Some(at))) => body.blocks[block].insts.get(at as usize),
                _ => None,
            };
            match definition {
                Some(Inst::Address { base, offset: more, first_term, terms, .. }) => {
                    offset = offset.and_then(|offset| offset.checked_add(i64::from(*more)));
                    for term in body.terms(*first_term, *terms) {
                        offset = offset.and_then(|offset| offset.checked_add(self.step(term)?));
                    }
                    operand = *base;
                }
                Some(Inst::Copy { src, .. } | Inst::Freeze { src, .. }) => operand = *src,
                Some(Inst::Alloca { .. }) => return Some(Location { root: Root::Local(register), offset }),
                _ => return Some(Location { root: Root::Pointer(register), offset }),
            }
        }
    }

    /// The variable at an address, and how far into it that is.
    pub fn global_at(&self, address: u64) -> Option<(GlobalId, u64)> {
        let at = self.globals.partition_point(|(begin, ..)| *begin <= address).checked_sub(1)?;
        let (begin, size, global) = self.globals[at];
        (address - begin < size.max(1)).then_some((global, address - begin))
    }

    /// The text that a constant address points to.
    pub fn text(&mut self, address: Operand) -> Option<String> {
        let OperandKind::Const(constant) = address.kind() else { return None };
        let Value::Word(address) = self.image.constant(constant) else { return None };
        let (global, within) = self.global_at(*address)?;
        let bytes = &self.program().globals[global].initialiser.as_ref()?.bytes;
        let text = bytes.get(usize::try_from(within).ok()?..)?;
        let end = text.iter().position(|byte| *byte == 0)?;
        String::from_utf8(text[..end].to_vec()).ok()
    }

    /// How far a term moves an address, if its index is a constant.
    fn step(&self, term: &symcrete_ir::AddressTerm) -> Option<i64> {
        let OperandKind::Const(constant) = term.index.kind() else { return None };
        let Value::Word(bits) = self.image.constant(constant) else { return None };
        let shift = 64 - u32::from(term.ty.int_bits()).min(64);
        (((*bits << shift) as i64) >> shift).checked_mul(term.scale)
    }

    /// What an instruction writes; nothing for most.
    pub fn writes(&mut self, function: FuncId, inst: &Inst) -> Vec<Write> {
        match inst {
            Inst::Store { ty, address, .. } => {
                let bytes = u64::from(ty.store_bytes(self.image.pointer_bits()));
                let location = self.location(function, *address);
                vec![location.map_or(Write::Anywhere, |location| Write::At(location, bytes))]
            }
            Inst::Call { call } => self.call_writes(function, *call),
            _ => Vec::new(),
        }
    }

    /// What code may write of which nothing is known: all variables by their names, and what pointers lead to.
    fn everywhere(&self) -> Vec<Write> {
        let globals = self.program().globals.iter().filter(|(_, global)| !global.read_only).map(|(id, _)| id);
        globals.map(Write::Global).chain([Write::Anywhere, Write::Runtime]).collect()
    }

    /// Functions that code outside of the program may call: those with names for everybody, and those of which it was given the address.
    fn called_from_outside(&self) -> FxHashSet<FuncId> {
        let functions = self.program().functions.iter();
        let named =
            functions.filter(|(_, data)| data.linkage == Linkage::External && data.body.is_some() && !data.runtime);
        let taken = self.graph.address_taken().iter().copied();
        named.map(|(id, _)| id).chain(taken).collect()
    }

    pub fn call_writes(&mut self, function: FuncId, call: Call) -> Vec<Write> {
        let data = &self.body(function).calls[call];
        let callees: Vec<FuncId> = match &data.callee {
            Callee::Direct(callee) => vec![*callee],
            // Of any type: a call with other types than the function's is wrong, and works.
            Callee::Indirect(_) => match self.graph.address_taken() {
                [] => return vec![Write::Anywhere],
                taken => taken.to_vec(),
            },
            Callee::Intrinsic(Intrinsic::MemoryCopy | Intrinsic::MemoryMove | Intrinsic::MemorySet, _) => {
                let location = data.args.first().and_then(|address| self.location(function, *address));
                let anywhere_in = |location: Location| Write::At(Location { offset: None, ..location }, 0);
                return vec![location.map_or(Write::Anywhere, anywhere_in)];
            }
            Callee::Intrinsic(Intrinsic::VaStart | Intrinsic::VaCopy | Intrinsic::VaArg | Intrinsic::VaEnd, _) => {
                return vec![Write::Anywhere];
            }
            Callee::Intrinsic(..) => return Vec::new(),
            // Assembly, which names variables by itself.
            Callee::Unsupported(_) => return self.everywhere(),
        };
        let mut writes = Vec::new();
        for callee in callees {
            let effects =
                self.effects.get(&callee).cloned().unwrap_or(Effects { anywhere: true, ..Effects::default() });
            // What pointers do not lead to is written by its name all the same.
            if effects.anywhere {
                writes.push(Write::Anywhere);
            }
            writes.extend(effects.globals.iter().map(|global| Write::Global(*global)));
            if effects.runtime {
                writes.push(Write::Runtime);
            }
        }
        writes
    }

    /// Objects whose addresses go where nobody follows them: into memory, to functions, over joins, into arithmetic.
    fn find_escapes(&mut self) {
        let program = self.program();
        for global in program.globals.values() {
            let words = global.initialiser.iter().flat_map(|initialiser| &initialiser.relocations);
            for relocation in words {
                if let Value::Word(address) = self.image.constant(relocation.constant)
                    && let Some((target, _)) = self.global_at(*address)
                {
                    self.escapes.globals.insert(target);
                }
            }
        }
        for (function, data) in program.functions.iter() {
            let Some(body) = &data.body else { continue };
            for block in body.blocks.values() {
                for inst in &block.insts {
                    match inst {
                        Inst::Load { .. } | Inst::Alloca { .. } | Inst::IntCompare { .. } | Inst::Marker => {}
                        Inst::Copy { .. } | Inst::Freeze { .. } => {}
                        Inst::Store { value, .. } => self.escape(function, *value),
                        Inst::Address { first_term, terms, .. } => {
                            for term in body.terms(*first_term, *terms) {
                                self.escape(function, term.index);
                            }
                        }
                        Inst::Call { call } => {
                            let is_access = matches!(
                                body.calls[*call].callee,
                                Callee::Intrinsic(
                                    Intrinsic::MemoryCopy | Intrinsic::MemoryMove | Intrinsic::MemorySet,
                                    _
                                )
                            );
                            if !is_access {
                                body.visit_call_operands(*call, |operand| self.escape(function, operand));
                            }
                        }
                        _ => body.visit_operands(inst, |operand| self.escape(function, operand)),
                    }
                }
                body.visit_terminator_operands(&block.terminator, |operand| self.escape(function, operand));
            }
            for edge in body.edges.values() {
                edge.args.iter().for_each(|argument| self.escape(function, *argument));
            }
        }
    }

    fn escape(&mut self, function: FuncId, operand: Operand) {
        match self.location(function, operand).map(|location| location.root) {
            Some(Root::Global(global)) => {
                self.escapes.globals.insert(global);
            }
            Some(Root::Local(register)) => {
                self.escapes.locals.insert((function, register));
            }
            Some(Root::Pointer(_)) | None => {}
        }
    }

    /// What functions write, through all that they call: least first, until nothing changes.
    fn find_effects(&mut self) {
        let program = self.program();
        let mut outside = Vec::new();
        for (id, function) in program.functions.iter() {
            let effects = match &function.body {
                Some(_) => Effects::default(),
                // Names of inputs are read; nothing else that such a function is given is an address of the program's.
                None if self.image.is_input(id) => Effects::default(),
                // What is released is not looked at any more.
                None if self.image.is_provided(id) && function.name == "free" => Effects::default(),
                None if self.image.is_provided(id) => {
                    let takes_address =
                        function.variadic || function.params.iter().any(|param| param.ty == Type::POINTER);
                    Effects { runtime: true, anywhere: takes_address, ..Effects::default() }
                }
                // Defined elsewhere, by somebody who knows all names that are for everybody.
                None => {
                    outside.push(id);
                    let globals = program.globals.iter();
                    let named = globals.filter(|(_, global)| global.linkage != Linkage::Internal && !global.read_only);
                    Effects { globals: named.map(|(id, _)| id).collect(), runtime: true, anywhere: true }
                }
            };
            self.effects.insert(id, effects);
        }
        loop {
            self.find_effects_of_bodies();
            // It may call back.
            let mut changed = false;
            let mut back = Effects::default();
            for function in self.called_from_outside() {
                back.join(&self.effects[&function]);
            }
            for function in &outside {
                changed |= self.effects.get_mut(function).is_some_and(|effects| effects.join(&back));
            }
            if !changed {
                break;
            }
        }
    }

    fn find_effects_of_bodies(&mut self) {
        let program = self.program();
        for component in self.graph.components() {
            loop {
                let mut changed = false;
                for function in component {
                    let Some(body) = &program.functions[*function].body else { continue };
                    let mut effects = self.effects[function].clone();
                    for block in body.blocks.values() {
                        for inst in &block.insts {
                            self.writes(*function, inst).iter().for_each(|write| effects.add(write));
                        }
                        if let Terminator::Invoke { call, .. } = block.terminator {
                            self.call_writes(*function, call).iter().for_each(|write| effects.add(write));
                        }
                    }
                    if effects != self.effects[function] {
                        self.effects.insert(*function, effects);
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
        }
    }
}

impl Effects {
    /// Adds what others write; whether that is more.
    fn join(&mut self, other: &Effects) -> bool {
        let before = (self.globals.len(), self.runtime, self.anywhere);
        self.globals.extend(&other.globals);
        self.runtime |= other.runtime;
        self.anywhere |= other.anywhere;
        before != (self.globals.len(), self.runtime, self.anywhere)
    }

    fn add(&mut self, write: &Write) {
        match write {
            Write::At(Location { root: Root::Global(global), .. }, _) | Write::Global(global) => {
                self.globals.insert(*global);
            }
            // Gone when the function returns.
            Write::At(Location { root: Root::Local(_), .. }, _) => {}
            Write::At(Location { root: Root::Pointer(_), .. }, _) | Write::Anywhere => self.anywhere = true,
            Write::Runtime => self.runtime = true,
        }
    }
}
