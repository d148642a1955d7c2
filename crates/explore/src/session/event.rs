//! What a session tells.

use symcrete_exec::Ended;
use symcrete_ir::LocId;

use crate::report::{Mismatch, PathReport, Uninitialised};

/// Something that happened, for whoever started the search.
pub enum Event {
    Path(Box<PathReport>),
    Mismatch(Mismatch),
    /// The run of a path's inputs takes so long that nobody knows whether it ends as the path did.
    NotConfirmed(Ended),
    Uninitialised(Uninitialised),
    /// Bits that nobody wrote entered an expression as zeros: no harm is done, but what is said of all paths is said of those with zeros only.
    UnwrittenTakenAsZero(Uninitialised),
    /// The arguments of a call were fixed, at this place.
    Concretised {
        function: String,
        loc: LocId,
    },
    /// A function that is said to be pure is not, in words.
    NotPure(String),
    /// Paths leave out inputs for which this function does not return.
    AssumedToReturn(String),
    /// A decision string does not fit the program, which is a mistake of ours: the paths behind it are not explored.
    Lost {
        decisions: Vec<u8>,
    },
}
