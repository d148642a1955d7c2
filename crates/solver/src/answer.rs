//! What the chain takes and gives.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use symcrete_expr::Model;

#[derive(Clone, Debug)]
pub enum Answer {
    /// An assignment of all variables of the query. A stage may leave its checking to the chain, the chain may not.
    Sat(Model),
    /// Only from an exact backend, on a subset of the query's constraints.
    Unsat,
    Unknown(Reason),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The effort or the time that one query may take was used up.
    Limit,
    /// The answer depends on the bits of a NaN, of which SMT has only one.
    NanBits,
    /// The query has what the backend cannot express, such as a call.
    Inexpressible,
    /// A model that was found is wrong: see `Chain::take_errors`.
    Internal,
    /// Somebody wants to stop.
    Interrupted,
}

/// How long a backend may try.
#[derive(Clone, Debug)]
pub struct Limits {
    /// In units of the backend's own choosing that do not depend on the machine; about a million a second.
    pub effort: u64,
    /// The backstop by the clock.
    pub time: Duration,
    /// Set by whoever wants to stop.
    pub interrupt: Arc<AtomicBool>,
}

impl Limits {
    pub fn interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { effort: 400_000, time: Duration::from_secs(10), interrupt: Arc::default() }
    }
}
