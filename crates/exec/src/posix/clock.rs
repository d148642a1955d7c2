//! Reproducible time: clocks that advance by one nanosecond with each executed instruction.

use super::{Errno, Time};

const NANOSECONDS: u64 = 1_000_000_000;
/// 2024-01-01 00:00:00 UTC: when a program starts under seed 0.
const EPOCH: u64 = 1_704_067_200;
/// Other seeds start up to a year later.
const SPREAD: u64 = 365 * 24 * 60 * 60;
/// How long the machine has been up when a program starts: programs take a monotonic clock of 0 for "never".
const UPTIME: u64 = 1_000;

#[derive(Clone, Copy)]
pub(super) struct Clock {
    start: u64,
    instructions: u64,
}

impl Clock {
    pub fn new(seed: u64) -> Clock {
        // A multiplier with no common factor with SPREAD sends neighbouring seeds to distant dates.
        Clock { start: EPOCH + (seed % SPREAD).wrapping_mul(7_654_321) % SPREAD, instructions: 0 }
    }

    pub fn set_instructions(&mut self, instructions: u64) {
        self.instructions = instructions;
    }

    fn after(&self, start: u64) -> Time {
        let elapsed = self.instructions / NANOSECONDS;
        Time { seconds: (start + elapsed) as i64, nanoseconds: (self.instructions % NANOSECONDS) as i64 }
    }

    /// The time of day.
    pub fn now(&self) -> Time {
        self.after(self.start)
    }

    /// What `clock_gettime` says.
    pub fn read(&self, clock: i32) -> Result<Time, Errno> {
        match clock {
            libc::CLOCK_REALTIME | CLOCK_REALTIME_COARSE | CLOCK_TAI => Ok(self.now()),
            libc::CLOCK_MONOTONIC | CLOCK_MONOTONIC_RAW | CLOCK_MONOTONIC_COARSE | CLOCK_BOOTTIME => {
                Ok(self.after(UPTIME))
            }
            libc::CLOCK_PROCESS_CPUTIME_ID | libc::CLOCK_THREAD_CPUTIME_ID => Ok(self.after(0)),
            _ => Err(Errno::EINVAL),
        }
    }
}

// Linux's numbers.
const CLOCK_MONOTONIC_RAW: i32 = 4;
const CLOCK_REALTIME_COARSE: i32 = 5;
const CLOCK_MONOTONIC_COARSE: i32 = 6;
const CLOCK_BOOTTIME: i32 = 7;
const CLOCK_TAI: i32 = 11;
