//! Calls of pure functions that are known not to return for some arguments: where paths tried those arguments.

use rustc_hash::FxHashMap;

use crate::path::distance::Place;

/// How often the arguments are tried without success at one place.
const TRIES: u8 = 16;

#[derive(Default)]
pub struct Failures(FxHashMap<Place, Tried>);

#[derive(Default)]
struct Tried {
    /// A path came to a failing call.
    found: bool,
    tries: u8,
    /// How many failing arguments were known at the last try.
    known: usize,
}

impl Failures {
    /// Whether a path at this place should try the failing arguments that are known. Counts as a try.
    pub fn is_worth_trying(&mut self, place: Place, known: usize) -> bool {
        let tried = self.0.entry(place).or_default();
        if known > tried.known {
            (tried.known, tried.tries) = (known, 0);
        }
        if tried.found || tried.tries >= TRIES {
            return false;
        }
        tried.tries += 1;
        true
    }

    pub fn found(&mut self, place: Place) {
        self.0.entry(place).or_default().found = true;
    }
}
