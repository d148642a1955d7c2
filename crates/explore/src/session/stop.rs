//! The one way to stop: a flag that the scheduler sets, and that engines and solvers look at.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody wants the search to stop. Clones are the same flag.
#[derive(Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// For those who look at it while they work: solvers, and runs of the executor.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_the_same_flag() {
        let stop = Stop::default();
        let clone = stop.clone();
        assert!(!clone.is_set());
        stop.set();
        assert!(clone.is_set() && clone.flag().load(Ordering::Relaxed));
    }
}
