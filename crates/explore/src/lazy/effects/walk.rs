//! Goes through the text of a function as it is called in a state, with all that it calls, and gathers what it may do: an abstract
//! interpretation. Values are those of `held.rs`; memory is the state's, with what may have been written beside (`store.rs`). Branches on what is
//! known there, and pointers to functions, lead where they lead in that state, which is what keeps a stream that reads from a file apart from
//! one that writes.

use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use symcrete_exec::external::Deed;
use symcrete_exec::{Image, State};
use symcrete_expr::{Arena, Value};
use symcrete_ir::{
    Block, Body, Call, CallGraph, Callee, EdgeId, FuncId, Inst, Intrinsic, Operand, OperandKind, Reg, Terminator,
};

use super::held::{self, Held, Object};
use super::store::Store;

/// What else a function does.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct Deeds {
    /// It makes memory or frees it.
    pub allocates: bool,
    /// It asks the world outside, or changes what that tells.
    pub asks_world: bool,
    pub gives_inputs: bool,
    pub prints: bool,
    /// It may end the program.
    pub may_end: bool,
}

impl Deeds {
    /// Whether all that a call does is in its results and in the memory that it changes.
    pub fn is_contained(&self) -> bool {
        let Deeds { allocates, asks_world, gives_inputs, prints, may_end: _ } = *self;
        !(allocates || asks_world || gives_inputs || prints)
    }
}

/// A function called with certain arguments.
struct Node {
    function: FuncId,
    arguments: Vec<Held>,
    /// What is passed beside those that the function names.
    rest: Held,
    frame: Frame,
    results: Vec<Held>,
    returns: bool,
    pass: u32,
}

#[derive(Default)]
struct Frame {
    registers: SecondaryMap<Reg, Held>,
    reached: EntitySet<Block>,
    /// The objects that its instructions make.
    made: FxHashMap<(Block, usize), Object>,
    changed: bool,
}

/// Calls of one function with different arguments that are kept apart.
const MOST_CONTEXTS: usize = 8;

/// Instructions that are gone through before nothing can be said.
const FUEL: u64 = 400_000;

pub struct Walk<'a> {
    image: &'a Image,
    graph: &'a CallGraph,
    pub store: Store<'a>,
    nodes: Vec<Node>,
    contexts: FxHashMap<FuncId, Vec<usize>>,
    pass: u32,
    /// What nobody wrote decides too.
    is_lenient: bool,
    changed: bool,
    fuel: u64,
    /// Something is called of which nobody knows what it does.
    pub is_unknown: bool,
    pub deeds: Deeds,
}

