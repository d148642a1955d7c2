//! Calls and returns: frames, arguments by value, variable arguments.

use std::rc::Rc;

use cranelift_entity::EntityRef;
use symcrete_expr::Value;
use symcrete_ir::{Block, Body, Call, CallData, Callee, FloatKind, FuncId, Terminator, Type, TypeKind};
use symcrete_memory::{Kind, Site};

use super::symbolic::Symbolic;
use super::{Stop, access, disagree, follow, needs_word};
use crate::Executor;
use crate::code::{CodeTarget, OpCode};
use crate::external::exceptions;
use crate::image::Image;
use crate::outcome::{Ended, Purpose};
use crate::state::{Frame, State};

/// What a call on the machine's own stack costs at least: return address and saved base pointer.
const FRAME_OVERHEAD: u64 = 16;
/// How many frames that are gone are kept for the next calls of their function.
const SPARE_FRAMES: usize = 8;

impl Executor {
    /// Executes the call on which the top frame stands. On `Err` nothing has changed.
    pub(crate) fn call(&mut self, state: &mut State, call: Call) -> Result<(), Stop> {
        let caller = state.top.function;
        match &self.image.body(caller).calls[call].callee {
            Callee::Direct(function) => self.call_function(state, call, *function),
            Callee::Indirect(target) => {
                let address = match (self.image.value(&state.top, *target), target.as_reg()) {
                    (Value::Word(bits), _) => bits,
                    (Value::Expr(expr), Some(register)) => return Err(Stop::ask(expr, Purpose::Function(register))),
                    (other, _) => needs_word(*target, other)?,
                };
                let function = self.image.function_at(address).ok_or(Ended::BadFunctionPointer(address))?;
                self.call_function(state, call, function)
            }
            Callee::Intrinsic(intrinsic, ty) => {
                let (intrinsic, ty) = (*intrinsic, *ty);
                let results = self.intrinsic(state, call, intrinsic, ty)?;
                self.finish_call(state, call, results);
                Ok(())
            }
            Callee::Unsupported(what) => Err(Ended::Unsupported(what.to_string()).into()),
        }
    }

    fn call_function(&mut self, state: &mut State, call: Call, function: FuncId) -> Result<(), Stop> {
        if self.opaque.is_pure(function) && self.call_pure(state, call, function)? {
            return Ok(());
        }
        if self.image.program.functions[function].body.is_some() {
            if state.top.registers.specials.is_some() && self.is_idle_output(state, call, function) {
                self.finish_call(state, call, [Value::Word(0)]);
                return Ok(());
            }
            return self.enter(state, call, function, None);
        }
        let Some(external) = self.image.external(function).copied() else {
            return match undefined(&self.image.program.functions[function].name) {
                Ended::UndefinedFunction(_) => self.call_native(state, call, function),
                ended => Err(ended.into()),
            };
        };
        let name = self.image.program.functions[function].name.clone();
        external.call(self, state, call, &name)
    }

