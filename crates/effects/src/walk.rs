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
use symcrete_ir::convention::{self, Found};
use symcrete_ir::{
    Block, Body, Call, CallData, CallGraph, Callee, EdgeId, FuncId, Function, Inst, IntPredicate, Intrinsic, Operand,
    OperandKind, Reg, Returns, Terminator, Type,
};

use super::contents::{Contents, Spot, Touched};
use super::guards::Guards;
use super::held::{self, Growth, Held, Object, Place, Span, Stops};
use super::order::{self, Callees, Flow, Order, Range, order};
use super::store::Store;

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

/// How often what memory contains at the beginning of a function may become more by a little.
const MOST_BEGINNINGS: u32 = 4;

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
    /// What it may write, with all that it calls.
    touched: Touched,
    /// What memory contains where it is entered, and where it returns.
    begin: Option<Contents>,
    end: Option<Contents>,
    /// How often the former became more.
    begun: u32,
    pass: u32,
}

#[derive(Default)]
pub struct Frame {
    registers: SecondaryMap<Reg, Held>,
    reached: EntitySet<Block>,
    /// What memory contains at the beginning of blocks, as far as that is known, and where the walk stands.
    entered: SecondaryMap<Block, Option<Contents>>,
    now: Contents,
    /// The same where the functions return that a call may be of.
    back: Option<Contents>,
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
        let arguments = self.copied(function, arguments);
        let root = self.node(function, arguments, Held::Nothing);
        self.nodes[root].begin = Some(Contents::at_begin());
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

    /// What a function is given of these arguments: copies of what is passed by value.
    fn copied(&mut self, function: FuncId, mut arguments: Vec<Held>) -> Vec<Held> {
        let params = &self.image.program.functions[function].params;
        for (argument, param) in arguments.iter_mut().zip(params) {
            if let Some(bytes) = param.by_value {
                let copy = Held::to(self.store.make(Held::Nothing), false);
                self.store.copy(&copy, argument, &Held::Word(bytes));
                *argument = copy;
            }
        }
        arguments
    }

