//! Signals to process groups: the one thing here that the standard library cannot do.
#![allow(unsafe_code)]

#[derive(Copy, Clone)]
pub enum Signal {
    /// The driver saves its coverage and dies.
    Terminate,
    Kill,
}

/// Sends a signal to every process of the group that `leader` leads. A group that is gone already is no error.
pub fn group(leader: u32, signal: Signal) {
    let signal = match signal {
        Signal::Terminate => libc::SIGTERM,
        Signal::Kill => libc::SIGKILL,
    };
    // `kill(-0)` would be our own group, `kill(-1)` everybody.
    let Ok(leader @ 2..) = i32::try_from(leader) else { return };
    // SAFETY: `kill` reads no memory of ours.
    unsafe { libc::kill(-leader, signal) };
}