    /// Pushes a frame for a function with a body. Its arguments are those of the call, unless others are given.
    pub(super) fn enter(
        &mut self,
        state: &mut State,
        call: Call,
        function: FuncId,
        given: Option<&[Value]>,
    ) -> Result<(), Stop> {
        let target = &self.image.program.functions[function];
        let body = self.image.body(function);
        let data = &self.image.body(state.top.function).calls[call];
        let own_bytes = frame_bytes(body);
        if state.stack_bytes + own_bytes > self.config.stack_limit {
            return Err(Ended::StackOverflow.into());
        }
        let mut frame = Frame::default();
        frame.enter(&self.image, function);
        frame.activation = state.next_activation;
        frame.stack_bytes = state.stack_bytes;
        let params = &body.blocks[Block::ENTRY].params;
        let mut symbolic = Symbolic { arena: &mut self.arena, notes: &mut self.notes };
        let passed = disagree::passed(&self.image, &mut symbolic, &state.top, data, target);
        for (at, param) in params.iter().enumerate() {
            // Callers without a prototype may leave arguments out, and pass what nobody wrote.
            let value = given.unwrap_or(&passed.values).get(at).cloned();
            let undefined = || Value::undefined(u32::from(body.registers[*param].bits(self.image.pointer_bits())), 0);
            frame.registers.set(*param, value.unwrap_or_else(undefined));
        }
        for (param, arg, bytes, align) in passed.copied {
            if let Some(param) = params.get(param as usize) {
                let source = match frame.registers.get(*param) {
                    Value::Word(bits) => bits,
                    other => needs_word(data.args[arg as usize], other)?,
                };
                let copy = copy_argument(state, &mut frame, source, bytes, u64::from(align))?;
                frame.registers.set(*param, Value::Word(copy));
            }
        }
        if target.variadic && data.args.len() > params.len() {
            pass_variadic(&self.image, &mut symbolic, state, data, params.len(), &mut frame)?;
        }
        push(state, Rc::new(frame), own_bytes);
        self.coverage.enter(function);
        Ok(())
    }

    /// A call that moves only words, between functions that have bodies: the usual one. `false` if it is another, and nothing
    /// has happened.
    pub(crate) fn call_words(&mut self, state: &mut State, call: Call) -> bool {
        let top = &*state.top;
        let Some(plan) = &self.image.code(top.function).calls[call.index()] else { return false };
        if top.registers.specials.is_some() {
            return false;
        }
        let words = &top.registers.words;
        let function = match plan.target {
            CodeTarget::Function(function) => function,
            CodeTarget::Pointer(slot) => match self.image.function_at(words[slot as usize]) {
                Some(function) => function,
                None => return false,
            },
        };
        let takes_them = self.image.plain_params(function) == Some(plan.args.len() as u32);
        if !takes_them || !self.image.agrees(plan, function) {
            return false;
        }
        let own_bytes = frame_bytes(self.image.body(function));
        if state.stack_bytes + own_bytes > self.config.stack_limit {
            return false;
        }
        let (mut fresh, served) = match self.spare_frames[function.index()].pop() {
            Some(spare) => (spare, true),
            None => (Rc::default(), false),
        };
        let Some(frame) = Rc::get_mut(&mut fresh) else { return false };
        if served {
            frame.reenter(&self.image);
        } else {
            frame.enter(&self.image, function);
        }
        frame.activation = state.next_activation;
        frame.stack_bytes = state.stack_bytes;
        // The parameters are the first registers.
        let first = frame.registers.first_register() as usize;
        for (at, arg) in plan.args.iter().enumerate() {
            frame.registers.words[first + at] = words[*arg as usize];
        }
        push(state, fresh, own_bytes);
        self.coverage.enter(function);
        true
    }

    /// A return that moves only words to a call of the usual kind. `false` if it is another, and nothing has happened.
    pub(crate) fn return_words(&mut self, state: &mut State) -> bool {
        let Some(frame) = Rc::get_mut(&mut state.top) else { return false };
        let code = self.image.code(frame.function);
        let values = &code.returns[code.ops[frame.pc as usize].c as usize];
        let Some(caller) = frame.caller.as_mut().and_then(Rc::get_mut) else { return false };
        let caller_code = self.image.code(caller.function);
        let call = caller_code.ops[caller.pc as usize];
        if call.code != OpCode::Call || frame.registers.specials.is_some() || caller.registers.specials.is_some() {
            return false;
        }
        let Some(plan) = &caller_code.calls[call.c as usize] else { return false };
        if plan.results.len() > values.values.len() || !self.image.agrees(plan, frame.function) {
            return false;
        }
        for (result, value) in plan.results.iter().zip(&values.values) {
            caller.registers.words[*result as usize] = frame.registers.words[*value as usize];
        }
        caller.pc += 1;
        state.steps += u64::from(values.weight);
        self.pop(state);
        true
    }

