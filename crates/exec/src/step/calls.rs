//! Calls and returns: frames, arguments by value, variable arguments.

use std::rc::Rc;

use symcrete_expr::Value;
use symcrete_ir::{Block, Call, CallData, Callee, FloatKind, FuncId, Terminator, Type, TypeKind};
use symcrete_memory::{Kind, Site};

use super::{Stop, access, follow, needs_word};
use crate::Executor;
use crate::code::Registers;
use crate::outcome::Ended;
use crate::state::{Frame, State};

/// What a call on the machine's own stack costs at least: return address, saved base pointer, alignment.
const FRAME_OVERHEAD: u64 = 32;
/// Register files of frames that are gone, kept for frames to come.
const SPARE_ARRAYS: usize = 64;

impl Executor {
    /// Executes the call on which the top frame stands. On `Err` nothing has changed.
    pub(crate) fn call(&mut self, state: &mut State, call: Call) -> Result<(), Stop> {
        let caller = state.top.function;
        match &self.image.body(caller).calls[call].callee {
            Callee::Direct(function) => self.call_function(state, call, *function),
            Callee::Indirect(target) => {
                let address = match self.image.value(&state.top, *target) {
                    Value::Word(bits) => bits,
                    other => needs_word(*target, other)?,
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
        if self.image.program.functions[function].body.is_some() {
            return self.enter(state, call, function);
        }
        let Some(external) = self.image.external(function).copied() else {
            return Err(undefined(&self.image.program.functions[function].name).into());
        };
        external.call(self, state, call)
    }

    /// Pushes a frame for a function with a body.
    fn enter(&mut self, state: &mut State, call: Call, function: FuncId) -> Result<(), Stop> {
        let target = &self.image.program.functions[function];
        let body = self.image.body(function);
        let data = &self.image.body(state.top.function).calls[call];
        let own_bytes = FRAME_OVERHEAD + 8 * body.registers.len() as u64;
        if state.stack_bytes + own_bytes > self.config.stack_limit {
            return Err(Ended::StackOverflow.into());
        }
        let spare = self.spare_words.pop().unwrap_or_default();
        let mut frame = Frame {
            function,
            pc: 0,
            registers: Registers::new(self.image.code(function), self.image.constants(), spare),
            stack_objects: Vec::new(),
            variadic: 0,
            activation: state.next_activation,
            stack_bytes: state.stack_bytes,
            caller: None,
        };
        let params = &body.blocks[Block::ENTRY].params;
        for (at, param) in params.iter().enumerate() {
            // A call with too few arguments, which old C allows, passes what nobody wrote.
            let value = match data.args.get(at) {
                Some(arg) => self.image.value(&state.top, *arg),
                None => Value::undefined(u32::from(body.registers[*param].bits(self.image.pointer_bits())), 0),
            };
            frame.registers.set(*param, value);
        }
        for (at, bytes, align) in &data.by_value {
            if let Some(param) = params.get(*at as usize) {
                let source = frame.registers.get(*param).low_word();
                let copy = copy_argument(state, &mut frame, source, *bytes, u64::from(*align))?;
                frame.registers.set(*param, Value::Word(copy));
            }
        }
        if target.variadic && data.args.len() > params.len() {
            self.pass_variadic(state, data, params.len(), &mut frame)?;
        }
        state.next_activation += 1;
        state.stack_bytes += own_bytes;
        state.depth += 1;
        frame.caller = Some(state.top.clone());
        state.top = Rc::new(frame);
        Ok(())
    }

    /// Lays the variadic arguments out in memory, as a callee finds those that did not fit into registers.
    fn pass_variadic(&self, state: &mut State, data: &CallData, first: usize, frame: &mut Frame) -> Result<(), Stop> {
        let pointer_bits = self.image.pointer_bits();
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
        let (object, base) = state
            .memory
            .allocate(end, 16, Kind::Stack, Site(u32::MAX))
            .map_err(|_| Ended::OutOfMemory { bytes: end })?;
        frame.stack_objects.push(object);
        frame.variadic = base;
        for (at, start, by_value) in places {
            let value = self.image.value(&state.top, data.args[at]);
            match by_value {
                Some(bytes) => state.memory.copy(base + start, value.low_word(), bytes)?,
                None => access::store(&mut state.memory, base + start, data.arg_types[at], pointer_bits, &value)?,
            }
        }
        Ok(())
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
        self.pop(state);
        let call = self.pending_call(state);
        if let Some(call) = call {
            self.finish_call(state, call, results);
        }
        None
    }

    /// Drops the top frame and what it owns; the caller must exist.
    pub(crate) fn pop(&mut self, state: &mut State) {
        let Some(caller) = state.top.caller.clone() else { return };
        for object in &state.top.stack_objects {
            state.memory.release(*object, Site(0));
        }
        state.stack_bytes = state.top.stack_bytes;
        state.depth -= 1;
        let mut done = std::mem::replace(&mut state.top, caller);
        if let Some(frame) = Rc::get_mut(&mut done)
            && self.spare_words.len() < SPARE_ARRAYS
        {
            self.spare_words.push(std::mem::take(&mut frame.registers.words));
        }
        state.jumps.forget_after(state.top.activation);
    }

    /// The call on which the top frame stands.
    pub(crate) fn pending_call(&self, state: &State) -> Option<Call> {
        let (block, at) = state.top.position(&self.image);
        let block = &self.image.body(state.top.function).blocks[block];
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
                state.steps += follow(self.image.code(frame.function), frame, *normal);
            }
            _ => frame.pc += 1,
        }
    }
}

/// Threads come later, and say so; anything else is missing from the program.
fn undefined(name: &str) -> Ended {
    if ["pthread_", "thrd_", "cnd_", "sem_"].iter().any(|prefix| name.starts_with(prefix)) {
        Ended::Unsupported(format!("a program with threads (`{name}`)"))
    } else {
        Ended::UndefinedFunction(name.to_owned())
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
