//! Both sides of a choice that does not fork. `c ? a : b` of simple values is one instruction: a path that executes it goes on as one,
//! with an expression for either value. A suite should have a test for each side all the same, so paths remember such choices until
//! they end.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use symcrete_expr::Expr;

use crate::distance::Place;

/// Choices that a path made, with their conditions.
#[derive(Clone, Default)]
pub struct Choices(Rc<Vec<(Place, Expr)>>);

/// More than this of one path are forgotten.
const MOST_CHOICES: usize = 32;

/// How often a side is looked for in vain at one place.
const TRIES: u8 = 16;

impl Choices {
    pub fn add(&mut self, place: Place, condition: Expr) {
        if self.0.len() < MOST_CHOICES && !self.0.contains(&(place, condition)) {
            Rc::make_mut(&mut self.0).push((place, condition));
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (Place, Expr)> + '_ {
        self.0.iter().copied()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Which sides the tests take.
#[derive(Default)]
pub struct Sides(FxHashMap<Place, Known>);

#[derive(Copy, Clone, Default)]
struct Known {
    taken: [bool; 2],
    tries: u8,
}

impl Sides {
    /// Whether a choice at this place is worth remembering.
    pub fn is_open(&self, place: Place) -> bool {
        self.0.get(&place).is_none_or(|known| known.tries < TRIES && known.taken != [true; 2])
    }

    pub fn is_taken(&self, place: Place, side: bool) -> bool {
        self.0.get(&place).is_some_and(|known| known.taken[usize::from(side)])
    }

    /// A test takes a side.
    pub fn take(&mut self, place: Place, side: bool) {
        self.0.entry(place).or_default().taken[usize::from(side)] = true;
    }

    /// No inputs of a path take the side that is missing.
    pub fn try_in_vain(&mut self, place: Place) {
        let known = self.0.entry(place).or_default();
        known.tries = known.tries.saturating_add(1);
    }
}