    /// Pops the top frame. If it was the last one, its results.
    pub(crate) fn return_from(&mut self, state: &mut State) -> Option<Vec<Value>> {
        let body = self.image.body(state.top.function);
        let block = &body.blocks[state.top.position(&self.image).0];
        state.steps += block.insts.len() as u64 + 1;
        let results: Vec<Value> = match &block.terminator {
            Terminator::Return(values) => values.iter().map(|value| self.image.value(&state.top, *value)).collect(),
            _ => Vec::new(),
        };
        if state.top.caller.is_none() {
            return Some(results);
        }
        let results = self.returned(state, results);
        self.pop(state);
        if let Some(call) = self.pending_call(state) {
            self.finish_call(state, call, results);
        }
        None
    }

    /// Drops the top frame and what it owns; the caller must exist.
    pub(crate) fn pop(&mut self, state: &mut State) {
        let caller = match Rc::get_mut(&mut state.top) {
            Some(frame) => frame.caller.take(),
            None => state.top.caller.clone(),
        };
        let Some(caller) = caller else { return };
        let mut done = std::mem::replace(&mut state.top, caller);
        for object in &done.stack_objects {
            state.memory.release(*object, Site(0));
        }
        state.stack_bytes = done.stack_bytes;
        state.jumps.forget_after(state.top.activation);
        let spare = &mut self.spare_frames[done.function.index()];
        if spare.len() < SPARE_FRAMES && Rc::get_mut(&mut done).is_some() {
            spare.push(done);
        }
    }

    /// The call on which the top frame stands.
    pub(crate) fn pending_call(&self, state: &State) -> Option<Call> {
        self.call_of(&state.top)
    }

    /// The call on which a frame stands.
    pub(super) fn call_of(&self, frame: &Frame) -> Option<Call> {
        let (block, at) = frame.position(&self.image);
        let block = &self.image.body(frame.function).blocks[block];
        match block.insts.get(at as usize) {
            Some(symcrete_ir::Inst::Call { call }) => Some(*call),
            Some(_) => None,
            None => match &block.terminator {
                Terminator::Invoke { call, .. } => Some(*call),
                _ => None,
            },
        }
    }

    /// Stores a call's results and steps past it.
    pub(crate) fn finish_call(&self, state: &mut State, call: Call, results: impl IntoIterator<Item = Value>) {
        let frame = Rc::make_mut(&mut state.top);
        let body = self.image.body(frame.function);
        let data = &body.calls[call];
        let mut results = results.into_iter();
        for (reg, ty) in data.results.iter().zip(&data.result_types) {
            let value =
                results.next().unwrap_or_else(|| Value::undefined(u32::from(ty.bits(self.image.pointer_bits())), 0));
            frame.registers.set(*reg, value);
        }
        let (block_id, at) = frame.position(&self.image);
        let block = &body.blocks[block_id];
        match &block.terminator {
            Terminator::Invoke { normal, .. } if at as usize == block.insts.len() => {
                state.steps +=
                    follow(self.image.code(frame.function), self.coverage.edges(frame.function), frame, *normal);
            }
            _ => {
                frame.pc = self.image.code(frame.function).after(frame.pc);
                frame.detour = None;
            }
        }
    }
}

/// What a frame takes on a machine's stack, roughly, beside the variables that stayed in memory: at -O0 every parameter and local
/// variable has its place there.
fn frame_bytes(body: &Body) -> u64 {
    let variables = body.promoted_locals.len().max(body.blocks[Block::ENTRY].params.len()) as u64;
    (FRAME_OVERHEAD + 8 * variables).next_multiple_of(16)
}

/// Makes a frame the top one.
fn push(state: &mut State, frame: Rc<Frame>, own_bytes: u64) {
    let caller = std::mem::replace(&mut state.top, frame);
    if let Some(frame) = Rc::get_mut(&mut state.top) {
        frame.caller = Some(caller);
    }
    state.next_activation += 1;
    state.stack_bytes += own_bytes;
}

