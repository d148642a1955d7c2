//! What a report wants to know of a state: which variable an undefined value came from, what was never freed.

use cranelift_entity::EntityRef;
use rustc_hash::FxHashSet;
use symcrete_expr::Value;
use symcrete_ir::{Const, Constant, Program};
use symcrete_memory::{AllocationId, AllocationInfo, Kind, Memory, Site};

use crate::outcome::Ended;
use crate::state::State;
use crate::trace::stack_slot;
use crate::{Executor, Image};

/// Origins with this bit are allocations, others constants plus one; 0 is unknown.
const ALLOCATION: u32 = 1 << 31;

pub(crate) fn origin_of_constant(constant: Const) -> u32 {
    constant.as_u32() + 1
}

pub(crate) fn origin_of_allocation(allocation: AllocationId) -> u32 {
    allocation.as_u32() | ALLOCATION
}

/// Where a value that nobody wrote came from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    Variable(String),
    Memory(Box<AllocationInfo>),
}

impl Image {
    /// Whether a value is one of which the compiler itself says that it may be anything, as optimised code has them where nobody looks. Variables
    /// that nobody wrote are no such values.
    pub(crate) fn is_anything(&self, value: &Value) -> bool {
        let Value::Partial(partial) = value else { return false };
        let is_constant = partial.origin != 0 && partial.origin & ALLOCATION == 0;
        is_constant
            && partial.undefined.is_ones()
            && matches!(
                self.program.constants[Const::new(partial.origin as usize - 1)],
                Constant::Undefined { variable: None, .. }
            )
    }
}

impl Executor {
    /// Where the undefined bits of a value came from, if that is known.
    pub fn origin_of(&self, state: &State, value: &Value) -> Option<Origin> {
        match value.origin() {
            0 => None,
            number if number & ALLOCATION != 0 => {
                let info = state.memory.info(AllocationId::from_u32(number & !ALLOCATION))?;
                Some(Origin::Memory(Box::new(info)))
            }
            number => match &self.image.program.constants[Const::new(number as usize - 1)] {
                Constant::Undefined { variable: Some(name), .. } => Some(Origin::Variable(name.to_string())),
                _ => None,
            },
        }
    }

    /// The finding of a program that ended with heap memory that nothing points to any more, if it did.
    pub fn leaks(&self, state: &State) -> Option<Ended> {
        let leaked = self.leaked(state);
        let bytes = leaked.iter().map(|info| info.size).sum();
        let site = leaked.first()?.allocated_at;
        Some(Ended::Leaked { allocations: leaked.len(), bytes, site })
    }

    /// Heap memory that was never freed and that no pointer in globals, live frames or other reachable memory leads to.
    pub fn leaked(&self, state: &State) -> Vec<AllocationInfo> {
        let mut memory = state.memory.clone();
        let mut reached: FxHashSet<AllocationId> = FxHashSet::default();
        let mut pending: Vec<AllocationInfo> = Vec::new();
        for kind in [Kind::Global, Kind::Thread, Kind::Stack, Kind::Environment] {
            pending.extend(state.memory.live(kind));
        }
        let in_registers = state.frames().flat_map(|frame| frame.registers.all_words());
        let mut words: Vec<u64> = in_registers.collect();
        loop {
            for address in words.drain(..) {
                if let Some((id, _)) = memory.resolve(address)
                    && let Some(info) = memory.info(id)
                    && info.kind == Kind::Heap
                    && reached.insert(id)
                {
                    pending.push(info);
                }
            }
            let Some(info) = pending.pop() else { break };
            words = pointer_words(&mut memory, &info, self.image.pointer_bytes());
        }
        // What the engine made for the entry function is not the program's to free.
        let is_own = |info: &AllocationInfo| info.allocated_at != Site(0);
        state.memory.live(Kind::Heap).filter(|info| is_own(info) && !reached.contains(&info.id)).collect()
    }
}

/// Every aligned word of an allocation that could be a pointer.
fn pointer_words(memory: &mut Memory, info: &AllocationInfo, pointer_bytes: u32) -> Vec<u64> {
    let mut words = Vec::new();
    let first = info.base.next_multiple_of(u64::from(pointer_bytes));
    let end = info.base + info.size;
    let mut at = first;
    while at + u64::from(pointer_bytes) <= end {
        match memory.read_word(at, pointer_bytes) {
            Ok(word) if word.bits() != 0 => words.push(word.bits()),
            _ => {}
        }
        at += u64::from(pointer_bytes);
    }
    words
}

/// The local variable that a stack object is.
pub fn local_variable<'a>(
    program: &'a Program,
    info: &AllocationInfo,
) -> Option<(&'a str, &'a symcrete_ir::debug::Variable)> {
    let (function, register) = stack_slot(info.allocated_at)?;
    let function = program.functions.get(function)?;
    let locals = &function.body.as_ref()?.locals;
    let (_, variable) = locals.iter().find(|(local, _)| *local == register)?;
    Some((function.source_name(), variable))
}
