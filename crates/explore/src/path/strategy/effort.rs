//! Counts elementary steps in the tests of this crate, which assert how the work of a choice grows with the number of
//! paths without looking at a clock. Nothing otherwise.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// One node of some structure was looked at.
#[inline(always)]
pub(super) fn step() {
    #[cfg(test)]
    STEPS.set(STEPS.get() + 1);
}

/// The steps since the last call.
#[cfg(test)]
pub(super) fn take_steps() -> u64 {
    STEPS.take()
}