impl<'a> Walk<'a> {
    pub fn new(image: &'a Image, graph: &'a CallGraph, state: &'a State, arena: &'a Arena) -> Walk<'a> {
        Walk {
            image,
            graph,
            store: Store::new(state, arena),
            nodes: Vec::new(),
            contexts: FxHashMap::default(),
            pass: 0,
            is_lenient: false,
            changed: false,
            fuel: FUEL,
            is_unknown: false,
            deeds: Deeds::default(),
        }
    }

    /// Goes through a function until nothing is added. What it may return.
    pub fn run(&mut self, function: FuncId, arguments: Vec<Held>) -> Vec<Held> {
        let root = self.node(function, arguments, Held::Nothing);
        loop {
            self.pass += 1;
            self.changed = false;
            self.store.changed = false;
            let mut at = 0;
            while at < self.nodes.len() {
                self.go_through(at);
                at += 1;
            }
            if self.is_hopeless() {
                return Vec::new();
            }
            if !self.changed && !self.store.changed {
                if self.is_lenient {
                    return self.nodes[root].results.clone();
                }
                self.is_lenient = true;
            }
        }
    }

    /// Whether it makes no sense to go on.
    pub fn is_hopeless(&self) -> bool {
        self.is_unknown || self.store.writes_anywhere || self.fuel == 0
    }

    /// Whether there was too much to go through.
    pub fn is_exhausted(&self) -> bool {
        self.fuel == 0
    }

    /// The calls of a function with these arguments.
    fn node(&mut self, function: FuncId, arguments: Vec<Held>, rest: Held) -> usize {
        let known = self.contexts.entry(function).or_default();
        for &at in known.iter() {
            if self.nodes[at].arguments == arguments && self.nodes[at].rest == rest {
                return at;
            }
        }
        if let Some(&last) = known.last()
            && known.len() >= MOST_CONTEXTS
        {
            let node = &mut self.nodes[last];
            for (mine, theirs) in node.arguments.iter_mut().zip(&arguments) {
                self.changed |= self.store.join(mine, theirs);
            }
            self.changed |= self.store.join(&mut node.rest, &rest);
            return last;
        }
        known.push(self.nodes.len());
        let results = vec![Held::Nothing; self.image.program.functions[function].results.len()];
        let frame = Frame::default();
        self.nodes.push(Node { function, arguments, rest, frame, results, returns: false, pass: 0 });
        self.changed = true;
        self.nodes.len() - 1
    }

    fn go_through(&mut self, at: usize) {
        if self.nodes[at].pass == self.pass || self.is_hopeless() {
            return;
        }
        self.nodes[at].pass = self.pass;
        let function = self.nodes[at].function;
        let image = self.image;
        let Some(body) = &image.program.functions[function].body else { return };
        let mut frame = std::mem::take(&mut self.nodes[at].frame);
        frame.reached.insert(Block::ENTRY);
        for (param, held) in body.blocks[Block::ENTRY].params.iter().zip(self.nodes[at].arguments.clone()) {
            frame.changed |= self.store.join(&mut frame.registers[*param], &held);
        }
        loop {
            self.changed |= frame.changed;
            frame.changed = false;
            for block in body.blocks.keys() {
                if frame.reached.contains(block) {
                    self.go_through_block(at, &mut frame, body, block);
                }
            }
            if !frame.changed || self.is_hopeless() {
                break;
            }
        }
        self.nodes[at].frame = frame;
    }

    fn go_through_block(&mut self, at: usize, frame: &mut Frame, body: &'a Body, block: Block) {
        let data = &body.blocks[block];
        self.fuel = self.fuel.saturating_sub(data.insts.len() as u64 + 1);
        for (number, inst) in data.insts.iter().enumerate() {
            if let Inst::Call { call } = inst {
                if !self.call(at, frame, body, *call, (block, number)) {
                    return;
                }
                continue;
            }
            if let Some((register, held)) = self.instruction(frame, body, inst, (block, number)) {
                frame.changed |= self.store.join(&mut frame.registers[register], &held);
            }
        }
        match &data.terminator {
            Terminator::Jump(edge) => self.follow(frame, body, *edge),
            Terminator::Branch { condition, if_true, if_false } => match self.held(frame, *condition) {
                Held::Nothing if !self.is_lenient => {}
                Held::Word(word) => self.follow(frame, body, if word & 1 == 1 { *if_true } else { *if_false }),
                _ => {
                    self.follow(frame, body, *if_true);
                    self.follow(frame, body, *if_false);
                }
            },
            Terminator::Switch { value, table, .. } => match self.held(frame, *value) {
                Held::Nothing if !self.is_lenient => {}
                Held::Word(word) => self.follow(frame, body, body.switches[*table].edge(word)),
                _ => {
                    let table = &body.switches[*table];
                    table.cases.iter().for_each(|(_, edge)| self.follow(frame, body, *edge));
                    self.follow(frame, body, table.default);
                }
            },
            Terminator::IndirectJump { targets, .. } => {
                targets.iter().for_each(|edge| self.follow(frame, body, *edge));
            }
            Terminator::Return(values) => {
                if !std::mem::replace(&mut self.nodes[at].returns, true) {
                    self.changed = true;
                }
                for (number, value) in values.iter().enumerate() {
                    let held = self.held(frame, *value);
                    if let Some(result) = self.nodes[at].results.get_mut(number) {
                        self.changed |= self.store.join(result, &held);
                    }
                }
            }
            // Where exceptions are thrown, nothing is said at all.
            Terminator::Invoke { call, normal, .. } => {
                if self.call(at, frame, body, *call, (block, data.insts.len())) {
                    self.follow(frame, body, *normal);
                }
            }
            Terminator::Resume(_) | Terminator::Unreachable | Terminator::Unsupported { .. } => {}
        }
    }

    fn follow(&mut self, frame: &mut Frame, body: &Body, edge: EdgeId) {
        let edge = &body.edges[edge];
        frame.changed |= frame.reached.insert(edge.target);
        for (param, arg) in body.blocks[edge.target].params.iter().zip(&edge.args) {
            let held = self.held(frame, *arg);
            frame.changed |= self.store.join(&mut frame.registers[*param], &held);
        }
    }

    fn held(&self, frame: &Frame, operand: Operand) -> Held {
        match operand.kind() {
            OperandKind::Reg(register) => frame.registers[register].clone(),
            OperandKind::Const(constant) => match self.image.constant(constant) {
                Value::Word(word) => Held::Word(*word),
                _ => Held::Any,
            },
        }
    }

    /// What an instruction leaves in which register.
    fn instruction(
        &mut self,
        frame: &mut Frame,
        body: &Body,
        inst: &Inst,
        here: (Block, usize),
    ) -> Option<(Reg, Held)> {
        let pointer_bits = self.image.pointer_bits();
        Some(match inst {
            Inst::Binary { op, ty, dst, lhs, rhs, .. } => {
                let (lhs, rhs) = (self.held(frame, *lhs), self.held(frame, *rhs));
                let resolve = |address: u64| self.store.resolve(address);
                (*dst, held::binary(*op, ty.bits(pointer_bits), &lhs, &rhs, &resolve))
            }
            Inst::IntCompare { predicate, ty, dst, lhs, rhs } => {
                let (lhs, rhs) = (self.held(frame, *lhs), self.held(frame, *rhs));
                (*dst, held::compare(*predicate, ty.bits(pointer_bits), &lhs, &rhs))
            }
            Inst::Cast { op, from, to, dst, src } => {
                let held = self.held(frame, *src);
                (*dst, held::cast(*op, from.bits(pointer_bits), to.bits(pointer_bits), &held))
            }
            Inst::Select { dst, condition, if_true, if_false, .. } => match self.held(frame, *condition) {
                Held::Nothing if !self.is_lenient => (*dst, Held::Nothing),
                Held::Word(word) => (*dst, self.held(frame, if word & 1 == 1 { *if_true } else { *if_false })),
                _ => {
                    let mut either = self.held(frame, *if_true);
                    self.store.join(&mut either, &self.held(frame, *if_false));
                    (*dst, either)
                }
            },
            Inst::Address { dst, base, offset, first_term, terms } => {
                let mut by = Some(i64::from(*offset));
                for term in body.terms(*first_term, *terms) {
                    let index = match self.held(frame, term.index) {
                        Held::Word(word) => held::signed(word, term.ty.bits(pointer_bits)).checked_mul(term.scale),
                        Held::Nothing if !self.is_lenient => return None,
                        _ => None,
                    };
                    by = by.and_then(|by| by.checked_add(index?));
                }
                let base = self.held(frame, *base);
                (*dst, base.moved(by, &|address| self.store.resolve(address)))
            }
            Inst::Load { ty, dst, address, .. } => {
                let address = self.held(frame, *address);
                let held = self.store.load(&address, ty.store_bytes(pointer_bits));
                let fits = ty.bits(pointer_bits) as u32 == ty.store_bytes(pointer_bits) * 8;
                let is_nothing = held == Held::Nothing && self.is_lenient && address != Held::Nothing;
                (*dst, if is_nothing || !fits && held != Held::Nothing { Held::Any } else { held })
            }
            Inst::Store { ty, address, value, .. } => {
                let (address, held) = (self.held(frame, *address), self.held(frame, *value));
                if address != Held::Nothing {
                    self.store.store(&address, ty.store_bytes(pointer_bits), &held);
                }
                return None;
            }
            Inst::Alloca { dst, .. } => {
                let object = self.made(frame, here, Held::Nothing);
                (*dst, Held::to(object, false))
            }
            Inst::Copy { dst, src, .. } | Inst::Freeze { dst, src, .. } => (*dst, self.held(frame, *src)),
            Inst::FloatBinary { dst, .. } | Inst::FloatNegate { dst, .. } | Inst::FloatCompare { dst, .. } => {
                (*dst, Held::Any)
            }
            Inst::Call { .. } | Inst::Marker => return None,
        })
    }

    /// The object that an instruction makes.
    fn made(&mut self, frame: &mut Frame, here: (Block, usize), contents: Held) -> Object {
        let store = &mut self.store;
        *frame.made.entry(here).or_insert_with(|| store.make(contents))
    }

    /// A call. Whether it may return.
    fn call(&mut self, at: usize, frame: &mut Frame, body: &'a Body, call: Call, here: (Block, usize)) -> bool {
        let data = &body.calls[call];
        let arguments: Vec<Held> = data.args.iter().map(|arg| self.held(frame, *arg)).collect();
        if !self.is_lenient && arguments.contains(&Held::Nothing) {
            return false;
        }
        let callees: SmallVec<[FuncId; 4]> = match &data.callee {
            Callee::Direct(function) => [*function].into_iter().collect(),
            Callee::Indirect(target) => match self.held(frame, *target) {
                Held::Nothing => return false,
                Held::Word(address) => self.image.function_at(address).into_iter().collect(),
                _ => self.graph.candidates(self.nodes[at].function, call).iter().copied().collect(),
            },
            Callee::Intrinsic(intrinsic, _) => {
                let results = self.intrinsic(at, frame, *intrinsic, &arguments, here);
                for result in &data.results {
                    frame.changed |= self.store.join(&mut frame.registers[*result], &results);
                }
                return true;
            }
            // The path ends there.
            Callee::Unsupported(_) => return false,
        };
        let mut returns = false;
        for callee in callees {
            let results = match self.image.program.functions[callee].body {
                Some(_) => self.function(frame, callee, &arguments, data, here),
                None => self.external(frame, callee, &arguments, here),
            };
            let Some(results) = results else { continue };
            returns = true;
            for (number, register) in data.results.iter().enumerate() {
                let held = results.get(number).unwrap_or(&Held::Any);
                frame.changed |= self.store.join(&mut frame.registers[*register], held);
            }
        }
        returns
    }

    /// A call of a function of the program: what it returns, if it does.
    fn function(
        &mut self,
        frame: &mut Frame,
        callee: FuncId,
        arguments: &[Held],
        data: &symcrete_ir::CallData,
        here: (Block, usize),
    ) -> Option<Vec<Held>> {
        let function = &self.image.program.functions[callee];
        let mut named: Vec<Held> = arguments.iter().take(function.params.len()).cloned().collect();
        named.resize(function.params.len(), Held::Any);
        for (number, bytes, _) in &data.by_value {
            if let Some(argument) = named.get_mut(*number as usize) {
                // One copy for each argument of a call.
                let place = (here.0, (here.1 << 8) + 1 + *number as usize);
                let copy = Held::to(self.made(frame, place, Held::Nothing), false);
                self.store.copy(&copy, argument, Some(*bytes));
                *argument = copy;
            }
        }
        let mut rest = Held::Nothing;
        for argument in arguments.iter().skip(function.params.len()) {
            self.store.join(&mut rest, argument);
        }
        let node = self.node(callee, named, rest);
        self.go_through(node);
        let node = &self.nodes[node];
        node.returns.then(|| node.results.clone())
    }

    fn intrinsic(
        &mut self,
        at: usize,
        frame: &mut Frame,
        intrinsic: Intrinsic,
        arguments: &[Held],
        here: (Block, usize),
    ) -> Held {
        match (intrinsic, arguments) {
            (Intrinsic::MemoryCopy | Intrinsic::MemoryMove, [to, from, bytes, ..]) => {
                self.store.copy(to, from, word(bytes))
            }
            (Intrinsic::MemorySet, [to, byte, bytes, ..]) => self.fill(to, byte, bytes),
            (Intrinsic::VaStart, [list, ..]) => {
                let area = self.made(frame, here, Held::Nothing);
                let area = Held::to(area, false).moved(None, &|_| None);
                let rest = self.nodes[at].rest.clone();
                self.store.store(&area, 8, &rest);
                // As the executor fills it: no argument is in a register.
                let fields = [(0, 4, Held::Word(48)), (4, 4, Held::Word(176)), (8, 8, area), (16, 8, Held::Word(0))];
                for (offset, bytes, held) in fields {
                    let field = list.moved(Some(offset), &|address| self.store.resolve(address));
                    self.store.store(&field, bytes, &held);
                }
            }
            (Intrinsic::VaCopy, [to, from, ..]) => self.store.copy(to, from, Some(24)),
            (Intrinsic::VaArg, [list, ..]) => {
                let field = list.moved(Some(8), &|address| self.store.resolve(address));
                let area = self.store.load(&field, 8).moved(None, &|address| self.store.resolve(address));
                self.store.store(&field, 8, &area);
                return self.store.load(&area, 8);
            }
            _ => {}
        }
        Held::Any
    }

    fn fill(&mut self, to: &Held, byte: &Held, bytes: &Held) {
        match (word(byte), word(bytes)) {
            (Some(byte), Some(bytes)) if bytes <= 512 => {
                let pattern = Held::Word((byte & 0xFF) * 0x0101_0101_0101_0101);
                for at in (0..bytes / 8 * 8).step_by(8) {
                    let place = to.moved(Some(at as i64), &|address| self.store.resolve(address));
                    self.store.store(&place, 8, &pattern);
                }
                for at in bytes / 8 * 8..bytes {
                    let place = to.moved(Some(at as i64), &|address| self.store.resolve(address));
                    self.store.store(&place, 1, &Held::Word(byte & 0xFF));
                }
            }
            _ => self.store.overwrite(to),
        }
    }

    /// A call of a function that the program does not define: what it returns, if it does.
    fn external(
        &mut self,
        frame: &mut Frame,
        callee: FuncId,
        arguments: &[Held],
        here: (Block, usize),
    ) -> Option<Vec<Held>> {
        let data = &self.image.program.functions[callee];
        let Some(deed) = self.image.deed(callee) else {
            self.is_unknown = true;
            return None;
        };
        match deed {
            Deed::GivesInputs => self.deeds.gives_inputs = true,
            Deed::AsksWorld => self.deeds.asks_world = true,
            Deed::Prints => self.deeds.prints = true,
            Deed::Allocates => self.deeds.allocates = true,
            Deed::Ends => {
                self.deeds.may_end = true;
                return None;
            }
            Deed::Jumps => {
                self.is_unknown = true;
                return None;
            }
            Deed::Computes | Deed::Nothing => {}
        }
        if let (Deed::AsksWorld | Deed::Computes | Deed::Prints | Deed::Allocates, Some(errno)) =
            (deed, self.image.global_named("__symcrete_errno"))
        {
            self.store.store(&Held::Word(errno), 4, &Held::Any);
        }
        let results = vec![Held::Any; data.results.len()];
        match (data.name.as_str(), arguments) {
            ("memcpy" | "memmove", [to, from, bytes]) => {
                self.store.copy(to, from, word(bytes));
                return Some(vec![to.clone()]);
            }
            ("memset", [to, byte, bytes]) => {
                self.fill(to, byte, bytes);
                return Some(vec![to.clone()]);
            }
            ("free" | "malloc_usable_size", _) => return Some(results),
            _ => {}
        }
        if deed == Deed::Allocates {
            let contents = if data.name == "calloc" { Held::Word(0) } else { Held::Nothing };
            let mut result = Held::to(self.made(frame, here, contents), true);
            if data.name == "realloc"
                && let Some(former) = arguments.first()
            {
                let anywhere = former.moved(None, &|address| self.store.resolve(address));
                let held = self.store.load(&anywhere, 8);
                self.store.store(&result.moved(None, &|_| None), 8, &held);
                self.store.join(&mut result, former);
            }
            return Some(vec![result; data.results.len()]);
        }
        for (argument, param) in arguments.iter().zip(&data.params) {
            if param.ty.is_pointer() {
                self.store.read_all(argument);
                if matches!(deed, Deed::GivesInputs | Deed::AsksWorld | Deed::Computes) {
                    self.store.overwrite(argument);
                }
            }
        }
        self.store.reads_anywhere |= data.variadic;
        Some(results)
    }
}

fn word(held: &Held) -> Option<u64> {
    match held {
        Held::Word(word) => Some(*word),
        _ => None,
    }
}
