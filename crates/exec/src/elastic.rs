//! Allocations whose size depends on inputs. In memory they have the largest size that they may have, and every access is checked against
//! the expression of their size.

use std::collections::BTreeMap;
use std::rc::Rc;

use smallvec::smallvec;
use symcrete_expr::dag::Op;
use symcrete_expr::{Expr, Value};
use symcrete_memory::{AllocationId, AllocationInfo, Fault, Kind, Site};

use crate::Executor;
use crate::outcome::{Alternative, Ended, Fact, Fork, Then};
use crate::state::State;
use crate::step::Stop;

/// The sizes of one path's allocations, where they are not numbers.
#[derive(Clone, Default)]
pub struct Sizes {
    all: Rc<BTreeMap<AllocationId, Size>>,
}

#[derive(Copy, Clone)]
struct Size {
    expr: Expr,
    /// Bytes that the allocation is known to have on this path.
    proven: u64,
}

impl Sizes {
    /// The size of an allocation, if it is not a number.
    pub fn get(&self, allocation: AllocationId) -> Option<Expr> {
        self.all.get(&allocation).map(|size| size.expr)
    }

    pub(crate) fn insert(&mut self, allocation: AllocationId, expr: Expr) {
        Rc::make_mut(&mut self.all).insert(allocation, Size { expr, proven: 0 });
    }

    pub fn exprs(&self) -> impl Iterator<Item = Expr> + '_ {
        self.all.values().map(|size| size.expr)
    }
}

impl State {
    /// How many bytes an allocation has for the program, as an expression where that depends on inputs.
    pub(crate) fn size_of(&self, info: &AllocationInfo) -> Value {
        self.sizes.get(info.id).map_or(Value::Word(info.size), Value::Expr)
    }
}

impl Executor {
    /// New heap memory of a size that is at most `most`, zero if that is wanted; its address. `None` if there is no room.
    pub(crate) fn allocate_elastic(
        &mut self,
        state: &mut State,
        size: Expr,
        most: u64,
        align: u64,
        zero: bool,
        site: Site,
    ) -> Option<u64> {
        let made = match zero {
            true => state.memory.allocate_initialised(most, align, Kind::Heap, site, &[]),
            false => state.memory.allocate(most, align, Kind::Heap, site),
        };
        let (allocation, base) = made.ok()?;
        self.make_elastic(state, allocation, size);
        Some(base)
    }

    /// Heap memory that was just made has this size, which is at most what was made.
    pub(crate) fn make_elastic(&mut self, state: &mut State, allocation: AllocationId, size: Expr) {
        state.memory.set_elastic(allocation);
        state.sizes.insert(allocation, size);
    }

    /// An access met an elastic allocation: lets it through if it is known to be inside, asks otherwise. `false` if the allocation has
    /// no such size.
    pub(crate) fn check_elastic(&mut self, state: &mut State, fault: &Fault) -> Result<bool, Stop> {
        let Some((info, offset)) = &fault.allocation else { return Ok(false) };
        let Some(size) = state.sizes.all.get(&info.id).copied() else { return Ok(false) };
        let end = *offset as u64 + fault.size;
        if end > size.proven {
            let last = self.arena.word(self.arena.width(size.expr), end);
            let inside = self.arena.compare(Op::UnsignedLessEqual, last, size.expr);
            match self.arena.as_word(inside) {
                Some(0) => return Err(Ended::Memory(Box::new(fault.clone())).into()),
                Some(_) => {}
                None if state.known.contains(&Fact::Holds(inside)) => {}
                None => {
                    let outside = self.arena.not(inside);
                    let fault = Ended::Memory(Box::new(fault.clone()));
                    return Err(Stop::Fork(Fork {
                        alternatives: smallvec![
                            Alternative { condition: inside, then: Then::Know(Fact::Holds(inside)) },
                            Alternative { condition: outside, then: Then::End(Box::new(fault)) },
                        ],
                    }));
                }
            }
            if let Some(known) = Rc::make_mut(&mut state.sizes.all).get_mut(&info.id) {
                known.proven = end;
            }
        }
        state.memory.allow_elastic(info.id, end);
        Ok(true)
    }
}
