//! An allocator that counts, so that tests can bound the memory of what they run.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static CURRENT: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

/// Counts what each thread allocates and hands everything on to the system's allocator.
pub struct Counting;

// SAFETY: every call is passed on unchanged to `System`, which keeps the contract of `GlobalAlloc`. The counters are
// plain cells without destructors, so touching them allocates nothing and works while a thread ends.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        CURRENT.with(|current| current.set(current.get().wrapping_sub(layout.size())));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn count(size: usize) {
    CURRENT.with(|current| {
        let now = current.get().wrapping_add(size);
        current.set(now);
        PEAK.with(|peak| peak.set(peak.get().max(now)));
    });
}

/// Runs something and returns how many bytes more than before were allocated at most by this thread.
pub fn peak_of<Outcome>(run: impl FnOnce() -> Outcome) -> (Outcome, usize) {
    let before = CURRENT.with(Cell::get);
    PEAK.with(|peak| peak.set(before));
    let outcome = run();
    (outcome, PEAK.with(Cell::get).saturating_sub(before))
}
