//! What places in memory contain where a text stands that is gone through for its effects. `store.rs` knows what a place may ever contain; here is
//! what it contains now: what was written last, if it is known where, and what conditions said of it that was loaded from there; or what was
//! there before the call, if nothing can have written it since. Anything that may write a place in between is enough to forget it.

use std::collections::BTreeMap;

use smallvec::SmallVec;
use symcrete_ir::{EdgeId, Operand, Reg};

use super::guards::Guards;
use super::held::{Growth, Held, Object, Resolve};

/// An object, how far from its beginning, and how many bytes. It is one object and no other whenever it is spoken of.
pub type Spot = (Object, i64, u32);

/// Places that are known at a time; what comes then is not noted.
const MOST_SPOTS: usize = 128;

/// By default nothing is known.
#[derive(Clone, Default)]
pub struct Contents {
    spots: BTreeMap<Spot, Content>,
    /// What may have been written since the call that is looked at began; `None`: anything.
    written: Option<Touched>,
}

/// What a place contained before the call that is looked at.
pub type Before<'a> = &'a dyn Fn(Spot) -> Held;

#[derive(Clone, PartialEq)]
struct Content {
    held: Held,
    /// Registers that hold the same.
    registers: SmallVec<[Reg; 2]>,
}

impl Contents {
    /// Where the call that is looked at begins.
    pub fn at_begin() -> Contents {
        Contents { spots: BTreeMap::new(), written: Some(Touched::default()) }
    }

    pub fn of(&self, spot: Spot, before: Before) -> Option<Held> {
        let known = self.spots.get(&spot).map(|content| content.held.clone());
        known.or_else(|| self.is_as_before(spot).then(|| before(spot)))
    }

    /// Whether nothing can have written a place since the call began.
    fn is_as_before(&self, (object, at, bytes): Spot) -> bool {
        let is_written = |written: &Touched| written.overlaps(object, at, at.saturating_add(i64::from(bytes)));
        self.written.as_ref().is_some_and(|written| !is_written(written))
    }

    /// A register holds what is there now.
    pub fn loaded(&mut self, spot: Spot, held: &Held, register: Reg) {
        match self.spots.get_mut(&spot) {
            Some(content) => content.registers.push(register),
            None => self.stored(spot, held, Some(register)),
        }
    }

    /// Something was written there, and all that is touched by that was forgotten.
    pub fn stored(&mut self, spot: Spot, held: &Held, register: Option<Reg>) {
        if self.spots.len() < MOST_SPOTS {
            self.spots.insert(spot, Content { held: held.clone(), registers: register.into_iter().collect() });
        }
    }

    /// These bytes of an object may have been written.
    pub fn forget(&mut self, object: Object, begin: i64, end: i64) {
        self.spots
            .retain(|(of, at, bytes), _| *of != object || *at >= end || at.saturating_add(i64::from(*bytes)) <= begin);
        if let Some(written) = &mut self.written {
            written.add(object, begin, end);
        }
    }

    /// A register is made anew.
    pub fn made(&mut self, register: Reg) {
        for content in self.spots.values_mut() {
            content.registers.retain(|known| *known != register);
        }
    }

    /// The same for another function, which has registers of its own.
    pub fn elsewhere(&self) -> Contents {
        let mut contents = self.clone();
        contents.spots.values_mut().for_each(|content| content.registers.clear());
        contents
    }

    /// What is known where a call comes back, beside what it could not touch.
    pub fn come_back(&mut self, back: Contents) {
        for (spot, content) in back.spots {
            self.spots.entry(spot).or_insert(content);
        }
    }

    /// What is known where an edge is taken.
    pub fn narrow(&mut self, guards: &Guards, edge: EdgeId, other: &dyn Fn(Operand) -> Held) {
        if !guards.has_edge(edge) {
            return;
        }
        for content in self.spots.values_mut() {
            for register in &content.registers {
                content.held = guards.on_edge(edge, *register, std::mem::take(&mut content.held), other);
            }
        }
    }

    /// Leaves what is known on another way, too. Whether that is less.
    pub fn join(&mut self, other: &Contents, before: Before, growth: Growth, resolve: Resolve) -> bool {
        let mut is_less = false;
        // What was written on the other way only is still known on this one.
        for spot in other.spots.keys().filter(|spot| !other.is_as_before(**spot)) {
            if !self.spots.contains_key(spot) && self.is_as_before(*spot) {
                self.stored(*spot, &before(*spot), None);
            }
        }
        self.spots.retain(|spot, content| {
            let Some(theirs) = other.of(*spot, before) else {
                is_less = true;
                return false;
            };
            is_less |= content.held.join(&theirs, growth, resolve);
            let registers = other.spots.get(spot).map(|theirs| &theirs.registers[..]).unwrap_or_default();
            let known = content.registers.len();
            content.registers.retain(|register| registers.contains(register));
            is_less |= content.registers.len() < known;
            true
        });
        is_less | self.join_written(other)
    }

    fn join_written(&mut self, other: &Contents) -> bool {
        match (&mut self.written, &other.written) {
            (None, _) => false,
            (Some(_), None) => {
                self.written = None;
                true
            }
            (Some(mine), Some(theirs)) => {
                theirs.iter().fold(false, |is_new, (object, begin, end)| mine.add(object, begin, end) | is_new)
            }
        }
    }
}

/// The bytes of objects that may be written by a function and by those that it calls.
#[derive(Clone, Default)]
pub struct Touched {
    ranges: BTreeMap<Object, Vec<(i64, i64)>>,
}

impl Touched {
    /// Adds bytes. Whether they are new.
    pub fn add(&mut self, object: Object, begin: i64, end: i64) -> bool {
        let ranges = self.ranges.entry(object).or_default();
        if ranges.iter().any(|(from, to)| *from <= begin && end <= *to) {
            return false;
        }
        let (mut low, mut high) = (begin, end);
        ranges.retain(|&(from, to)| {
            let is_apart = to < low || high < from;
            if !is_apart {
                (low, high) = (low.min(from), high.max(to));
            }
            is_apart
        });
        ranges.push((low, high));
        true
    }

    /// Whether some of these bytes are among them.
    fn overlaps(&self, object: Object, begin: i64, end: i64) -> bool {
        let ranges = self.ranges.get(&object).into_iter().flatten();
        ranges.into_iter().any(|(from, to)| *from < end && begin < *to)
    }

    pub fn iter(&self) -> impl Iterator<Item = (Object, i64, i64)> + '_ {
        self.ranges.iter().flat_map(|(object, ranges)| ranges.iter().map(|(begin, end)| (*object, *begin, *end)))
    }
}
