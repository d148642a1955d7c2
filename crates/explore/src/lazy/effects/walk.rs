//! Goes through the text of a function as it is called in a state, with all that it calls, and gathers what it may do: an abstract
//! interpretation. Values are those of `held.rs`; memory is the state's, with what may have been written beside (`store.rs`). Branches on what is
//! known there, and pointers to functions, lead where they lead in that state, which is what keeps a stream that reads from a file apart from
//! one that writes. What is done where the program is sure to end before the call returns does not count.

use std::rc::Rc;

use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use symcrete_exec::external::Deed;
use symcrete_exec::{Image, State};
use symcrete_expr::{Arena, Value};
use symcrete_ir::{
    Block, Body, Call, CallGraph, Callee, EdgeId, FuncId, Inst, Intrinsic, Operand, OperandKind, Reg, Returns,
    Terminator,
};

use super::guards::Guards;
use super::held::{self, Growth, Held, Object, Span};
use super::order::{self, Callees, Flow, Order, Range, order};
use super::store::{MOST_IN_OBJECT, Store};

/// What else a function does.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct Deeds {
    /// It makes memory or frees it.
    pub allocates: bool,
    /// It asks the world outside.
    pub asks_world: bool,
    /// It reads files, or goes to places in them.
    pub moves_on: bool,
    /// It changes the world outside otherwise than by printing.
    pub changes_world: bool,
    pub gives_inputs: bool,
    pub prints: bool,
    /// It may end the program.
    pub may_end: bool,
}

impl Deeds {
    /// Whether all that a call does is in its results and in the memory that it changes.
    pub fn is_contained(&self) -> bool {
        let Deeds { allocates, asks_world, moves_on, changes_world, gives_inputs, prints, may_end: _ } = *self;
        !(allocates || asks_world || moves_on || changes_world || gives_inputs || prints)
    }

    /// Whether what a function tells may be something else after them.
    pub fn change_what_tells(&self, deed: Deed) -> bool {
        match deed {
            Deed::GivesInputs => self.gives_inputs,
            Deed::MovesOn => self.moves_on || self.changes_world,
            Deed::AsksWorld | Deed::ChangesWorld => self.changes_world,
            Deed::Computes | Deed::Allocates | Deed::Prints | Deed::Ends | Deed::Jumps | Deed::Nothing => false,
        }
    }
}

/// A function called with certain arguments.
struct Node<'a> {
    function: FuncId,
    body: &'a Body,
    guards: Rc<Guards>,
    arguments: Vec<Held>,
    /// What is passed beside those that the function names.
    rest: Held,
    frame: Frame,
    results: Vec<Held>,
    returns: bool,
    pass: u32,
}

#[derive(Default)]
pub struct Frame {
    registers: SecondaryMap<Reg, Held>,
    reached: EntitySet<Block>,
    /// The objects that its instructions make.
    made: FxHashMap<(Block, usize), Object>,
    /// What its calls called when it was last gone through.
    pub called: FxHashMap<(Block, usize), Callees>,
    changed: bool,
}

/// Calls of one function with different arguments that are kept apart.
const MOST_CONTEXTS: usize = 8;

/// Instructions that are gone through before nothing can be said.
const FUEL: u64 = 400_000;

/// The guards of functions that were gone through: those of a text do not change.
pub type AllGuards = FxHashMap<FuncId, Rc<Guards>>;

