//! Where the calling conventions of x86-64 (System V) and i386 put arguments and results, and therefore what a function finds that is
//! called with other types than its own. C leaves that undefined; programs do it across files, and machines do what stands here.
//!
//! `agree` rewrites direct calls so that no later stage meets such a call; calls through pointers are converted where the callee is known.

mod agree;
mod place;

use smallvec::SmallVec;

pub use agree::{Disagreement, agree};

use crate::{Block, Body, CallData, CastOp, Function, Inst, Operand, Param, Type};
use place::{Place, Places};

/// One step of a conversion: the operation, the type before and the type after it.
pub type Cast = (CastOp, Type, Type);

/// What one side finds where it expects a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The value with this number of the other side, converted.
    Value { from: usize, casts: SmallVec<[Cast; 3]> },
    /// What happened to be there.
    Nothing,
}

/// Whether a call and a function pass arguments and results in the same way.
pub fn agrees(call: &CallData, function: &Function) -> bool {
    let params = &function.params;
    let counts = if function.variadic { params.len() <= call.args.len() } else { params.len() == call.args.len() };
    let same = |(at, param): (usize, &Param)| {
        param.ty == call.arg_types[at] && param.by_value.is_some() == is_by_value(call, at)
    };
    counts && params.iter().enumerate().all(same) && results_agree(call, function)
}

/// The same for the results only. A call may ignore all of them.
pub fn results_agree(call: &CallData, function: &Function) -> bool {
    call.result_types.is_empty() || call.result_types == function.results
}

/// What a function finds in the place of each of its parameters.
pub fn arguments(call: &CallData, function: &Function, pointer_bits: u16) -> Vec<Found> {
    let mut places = Places::of_arguments(pointer_bits);
    let passed: Vec<Place> =
        (call.arg_types.iter().enumerate()).map(|(at, ty)| places.next(*ty, by_value(call, at))).collect();
    let mut places = Places::of_arguments(pointer_bits);
    let expected = function.params.iter().map(|param| (places.next(param.ty, param.by_value), param));
    let found = |(place, param): (Place, &Param)| {
        let Some(from) = place.find(&passed) else { return Found::Nothing };
        if param.by_value.is_some() || is_by_value(call, from) {
            let both = param.by_value.is_some() && is_by_value(call, from);
            return if both { Found::Value { from, casts: SmallVec::new() } } else { Found::Nothing };
        }
        let is_signed = call.sign_extended.contains(&(from as u32));
        converted(from, call.arg_types[from], is_signed, param.ty, place, pointer_bits)
    };
    expected.map(found).collect()
}

/// What a call finds in the place of each of its results, of a function that returns these; `is_signed`: with the sign above a narrow one.
pub fn results(call: &CallData, returned: &[Type], is_signed: bool, pointer_bits: u16) -> Vec<Found> {
    let mut places = Places::of_results(pointer_bits);
    let given: Vec<Place> = returned.iter().map(|ty| places.next(*ty, None)).collect();
    let mut places = Places::of_results(pointer_bits);
    let found = |ty: &Type| {
        let place = places.next(*ty, None);
        match place.find(&given) {
            Some(from) => converted(from, returned[from], is_signed, *ty, place, pointer_bits),
            None => Found::Nothing,
        }
    };
    call.result_types.iter().map(found).collect()
}

/// The number of 64 bits of which a value is the lower half, if the same block cuts it off: that is no instruction of the machine, so
/// whoever reads the whole register finds all of it.
pub fn cut_off(body: &Body, block: Block, value: Operand) -> Option<Operand> {
    let register = value.as_reg()?;
    body.blocks[block].insts.iter().find_map(|inst| match inst {
        Inst::Cast { op: CastOp::Trunc, from: Type::I64, dst, src, .. } if *dst == register => Some(*src),
        _ => None,
    })
}

fn is_by_value(call: &CallData, at: usize) -> bool {
    call.by_value.iter().any(|(argument, ..)| *argument as usize == at)
}

fn by_value(call: &CallData, at: usize) -> Option<u64> {
    call.by_value.iter().find(|(argument, ..)| *argument as usize == at).map(|(_, bytes, _)| *bytes)
}

/// A value of one type, read from its place as another.
fn converted(from: usize, given: Type, is_signed: bool, wanted: Type, place: Place, pointer_bits: u16) -> Found {
    let mut casts = SmallVec::new();
    if given == wanted {
        return Found::Value { from, casts };
    }
    if matches!(place, Place::Stacked(_)) {
        // The x87 stack holds every float in extended precision.
        let op = if given.bits(64) < wanted.bits(64) { CastOp::FloatExtend } else { CastOp::FloatTruncate };
        casts.push((op, given, wanted));
        return Found::Value { from, casts };
    }
    let is_extended = |ty: Type| ty == Type::float(crate::FloatKind::X87);
    // What stands in the registers or slots behind belongs to other values.
    let is_cut_off = wanted.bits(pointer_bits) > given.bits(pointer_bits).next_multiple_of(pointer_bits);
    if is_extended(given) || is_extended(wanted) || is_cut_off {
        return Found::Nothing;
    }
    let bits = Type::int(given.bits(pointer_bits));
    match given {
        Type::POINTER => casts.push((CastOp::PointerToInt, given, bits)),
        _ if given != bits => casts.push((CastOp::Bitcast, given, bits)),
        _ => {}
    }
    let target = Type::int(wanted.bits(pointer_bits));
    resize(&mut casts, bits, is_signed, target);
    match wanted {
        Type::POINTER => casts.push((CastOp::IntToPointer, target, wanted)),
        _ if wanted != target => casts.push((CastOp::Bitcast, target, wanted)),
        _ => {}
    }
    Found::Value { from, casts }
}

/// Compilers extend narrow integers to 32 bits as their own type says, and an operation on 32 bits clears the upper half of its register.
fn resize(casts: &mut SmallVec<[Cast; 3]>, from: Type, is_signed: bool, to: Type) {
    let (given, wanted) = (from.int_bits(), to.int_bits());
    if wanted < given {
        casts.push((CastOp::Trunc, from, to));
    } else if is_signed && given < 32 && wanted > given {
        let middle = Type::int(wanted.min(32));
        casts.push((CastOp::SignExtend, from, middle));
        if wanted > 32 {
            casts.push((CastOp::ZeroExtend, middle, to));
        }
    } else if wanted > given {
        casts.push((CastOp::ZeroExtend, from, to));
    }
}