    /// What a place contains wherever the function returns that was gone through, if that is known.
    pub fn at_end(&self, spot: Spot) -> Option<Held> {
        self.nodes.first()?.end.as_ref()?.of(spot, &|spot| self.store.premise_of(spot))
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
        // What the library compares with would only be more stops on the way.
        if !image.program.functions[function].runtime {
            self.store.add_numbers(&guards.stops);
        }
        self.nodes.push(Node {
            function,
            body,
            guards,
            arguments,
            rest,
            frame,
            results,
            returns: false,
            touched: Touched::default(),
            begin: None,
            end: None,
            begun: 0,
            pass: 0,
        });
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
        frame.entered[Block::ENTRY] = self.nodes[at].begin.clone();
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
        frame.now = frame.entered[block].clone().unwrap_or_default();
        for (number, inst) in data.insts.iter().enumerate() {
            if let Inst::Call { call } = inst {
                if !self.call(at, frame, body, *call, (block, number)) {
                    return;
                }
                continue;
            }
            let made = self.instruction(frame, (body, guards), inst, (block, number));
            self.note_touched(at, frame);
            inst.dst().into_iter().for_each(|register| frame.now.made(register));
            if let Some((register, held)) = &made {
                // It depends on others, which stop growing.
                frame.changed |= self.store.grow(&mut frame.registers[*register], held, Growth::Near);
            }
            self.note_content(frame, (guards, block), inst, made.map(|(_, held)| held));
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
                let (end, goes_round) = (frame.now.elsewhere(), self.graph.is_recursive(self.nodes[at].function));
                self.changed |= join_contents(&self.store, &mut self.nodes[at].end, &end, goes_round);
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
        let growth = Growth::Far(Stops { numbers: &guards.stops, distances: &self.store.distances });
        for (param, arg) in body.blocks[edge.target].params.iter().zip(&edge.args) {
            let mut held = self.held_in(frame, guards, from, *arg);
            if let OperandKind::Reg(register) = arg.kind() {
                held = guards.on_edge(number, register, held, &|operand| self.held(frame, operand));
            }
            frame.changed |= self.store.grow(&mut frame.registers[*param], &held, growth);
        }
        let mut contents = frame.now.clone();
        contents.narrow(guards, number, &|operand| self.held(frame, operand));
        body.blocks[edge.target].params.iter().for_each(|param| contents.made(*param));
        // All ways round lead somewhere to a block that is not behind the one before.
        let goes_round = edge.target <= from;
        frame.changed |= join_contents(&self.store, &mut frame.entered[edge.target], &contents, goes_round);
    }

    /// What was written since somebody looked is not known any more.
    fn note_touched(&mut self, at: usize, frame: &mut Frame) {
        for (object, begin, end) in self.store.touched.drain(..) {
            frame.now.forget(object, begin, end);
            self.changed |= self.nodes[at].touched.add(object, begin, end);
        }
    }

    /// What is known after a load or a store of one place.
    fn note_content(&mut self, frame: &mut Frame, (guards, block): (&Guards, Block), inst: &Inst, made: Option<Held>) {
        match (inst, made) {
            (Inst::Load { ty, dst, address, .. }, Some(held)) => {
                if let Some(spot) = self.spot(&self.held_in(frame, guards, block, *address), ty) {
                    frame.now.loaded(spot, &held, *dst);
                }
            }
            (Inst::Store { ty, address, value, .. }, _) => {
                if let Some(spot) = self.spot(&self.held_in(frame, guards, block, *address), ty) {
                    let register = match value.kind() {
                        OperandKind::Reg(register) => Some(register),
                        OperandKind::Const(_) => None,
                    };
                    frame.now.stored(spot, &self.held_in(frame, guards, block, *value), register);
                }
            }
            _ => {}
        }
    }

    /// The one place to which an address leads. What the function makes may be several objects of one name.
    fn spot(&self, address: &Held, ty: &Type) -> Option<Spot> {
        let bytes = ty.store_bytes(self.image.pointer_bits());
        let is_whole = u32::from(ty.bits(self.image.pointer_bits())) == bytes * 8;
        let place = self.store.only_place(address, u64::from(bytes)).filter(|_| is_whole)?;
        let (object, at) = self.store.resolve(place)?;
        Some((object, at.exact()?, bytes))
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
                if ty.is_pointer() && !matches!(predicate, IntPredicate::Eq | IntPredicate::Ne) {
                    [&lhs, &rhs].into_iter().for_each(|side| self.store.add_distance(side));
                }
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
                let before = |spot: Spot| self.store.premise_of(spot);
                let known = self.spot(&address, ty).and_then(|spot| frame.now.of(spot, &before));
                let held = known.unwrap_or_else(|| self.store.load(&address, ty.store_bytes(pointer_bits)));
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
        frame.back = None;
        let returns = self.call_each(at, frame, body, call, here);
        self.note_touched(at, frame);
        body.calls[call].results.iter().for_each(|register| frame.now.made(*register));
        frame.now.come_back(frame.back.take().unwrap_or_default());
        returns
    }

    fn call_each(&mut self, at: usize, frame: &mut Frame, body: &'a Body, call: Call, here: (Block, usize)) -> bool {
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
                target => self.pointed_to(&target).unwrap_or_else(|| self.any_function(self.nodes[at].function, call)),
            },
            Callee::Intrinsic(intrinsic, ty) => {
                let rest = self.nodes[at].rest.clone();
                let first = match self.computed(*intrinsic, ty, &arguments) {
                    Some(held) => held,
                    None => self.intrinsic(frame, *intrinsic, (&arguments, &rest), here),
                };
                for (number, result) in data.results.iter().enumerate() {
                    let held = if number == 0 { &first } else { &Held::Any };
                    frame.changed |= self.store.grow(&mut frame.registers[*result], held, Growth::Near);
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
                    frame.back = Some(Contents::default());
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

    /// The functions that have the addresses that something may be. `None` if those have no bound.
    fn pointed_to(&self, target: &Held) -> Option<SmallVec<[FuncId; 4]>> {
        let places = target.places(&|address| self.store.resolve(address))?;
        let function = |(object, at): &Place| match object {
            Object::Function(address) if at.exact() == Some(0) => Some(self.image.function_at(*address)),
            Object::Function(_) | Object::Constants => None,
            // A path that calls what is no function ends there.
            Object::Before(_) | Object::Constant(_) | Object::Made(_) => Some(None),
        };
        let functions: Option<Vec<Option<FuncId>>> = places.iter().map(function).collect();
        Some(functions?.into_iter().flatten().collect())
    }

    /// The functions that a call through a pointer may be of which nothing is known: those of its type, and those of the program of other
    /// types, which is wrong, and works.
    fn any_function(&self, caller: FuncId, call: Call) -> SmallVec<[FuncId; 4]> {
        let functions = &self.image.program.functions;
        let of_type = self.graph.candidates(caller, call);
        let is_own = |function: &FuncId| !functions[*function].runtime && functions[*function].body.is_some();
        let others = self.graph.address_taken().iter().copied().filter(|_| is_own(&caller));
        let others = others.filter(|function| is_own(function) && !of_type.contains(function));
        of_type.iter().copied().chain(others).collect()
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
            frame.back = Some(Contents::default());
            return Some(Vec::new());
        }
        if let Some(results) = self.copies_string(callee, arguments) {
            frame.called.entry(here).or_default().others = true;
            frame.back = Some(Contents::default());
            return Some(results);
        }
        let function = &self.image.program.functions[callee];
        let agrees = convention::agrees(data, function);
        let mut named: Vec<Held> = arguments.iter().take(function.params.len()).cloned().collect();
        if !agrees {
            named = found(data, function, arguments, self.image.pointer_bits());
        }
        named.resize(function.params.len(), Held::Any);
        for (number, bytes, _) in data.by_value.iter().filter(|_| agrees) {
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
        let results = self.enter(frame, callee, named, rest, here)?;
        // What a call with other types finds in the registers is not what was returned.
        Some(if convention::results_agree(data, function) { results } else { Vec::new() })
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
        self.store.touched.iter().for_each(|(object, begin, end)| frame.now.forget(*object, *begin, *end));
        // What one call leaves comes to the next one, and with the contents of all of them to the first one again.
        let goes_round = self.graph.is_recursive(callee) || self.nodes[node].begun > MOST_BEGINNINGS;
        if join_contents(&self.store, &mut self.nodes[node].begin, &frame.now.elsewhere(), goes_round) {
            self.nodes[node].begun += 1;
            self.changed = true;
        }
        self.go_through(node);
        let node = &self.nodes[node];
        self.store.touched.extend(node.touched.iter());
        if let Some(end) = &node.end {
            join_contents(&self.store, &mut frame.back, end, false);
        }
        node.returns.then(|| node.results.clone())
    }
}

/// What the parameters of a function may be that is called with other types than its own.
fn found(data: &CallData, function: &Function, arguments: &[Held], pointer_bits: u16) -> Vec<Held> {
    let held = |found: &Found| match found {
        Found::Value { from, casts } if casts.is_empty() => arguments[*from].clone(),
        Found::Value { .. } | Found::Nothing => Held::Any,
    };
    convention::arguments(data, function, pointer_bits).iter().map(held).collect()
}

/// Adds another way to what is known somewhere, which may depend on itself. Whether that is new.
fn join_contents(store: &Store, known: &mut Option<Contents>, more: &Contents, goes_round: bool) -> bool {
    let growth = if goes_round { Growth::Far(store.stops()) } else { Growth::Near };
    match known {
        Some(known) => known.join(more, &|spot| store.premise_of(spot), growth, &|address| store.resolve(address)),
        None => {
            *known = Some(more.clone());
            true
        }
    }
}

pub fn word(held: &Held) -> Option<u64> {
    match held {
        Held::Word(word) => Some(*word),
        _ => None,
    }
}