pub struct Walk<'a> {
    pub image: &'a Image,
    graph: &'a CallGraph,
    returns: &'a Returns,
    pub store: Store<'a>,
    nodes: Vec<Node<'a>>,
    contexts: FxHashMap<FuncId, Vec<usize>>,
    guards: &'a mut AllGuards,
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
    pub fn new(
        image: &'a Image,
        (graph, returns): (&'a CallGraph, &'a Returns),
        state: &'a State,
        arena: &'a Arena,
        guards: &'a mut AllGuards,
    ) -> Walk<'a> {
        Walk {
            image,
            graph,
            returns,
            store: Store::new(state, arena),
            nodes: Vec::new(),
            contexts: FxHashMap::default(),
            guards,
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
        let image = self.image;
        let body = image.body(function);
        let constant = |operand: Operand| match operand.kind() {
            OperandKind::Const(constant) => match image.constant(constant) {
                Value::Word(word) => Some(*word),
                _ => None,
            },
            OperandKind::Reg(_) => None,
        };
        let made = || Rc::new(Guards::new(body, image.pointer_bits(), &constant));
        let guards = self.guards.entry(function).or_insert_with(made).clone();
        self.nodes.push(Node { function, body, guards, arguments, rest, frame, results, returns: false, pass: 0 });
        self.changed = true;
        self.nodes.len() - 1
    }

    /// What the function that was gone through always writes; and notes what is read of what was there before.
    pub fn settle(&mut self) -> Vec<Range> {
        let flows: Vec<Flow> = self.nodes.iter().map(|node| self.flow(node)).collect();
        let Order { always, read } = order(&flows);
        read.iter().for_each(|(address, bytes)| self.store.note_read(address, *bytes));
        always
    }

    fn flow(&self, node: &Node<'a>) -> Flow<'a> {
        let body = node.body;
        let is_gone_through =
            |block: &Block| node.frame.reached.contains(*block) && self.returns.may_from(node.function, *block);
        let blocks = body.blocks.keys().filter(is_gone_through).map(|block| (block, self.deeds_of(node, body, block)));
        Flow { body, blocks: blocks.collect() }
    }

    fn deeds_of(&self, node: &Node<'a>, body: &Body, block: Block) -> Vec<order::Deed> {
        let pointer_bits = self.image.pointer_bits();
        let (frame, data) = (&node.frame, &body.blocks[block]);
        let mut deeds = Vec::new();
        let range = |address: &Held, bytes: u32| Some((self.store.only_place(address, u64::from(bytes))?, bytes));
        let called = |number: usize| frame.called.get(&(block, number)).cloned().unwrap_or_default();
        for (number, inst) in data.insts.iter().enumerate() {
            match inst {
                Inst::Load { ty, address, .. } => {
                    let (address, bytes) = (self.held(frame, *address), ty.store_bytes(pointer_bits));
                    deeds.push(order::Deed::Read(range(&address, bytes), address, bytes));
                }
                Inst::Store { ty, address, .. } => {
                    let address = self.held(frame, *address);
                    deeds.extend(range(&address, ty.store_bytes(pointer_bits)).map(order::Deed::Write));
                }
                Inst::Call { call } => match &body.calls[*call].callee {
                    Callee::Intrinsic(intrinsic, _) => {
                        let fills = [Intrinsic::MemoryCopy, Intrinsic::MemoryMove, Intrinsic::MemorySet];
                        if let ([to, _, bytes, ..], true) = (&body.calls[*call].args[..], fills.contains(intrinsic))
                            && let Some(bytes) = word(&self.held(frame, *bytes)).and_then(|n| u32::try_from(n).ok())
                        {
                            deeds.extend(range(&self.held(frame, *to), bytes).map(order::Deed::Write));
                        }
                    }
                    _ => deeds.push(order::Deed::Call(called(number))),
                },
                _ => {}
            }
        }
        if matches!(data.terminator, Terminator::Invoke { .. }) {
            deeds.push(order::Deed::Call(called(data.insts.len())));
        }
        deeds
    }

    fn go_through(&mut self, at: usize) {
        if self.nodes[at].pass == self.pass || self.is_hopeless() {
            return;
        }
        self.nodes[at].pass = self.pass;
        let (body, guards) = (self.nodes[at].body, self.nodes[at].guards.clone());
        let mut frame = std::mem::take(&mut self.nodes[at].frame);
        frame.reached.insert(Block::ENTRY);
        frame.called.clear();
        for (param, held) in body.blocks[Block::ENTRY].params.iter().zip(self.nodes[at].arguments.clone()) {
            frame.changed |= self.store.join(&mut frame.registers[*param], &held);
        }
        loop {
            self.changed |= frame.changed;
            frame.changed = false;
            for block in body.blocks.keys() {
                if frame.reached.contains(block) {
                    self.go_through_block(at, &mut frame, (body, &guards), block);
                }
            }
            if !frame.changed || self.is_hopeless() {
                break;
            }
        }
        self.nodes[at].frame = frame;
    }

    fn go_through_block(&mut self, at: usize, frame: &mut Frame, (body, guards): (&'a Body, &Guards), block: Block) {
        if !self.returns.may_from(self.nodes[at].function, block) {
            // Nobody sees what is done from here on.
            self.deeds.may_end = true;
            return;
        }
        let data = &body.blocks[block];
        self.fuel = self.fuel.saturating_sub(data.insts.len() as u64 + 1);
        for (number, inst) in data.insts.iter().enumerate() {
            if let Inst::Call { call } = inst {
                if !self.call(at, frame, body, *call, (block, number)) {
                    return;
                }
                continue;
            }
            if let Some((register, held)) = self.instruction(frame, (body, guards), inst, (block, number)) {
                // It hangs on others, which stop growing.
                frame.changed |= self.store.grow(&mut frame.registers[register], &held, Growth::Near);
            }
        }
        let follow = |walk: &mut Self, frame: &mut Frame, edge: EdgeId| walk.follow(frame, (body, guards), block, edge);
        match &data.terminator {
            Terminator::Jump(edge) => follow(self, frame, *edge),
            Terminator::Branch { condition, if_true, if_false } => match self.held(frame, *condition) {
                Held::Nothing if !self.is_lenient => {}
                Held::Word(word) => follow(self, frame, if word & 1 == 1 { *if_true } else { *if_false }),
                _ => {
                    follow(self, frame, *if_true);
                    follow(self, frame, *if_false);
                }
            },
            Terminator::Switch { value, table, .. } => match self.held(frame, *value) {
                Held::Nothing if !self.is_lenient => {}
                Held::Word(word) => follow(self, frame, body.switches[*table].edge(word)),
                _ => {
                    let table = &body.switches[*table];
                    table.cases.iter().for_each(|(_, edge)| follow(self, frame, *edge));
                    follow(self, frame, table.default);
                }
            },
            Terminator::IndirectJump { targets, .. } => {
                targets.iter().for_each(|edge| follow(self, frame, *edge));
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
                    follow(self, frame, *normal);
                }
            }
            Terminator::Resume(_) | Terminator::Unreachable | Terminator::Unsupported { .. } => {}
        }
    }

    fn follow(&mut self, frame: &mut Frame, (body, guards): (&Body, &Guards), from: Block, number: EdgeId) {
        let edge = &body.edges[number];
        frame.changed |= frame.reached.insert(edge.target);
        for (param, arg) in body.blocks[edge.target].params.iter().zip(&edge.args) {
            let mut held = self.held_in(frame, guards, from, *arg);
            if let OperandKind::Reg(register) = arg.kind() {
                held = guards.on_edge(number, register, held, &|operand| self.held(frame, operand));
            }
            frame.changed |= self.store.grow(&mut frame.registers[*param], &held, Growth::Far(&guards.stops));
        }
    }

    /// What an operand holds in a block.
    fn held_in(&self, frame: &Frame, guards: &Guards, block: Block, operand: Operand) -> Held {
        let held = self.held(frame, operand);
        match operand.kind() {
            OperandKind::Reg(register) => guards.in_block(block, register, held, &|operand| self.held(frame, operand)),
            OperandKind::Const(_) => held,
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
        (body, guards): (&Body, &Guards),
        inst: &Inst,
        here: (Block, usize),
    ) -> Option<(Reg, Held)> {
        let pointer_bits = self.image.pointer_bits();
        let held_here = |walk: &Self, frame: &Frame, operand| walk.held_in(frame, guards, here.0, operand);
        Some(match inst {
            Inst::Binary { op, ty, dst, lhs, rhs, .. } => {
                let (lhs, rhs) = (held_here(self, frame, *lhs), held_here(self, frame, *rhs));
                let resolve = |address: u64| self.store.resolve(address);
                (*dst, held::binary(*op, ty.bits(pointer_bits), &lhs, &rhs, &resolve))
            }
            Inst::IntCompare { predicate, ty, dst, lhs, rhs } => {
                let (lhs, rhs) = (held_here(self, frame, *lhs), held_here(self, frame, *rhs));
                (*dst, held::compare(*predicate, ty.bits(pointer_bits), &lhs, &rhs))
            }
            Inst::Cast { op, from, to, dst, src } => {
                let held = held_here(self, frame, *src);
                (*dst, held::cast(*op, from.bits(pointer_bits), to.bits(pointer_bits), &held))
            }
            Inst::Select { dst, condition, if_true, if_false, .. } => match held_here(self, frame, *condition) {
                Held::Nothing if !self.is_lenient => (*dst, Held::Nothing),
                Held::Word(word) => (*dst, held_here(self, frame, if word & 1 == 1 { *if_true } else { *if_false })),
                _ => {
                    let mut either = held_here(self, frame, *if_true);
                    self.store.join(&mut either, &held_here(self, frame, *if_false));
                    (*dst, either)
                }
            },
            Inst::Address { dst, base, offset, first_term, terms } => {
                let mut by = Span::exactly(i64::from(*offset));
                for term in body.terms(*first_term, *terms) {
                    let index = held_here(self, frame, term.index);
                    if index == Held::Nothing && !self.is_lenient {
                        return None;
                    }
                    by = by.moved(index.distance(term.ty.bits(pointer_bits)).scaled(term.scale));
                }
                let base = held_here(self, frame, *base);
                (*dst, base.moved(by, &|address| self.store.resolve(address)))
            }
            Inst::Load { ty, dst, address, .. } => {
                let address = held_here(self, frame, *address);
                let held = self.store.load(&address, ty.store_bytes(pointer_bits));
                let fits = ty.bits(pointer_bits) as u32 == ty.store_bytes(pointer_bits) * 8;
                let is_nothing = held == Held::Nothing && self.is_lenient && address != Held::Nothing;
                (*dst, if is_nothing || !fits && held != Held::Nothing { Held::Any } else { held })
            }
            Inst::Store { ty, address, value, .. } => {
                let (address, held) = (held_here(self, frame, *address), held_here(self, frame, *value));
                if address != Held::Nothing {
                    self.store.store(&address, ty.store_bytes(pointer_bits), &held);
                }
                return None;
            }
            Inst::Alloca { dst, .. } => {
                let object = self.made(frame, here, Held::Nothing);
                (*dst, Held::to(object, false))
            }
            Inst::Copy { dst, src, .. } | Inst::Freeze { dst, src, .. } => (*dst, held_here(self, frame, *src)),
            Inst::FloatBinary { dst, .. } | Inst::FloatNegate { dst, .. } | Inst::FloatCompare { dst, .. } => {
                (*dst, Held::Any)
            }
            Inst::Call { .. } | Inst::Marker => return None,
        })
    }

    /// The object that an instruction makes.
    pub fn made(&mut self, frame: &mut Frame, here: (Block, usize), contents: Held) -> Object {
        let store = &mut self.store;
        *frame.made.entry(here).or_insert_with(|| store.make(contents))
    }

    /// A call. Whether it may return.
    fn call(&mut self, at: usize, frame: &mut Frame, body: &'a Body, call: Call, here: (Block, usize)) -> bool {
        let data = &body.calls[call];
        let guards = self.nodes[at].guards.clone();
        let arguments = data.args.iter().map(|arg| self.held_in(frame, &guards, here.0, *arg));
        let arguments: Vec<Held> = arguments.collect();
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
                None => {
                    frame.called.entry(here).or_default().others = true;
                    self.external(frame, callee, &arguments, here)
                }
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
        if self.prints(frame, callee, arguments, here) {
            return Some(Vec::new());
        }
        let function = &self.image.program.functions[callee];
        let mut named: Vec<Held> = arguments.iter().take(function.params.len()).cloned().collect();
        named.resize(function.params.len(), Held::Any);
        for (number, bytes, _) in &data.by_value {
            if let Some(argument) = named.get_mut(*number as usize) {
                // One copy for each argument of a call.
                let place = (here.0, (here.1 << 8) + 1 + *number as usize);
                let copy = Held::to(self.made(frame, place, Held::Nothing), false);
                self.store.copy(&copy, argument, &Held::Word(*bytes));
                *argument = copy;
            }
        }
        let mut rest = Held::Nothing;
        for argument in arguments.iter().skip(function.params.len()) {
            self.store.join(&mut rest, argument);
        }
        self.enter(frame, callee, named, rest, here)
    }

    /// The same with what its parameters and what is beside them may be.
    pub fn enter(
        &mut self,
        frame: &mut Frame,
        callee: FuncId,
        named: Vec<Held>,
        rest: Held,
        here: (Block, usize),
    ) -> Option<Vec<Held>> {
        let node = self.node(callee, named, rest);
        let called = frame.called.entry(here).or_default();
        if !called.nodes.contains(&node) {
            called.nodes.push(node);
        }
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
            (Intrinsic::MemoryCopy | Intrinsic::MemoryMove, [to, from, bytes, ..]) => self.store.copy(to, from, bytes),
            (Intrinsic::MemorySet, [to, byte, bytes, ..]) => self.fill(to, byte, bytes),
            (Intrinsic::VaStart, [list, ..]) => {
                let area = self.made(frame, here, Held::Nothing);
                let area = Held::to(area, false).moved(Span::ANYWHERE, &|_| None);
                let rest = self.nodes[at].rest.clone();
                self.store.store(&area, 8, &rest);
                // As the executor fills it: no argument is in a register.
                let fields = [(0, 4, Held::Word(48)), (4, 4, Held::Word(176)), (8, 8, area), (16, 8, Held::Word(0))];
                for (offset, bytes, held) in fields {
                    let field = list.moved(Span::exactly(offset), &|address| self.store.resolve(address));
                    self.store.store(&field, bytes, &held);
                }
            }
            (Intrinsic::VaCopy, [to, from, ..]) => self.store.copy(to, from, &Held::Word(24)),
            (Intrinsic::VaArg, [list, ..]) => {
                let field = list.moved(Span::exactly(8), &|address| self.store.resolve(address));
                self.store.note_read(&field, 8);
                let area = self.store.load(&field, 8).moved(Span::ANYWHERE, &|address| self.store.resolve(address));
                self.store.store(&field, 8, &area);
                self.store.note_read(&area, 8);
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
                    let place = to.moved(Span::exactly(at as i64), &|address| self.store.resolve(address));
                    self.store.store(&place, 8, &pattern);
                }
                for at in bytes / 8 * 8..bytes {
                    let place = to.moved(Span::exactly(at as i64), &|address| self.store.resolve(address));
                    self.store.store(&place, 1, &Held::Word(byte & 0xFF));
                }
            }
            _ => self.store.overwrite(to, Some(bytes.bounds(64).1.min(MOST_IN_OBJECT))),
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
            Deed::MovesOn => self.deeds.moves_on = true,
            Deed::ChangesWorld => self.deeds.changes_world = true,
            Deed::Prints => {
                self.deeds.prints = true;
                // What is in a file can be read again.
                self.deeds.changes_world |= !matches!(arguments.first(), Some(Held::Word(1 | 2)));
            }
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
        let asks = matches!(deed, Deed::AsksWorld | Deed::MovesOn | Deed::ChangesWorld);
        let may_fail = asks || matches!(deed, Deed::Computes | Deed::Prints | Deed::Allocates);
        if let (true, Some(errno)) = (may_fail, self.image.global_named("__symcrete_errno")) {
            self.store.store(&Held::Word(errno), 4, &Held::Any);
        }
        let results = vec![Held::Any; data.results.len()];
        match (data.name.as_str(), arguments) {
            ("memcpy" | "memmove", [to, from, bytes]) => {
                self.store.copy(to, from, bytes);
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
                let anywhere = former.moved(Span::ANYWHERE, &|address| self.store.resolve(address));
                self.store.note_read(&anywhere, 8);
                let held = self.store.load(&anywhere, 8);
                self.store.store(&result.moved(Span::ANYWHERE, &|_| None), 8, &held);
                self.store.join(&mut result, former);
            }
            return Some(vec![result; data.results.len()]);
        }
        for (argument, param) in arguments.iter().zip(&data.params) {
            if param.ty.is_pointer() {
                self.store.read_all(argument);
                if asks || matches!(deed, Deed::GivesInputs | Deed::Computes) {
                    self.store.overwrite(argument, None);
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
