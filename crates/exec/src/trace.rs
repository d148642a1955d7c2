//! Where memory came from: call stacks of allocations and frees, each kept once and named by a small number.

use rustc_hash::FxHashMap;
use symcrete_ir::{FuncId, LocId, Reg};
use symcrete_memory::Site;

use crate::image::Image;
use crate::state::State;

/// Call stacks, interned. A `Site` of a heap allocation is an index into these; 0 is "unknown".
#[derive(Default)]
pub struct Traces {
    known: FxHashMap<Vec<(FuncId, LocId)>, u32>,
    stacks: Vec<Vec<(FuncId, LocId)>>,
}

/// Deep recursion shares its inner part; the rest says little.
const DEPTH: usize = 24;

impl Traces {
    /// The number of the stack on which the state stands.
    pub fn here(&mut self, image: &Image, state: &State) -> Site {
        let stack: Vec<(FuncId, LocId)> =
            state.frames().take(DEPTH).map(|frame| (frame.function, frame.loc(image))).collect();
        if let Some(number) = self.known.get(&stack) {
            return Site(*number);
        }
        self.stacks.push(stack.clone());
        let number = self.stacks.len() as u32;
        self.known.insert(stack, number);
        Site(number)
    }

    /// The stack of a heap site, innermost function first.
    pub fn stack(&self, site: Site) -> &[(FuncId, LocId)] {
        match (site.0 as usize).checked_sub(1).and_then(|at| self.stacks.get(at)) {
            Some(stack) => stack,
            None => &[],
        }
    }
}

/// The site of a stack object: its function and the register that holds its address.
pub fn stack_site(function: FuncId, register: Reg) -> Site {
    match (u16::try_from(function.as_u32()), u16::try_from(register.as_u32())) {
        (Ok(function), Ok(register)) => Site(u32::from(function) << 16 | u32::from(register)),
        _ => Site(u32::MAX),
    }
}

/// The function and register of a stack object's site.
pub fn stack_slot(site: Site) -> Option<(FuncId, Reg)> {
    (site.0 != u32::MAX).then(|| (FuncId::from_u32(site.0 >> 16), Reg::from_u32(site.0 & 0xFFFF)))
}