/// What comes later says so; anything else is missing from the program.
fn undefined(name: &str) -> Ended {
    const LATER: &[(&str, &[&str])] = &[
        ("a program with threads", &["pthread_", "thrd_", "cnd_", "sem_"]),
        ("a program that starts others", &["fork", "vfork", "_Fork", "posix_spawn"]),
        (
            "the C++ library",
            &["_ZNSt", "_ZNKSt", "_ZSt", "_Znw", "_Zna", "_Zdl", "_Zda", "__cxa_", "__gxx_", "_Unwind_"],
        ),
        ("Rust's standard library", &["_RN", "_ZN3std", "_ZN4core", "_ZN5alloc", "__rust_"]),
    ];
    if exceptions::is_panic(name) {
        return Ended::Panicked;
    }
    let later = LATER.iter().find(|(_, prefixes)| prefixes.iter().any(|prefix| name.starts_with(prefix)));
    match later {
        Some((what, _)) => Ended::Unsupported(format!("{what} (`{name}`)")),
        None => Ended::UndefinedFunction(name.to_owned()),
    }
}

/// A private copy of an argument that is passed by value in memory.
fn copy_argument(state: &mut State, frame: &mut Frame, source: u64, bytes: u64, align: u64) -> Result<u64, Stop> {
    let (object, base) = (state.memory.allocate(bytes, align.max(8), Kind::Stack, Site(u32::MAX)))
        .map_err(|_| Ended::OutOfMemory { bytes })?;
    frame.stack_objects.push(object);
    state.memory.copy(base, source, bytes)?;
    Ok(base)
}

/// Size and alignment of a variadic argument in memory, by the System V conventions for x86-64 and i386.
pub(super) fn variadic_slot(ty: Type, pointer_bits: u16) -> (u64, u64) {
    let bytes = u64::from(ty.store_bytes(pointer_bits));
    match (ty.kind(), pointer_bits) {
        (TypeKind::Float(FloatKind::X87), 32) => (12, 4),
        (_, 32) => (bytes.next_multiple_of(4), 4),
        _ if bytes > 8 => (bytes.next_multiple_of(16), 16),
        _ => (8, 8),
    }
}

/// Lays the variadic arguments out in memory, as a callee finds those that did not fit into registers.
fn pass_variadic(
    image: &Image,
    symbolic: &mut Symbolic,
    state: &mut State,
    data: &CallData,
    first: usize,
    frame: &mut Frame,
) -> Result<(), Stop> {
    let pointer_bits = image.pointer_bits();
    let mut places = Vec::new();
    let mut end = 0u64;
    for at in first..data.args.len() {
        let by_value = data.by_value.iter().find(|(arg, ..)| *arg as usize == at);
        let (bytes, align) = match by_value {
            Some((_, bytes, align)) => (*bytes, u64::from(*align).max(u64::from(pointer_bits / 8))),
            None => variadic_slot(data.arg_types[at], pointer_bits),
        };
        let start = end.next_multiple_of(align);
        places.push((at, start, by_value.map(|(_, bytes, _)| *bytes)));
        end = (start + bytes).next_multiple_of(u64::from(pointer_bits / 8));
    }
    let (object, base) =
        state.memory.allocate(end, 16, Kind::Stack, Site(u32::MAX)).map_err(|_| Ended::OutOfMemory { bytes: end })?;
    frame.stack_objects.push(object);
    frame.variadic = base;
    for (at, start, by_value) in places {
        let value = image.value(&state.top, data.args[at]);
        match by_value {
            Some(bytes) => {
                let source = match value {
                    Value::Word(bits) => bits,
                    other => needs_word(data.args[at], other)?,
                };
                state.memory.copy(base + start, source, bytes)?;
            }
            None => access::store(&mut state.memory, symbolic, base + start, data.arg_types[at], pointer_bits, &value)?,
        }
    }
    Ok(())
}
