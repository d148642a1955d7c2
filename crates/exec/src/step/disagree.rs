//! Calls through pointers whose types differ from those of the function that is called: each side finds what the other left in the
//! registers (`ir::convention`). Direct calls of this kind were rewritten when the program was linked.

use smallvec::SmallVec;
use symcrete_expr::Value;
use symcrete_ir::convention::{self, Cast, Found};
use symcrete_ir::{CallData, Callee, Function, Terminator, Type};

use super::arithmetic;
use super::symbolic::Symbolic;
use crate::Executor;
use crate::image::Image;
use crate::state::{Frame, State};

/// What a function gets: a value for each parameter, and which of them are addresses of what is to be copied.
pub(super) struct Passed {
    pub values: SmallVec<[Value; 4]>,
    /// The number of the parameter, that of the argument, bytes, alignment.
    pub copied: SmallVec<[(u32, u32, u64, u32); 1]>,
}

/// What a function finds in the place of each parameter when it is called from a frame.
pub(super) fn passed(
    image: &Image,
    symbolic: &mut Symbolic,
    caller: &Frame,
    data: &CallData,
    target: &Function,
) -> Passed {
    let args: SmallVec<[Value; 4]> = data.args.iter().map(|arg| image.value(caller, *arg)).collect();
    if convention::agrees(data, target) {
        let copied = data.by_value.iter().map(|(at, bytes, align)| (*at, *at, *bytes, *align)).collect();
        return Passed { values: args, copied };
    }
    let found = convention::arguments(data, target, image.pointer_bits());
    let mut passed = Passed { values: SmallVec::new(), copied: SmallVec::new() };
    for (at, (found, param)) in found.iter().zip(&target.params).enumerate() {
        passed.values.push(read(image, symbolic, found, &args, param.ty));
        if let Found::Value { from, .. } = found {
            let copied = data.by_value.iter().find(|(argument, ..)| *argument as usize == *from);
            passed.copied.extend(copied.map(|(argument, bytes, align)| (at as u32, *argument, *bytes, *align)));
        }
    }
    passed
}

impl Executor {
    /// What the caller of the top frame finds in the places of its results when that returns these.
    pub(super) fn returned(&mut self, state: &State, mut results: Vec<Value>) -> Vec<Value> {
        let top = &*state.top;
        let Some(caller) = &top.caller else { return results };
        let Some(call) = self.call_of(caller) else { return results };
        let data = &self.image.body(caller.function).calls[call];
        let function = &self.image.program.functions[top.function];
        if !matches!(data.callee, Callee::Indirect(_)) || convention::results_agree(data, function) {
            return results;
        }
        let mut types = &function.results[..];
        if let Some(value) = self.whole_result(top, data, function) {
            (types, results) = (&[Type::I64], vec![value]);
        }
        let given = convention::results(data, types, function.sign_extended_result, self.image.pointer_bits());
        let mut symbolic = Symbolic { arena: &mut self.arena, notes: &mut self.notes };
        let read = |(found, ty): (&Found, &Type)| read(&self.image, &mut symbolic, found, &results, *ty);
        given.iter().zip(&data.result_types).map(read).collect()
    }

    /// The 64 bits of which a frame returns the lower half, where its caller reads more than that.
    fn whole_result(&self, top: &Frame, data: &CallData, function: &Function) -> Option<Value> {
        let is_wanted =
            data.result_types.first().is_some_and(|ty| ty.bits(64) == 64) && self.image.pointer_bits() == 64;
        if !is_wanted || function.results != [Type::I32] {
            return None;
        }
        let (body, block) = (self.image.body(top.function), top.position(&self.image).0);
        let Terminator::Return(values) = &body.blocks[block].terminator else { return None };
        let whole = convention::cut_off(body, block, *values.first()?)?;
        Some(self.image.value(top, whole))
    }
}

fn read(image: &Image, symbolic: &mut Symbolic, found: &Found, values: &[Value], ty: Type) -> Value {
    let pointer_bits = image.pointer_bits();
    let cast = |value: Value, (op, from, to): &Cast| match value {
        Value::Expr(_) => symbolic.cast(*op, *from, *to, pointer_bits, &value),
        _ => arithmetic::cast(*op, *from, *to, pointer_bits, &value),
    };
    match found {
        Found::Value { from, casts } => casts.iter().fold(values[*from].clone(), cast),
        Found::Nothing => Value::undefined(u32::from(ty.bits(pointer_bits)), 0),
    }
}

/// What the engine gives for a call that declares the result with this type.
pub(crate) fn fitting(symbolic: &mut Symbolic, value: Value, ty: Type, pointer_bits: u16) -> Value {
    let width = u32::from(ty.bits(pointer_bits));
    match value {
        Value::Word(bits) if width < 64 && ty.is_int() => Value::Word(arithmetic::truncate(width as u16, bits)),
        Value::Expr(expr) if symbolic.arena.width(expr) > width => {
            let low = symbolic.arena.extract(expr, 0, width);
            symbolic.value(low)
        }
        Value::Expr(expr) if symbolic.arena.width(expr) < width => {
            let whole = symbolic.arena.zero_extend(expr, width);
            symbolic.value(whole)
        }
        value => value,
    }
}
