//! Branches whose sides only compute, and which one path meets over and over: each time doubles the paths, which is how a checksum of
//! four bytes comes to have four billion. After some forks there a path goes both ways as one. It is decided by the path alone, so that
//! it is the same in whatever order paths are explored, by one worker or several, and after a path was put aside.

use std::rc::Rc;

use crate::path::distance::Place;

/// How often a path forked at branches that it might have passed as one; few places, so a list.
#[derive(Clone, Default)]
pub struct Crowds(Option<Rc<Vec<(Place, u32)>>>);

impl Crowds {
    pub fn forks(&self, place: Place) -> u32 {
        let known = self.0.iter().flat_map(|counts| counts.iter());
        known.into_iter().find(|(at, _)| *at == place).map_or(0, |(_, forks)| *forks)
    }

    pub fn count(&mut self, place: Place) {
        let counts = Rc::make_mut(self.0.get_or_insert_default());
        match counts.iter_mut().find(|(at, _)| *at == place) {
            Some((_, forks)) => *forks += 1,
            None => {
                counts.reserve_exact(1);
                counts.push((place, 1));
            }
        }
    }
}
