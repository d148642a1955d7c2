//! `setjmp` and `longjmp`: places in live activations that can be returned to.

use std::rc::Rc;

/// The places that `setjmp` marked on this path. A `jmp_buf` in the program's memory holds an index into these.
#[derive(Clone, Default)]
pub struct JumpPoints(Rc<Vec<JumpPoint>>);

#[derive(Copy, Clone, PartialEq)]
pub struct JumpPoint {
    pub activation: u64,
    pub pc: u32,
}

/// Stands beside the index, so that an uninitialised or overwritten `jmp_buf` is noticed.
pub const MAGIC: u64 = 0x5359_4d43_4a4d_5000;

impl JumpPoints {
    /// The number of a place; one that is marked again, in a loop, keeps its number.
    pub fn mark(&mut self, point: JumpPoint) -> u64 {
        // The newest places are the likeliest to be marked again.
        if let Some(at) = self.0.iter().rposition(|known| *known == point) {
            return at as u64;
        }
        let points = Rc::make_mut(&mut self.0);
        points.push(point);
        (points.len() - 1) as u64
    }

    pub fn get(&self, number: u64) -> Option<JumpPoint> {
        self.0.get(usize::try_from(number).ok()?).copied()
    }

    /// Forgets the places of activations that ended: those after the one that is now on top. They are the newest marks,
    /// since nobody below could mark a place in the meantime.
    pub fn forget_after(&mut self, activation: u64) {
        if self.0.last().is_some_and(|point| point.activation > activation) {
            let points = Rc::make_mut(&mut self.0);
            while points.last().is_some_and(|point| point.activation > activation) {
                points.pop();
            }
        }
    }
}
